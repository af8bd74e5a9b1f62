/* Applied forces at a state, and their derivatives, as far as a scheme takes them implicitly (outer_forces.c). */
#ifndef CRN_FORMULATE_FORCE_SLOPES_H
#define CRN_FORMULATE_FORCE_SLOPES_H

#include "formulate/assemble.h"
#include "formulate/references.h"

typedef double crn_matrix6[6][6];

/* Where a force is evaluated. */
typedef struct crn_force_place
{
    const crn_frame *frame;
    const double *q, *v;
    double t;
} crn_force_place;

/* What the expressions of a force depend on, and their values. */
typedef struct crn_force_state
{
    double values[1 + CRN_REFERENCES], rates[1 + CRN_REFERENCES];
    crn_reading readings[CRN_REFERENCES];
} crn_force_state;

/* Expression i of a force: three of the force, three of the torque; NULL: 0. */
static inline const crn_expression *crn_force_expression(const crn_force *force, int i)
{
    return i < 3 ? force->force[i] : force->torque[i - 3];
}

/* J_v and J_q of a force, times the factors of the treatment; false: it has none. */
bool crn_force_linearise(const crn_force *force, const crn_layout *layout, const crn_force_place *at,
                         const crn_force_state *s, double h, crn_treatment treatment, crn_matrix6 J[2]);

#endif
