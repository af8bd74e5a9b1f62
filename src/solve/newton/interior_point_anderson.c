/* Anderson's acceleration of the fixed point s = g(s) on the convexity gaps.
 *
 * With f = g(s) - s and the differences dF, dG of the last few f and g as columns, the next point is g - dG gamma with
 * gamma the least-squares solution of dF gamma = f: where g is nearly affine that is a quasi-Newton step. Gaps are not
 * negative, and neither is the next point.
 */
#include "base/memory.h"
#include "linalg/lu.h"
#include "math/vec.h"
#include "solve/newton/interior_point.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RIDGE = 1e-14; /* of the largest diagonal entry of dF'dF */

void crn_ip_history_release(crn_ip_history *history)
{
    free(history->f);
    free(history->g);
    free(history->dF);
    free(history->dG);
    memset(history, 0, sizeof *history);
}

cairn_status crn_ip_history_start(crn_ip_history *history, int size)
{
    size_t room = (size_t)size + 1;
    history->size = size;
    history->count = 0;
    CRN_TRY(crn_reserve(&history->f, &history->capacity[0], room, sizeof(double)));
    CRN_TRY(crn_reserve(&history->g, &history->capacity[1], room, sizeof(double)));
    CRN_TRY(crn_reserve(&history->dF, &history->capacity[2], room * CRN_IP_DEPTH, sizeof(double)));
    return crn_reserve(&history->dG, &history->capacity[3], room * CRN_IP_DEPTH, sizeof(double));
}

/* Take in f = g - s and the differences to the ones before. */
static void record(crn_ip_history *history, const double *s, const double *g)
{
    size_t slot = (size_t)((history->count + CRN_IP_DEPTH - 1) % CRN_IP_DEPTH) * (size_t)history->size;
    for (int i = 0; i < history->size; ++i)
    {
        double f = g[i] - s[i];
        history->dF[slot + (size_t)i] = f - history->f[i];
        history->dG[slot + (size_t)i] = g[i] - history->g[i];
        history->f[i] = f;
        history->g[i] = g[i];
    }
    ++history->count;
}

/* gamma by the normal equations; false when they are singular. */
static bool find_weights(const crn_ip_history *history, int depth, double *gamma)
{
    double N[CRN_IP_DEPTH * CRN_IP_DEPTH];
    double right[CRN_IP_DEPTH];
    int row[CRN_IP_DEPTH];
    double largest = 0.0;
    for (int i = 0; i < depth; ++i)
    {
        const double *column = history->dF + (size_t)i * (size_t)history->size;
        for (int k = 0; k < depth; ++k)
            N[i * depth + k] = crn_dot(history->size, column, history->dF + (size_t)k * (size_t)history->size);
        right[i] = crn_dot(history->size, column, history->f);
        largest = fmax(largest, N[i * depth + i]);
    }
    for (int i = 0; i < depth; ++i)
        N[i * depth + i] += RIDGE * largest;
    if (!crn_lu_factorise(depth, N, depth, row, 0.0))
        return false;
    for (int i = 0; i < depth; ++i)
        gamma[i] = right[row[i]];
    crn_lu_solve(depth, N, depth, gamma, 1, 1);
    return true;
}

void crn_ip_history_next(crn_ip_history *history, const double *g, double *s)
{
    assert(history->count >= 0);
    double gamma[CRN_IP_DEPTH];
    record(history, s, g);
    int depth = history->count - 1 < CRN_IP_DEPTH ? history->count - 1 : CRN_IP_DEPTH;
    bool accelerated = depth > 0 && find_weights(history, depth, gamma);
    for (int i = 0; i < history->size; ++i)
    {
        double next = g[i];
        for (int k = 0; k < depth && accelerated; ++k)
            next -= gamma[k] * history->dG[(size_t)k * (size_t)history->size + (size_t)i];
        s[i] = fmax(0.0, next);
    }
}
