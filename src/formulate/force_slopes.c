/* Derivatives of applied forces by the state of their body.
 *
 *     J_v = -h sum g_i (df_i/dv)',     J_q = -h^2 sum g_i (df_i/dq)'
 *
 * with the directions g_i in which the components f_i act. A J would take the definiteness from A where it has a negative or a
 * circulating part, and it must not let a force act along directions that it does not have. So of each J the part between the g_i is
 * kept, of this the symmetric part, and of that what has no negative eigenvalue, all relative to the masses.
 */
#include "formulate/force_slopes.h"

#include "math/symmetric.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* g of component i of a force in the world or in the body's frame: its effect on the six coordinates of the body. */
static void direction(const crn_force *force, const double R[9], int i, bool in_body, double g[6])
{
    double unit[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2}, arm[3], moment[3];
    if (in_body)
        crn_rotate3(R, unit, unit);
    memset(g, 0, sizeof(double[6]));
    if (i >= 3)
    {
        crn_unrotate3(R, unit, g + 3);
        return;
    }
    memcpy(g, unit, sizeof unit);
    crn_rotate3(R, force->point, arm);
    crn_cross3(arm, unit, moment);
    crn_unrotate3(R, moment, g + 3);
}

/* The directions along which a force depends on the state, orthonormal in coordinates scaled by the roots of the masses. */
typedef struct span
{
    double unit[6], q[6][6];
    int count;
} span;

static span begin_span(const crn_layout *layout, int body)
{
    span out = {.count = 0};
    for (int i = 0; i < 6; ++i)
    {
        double mass = i < 3 ? layout->mass[body] : crn_inertia_of(&layout->inertia, body).m[4 * (i - 3)];
        out.unit[i] = mass > 0 ? sqrt(mass) : 1.0;
    }
    return out;
}

/* Add what is new in the direction g, which impulses of the force have. */
static void widen(span *all, const double g[6])
{
    double rest[6], before = 0, after;
    for (int i = 0; i < 6; ++i)
        rest[i] = g[i] / all->unit[i];
    before = sqrt(crn_dot(6, rest, rest));
    for (int twice = 0; twice < 2; ++twice)
        for (int a = 0; a < all->count; ++a)
        {
            double along = crn_dot(6, rest, all->q[a]);
            for (int i = 0; i < 6; ++i)
                rest[i] -= along * all->q[a][i];
        }
    after = sqrt(crn_dot(6, rest, rest));
    if (all->count == 6 || !(after > 1e-9 * before))
        return;
    for (int i = 0; i < 6; ++i)
        all->q[all->count][i] = rest[i] / after;
    all->count += 1;
}

/* J -= factor g slope' */
static void add_product(crn_matrix6 J, double factor, const double g[6], const double slope[6])
{
    for (int i = 0; i < 36; ++i)
        J[i / 6][i % 6] -= factor * g[i / 6] * slope[i % 6];
}

/* The part of expression i: derivatives by what it names of its own body. */
static void add_expression(const crn_force *force, const double R[9], int i, const crn_force_state *s,
                           const double factor[2], span *all, crn_matrix6 J[2])
{
    double g[6];
    direction(force, R, i, force->body_frame, g);
    for (int j = 0; j < force->references.count; ++j)
    {
        const crn_gradient *gradient = &s->readings[j].gradient;
        double unit[1 + CRN_REFERENCES] = {0};
        int side = gradient->body[0] == force->body ? 0 : gradient->body[1] == force->body ? 1 : -1;
        if (side < 0)
            continue;
        unit[1 + j] = 1.0;
        double slope = crn_expression_slope(crn_force_expression(force, i), s->values, unit).rate;
        int which = crn_reference_is_position(&force->references.item[j]) ? 1 : 0;
        if (!isfinite(slope) || slope == 0)
            continue;
        widen(all, g);
        add_product(J[which], factor[which] * slope, g, gradient->g[side]);
    }
}

/* The part of a callback. Its rotations are about the axes of the world. */
static void add_slopes(const crn_force *force, const crn_layout *layout, const crn_force_place *at,
                       const double factor[2], span *all, crn_matrix6 J[2])
{
    cairn_body_state state;
    crn_matrix6 slope[2] = {{{0}}};
    const double *R = at->frame->pose[force->body].R;
    crn_layout_read_body(layout, force->body, at->q, at->v, &state);
    force->slopes(force->data, at->t, &state, slope[0], slope[1]);
    for (int i = 0; i < 12; ++i)
    {
        double g[6], *row = slope[i / 6][i % 6];
        direction(force, R, i % 6, false, g);
        crn_unrotate3(R, row + 3, row + 3);
        if (crn_dot(6, row, row) > 0)
            widen(all, g);
        add_product(J[i / 6], factor[i / 6], g, row);
    }
}

/* Keep the part of J between the directions of the force, of this the symmetric part, and of that what has no negative eigenvalue. */
static void make_definite(const span *all, crn_matrix6 J)
{
    int m = all->count;
    double packed[36], value[6], work[6], kept[6][6];
    for (int e = 0; e < m * m; ++e)
    {
        const double *a = all->q[e / m], *b = all->q[e % m];
        packed[e] = 0;
        for (int i = 0; i < 36; ++i)
            packed[e] +=
                0.5 * a[i / 6] * b[i % 6] * (J[i / 6][i % 6] + J[i % 6][i / 6]) / (all->unit[i / 6] * all->unit[i % 6]);
    }
    memset(J, 0, sizeof(crn_matrix6));
    if (m == 0 || !crn_symmetric_eigen(m, packed, value, work))
        return;
    for (int k = 0; k < m; ++k)
    {
        memset(kept[k], 0, sizeof kept[k]);
        for (int a = 0; a < m; ++a)
            for (int i = 0; i < 6; ++i)
                kept[k][i] += packed[m * k + a] * all->q[a][i] * all->unit[i];
        for (int i = 0; value[k] > 0 && i < 36; ++i)
            J[i / 6][i % 6] += value[k] * kept[k][i / 6] * kept[k][i % 6];
    }
}

bool crn_force_linearise(const crn_force *force, const crn_layout *layout, const crn_force_place *at,
                         const crn_force_state *s, double h, crn_treatment treatment, crn_matrix6 J[2])
{
    const double share = treatment == CRN_TRAPEZOIDAL ? 0.5 : 1.0, factor[2] = {share * h, share * share * h * h};
    span all = begin_span(layout, force->body);
    memset(J, 0, 2 * sizeof(crn_matrix6));
    for (int i = 0; i < 6; ++i)
        if (crn_force_expression(force, i) && force->references.count > 0)
            add_expression(force, at->frame->pose[force->body].R, i, s, factor, &all, J);
    if (force->slopes)
        add_slopes(force, layout, at, factor, &all, J);
    for (int which = 0; which < 2; ++which)
        make_definite(&all, J[which]);
    return all.count > 0;
}
