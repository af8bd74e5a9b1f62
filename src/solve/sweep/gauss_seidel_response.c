/* X_j, W_jj and rho_j of every contact.
 *
 * A contact between bodies that stand alone needs only their blocks of A^-1: small dense inverses. A contact at a tied cluster
 * takes its columns from the sparse factors of K, so that joints are eliminated exactly. Sweeps over joint rows as if they were
 * contacts would carry an impulse across one joint per sweep and converge slowly along a chain, and dependent rows would have to
 * be found locally.
 *
 * Joints can leave a contact no motion in some direction, and then W_jj is singular or noise. Such a block is shifted:
 * W_jj + s 1 with the bias - s r_old, a proximal step, which has the same fixed points.
 */
#include "solve/sweep/gauss_seidel_response.h"
#include "solve/auto/bounded.h"

#include "solve/auto/problem_check.h"
#include "solve/sweep/gauss_seidel_kernel.h"
#include "solve/sweep/local_coulomb.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* Where a pivot of W_jj is below this share of 1 / rho_j, W_jj is shifted by that much. */
static const double SHIFT = 1e-10;

enum
{
    BATCH = 8 /* contacts whose responses are computed together */
};

static int block_size(const cairn_problem *problem, int block)
{
    assert(block >= 0 && block < problem->block_count);
    return problem->block_start[block + 1] - problem->block_start[block];
}

static bool is_tied(const crn_gs_plan *plan, const cairn_problem *problem, int j)
{
    for (int e = problem->H.entry_start[j]; e < problem->H.entry_start[j + 1]; ++e)
        if (plan->tied[plan->cluster[problem->H.block[e]]])
            return true;
    return false;
}

/* List the velocities of a cluster for contact j, as runs, unless an entry before e has the same cluster. Returns the
 * values. */
static size_t list_cluster(crn_gs_plan *plan, const cairn_problem *problem, int j, int e, size_t *entry, size_t value)
{
    assert(e >= problem->H.entry_start[j] && e < problem->H.entry_start[j + 1]);
    const cairn_block_rows *H = &problem->H;
    int cluster = plan->cluster[H->block[e]];
    for (int before = H->entry_start[j]; before < e; ++before)
        if (plan->cluster[H->block[before]] == cluster)
            return value;
    int end = -1; /* of the run */
    for (int k = plan->cluster_start[cluster]; k < plan->cluster_start[cluster + 1]; ++k)
    {
        int first = problem->block_start[plan->cluster_block[k]];
        int size = block_size(problem, plan->cluster_block[k]);
        if (first != end && plan->X_first)
        {
            plan->X_first[*entry] = first;
            plan->X_size[*entry] = 0;
            plan->X_value[*entry] = value;
        }
        *entry += first != end;
        end = first + size;
        if (plan->X_first)
            plan->X_size[*entry - 1] += size;
        value += (size_t)problem->dim * (size_t)size;
    }
    return value;
}

/* List what each contact moves, or only count it where X_first is NULL. */
static size_t list_runs(crn_gs_plan *plan, const cairn_problem *problem, size_t *values)
{
    size_t entry = 0;
    *values = 0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        plan->X_start[j] = entry;
        for (int e = problem->H.entry_start[j]; e < problem->H.entry_start[j + 1]; ++e)
            *values = list_cluster(plan, problem, j, e, &entry, *values);
    }
    plan->X_start[problem->contact_count] = entry;
    return entry;
}

/* An upper bound on the number of runs. */
static size_t count_runs(crn_gs_plan *plan, const cairn_problem *problem, size_t *values)
{
    int entries = problem->contact_count > 0 ? problem->H.entry_start[problem->contact_count] : 0;
    if (plan->apart)
    {
        *values = entries > 0 ? (size_t)problem->H.value_start[entries] : 0;
        return (size_t)entries;
    }
    int *listed = plan->X_first;
    plan->X_first = NULL;
    size_t count = list_runs(plan, problem, values);
    plan->X_first = listed;
    return count;
}

static cairn_status reserve(crn_gs_plan *plan, const cairn_problem *problem)
{
    size_t contacts = (size_t)problem->contact_count + 1;
    size_t values;
    CRN_TRY(crn_reserve_all(&plan->memory, CRN_ARRAY(plan->factors, 9 * contacts), CRN_ARRAY(plan->factored, contacts),
                            CRN_ARRAY(plan->X_start, contacts), CRN_ARRAY(plan->W, 9 * contacts),
                            CRN_ARRAY(plan->shift, contacts), CRN_ARRAY(plan->rho, contacts)));
    size_t entries = count_runs(plan, problem, &values) + 1;
    CRN_TRY(crn_reserve_all(&plan->memory, CRN_ARRAY(plan->X_first, entries), CRN_ARRAY(plan->X_size, entries),
                            CRN_ARRAY(plan->X_value, entries), CRN_ARRAY(plan->X, values + 1)));
    list_runs(plan, problem, &values);
    return CAIRN_OK;
}

/* f += row k of contact j, as a column. */
static void add_row(const cairn_problem *problem, int j, int k, double *f)
{
    assert(k < problem->dim);
    const cairn_block_rows *H = &problem->H;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int size = block_size(problem, H->block[e]);
        const double *row = H->value + H->value_start[e] + k * size;
        for (int i = 0; i < size; ++i)
            f[problem->block_start[H->block[e]] + i] += row[i];
    }
}

/* u = H_j x */
static void rows_times(const cairn_problem *problem, int j, const double *x, double *u)
{
    const cairn_block_rows *H = &problem->H;
    u[0] = u[1] = u[2] = 0.0;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        crn_gs_gather(problem->dim, block_size(problem, H->block[e]), H->value + H->value_start[e],
                      x + problem->block_start[H->block[e]], u);
    }
}

/* Set what contact j moves to zero in x. */
static void clear(const crn_gs_plan *plan, int j, double *x)
{
    for (size_t e = plan->X_start[j]; e < plan->X_start[j + 1]; ++e)
        memset(x + plan->X_first[e], 0, (size_t)plan->X_size[e] * sizeof(double));
}

/* `column` = D^-1 H_j' of row k: the response without springs between blocks and without joints. */
static void solve_free(crn_gs_plan *plan, const cairn_problem *problem, int j, int k)
{
    assert(k < crn_item_rows(problem, j));
    const cairn_block_rows *H = &problem->H;
    clear(plan, j, plan->column);
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        const double *row = H->value + H->value_start[e] + k * block_size(problem, H->block[e]);
        crn_inverses_add(&plan->D, H->block[e], row, plan->column + problem->block_start[H->block[e]]);
    }
}

static bool is_simple(const crn_gs_plan *plan, const cairn_problem *problem, int j)
{
    size_t runs = plan->X_start[j + 1] - plan->X_start[j];
    return plan->apart && (size_t)(problem->H.entry_start[j + 1] - problem->H.entry_start[j]) == runs;
}

/* `responses` = K^-1 H_j' of the contacts first .. end-1, `dim` columns for each; zero for those that are not tied. */
static cairn_status solve_tied(crn_gs_plan *plan, const cairn_problem *problem, int first, int end)
{
    assert(!plan->apart && first < end);
    size_t n = (size_t)problem->n;
    int columns = problem->dim * (end - first);
    CRN_TRY(crn_reserve_all(&plan->memory, CRN_ARRAY(plan->responses, (size_t)columns * n + 1)));
    memset(plan->responses, 0, (size_t)columns * n * sizeof(double));
    for (int j = first; j < end; ++j)
        for (int k = 0; k < crn_item_rows(problem, j) && is_tied(plan, problem, j); ++k)
            add_row(problem, j, k, plan->responses + (size_t)((j - first) * problem->dim + k) * n);
    return crn_saddle_solve_many(plan->saddle, columns, plan->responses, NULL);
}

static void store_response(crn_gs_plan *plan, int j, int k, const double *column)
{
    for (size_t e = plan->X_start[j]; e < plan->X_start[j + 1]; ++e)
    {
        size_t size = (size_t)plan->X_size[e];
        memcpy(plan->X + plan->X_value[e] + (size_t)k * size, column + plan->X_first[e], size * sizeof(double));
    }
}

/* The smallest pivot of W. Only its magnitude matters, so rows are not exchanged. */
static double smallest_pivot(int dim, const double *W)
{
    assert(dim == 2 || dim == 3);
    double m[9];
    double least = INFINITY;
    memcpy(m, W, (size_t)(dim * dim) * sizeof(double));
    for (int k = 0; k < dim; ++k)
    {
        least = fmin(least, m[k * dim + k]);
        for (int i = k + 1; i < dim && least > 0.0; ++i)
        {
            double factor = m[i * dim + k] / m[k * dim + k];
            for (int l = k; l < dim; ++l)
                m[i * dim + l] -= factor * m[k * dim + l];
        }
    }
    return least;
}

/* No pivot is below the floor; the diagonal of the factors holds the reciprocals. */
static bool are_large(int dim, const double *factors, double floor)
{
    bool large = true;
    for (int k = 0; k < dim; ++k)
        large = large && factors[k * (dim + 1)] * floor <= 1.0;
    return large;
}

/* The factors of W_jj, shifted where a pivot is small. rows: 1 for a bounded row, which needs none. */
static void factorise_block(crn_gs_plan *plan, int dim, int rows, int j)
{
    assert(plan->rho[j] > 0.0);
    assert(rows == 1 || rows == dim);
    double *W = plan->W + (size_t)j * (size_t)(dim * dim);
    double *factors = plan->factors + (size_t)j * (size_t)(dim * dim);
    double floor = SHIFT / plan->rho[j];
    plan->shift[j] = 0.0;
    if (rows == 1)
    {
        plan->shift[j] = W[0] < floor ? floor : 0.0;
        W[0] += plan->shift[j];
        plan->factored[j] = false;
        return;
    }
    plan->factored[j] = crn_local_factorise(dim, W, factors);
    if (plan->factored[j] && are_large(dim, factors, floor))
        return;
    plan->shift[j] = smallest_pivot(dim, W) < floor ? floor : 0.0;
    for (int k = 0; k < dim; ++k)
        W[k * dim + k] += plan->shift[j];
    plan->factored[j] = crn_local_factorise(dim, W, factors);
}

/* R_jj of contact j, NULL when there is none. */
static const double *own_compliance(const crn_gs_plan *plan, int dim, int j)
{
    for (size_t e = plan->R_start[j]; e < plan->R_start[j + 1]; ++e)
        if (plan->R_contact[e] == j)
            return plan->R + e * (size_t)(dim * dim);
    return NULL;
}

/* A contact of bodies that stand alone, each its own run: X and W without R, block by block. */
static void respond_free(crn_gs_plan *plan, const cairn_problem *problem, int j, double *W)
{
    assert(plan->apart);
    const cairn_block_rows *H = &problem->H;
    int dim = problem->dim;
    size_t run = plan->X_start[j];
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e, ++run)
    {
        int size = plan->X_size[run];
        const double *rows = H->value + H->value_start[e];
        double *X = plan->X + plan->X_value[run];
        crn_inverses_product(&plan->D, H->block[e], dim, rows, X);
        for (int k = 0; k < dim; ++k)
        {
            double u[3] = {0.0, 0.0, 0.0};
            crn_gs_gather(dim, size, rows, X + k * size, u);
            for (int i = 0; i < dim; ++i)
                W[i * dim + k] += u[i];
        }
    }
}

/* The same where bodies are tied, or one is touched twice; responses: those of this contact. Returns the trace that W would have without ties. */
static double respond_tied(crn_gs_plan *plan, const cairn_problem *problem, int j, const double *responses, double *W)
{
    int dim = problem->dim;
    bool tied = is_tied(plan, problem, j);
    double trace = 0.0;
    int rows = crn_item_rows(problem, j);
    for (int k = 0; k < dim; ++k)
    {
        const double *column = tied ? responses + (size_t)k * (size_t)problem->n : plan->column;
        double u[3];
        if (k >= rows) /* a bounded row has only one */
        {
            clear(plan, j, plan->column);
            store_response(plan, j, k, plan->column);
            continue;
        }
        if (!tied || plan->ties)
        {
            solve_free(plan, problem, j, k);
            rows_times(problem, j, plan->column, u);
            trace += u[k];
        }
        if (tied)
        {
            rows_times(problem, j, column, u);
            trace += plan->ties ? 0.0 : u[k];
        }
        store_response(plan, j, k, column);
        for (int i = 0; i < dim; ++i)
            W[i * dim + k] = u[i];
    }
    return trace;
}

static void respond(crn_gs_plan *plan, const cairn_problem *problem, int j, const double *responses)
{
    assert(plan->X_start[j] <= plan->X_start[j + 1]);
    int dim = problem->dim;
    int rows = crn_item_rows(problem, j);
    double *W = plan->W + (size_t)j * (size_t)(dim * dim);
    const double *R = own_compliance(plan, dim, j);
    bool simple = is_simple(plan, problem, j);
    memset(W, 0, (size_t)(dim * dim) * sizeof(double));
    double trace = 0.0;
    if (simple)
        respond_free(plan, problem, j, W);
    else
        trace = respond_tied(plan, problem, j, responses, W);
    for (int k = 0; k < rows; ++k)
        trace += (simple ? W[k * dim + k] : 0.0) + (R ? R[k * dim + k] : 0.0);
    for (int k = 0; k < dim * dim && R; ++k)
        W[k] += R[k];
    double rho = (double)rows / trace;
    plan->rho[j] = isfinite(rho) && rho > 0.0 ? rho : 1.0;
    factorise_block(plan, dim, rows, j);
}

/* Find the inverses, and where they are all that is used of A, check that it is positive definite. */
static cairn_status invert(crn_gs_plan *plan, cairn_context *context, const cairn_problem *problem)
{
    int singular;
    cairn_status status = crn_inverses_make(&plan->D, problem, plan->ties ? INT_MAX : CRN_MOST_INVERTED, &singular);
    if (status)
        return crn_fail(context, status, "no memory for the inverses of %d blocks", problem->block_count);
    for (int i = 0; i < problem->block_count && plan->apart && !status; ++i)
        status = crn_inverses_is_positive(&plan->D, i) ? CAIRN_OK : crn_problem_check_mass(context, problem, i);
    return status || singular < 0
               ? status
               : crn_fail(context, CAIRN_NUMERIC, "the diagonal block %d of A is singular", singular);
}

cairn_status crn_gs_plan_respond(crn_gs_plan *plan, cairn_context *context, const cairn_problem *problem)
{
    if (reserve(plan, problem))
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory for the responses of %d contacts", problem->contact_count);
    size_t columns = plan->apart ? 0 : (size_t)problem->dim * (size_t)problem->n;
    cairn_status status = invert(plan, context, problem);
    for (int first = 0; first < problem->contact_count && !status; first += BATCH)
    {
        int end = problem->contact_count - first < BATCH ? problem->contact_count : first + BATCH;
        if (!plan->apart && solve_tied(plan, problem, first, end))
            return crn_fail(context, CAIRN_NO_MEMORY, "no memory for the responses of %d contacts", end - first);
        for (int j = first; j < end; ++j)
            respond(plan, problem, j, plan->apart ? NULL : plan->responses + (size_t)(j - first) * columns);
    }
    return status;
}
