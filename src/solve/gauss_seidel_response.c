/* X_j, W_jj and rho_j of every contact.
 *
 * A contact between bodies that stand alone needs their blocks of A^-1 only: small dense factors. One at a tied cluster
 * takes its columns from the sparse factors of K, so the joints are eliminated exactly: sweeping over joint rows as if
 * they were contacts would carry an impulse one joint a sweep and converge slowly along a chain, and dependent rows
 * would have to be found locally.
 *
 * Joints can leave a contact no motion in some direction, and then W_jj is singular or noise. Such a block is shifted:
 * W_jj + s 1 with the bias - s r_old, a proximal step, which has the same fixed points.
 */
#include "solve/gauss_seidel_response.h"

#include "base/memory.h"
#include "linalg/lu.h"
#include "solve/gauss_seidel_kernel.h"
#include "solve/local_coulomb.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Pivots of W_jj below this share of 1 / rho_j call for a shift of the same size. */
static const double SHIFT = 1e-10;

static int block_size(const cairn_problem *problem, int block)
{
    return problem->block_start[block + 1] - problem->block_start[block];
}

static bool is_diagonal(int size, const double *block)
{
    for (int k = 0; k < size * size; ++k)
    {
        if (block[k] != 0.0 && k / size != k % size)
        {
            return false;
        }
    }
    return true;
}

/* `inverse` = the transpose of block^-1; false when the block is singular. */
static bool invert(crn_gs_plan *plan, int size, const double *block, double *inverse)
{
    bool regular = true;
    size_t values = (size_t)size * (size_t)size;
    memset(inverse, 0, values * sizeof(double));
    if (is_diagonal(size, block))
    {
        for (int k = 0; k < size; ++k)
        {
            inverse[k * size + k] = 1.0 / block[k * size + k];
            regular = regular && fabs(block[k * size + k]) > 0.0;
        }
        return regular;
    }
    for (int k = 0; k < size * size; ++k)
    {
        plan->D_factors[k] = block[k % size * size + k / size];
    }
    if (!crn_lu_factorise(size, plan->D_factors, size, plan->D_row, 0.0))
    {
        return false;
    }
    for (int k = 0; k < size; ++k)
    {
        inverse[k * size + plan->D_row[k]] = 1.0;
    }
    crn_lu_solve(size, plan->D_factors, size, inverse, size, size);
    return true;
}

static cairn_status invert_diagonal(crn_gs_plan *plan, cairn_context *context, const cairn_problem *problem)
{
    int start = 0;
    for (int i = 0; i < problem->block_count; ++i)
    {
        int size = block_size(problem, i);
        int e = problem->A.row_start[i];
        while (problem->A.column[e] != i)
        {
            ++e;
        }
        plan->D_start[i] = start;
        if (!invert(plan, size, problem->A.value + problem->A.value_start[e], plan->D + start))
        {
            return crn_fail(context, CAIRN_NUMERIC, "the diagonal block %d of A is singular", i);
        }
        start += size * size;
    }
    return CAIRN_OK;
}

static void add_solved_6(const double *row, const double *D, double *x)
{
    crn_pair x0 = crn_pair_at(x);
    crn_pair x2 = crn_pair_at(x + 2);
    crn_pair x4 = crn_pair_at(x + 4);
    for (int l = 0; l < 6; ++l)
    {
        x0 += row[l] * crn_pair_at(D + 6 * l);
        x2 += row[l] * crn_pair_at(D + 6 * l + 2);
        x4 += row[l] * crn_pair_at(D + 6 * l + 4);
    }
    *(crn_pair *)x = x0;
    *(crn_pair *)(x + 2) = x2;
    *(crn_pair *)(x + 4) = x4;
}

/* x += D_ii^-1 row' */
static void add_solved(const crn_gs_plan *plan, const cairn_problem *problem, int i, const double *row, double *x)
{
    int size = block_size(problem, i);
    const double *D = plan->D + plan->D_start[i];
    if (size == 6)
    {
        add_solved_6(row, D, x);
        return;
    }
    for (int l = 0; l < size; ++l)
    {
        for (int k = 0; k < size && row[l] != 0.0; ++k)
        {
            x[k] += row[l] * D[l * size + k];
        }
    }
}

static bool is_tied(const crn_gs_plan *plan, const cairn_problem *problem, int j)
{
    for (int e = problem->H.entry_start[j]; e < problem->H.entry_start[j + 1]; ++e)
    {
        if (plan->tied[plan->cluster[problem->H.block[e]]])
        {
            return true;
        }
    }
    return false;
}

/* List the velocities of a cluster for contact j, as runs, unless an entry before e has the same cluster. Returns the
 * values. */
static size_t list_cluster(crn_gs_plan *plan, const cairn_problem *problem, int j, int e, size_t *entry, size_t value)
{
    const cairn_block_rows *H = &problem->H;
    int cluster = plan->cluster[H->block[e]];
    for (int before = H->entry_start[j]; before < e; ++before)
    {
        if (plan->cluster[H->block[before]] == cluster)
        {
            return value;
        }
    }
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
        {
            plan->X_size[*entry - 1] += size;
        }
        value += (size_t)problem->dim * (size_t)size;
    }
    return value;
}

/* What each contact moves: counted first (X_first NULL), then listed. */
static size_t list_runs(crn_gs_plan *plan, const cairn_problem *problem, size_t *values)
{
    size_t entry = 0;
    *values = 0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        plan->X_start[j] = entry;
        for (int e = problem->H.entry_start[j]; e < problem->H.entry_start[j + 1]; ++e)
        {
            *values = list_cluster(plan, problem, j, e, &entry, *values);
        }
    }
    plan->X_start[problem->contact_count] = entry;
    return entry;
}

static cairn_status reserve(crn_gs_plan *plan, const cairn_problem *problem)
{
    size_t contacts = (size_t)problem->contact_count + 1;
    size_t D_values = 1;
    size_t largest = 1;
    size_t values;
    size_t *capacity = plan->capacity;
    for (int i = 0; i < problem->block_count; ++i)
    {
        size_t size = (size_t)block_size(problem, i);
        D_values += size * size;
        largest = size > largest ? size : largest;
    }
    cairn_status status = crn_reserve(&plan->D, &capacity[4], D_values, sizeof(double));
    status = status ? status : crn_reserve(&plan->D_row, &capacity[5], largest, sizeof(int));
    status = status ? status : crn_reserve(&plan->D_factors, &capacity[28], largest * largest, sizeof(double));
    status = status ? status : crn_reserve(&plan->factors, &capacity[29], 9 * contacts, sizeof(double));
    status = status ? status : crn_reserve(&plan->factored, &capacity[30], contacts, sizeof(bool));
    status = status ? status : crn_reserve(&plan->D_start, &capacity[6], (size_t)problem->block_count + 1, sizeof(int));
    status = status ? status : crn_reserve(&plan->X_start, &capacity[7], contacts, sizeof(size_t));
    status = status ? status : crn_reserve(&plan->W, &capacity[8], 9 * contacts, sizeof(double));
    status = status ? status : crn_reserve(&plan->shift, &capacity[9], contacts, sizeof(double));
    status = status ? status : crn_reserve(&plan->rho, &capacity[10], contacts, sizeof(double));
    if (status)
    {
        return status;
    }
    int *listed = plan->X_first;
    plan->X_first = NULL;
    size_t entries = list_runs(plan, problem, &values) + 1;
    plan->X_first = listed;
    status = crn_reserve(&plan->X_first, &capacity[11], entries, sizeof(int));
    status = status ? status : crn_reserve(&plan->X_size, &capacity[31], entries, sizeof(int));
    status = status ? status : crn_reserve(&plan->X_value, &capacity[12], entries, sizeof(size_t));
    status = status ? status : crn_reserve(&plan->X, &capacity[13], values + 1, sizeof(double));
    if (!status)
    {
        list_runs(plan, problem, &values);
    }
    return status;
}

/* f += row k of contact j, as a column. */
static void add_row(const cairn_problem *problem, int j, int k, double *f)
{
    const cairn_block_rows *H = &problem->H;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int size = block_size(problem, H->block[e]);
        const double *row = H->value + H->value_start[e] + k * size;
        for (int i = 0; i < size; ++i)
        {
            f[problem->block_start[H->block[e]] + i] += row[i];
        }
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
    {
        memset(x + plan->X_first[e], 0, (size_t)plan->X_size[e] * sizeof(double));
    }
}

/* `column` = D^-1 H_j' of row k: the response without springs between blocks and without joints. */
static void solve_free(crn_gs_plan *plan, const cairn_problem *problem, int j, int k)
{
    const cairn_block_rows *H = &problem->H;
    clear(plan, j, plan->column);
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        const double *row = H->value + H->value_start[e] + k * block_size(problem, H->block[e]);
        add_solved(plan, problem, H->block[e], row, plan->column + problem->block_start[H->block[e]]);
    }
}

static void solve_tied(crn_gs_plan *plan, const cairn_problem *problem, int j, int k)
{
    memset(plan->column, 0, (size_t)problem->n * sizeof(double));
    memset(plan->g, 0, (size_t)problem->joint_rows * sizeof(double));
    add_row(problem, j, k, plan->column);
    crn_saddle_solve(plan->saddle, plan->column, plan->g);
}

static void store_response(crn_gs_plan *plan, int j, int k)
{
    for (size_t e = plan->X_start[j]; e < plan->X_start[j + 1]; ++e)
    {
        size_t size = (size_t)plan->X_size[e];
        memcpy(plan->X + plan->X_value[e] + (size_t)k * size, plan->column + plan->X_first[e], size * sizeof(double));
    }
}

/* The smallest pivot of W; only its size is wanted, so rows are not exchanged. */
static double smallest_pivot(int dim, const double *W)
{
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
            {
                m[i * dim + l] -= factor * m[k * dim + l];
            }
        }
    }
    return least;
}

static void shift_block(crn_gs_plan *plan, int dim, int j)
{
    double *W = plan->W + (size_t)j * (size_t)(dim * dim);
    double floor = SHIFT / plan->rho[j];
    plan->shift[j] = smallest_pivot(dim, W) < floor ? floor : 0.0;
    for (int k = 0; k < dim; ++k)
    {
        W[k * dim + k] += plan->shift[j];
    }
}

/* R_jj of contact j, NULL when there is none. */
static const double *own_compliance(const crn_gs_plan *plan, int dim, int j)
{
    for (size_t e = plan->R_start[j]; e < plan->R_start[j + 1]; ++e)
    {
        if (plan->R_contact[e] == j)
        {
            return plan->R + e * (size_t)(dim * dim);
        }
    }
    return NULL;
}

static void respond(crn_gs_plan *plan, const cairn_problem *problem, int j)
{
    int dim = problem->dim;
    double *W = plan->W + (size_t)j * (size_t)(dim * dim);
    const double *R = own_compliance(plan, dim, j);
    bool tied = is_tied(plan, problem, j);
    double trace = 0.0;
    for (int k = 0; k < dim; ++k)
    {
        double u[3];
        solve_free(plan, problem, j, k);
        rows_times(problem, j, plan->column, u);
        trace += u[k] + (R ? R[k * dim + k] : 0.0);
        if (tied)
        {
            solve_tied(plan, problem, j, k);
            rows_times(problem, j, plan->column, u);
        }
        store_response(plan, j, k);
        for (int i = 0; i < dim; ++i)
        {
            W[i * dim + k] = u[i] + (R ? R[i * dim + k] : 0.0);
        }
    }
    double rho = (double)dim / trace;
    plan->rho[j] = isfinite(rho) && rho > 0.0 ? rho : 1.0;
    shift_block(plan, dim, j);
    plan->factored[j] = crn_local_factorise(dim, W, plan->factors + (size_t)j * (size_t)(dim * dim));
}

cairn_status crn_gs_plan_respond(crn_gs_plan *plan, cairn_context *context, const cairn_problem *problem)
{
    if (reserve(plan, problem))
    {
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory for the responses of %d contacts", problem->contact_count);
    }
    cairn_status status = invert_diagonal(plan, context, problem);
    for (int j = 0; j < problem->contact_count && !status; ++j)
    {
        assert(problem->H.entry_start[j + 1] >= problem->H.entry_start[j]);
        respond(plan, problem, j);
    }
    return status;
}
