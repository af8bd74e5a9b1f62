/* Uneven bodies of the compact view: uneven.c. */
#ifndef CRN_STEP_COMPACT_UNEVEN_H
#define CRN_STEP_COMPACT_UNEVEN_H

#include "step/compact/compact_step.h"

/* Find the bodies on which implicit forces act, and add up their slopes. */
cairn_status crn_uneven_find(cairn_simulation *simulation, const crn_assembly *assembly);

/* The slopes of a body; NULL: it is even. */
const crn_uneven *crn_uneven_of(const crn_compact_scratch *scratch, int body);

/* The inverse of A of its translation or rotation. */
void crn_uneven_invert(const double A[9], double out[9]);

/* A x = p, refined once: a strong drag has impulses before and after the step that nearly cancel. */
void crn_uneven_solve(const double A[9], const double inverse[9], const double p[3], double x[3]);

/* m^-1 of an uneven body; out: its velocity becomes that without contacts, impulse: of applied forces. */
void crn_uneven_push(const cairn_simulation *simulation, int body, double h, const double impulse[],
                     crn_compact_body *out);

/* The same for the rotation of a body in the plane. */
void crn_uneven_turn(const cairn_simulation *simulation, int body, double impulse, crn_compact_body *out);

#endif
