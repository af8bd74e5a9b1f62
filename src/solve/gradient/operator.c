#include "solve/gradient/operator.h"

#include "linalg/blocks.h"
#include "linalg/compliance.h"
#include "math/cone.h"
#include "math/cylinder.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Refinements of the final v. With a lagging part each gains as many digits as that part is smaller than the rest. */
static const int MOST_REFINEMENTS = 60;

static bool is_exact(const cairn_problem *problem)
{
    cairn_law_kind kind = problem->law.kind;
    return kind == CAIRN_LAW_CONE || (problem->dim == 2 && (kind == CAIRN_LAW_PYRAMID || kind == CAIRN_LAW_BOX));
}

bool crn_operator_can_solve(const cairn_problem *problem)
{
    cairn_law_kind kind = problem->law.kind;
    return is_exact(problem) || kind == CAIRN_LAW_FRICTIONLESS || kind == CAIRN_LAW_CONVEX_CONE ||
           kind == CAIRN_LAW_CONVEX_PYRAMID || kind == CAIRN_LAW_LAGGED || crn_has_rows_only(problem);
}

bool crn_operator_open(crn_operator *op)
{
    op->saddle = crn_saddle_create();
    op->certifier = crn_certifier_create();
    return op->saddle && op->certifier;
}

void crn_operator_close(crn_operator *op)
{
    crn_saddle_destroy(op->saddle);
    crn_certifier_destroy(op->certifier);
    crn_arena_release(&op->memory);
    memset(op, 0, sizeof *op);
}

static int matrix_values(const cairn_block_matrix *A)
{
    int entries = A->block_count ? A->row_start[A->block_count] : 0;
    return entries ? A->value_start[entries] : 0;
}

/* Rows of patch k. */
static size_t patch_rows(const cairn_problem *problem, int k)
{
    assert(k >= 0 && k < problem->patch_count);
    assert(problem->patch_start[k] <= problem->patch_start[k + 1]);
    return (size_t)problem->dim * (size_t)(problem->patch_start[k + 1] - problem->patch_start[k]);
}

static size_t compliance_values(const cairn_problem *problem)
{
    size_t most = 0;
    for (int k = 0; k < problem->patch_count; ++k)
    {
        size_t end = (size_t)problem->R_start[k] + patch_rows(problem, k) * patch_rows(problem, k);
        most = end > most ? end : most;
    }
    return most;
}

static cairn_status reserve(crn_operator *op)
{
    const cairn_problem *problem = op->problem;
    size_t n = (size_t)problem->n + 1; /* one more than needed: no array is empty when there are no bodies */
    size_t joints = (size_t)problem->joint_rows + 1;
    size_t contacts = (size_t)problem->contact_count + 1;
    size_t rows = (size_t)op->rows + 1;
    return crn_reserve_all(&op->memory, CRN_ARRAY(op->rho, contacts), CRN_ARRAY(op->weight, contacts),
                           CRN_ARRAY(op->bias, rows), CRN_ARRAY(op->load, n), CRN_ARRAY(op->v, n),
                           CRN_ARRAY(op->c, joints), CRN_ARRAY(op->sum_v, n), CRN_ARRAY(op->sum_c, joints),
                           CRN_ARRAY(op->sum_r, rows), CRN_ARRAY(op->before, rows), CRN_ARRAY(op->kept, rows),
                           CRN_ARRAY(op->interval, problem->bound ? contacts : 1));
}

static bool symmetrise_compliance(const cairn_problem *problem, double *out)
{
    bool differs = false;
    for (int k = 0; k < problem->patch_count; ++k)
    {
        size_t rows = patch_rows(problem, k);
        const double *R = problem->R + problem->R_start[k];
        for (size_t i = 0; i < rows; ++i)
        {
            for (size_t j = 0; j < rows; ++j)
            {
                out[(size_t)problem->R_start[k] + i * rows + j] = 0.5 * R[i * rows + j] + 0.5 * R[j * rows + i];
                differs = differs || R[i * rows + j] != R[j * rows + i];
            }
        }
    }
    return differs;
}

/* Use the symmetric parts, and remember whether A or R had others. */
static cairn_status use_symmetric_part(crn_operator *op)
{
    const cairn_problem *problem = op->problem;
    CRN_TRY(crn_reserve_all(&op->memory, CRN_ARRAY(op->A_value, matrix_values(&problem->A) + 1),
                            CRN_ARRAY(op->R_value, compliance_values(problem) + 1),
                            CRN_ARRAY(op->W_value, matrix_values(&problem->W) + 1)));
    bool differs = crn_matrix_symmetric_part(&problem->A, problem->block_start, op->A_value);
    differs = crn_matrix_symmetric_part(&problem->W, problem->W.block_start, op->W_value) || differs;
    op->is_lagging = symmetrise_compliance(problem, op->R_value) || differs;
    op->used.A.value = op->A_value;
    op->used.R = op->R_value;
    op->used.W.value = op->W_value;
    return CAIRN_OK;
}

/* v += H'r */
static void add_impulses(const cairn_problem *problem, const double *r, double *v)
{
    const cairn_block_rows *H = &problem->H;
    int dim = problem->dim;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            int start = problem->block_start[H->block[e]];
            int size = problem->block_start[H->block[e] + 1] - start;
            const double *value = H->value + H->value_start[e];
            for (int k = 0; k < dim; ++k, value += size)
                for (int i = 0; i < size; ++i)
                    v[start + i] += value[i] * r[j * dim + k];
        }
    }
}

/* u += H v */
static void add_velocities(const cairn_problem *problem, const double *v, double *u)
{
    const cairn_block_rows *H = &problem->H;
    int dim = problem->dim;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            int start = problem->block_start[H->block[e]];
            int size = problem->block_start[H->block[e] + 1] - start;
            const double *value = H->value + H->value_start[e];
            for (int k = 0; k < dim; ++k, value += size)
            {
                double sum = 0.0;
                for (int i = 0; i < size; ++i)
                    sum += value[i] * v[start + i];
                u[j * dim + k] += sum;
            }
        }
    }
}

/* u += R r */
static void add_compliance(const cairn_problem *problem, const double *r, double *u)
{
    for (int k = 0; k < problem->patch_count; ++k)
    {
        size_t rows = patch_rows(problem, k);
        size_t first = (size_t)problem->patch_start[k] * (size_t)problem->dim;
        const double *R = problem->R + problem->R_start[k];
        for (size_t i = 0; i < rows; ++i)
        {
            /* Four partial sums hide the latency of additions. */
            double sum[4] = {0.0, 0.0, 0.0, 0.0};
            const double *row = R + i * rows;
            size_t j = 0;
            for (; j + 4 <= rows; j += 4)
            {
                sum[0] += row[j] * r[first + j];
                sum[1] += row[j + 1] * r[first + j + 1];
                sum[2] += row[j + 2] * r[first + j + 2];
                sum[3] += row[j + 3] * r[first + j + 3];
            }
            for (; j < rows; ++j)
                sum[0] += row[j] * r[first + j];
            u[first + i] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
        }
    }
}

/* u += W r, in sparse blocks */
static void add_sparse(const cairn_problem *problem, const double *r, double *u)
{
    const cairn_block_matrix *W = &problem->W;
    int dim = problem->dim;
    for (int i = 0; i < W->block_count; ++i)
    {
        for (int e = W->row_start[i]; e < W->row_start[i + 1]; ++e)
        {
            const double *value = W->value + W->value_start[e], *x = r + W->column[e] * dim;
            for (int k = 0; k < dim; ++k)
                for (int l = 0; l < dim; ++l)
                    u[i * dim + k] += value[k * dim + l] * x[l];
        }
    }
}

void crn_operator_apply(crn_operator *op, const double *r, double *u)
{
    assert(op->rows == op->problem->dim * op->problem->contact_count);
    assert(r != u);
    const cairn_problem *used = &op->used;
    memcpy(op->v, op->load, (size_t)used->n * sizeof(double));
    if (used->joint_rows > 0)
        memcpy(op->c, used->b, (size_t)used->joint_rows * sizeof(double));
    add_impulses(used, r, op->v);
    crn_saddle_solve(op->saddle, op->v, op->c);
    memcpy(u, op->bias, (size_t)op->rows * sizeof(double));
    add_velocities(used, op->v, u);
    add_compliance(used, r, u);
    add_sparse(used, r, u);
}

void crn_operator_project(const crn_operator *op, int j, const double *x, double *out)
{
    assert(j >= 0 && j < op->problem->contact_count);
    const cairn_problem *problem = op->problem;
    double mu = problem->law.kind == CAIRN_LAW_FRICTIONLESS ? 0.0 : problem->mu[j];
    if (crn_is_row(problem, j))
    {
        out[0] = crn_clip(op->interval[j], x[0]);
        for (int k = 1; k < problem->dim; ++k)
            out[k] = 0.0;
        return;
    }
    if (problem->law.kind == CAIRN_LAW_LAGGED)
    {
        crn_cylinder_project(problem->dim, problem->radius[j], x, out);
        return;
    }
    if (problem->law.kind == CAIRN_LAW_CONVEX_PYRAMID && problem->dim == 3)
    {
        crn_pyramid_project(problem->law.directions, mu, x, out);
        return;
    }
    crn_cone_project(problem->dim, mu, x, out);
}

double crn_operator_residual(const crn_operator *op, const double *r, const double *u)
{
    assert(op->rows == op->problem->dim * op->problem->contact_count);
    int dim = op->problem->dim;
    double worst = 0.0;
    for (int j = 0; j < op->problem->contact_count; ++j)
    {
        double moved[3];
        double sum = 0.0;
        for (int k = 0; k < dim; ++k)
            moved[k] = r[j * dim + k] - op->rho[j] * u[j * dim + k];
        crn_operator_project(op, j, moved, moved);
        for (int k = 0; k < dim; ++k)
        {
            double off = (r[j * dim + k] - moved[k]) / op->rho[j];
            sum += off * off;
        }
        worst = sum > worst || isnan(sum) ? sum : worst;
    }
    return sqrt(worst);
}

/* load = p - (A - A_s) v, and sum_r = (R - R_s) r. */
static void renew_lagging(crn_operator *op, const double *r)
{
    assert(op->is_lagging);
    const cairn_problem *problem = op->problem;
    for (int i = 0; i < problem->n; ++i)
        op->sum_v[i] = 0.0L;
    crn_matrix_add(&op->used.A, problem->block_start, op->v, op->sum_v);
    for (int i = 0; i < problem->n; ++i)
        op->sum_v[i] = -op->sum_v[i];
    crn_matrix_add(&problem->A, problem->block_start, op->v, op->sum_v);
    for (int i = 0; i < problem->n; ++i)
        op->load[i] = (double)(problem->p[i] - op->sum_v[i]);
    crn_compliance_add(&op->used, r, op->sum_r);
    for (int i = 0; i < op->rows; ++i)
        op->sum_r[i] = -op->sum_r[i];
    crn_compliance_add(problem, r, op->sum_r);
}

/* The intervals of bounded rows. */
static void renew_bounds(crn_operator *op, const double *r)
{
    const cairn_problem *problem = op->problem;
    for (int j = 0; j < problem->contact_count && problem->bound; ++j)
        if (problem->bound[j].is_row)
            op->interval[j] = crn_row_interval(problem, j, r);
}

/* The bias of (r, u, and the v that u came from), and the bounds. */
static void renew_bias(crn_operator *op, const double *r, const double *u)
{
    const cairn_problem *problem = op->problem;
    int dim = problem->dim;
    if (op->has_multiples)
        renew_bounds(op, r);
    for (int i = 0; i < op->rows; ++i)
        op->sum_r[i] = 0.0L;
    if (op->is_lagging)
        renew_lagging(op, r);
    for (int i = 0; i < op->rows; ++i)
        op->bias[i] = (double)(problem->w[i] + op->sum_r[i]);
    for (int j = 0; j < problem->contact_count && op->is_exact; ++j)
    {
        const double *u_t = u + j * dim + 1;
        op->bias[j * dim] += problem->mu[j] * (dim == 3 ? hypot(u_t[0], u_t[1]) : fabs(u_t[0]));
    }
}

bool crn_operator_renew(crn_operator *op, double tolerance, double residual, const double *r, double *u)
{
    assert(tolerance >= 0.0);
    if (!op->is_exact && !op->is_lagging && !op->has_multiples)
        return residual <= tolerance;
    double change = 0.0;
    memcpy(op->before, u, (size_t)op->rows * sizeof(double));
    renew_bias(op, r, u);
    crn_operator_apply(op, r, u);
    for (int i = 0; i < op->rows && op->is_lagging; ++i)
        change = fmax(change, fabs(u[i] - op->before[i]));
    double left = crn_operator_residual(op, r, u) + change;
    op->target = fmax(0.3 * tolerance, 0.3 * left);
    if (left < op->least)
    {
        op->least = left;
        memcpy(op->kept, r, (size_t)op->rows * sizeof(double));
    }
    return left <= tolerance;
}

const double *crn_operator_kept(const crn_operator *op)
{
    return isfinite(op->least) ? op->kept : NULL;
}

/* Project r onto its cones and find the bias that follows from it. */
static void start_from(crn_operator *op, double tolerance, double *r, double *u)
{
    const cairn_problem *problem = op->problem;
    bool is_zero = true;
    renew_bounds(op, r);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        crn_operator_project(op, j, r + j * problem->dim, r + j * problem->dim);
        is_zero = is_zero && r[j * problem->dim] == 0.0;
    }
    if (op->rows > 0) /* a problem without contacts may have no w, */
        memcpy(op->bias, problem->w, (size_t)op->rows * sizeof(double));
    if (problem->n > 0) /* and one without bodies no p */
        memcpy(op->load, problem->p, (size_t)problem->n * sizeof(double));
    crn_operator_apply(op, r, u);
    if (!is_zero && (op->is_exact || op->is_lagging || op->has_multiples))
    {
        renew_bias(op, r, u);
        crn_operator_apply(op, r, u);
    }
    bool fixed = !op->is_exact && !op->is_lagging && !op->has_multiples;
    op->target = fixed ? tolerance : fmax(0.5 * tolerance, 0.1 * crn_operator_residual(op, r, u));
}

static cairn_status find_scale(crn_operator *op)
{
    const cairn_problem *problem = op->problem;
    cairn_status status = crn_certifier_prepare(op->certifier, problem, NULL);
    double scale = status ? 0.0 : crn_certifier_scale(op->certifier);
    op->scale = scale > 0.0 ? scale : DBL_MIN;
    if (problem->law.kind == CAIRN_LAW_PYRAMID || problem->law.kind == CAIRN_LAW_BOX)
        op->scale *= 0.25; /* they are certified by another natural map, a little larger than the cone's */
    return status;
}

cairn_status crn_operator_start(crn_operator *op, cairn_context *context, const cairn_problem *problem, bool symmetric,
                                double tolerance, double *r, double *u)
{
    assert(crn_operator_can_solve(problem) && tolerance > 0.0);
    op->problem = problem;
    op->used = *problem;
    op->rows = problem->dim * problem->contact_count;
    op->is_exact = is_exact(problem);
    op->is_lagging = false;
    op->has_multiples = crn_has_multiples(problem);
    op->least = INFINITY;
    cairn_status status = reserve(op);
    status = status || !symmetric ? status : use_symmetric_part(op);
    status = status ? status : find_scale(op);
    if (status)
        return crn_fail(context, status, "no memory for %d contacts", problem->contact_count);
    CRN_TRY(crn_saddle_factorise(op->saddle, context, &op->used));
    if (crn_operator_find_scales(op))
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory for %d contacts", problem->contact_count);
    start_from(op, tolerance * op->scale, r, u);
    return CAIRN_OK;
}

/* The residuals of dynamics and joints, into v and c of the operator. */
static void find_residual(crn_operator *op, const cairn_solution *solution)
{
    const cairn_problem *problem = op->problem;
    for (int i = 0; i < problem->n; ++i)
        op->sum_v[i] = -(long double)problem->p[i];
    crn_matrix_add(&problem->A, problem->block_start, solution->v, op->sum_v);
    crn_rows_transposed_add(&problem->G, problem->block_start, -1.0, solution->c, op->sum_v);
    crn_rows_transposed_add(&problem->H, problem->block_start, -1.0, solution->r, op->sum_v);
    for (int i = 0; i < problem->joint_rows; ++i)
        op->sum_c[i] = (long double)problem->R_c[i] * solution->c[i] - problem->b[i];
    crn_rows_add(&problem->G, problem->block_start, 1.0, solution->v, op->sum_c);
    for (int i = 0; i < problem->n; ++i)
        op->v[i] = (double)-op->sum_v[i];
    for (int i = 0; i < problem->joint_rows; ++i)
        op->c[i] = (double)-op->sum_c[i];
}

void crn_operator_finish(crn_operator *op, cairn_solution *solution)
{
    assert(solution->n == op->problem->n);
    assert(solution->joint_rows == op->problem->joint_rows);
    assert(solution->contact_rows == op->rows);
    double last = INFINITY;
    memset(solution->v, 0, (size_t)op->problem->n * sizeof(double));
    memset(solution->c, 0, (size_t)op->problem->joint_rows * sizeof(double));
    for (int pass = 0; pass < MOST_REFINEMENTS; ++pass)
    {
        double step = 0.0;
        find_residual(op, solution);
        crn_saddle_solve(op->saddle, op->v, op->c);
        for (int i = 0; i < op->problem->n; ++i)
        {
            solution->v[i] += op->v[i];
            step = fmax(step, fabs(op->v[i]));
        }
        for (int i = 0; i < op->problem->joint_rows; ++i)
            solution->c[i] += op->c[i];
        if (step <= 1e-15 * op->scale || (pass > 1 && step > 0.9 * last))
            break;
        last = step;
    }
}
