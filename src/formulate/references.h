/* Quantities that expressions name (model/reference.h), at a frame. */
#ifndef CRN_FORMULATE_REFERENCES_H
#define CRN_FORMULATE_REFERENCES_H

#include "formulate/frame.h"
#include "model/joints/element.h"

typedef struct crn_reading
{
    double value;
    double rate;           /* of a position or an angle; 0 of a velocity */
    crn_gradient gradient; /* what multiplies v in the rate, or in the value of a velocity */
} crn_reading;

/* Read all of them; `values` and `rates` are those of the variables of expressions: t first, at the rate 1. */
void crn_references_read(const crn_frame *frame, const crn_references *references, double t,
                         double values[1 + CRN_REFERENCES], double rates[1 + CRN_REFERENCES], crn_reading *readings);

/* The targets of a joint's elements that name quantities; false: none does. */
bool crn_know_targets(const cairn_model *model, const crn_frame *frame, int joint, crn_element_known *known);

#endif
