/* Bounded rows of a problem (cairn/problem.h). An item of H is a contact or a bounded row. The impulse z of a bounded row lies
 * in the interval
 *
 *     lo <= z <= hi,     or     lo f <= z <= hi f     where the bounds are multiples of the first impulse f of another item.
 *
 * An infinite bound stays infinite whatever f is. The law of a row is z = P(z - rho s) for any rho > 0, P the projection on
 * its interval: s >= 0 at lo, s <= 0 at hi, s = 0 in between. */
#ifndef CRN_SOLVE_AUTO_BOUNDED_H
#define CRN_SOLVE_AUTO_BOUNDED_H

#include "cairn/problem.h"

#include <assert.h>
#include <math.h>

typedef struct crn_interval
{
    double lo, hi;
} crn_interval;

static inline bool crn_is_row(const cairn_problem *problem, int j)
{
    assert(j >= 0 && j < problem->contact_count);
    return problem->bound && problem->bound[j].is_row;
}

/* The number of rows of item j that carry an impulse. */
static inline int crn_item_rows(const cairn_problem *problem, int j)
{
    return crn_is_row(problem, j) ? 1 : problem->dim;
}

/* A bound that is a multiple of f >= 0. */
static inline double crn_bound_times(double bound, double f)
{
    assert(f >= 0.0);
    return isfinite(bound) ? bound * f : bound;
}

/* The interval of bounded row j; r: the impulses of all items, dim each. */
static inline crn_interval crn_row_interval(const cairn_problem *problem, int j, const double *r)
{
    const cairn_bound *bound = &problem->bound[j];
    assert(bound->is_row && bound->lo <= bound->hi);
    if (bound->by < 0)
        return (crn_interval){bound->lo, bound->hi};
    double f = fmax(r[(size_t)bound->by * (size_t)problem->dim], 0.0);
    return (crn_interval){crn_bound_times(bound->lo, f), crn_bound_times(bound->hi, f)};
}

static inline double crn_clip(crn_interval interval, double x)
{
    return fmin(fmax(x, interval.lo), interval.hi);
}

/* Whether the bounds of some row are multiples of another impulse. */
static inline bool crn_has_multiples(const cairn_problem *problem)
{
    bool found = false;
    for (int j = 0; j < problem->contact_count && problem->bound && !found; ++j)
        found = problem->bound[j].is_row && problem->bound[j].by >= 0;
    return found;
}

/* Whether there are bounded rows and no contacts. */
static inline bool crn_has_rows_only(const cairn_problem *problem)
{
    bool only = problem->bound && problem->contact_count > 0;
    for (int j = 0; j < problem->contact_count && only; ++j)
        only = problem->bound[j].is_row;
    return only;
}

#endif
