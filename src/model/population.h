/* The bodies of a population in the model: grains, whose names are made of the population's name and an index. */
#ifndef CRN_MODEL_POPULATION_H
#define CRN_MODEL_POPULATION_H

#include "model/model.h"

/* Begin a population of `count` grains of `shapes` shapes each, which must be added next. The name has been checked. CAIRN_NO_MEMORY leaves the model as it was;
 * adding the grains' bodies cannot fail then. */
cairn_status crn_population_begin(cairn_model *model, const char *name, int count, int shapes);
/* Its two parts: list a population without grains, and have room for them. */
cairn_status crn_population_list(cairn_model *model, const char *name);
cairn_status crn_population_reserve(cairn_model *model, int count, int shapes);
/* Add the next grain of the last population. Its state is `initial`; it has no shapes yet. Returns its index among the bodies; -1:
 * memory ran out. */
int crn_population_add_grain(cairn_model *model, const cairn_body_state *initial, uint64_t groups,
                             uint64_t collides_with);
/* Give the last population a flow. CAIRN_NO_MEMORY. */
cairn_status crn_population_set_flow(cairn_model *model, const cairn_population_options *options);
void crn_population_release(crn_population *population);
/* CAIRN_INVALID with a sentence where nothing can be attached to a body, because it comes and goes. */
cairn_status crn_check_stays(const cairn_model *model, const char *kind, const char *name, int body);
/* Take the grains of the last population out again, which are the last bodies, and their shapes. */
void crn_population_empty(cairn_model *model);
/* Take the last population out again, with its grains, which are the last bodies, and their shapes. */
void crn_population_undo(cairn_model *model);

/* CAIRN_INVALID with a sentence where a population cannot have this name and number of grains. */
cairn_status crn_population_check_name(const cairn_model *model, const char *name, int count);
/* CAIRN_INVALID with a sentence where a body cannot have this name because of a population. */
cairn_status crn_check_grain_name(const cairn_model *model, const char *name);
/* The place of the body with a name such as "sand[17]", -1: none. NULL names nothing. */
int crn_find_grain(const cairn_model *model, const char *name);

#endif
