/* The inertias of many bodies: nine numbers each, or one where a body turns alike about all axes. A heap of spheres is mostly of the
 * second kind. */
#ifndef CRN_MATH_INERTIA_H
#define CRN_MATH_INERTIA_H

#include <assert.h>
#include <stdbool.h>
#include <string.h>

typedef struct crn_matrix3
{
    double m[9]; /* row-major */
} crn_matrix3;

typedef struct crn_inertias
{
    const int *start;    /* per body, and one more: where its numbers begin; no numbers: it is 0 */
    const double *value; /* kg m^2, body frame */
    bool is_planar;      /* a single number is that about z */
} crn_inertias;

/* kg m^2: what a single number stands for. */
static inline crn_matrix3 crn_inertia_from(double number, bool is_planar)
{
    double other = is_planar ? 0.0 : number;
    return (crn_matrix3){{other, 0, 0, 0, other, 0, 0, 0, number}};
}

static inline crn_matrix3 crn_inertia_of(const crn_inertias *all, int body)
{
    int first = all->start[body], count = all->start[body + 1] - first;
    assert(count == 0 || count == 1 || count == 9);
    if (count < 9)
        return crn_inertia_from(count == 0 ? 0.0 : all->value[first], all->is_planar);
    crn_matrix3 out;
    memcpy(out.m, all->value + first, sizeof out.m);
    return out;
}

/* Whether one number is known to tell all of it. */
static inline bool crn_inertia_is_number(const crn_inertias *all, int body)
{
    return all->start[body + 1] - all->start[body] == 1;
}

/* About z, in the plane; of one that turns alike about all axes about any axis. */
static inline double crn_inertia_about_z(const crn_inertias *all, int body)
{
    int end = all->start[body + 1];
    return end > all->start[body] ? all->value[end - 1] : 0.0;
}

#endif
