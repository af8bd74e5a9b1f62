/* Pairs of bodies that do not touch. */
#ifndef CRN_MODEL_IGNORED_H
#define CRN_MODEL_IGNORED_H

#include "model/model.h"

/* Whether the contact of two different bodies is ignored; in constant time, however many pairs are. */
bool crn_model_ignores(const cairn_model *model, int body_a, int body_b);
/* Take back one reason for which two bodies do not touch. */
void crn_model_unignore(cairn_model *model, int body_a, int body_b);
/* A body is being removed, and its joints are gone: forget its pairs, and count the bodies behind it one place further forward.
 * `room`, from crn_model_spare_ignored before anything was changed, becomes the table. */
cairn_status crn_model_spare_ignored(const cairn_model *model, crn_ignore **room);
void crn_model_drop_ignored(cairn_model *model, int body, crn_ignore *room);

#endif
