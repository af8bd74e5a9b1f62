/* The half cylinder { x_n >= 0, |x_t| <= radius } in the frame of a contact: where the impulses of the lagged law lie. */
#ifndef CRN_MATH_CYLINDER_H
#define CRN_MATH_CYLINDER_H

/* The point nearest to x; size 1 (no tangents), 2 or 3. x and out may be the same. */
void crn_cylinder_project(int size, double radius, const double *x, double *out);

/* The derivative of the projection at x, three values per row whatever the size; the rest is 0. */
void crn_cylinder_differentiate(int size, double radius, const double *x, double D[9]);

#endif
