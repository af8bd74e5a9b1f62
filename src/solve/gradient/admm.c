/* Alternating direction method of multipliers (Boyd et al. 2011), over-relaxed, with a spectral penalty.
 *
 * The impulse is held twice: x obeys the dynamics, z its cone. With T = penalty / weight_j on contact j and l the
 * velocity that presses z against its cone, an iteration is
 *
 *     W x + u(0) + T (x - z) = l                                   the linear system of admm_system.h
 *     x^ = a x + (1 - a) z                                         over-relaxation, a = 1.7
 *     z+ = P(x^ - T^-1 l),   l+ = l + T (z+ - x^)
 *
 * T is one number per contact, so P in T's norm is the plain projection, and (z+, l+) fulfil the law exactly: z in K,
 * l in K*, l'z = 0. At the end x = z and l = u(z). It is Douglas-Rachford splitting of the monotone operators u(.) and the
 * normal cone of K; that asks for a monotone u, not for a symmetric W, so any positive definite A will do.
 *
 * Estimate     |x - z| in velocities and |u(x) - l|, with u(x) = l - T (x - z) for the old l and z. When it is within the
 *              target, u(z) is evaluated and the natural map of z decides.
 * Penalty      every so often it is set to the stiffness seen since the last look (Barzilai and Borwein's slopes of W and of
 *              the cone, their geometric mean: Xu, Figueiredo and Goldstein 2017), or what balances the residuals where
 *              the slopes say nothing. A change by less than a factor of two is not worth a factorisation. The spells
 *              between get longer, so that the penalty settles.
 */
#include "base/clock.h"
#include "solve/auto/method.h"
#include "solve/gradient/admm_system.h"
#include "solve/gradient/operator.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int MOST_ITERATIONS = 5000;
static const double RELAXATION = 1.7;
static const int FIRST_SPELL = 20;
static const int CHECK_EVERY = 10;
static const double CORRELATED = 0.2;
static const double LEAST_PENALTY = 1e-6;
static const double FAR_FROM_ONE = 2.0;

typedef struct admm
{
    crn_operator op;
    crn_admm_system system;
    double penalty;
    int spell, next_change; /* iterations between changes of the penalty */
    double *x, *z, *l;
    double *u;           /* u(z) after a check, else work: W x without the bias after an iteration */
    double *best;        /* the z with the smallest residual */
    double residual;     /* of best, m/s */
    double estimate;     /* m/s */
    double primal, dual; /* sums of squares in the norms of the weights */
    double *old;         /* x, u(x), z and l where the penalty was last looked at; 4 * rows */
    crn_arena memory;
} admm;

static void destroy(void *workspace)
{
    admm *work = workspace;
    if (!work)
        return;
    crn_operator_close(&work->op);
    crn_admm_system_close(&work->system);
    crn_arena_release(&work->memory);
    free(work);
}

static void *create(void)
{
    admm *work = calloc(1, sizeof(admm));
    if (!work || !crn_operator_open(&work->op) || !crn_admm_system_open(&work->system))
    {
        destroy(work);
        return NULL;
    }
    return work;
}

static cairn_status reserve(admm *work, size_t rows)
{
    return crn_reserve_all(&work->memory, CRN_ARRAY(work->x, rows + 1), CRN_ARRAY(work->z, rows + 1),
                           CRN_ARRAY(work->l, rows + 1), CRN_ARRAY(work->u, rows + 1), CRN_ARRAY(work->best, rows + 1),
                           CRN_ARRAY(work->old, 4 * rows + 1));
}

/* Start from the guess z and u = u(z) with one step of the natural map, after which the law holds between z and l. */
static void start_from_guess(admm *work)
{
    assert(work->penalty > 0.0);
    int dim = work->op.problem->dim;
    for (int j = 0; j < work->op.problem->contact_count; ++j)
    {
        double *z = work->z + j * dim;
        double *l = work->l + j * dim;
        double moved[3];
        double T = work->penalty / work->op.weight[j];
        for (int k = 0; k < dim; ++k)
            moved[k] = z[k] - work->u[j * dim + k] / T;
        crn_operator_project(&work->op, j, moved, z);
        for (int k = 0; k < dim; ++k)
            l[k] = T * (z[k] - moved[k]);
    }
}

/* x of the linear system; its right side is T z + l - bias. */
static void solve_for_x(admm *work)
{
    assert(work->penalty > 0.0);
    int dim = work->op.problem->dim;
    for (int i = 0; i < work->op.rows; ++i)
    {
        double T = work->penalty / work->op.weight[i / dim];
        work->u[i] = T * work->z[i] + work->l[i] - work->op.bias[i];
    }
    crn_admm_system_solve(&work->system, work->u, work->x);
}

/* z, l and the residuals of one contact. */
static void update_contact(admm *work, int j)
{
    assert(work->op.weight[j] > 0.0);
    int dim = work->op.problem->dim;
    double weight = work->op.weight[j];
    double T = work->penalty / weight;
    const double *x = work->x + j * dim;
    double *z = work->z + j * dim;
    double *l = work->l + j * dim;
    double moved[3], next[3];
    double primal = 0.0, moving = 0.0, off = 0.0;
    for (int k = 0; k < dim; ++k)
        moved[k] = RELAXATION * x[k] + (1.0 - RELAXATION) * z[k] - l[k] / T;
    crn_operator_project(&work->op, j, moved, next);
    for (int k = 0; k < dim; ++k)
    {
        double u = l[k] - T * (x[k] - z[k]);
        work->u[j * dim + k] = u - work->op.bias[j * dim + k];
        double pressed = T * (next[k] - moved[k]);
        primal += (x[k] - next[k]) * (x[k] - next[k]);
        moving += (next[k] - z[k]) * (next[k] - z[k]);
        off += (u - pressed) * (u - pressed);
        l[k] = pressed;
        z[k] = next[k];
    }
    work->primal += primal / weight;
    work->dual += work->penalty * work->penalty * moving / weight;
    work->estimate = fmax(work->estimate, sqrt(fmax(off, primal / (weight * weight))));
}

static void iterate_once(admm *work)
{
    solve_for_x(work);
    work->primal = work->dual = work->estimate = 0.0;
    for (int j = 0; j < work->op.problem->contact_count; ++j)
        update_contact(work, j);
}

/* Evaluate u(z) and remember z if it is the best; true when the law holds. */
static bool check(admm *work, double tolerance)
{
    crn_operator *op = &work->op;
    crn_operator_apply(op, work->z, work->u);
    double residual = crn_operator_residual(op, work->z, work->u);
    if (residual < work->residual)
    {
        work->residual = residual;
        memcpy(work->best, work->z, (size_t)op->rows * sizeof(double));
    }
    if (residual > op->target)
        return false;
    bool done = crn_operator_renew(op, tolerance, residual, work->z, work->u);
    if (!done)
        work->residual = crn_operator_residual(op, work->z, work->u); /* the measure has changed */
    return done;
}

typedef struct slope
{
    double size;     /* |b| / |a| */
    double spectral; /* 0 when the two are not correlated */
} slope;

/* The slope of b against a, both since the last look: the stiffness of the operator between them in the directions that still
 * move. */
static slope find_slope(const admm *work, const double *a, const double *a_old, const double *b, const double *b_old)
{
    int dim = work->op.problem->dim;
    double aa = DBL_MIN, ab = 0.0, bb = 0.0;
    for (int i = 0; i < work->op.rows; ++i)
    {
        double weight = work->op.weight[i / dim];
        double da = a[i] - a_old[i];
        double db = b[i] - b_old[i];
        aa += da * da / weight;
        ab += da * db;
        bb += db * db * weight;
    }
    slope out = {.size = sqrt(bb / aa)};
    ab = fabs(ab);
    if (ab > CORRELATED * sqrt(aa * bb))
    {
        double steepest = bb / ab;
        double least = ab / aa;
        out.spectral = 2.0 * least > steepest ? least : steepest - 0.5 * least;
    }
    return out;
}

/* Remember x, W x, z and l. */
static void look(admm *work)
{
    size_t rows = (size_t)work->op.rows;
    const double *seen[] = {work->x, work->u, work->z, work->l};
    for (size_t i = 0; i < 4; ++i)
        memcpy(work->old + i * rows, seen[i], rows * sizeof(double));
}

/* The penalty that suits the motion since the last look. Where x and u are not correlated, x drifts along impulses that move
 * nothing, the faster the smaller the penalty; then it is the mean of |du| / |dx| and of the penalty that would balance the
 * residuals. */
static double choose_penalty(const admm *work)
{
    assert(work->penalty >= LEAST_PENALTY);
    size_t rows = (size_t)work->op.rows;
    const double *old = work->old;
    slope dynamics = find_slope(work, work->x, old, work->u, old + rows);
    slope cone = find_slope(work, work->z, old + 2 * rows, work->l, old + 3 * rows);
    double wanted = fmax(dynamics.spectral, cone.spectral);
    if (dynamics.spectral > 0.0 && cone.spectral > 0.0)
    {
        wanted = sqrt(dynamics.spectral * cone.spectral);
    }
    else if (wanted == 0.0)
    {
        double balance = work->penalty * sqrt(sqrt(work->primal / fmax(work->dual, DBL_MIN)));
        wanted = fmin(fmax(sqrt(balance * dynamics.size), 0.1 * work->penalty), 10.0 * work->penalty);
    }
    return isfinite(wanted) ? fmin(fmax(wanted, LEAST_PENALTY), 1.0 / LEAST_PENALTY) : work->penalty;
}

static cairn_status adapt_penalty(admm *work, int iteration)
{
    assert(iteration > 0);
    assert(work->spell >= FIRST_SPELL);
    if (iteration == 1)
        look(work);
    if (iteration < work->next_change)
        return CAIRN_OK;
    double wanted = choose_penalty(work);
    look(work);
    work->spell += work->spell / 16;
    work->next_change = iteration + work->spell;
    if (wanted < FAR_FROM_ONE * work->penalty && FAR_FROM_ONE * wanted > work->penalty)
        return CAIRN_OK;
    work->penalty = wanted;
    return crn_admm_system_factorise(&work->system, work->penalty, work->op.weight);
}

static cairn_status iterate(admm *work, const crn_method_options *options, crn_method_report *report)
{
    double tolerance = options->tolerance * work->op.scale;
    int most = options->max_iterations > 0 ? options->max_iterations : MOST_ITERATIONS;
    cairn_status status = CAIRN_OK;
    work->spell = work->next_change = FIRST_SPELL;
    work->residual = INFINITY;
    report->iterations = 0;
    report->converged = work->op.rows == 0 || check(work, tolerance);
    if (report->converged)
        return CAIRN_OK;
    start_from_guess(work);
    bool last = false;
    while (!report->converged && !last && !status)
    {
        iterate_once(work);
        ++report->iterations;
        status = adapt_penalty(work, report->iterations);
        last = report->iterations >= most || crn_is_late(options->deadline);
        if (!status && (work->estimate <= work->op.target || report->iterations % CHECK_EVERY == 0 || last))
            report->converged = check(work, tolerance);
    }
    return status;
}

static cairn_status solve(void *workspace, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report)
{
    assert(solution->contact_rows == problem->dim * problem->contact_count);
    admm *work = workspace;
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    if (reserve(work, rows) || crn_admm_system_build(&work->system, problem))
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory for %d contacts", problem->contact_count);
    memcpy(work->z, solution->r, rows * sizeof(double));
    memcpy(work->best, solution->r, rows * sizeof(double));
    work->penalty = 1.0;
    crn_saddle_limit(work->system.saddle, options->deadline, options->work);
    cairn_status status = crn_operator_start(&work->op, context, problem, false, options->tolerance, work->z, work->u);
    status = status ? status : crn_admm_system_factorise(&work->system, work->penalty, work->op.weight);
    status = status ? status : iterate(work, options, report);
    report->cut = crn_saddle_gave_up(work->system.saddle);
    if (!status)
    {
        const double *kept = crn_operator_kept(&work->op);
        const double *best = kept ? kept : work->best;
        memcpy(solution->r, report->converged ? work->z : best, rows * sizeof(double));
        crn_operator_finish(&work->op, solution);
    }
    return status;
}

const crn_method crn_method_admm = {
    .name = "admm",
    .can_solve = crn_operator_can_solve,
    .create = create,
    .destroy = destroy,
    .solve = solve,
    .factorises_contacts = true,
};
