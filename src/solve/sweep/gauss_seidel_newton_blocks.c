/* The blocks of a Newton step with a thin W. With the proximal weight a, w = a / (1 + a) and J = I + e_0 g':
 *
 * A contact that sticks has D = I, so E = w J, K = rho / a and E^-1 F = J^-1 F / w: the proximal term is divided by, and must not vanish.
 *
 * A contact in space that slips along t has D = p p' + c q q' with the unit vectors p = p_0 (1, mu t) along the cone and q = (0, t') across
 * the slip, 0 <= c < 1. Then
 *
 *     E = B + w p_0 p g',       B = I - (1 - w) (p p' + c q q'),       B^-1 = I + (1/w - 1) p p' + (1/e - 1) q q',   e = 1 - (1 - w) c,
 *     E^-1 x = B^-1 x - (p_0 / m) (g'B^-1 x) p,                        m = 1 + p_0 g'p >= 1 / (1 + mu^2),
 *     K = rho' [ p (p + p_0 g)' / (w m) + (q - (p_0 g'q / m) p) q' c / e ],
 *
 * two products instead of three, and without the cancellation of an elimination of E.
 *
 * Bounded rows and contacts in the plane are eliminated.
 */
#include "solve/sweep/gauss_seidel_newton_blocks.h"

#include "linalg/lu.h"
#include "solve/sweep/gauss_seidel_newton_fours.h"

#include <assert.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------------ any item */

/* Item i, which sticks. */
static void find_stuck(const crn_gs_newton *newton, int i, int dim, const double *J, crn_newton_block *block)
{
    double weight = newton->weight / (1.0 + newton->weight), K = newton->rho[i] / newton->weight;
    const double *F = newton->F + i * dim;
    block->is_plain = true;
    for (int k = 0; k < dim; ++k)
    {
        block->b[k][k] = K;
        block->step[k] = F[k] / weight;
    }
    for (int k = 1; k < dim; ++k)
        block->step[0] -= J[k] * block->step[k];
}

/* False: E is singular. */
static bool find_block(const crn_gs_newton *newton, int i, crn_newton_block *block)
{
    int order[3], dim = newton->dim;
    double D[9], DJ[9], E[9], weight = newton->weight / (1.0 + newton->weight);
    double rho = newton->rho[i] / (1.0 + newton->weight);
    const double *F = newton->F + i * dim;
    *block = (crn_newton_block){.rank = dim, .a = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    crn_gs_newton_derivative(newton, i, D, DJ);
    if (D[0] == 1.0 && D[dim * dim - 1] == 1.0)
    {
        find_stuck(newton, i, dim, DJ, block);
        return true;
    }
    for (int k = 0; k < dim * dim; ++k)
        E[k] = (k % (dim + 1) ? 0.0 : 1.0) - D[k] + weight * DJ[k];
    if (!crn_lu_factorise(dim, E, dim, order, 0.0))
        return false;
    double x[3][4] = {{0.0}};
    for (int k = 0; k < dim; ++k)
    {
        x[k][0] = F[order[k]];
        for (int l = 0; l < dim; ++l)
            x[k][1 + l] = rho * DJ[order[k] * dim + l];
    }
    crn_lu_solve(dim, E, dim, x[0], 4, 1 + dim);
    for (int k = 0; k < dim; ++k)
    {
        block->step[k] = x[k][0];
        memcpy(block->b[k], x[k] + 1, (size_t)dim * sizeof(double));
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------- four contacts in space */

/* What four contacts have whether they stick or slip. */
typedef struct four_state
{
    lanes mu, rho, F[4], g[2]; /* g without its first entry, which is 0 */
    double a, w;
} four_state;

/* Where they stick: E^-1 F, and K. */
INLINE lanes stick(const four_state *s, lanes step[3])
{
    UNROLL
    for (int k = 0; k < 3; ++k)
        step[k] = s->F[k] * (1.0 / s->w);
    step[0] -= s->g[0] * step[1] + s->g[1] * step[2];
    return s->rho * (1.0 / s->a);
}

/* Where they slip; moved: the point that is projected, `size` the length of its part along the surface. */
INLINE void slip(const four_state *s, const lanes moved[3], lanes size, lanes step[3], lanes a[2][3], lanes b[2][3])
{
    const lanes one = {1.0, 1.0, 1.0, 1.0}, zero = {0.0};
    lanes share = one / (one + s->mu * s->mu), p_0 = lanes_root(share), inverse = one / size;
    lanes t[2] = {moved[1] * inverse, moved[2] * inverse};
    lanes p[3] = {p_0, p_0 * s->mu * t[0], p_0 * s->mu * t[1]}, q[3] = {zero, -t[1], t[0]};
    lanes c = s->mu * (share * (moved[0] + s->mu * size)) * inverse, e = one - c + s->w * c;
    lanes gq = s->g[1] * t[0] - s->g[0] * t[1];
    lanes tilt = p_0 / (one + p_0 * (s->g[0] * p[1] + s->g[1] * p[2])), over_e = one / e; /* p_0 / m */
    lanes along = lanes_dot(s->F, p), across = lanes_dot(s->F, q);
    lanes rho = s->rho * (1.0 / (1.0 + s->a)), first = rho * (1.0 / s->w) * tilt, second = rho * c * over_e,
          back = gq * tilt;
    lanes raise_p = along * (1.0 / s->w) - along, raise_q = across * over_e - across;
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        step[k] = s->F[k] + p[k] * raise_p + q[k] * raise_q;
        a[0][k] = first * (k == 0 ? one : k == 1 ? s->mu * t[0] : s->mu * t[1]);
        b[0][k] = k == 0 ? p[k] : p[k] + p_0 * s->g[k - 1];
        a[1][k] = q[k] - back * p[k];
        b[1][k] = second * q[k];
    }
    lanes turned = tilt * (s->g[0] * step[1] + s->g[1] * step[2]);
    UNROLL
    for (int k = 0; k < 3; ++k)
        step[k] -= turned * p[k];
}

/* x of four contacts, four numbers of their blocks from `to` on. */
INLINE void store(const newton_four *four, const lanes x[3], double *to)
{
    lanes row[LANES] = {x[0], x[1], x[2], {0.0}};
    lanes_transpose(row);
    UNROLL
    for (int l = 0; l < LANES; ++l)
        *(loose_lanes *)((char *)to + (size_t)four->item[l] * sizeof(crn_newton_block)) = row[l];
}

/* g = mu u_t / |u_t| of the exact law, 0 without slip. */
INLINE void find_turn(const crn_gs_newton *newton, const newton_four *four, four_state *s)
{
    const lanes zero = {0.0};
    lanes u[4];
    s->g[0] = s->g[1] = zero;
    if (newton->law != CRN_LOCAL_COULOMB)
        return;
    four_vectors(four, newton->slip, u);
    lanes speed = four_slip(u), slope = s->mu / speed;
    UNROLL
    for (int k = 0; k < 2; ++k)
        s->g[k] = (lanes)((speed > zero) & (lane_bits)(slope * u[1 + k]));
}

INLINE void find_four(const crn_gs_newton *newton, const newton_four *four)
{
    crn_newton_block *blocks = newton->blocks;
    lanes moved[4], stuck[3], step[3], a[2][3], b[2][3];
    four_state s = {.a = newton->weight, .w = newton->weight / (1.0 + newton->weight)};
    s.mu = four_friction(newton, four);
    s.rho = four_numbers(four, newton->rho);
    four_vectors(four, newton->F, s.F);
    four_vectors(four, newton->moved, moved);
    find_turn(newton, four, &s);
    lanes size = four_slip(moved), K = stick(&s, stuck);
    lane_bits sticks = size <= s.mu * moved[0];
    slip(&s, moved, size, step, a, b);
    UNROLL
    for (int k = 0; k < 3; ++k)
        step[k] = lanes_choose(sticks, stuck[k], step[k]);
    store(four, step, blocks->step);
    UNROLL
    for (int k = 0; k < 2; ++k)
    {
        store(four, a[k], blocks->a[k]);
        store(four, b[k], blocks->b[k]);
    }
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        crn_newton_block *block = &blocks[four->item[l]];
        block->is_plain = sticks[l] != 0;
        block->rank = block->is_plain ? 3 : 2;
        if (!block->is_plain)
            continue;
        memset(block->a, 0, sizeof block->a);
        for (int k = 0; k < 3; ++k)
        {
            block->a[k][k] = 1.0;
            block->b[k][k] = K[l];
        }
    }
}

INLINE void find_fours(const crn_gs_newton *newton)
{
    for (int i = 0; i < newton->contacts; i += LANES)
    {
        newton_four four = four_from(newton, i);
        find_four(newton, &four);
    }
}

static void plain_fours(const crn_gs_newton *newton)
{
    find_fours(newton);
}

WIDE static void wide_fours(const crn_gs_newton *newton)
{
    find_fours(newton);
}

/* ----------------------------------------------------------------------------------------------------------- all items */

bool crn_gs_newton_find_blocks(crn_gs_newton *newton)
{
    assert(newton->weight > 0.0);
    bool spatial = newton->dim == 3 && !newton->problem->bound, regular = true;
    if (spatial && HAS_WIDE)
        wide_fours(newton);
    else if (spatial)
        plain_fours(newton);
    for (int i = 0; i < newton->contacts && regular; ++i)
        if (!newton->active[i])
            memcpy(newton->blocks[i].step, newton->F + i * newton->dim, (size_t)newton->dim * sizeof(double));
        else if (!spatial)
            regular = find_block(newton, i, &newton->blocks[i]);
    return regular;
}
