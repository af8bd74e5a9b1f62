#include "model/shape/placed.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

void crn_centre_of(const crn_placed *p, double out[3])
{
    bool planar = p->vertex_count > 0;
    memcpy(out, planar ? (double[3]){p->vertices[0], p->vertices[1], 0.0} : p->centre, 3 * sizeof(double));
}

void crn_axis_of(const crn_placed *p, int axis, double out[3])
{
    assert(axis >= 0 && axis < 3);
    out[0] = p->R[axis];
    out[1] = p->R[3 + axis];
    out[2] = p->R[6 + axis];
}

void crn_into_shape(const crn_placed *p, const double x[3], const double n[3], double y[3], double m[3])
{
    double arm[3];
    if (x)
    {
        crn_sub3(x, p->centre, arm);
        crn_unrotate3(p->R, arm, y);
    }
    if (n)
        crn_unrotate3(p->R, n, m);
}

/* The half-space cuts the line at s = m (p - x) / m n, from above where m n > 0 and from below where m n < 0. */
bool crn_span_cut(const double x[3], const double n[3], const double p[3], const double m[3], double size, double *low,
                  double *high)
{
    double arm[3];
    crn_sub3(p, x, arm);
    double height = crn_dot3(m, arm), rate = crn_dot3(m, n), length = crn_norm3(m);
    if (fabs(rate) <= CRN_SLIVER * length)
        return height >= -CRN_SLIVER * size * length;
    *high = rate > 0 ? fmin(*high, height / rate) : *high;
    *low = rate < 0 ? fmax(*low, height / rate) : *low;
    return *low <= *high + CRN_SLIVER * size;
}

bool crn_span_ball(const double centre[3], double radius, const double x[3], const double n[3], double *low,
                   double *high)
{
    assert(radius >= 0.0);
    double arm[3], across[3];
    crn_sub3(centre, x, arm);
    double middle = crn_dot3(arm, n);
    crn_madd3(arm, -middle, n, across);
    double square = radius * radius - crn_dot3(across, across);
    double half = square > 0 ? sqrt(square) : 0.0;
    *low = middle - half;
    *high = middle + half;
    return square >= 0;
}
