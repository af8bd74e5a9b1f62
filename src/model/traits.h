/* Traits of bodies: many bodies begin alike but for their places, and those that do share one record. */
#ifndef CRN_MODEL_TRAITS_H
#define CRN_MODEL_TRAITS_H

#include "model/model.h"

/* Whether two bodies with these traits begin alike, wherever that is. */
bool crn_traits_same(const crn_body_traits *a, const crn_body_traits *b);

/* Let a new body share the traits of one of the last that were added, if one has the same. */
void crn_traits_share(const cairn_model *model, crn_body *body);

/* Let a body no longer share its traits. Returns false where memory runs out. */
bool crn_traits_own(crn_body *body);

/* Let a body have no traits. */
void crn_traits_release(crn_body *body);

#endif
