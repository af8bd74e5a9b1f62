/* Pairs of bodies that do not touch. */
#ifndef CRN_MODEL_IGNORED_H
#define CRN_MODEL_IGNORED_H

#include "model/model.h"

/* Add a reason for which two different bodies do not touch. CAIRN_NO_MEMORY. */
cairn_status crn_model_ignore(cairn_model *model, int body_a, int body_b);
/* Whether the contact of two different bodies is ignored; takes constant time. */
bool crn_model_ignores(const cairn_model *model, int body_a, int body_b);
/* Whether someone asked for a pair of the table: it has more reasons than joints that keep it apart. */
bool crn_ignore_is_asked_for(const cairn_model *model, const crn_ignore *pair);
/* Withdraw one reason for which two bodies do not touch. */
void crn_model_unignore(cairn_model *model, int body_a, int body_b);
/* Memory for the table that crn_model_drop_ignored builds, reserved before anything is changed. CAIRN_OK or CAIRN_NO_MEMORY. */
cairn_status crn_model_spare_ignored(const cairn_model *model, crn_ignore **room);
/* Drop the pairs of a body that is being removed and whose joints are gone, and renumber the bodies behind it. `room`, from
 * crn_model_spare_ignored, becomes the table. */
void crn_model_drop_ignored(cairn_model *model, int body, crn_ignore *room);

#endif
