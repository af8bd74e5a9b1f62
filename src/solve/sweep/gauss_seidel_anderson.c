#include "solve/sweep/gauss_seidel_anderson.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* f may grow by this factor over the least one seen before the history is dropped. */
static const double GROWTH = 1.1;
/* f stays the same when its change is below this share of it; so many times in a row is no accident. */
static const double STEADY = 0.1;
static const int STEADY_STEPS = 4;
static const int LONGEST_PAUSE = 64;
cairn_status crn_gs_history_start(crn_gs_history *history, int rows, int dim, const double *rho)
{
    assert(rows % dim == 0);
    size_t need = (size_t)rows + 1;
    history->rows = rows;
    history->jumped = false;
    history->pause = history->rest = 0;
    history->failed_at = INFINITY;
    crn_gs_history_drop(history);
    CRN_TRY(crn_anderson_start(&history->past, rows, CRN_ANDERSON_MOST));
    CRN_TRY(crn_reserve_all(&history->memory, CRN_ARRAY(history->before, need), CRN_ARRAY(history->safe, need),
                            CRN_ARRAY(history->weight, need)));
    for (int i = 0; i < rows; i += dim)
        for (int k = 0; k < dim; ++k)
            history->weight[i + k] = 1.0 / sqrt(rho[i / dim]);
    return CAIRN_OK;
}

void crn_gs_history_drop(crn_gs_history *history)
{
    crn_anderson_drop(&history->past);
    history->drifts = false;
    history->steady = 0;
    history->stride = 0.0;
    history->least = INFINITY;
}

void crn_gs_history_release(crn_gs_history *history)
{
    crn_anderson_release(&history->past);
    crn_arena_release(&history->memory);
    memset(history, 0, sizeof *history);
}

void crn_gs_history_before(crn_gs_history *history, const double *r)
{
    for (int i = 0; i < history->rows; ++i)
        history->before[i] = r[i];
}

/* The sweeps' fixed-point residual; its size and that of its change. */
static double find_residual(crn_gs_history *history, const double *T, double *change)
{
    double square[2] = {0.0, 0.0};
    double turned[2] = {0.0, 0.0};
    double *f = history->past.f;
    for (int i = 0; i < history->rows; ++i)
    {
        f[i] = history->weight[i] * (T[i] - history->before[i]);
        double turn = f[i] - history->past.f_old[i];
        square[i & 1] += f[i] * f[i];
        turned[i & 1] += turn * turn;
    }
    *change = sqrt(turned[0] + turned[1]);
    return sqrt(square[0] + square[1]);
}

static crn_gs_advice go_back(crn_gs_history *history, double *next)
{
    assert(history->jumped);
    assert(history->rest == 0);
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
    assert(history->stride >= 0.0);
    assert(next != T);
    history->stride = history->stride > 0.0 ? 2.0 * history->stride : 2.0;
    for (int i = 0; i < history->rows; ++i)
        next[i] = T[i] + history->stride * (T[i] - history->before[i]);
}

/* Where to go from T: along f while it is steady, else by what the differences say. False: nowhere. */
static bool jump(crn_gs_history *history, const double *T, double size, double change, double *next)
{
    bool steady = history->past.started && change < STEADY * size;
    history->steady = steady ? history->steady + 1 : 0;
    history->drifts = history->drifts || history->steady >= STEADY_STEPS;
    if (steady && history->drifts)
    {
        drift(history, T, next);
        return true;
    }
    history->drifts = history->drifts && !history->past.started;
    history->stride = 0.0;
    crn_anderson_push(&history->past, T);
    return crn_anderson_extrapolate(&history->past, T, next);
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
    crn_anderson_remember(&history->past, T);
    return history->jumped ? CRN_GS_EXTRAPOLATE : CRN_GS_GO_ON;
}
