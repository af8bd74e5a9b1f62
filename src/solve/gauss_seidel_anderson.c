#include "solve/gauss_seidel_anderson.h"

#include "base/memory.h"
#include "linalg/lu.h"

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
static const double DAMPING = 1e-12;

cairn_status crn_gs_history_start(crn_gs_history *history, int rows, int dim, const double *rho)
{
    double **plain[] = {&history->before, &history->f, &history->f_old, &history->T_old, &history->safe};
    size_t need = (size_t)rows + 1;
    cairn_status status = CAIRN_OK;
    for (int k = 0; k < 5 && !status; ++k)
    {
        status = crn_reserve(plain[k], &history->capacity[k], need, sizeof(double));
    }
    for (int k = 0; k < CRN_GS_MEMORY && !status; ++k)
    {
        status = crn_reserve(&history->dF[k], &history->capacity[5 + k], need, sizeof(double));
        status = status ? status
                        : crn_reserve(&history->dT[k], &history->capacity[5 + CRN_GS_MEMORY + k], need, sizeof(double));
    }
    history->rows = rows;
    history->dim = dim;
    history->rho = rho;
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
    double *plain[] = {history->before, history->f, history->f_old, history->T_old, history->safe};
    for (int k = 0; k < 5; ++k)
    {
        free(plain[k]);
    }
    for (int k = 0; k < CRN_GS_MEMORY; ++k)
    {
        free(history->dF[k]);
        free(history->dT[k]);
    }
    memset(history, 0, sizeof *history);
}

static double product(const crn_gs_history *history, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0, j = 0; i < history->rows; i += history->dim, ++j)
    {
        double own = 0.0;
        for (int k = i; k < i + history->dim; ++k)
        {
            own += x[k] * y[k];
        }
        sum += own / history->rho[j];
    }
    return sum;
}

/* The newest differences take the place of the oldest. */
static void push(crn_gs_history *history, const double *T)
{
    int at = (history->newest + 1) % CRN_GS_MEMORY;
    for (int i = 0; i < history->rows; ++i)
    {
        history->dF[at][i] = history->f[i] - history->f_old[i];
        history->dT[at][i] = T[i] - history->T_old[i];
    }
    history->newest = at;
    history->count += history->count < CRN_GS_MEMORY;
    for (int k = 0; k < history->count; ++k)
    {
        history->gram[at][k] = history->gram[k][at] = product(history, history->dF[at], history->dF[k]);
    }
}

/* gamma, from the normal equations with every difference scaled to length 1; false when they do not determine it. */
static bool fit(const crn_gs_history *history, double *gamma)
{
    int m = history->count;
    double a[CRN_GS_MEMORY * CRN_GS_MEMORY];
    double scale[CRN_GS_MEMORY];
    double b[CRN_GS_MEMORY];
    int row[CRN_GS_MEMORY];
    for (int i = 0; i < m; ++i)
    {
        scale[i] = history->gram[i][i] > 0.0 ? 1.0 / sqrt(history->gram[i][i]) : 0.0;
        b[i] = scale[i] * product(history, history->dF[i], history->f);
    }
    for (int i = 0; i < m * m; ++i)
    {
        a[i] = scale[i / m] * scale[i % m] * history->gram[i / m][i % m];
        a[i] = i / m == i % m ? 1.0 + DAMPING : a[i];
    }
    if (!crn_lu_factorise(m, a, m, row, 1e-15))
    {
        return false;
    }
    for (int i = 0; i < m; ++i)
    {
        gamma[i] = b[row[i]];
    }
    crn_lu_solve(m, a, m, gamma, 1, 1);
    for (int i = 0; i < m; ++i)
    {
        gamma[i] *= scale[i];
    }
    return true;
}

void crn_gs_history_before(crn_gs_history *history, const double *r)
{
    for (int i = 0; i < history->rows; ++i)
    {
        history->before[i] = r[i];
    }
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

/* The sweeps' fixed-point residual; its size. */
static double find_residual(crn_gs_history *history, const double *T)
{
    for (int i = 0; i < history->rows; ++i)
    {
        history->f[i] = T[i] - history->before[i];
    }
    return sqrt(product(history, history->f, history->f));
}

static bool is_steady(const crn_gs_history *history, double size)
{
    double square = 0.0;
    for (int i = 0; i < history->rows; ++i)
    {
        double change = history->f[i] - history->f_old[i];
        square += change * change / history->rho[i / history->dim];
    }
    return square < STEADY * STEADY * size * size;
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
    {
        next[i] = T[i] + history->stride * history->f[i];
    }
}

static void extrapolate(const crn_gs_history *history, const double *gamma, const double *T, double *next)
{
    memcpy(next, T, (size_t)history->rows * sizeof(double));
    for (int k = 0; k < history->count; ++k)
    {
        for (int i = 0; i < history->rows; ++i)
        {
            next[i] -= gamma[k] * history->dT[k][i];
        }
    }
}

/* Where to go from T: along f while it is steady, else by what the differences say. False: nowhere. */
static bool jump(crn_gs_history *history, const double *T, double size, double *next)
{
    double gamma[CRN_GS_MEMORY];
    bool steady = history->started && is_steady(history, size);
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
    {
        push(history, T);
    }
    if (history->count == 0 || !fit(history, gamma))
    {
        return false;
    }
    extrapolate(history, gamma, T, next);
    return true;
}

crn_gs_advice crn_gs_history_after(crn_gs_history *history, const double *T, double *next)
{
    double size = find_residual(history, T);
    assert(history->rows > 0);
    if (!(size <= GROWTH * history->least))
    {
        if (history->jumped)
        {
            return go_back(history, next);
        }
        crn_gs_history_drop(history); /* plain sweeps may grow: that is their own way */
    }
    if (size < 1.02 * history->least)
    {
        history->least = fmin(size, history->least);
        memcpy(history->safe, T, (size_t)history->rows * sizeof(double));
    }
    history->jumped = history->rest == 0 && jump(history, T, size, next);
    history->rest -= history->rest > 0;
    remember(history, T);
    return history->jumped ? CRN_GS_EXTRAPOLATE : CRN_GS_GO_ON;
}
