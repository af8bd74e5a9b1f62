/* E, P, e and f of an active set (active.h), and the solution that belongs to x. Dense: J'gamma and A^-1 J'gamma are stored
 * per variable. */
#include "solve/newton/active.h"

#include "linalg/blocks.h"
#include "linalg/compliance.h"

#include <assert.h>
#include <string.h>

enum
{
    WRITTEN_OUT = 48 /* unknowns; beyond them products with the few blocks of a row are faster */
};

static const cairn_block_rows *rows_of(const cairn_problem *problem, const crn_variable *a, int *item)
{
    assert((a->joint >= 0) != (a->contact >= 0));
    *item = a->joint >= 0 ? a->joint : a->contact;
    return a->joint >= 0 ? &problem->G : &problem->H;
}

/* y += f (coefficients of the variable)' J, a dense vector of n */
static void add_gradient(const cairn_problem *problem, const crn_variable *a, const double coefficient[3], double f,
                         double *y)
{
    int item;
    const cairn_block_rows *B = rows_of(problem, a, &item);
    int rows = a->joint >= 0 ? 1 : problem->dim;
    for (int e = B->entry_start[item]; e < B->entry_start[item + 1]; ++e)
    {
        int start = problem->block_start[B->block[e]];
        int size = problem->block_start[B->block[e] + 1] - start;
        const double *value = B->value + B->value_start[e] + a->row * size;
        for (int k = 0; k < rows; ++k)
            for (int i = 0; i < size && coefficient[k] != 0.0; ++i)
                y[start + i] += f * coefficient[k] * value[k * size + i];
    }
}

/* (coefficients)' J x */
static double rate(const cairn_problem *problem, const crn_variable *a, const double coefficient[3], const double *x)
{
    int item;
    const cairn_block_rows *B = rows_of(problem, a, &item);
    int rows = a->joint >= 0 ? 1 : problem->dim;
    double sum = 0.0;
    for (int e = B->entry_start[item]; e < B->entry_start[item + 1]; ++e)
    {
        int start = problem->block_start[B->block[e]];
        int size = problem->block_start[B->block[e] + 1] - start;
        const double *value = B->value + B->value_start[e] + a->row * size;
        for (int k = 0; k < rows; ++k)
            for (int i = 0; i < size && coefficient[k] != 0.0; ++i)
                sum += coefficient[k] * value[k * size + i] * x[start + i];
    }
    return sum;
}

/* A row (coefficients)'J that is multiplied with many vectors: dense where there are few unknowns. */
typedef struct gradient
{
    const cairn_problem *problem;
    const crn_variable *variable;
    const double *coefficient;
    const double *dense; /* n, or NULL */
} gradient;

static gradient find_gradient(const crn_active *active, const cairn_problem *problem, const crn_variable *a,
                              const double coefficient[3])
{
    gradient g = {problem, a, coefficient, NULL};
    if (problem->n <= WRITTEN_OUT)
    {
        memset(active->scratch, 0, (size_t)problem->n * sizeof(double));
        add_gradient(problem, a, coefficient, 1.0, active->scratch);
        g.dense = active->scratch;
    }
    return g;
}

static double along(const gradient *g, const double *x)
{
    if (!g->dense)
        return rate(g->problem, g->variable, g->coefficient, x);
    double sum = 0.0;
    for (int i = 0; i < g->problem->n; ++i)
        sum += g->dense[i] * x[i];
    return sum;
}

/* left' R_ij right */
static double between(const cairn_problem *problem, int i, const double left[3], int j, const double *right)
{
    int stride;
    const double *R = crn_compliance_block(problem, i, j, &stride);
    double sum = 0.0;
    for (int a = 0; a < problem->dim && R; ++a)
        for (int b = 0; b < problem->dim; ++b)
            sum += left[a] * R[a * stride + b] * right[b];
    return sum;
}

static double compliance(const cairn_problem *problem, const crn_variable *a, const double left[3],
                         const crn_variable *b)
{
    if (a->joint >= 0)
    {
        bool same = a->joint == b->joint && a->row == b->row;
        return same ? problem->R_c[problem->G.row_start[a->joint] + a->row] : 0.0;
    }
    return b->contact >= 0 ? between(problem, a->contact, left, b->contact, b->gamma) : 0.0;
}

static cairn_status reserve_matrices(crn_active *active, const cairn_problem *problem)
{
    size_t count = (size_t)active->count + 1;
    size_t n = (size_t)problem->n + 1;
    return crn_reserve_all(&active->memory, CRN_ARRAY(active->E, count * count), CRN_ARRAY(active->P, count * count),
                           CRN_ARRAY(active->Y, count * n), CRN_ARRAY(active->X, count * n));
}

static void find_columns(crn_active *active, const cairn_problem *problem)
{
    size_t n = (size_t)problem->n;
    memset(active->Y, 0, (size_t)active->count * n * sizeof(double));
    for (int a = 0; a < active->count; ++a)
    {
        const crn_variable *variable = &active->variable[a];
        add_gradient(problem, variable, variable->gamma, 1.0, active->Y + (size_t)a * n);
        memcpy(active->X + (size_t)a * n, active->Y + (size_t)a * n, n * sizeof(double));
        crn_saddle_solve(active->saddle, active->X + (size_t)a * n, NULL);
    }
    memcpy(active->base, problem->p, n * sizeof(double));
    for (int j = 0; j < problem->contact_count; ++j)
    {
        crn_variable contact = {.joint = -1, .contact = j};
        double offset[3] = {0.0, 0.0, 0.0};
        memcpy(offset, active->offset + j * problem->dim, (size_t)problem->dim * sizeof(double));
        add_gradient(problem, &contact, offset, 1.0, active->base);
    }
    crn_saddle_solve(active->saddle, active->base, NULL);
}

/* What (coefficients)'J v has to be for (coefficients)'u to be `velocity`, without the forces' part. */
static double target(const cairn_problem *problem, const crn_active *active, const crn_variable *a,
                     const double coefficient[3], double velocity)
{
    if (a->joint >= 0)
        return problem->b[problem->G.row_start[a->joint] + a->row];
    double sum = velocity;
    for (int k = 0; k < problem->dim; ++k)
        sum -= coefficient[k] * problem->w[a->contact * problem->dim + k];
    for (int j = 0; j < problem->contact_count && crn_has_compliance(problem); ++j)
        sum -= between(problem, a->contact, coefficient, j, active->offset + j * problem->dim);
    return sum;
}

/* gamma'u of the solution where it slides; velocities that rho keeps zero stay zero. */
static double slip_velocity(const cairn_problem *problem, const crn_active *active, const crn_variable *a)
{
    double sum = 0.0;
    for (int k = 0; k < problem->dim && a->contact >= 0; ++k)
        sum += (a->gamma[k] - a->rho[k]) * active->u[a->contact * problem->dim + k];
    return sum;
}

double crn_active_target(const crn_active *active, const cairn_problem *problem, int variable)
{
    const crn_variable *a = &active->variable[variable];
    if (a->joint >= 0)
        return problem->b[problem->G.row_start[a->joint] + a->row];
    double sum = slip_velocity(problem, active, a);
    for (int k = 0; k < problem->dim; ++k)
        sum -= a->gamma[k] * problem->w[a->contact * problem->dim + k];
    return sum;
}

/* (coefficients)'(J A^-1 J' + R) gamma_b for all b */
static void fill_row(crn_active *active, const cairn_problem *problem, const crn_variable *a,
                     const double coefficient[3], double *row)
{
    gradient g = find_gradient(active, problem, a, coefficient);
    for (int b = 0; b < active->count; ++b)
    {
        row[b] = along(&g, active->X + (size_t)b * (size_t)problem->n) +
                 compliance(problem, a, coefficient, &active->variable[b]);
    }
}

cairn_status crn_active_build(crn_active *active, const cairn_problem *problem)
{
    assert(active->count <= crn_active_most(problem));
    cairn_problem bodies = *problem;
    bodies.joint_rows = bodies.G.item_count = 0;
    CRN_TRY(reserve_matrices(active, problem));
    CRN_TRY(crn_saddle_factorise(active->saddle, NULL, &bodies));
    int m = active->count;
    find_columns(active, problem);
    for (int a = 0; a < m; ++a)
    {
        const crn_variable *row = &active->variable[a];
        fill_row(active, problem, row, row->rho, active->E + (size_t)a * (size_t)m);
        if (!active->symmetric)
            fill_row(active, problem, row, row->gamma, active->P + (size_t)a * (size_t)m);
        active->e[a] = target(problem, active, row, row->rho, 0.0) - rate(problem, row, row->rho, active->base);
        active->f[a] = target(problem, active, row, row->gamma, slip_velocity(problem, active, row)) -
                       rate(problem, row, row->gamma, active->base);
    }
    return CAIRN_OK;
}

/* Correct v by the residual of A v = p + G'c + H'r. */
static void refine(crn_active *active, const cairn_problem *problem, cairn_solution *solution)
{
    for (int i = 0; i < problem->n; ++i)
        active->sum[i] = -(long double)problem->p[i];
    crn_matrix_add(&problem->A, problem->block_start, solution->v, active->sum);
    crn_rows_transposed_add(&problem->G, problem->block_start, -1.0, solution->c, active->sum);
    crn_rows_transposed_add(&problem->H, problem->block_start, -1.0, solution->r, active->sum);
    for (int i = 0; i < problem->n; ++i)
        active->scratch[i] = (double)-active->sum[i];
    crn_saddle_solve(active->saddle, active->scratch, NULL);
    for (int i = 0; i < problem->n; ++i)
        solution->v[i] += active->scratch[i];
}

void crn_active_apply(crn_active *active, const cairn_problem *problem, const double *x, cairn_solution *solution)
{
    assert(solution->n == problem->n);
    memcpy(solution->v, active->base, (size_t)problem->n * sizeof(double));
    if (solution->contact_rows > 0)
        memcpy(solution->r, active->offset, (size_t)solution->contact_rows * sizeof(double));
    for (int a = 0; a < active->count; ++a)
    {
        const crn_variable *variable = &active->variable[a];
        for (int i = 0; i < problem->n; ++i)
            solution->v[i] += x[a] * active->X[(size_t)a * (size_t)problem->n + (size_t)i];
        if (variable->joint >= 0)
        {
            solution->c[problem->G.row_start[variable->joint] + variable->row] = x[a];
            continue;
        }
        for (int k = 0; k < problem->dim; ++k)
            solution->r[variable->contact * problem->dim + k] += x[a] * variable->gamma[k];
    }
    refine(active, problem, solution);
}

cairn_status crn_active_refine(crn_active *active, const cairn_problem *problem, cairn_solution *solution)
{
    cairn_problem bodies = *problem;
    bodies.joint_rows = bodies.G.item_count = 0;
    CRN_TRY(crn_saddle_factorise(active->saddle, NULL, &bodies));
    refine(active, problem, solution);
    return CAIRN_OK;
}
