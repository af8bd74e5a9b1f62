/* Axis-aligned bounds. They may be infinite; empty bounds have lower > upper. */
#ifndef CRN_MATH_BOUNDS_H
#define CRN_MATH_BOUNDS_H

#include <math.h>
#include <stdbool.h>

typedef struct crn_bounds
{
    double lower[3], upper[3];
} crn_bounds;

static inline crn_bounds crn_bounds_empty(void)
{
    return (crn_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline bool crn_bounds_overlap(const crn_bounds *a, const crn_bounds *b)
{
    return a->lower[0] <= b->upper[0] && b->lower[0] <= a->upper[0] && a->lower[1] <= b->upper[1] &&
           b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] && b->lower[2] <= a->upper[2];
}

/* Whether `inner` lies in `outer`, borders included. */
static inline bool crn_bounds_hold(const crn_bounds *outer, const crn_bounds *inner)
{
    return outer->lower[0] <= inner->lower[0] && outer->lower[1] <= inner->lower[1] &&
           outer->lower[2] <= inner->lower[2] && inner->upper[0] <= outer->upper[0] &&
           inner->upper[1] <= outer->upper[1] && inner->upper[2] <= outer->upper[2];
}

/* Grow `into` so that it holds `other` too. */
static inline void crn_bounds_join(crn_bounds *into, const crn_bounds *other)
{
    for (int k = 0; k < 3; ++k)
    {
        into->lower[k] = other->lower[k] < into->lower[k] ? other->lower[k] : into->lower[k];
        into->upper[k] = other->upper[k] > into->upper[k] ? other->upper[k] : into->upper[k];
    }
}

/* Whether the ray x + s d, 0 <= s <= most, meets the bounds. Slab test: it lies between the two planes of axis k for s
 * from (lower - x)/d to (upper - x)/d. */
static inline bool crn_bounds_met(const crn_bounds *b, const double x[3], const double d[3], double most)
{
    double low = 0.0, high = most;
    for (int k = 0; k < 3; ++k)
    {
        if (d[k] == 0.0)
        {
            if (!(b->lower[k] <= x[k] && x[k] <= b->upper[k]))
                return false;
            continue;
        }
        double from = (b->lower[k] - x[k]) / d[k], to = (b->upper[k] - x[k]) / d[k];
        low = fmax(low, fmin(from, to));
        high = fmin(high, fmax(from, to));
    }
    return low <= high;
}

/* The squared distance of a point, 0 inside. */
static inline double crn_bounds_square(const crn_bounds *box, const double x[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        double off = fmax(0.0, fmax(box->lower[k] - x[k], x[k] - box->upper[k]));
        sum += off * off;
    }
    return sum;
}

/* The longest edge. */
static inline double crn_bounds_size(const crn_bounds *b)
{
    double size = b->upper[0] - b->lower[0];
    for (int k = 1; k < 3; ++k)
        size = b->upper[k] - b->lower[k] > size ? b->upper[k] - b->lower[k] : size;
    return size;
}

#endif
