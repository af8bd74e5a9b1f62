/* Pairs of bodies that do not touch. */
#ifndef CRN_MODEL_IGNORED_H
#define CRN_MODEL_IGNORED_H

#include "model/model.h"

/* Whether the contact of two different bodies is ignored; takes constant time. */
bool crn_model_ignores(const cairn_model *model, int body_a, int body_b);
/* Withdraw one reason for which two bodies do not touch. */
void crn_model_unignore(cairn_model *model, int body_a, int body_b);
/* Call before a body is removed: drops its pairs and renumbers the bodies behind it. */
cairn_status crn_model_drop_ignored(cairn_model *model, int body);

#endif
