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

static void solve_refined(crn_reduction *reduction, const cairn_problem *problem, const right_side *right, double *v,
                          double *c)
{
    assert(v != reduction->f && c != reduction->g);
    memset(v, 0, (size_t)problem->n * sizeof(double));
    memset(c, 0, (size_t)problem->joint_rows * sizeof(double));
    for (int pass = 0; pass <= REFINEMENTS; ++pass)
    {
        find_residual(reduction, problem, right, v, c);
        for (int i = 0; i < problem->n; ++i)
            reduction->f[i] = (double)reduction->residual_v[i];
        for (int i = 0; i < problem->joint_rows; ++i)
            reduction->g[i] = (double)reduction->residual_c[i];
        crn_saddle_solve(reduction->saddle, reduction->f, reduction->g);
        for (int i = 0; i < problem->n; ++i)
            v[i] += reduction->f[i];
        for (int i = 0; i < problem->joint_rows; ++i)
            c[i] += reduction->g[i];
    }
}

void crn_recover(crn_reduction *reduction, const cairn_problem *problem, const double *r, double *v, double *c)
{
    solve_refined(reduction, problem, &(right_side){.f = problem->p, .r = r, .b = problem->b}, v, c);
}

/* Column `column` of W: K^-1 H_j' seen by every contact. */
static void form_column(crn_reduction *reduction, const cairn_problem *problem, int column)
{
    assert(column >= 0 && column < reduction->rows);
    int dim = problem->dim;
    size_t rows = (size_t)reduction->rows;
    double *x = reduction->v_free;
    double mobility = 0.0;                                    /* without joints */
    if (column % dim >= crn_item_rows(problem, column / dim)) /* a bounded row has no tangents */
    {
        for (int row = 0; row < reduction->rows; ++row)
            reduction->W[row * rows + column] = 0.0;
        reduction->locked[column] = false;
        return;
    }
    load_row(problem, column / dim, column % dim, reduction->row);
    memcpy(x, reduction->row, (size_t)problem->n * sizeof(double));
    crn_saddle_solve_free(reduction->saddle, x);
    if (problem->joint_rows > 0)
    {
        mobility = crn_row_times(problem, &problem->H, column / dim, column % dim, x);
        solve_refined(reduction, problem, &(right_side){.f = reduction->row}, x, reduction->c_free);
    }
    for (int row = 0; row < reduction->rows; ++row)
        reduction->W[row * rows + column] = crn_row_times(problem, &problem->H, row / dim, row % dim, x);
    reduction->locked[column] = reduction->W[column * rows + column] < LOCKED * mobility;
}

static void form_delassus(crn_reduction *reduction, const cairn_problem *problem)
{
    size_t rows = (size_t)reduction->rows;
    for (int column = 0; column < reduction->rows; ++column)
        form_column(reduction, problem, column);
    for (size_t a = 0; a < rows; ++a)
        for (size_t b = 0; b < rows && reduction->locked[a]; ++b)
            reduction->W[a * rows + b] = reduction->W[b * rows + a] = 0.0;
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
        form_delassus(reduction, problem);
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
