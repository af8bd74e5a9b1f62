/* Primal-dual path following for cones: Mehrotra's predictor and corrector with Nesterov-Todd scaling.
 *
 * The unknowns are v, c, x and y (interior_point.h). The method follows the path
 *
 *     A v = p + G'c + H'S x,    G v + R_c c = b,    y = F(u),  u = H v + R S x + w,    x o y = tau e
 *
 * towards tau = 0 from a start that is inside the cones and satisfies none of the equations. A step solves the
 * linearised equations twice with one factorisation: with tau = 0 to see how far one could go, then with tau chosen by
 * that and the second-order term of x o y. One length for all variables, since A and R couple all of them.
 *
 * Nothing asks for symmetry of A or R: positive semidefiniteness of the map from x to y makes the path exist for the
 * convex law. For exact Coulomb friction F carries the convexity gap |u_t|, and its derivative enters T: Newton's method
 * on De Saxce's equations, without an outer loop. No theorem covers it; where the matrix with T loses a positive pivot
 * the step is done with T = S, which is one sweep of the fixed point on the gap.
 *
 * References: Nesterov and Todd 1998; Mehrotra 1992; Andersen, Dahl and Vandenberghe 2003 for the scaling's formulas.
 */
#include "base/memory.h"
#include "linalg/blocks.h"
#include "solve/certify.h"
#include "solve/interior_point.h"
#include "solve/method.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_ITERATIONS = 100,
    PATIENCE = 15 /* iterations without a better point */
};

typedef struct workspace
{
    const cairn_problem *problem;
    crn_ip_layout layout;
    crn_ip_system system;
    crn_certifier *certifier; /* for its scale */
    double scale;             /* m/s */

    crn_ip_vector now;          /* v, c, x */
    crn_ip_vector right, step;
    double *y, *dy;             /* rows; dy scaled by W^-1 */
    double *gap;                /* rows: y - F(u) */
    double *corrector;          /* rows: lambda o^-1 of the right-hand side of the complementarity */
    double *slope;              /* two a contact */
    double *r, *u;              /* all contact rows */
    long double *sum;           /* work: the longest of the three kinds of rows */
    crn_ip_scaling *scaling;
    size_t capacity[9];
} workspace;

static bool is_cone_law(const cairn_problem *problem)
{
    cairn_law_kind kind = problem->law.kind;
    return kind == CAIRN_LAW_CONE || (problem->dim == 2 && (kind == CAIRN_LAW_PYRAMID || kind == CAIRN_LAW_BOX));
}

static bool can_solve(const cairn_problem *problem)
{
    cairn_law_kind kind = problem->law.kind;
    return is_cone_law(problem) || kind == CAIRN_LAW_FRICTIONLESS || kind == CAIRN_LAW_CONVEX_CONE ||
           (problem->dim == 2 && kind == CAIRN_LAW_CONVEX_PYRAMID);
}

static void destroy(void *memory)
{
    workspace *work = memory;
    if (!work)
    {
        return;
    }
    crn_ip_layout_release(&work->layout);
    crn_ip_system_close(&work->system);
    crn_certifier_destroy(work->certifier);
    crn_ip_vector_release(&work->now);
    crn_ip_vector_release(&work->right);
    crn_ip_vector_release(&work->step);
    void *owned[] = {work->y, work->dy, work->gap, work->corrector, work->slope, work->r, work->u, work->sum,
                     work->scaling};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
    {
        free(owned[i]);
    }
    free(work);
}

static void *create(void)
{
    workspace *work = calloc(1, sizeof(workspace));
    if (!work)
    {
        return NULL;
    }
    bool opened = crn_ip_system_open(&work->system);
    work->certifier = crn_certifier_create();
    if (!opened || !work->certifier)
    {
        destroy(work);
        return NULL;
    }
    return work;
}

static cairn_status reserve(workspace *work)
{
    const cairn_problem *problem = work->problem;
    size_t contacts = (size_t)problem->contact_count + 1;
    size_t full = contacts * (size_t)problem->dim;
    size_t longest = full + (size_t)problem->n + (size_t)problem->joint_rows;
    cairn_status status = CAIRN_OK;
    double **columns[] = {&work->y, &work->dy, &work->gap, &work->corrector, &work->r, &work->u};
    for (int i = 0; i < 6 && !status; ++i)
    {
        status = crn_reserve(columns[i], &work->capacity[i], full, sizeof(double));
    }
    status = status ? status : crn_reserve(&work->slope, &work->capacity[6], 2 * contacts, sizeof(double));
    status = status ? status : crn_reserve(&work->sum, &work->capacity[7], longest, sizeof(long double));
    status = status ? status : crn_reserve(&work->scaling, &work->capacity[8], contacts, sizeof(crn_ip_scaling));
    status = status ? status : crn_ip_vector_reserve(&work->now, problem, &work->layout);
    status = status ? status : crn_ip_vector_reserve(&work->right, problem, &work->layout);
    return status ? status : crn_ip_vector_reserve(&work->step, problem, &work->layout);
}

/* The problem's scale, a velocity from its data alone, by the code that judges the result. */
static cairn_status find_scale(workspace *work, cairn_solution *solution)
{
    cairn_certificate certificate;
    memset(solution->v, 0, (size_t)solution->n * sizeof(double));
    memset(solution->c, 0, (size_t)solution->joint_rows * sizeof(double));
    memset(solution->r, 0, (size_t)solution->contact_rows * sizeof(double));
    cairn_status status = crn_certify(work->certifier, work->problem, solution, &certificate);
    work->scale = certificate.scale;
    return status;
}

static cairn_status prepare(workspace *work, const cairn_problem *problem, cairn_solution *solution)
{
    work->problem = problem;
    cairn_status status = crn_ip_layout_update(&work->layout, problem);
    status = status ? status : reserve(work);
    status = status ? status : find_scale(work, solution);
    if (status)
    {
        return status;
    }
    memset(work->slope, 0, 2 * (size_t)problem->contact_count * sizeof(double));
    return crn_ip_system_prepare(&work->system, problem, &work->layout, work->slope, work->scaling);
}

/* On the cones' axes: velocities of the problem's scale, or the gap where it is wider; impulses that make the products
 * x'y those of the effective masses at the problem's scale. */
static void start(workspace *work)
{
    const cairn_problem *problem = work->problem;
    const crn_ip_layout *layout = &work->layout;
    memset(work->now.v, 0, (size_t)problem->n * sizeof(double));
    memset(work->now.c, 0, (size_t)problem->joint_rows * sizeof(double));
    memset(work->now.x, 0, (size_t)layout->rows * sizeof(double));
    memset(work->y, 0, (size_t)layout->rows * sizeof(double));
    for (int j = 0; j < layout->cones; ++j)
    {
        int first = layout->first[j];
        double y = work->scale + layout->S[first] * fmax(0.0, problem->w[layout->full[first]]);
        work->y[first] = y;
        work->now.x[first] = layout->rho[j] * work->scale * (work->scale / y);
    }
}

/* right.v = -(A v - p - G'c - H'r), and the largest |diag(A)^-1 of it|. */
static double dynamics_residual(workspace *work)
{
    const cairn_problem *problem = work->problem;
    const int *block = problem->block_start;
    double worst = 0.0;
    for (int i = 0; i < problem->n; ++i)
    {
        work->sum[i] = -(long double)problem->p[i];
    }
    crn_matrix_add(&problem->A, block, work->now.v, work->sum);
    crn_rows_transposed_add(&problem->G, block, -1.0, work->now.c, work->sum);
    crn_rows_transposed_add(&problem->H, block, -1.0, work->r, work->sum);
    for (int b = 0; b < problem->block_count; ++b)
    {
        int size = block[b + 1] - block[b];
        int e = problem->A.row_start[b];
        while (problem->A.column[e] != b)
        {
            ++e;
        }
        for (int k = 0; k < size; ++k)
        {
            int i = block[b] + k;
            work->right.v[i] = -(double)work->sum[i];
            worst = fmax(worst, fabs(work->right.v[i] / problem->A.value[problem->A.value_start[e] + k * size + k]));
        }
    }
    return worst;
}

/* right.c = b - G v - R_c c, and its largest entry. */
static double joint_residual(workspace *work)
{
    const cairn_problem *problem = work->problem;
    double worst = 0.0;
    for (int i = 0; i < problem->joint_rows; ++i)
    {
        work->sum[i] = (long double)problem->R_c[i] * work->now.c[i] - problem->b[i];
    }
    crn_rows_add(&problem->G, problem->block_start, 1.0, work->now.v, work->sum);
    for (int i = 0; i < problem->joint_rows; ++i)
    {
        work->right.c[i] = -(double)work->sum[i];
        worst = fmax(worst, fabs(work->right.c[i]));
    }
    return worst;
}

/* u = H v + R r + w, and gap = y - F(u). */
static void find_gap(workspace *work)
{
    const cairn_problem *problem = work->problem;
    const crn_ip_layout *layout = &work->layout;
    for (int i = 0; i < problem->dim * problem->contact_count; ++i)
    {
        work->sum[i] = problem->w[i];
    }
    crn_rows_add(&problem->H, problem->block_start, 1.0, work->now.v, work->sum);
    crn_compliance_add(problem, work->r, work->sum);
    for (int i = 0; i < problem->dim * problem->contact_count; ++i)
    {
        work->u[i] = (double)work->sum[i];
    }
    for (int j = 0; j < layout->cones; ++j)
    {
        int first = layout->first[j];
        int size = layout->first[j + 1] - first;
        for (int i = first; i < first + size; ++i)
        {
            work->gap[i] = work->y[i] - layout->S[i] * work->u[layout->full[i]];
        }
        if (is_cone_law(problem) && size > 1)
        {
            const double *u = work->u + j * problem->dim;
            work->gap[first] -= size == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
        }
    }
}

/* The natural map of contact j as a velocity, |r - P_K(r - rho u)| / rho, with the gap added to u for the cone law. */
static double natural_map(const workspace *work, int j)
{
    const cairn_problem *problem = work->problem;
    const crn_ip_layout *layout = &work->layout;
    int size = layout->first[j + 1] - layout->first[j];
    const double *r = work->r + j * problem->dim;
    const double *u = work->u + j * problem->dim;
    double rho = layout->rho[j];
    double moved[3];
    double nearest[3];
    double sum = 0.0;
    for (int k = 0; k < size; ++k)
    {
        moved[k] = r[k] - rho * u[k];
    }
    if (is_cone_law(problem) && size > 1)
    {
        moved[0] -= rho * problem->mu[j] * (size == 3 ? hypot(u[1], u[2]) : fabs(u[1]));
    }
    crn_ip_project(size, problem->mu[j], moved, nearest);
    for (int k = 0; k < size; ++k)
    {
        sum += (r[k] - nearest[k]) * (r[k] - nearest[k]);
    }
    return sqrt(sum) / rho;
}

/* Residuals of all equations into `right` and `gap`; returns the largest of them and of the natural maps against the
 * scale. */
static double judge(workspace *work)
{
    crn_ip_impulses(&work->layout, work->problem, work->now.x, work->r);
    double worst = fmax(dynamics_residual(work), joint_residual(work));
    find_gap(work);
    for (int j = 0; j < work->layout.cones; ++j)
    {
        worst = fmax(worst, natural_map(work, j));
    }
    return worst / work->scale;
}

static bool scale_cones(workspace *work)
{
    const crn_ip_layout *layout = &work->layout;
    bool inside = true;
    for (int j = 0; j < layout->cones && inside; ++j)
    {
        int first = layout->first[j];
        inside = crn_ip_scale(&work->scaling[j], layout->first[j + 1] - first, work->now.x + first, work->y + first);
    }
    return inside;
}

static void find_slopes(workspace *work, double factor)
{
    const cairn_problem *problem = work->problem;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const double *u = work->u + j * problem->dim;
        double speed = problem->dim == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
        for (int k = 1; k < problem->dim; ++k)
        {
            work->slope[2 * j + k - 1] = speed > 0.0 ? factor * u[k] / speed : 0.0;
        }
    }
}

/* With the gap's derivative where the matrix allows it. */
static cairn_status factorise(workspace *work, cairn_context *context)
{
    cairn_status status = CAIRN_NUMERIC;
    if (is_cone_law(work->problem))
    {
        find_slopes(work, 1.0);
        status = crn_ip_system_factorise(&work->system, NULL);
        find_slopes(work, status ? 0.0 : 1.0);
    }
    return status == CAIRN_NUMERIC ? crn_ip_system_factorise(&work->system, context) : status;
}

/* The mean of x'y over the cones. */
static double mean_product(const workspace *work, double length)
{
    double sum = 0.0;
    for (int j = 0; j < work->layout.cones; ++j)
    {
        int first = work->layout.first[j];
        double dx[3];
        crn_ip_scaling_apply(&work->scaling[j], work->step.x + first, dx);
        for (int i = 0; i < work->scaling[j].size; ++i)
        {
            double lambda = work->scaling[j].lambda[i];
            sum += (lambda + length * dx[i]) * (lambda + length * work->dy[first + i]);
        }
    }
    return work->layout.cones ? sum / work->layout.cones : 0.0;
}

/* Solve for a step with the complementarity's right-hand side in `corrector`; returns how far it can go, up to 1. */
static double find_step(workspace *work)
{
    const crn_ip_layout *layout = &work->layout;
    for (int j = 0; j < layout->cones; ++j)
    {
        int first = layout->first[j];
        crn_ip_scaling_apply(&work->scaling[j], work->corrector + first, work->right.x + first);
        for (int i = first; i < layout->first[j + 1]; ++i)
        {
            work->right.x[i] += work->gap[i];
        }
    }
    crn_ip_system_solve(&work->system, &work->right, &work->step);
    double length = 1.0;
    for (int j = 0; j < layout->cones; ++j)
    {
        int first = layout->first[j];
        double dx[3];
        crn_ip_scaling_apply(&work->scaling[j], work->step.x + first, dx);
        for (int i = 0; i < work->scaling[j].size; ++i)
        {
            work->dy[first + i] = work->corrector[first + i] - dx[i];
        }
        length = fmin(length, crn_ip_reach(&work->scaling[j], dx));
        length = fmin(length, crn_ip_reach(&work->scaling[j], work->dy + first));
    }
    return length;
}

/* Towards tau = 0: lambda o corrector = -lambda o lambda. */
static void aim_at_solution(workspace *work)
{
    for (int j = 0; j < work->layout.cones; ++j)
    {
        for (int i = 0; i < work->scaling[j].size; ++i)
        {
            work->corrector[work->layout.first[j] + i] = -work->scaling[j].lambda[i];
        }
    }
}

/* Towards tau, with the second-order term of the step just found. */
static void aim_at_path(workspace *work, double tau)
{
    for (int j = 0; j < work->layout.cones; ++j)
    {
        int first = work->layout.first[j];
        double dx[3];
        double right[3];
        double change[3];
        crn_ip_scaling_apply(&work->scaling[j], work->step.x + first, dx);
        crn_ip_product(work->scaling[j].size, dx, work->dy + first, right);
        for (int i = 0; i < work->scaling[j].size; ++i)
        {
            right[i] = (i == 0 ? tau : 0.0) - right[i];
        }
        crn_ip_divide(&work->scaling[j], right, change);
        for (int i = 0; i < work->scaling[j].size; ++i)
        {
            work->corrector[first + i] = change[i] - work->scaling[j].lambda[i];
        }
    }
}

static void move(workspace *work, double length)
{
    const cairn_problem *problem = work->problem;
    for (int i = 0; i < problem->n; ++i)
    {
        work->now.v[i] += length * work->step.v[i];
    }
    for (int i = 0; i < problem->joint_rows; ++i)
    {
        work->now.c[i] += length * work->step.c[i];
    }
    for (int j = 0; j < work->layout.cones; ++j)
    {
        int first = work->layout.first[j];
        double dy[3];
        crn_ip_scaling_apply(&work->scaling[j], work->dy + first, dy);
        for (int i = 0; i < work->scaling[j].size; ++i)
        {
            work->now.x[first + i] += length * work->step.x[first + i];
            work->y[first + i] += length * dy[i];
        }
    }
}

/* One iteration from residuals that are up to date. */
static void advance(workspace *work)
{
    aim_at_solution(work);
    double reach = find_step(work);
    if (work->layout.cones > 0)
    {
        double before = mean_product(work, 0.0);
        double ratio = fmax(0.0, mean_product(work, reach)) / before;
        double sigma = fmin(1.0, ratio * ratio * ratio);
        aim_at_path(work, sigma * before);
        reach = find_step(work);
    }
    move(work, reach < 1.0 ? 0.995 * reach : 1.0);
}

static void keep(const workspace *work, cairn_solution *solution)
{
    memcpy(solution->v, work->now.v, (size_t)solution->n * sizeof(double));
    memcpy(solution->c, work->now.c, (size_t)solution->joint_rows * sizeof(double));
    memcpy(solution->r, work->r, (size_t)solution->contact_rows * sizeof(double));
}

static cairn_status iterate(workspace *work, cairn_context *context, double target, int limit, cairn_solution *solution,
                            crn_method_report *report)
{
    double best = INFINITY;
    int since = 0;
    for (report->iterations = 0;; ++report->iterations)
    {
        double error = judge(work);
        since = error < best ? 0 : since + 1;
        if (error < best)
        {
            best = error;
            keep(work, solution);
        }
        report->converged = best <= target;
        if (report->converged || since > PATIENCE || report->iterations == limit || !scale_cones(work))
        {
            return CAIRN_OK;
        }
        cairn_status status = factorise(work, context);
        if (status)
        {
            return status == CAIRN_NUMERIC && report->iterations > 0 ? CAIRN_OK : status;
        }
        advance(work);
    }
}

static cairn_status solve(void *memory, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report)
{
    workspace *work = memory;
    assert(can_solve(problem) && solution->n == problem->n);
    *report = (crn_method_report){.iterations = 0, .converged = true};
    cairn_status status = prepare(work, problem, solution);
    if (status)
    {
        return status;
    }
    if (work->scale <= DBL_MIN)
    {
        return CAIRN_OK; /* nothing moves and nothing is to move: all zeros, as find_scale left them */
    }
    start(work);
    int limit = options->max_iterations ? options->max_iterations : MAX_ITERATIONS;
    return iterate(work, context, options->tolerance, limit, solution, report);
}

const crn_method crn_method_interior_point = {
    .name = "interior-point",
    .can_solve = can_solve,
    .create = create,
    .destroy = destroy,
    .solve = solve,
};
