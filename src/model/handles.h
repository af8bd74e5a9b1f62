/* Conversion between public handles and places in the model's arrays.
 *
 *     crn_body_index(model, handle)   place of a body; -1: the handle is null, stale or of another model. A grain is made if it is not in the array yet (unmade.h)
 *     crn_body_ordinal(model, handle) the same, but grains may be unmade
 *     crn_body_handle(model, index)   handle of a body; null for an index outside the array (-1: the world)
 *
 * and the same for shapes, materials, joints, springs, forces, systems and statistics.
 */
#ifndef CRN_MODEL_HANDLES_H
#define CRN_MODEL_HANDLES_H

#include "model/model.h"

/* A handle without a model number, such as those of run files, fits every model. */
static inline bool crn_is_of_model(const cairn_model *model, uint16_t number)
{
    return number == 0 || number == model->number;
}

#define CRN_HANDLES(kind)                                                                                              \
    static inline int crn_##kind##_ordinal(const cairn_model *model, cairn_##kind handle)                              \
    {                                                                                                                  \
        return crn_is_of_model(model, handle.model)                                                                    \
                   ? crn_slots_index(&model->kind##_slots, handle.id, handle.generation)                               \
                   : -1;                                                                                               \
    }                                                                                                                  \
    static inline int crn_##kind##_index(const cairn_model *model, cairn_##kind handle)                                \
    {                                                                                                                  \
        int index = crn_##kind##_ordinal(model, handle);                                                               \
        bool is_there = index < (int)model->kind##_count || crn_make_grains(model) == CAIRN_OK;                        \
        return is_there ? index : -1;                                                                                  \
    }                                                                                                                  \
    static inline cairn_##kind crn_##kind##_handle(const cairn_model *model, int index)                                \
    {                                                                                                                  \
        const crn_slots *slots = &model->kind##_slots;                                                                 \
        if (index < 0 || (size_t)index >= slots->used)                                                                 \
            return (cairn_##kind){0};                                                                                  \
        int32_t at = crn_slots_of(slots, index);                                                                       \
        return (cairn_##kind){.id = at + 1, .model = model->number, .generation = crn_slots_at(slots, at).generation}; \
    }

CRN_HANDLES(body)
CRN_HANDLES(shape)
CRN_HANDLES(material)
CRN_HANDLES(joint)
CRN_HANDLES(spring)
CRN_HANDLES(force)
CRN_HANDLES(system)
CRN_HANDLES(statistic)

#undef CRN_HANDLES

/* Give a new thing, which goes to the end of its array, a slot and (unless NULL) a name, which must outlive the thing.
 * CAIRN_NO_MEMORY leaves everything unchanged. */
cairn_status crn_enlist(cairn_model *model, crn_slots *slots, crn_name_table *names, const char *name);
/* Release the slot and the name of thing `index`; the slots are listed (crn_slots_list). The caller closes the gap in the array. */
void crn_delist(cairn_model *model, crn_slots *slots, crn_name_table *names, const char *name, int index);
/* The place of the thing with a name, -1: none. NULL names nothing. */
int crn_find_name(const crn_slots *slots, const crn_name_table *names, const char *name);

/* CAIRN_INVALID with a message when an option struct does not come from its cairn_*_default function. */
cairn_status crn_check_options(const cairn_model *model, const char *kind, size_t found, size_t expected);

/* CAIRN_INVALID with a message that explains why crn_*_index rejected a handle. */
cairn_status crn_fail_handle(const cairn_model *model, const char *kind, int32_t id, uint16_t number);

#endif
