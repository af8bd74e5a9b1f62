/* Fallbacks when plain pivoting misses the tolerance.
 *
 * 0. If it reached its limit of pivots: ten times as many. Paths are finite but can be long.
 * 1. Other covering vectors d. Any positive one satisfies the theory; another one follows another path, past the
 *    near-singular bases that spoilt the first.
 * 2. The proximal problem about a point z_k: with E the identity on the impulses of each contact,
 *
 *        M z + a E (z - z_k) + q >= 0   _|_   z >= 0,
 *
 *    whose matrix is well conditioned however redundant the contacts are. Its basis is tried on the problem itself;
 *    then its solution becomes the next z_k. For a monotone problem z_k converges to a solution.
 */
#include "solve/auto/attempt.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Limit for all fallbacks together, in entries of M visited; a pivot visits each entry once. This takes some seconds with a
 * thousand variables or more, and is never reached with fewer than about a hundred. */
static const double MOST_WORK = 1e10;

static const int LONGER = 10;
static const int COVERS = 4;
static const int PROXIMAL_STEPS = 12;
static const double PROXIMAL_WEIGHTS[] = {1e-9, 1e-6};

/* Numbers in [1, 2), the same on every machine (splitmix64). */
static void fill_cover(crn_attempt *attempt, uint64_t seed)
{
    uint64_t state = seed;
    for (int a = 0; a < attempt->lcp.size; ++a)
    {
        uint64_t x = state += 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        x ^= x >> 31;
        attempt->cover[a] = 1.0 + (double)(x >> 11) * 0x1p-53;
    }
}

static int pivots_affordable(const crn_attempt *attempt)
{
    double size = attempt->lcp.size + 1.0;
    return (int)fmin(INT_MAX, MOST_WORK / (size * size));
}

/* Pivot within the number of pivots left; do nothing when none are. */
static cairn_status pivot_within(crn_attempt *attempt, int *left, const double *M, const double *q, const double *cover,
                                 const char *method)
{
    int limit = attempt->max_pivots, before = attempt->report.iterations;
    if (*left <= 0)
        return CAIRN_OK;
    attempt->max_pivots = limit < *left ? limit : *left;
    ++attempt->report.fallbacks;
    cairn_status status = crn_attempt_pivot(attempt, M, q, cover, method);
    attempt->max_pivots = limit;
    *left -= attempt->report.iterations - before;
    return status;
}

static cairn_status try_longer(crn_attempt *attempt, int *left)
{
    int limit = attempt->max_pivots;
    if (!attempt->limited || !attempt->may_go_on || limit > INT_MAX / LONGER || crn_attempt_is_done(attempt))
        return CAIRN_OK;
    attempt->max_pivots = LONGER * limit;
    cairn_status status = pivot_within(attempt, left, attempt->lcp.M, attempt->lcp.q, NULL, "lemke, longer path");
    attempt->max_pivots = limit;
    return status;
}

static cairn_status try_covers(crn_attempt *attempt, int *left)
{
    cairn_status status = CAIRN_OK;
    for (int i = 0; i<COVERS && * left> 0 && !status && !crn_attempt_is_done(attempt); ++i)
    {
        fill_cover(attempt, (uint64_t)i + 1);
        status = pivot_within(attempt, left, attempt->lcp.M, attempt->lcp.q, attempt->cover, "lemke, other cover");
    }
    return status;
}

/* E_ab = d_a'd_b for impulses of one contact; the direction of a lambda is zero. */
static double proximal_entry(const crn_attempt *attempt, int a, int b)
{
    int dim = attempt->problem->dim;
    double sum = 0.0;
    for (int k = 0; k < dim; ++k)
        sum += attempt->lcp.direction[a * dim + k] * attempt->lcp.direction[b * dim + k];
    return sum;
}

static void form_proximal(crn_attempt *attempt, double weight)
{
    const crn_lcp *lcp = &attempt->lcp;
    size_t size = (size_t)lcp->size;
    memcpy(attempt->M, lcp->M, size * size * sizeof(double));
    memcpy(attempt->q, lcp->q, size * sizeof(double));
    for (int a = 0; a < lcp->size; ++a)
    {
        int j = lcp->contact[a];
        for (int b = lcp->first[j]; b < lcp->first[j + 1]; ++b)
        {
            double entry = weight * proximal_entry(attempt, a, b);
            attempt->M[a * size + b] += entry;
            attempt->q[a] -= entry * attempt->centre[b];
        }
    }
}

static cairn_status try_proximal(crn_attempt *attempt, double weight, int *left)
{
    size_t size = (size_t)attempt->lcp.size;
    cairn_status status = CAIRN_OK;
    memset(attempt->centre, 0, size * sizeof(double));
    for (int i = 0; i<PROXIMAL_STEPS && * left> 0 && !status && !crn_attempt_is_done(attempt); ++i)
    {
        form_proximal(attempt, weight);
        status = pivot_within(attempt, left, attempt->M, attempt->q, NULL, "lemke, proximal");
        memcpy(attempt->centre, attempt->z, size * sizeof(double));
    }
    return status;
}

cairn_status crn_attempt_fallbacks(crn_attempt *attempt)
{
    if (crn_attempt_is_done(attempt))
        return CAIRN_OK;
    size_t size = (size_t)attempt->lcp.size;
    int left = pivots_affordable(attempt);
    CRN_TRY(crn_reserve_all(&attempt->memory, CRN_ARRAY(attempt->cover, size), CRN_ARRAY(attempt->M, size * size),
                            CRN_ARRAY(attempt->q, size), CRN_ARRAY(attempt->centre, size)));
    CRN_TRY(try_longer(attempt, &left));
    CRN_TRY(try_covers(attempt, &left));
    for (size_t i = 0; i < sizeof PROXIMAL_WEIGHTS / sizeof PROXIMAL_WEIGHTS[0]; ++i)
        CRN_TRY(try_proximal(attempt, PROXIMAL_WEIGHTS[i], &left));
    return CAIRN_OK;
}
