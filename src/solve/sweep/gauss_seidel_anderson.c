#include "solve/sweep/gauss_seidel_anderson.h"

#include "base/memory.h"
#include "solve/sweep/gauss_seidel_kernel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* f may grow by this factor over the least one seen before the history is dropped. */
static const double GROWTH = 1.1;
/* f stays the same when its change is below this share of it; so many times in a row is no accident. */
static const double STEADY = 0.1;
static const int STEADY_STEPS = 4;
static const int LONGEST_PAUSE = 64;
/* The differences are nearly dependent when the sweeps are slow: a share of the diagonal keeps gamma small. */
static const double DAMPING = 1e-10;
static const double LEAST_PIVOT = 1e-13;

cairn_status crn_gs_history_start(crn_gs_history *history, int rows, int dim, const double *rho)
{
    double **plain[] = {&history->before, &history->f,    &history->f_old,
                        &history->T_old,  &history->safe, &history->weight};
    size_t need = (size_t)rows + 1;
    cairn_status status = CAIRN_OK;
    for (int k = 0; k < 6 && !status; ++k)
        status = crn_reserve(plain[k], &history->capacity[k], need, sizeof(double));
    for (int k = 0; k < CRN_GS_MEMORY && !status; ++k)
    {
        status = crn_reserve(&history->dF[k], &history->capacity[6 + k], need, sizeof(double));
        status = status ? status
                        : crn_reserve(&history->dT[k], &history->capacity[6 + CRN_GS_MEMORY + k], need, sizeof(double));
    }
    history->rows = rows;
    if (!status)
        memset(history->f_old, 0, need * sizeof(double));
    for (int i = 0; i < rows && !status; i += dim)
        for (int k = 0; k < dim; ++k)
            history->weight[i + k] = 1.0 / sqrt(rho[i / dim]);
    history->jumped = false;
    history->pause = history->rest = 0;
    history->failed_at = INFINITY;
    crn_gs_history_drop(history);
    return status;
}

void crn_gs_history_drop(crn_gs_history *history)
{
    history->count = 0;
    history->newest = -1;
    history->started = history->drifts = false;
    history->steady = 0;
    history->stride = 0.0;
    history->least = INFINITY;
}

void crn_gs_history_release(crn_gs_history *history)
{
    double *plain[] = {history->before, history->f, history->f_old, history->T_old, history->safe, history->weight};
    for (int k = 0; k < 6; ++k)
        free(plain[k]);
    for (int k = 0; k < CRN_GS_MEMORY; ++k)
    {
        free(history->dF[k]);
        free(history->dT[k]);
    }
    memset(history, 0, sizeof *history);
}

/* The sums of x y and of x z. */
static void products(int count, const double *x, const double *y, const double *z, double *xy, double *xz)
{
    crn_pair a = {0.0, 0.0};
    crn_pair b = {0.0, 0.0};
    int i = 0;
    for (; i + 1 < count; i += 2)
    {
        a += crn_pair_at(x + i) * crn_pair_at(y + i);
        b += crn_pair_at(x + i) * crn_pair_at(z + i);
    }
    *xy = a[0] + a[1] + (i < count ? x[i] * y[i] : 0.0);
    *xz = b[0] + b[1] + (i < count ? x[i] * z[i] : 0.0);
}

/* The newest differences take the place of the oldest. */
static void push(crn_gs_history *history, const double *T)
{
    int at = (history->newest + 1) % CRN_GS_MEMORY;
    double *dF = history->dF[at];
    double *dT = history->dT[at];
    for (int i = 0; i < history->rows; ++i)
    {
        dF[i] = history->f[i] - history->f_old[i];
        dT[i] = T[i] - history->T_old[i];
    }
    history->newest = at;
    history->count += history->count < CRN_GS_MEMORY;
    for (int k = 0; k < history->count; ++k)
    {
        products(history->rows, history->dF[k], dF, history->f, &history->gram[at][k], &history->slope[k]);
        history->gram[k][at] = history->gram[at][k];
    }
}

/* a x = b in place, a symmetric (its lower half is read, rows CRN_GS_MEMORY apart); by a = L D L'. False when a is not
 * positive definite. */
static bool solve_symmetric(int m, double a[][CRN_GS_MEMORY], double *b)
{
    double d[CRN_GS_MEMORY];
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

/* gamma, from the normal equations with every difference scaled to length 1; false when they do not determine it. */
static bool fit(const crn_gs_history *history, double *gamma)
{
    int m = history->count;
    double a[CRN_GS_MEMORY][CRN_GS_MEMORY];
    double scale[CRN_GS_MEMORY];
    for (int i = 0; i < m; ++i)
    {
        scale[i] = history->gram[i][i] > 0.0 ? 1.0 / sqrt(history->gram[i][i]) : 0.0;
        gamma[i] = scale[i] * history->slope[i];
        for (int j = 0; j < i; ++j)
            a[i][j] = scale[i] * scale[j] * history->gram[i][j];
        a[i][i] = 1.0 + DAMPING;
    }
    if (!solve_symmetric(m, a, gamma))
        return false;
    for (int i = 0; i < m; ++i)
        gamma[i] *= scale[i];
    return true;
}

void crn_gs_history_before(crn_gs_history *history, const double *r)
{
    for (int i = 0; i < history->rows; ++i)
        history->before[i] = r[i];
}

/* Remember f and T for the next differences. */
static void remember(crn_gs_history *history, const double *T)
{
    double *old = history->f_old;
    history->f_old = history->f;
    history->f = old;
    size_t capacity = history->capacity[2];
    history->capacity[2] = history->capacity[1];
    history->capacity[1] = capacity;
    memcpy(history->T_old, T, (size_t)history->rows * sizeof(double));
    history->started = true;
}

/* The sweeps' fixed-point residual; its size and that of its change. */
static double find_residual(crn_gs_history *history, const double *T, double *change)
{
    double square[2] = {0.0, 0.0};
    double turned[2] = {0.0, 0.0};
    double *f = history->f;
    for (int i = 0; i < history->rows; ++i)
    {
        f[i] = history->weight[i] * (T[i] - history->before[i]);
        double turn = f[i] - history->f_old[i];
        square[i & 1] += f[i] * f[i];
        turned[i & 1] += turn * turn;
    }
    *change = sqrt(turned[0] + turned[1]);
    return sqrt(square[0] + square[1]);
}

static crn_gs_advice go_back(crn_gs_history *history, double *next)
{
    bool drifted = history->stride > 0.0;
    bool gained = history->least < 0.9 * history->failed_at;
    int longer = 2 * history->pause + 1;
    history->pause = gained ? 0 : longer < LONGEST_PAUSE ? longer : LONGEST_PAUSE;
    history->rest = history->pause;
    history->failed_at = history->least;
    memcpy(next, history->safe, (size_t)history->rows * sizeof(double));
    crn_gs_history_drop(history);
    history->drifts = !drifted; /* the two ways take turns */
    history->jumped = false;
    return CRN_GS_GO_BACK;
}

static void drift(crn_gs_history *history, const double *T, double *next)
{
    history->stride = history->stride > 0.0 ? 2.0 * history->stride : 2.0;
    for (int i = 0; i < history->rows; ++i)
        next[i] = T[i] + history->stride * (T[i] - history->before[i]);
}

/* to = from - gamma_0 x_0 - ... - gamma_3 x_3; `to` may be `from`. */
static void subtract_four(int count, const double *gamma, double *const x[4], const double *from, double *to)
{
    const double g[4] = {gamma[0], gamma[1], gamma[2], gamma[3]};
    const double *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
    int i = 0;
    for (; i + 1 < count; i += 2)
    {
        crn_pair sum = g[0] * crn_pair_at(x0 + i) + g[1] * crn_pair_at(x1 + i) +
                       (g[2] * crn_pair_at(x2 + i) + g[3] * crn_pair_at(x3 + i));
        *(crn_pair *)(to + i) = crn_pair_at(from + i) - sum;
    }
    for (; i < count; ++i)
        to[i] = from[i] - (g[0] * x0[i] + g[1] * x1[i] + (g[2] * x2[i] + g[3] * x3[i]));
}

/* next = T - dT gamma, four differences at a time: less traffic than one by one. */
static void extrapolate(const crn_gs_history *history, const double *gamma, const double *T, double *next)
{
    int k = 0;
    const double *from = T;
    for (; k + 3 < history->count; k += 4, from = next)
        subtract_four(history->rows, gamma + k, history->dT + k, from, next);
    for (; k < history->count; ++k, from = next)
        for (int i = 0; i < history->rows; ++i)
            next[i] = from[i] - gamma[k] * history->dT[k][i];
}

/* Where to go from T: along f while it is steady, else by what the differences say. False: nowhere. */
static bool jump(crn_gs_history *history, const double *T, double size, double change, double *next)
{
    double gamma[CRN_GS_MEMORY];
    bool steady = history->started && change < STEADY * size;
    history->steady = steady ? history->steady + 1 : 0;
    history->drifts = history->drifts || history->steady >= STEADY_STEPS;
    if (steady && history->drifts)
    {
        drift(history, T, next);
        return true;
    }
    history->drifts = history->drifts && !history->started;
    history->stride = 0.0;
    if (history->started)
        push(history, T);
    if (history->count == 0 || !fit(history, gamma))
        return false;
    extrapolate(history, gamma, T, next);
    return true;
}

crn_gs_advice crn_gs_history_after(crn_gs_history *history, const double *T, double *next)
{
    double change;
    double size = find_residual(history, T, &change);
    assert(history->rows > 0);
    if (!(size <= GROWTH * history->least))
    {
        if (history->jumped)
            return go_back(history, next);
        crn_gs_history_drop(history); /* plain sweeps may grow: that is their own way */
    }
    if (size < 1.02 * history->least)
    {
        history->least = fmin(size, history->least);
        memcpy(history->safe, T, (size_t)history->rows * sizeof(double));
    }
    history->jumped = history->rest == 0 && jump(history, T, size, change, next);
    history->rest -= history->rest > 0;
    remember(history, T);
    return history->jumped ? CRN_GS_EXTRAPOLATE : CRN_GS_GO_ON;
}
