/* Volume integrals of a polyhedron: each triangle p q r of its surface and one point, the apex, make a tetrahedron; taken
 * from the apex it has six times the volume d = p (q x r), with its sign, and
 *
 *     volume d/6 ,     int x = d/24 s ,     int x_i x_j = d/120 (s_i s_j + p_i p_j + q_i q_j + r_i r_j) ,     s = p + q + r .
 *
 * What the tetrahedra of a closed surface have in common cancels, whether it is convex or not.
 */
#include "model/shape/moments.h"

#include "math/vec.h"

#include <assert.h>

static const int PAIRS[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

void crn_mean_of(const double *points, int count, double mean[3])
{
    assert(count > 0);
    mean[0] = mean[1] = mean[2] = 0;
    for (int i = 0; i < count; ++i)
        crn_madd3(mean, 1.0 / count, points + 3 * i, mean);
}

void crn_moments_add(crn_moments *m, const double apex[3], const double p[3], const double q[3], const double r[3])
{
    double a[3], b[3], c[3], cross[3], s[3];
    crn_sub3(p, apex, a);
    crn_sub3(q, apex, b);
    crn_sub3(r, apex, c);
    crn_cross3(b, c, cross);
    double d = crn_dot3(a, cross);
    m->volume += d / 6;
    for (int k = 0; k < 3; ++k)
    {
        s[k] = a[k] + b[k] + c[k];
        m->first[k] += d / 24 * s[k];
    }
    for (int k = 0; k < 6; ++k)
    {
        int i = PAIRS[k][0], j = PAIRS[k][1];
        m->second[k] += d / 120 * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
}

void crn_moments_shift(crn_moments *m, const double apex[3])
{
    for (int k = 0; k < 6; ++k)
    {
        int i = PAIRS[k][0], j = PAIRS[k][1];
        m->second[k] += m->first[i] * apex[j] + m->first[j] * apex[i] + m->volume * apex[i] * apex[j];
    }
    for (int k = 0; k < 3; ++k)
        m->first[k] += m->volume * apex[k];
}

void crn_moments_centre(const crn_moments *m, double *points, int count)
{
    assert(m->volume > 0);
    for (int i = 0; i < count; ++i)
        crn_madd3(points + 3 * i, -1.0 / m->volume, m->first, points + 3 * i);
}

double crn_extent_of(const double *points, int count)
{
    double extent = 0;
    for (int i = 0; i < count; ++i)
        extent = fmax(extent, crn_norm3(points + 3 * i));
    return extent;
}
