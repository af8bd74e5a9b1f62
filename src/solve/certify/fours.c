#include "solve/certify/fours.h"

#include "math/lanes.h"
#include "math/lanes_cone.h"
#include "solve/auto/laws.h"

#include <float.h>

enum
{
    UNKNOWNS = 6, /* of a body */
    LEAD = 3      /* of them, that A couples with nothing */
};

/* As in natural_map.c. */
static const double SHARE_OF_ROUNDING = 1e-3 * DBL_EPSILON;

/* Which contacts the lanes hold; lanes past the last contact repeat it. */
typedef struct four
{
    int item[LANES];
} four;

bool crn_fours_apply(const cairn_problem *problem)
{
    return problem->dim == 3 && !problem->bound && crn_law_of(problem)->is_conical && !crn_law_uses_polygon(problem);
}

static four four_from(const cairn_problem *problem, int first)
{
    four of;
    for (int l = 0; l < LANES; ++l)
        of.item[l] = first + l < problem->contact_count ? first + l : problem->contact_count - 1;
    return of;
}

/* ---------------------------------------------------------------------------------------------------------------- masses */

/* Whether each of the contacts touches one body whose block of A has the usual form. */
static bool touch_bodies(const crn_certifier *work, const cairn_problem *problem, const four *of)
{
    const cairn_block_rows *H = &problem->H;
    bool are = true;
    for (int l = 0; l < LANES && are; ++l)
    {
        int e = H->entry_start[of->item[l]], block = H->block[e];
        are = H->entry_start[of->item[l] + 1] == e + 1 &&
              problem->block_start[block + 1] - problem->block_start[block] == UNKNOWNS && work->D.lead[block] == LEAD;
    }
    return are;
}

/* Three rows over the trace of H A^-1 H'. */
INLINE void masses(const crn_certifier *work, const cairn_problem *problem, const four *of, lanes *out)
{
    const cairn_block_rows *H = &problem->H;
    const double *B[LANES], *X[LANES];
    lanes turn[3][LANES], trace = {0.0};
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        int e = H->entry_start[of->item[l]];
        B[l] = H->value + H->value_start[e];
        X[l] = work->D.value + work->D.start[H->block[e]];
    }
    lanes lead[LEAD] = {{X[0][0], X[1][0], X[2][0], X[3][0]},
                        {X[0][7], X[1][7], X[2][7], X[3][7]},
                        {X[0][14], X[1][14], X[2][14], X[3][14]}};
    UNROLL
    for (int i = 0; i < 3; ++i)
        lanes_read_four(X, UNKNOWNS * (LEAD + i) + 2, turn[i]); /* the last three of the row */
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        lanes first[LANES], last[LANES];
        lanes_read_four(B, UNKNOWNS * k, first);
        lanes_read_four(B, UNKNOWNS * k + 2, last);
        UNROLL
        for (int i = 0; i < 3; ++i)
            trace += lead[i] * (first[i] * first[i]) + last[1 + i] * lanes_dot(turn[i] + 1, last + 1);
    }
    lanes rho = 3.0 / trace;
    lane_bits good = (rho > (lanes){0.0}) & (rho <= (lanes){DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX});
    *out = lanes_choose(good, rho, (lanes){1.0, 1.0, 1.0, 1.0});
}

static void plain_masses(const crn_certifier *work, const cairn_problem *problem, const four *of, lanes *rho)
{
    masses(work, problem, of, rho);
}

WIDE static void wide_masses(const crn_certifier *work, const cairn_problem *problem, const four *of, lanes *rho)
{
    masses(work, problem, of, rho);
}

/* ------------------------------------------------------------------------------------------------------------------- law */

INLINE void read_vectors(const four *of, const double *x, lanes out[3])
{
    UNROLL
    for (int k = 0; k < 3; ++k)
        out[k] =
            (lanes){x[3 * of->item[0] + k], x[3 * of->item[1] + k], x[3 * of->item[2] + k], x[3 * of->item[3] + k]};
}

INLINE lanes length_of(const lanes x[3])
{
    return lanes_root(lanes_dot(x, x));
}

/* |r - P(r - step)|; a component that the projection leaves as it is counts with its step. */
INLINE lanes distance_of(lanes mu, const lanes r[3], const lanes step[3])
{
    lanes moved[3], nearest[3], off[3];
    UNROLL
    for (int k = 0; k < 3; ++k)
        moved[k] = r[k] - step[k];
    lanes_cone_project(mu, moved, nearest);
    UNROLL
    for (int k = 0; k < 3; ++k)
        off[k] = lanes_choose(nearest[k] == moved[k], step[k], r[k] - nearest[k]);
    return length_of(off);
}

/* The distance of r from the impulses that friction allows. */
INLINE lanes outside_of(lanes mu, const lanes r[3])
{
    const lanes one = {1.0, 1.0, 1.0, 1.0};
    lanes radius = mu * lanes_positive(r[0]), size = lanes_root(r[1] * r[1] + r[2] * r[2]);
    lanes share = lanes_choose(size > radius, radius / size, one);
    const lanes off[3] = {lanes_positive(-r[0]), r[1] - share * r[1], r[2] - share * r[2]};
    return length_of(off);
}

INLINE void find(const cairn_problem *problem, const four *of, const double *r, const double *u, const lanes *masses_of,
                 crn_law_residual out[LANES])
{
    bool lifts_off = crn_law_of(problem)->lifts_off;
    lanes R[3], U[3], step[3], rho = *masses_of;
    lanes mu = {problem->mu[of->item[0]], problem->mu[of->item[1]], problem->mu[of->item[2]], problem->mu[of->item[3]]};
    read_vectors(of, r, R);
    read_vectors(of, u, U);
    lanes shift = lifts_off ? (lanes){0.0} : mu * lanes_root(U[1] * U[1] + U[2] * U[2]);
    UNROLL
    for (int k = 0; k < 3; ++k)
        step[k] = rho * (k == 0 ? U[k] + shift : U[k]);
    lanes natural = (distance_of(mu, R, step) + SHARE_OF_ROUNDING * length_of(R)) / rho;
    lanes outside = outside_of(mu, R), work = lanes_size(lifts_off ? lanes_dot(U, R) : U[0] * R[0]);
    UNROLL
    for (int l = 0; l < LANES; ++l)
        out[l] = (crn_law_residual){.natural_map = natural[l], .outside = outside[l], .complementarity = work[l]};
}

static void plain_find(const cairn_problem *problem, const four *of, const double *r, const double *u, const lanes *rho,
                       crn_law_residual out[LANES])
{
    find(problem, of, r, u, rho, out);
}

WIDE static void wide_find(const cairn_problem *problem, const four *of, const double *r, const double *u,
                           const lanes *rho, crn_law_residual out[LANES])
{
    find(problem, of, r, u, rho, out);
}

void crn_fours_judge(crn_certifier *work, const cairn_problem *problem, int first, const double *r, const double *u,
                     crn_law_residual out[4])
{
    lanes rho;
    four of = four_from(problem, first);
    assert(crn_fours_apply(problem) && first >= 0 && first < problem->contact_count);
    if (touch_bodies(work, problem, &of))
        (HAS_WIDE ? wide_masses : plain_masses)(work, problem, &of, &rho);
    else
        for (int l = 0; l < LANES; ++l)
            rho[l] = crn_certifier_mass(work, problem, of.item[l]);
    (HAS_WIDE ? wide_find : plain_find)(problem, &of, r, u, &rho, out);
}
