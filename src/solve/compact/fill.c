/* The fields of every contact (packed.h). With [x] the matrix of x cross, the contact's own block of H A^-1 H' is
 *
 *     W = (1/m_a + 1/m_b) 1 - [arm_a] J_a^-1 [arm_a] - [arm_b] J_b^-1 [arm_b] .
 *
 * Where body a is prescribed, a and b change places: the normal and the impulse change sign with them.
 */
#include "solve/compact/packed.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

/* A contact with its moving side first. */
typedef struct side
{
    int body;
    double arm[3], inverse_mass;
    double spin[9]; /* J^-1 [arm] */
} side;

typedef struct filling
{
    const crn_compact_problem *problem;
    side side[2];
    int sides; /* that move */
    double n[3], p[3], bias[3], mu;
    double *at; /* the first field of its lane */
    int lanes;
} filling;

static void put(const filling *f, int field, int count, const double *value)
{
    for (int k = 0; k < count; ++k)
        f->at[(field + k) * f->lanes] = value[k];
}

static void put1(const filling *f, int field, double value)
{
    f->at[field * f->lanes] = value;
}

/* ------------------------------------------------------------------------------------------------------- local matrices */

/* out = A [x]: column by column, A (x cross e) = -(A (e cross x)) */
static void times_cross(const double A[9], const double x[3], double out[9])
{
    double X[9] = {0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0};
    crn_multiply33(A, X, out);
}

/* W += 1/m - [arm] J^-1 [arm] */
static void add_side(double W[9], const side *s)
{
    double X[9] = {0, -s->arm[2], s->arm[1], s->arm[2], 0, -s->arm[0], -s->arm[1], s->arm[0], 0}, product[9];
    crn_multiply33(X, s->spin, product);
    for (int k = 0; k < 9; ++k)
        W[k] += (k % 4 == 0 ? s->inverse_mass : 0.0) - product[k];
}

/* K, the inverse of W on the tangent plane. Returns a step that is no larger than 1 / lambda_max(W_tt); what is not symmetric comes
 * from the gyroscopic moment and is small. */
static double tangential_inverse(const double W[9], const double n[3], double K[9])
{
    double t[2][3], Wt[3], M[2][2];
    crn_tangents(n, t[0], t[1]);
    for (int i = 0; i < 2; ++i)
    {
        crn_rotate3(W, t[i], Wt);
        M[0][i] = crn_dot3(t[0], Wt);
        M[1][i] = crn_dot3(t[1], Wt);
    }
    double determinant = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    assert(determinant > 0.0);
    double I[2][2] = {{M[1][1] / determinant, -M[0][1] / determinant}, {-M[1][0] / determinant, M[0][0] / determinant}};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            K[3 * i + k] =
                t[0][i] * (I[0][0] * t[0][k] + I[0][1] * t[1][k]) + t[1][i] * (I[1][0] * t[0][k] + I[1][1] * t[1][k]);
    double half = 0.5 * (M[0][0] - M[1][1]), off = 0.5 * (M[0][1] + M[1][0]), skew = 0.5 * fabs(M[0][1] - M[1][0]);
    return 1.0 / (0.5 * (M[0][0] + M[1][1]) + sqrt(half * half + off * off) + skew);
}

/* K = W^-1 by cofactors. Returns 1 / |W|, the Frobenius norm, which is lambda_max at least. */
static double whole_inverse(const double W[9], double K[9])
{
    double square = 0.0, row[3][3];
    for (int k = 0; k < 9; ++k)
        square += W[k] * W[k];
    for (int i = 0; i < 3; ++i)
        crn_cross3(W + 3 * ((i + 1) % 3), W + 3 * ((i + 2) % 3), row[i]);
    double determinant = crn_dot3(W, row[0]);
    assert(determinant > 0.0);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            K[3 * k + i] = row[i][k] / determinant;
    return 1.0 / sqrt(square);
}

/* ------------------------------------------------------------------------------------------------------------- contacts */

static void fill_general(filling *f)
{
    double W[9] = {0}, J[9], K[9], Wn[3], coupling[3];
    for (int k = 0; k < f->sides; ++k)
    {
        crn_compact_inertia(f->problem, f->side[k].body, J);
        times_cross(J, f->side[k].arm, f->side[k].spin);
        add_side(W, &f->side[k]);
        put(f, k == 0 ? CRN_AT_ARM_A : CRN_AT_ARM_B, 3, f->side[k].arm);
        put(f, k == 0 ? CRN_AT_SPIN_A : CRN_AT_SPIN_B, 9, f->side[k].spin);
    }
    crn_rotate3(W, f->n, Wn);
    double W_nn = crn_dot3(f->n, Wn);
    assert(W_nn > 0.0);
    crn_madd3(Wn, -W_nn, f->n, coupling);
    bool is_convex = f->problem->law == CAIRN_LAW_CONVEX_CONE;
    put1(f, CRN_AT_STEP, is_convex ? whole_inverse(W, K) : tangential_inverse(W, f->n, K));
    put1(f, CRN_AT_KN, 1.0 / W_nn);
    put(f, CRN_AT_COUPLING, 3, coupling);
    put(f, CRN_AT_STICK, 9, K);
}

static void fill_round(filling *f)
{
    double mass = 0.0, inertia = 0.0;
    for (int k = 0; k < f->sides; ++k)
    {
        double radius = crn_dot3(f->side[k].arm, f->n) * (k == 0 ? -1.0 : 1.0);
        put1(f, f->sides == 1 ? CRN_AT_RADIUS : CRN_AT_RADII + k, radius);
        mass += f->side[k].inverse_mass;
        inertia += radius * radius * f->problem->body[f->side[k].body].inverse_inertia;
    }
    put1(f, CRN_AT_KN, 1.0 / mass);
    put1(f, CRN_AT_STEP, 1.0 / (mass + inertia));
}

static side side_of(const crn_compact_problem *problem, int body, const double arm[3])
{
    side s = {.body = body, .inverse_mass = problem->body[body].inverse_mass};
    memcpy(s.arm, arm, sizeof s.arm);
    return s;
}

/* Order the sides, and move what a prescribed side does to the bias. */
static filling open_contact(const crn_compact_problem *problem, const crn_compact_contact *c, const double p[3])
{
    bool exchange = crn_compact_is_prescribed(problem, c->a);
    filling f = {.problem = problem, .mu = problem->law == CAIRN_LAW_FRICTIONLESS ? 0.0 : c->mu};
    f.side[exchange] = side_of(problem, c->a, c->arm_a);
    f.side[!exchange] = side_of(problem, c->b, c->arm_b);
    f.sides = f.side[1].inverse_mass > 0.0 ? 2 : 1;
    crn_scale3(exchange ? -1.0 : 1.0, c->normal, f.n);
    crn_scale3(exchange ? -1.0 : 1.0, p, f.p);
    f.bias[0] = c->bias;
    if (f.sides == 1)
    {
        const crn_compact_body *wall = &problem->body[f.side[1].body];
        double turn[3];
        crn_cross3(wall->w, f.side[1].arm, turn);
        for (int k = 0; k < 3; ++k)
            f.bias[k] = c->bias * f.n[k] - (wall->v[k] + turn[k]);
    }
    return f;
}

static void fill_contact(const crn_compact_segment *s, int slot, filling *f)
{
    int group = slot / s->lanes, lane = slot % s->lanes;
    assert(slot >= 0 && group < s->group_count);
    assert(f->sides == crn_compact_sides(s->kind));
    f->lanes = s->lanes;
    f->at = s->data + (size_t)group * (size_t)(CRN_COMPACT_FIELDS[s->kind] * s->lanes) + lane;
    for (int k = 0; k < f->sides; ++k)
        s->who[(group * f->sides + k) * s->lanes + lane] = f->side[k].body;
    double r_n = crn_dot3(f->p, f->n), r_t[3];
    crn_madd3(f->p, -r_n, f->n, r_t);
    put(f, CRN_AT_NORMAL, 3, f->n);
    put1(f, CRN_AT_IMPULSE, r_n);
    put(f, CRN_AT_IMPULSE + 1, 3, r_t);
    put1(f, CRN_AT_MU, f->mu);
    put(f, CRN_AT_BIAS, f->sides == 1 ? 3 : 1, f->bias);
    if (crn_compact_kind_is_round(s->kind))
        fill_round(f);
    else
        fill_general(f);
}

/* The last group does nothing where no contact fills it: all numbers are 0, and its bodies are nobody else's in its colour. */
static void pad(const crn_compact_segment *s, int padding_body)
{
    int sides = crn_compact_sides(s->kind), last = s->group_count - 1;
    size_t size = (size_t)(CRN_COMPACT_FIELDS[s->kind] * s->lanes);
    memset(s->data + (size_t)last * size, 0, size * sizeof(double));
    for (int k = 0; k < sides * s->lanes; ++k)
        s->who[last * sides * s->lanes + k] = padding_body + (int)s->kind * 2 * CRN_COMPACT_LANES + k;
    for (int k = 0; k < s->lanes; ++k)
        s->source[last * s->lanes + k] = CRN_COMPACT_PADDING;
}

void crn_compact_fill(crn_compact *compact, const double (*impulse)[3])
{
    static const double NONE[3] = {0};
    const crn_compact_problem *problem = compact->problem;
    int filled[(CRN_COMPACT_COLOURS + 1) * CRN_COMPACT_KINDS] = {0};
    for (int k = 0; k < compact->segment_count; ++k)
        pad(&compact->segment[k], problem->body_count);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (compact->kind[j] == CRN_COMPACT_KINDS)
            continue;
        int k = compact->segment_at[compact->colour[j]][compact->kind[j]];
        int slot = filled[k]++;
        filling f = open_contact(problem, &problem->contact[j], impulse ? impulse[j] : NONE);
        fill_contact(&compact->segment[k], slot, &f);
        compact->segment[k].source[slot] = crn_compact_is_prescribed(problem, problem->contact[j].a) ? ~j : j;
    }
}
