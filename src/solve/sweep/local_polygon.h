/* The law of one contact whose friction lies in a polygon, solved exactly: u = W r + q with
 *
 *     0 <= u_n _|_ r_n >= 0 ,     r_t in mu r_n F ,     -u_t in the normal cone of mu r_n F at r_t ,
 *
 * F the regular m-gon of pyramid(m), or the square of the box law. W is positive definite, not always symmetric. */
#ifndef CRN_SOLVE_SWEEP_LOCAL_POLYGON_H
#define CRN_SOLVE_SWEEP_LOCAL_POLYGON_H

#include "cairn/problem.h"

#include <stdbool.h>

/* F, counterclockwise. */
typedef struct crn_polygon
{
    int corners;
    double corner[CAIRN_MAX_DIRECTIONS][2];
} crn_polygon;

/* F of pyramid(m) or box. */
void crn_local_polygon_of(cairn_law law, crn_polygon *out);

/* On entry r is a guess, of which the direction of slip is used. */
void crn_local_polygon_solve(const crn_polygon *F, double mu, const double W[9], const double q[3], double r[3]);

/* r_n not negative, and r_t the point of mu r_n F nearest to that of x. */
void crn_local_polygon_project(const crn_polygon *F, double mu, const double x[3], double out[3]);

/* The natural map, as the certificate has it: 0 exactly where the law holds. */
double crn_local_polygon_error(const crn_polygon *F, double mu, double rho, const double u[3], const double r[3]);

#endif
