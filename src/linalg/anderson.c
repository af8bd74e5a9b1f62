#include "linalg/anderson.h"

#include "linalg/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The differences are nearly dependent when the iteration is slow: a share of the diagonal keeps gamma small. */
static const double DAMPING = 1e-10;
static const double LEAST_PIVOT = 1e-13;

cairn_status crn_anderson_start(crn_anderson *past, int rows, int depth)
{
    assert(rows >= 0);
    assert(depth > 0 && depth <= CRN_ANDERSON_MOST);
    size_t need = (size_t)rows + 1;
    past->rows = rows;
    past->depth = depth;
    crn_anderson_drop(past);
    CRN_TRY(crn_reserve_all(&past->memory, CRN_ARRAY(past->f, need), CRN_ARRAY(past->f_old, need),
                            CRN_ARRAY(past->T_old, need)));
    for (int k = 0; k < depth; ++k)
        CRN_TRY(crn_reserve_all(&past->memory, CRN_ARRAY(past->dF[k], need), CRN_ARRAY(past->dT[k], need)));
    memset(past->f_old, 0, need * sizeof(double));
    return CAIRN_OK;
}

void crn_anderson_drop(crn_anderson *past)
{
    past->count = 0;
    past->newest = -1;
    past->started = false;
}

void crn_anderson_release(crn_anderson *past)
{
    crn_arena_release(&past->memory);
    memset(past, 0, sizeof *past);
}

/* The sums of x y and of x z. */
static void products(int count, const double *x, const double *y, const double *z, double *xy, double *xz)
{
    crn_lanes a = {0.0, 0.0};
    crn_lanes b = {0.0, 0.0};
    int i = 0;
    for (; i + 1 < count; i += 2)
    {
        a += crn_lanes_at(x + i) * crn_lanes_at(y + i);
        b += crn_lanes_at(x + i) * crn_lanes_at(z + i);
    }
    *xy = a[0] + a[1] + (i < count ? x[i] * y[i] : 0.0);
    *xz = b[0] + b[1] + (i < count ? x[i] * z[i] : 0.0);
}

void crn_anderson_push(crn_anderson *past, const double *T)
{
    if (!past->started)
        return;
    assert(past->newest < past->depth);
    int at = (past->newest + 1) % past->depth;
    double *dF = past->dF[at];
    double *dT = past->dT[at];
    for (int i = 0; i < past->rows; ++i)
    {
        dF[i] = past->f[i] - past->f_old[i];
        dT[i] = T[i] - past->T_old[i];
    }
    past->newest = at;
    past->count += past->count < past->depth;
    for (int k = 0; k < past->count; ++k)
    {
        products(past->rows, past->dF[k], dF, past->f, &past->gram[at][k], &past->slope[k]);
        past->gram[k][at] = past->gram[at][k];
    }
}

/* Solve a x = b in place by a = L D L', where a is symmetric and only its lower half is read. False when a is not positive
 * definite. */
static bool solve_symmetric(int m, double a[][CRN_ANDERSON_MOST], double *b)
{
    double d[CRN_ANDERSON_MOST];
    for (int i = 0; i < m; ++i)
    {
        d[i] = a[i][i];
        for (int j = 0; j < i; ++j)
        {
            double sum = a[i][j]; /* L_ij d_j */
            for (int k = 0; k < j; ++k)
                sum -= a[i][k] * a[j][k];
            a[i][j] = sum;
        }
        for (int j = 0; j < i; ++j)
        {
            double L = a[i][j] * d[j];
            d[i] -= L * a[i][j];
            b[i] -= L * b[j];
            a[i][j] = L;
        }
        if (!(d[i] > LEAST_PIVOT))
            return false;
        d[i] = 1.0 / d[i];
    }
    for (int i = m - 1; i >= 0; --i)
    {
        b[i] *= d[i];
        for (int j = i + 1; j < m; ++j)
            b[i] -= a[j][i] * b[j];
    }
    return true;
}

/* Find gamma from the normal equations, every difference scaled to length 1. False when they do not determine it. */
static bool fit(const crn_anderson *past, double *gamma)
{
    int m = past->count;
    double a[CRN_ANDERSON_MOST][CRN_ANDERSON_MOST];
    double scale[CRN_ANDERSON_MOST];
    for (int i = 0; i < m; ++i)
    {
        scale[i] = past->gram[i][i] > 0.0 ? 1.0 / sqrt(past->gram[i][i]) : 0.0;
        gamma[i] = scale[i] * past->slope[i];
        for (int j = 0; j < i; ++j)
            a[i][j] = scale[i] * scale[j] * past->gram[i][j];
        a[i][i] = 1.0 + DAMPING;
    }
    if (!solve_symmetric(m, a, gamma))
        return false;
    for (int i = 0; i < m; ++i)
        gamma[i] *= scale[i];
    return true;
}

void crn_anderson_remember(crn_anderson *past, const double *T)
{
    double *old = past->f_old;
    past->f_old = past->f;
    past->f = old;
    memcpy(past->T_old, T, (size_t)past->rows * sizeof(double));
    past->started = true;
}

/* to = from - gamma_0 x_0 - ... - gamma_3 x_3; `to` may be `from`. */
static void subtract_four(int count, const double *gamma, double *const x[4], const double *from, double *to)
{
    const double g[4] = {gamma[0], gamma[1], gamma[2], gamma[3]};
    const double *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
    int i = 0;
    for (; i + 1 < count; i += 2)
    {
        crn_lanes sum = g[0] * crn_lanes_at(x0 + i) + g[1] * crn_lanes_at(x1 + i) +
                        (g[2] * crn_lanes_at(x2 + i) + g[3] * crn_lanes_at(x3 + i));
        *(crn_lanes *)(to + i) = crn_lanes_at(from + i) - sum;
    }
    for (; i < count; ++i)
        to[i] = from[i] - (g[0] * x0[i] + g[1] * x1[i] + (g[2] * x2[i] + g[3] * x3[i]));
}

/* Four differences at a time: less memory traffic than one by one. */
bool crn_anderson_extrapolate(const crn_anderson *past, const double *T, double *next)
{
    assert(past->count <= past->depth);
    double gamma[CRN_ANDERSON_MOST];
    if (past->count == 0 || !fit(past, gamma))
        return false;
    int k = 0;
    const double *from = T;
    for (; k + 3 < past->count; k += 4, from = next)
        subtract_four(past->rows, gamma + k, past->dT + k, from, next);
    for (; k < past->count; ++k, from = next)
        for (int i = 0; i < past->rows; ++i)
            next[i] = from[i] - gamma[k] * past->dT[k][i];
    return true;
}
