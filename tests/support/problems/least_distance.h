/* The nearest point of a polyhedron, found apart from everything in the library: the least-distance problem
 *
 *     min |y - y0|   such that   E y >= f,   F y = g
 *
 * by non-negative least squares (Lawson and Hanson, Solving Least Squares Problems, chapters 20 to 23), on LAPACK.
 */
#ifndef TESTS_SUPPORT_LEAST_DISTANCE_H
#define TESTS_SUPPORT_LEAST_DISTANCE_H

#include <stdbool.h>

typedef struct least_distance
{
    int n;                        /* unknowns */
    int inequalities, equalities; /* rows */
    const double *E, *f;          /* rows of n, row-major */
    const double *F, *g;          /* may depend on each other, as long as they do not contradict */
    const double *y0;
} least_distance;

/* y, and the multipliers of the inequalities: y - y0 is in the span of F's rows plus E' multiplier. False when there is no
 * feasible point, or the optimality conditions do not hold for what was found to 1e-10. */
bool least_distance_solve(const least_distance *problem, double *y, double *multiplier);

#endif
