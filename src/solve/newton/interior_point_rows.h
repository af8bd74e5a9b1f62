/* Bounded rows on the path of interior points.
 *
 * A row has a pair of positive variables for each finite bound, the room a that is left and the velocity y that presses
 * against it, with a y = tau on the path:
 *
 *     a_lo = z - lo,    a_hi = hi - z,    s = y_lo - y_hi .
 *
 * Linearised with da_lo = dz, da_hi = -dz and a dy + y da = c, where c = tau - a y less the second-order term da dy,
 *
 *     ds + (y_lo / a_lo + y_hi / a_hi) dz = c_lo / a_lo - c_hi / a_hi + (y_lo - y_hi - s),
 *
 * the row's line in the system of interior_point.h: T = 1, and Theta is the sum in brackets. A row without bounds is an
 * equation, s + ds = 0, whose Theta, which must not vanish, is a small proximal term. A row whose bounds agree has no room:
 * T = 0, and dz = 0.
 */
#ifndef CRN_SOLVE_NEWTON_INTERIOR_POINT_ROWS_H
#define CRN_SOLVE_NEWTON_INTERIOR_POINT_ROWS_H

#include "solve/newton/interior_point.h"

typedef struct crn_ip_row
{
    double lo, hi;
    bool fixed;               /* no room between them */
    double y[2], dy[2], c[2]; /* at lo and at hi; unused where the bound is infinite */
} crn_ip_row;

/* Set up the row of problem->bound[j] for the start of the path; returns its z. rho, scale: the row's mass, the problem's scale. */
double crn_ip_row_start(crn_ip_row *row, const cairn_bound *bound, double rho, double scale);

/* The number of its pairs: 0 to 2. */
int crn_ip_row_pairs(const crn_ip_row *row);

/* The scaling that represents Theta; false where z is not strictly inside the bounds, to within rounding. */
bool crn_ip_row_scale(const crn_ip_row *row, double z, double rho, crn_ip_scaling *scaling);

/* T: 1, or 0 where z is fixed. */
double crn_ip_row_tilt(const crn_ip_row *row);

/* c for tau; with the second-order term of the last step dz unless that is NULL. */
void crn_ip_row_aim(crn_ip_row *row, double z, double tau, const double *dz);

/* The right-hand side of the row's equation. */
double crn_ip_row_right(const crn_ip_row *row, double z, double s);

/* Find dy for a step dz; returns the largest share of the step, up to 1, that keeps all pairs positive. */
double crn_ip_row_follow(crn_ip_row *row, double z, double dz);

/* The sum of the products of the pairs after `length` times the step. */
double crn_ip_row_product(const crn_ip_row *row, double z, double dz, double length);

void crn_ip_row_move(crn_ip_row *row, double length);

#endif
