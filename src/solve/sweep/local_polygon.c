/* The cases, with d_k the corners of F and e_k = d_k+1 - d_k its edges:
 *
 *     take-off     r = 0                                    where q_n >= 0
 *     stick        u = 0, r = -W^-1 q                       where r_n >= 0 and r_t lies in mu r_n F
 *     at corner k  r_t = mu r_n d_k,            u_n = 0     where e_k' u_t >= 0 >= e_k-1' u_t
 *     on edge k    r_t = mu r_n d_k + s e_k,    u_n = 0, e_k' u_t = 0
 *                                                           where 0 <= s <= mu r_n and u_t does not point out of F across the edge
 *
 * Each is linear. The corner that lies farthest along the friction of the guess and its two edges are tried first, then all others. Where none fits, as
 * rounding may have it, that with the least natural map is the answer. */
#include "solve/sweep/local_polygon.h"

#include "math/polygon.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* One contact's problem, and the best candidate so far. */
typedef struct search
{
    const crn_polygon *F;
    double mu;
    const double *W, *q;
    double rho, error; /* of the natural map, and its value at r */
    double *r;
} search;

void crn_local_polygon_of(cairn_law law, crn_polygon *out)
{
    static const double SQUARE[4][2] = {{1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}};
    assert(law.kind == CAIRN_LAW_PYRAMID || law.kind == CAIRN_LAW_BOX);
    out->corners = law.kind == CAIRN_LAW_BOX ? 4 : law.directions;
    for (int k = 0; k < out->corners && law.kind == CAIRN_LAW_PYRAMID; ++k)
        crn_polygon_vertex(out->corners, k, out->corner[k]);
    if (law.kind == CAIRN_LAW_BOX)
        memcpy(out->corner, SQUARE, sizeof SQUARE);
}

static int after(const crn_polygon *F, int k)
{
    return k + 1 < F->corners ? k + 1 : 0;
}

static void edge_of(const crn_polygon *F, int k, double e[2])
{
    const double *d = F->corner[k], *next = F->corner[after(F, k)];
    e[0] = next[0] - d[0];
    e[1] = next[1] - d[1];
}

/* ----------------------------------------------------------------------------------------------------------- project */

/* The point of `size` F nearest to x. */
static void project(const crn_polygon *F, double size, const double x[2], double out[2])
{
    double nearest = INFINITY;
    bool inside = true;
    for (int k = 0; k < F->corners; ++k)
    {
        double e[2], off[2] = {x[0] - size * F->corner[k][0], x[1] - size * F->corner[k][1]};
        edge_of(F, k, e);
        if (e[1] * off[0] - e[0] * off[1] <= 0.0)
            continue;
        inside = false;
        double along = (e[0] * off[0] + e[1] * off[1]) / (e[0] * e[0] + e[1] * e[1]);
        double s = fmin(fmax(along, 0.0), size);
        double gap = hypot(off[0] - s * e[0], off[1] - s * e[1]);
        if (gap < nearest)
        {
            nearest = gap;
            out[0] = size * F->corner[k][0] + s * e[0];
            out[1] = size * F->corner[k][1] + s * e[1];
        }
    }
    if (inside)
        memcpy(out, x, 2 * sizeof *out);
}

void crn_local_polygon_project(const crn_polygon *F, double mu, const double x[3], double out[3])
{
    assert(mu >= 0.0);
    out[0] = fmax(x[0], 0.0);
    project(F, mu * out[0], x + 1, out + 1);
}

double crn_local_polygon_error(const crn_polygon *F, double mu, double rho, const double u[3], const double r[3])
{
    assert(rho > 0.0);
    const double moved[2] = {r[1] - rho * u[1], r[2] - rho * u[2]};
    double nearest[2] = {NAN, NAN};
    project(F, mu * fmax(r[0], 0.0), moved, nearest);
    double off[3] = {fmin(r[0], rho * u[0]), r[1] - nearest[0], r[2] - nearest[1]};
    return crn_norm3(off) / rho;
}

/* ------------------------------------------------------------------------------------------------------------- cases */

static void velocity(const search *s, const double r[3], double u[3])
{
    for (int i = 0; i < 3; ++i)
        u[i] = s->q[i] + crn_dot3(s->W + 3 * i, r);
}

/* Keep a candidate that is better than those before. */
static void offer(search *s, const double r[3])
{
    double u[3];
    velocity(s, r, u);
    double error = crn_local_polygon_error(s->F, s->mu, s->rho, u, r);
    if (error < s->error)
    {
        s->error = error;
        memcpy(s->r, r, 3 * sizeof *r);
    }
}

/* Offer one that nothing is better than where it is `right`. */
static bool decide(search *s, bool right, const double r[3])
{
    if (right)
        memcpy(s->r, r, 3 * sizeof *r);
    else if (isfinite(r[0] + r[1] + r[2]) && r[0] >= 0.0)
        offer(s, r);
    return right;
}

/* r = -W^-1 q by Cramer's rule. */
static bool sticks(search *s)
{
    const double *W = s->W, *q = s->q;
    double a[3] = {W[0], W[3], W[6]}, b[3] = {W[1], W[4], W[7]}, c[3] = {W[2], W[5], W[8]}, bc[3], ca[3], ab[3];
    crn_cross3(b, c, bc);
    crn_cross3(c, a, ca);
    crn_cross3(a, b, ab);
    double determinant = crn_dot3(a, bc);
    const double r[3] = {-crn_dot3(q, bc) / determinant, -crn_dot3(q, ca) / determinant,
                         -crn_dot3(q, ab) / determinant};
    bool right = r[0] >= 0.0;
    for (int k = 0; k < s->F->corners && right; ++k)
    {
        double e[2], size = s->mu * r[0];
        edge_of(s->F, k, e);
        right = e[1] * (r[1] - size * s->F->corner[k][0]) - e[0] * (r[2] - size * s->F->corner[k][1]) <= 0.0;
    }
    return decide(s, right, r);
}

static bool slips_at_corner(search *s, int k)
{
    const double *W = s->W, *d = s->F->corner[k];
    double r_n = -s->q[0] / (W[0] + s->mu * (W[1] * d[0] + W[2] * d[1])), u[3], e[2], before[2];
    const double r[3] = {r_n, s->mu * r_n * d[0], s->mu * r_n * d[1]};
    velocity(s, r, u);
    edge_of(s->F, k, e);
    edge_of(s->F, k > 0 ? k - 1 : s->F->corners - 1, before);
    bool right = r_n >= 0.0 && e[0] * u[1] + e[1] * u[2] >= 0.0 && before[0] * u[1] + before[1] * u[2] <= 0.0;
    return decide(s, right, r);
}

static bool slips_on_edge(search *s, int k)
{
    const double *W = s->W, *q = s->q, *d = s->F->corner[k];
    double e[2], u[3], mu = s->mu;
    edge_of(s->F, k, e);
    /* u_n = 0 and e' u_t = 0 for r_n and s */
    double a = W[0] + mu * (W[1] * d[0] + W[2] * d[1]), b = W[1] * e[0] + W[2] * e[1];
    double c = e[0] * (W[3] + mu * (W[4] * d[0] + W[5] * d[1])) + e[1] * (W[6] + mu * (W[7] * d[0] + W[8] * d[1]));
    double f = e[0] * (W[4] * e[0] + W[5] * e[1]) + e[1] * (W[7] * e[0] + W[8] * e[1]);
    double g = e[0] * q[1] + e[1] * q[2], determinant = a * f - b * c;
    double r_n = (b * g - f * q[0]) / determinant, along = (c * q[0] - a * g) / determinant;
    const double r[3] = {r_n, mu * r_n * d[0] + along * e[0], mu * r_n * d[1] + along * e[1]};
    velocity(s, r, u);
    bool right = r_n >= 0.0 && along >= 0.0 && along <= mu * r_n && e[1] * u[1] - e[0] * u[2] <= 0.0;
    return decide(s, right, r);
}

/* The corner farthest along the friction of the guess. */
static int nearest_corner(const crn_polygon *F, const double r[3])
{
    int best = 0;
    for (int k = 1; k < F->corners; ++k)
        if (crn_dot(2, F->corner[k], r + 1) > crn_dot(2, F->corner[best], r + 1))
            best = k;
    return best;
}

static bool slips(search *s, int first)
{
    int count = s->F->corners;
    for (int i = 0; i < count; ++i)
    {
        int k = (first + (i % 2 ? count - (i + 1) / 2 : i / 2)) % count; /* to both sides of the first in turn */
        if (slips_at_corner(s, k) || slips_on_edge(s, k))
            return true;
    }
    return false;
}

void crn_local_polygon_solve(const crn_polygon *F, double mu, const double W[9], const double q[3], double r[3])
{
    assert(F->corners >= 4 && mu >= 0.0);
    search s = {F, mu, W, q, 3.0 / (W[0] + W[4] + W[8]), INFINITY, r};
    int first = nearest_corner(F, r);
    memset(r, 0, 3 * sizeof *r);
    if (q[0] >= 0.0)
        return;
    if (mu == 0.0)
        r[0] = -q[0] / W[0];
    else if (!sticks(&s))
        (void)slips(&s, first);
}
