/* Pairs of bodies that do not touch. */
#ifndef CRN_MODEL_IGNORED_H
#define CRN_MODEL_IGNORED_H

#include "model/model.h"

/* Whether the contact of two different bodies is ignored; in constant time, however many pairs are. */
bool crn_model_ignores(const cairn_model *model, int body_a, int body_b);

#endif
