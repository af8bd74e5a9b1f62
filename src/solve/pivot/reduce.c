#include "solve/pivot/reduce.h"

#include "base/memory.h"
#include "linalg/blocks.h"
#include "linalg/compliance.h"
#include "solve/auto/bounded.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int REFINEMENTS = 2;

/* A correction below this share of the solution leaves an error that is below rounding: every correction is smaller than the one
 * before by at least as much. */
static const double SETTLED = 1e-12;

/* A row whose mobility is below this share of its mobility without joints is locked. */
static const double LOCKED = 1e-13;

bool crn_reduction_open(crn_reduction *reduction)
{
    reduction->saddle = crn_saddle_create();
    return reduction->saddle;
}

void crn_reduction_close(crn_reduction *reduction)
{
    crn_saddle_destroy(reduction->saddle);
    crn_arena_release(&reduction->memory);
    memset(reduction, 0, sizeof *reduction);
}

/* What crn_recover needs. */
static cairn_status reserve_bodies(crn_reduction *reduction, const cairn_problem *problem)
{
    return crn_reserve_all(&reduction->memory, CRN_ARRAY(reduction->f, problem->n),
                           CRN_ARRAY(reduction->g, problem->joint_rows), CRN_ARRAY(reduction->residual_v, problem->n),
                           CRN_ARRAY(reduction->residual_c, problem->joint_rows));
}

static cairn_status reserve(crn_reduction *reduction, const cairn_problem *problem)
{
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    CRN_TRY(reserve_bodies(reduction, problem));
    return crn_reserve_all(&reduction->memory, CRN_ARRAY(reduction->W, rows * rows), CRN_ARRAY(reduction->u_free, rows),
                           CRN_ARRAY(reduction->v_free, problem->n), CRN_ARRAY(reduction->c_free, problem->joint_rows),
                           CRN_ARRAY(reduction->row, problem->n), CRN_ARRAY(reduction->locked, rows),
                           CRN_ARRAY(reduction->u, rows));
}

/* f = row `row` of contact j, as a column. */
static void load_row(const cairn_problem *problem, int j, int row, double *f)
{
    assert(row >= 0 && row < problem->dim);
    const cairn_block_rows *H = &problem->H;
    memset(f, 0, (size_t)problem->n * sizeof(double));
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int start = problem->block_start[H->block[e]];
        int size = problem->block_start[H->block[e] + 1] - start;
        const double *value = H->value + H->value_start[e] + row * size;
        for (int k = 0; k < size; ++k)
            f[start + k] += value[k];
    }
}

/* The right-hand side of K (v, c) = (f + H'r, b); NULL stands for zero. */
typedef struct right_side
{
    const double *f, *r, *b;
} right_side;

/* The right-hand side itself, which is the residual of v = 0 and c = 0. */
static void start_residual(crn_reduction *reduction, const cairn_problem *problem, const right_side *right)
{
    for (int i = 0; i < problem->n; ++i)
        reduction->residual_v[i] = right->f[i];
    if (right->r)
        crn_rows_transposed_add(&problem->H, problem->block_start, 1.0, right->r, reduction->residual_v);
    for (int i = 0; i < problem->joint_rows; ++i)
        reduction->residual_c[i] = right->b ? right->b[i] : 0.0;
}

static void find_residual(crn_reduction *reduction, const cairn_problem *problem, const right_side *right,
                          const double *v, const double *c)
{
    long double *residual_v = reduction->residual_v;
    for (int i = 0; i < problem->n; ++i)
        residual_v[i] = 0.0L;
    crn_matrix_add(&problem->A, problem->block_start, v, residual_v);
    for (int i = 0; i < problem->n; ++i)
        residual_v[i] = right->f[i] - residual_v[i];
    crn_rows_transposed_add(&problem->G, problem->block_start, 1.0, c, residual_v);
    if (right->r)
        crn_rows_transposed_add(&problem->H, problem->block_start, 1.0, right->r, residual_v);
    for (int i = 0; i < problem->joint_rows; ++i)
        reduction->residual_c[i] = (right->b ? right->b[i] : 0.0) - (long double)problem->R_c[i] * c[i];
    crn_rows_add(&problem->G, problem->block_start, -1.0, v, reduction->residual_c);
}

/* x += d; true when d is no more than `share` of the largest of x. */
static bool correct(int count, const double *d, double share, double *x)
{
    double largest = 0.0;
    double change = 0.0;
    for (int i = 0; i < count; ++i)
    {
        x[i] += d[i];
        largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
        change = fabs(d[i]) > change ? fabs(d[i]) : change;
    }
    return change <= share * largest;
}

/* Corrections end when they are rounding. Without joints none is left out: those solutions are kept to the last bit. */
static void solve_refined(crn_reduction *reduction, const cairn_problem *problem, const right_side *right, double *v,
                          double *c)
{
    assert(v != reduction->f && c != reduction->g);
    double share = problem->joint_rows > 0 ? SETTLED : 0.0;
    bool settled = false;
    memset(v, 0, (size_t)problem->n * sizeof(double));
    memset(c, 0, (size_t)problem->joint_rows * sizeof(double));
    for (int pass = 0; pass <= REFINEMENTS && !settled; ++pass)
    {
        if (pass == 0)
            start_residual(reduction, problem, right);
        else
            find_residual(reduction, problem, right, v, c);
        for (int i = 0; i < problem->n; ++i)
            reduction->f[i] = (double)reduction->residual_v[i];
        for (int i = 0; i < problem->joint_rows; ++i)
            reduction->g[i] = (double)reduction->residual_c[i];
        crn_saddle_solve(reduction->saddle, reduction->f, reduction->g);
        settled = correct(problem->n, reduction->f, share, v);
        settled = correct(problem->joint_rows, reduction->g, share, c) && settled;
    }
}

void crn_recover(crn_reduction *reduction, const cairn_problem *problem, const double *r, double *v, double *c)
{
    solve_refined(reduction, problem, &(right_side){.f = problem->p, .r = r, .b = problem->b}, v, c);
}

/* Whether a row of W exists: a bounded row has no tangents. */
static bool is_row(const cairn_problem *problem, int row)
{
    return row % problem->dim < crn_item_rows(problem, row / problem->dim);
}

/* x = A^-1 H_a', without joints. */
static void solve_free_row(crn_reduction *reduction, const cairn_problem *problem, int a, double *x)
{
    memset(x, 0, (size_t)problem->n * sizeof(double));
    if (!is_row(problem, a))
        return;
    load_row(problem, a / problem->dim, a % problem->dim, x);
    crn_saddle_solve_free(reduction->saddle, x);
}

/* Column a of W from K^-1 H_a', as every contact sees it. mobility: W_aa without joints, 0 where there are none. */
static void store_column(crn_reduction *reduction, const cairn_problem *problem, int a, const double *x,
                         double mobility)
{
    int dim = problem->dim;
    size_t rows = (size_t)reduction->rows;
    for (int row = 0; row < reduction->rows; ++row)
        reduction->W[(size_t)row * rows + (size_t)a] = crn_row_times(problem, &problem->H, row / dim, row % dim, x);
    reduction->locked[a] = reduction->W[(size_t)a * (rows + 1)] < LOCKED * mobility;
}

/* F and E: what (X, Y) leaves of the equations K (x, y) = (H_a', 0), for each row a. */
static void find_residuals(crn_reduction *reduction, const cairn_problem *problem)
{
    size_t n = (size_t)problem->n;
    size_t m = (size_t)problem->joint_rows;
    for (int a = 0; a < reduction->rows; ++a)
    {
        const right_side right = {.f = reduction->row};
        if (is_row(problem, a))
            load_row(problem, a / problem->dim, a % problem->dim, reduction->row);
        else
            memset(reduction->row, 0, n * sizeof(double));
        find_residual(reduction, problem, &right, reduction->X + (size_t)a * n, reduction->Y + (size_t)a * m);
        for (size_t i = 0; i < n; ++i)
            reduction->F[(size_t)a * n + i] = (double)reduction->residual_v[i];
        for (size_t i = 0; i < m; ++i)
            reduction->E[(size_t)a * m + i] = (double)reduction->residual_c[i];
    }
}

/* Columns of X: K^-1 H_a' for each row a, all of them at once, refined as in solve_refined. */
static cairn_status form_columns(crn_reduction *reduction, const cairn_problem *problem)
{
    size_t n = (size_t)problem->n;
    size_t m = (size_t)problem->joint_rows;
    size_t rows = (size_t)reduction->rows;
    bool settled = false;
    CRN_TRY(crn_reserve_all(&reduction->memory, CRN_ARRAY(reduction->X, rows * n), CRN_ARRAY(reduction->Y, rows * m),
                            CRN_ARRAY(reduction->F, rows * n), CRN_ARRAY(reduction->E, rows * m)));
    memset(reduction->X, 0, rows * n * sizeof(double));
    memset(reduction->Y, 0, rows * m * sizeof(double));
    for (int pass = 0; pass <= REFINEMENTS && !settled; ++pass)
    {
        find_residuals(reduction, problem);
        CRN_TRY(crn_saddle_solve_many(reduction->saddle, reduction->rows, reduction->F, reduction->E));
        settled = true;
        for (size_t a = 0; a < rows; ++a)
        {
            settled = correct(problem->n, reduction->F + a * n, SETTLED, reduction->X + a * n) && settled;
            settled = correct(problem->joint_rows, reduction->E + a * m, SETTLED, reduction->Y + a * m) && settled;
        }
    }
    return CAIRN_OK;
}

static cairn_status form_delassus(crn_reduction *reduction, const cairn_problem *problem)
{
    int dim = problem->dim;
    size_t n = (size_t)problem->n;
    size_t rows = (size_t)reduction->rows;
    bool joints = problem->joint_rows > 0;
    if (joints)
        CRN_TRY(form_columns(reduction, problem));
    for (int a = 0; a < reduction->rows; ++a)
    {
        double *x = reduction->v_free;
        solve_free_row(reduction, problem, a, x);
        double mobility = joints ? crn_row_times(problem, &problem->H, a / dim, a % dim, x) : 0.0;
        store_column(reduction, problem, a, joints ? reduction->X + (size_t)a * n : x, mobility);
    }
    for (size_t a = 0; a < rows; ++a)
        for (size_t b = 0; b < rows && reduction->locked[a]; ++b)
            reduction->W[a * rows + b] = reduction->W[b * rows + a] = 0.0;
    return CAIRN_OK;
}

/* Velocities without contact impulses. In a locked row, a velocity far below that of the bodies without joints is noise. */
static void form_free_velocity(crn_reduction *reduction, const cairn_problem *problem)
{
    assert(reduction->rows == problem->dim * problem->contact_count);
    crn_recover(reduction, problem, NULL, reduction->v_free, reduction->c_free);
    crn_contact_velocities(problem, reduction->v_free, NULL, reduction->u);
    for (int a = 0; a < reduction->rows; ++a)
        reduction->u_free[a] = (double)reduction->u[a];
    for (int i = 0; i < problem->n; ++i)
        reduction->row[i] = problem->p[i];
    crn_saddle_solve_free(reduction->saddle, reduction->row);
    for (int a = 0; a < reduction->rows; ++a)
    {
        double moved = fabs(reduction->u_free[a] - problem->w[a]);
        double before = crn_row_speed(problem, &problem->H, a / problem->dim, a % problem->dim, reduction->row);
        if (reduction->locked[a] && moved < LOCKED * before)
            reduction->u_free[a] = problem->w[a];
    }
}

cairn_status crn_reduction_factorise(crn_reduction *reduction, const cairn_problem *problem)
{
    CRN_TRY(reserve_bodies(reduction, problem));
    return crn_saddle_factorise(reduction->saddle, NULL, problem);
}

cairn_status crn_reduce(crn_reduction *reduction, cairn_context *context, const cairn_problem *problem)
{
    assert(problem->H.item_count == problem->contact_count);
    reduction->rows = problem->dim * problem->contact_count;
    if (reserve(reduction, problem))
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory for %d contacts and bounded rows", problem->contact_count);
    cairn_status status = crn_saddle_factorise(reduction->saddle, context, problem);
    if (status || reduction->rows == 0)
        return status;
    if (problem->H.entry_start[problem->contact_count] > 0)
    {
        if (form_delassus(reduction, problem))
            return crn_fail(context, CAIRN_NO_MEMORY, "no memory for %d contacts and bounded rows",
                            problem->contact_count);
    }
    else
    {
        memset(reduction->W, 0, (size_t)reduction->rows * (size_t)reduction->rows * sizeof(double));
        memset(reduction->locked, 0, (size_t)reduction->rows * sizeof(bool));
    }
    crn_compliance_add_dense(problem, reduction->W);
    form_free_velocity(reduction, problem);
    return CAIRN_OK;
}
