/* Accelerated projected gradient (Nesterov; adaptive restart: O'Donoghue and Candes; for contacts: Mazhar et al.).
 *
 * With a symmetric W the convex law is the optimality condition of
 *
 *     minimise  f(r) = 1/2 r'W r + r'u(0)    over  r in K,          grad f = u(r).
 *
 * In the norm |d|^2 = sum |d_j|^2 / weight_j (operator.h) an iteration is
 *
 *     r+ = P(y - weight u(y) / L)                                      a projected step from the extrapolated point
 *     t+ = (1 + sqrt(1 + 4 t^2)) / 2,   y+ = r+ + (t - 1)/t+ (r+ - r)
 *
 * u is affine, so u(y+) is the same combination of u(r+) and u(r): one product with W an iteration.
 *
 *     step       f(r+) <= f(y) + u(y)'d + L/2 |d|^2 with d = r+ - y holds exactly when d'(u(r+) - u(y)) <= L |d|^2; if
 *                not, L grows and the step is taken again. L starts from a few power iterations, and falls a little at
 *                every restart.
 *     restart    t = 1 when the momentum points uphill: (y - r+)'(r+ - r) > 0 in the same norm.
 *
 * f does not fall monotonically and the residual less so: the best r seen is the one returned. Parts of A or R that are
 * not symmetric, and the shift of exact Coulomb friction, are renewed from outside (operator.h); each renewal is a restart.
 */
#include "base/clock.h"
#include "solve/auto/method.h"
#include "solve/gradient/operator.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int MOST_ITERATIONS = 20000;
static const int POWER_ITERATIONS = 6;

typedef struct apgd
{
    crn_operator op;
    double L;
    double t;
    double residual;       /* of best */
    double *r, *u;         /* the last iterate */
    double *next, *u_next; /* the one under way */
    double *y, *u_y;       /* the extrapolated point */
    double *best;          /* since the bias was renewed */
    crn_arena memory;
} apgd;

static void destroy(void *workspace)
{
    apgd *work = workspace;
    if (!work)
        return;
    crn_operator_close(&work->op);
    crn_arena_release(&work->memory);
    free(work);
}

static void *create(void)
{
    apgd *work = calloc(1, sizeof(apgd));
    if (!work || !crn_operator_open(&work->op))
    {
        destroy(work);
        return NULL;
    }
    return work;
}

static cairn_status reserve(apgd *work, size_t rows)
{
    return crn_reserve_all(&work->memory, CRN_ARRAY(work->r, rows + 1), CRN_ARRAY(work->u, rows + 1),
                           CRN_ARRAY(work->next, rows + 1), CRN_ARRAY(work->u_next, rows + 1),
                           CRN_ARRAY(work->y, rows + 1), CRN_ARRAY(work->u_y, rows + 1),
                           CRN_ARRAY(work->best, rows + 1));
}

static void copy(const apgd *work, const double *from, double *to)
{
    memcpy(to, from, (size_t)work->op.rows * sizeof(double));
}

/* sum over the contacts of (a - b)'(c - d) / weight */
static double weighted(const apgd *work, const double *a, const double *b, const double *c, const double *d)
{
    int dim = work->op.problem->dim;
    double sum = 0.0;
    for (int j = 0; j < work->op.problem->contact_count; ++j)
    {
        double part = 0.0;
        for (int i = j * dim; i < (j + 1) * dim; ++i)
            part += (a[i] - b[i]) * (c[i] - d[i]);
        sum += part / work->op.weight[j];
    }
    return sum;
}

/* d'(u(r+) - u(y)), d = r+ - y */
static double curvature(const apgd *work)
{
    double sum = 0.0;
    for (int i = 0; i < work->op.rows; ++i)
        sum += (work->next[i] - work->y[i]) * (work->u_next[i] - work->u_y[i]);
    return sum;
}

/* The largest eigenvalue of weight^1/2 W weight^1/2, from below: x <- weight (u(x) - u(0)), at work in r, u and y. */
static double estimate_curvature(apgd *work)
{
    assert(work->op.rows > 0);
    crn_operator *op = &work->op;
    int dim = op->problem->dim;
    double L = 1.0;
    memset(work->y, 0, (size_t)op->rows * sizeof(double));
    crn_operator_apply(op, work->y, work->u_y);
    for (int i = 0; i < op->rows; ++i)
        work->next[i] = op->weight[i / dim] * (i % dim == 0 ? 1.0 : 0.5) * (i / dim % 2 ? 1.0 : 0.75);
    for (int k = 0; k < POWER_ITERATIONS; ++k)
    {
        double size = sqrt(weighted(work, work->next, work->y, work->next, work->y));
        for (int i = 0; i < op->rows; ++i)
            work->next[i] = size > 0.0 ? work->next[i] / size : 0.0;
        crn_operator_apply(op, work->next, work->u_next);
        L = fmax(L, curvature(work));
        for (int i = 0; i < op->rows; ++i)
            work->next[i] = op->weight[i / dim] * (work->u_next[i] - work->u_y[i]);
    }
    return L;
}

static void project_step(apgd *work)
{
    assert(work->L > 0.0);
    const crn_operator *op = &work->op;
    int dim = op->problem->dim;
    for (int j = 0; j < op->problem->contact_count; ++j)
    {
        double step = op->weight[j] / work->L;
        for (int i = j * dim; i < (j + 1) * dim; ++i)
            work->next[i] = work->y[i] - step * work->u_y[i];
        crn_operator_project(op, j, work->next + j * dim, work->next + j * dim);
    }
}

/* r+ from y with an L that is large enough; returns the products it took. */
static int take_step(apgd *work)
{
    for (int products = 1;; ++products)
    {
        project_step(work);
        crn_operator_apply(&work->op, work->next, work->u_next);
        double squared = weighted(work, work->next, work->y, work->next, work->y);
        double bent = curvature(work);
        /* Differences of velocities are known to 1e-16 of the velocities only: tiny steps say nothing about L. */
        if (!(bent > work->L * squared * (1.0 + 1e-8)) || products > 20 || !isfinite(bent))
            return products;
        work->L = fmax(1.5 * work->L, fmin(1.05 * bent / squared, 10.0 * work->L));
    }
}

static void restart(apgd *work)
{
    work->t = 1.0;
    copy(work, work->r, work->y);
    copy(work, work->u, work->u_y);
}

/* Make r+ the iterate and y the next extrapolated point. */
static void advance(apgd *work)
{
    assert(work->t >= 1.0);
    double uphill = weighted(work, work->y, work->next, work->next, work->r);
    double t = 0.5 * (1.0 + sqrt(1.0 + 4.0 * work->t * work->t));
    double beta = (work->t - 1.0) / t;
    for (int i = 0; i < work->op.rows; ++i)
    {
        work->y[i] = work->next[i] + beta * (work->next[i] - work->r[i]);
        work->u_y[i] = work->u_next[i] + beta * (work->u_next[i] - work->u[i]);
    }
    copy(work, work->next, work->r);
    copy(work, work->u_next, work->u);
    work->t = t;
    if (uphill > 0.0)
    {
        work->L *= 0.95;
        restart(work);
    }
}

/* Remember the iterate if it is the best so far. */
static void judge(apgd *work)
{
    double residual = crn_operator_residual(&work->op, work->r, work->u);
    if (residual < work->residual)
    {
        work->residual = residual;
        copy(work, work->r, work->best);
    }
}

/* Go on from the best point under a new bias; true when there is no need to. */
static bool renew(apgd *work, double tolerance)
{
    assert(isfinite(work->residual));
    crn_operator *op = &work->op;
    copy(work, work->best, work->r);
    crn_operator_apply(op, work->r, work->u);
    bool done = crn_operator_renew(op, tolerance, work->residual, work->r, work->u);
    work->residual = INFINITY;
    judge(work);
    restart(work);
    return done;
}

static void iterate(apgd *work, const crn_method_options *options, crn_method_report *report)
{
    crn_operator *op = &work->op;
    double tolerance = options->tolerance * op->scale;
    int most = options->max_iterations > 0 ? options->max_iterations : MOST_ITERATIONS;
    report->iterations = op->rows > 0 ? POWER_ITERATIONS + 1 : 0; /* products so far */
    report->converged = op->rows == 0;
    work->residual = INFINITY;
    copy(work, work->r, work->best);
    judge(work);
    restart(work);
    while (!report->converged && report->iterations < most && !crn_is_late(options->deadline))
    {
        if (work->residual <= op->target)
        {
            report->converged = renew(work, tolerance);
            ++report->iterations;
            continue;
        }
        report->iterations += take_step(work);
        advance(work);
        judge(work);
    }
}

static cairn_status solve(void *workspace, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report)
{
    assert(solution->contact_rows == problem->dim * problem->contact_count);
    apgd *work = workspace;
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    if (reserve(work, rows))
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory for %d contacts", problem->contact_count);
    memcpy(work->r, solution->r, rows * sizeof(double));
    CRN_TRY(crn_operator_start(&work->op, context, problem, true, options->tolerance, work->r, work->u));
    work->L = rows > 0 ? estimate_curvature(work) : 1.0;
    iterate(work, options, report);
    const double *kept = report->converged ? NULL : crn_operator_kept(&work->op);
    copy(work, kept ? kept : work->best, solution->r);
    crn_operator_finish(&work->op, solution);
    return CAIRN_OK;
}

const crn_method crn_method_apgd = {
    .name = "apgd",
    .can_solve = crn_operator_can_solve,
    .create = create,
    .destroy = destroy,
    .solve = solve,
};
