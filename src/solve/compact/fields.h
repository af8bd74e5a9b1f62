/* The fields of a group of contacts (packed.h): the one source for every width (LANES).
 *
 * With [x] the matrix of x cross, the contact's own block of H A^-1 H' is
 *
 *     W = m_a^-1 + m_b^-1 - [arm_a] J_a^-1 [arm_a] - [arm_b] J_b^-1 [arm_b] .
 *
 * On the tangent plane it is M = P W P, P = 1 - n n'. No tangents are needed: with any s > 0, (M + s n n')^-1 = M^+ + n n' / s, and the
 * two eigenvalues of M have the sum tr M and the product det(M + s n n') / s. The part of M that is not symmetric comes from the
 * gyroscopic moment taken implicitly. It is e times a quarter turn about n, and adds at most |e| to the largest eigenvalue.
 *
 * In a wall contact the moving body comes first. Where that is body b, the normal and the impulse change sign.
 */
#include "base/foresee.h"
#include "solve/compact/friction.h"

#include <assert.h>
#include <string.h>

enum
{
    FILLED_AHEAD = 3 /* groups: their contacts, which lie anywhere in the list, are asked for so far ahead */
};

/* One contact per lane. */
typedef struct fields
{
    double *at;                               /* the group */
    lanes n[3], arm_a[3], arm_b[3], mu, bias; /* as in crn_compact_contact */
    lanes p[3], drift[3];
    lanes a[8], b[8];     /* bodies */
    lanes J_a[9], J_b[9]; /* J^-1 */
    lanes m_a[9], m_b[9]; /* m^-1 of uneven contacts */
} fields;

INLINE void put(const fields *f, int field, int count, const lanes *value)
{
    for (int k = 0; k < count; ++k)
        lanes_store(f->at + (field + k) * LANES, value[k]);
}

/* 1/x, and 0 for the padding */
INLINE lanes inverse(lanes x)
{
    return lanes_choose(x, lanes_all(0.0), 1.0 / x, lanes_all(0.0));
}

/* ------------------------------------------------------------------------------------------------------- local matrices */

/* J^-1 [arm] of one side, and W += mass - [arm] J^-1 [arm]. */
INLINE void add_side(const lanes inertia[9], const lanes arm[3], lanes mass, lanes spin[9], lanes W[9])
{
    lanes column[3], turn[3];
    for (int k = 0; k < 3; ++k) /* row k of J^-1 [arm] is (row k of J^-1) x arm */
        lanes_cross(inertia + 3 * k, arm, spin + 3 * k);
    for (int k = 0; k < 3; ++k)
    {
        for (int i = 0; i < 3; ++i)
            column[i] = spin[3 * i + k];
        lanes_cross(column, arm, turn); /* -[arm] x column */
        for (int i = 0; i < 3; ++i)
            W[3 * i + k] += turn[i];
        W[4 * k] += mass;
    }
}

/* out = X^-1 by cofactors; the determinant. All 0 where X is. */
INLINE lanes invert(const lanes X[9], lanes out[9])
{
    lanes row[3][3];
    for (int i = 0; i < 3; ++i)
        lanes_cross(X + 3 * ((i + 1) % 3), X + 3 * ((i + 2) % 3), row[i]);
    lanes determinant = lanes_dot(X, row[0]), share = inverse(determinant);
    for (int i = 0; i < 9; ++i)
        out[i] = row[i % 3][i / 3] * share;
    return determinant;
}

/* K = M^+. Returns a step that is 1 / lambda_max(M), and a little less if M is not symmetric. */
INLINE lanes tangential_inverse(const lanes W[9], const lanes n[3], const lanes Wn[3], lanes W_nn, lanes K[9])
{
    lanes nW[3], M[9], s = W_nn;
    for (int k = 0; k < 3; ++k)
        nW[k] = n[0] * W[k] + n[1] * W[3 + k] + n[2] * W[6 + k];
    for (int i = 0; i < 9; ++i)
        M[i] = W[i] - Wn[i / 3] * n[i % 3] - n[i / 3] * nW[i % 3] + (W_nn + s) * n[i / 3] * n[i % 3];
    lanes product = invert(M, K) * inverse(s);
    for (int i = 0; i < 9; ++i)
        K[i] -= inverse(s) * n[i / 3] * n[i % 3];
    lanes mean = 0.5 * (M[0] + M[4] + M[8] - s);
    lanes e = 0.5 * (n[0] * (M[7] - M[5]) + n[1] * (M[2] - M[6]) + n[2] * (M[3] - M[1]));
    lanes spread = lanes_root(lanes_positive(mean * mean - (product - e * e)));
    return inverse(mean + spread + lanes_size(e));
}

/* K = W^-1. Returns 1 / |W|, the Frobenius norm, which is lambda_max at least. */
INLINE lanes whole_inverse(const lanes W[9], lanes K[9])
{
    lanes square = lanes_all(0.0);
    for (int k = 0; k < 9; ++k)
        square += W[k] * W[k];
    invert(W, K);
    return inverse(lanes_root(square));
}

/* ---------------------------------------------------------------------------------------------------------------- kinds */

/* m^-1 of both sides, and W += these. */
INLINE void fill_masses(fields *f, const crn_compact_problem *problem, const int *who, bool is_wall, lanes W[9])
{
    lanes_mass(problem, who, f->a[3], f->m_a);
    put(f, is_wall ? CRN_AT_MASS_WALL : CRN_AT_MASS_A, 9, f->m_a);
    if (!is_wall)
    {
        lanes_mass(problem, who + LANES, f->b[3], f->m_b);
        put(f, CRN_AT_MASS_B, 9, f->m_b);
    }
    for (int k = 0; k < 9; ++k)
        W[k] += is_wall ? f->m_a[k] : f->m_a[k] + f->m_b[k];
}

/* uneven: the problem whose matrices are the masses; NULL: they are numbers. */
INLINE void fill_general(fields *f, const crn_compact_problem *uneven, const int *who, bool is_wall, bool is_convex)
{
    lanes W[9], K[9], spin[9], Wn[3], coupling[3];
    for (int k = 0; k < 9; ++k)
        W[k] = lanes_all(0.0);
    if (uneven)
        fill_masses(f, uneven, who, is_wall, W);
    add_side(f->J_a, f->arm_a, uneven ? lanes_all(0.0) : f->a[3], spin, W);
    put(f, CRN_AT_ARM_A, 3, f->arm_a);
    put(f, CRN_AT_SPIN_A, 9, spin);
    if (!is_wall)
    {
        add_side(f->J_b, f->arm_b, uneven ? lanes_all(0.0) : f->b[3], spin, W);
        put(f, CRN_AT_ARM_B, 3, f->arm_b);
        put(f, CRN_AT_SPIN_B, 9, spin);
    }
    for (int k = 0; k < 3; ++k)
        Wn[k] = lanes_dot(W + 3 * k, f->n);
    lanes W_nn = lanes_dot(f->n, Wn), k_n = inverse(W_nn);
    for (int k = 0; k < 3; ++k)
        coupling[k] = Wn[k] - W_nn * f->n[k];
    lanes step = is_convex ? whole_inverse(W, K) : tangential_inverse(W, f->n, Wn, W_nn, K);
    put(f, CRN_AT_STEP, 1, &step);
    put(f, CRN_AT_KN, 1, &k_n);
    put(f, CRN_AT_COUPLING, 3, coupling);
    put(f, CRN_AT_STICK, 9, K);
}

INLINE void fill_round(fields *f, bool is_wall)
{
    lanes radius[2] = {-lanes_dot(f->arm_a, f->n), lanes_dot(f->arm_b, f->n)};
    lanes mass = f->a[3], inertia = radius[0] * radius[0] * f->a[7];
    if (!is_wall)
    {
        mass += f->b[3];
        inertia += radius[1] * radius[1] * f->b[7];
    }
    lanes k_n = inverse(mass), step = inverse(mass + inertia);
    put(f, is_wall ? CRN_AT_RADIUS : CRN_AT_RADII, is_wall ? 1 : 2, radius);
    put(f, CRN_AT_KN, 1, &k_n);
    put(f, CRN_AT_STEP, 1, &step);
}

/* -------------------------------------------------------------------------------------------------------------- rolling */

/* Bounds and moment of contacts that resist rolling; the moment has the sign of the side that is a. */
INLINE void load_rolling(const crn_compact *compact, bool from_moments, const int *source, lanes reach[2], lanes m[3])
{
    double row[5][LANES];
    for (int l = 0; l < LANES; ++l)
    {
        static const crn_compact_rolling NONE;
        int j = source[l] < 0 ? ~source[l] : source[l];
        const crn_compact_rolling *from = source[l] == CRN_COMPACT_PADDING ? &NONE : &compact->problem->rolling[j];
        row[0][l] = from->rolling;
        row[1][l] = from->spinning;
        for (int k = 0; k < 3; ++k)
            row[2 + k][l] = from_moments ? (source[l] < 0 ? -1.0 : 1.0) * from->moment[k] : 0.0;
    }
    for (int k = 0; k < 2; ++k)
        reach[k] = lanes_spread(row[k], 1);
    for (int k = 0; k < 3; ++k)
        m[k] = lanes_spread(row[2 + k], 1);
}

/* The steps of moments: 1 / W with W = 1/J_a + 1/J_b, and where friction sticks 1 / (W - kappa^2 rho) with
 * kappa = radius_a/J_a - radius_b/J_b, by which a moment makes the contact slip. */
INLINE void fill_turning_round(fields *f, bool is_wall, int turns)
{
    lanes W = f->a[7], kappa = -lanes_dot(f->arm_a, f->n) * f->a[7], mass = f->a[3];
    lanes inertia = lanes_dot(f->arm_a, f->n) * lanes_dot(f->arm_a, f->n) * f->a[7];
    if (!is_wall)
    {
        lanes radius = lanes_dot(f->arm_b, f->n);
        W += f->b[7];
        kappa -= radius * f->b[7];
        mass += f->b[3];
        inertia += radius * radius * f->b[7];
    }
    lanes step[2] = {inverse(W), inverse(W - kappa * kappa * inverse(mass + inertia))};
    put(f, turns + CRN_TURN_STEP, 2, step);
}

/* The trace is lambda_max at least. */
INLINE void fill_turning_general(fields *f, bool is_wall, int turns)
{
    lanes trace = f->J_a[0] + f->J_a[4] + f->J_a[8];
    put(f, turns + CRN_TURN_J_A, 9, f->J_a);
    if (!is_wall)
    {
        trace += f->J_b[0] + f->J_b[4] + f->J_b[8];
        put(f, turns + CRN_TURN_J_B, 9, f->J_b);
    }
    lanes step[2] = {inverse(trace), inverse(trace)};
    put(f, turns + CRN_TURN_STEP, 2, step);
}

INLINE void fill_turning(fields *f, const crn_compact *compact, bool from_moments, const int *source,
                         const int wall[LANES], crn_compact_kind kind)
{
    int turns = crn_compact_turns(kind);
    bool is_wall = crn_compact_sides(kind) == 1;
    lanes reach[2], m[3], b[8];
    load_rolling(compact, from_moments, source, reach, m);
    put(f, turns + CRN_TURN_MOMENT, 3, m);
    put(f, turns + CRN_TURN_REACH, 2, reach);
    if (is_wall)
    {
        lanes_gather(compact->body, wall, b);
        put(f, turns + CRN_TURN_SPIN, 3, b + 4);
    }
    if (crn_compact_kind_is_round(kind))
        fill_turning_round(f, is_wall, turns);
    else
        fill_turning_general(f, is_wall, turns);
}

/* --------------------------------------------------------------------------------------------------------------- groups */

/* The contacts of a group and their impulses; wall: the prescribed bodies. sign: -1 where a and b change places. */
INLINE lanes load_contacts(fields *f, const crn_compact *compact, const double (*impulse)[3], const int *source,
                           int wall[LANES])
{
    static const crn_compact_contact NOTHING;
    static const double NOWHERE[3]; /* arms need no centre, and padding no impulse */
    const crn_compact_problem *problem = compact->problem;
    const double *row[LANES], *centre[2][LANES], *p[LANES];
    double bias[LANES];
    unsigned exchanged = 0;
    for (int l = 0; l < LANES; ++l)
    {
        int j = source[l] < 0 ? ~source[l] : source[l];
        bool is_padding = source[l] == CRN_COMPACT_PADDING;
        crn_compact_pair body = is_padding ? (crn_compact_pair){0, 0} : crn_compact_bodies(problem, j);
        row[l] = is_padding ? NOTHING.normal : crn_compact_row(problem, j);
        bias[l] = is_padding ? 0.0 : problem->contact ? problem->contact[j].bias : problem->list.bias[j];
        centre[0][l] = is_padding || problem->contact ? NOWHERE : problem->list.centre[body.a];
        centre[1][l] = is_padding || problem->contact ? NOWHERE : problem->list.centre[body.b];
        exchanged |= (source[l] < 0 ? 1u : 0u) << l;
        wall[l] = source[l] < 0 ? body.a : body.b;
        p[l] = is_padding || !impulse ? NOWHERE : impulse[j];
    }
    lanes_rows(row, CRN_COMPACT_WORDS, f->n);
    lanes_arms(centre[0], f->arm_a);
    lanes_arms(centre[1], f->arm_b);
    lanes_points(p, f->p);
    f->bias = lanes_spread(bias, 1);
    return 1.0 - 2.0 * lanes_flags(exchanged);
}

/* The drift of a group's contacts, on the side of their moving bodies. */
INLINE void load_drift(fields *f, const crn_compact *compact, const int *source, lanes sign)
{
    double drift[3][LANES];
    for (int l = 0; l < LANES; ++l)
        for (int k = 0; k < 3; ++k)
            drift[k][l] = !compact->problem->drift || source[l] == CRN_COMPACT_PADDING
                              ? 0.0
                              : compact->problem->drift[source[l] < 0 ? ~source[l] : source[l]][k];
    for (int k = 0; k < 3; ++k)
        f->drift[k] = sign * lanes_spread(drift[k], 1);
}

/* The moving side becomes a. */
INLINE void exchange(fields *f, lanes sign)
{
    lanes zero = lanes_all(0.0);
    for (int k = 0; k < 3; ++k)
    {
        lanes other = lanes_choose(sign, zero, f->arm_b[k], f->arm_a[k]);
        f->arm_a[k] = lanes_choose(sign, zero, f->arm_a[k], f->arm_b[k]);
        f->arm_b[k] = other;
        f->n[k] *= sign;
        f->p[k] *= sign;
    }
}

/* What the prescribed side does, and drift, are part of the bias. */
INLINE void put_wall_bias(fields *f, const crn_compact_body *body, const int wall[LANES], bool drifts)
{
    lanes turn[3], bias[3], b[8];
    lanes_gather(body, wall, b);
    lanes_cross(b + 4, f->arm_b, turn);
    for (int k = 0; k < 3; ++k)
        bias[k] = f->bias * f->n[k] - (b[k] + turn[k]);
    for (int k = 0; k < 3 && drifts; ++k)
        bias[k] += f->drift[k];
    put(f, CRN_AT_BIAS, 3, bias);
}

/* Before a and b may change places: with the other normal, tangents would be others. The polygon is its own mirror image about the first
 * tangent and about the middle, so that it is the same for the exchanged impulse. */
INLINE void put_tangent(const fields *f, int field)
{
    lanes t[2][3];
    lanes_tangents(f->n, t);
    put(f, field, 3, t[0]);
}

INLINE void fill_group(const crn_compact *compact, const double (*impulse)[3], const crn_compact_segment *s, size_t g,
                       crn_compact_kind kind)
{
    fields here, *f = &here;
    bool is_wall = crn_compact_sides(kind) == 1, is_round = crn_compact_kind_is_round(kind);
    bool drifts = crn_compact_drifts(kind) || (is_wall && compact->problem->drift);
    const int *who = s->who + g * (size_t)(crn_compact_sides(kind) * LANES);
    int wall[LANES];
    f->at = s->data + g * (size_t)(s->fields * LANES);
    lanes sign = load_contacts(f, compact, impulse, s->source + g * LANES, wall);
    if (s->figure == CRN_FIGURE_POLYGON)
        put_tangent(f, CRN_COMPACT_FIELDS[kind]);
    lanes_gather(compact->body, who, f->a);
    if (is_wall)
        exchange(f, sign);
    else
        lanes_gather(compact->body, who + LANES, f->b);
    if (drifts)
        load_drift(f, compact, s->source + g * LANES, sign);
    if (is_wall)
        put_wall_bias(f, compact->body, wall, drifts);
    else
        put(f, CRN_AT_BIAS, 1, &f->bias);
    if (crn_compact_drifts(kind))
        put(f, CRN_AT_DRIFT, 3, f->drift);
    lanes r_n = lanes_dot(f->p, f->n), r_t[3];
    for (int k = 0; k < 3; ++k)
        r_t[k] = f->p[k] - r_n * f->n[k];
    lanes mu = compact->problem->law == CAIRN_LAW_FRICTIONLESS ? lanes_all(0.0) : f->mu;
    put(f, CRN_AT_NORMAL, 3, f->n);
    put(f, CRN_AT_IMPULSE, 1, &r_n);
    put(f, CRN_AT_IMPULSE + 1, 3, r_t);
    put(f, CRN_AT_MU, 1, &mu);
    if (is_round)
        fill_round(f, is_wall);
    else
    {
        lanes_inertia(compact->problem, who, f->a[7], f->J_a);
        if (!is_wall)
            lanes_inertia(compact->problem, who + LANES, f->b[7], f->J_b);
        fill_general(f, crn_compact_kind_is_uneven(kind) ? compact->problem : NULL, who, is_wall,
                     s->figure == CRN_FIGURE_CONE);
    }
    if (crn_compact_turns(kind) > 0)
        fill_turning(f, compact, impulse, s->source + g * LANES, wall, kind);
}

/* Ask for the contacts of a group. */
INLINE void foresee_group(const crn_compact_problem *problem, const double (*impulse)[3], const int *source)
{
    for (int l = 0; l < LANES; ++l)
    {
        int j = source[l] == CRN_COMPACT_PADDING ? 0 : source[l] < 0 ? ~source[l] : source[l];
        const double *row = crn_compact_row(problem, j);
        crn_foresee(row, 0);
        crn_foresee(row, CRN_LINE);
        crn_foresee(impulse ? impulse[j] : row, 0);
    }
}

static void fill_segment(const crn_compact *compact, const double (*impulse)[3], const crn_compact_segment *s)
{
#define FILL(KIND)                                                                                                     \
    case KIND:                                                                                                         \
        fill_group(compact, impulse, s, g, KIND);                                                                      \
        break;
    assert(s->lanes == LANES && s->kind < CRN_COMPACT_KINDS);
    bool is_far = compact->problem->contact_count >= CRN_FAR;
    for (size_t g = 0; g < (size_t)s->group_count; ++g)
    {
        if (is_far && g + FILLED_AHEAD < (size_t)s->group_count)
            foresee_group(compact->problem, impulse, s->source + (g + FILLED_AHEAD) * LANES);
        switch (s->kind)
        {
            CRN_EACH_COMPACT_KIND(FILL)
        default:
            break;
        }
    }
#undef FILL
}
