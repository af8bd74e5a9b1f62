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
 * convex law. For exact Coulomb friction F contains the convexity gap |u_t|, and its derivative enters T: Newton's method
 * on De Saxce's equations, without an outer loop. No theorem covers this. Where the matrix with T loses a positive pivot the
 * step uses T = S, and where the path ends without a solution the fixed point on the gap takes over: a sequence of convex
 * problems, accelerated (linalg/anderson.h).
 *
 * Bounded rows have pairs of variables of their own on the path (interior_point_rows.h).
 *
 * References: Nesterov and Todd 1998; Mehrotra 1992; Vandenberghe 2010 for the scaling's formulas.
 */
#include "solve/newton/interior_point.h"
#include "base/clock.h"
#include "linalg/anderson.h"
#include "solve/auto/bounded.h"
#include "solve/auto/method.h"
#include "solve/newton/interior_point_rows.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum
{
    MAX_ITERATIONS = 100,
    MAX_EXACT_ITERATIONS = 30,  /* of the path for the exact law */
    MAX_SWEEP_ITERATIONS = 400, /* with the fixed point of the exact law */
    SETBACKS = 4,               /* convex problems without a better point before the acceleration is restarted */
    PATIENCE = 15,              /* iterations without a better point */
    DEPTH = 6                   /* of the acceleration */
};

static const double NEAR = 1e-3;      /* the error at which Newton's method on the natural map is first tried, */
static const double NEARER = 0.03;    /* and by how much it must fall before it is tried again */
static const double EPSILON = 1e-8;   /* weight of Newton's proximal term */
static const double FRACTION = 0.995; /* of the way to the boundary */

typedef struct workspace
{
    crn_ip_core core;
    crn_ip_vector path;  /* the path's point while Newton's method is tried from the best one */
    crn_ip_vector trial; /* work of that trial */
    crn_ip_vector found; /* the best point of a fixed point */

    double *y, *dy;       /* rows; dy scaled by W^-1 */
    double *gap;          /* rows: y - F(u) */
    double *corrector;    /* rows: the right-hand side of W dx + W^-1 dy */
    crn_anderson history; /* of the fixed point on the gaps */
    crn_ip_row *row;      /* per contact; set for bounded rows */
    double pairs;         /* cones of contacts and pairs of rows */
} workspace;

static bool can_solve(const cairn_problem *problem)
{
    cairn_law_kind kind = problem->law.kind;
    return crn_ip_is_exact(problem) || kind == CAIRN_LAW_FRICTIONLESS || kind == CAIRN_LAW_CONVEX_CONE ||
           (problem->dim == 2 && kind == CAIRN_LAW_CONVEX_PYRAMID) || crn_has_rows_only(problem);
}

static void destroy(void *memory)
{
    workspace *work = memory;
    if (work)
        crn_anderson_release(&work->history);
    crn_ip_destroy(work);
}

static void *create(void)
{
    return crn_ip_create(sizeof(workspace));
}

static cairn_status reserve(workspace *work, const cairn_problem *problem)
{
    const crn_ip_layout *layout = &work->core.state.layout;
    crn_arena *memory = &work->core.memory;
    int rows = layout->rows + 1;
    crn_ip_vector *vectors[] = {&work->path, &work->trial, &work->found};
    for (int i = 0; i < 3; ++i)
        CRN_TRY(crn_ip_vector_reserve(memory, vectors[i], problem, layout));
    CRN_TRY(crn_anderson_start(&work->history, layout->cones, DEPTH));
    return crn_reserve_all(memory, CRN_ARRAY(work->y, rows), CRN_ARRAY(work->dy, rows), CRN_ARRAY(work->gap, rows),
                           CRN_ARRAY(work->corrector, rows),
                           CRN_ARRAY(work->row, problem->bound ? layout->cones + 1 : 1));
}

/* Start on the axes of the cones: velocities of the problem's scale, plus the contact's bias where that is positive; impulses for
 * which the products x'y are those of the effective masses at the problem's scale. */
static void start(workspace *work)
{
    crn_ip_state *state = &work->core.state;
    const crn_ip_layout *layout = &state->layout;
    memset(state->now.v, 0, (size_t)state->problem->n * sizeof(double));
    memset(state->now.c, 0, (size_t)state->problem->joint_rows * sizeof(double));
    memset(state->now.x, 0, (size_t)layout->rows * sizeof(double));
    memset(work->y, 0, (size_t)layout->rows * sizeof(double));
    work->pairs = layout->cones;
    for (int j = 0; j < layout->cones; ++j)
    {
        int first = layout->first[j];
        if (crn_is_row(state->problem, j))
        {
            work->core.blocks[j].size = 1;
            state->now.x[first] =
                crn_ip_row_start(&work->row[j], &state->problem->bound[j], layout->rho[j], state->scale);
            work->pairs += crn_ip_row_pairs(&work->row[j]) - 1;
            continue;
        }
        double y = state->scale + layout->S[first] * fmax(0.0, state->problem->w[layout->full[first]]);
        work->core.blocks[j].size = layout->first[j + 1] - first;
        work->y[first] = y;
        state->now.x[first] = layout->rho[j] * state->scale * (state->scale / y);
    }
    work->core.least = INFINITY;
}

/* gap = y - F(u) */
static void find_gap(workspace *work)
{
    const crn_ip_layout *layout = &work->core.state.layout;
    for (int j = 0; j < layout->cones; ++j)
    {
        int first = layout->first[j];
        for (int i = first; i < layout->first[j + 1]; ++i)
            work->gap[i] = work->y[i] - layout->S[i] * work->core.state.u[layout->full[i]];
        work->gap[first] -= layout->S[first] * crn_ip_gap(&work->core.state, j);
    }
}

static bool scale_cones(workspace *work)
{
    assert(work->core.system.blocks == work->core.blocks);
    const crn_ip_layout *layout = &work->core.state.layout;
    bool inside = true;
    for (int j = 0; j < layout->cones && inside; ++j)
    {
        int first = layout->first[j];
        const double *x = work->core.state.now.x + first;
        crn_ip_scaling *scaling = &work->core.blocks[j].scaling;
        inside = crn_is_row(work->core.state.problem, j)
                     ? crn_ip_row_scale(&work->row[j], *x, layout->rho[j], scaling)
                     : crn_ip_scale(scaling, layout->first[j + 1] - first, x, work->y + first);
    }
    return inside;
}

/* T = S, with the gap's derivative in its first row where asked. */
static void find_tilts(workspace *work, bool tilted)
{
    const cairn_problem *problem = work->core.state.problem;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const double *u = work->core.state.u + j * problem->dim;
        double *T = work->core.blocks[j].T;
        double slip = crn_ip_slip(problem->dim, u);
        memset(T, 0, 9 * sizeof(double));
        T[0] = work->core.state.layout.S[work->core.state.layout.first[j]];
        T[4] = T[8] = 1.0;
        for (int k = 1; k < work->core.blocks[j].size && tilted && slip > 0.0; ++k)
            T[k] = u[k] / slip;
        if (crn_is_row(problem, j))
            T[0] = crn_ip_row_tilt(&work->row[j]);
    }
}

static cairn_status factorise(workspace *work)
{
    cairn_status status = CAIRN_NUMERIC;
    if (work->core.state.exact)
    {
        find_tilts(work, true);
        status = crn_ip_system_factorise(&work->core.system, true, false);
    }
    if (status == CAIRN_NUMERIC)
    {
        find_tilts(work, false);
        status = crn_ip_system_factorise(&work->core.system, true, false);
    }
    return status;
}

/* The mean of x'y over the cones, and of the products of the pairs of rows. */
static double mean_product(const workspace *work, double length)
{
    double sum = 0.0;
    for (int j = 0; j < work->core.state.layout.cones; ++j)
    {
        int first = work->core.state.layout.first[j];
        double dx[3];
        if (crn_is_row(work->core.state.problem, j))
        {
            sum += crn_ip_row_product(&work->row[j], work->core.state.now.x[first], work->core.step.x[first], length);
            continue;
        }
        crn_ip_scaling_apply(&work->core.blocks[j].scaling, work->core.step.x + first, dx);
        for (int i = 0; i < work->core.blocks[j].scaling.size; ++i)
        {
            double lambda = work->core.blocks[j].scaling.lambda[i];
            sum += (lambda + length * dx[i]) * (lambda + length * work->dy[first + i]);
        }
    }
    return work->pairs > 0.0 ? sum / work->pairs : 0.0;
}

/* Solve for a step with the complementarity's right-hand side in `corrector`; returns how far it can go, up to 1. */
static double find_step(workspace *work)
{
    const crn_ip_layout *layout = &work->core.state.layout;
    for (int j = 0; j < layout->cones; ++j)
    {
        int first = layout->first[j];
        if (crn_is_row(work->core.state.problem, j))
        {
            double s = work->core.state.u[layout->full[first]];
            work->core.state.right.x[first] = crn_ip_row_right(&work->row[j], work->core.state.now.x[first], s);
            continue;
        }
        crn_ip_scaling_apply(&work->core.blocks[j].scaling, work->corrector + first, work->core.state.right.x + first);
        for (int i = first; i < layout->first[j + 1]; ++i)
            work->core.state.right.x[i] += work->gap[i];
    }
    crn_ip_system_solve(&work->core.system, &work->core.state.right, &work->core.step);
    double length = 1.0;
    for (int j = 0; j < layout->cones; ++j)
    {
        int first = layout->first[j];
        double dx[3];
        if (crn_is_row(work->core.state.problem, j))
        {
            double reached = crn_ip_row_follow(&work->row[j], work->core.state.now.x[first], work->core.step.x[first]);
            length = fmin(length, reached);
            continue;
        }
        crn_ip_scaling_apply(&work->core.blocks[j].scaling, work->core.step.x + first, dx);
        for (int i = 0; i < work->core.blocks[j].scaling.size; ++i)
            work->dy[first + i] = work->corrector[first + i] - dx[i];
        length = fmin(length, crn_ip_reach(&work->core.blocks[j].scaling, dx));
        length = fmin(length, crn_ip_reach(&work->core.blocks[j].scaling, work->dy + first));
    }
    return length;
}

/* Towards tau = 0: lambda o corrector = -lambda o lambda. */
static void aim_at_solution(workspace *work)
{
    for (int j = 0; j < work->core.state.layout.cones; ++j)
        if (crn_is_row(work->core.state.problem, j))
            crn_ip_row_aim(&work->row[j], work->core.state.now.x[work->core.state.layout.first[j]], 0.0, NULL);
        else
            for (int i = 0; i < work->core.blocks[j].scaling.size; ++i)
                work->corrector[work->core.state.layout.first[j] + i] = -work->core.blocks[j].scaling.lambda[i];
}

/* Towards tau, with the second-order term of the step just found. */
static void aim_at_path(workspace *work, double tau)
{
    for (int j = 0; j < work->core.state.layout.cones; ++j)
    {
        int first = work->core.state.layout.first[j];
        double dx[3];
        double right[3];
        double change[3];
        if (crn_is_row(work->core.state.problem, j))
        {
            crn_ip_row_aim(&work->row[j], work->core.state.now.x[first], tau, work->core.step.x + first);
            continue;
        }
        crn_ip_scaling_apply(&work->core.blocks[j].scaling, work->core.step.x + first, dx);
        crn_ip_product(work->core.blocks[j].scaling.size, dx, work->dy + first, right);
        for (int i = 0; i < work->core.blocks[j].scaling.size; ++i)
            right[i] = (i == 0 ? tau : 0.0) - right[i];
        crn_ip_divide(&work->core.blocks[j].scaling, right, change);
        for (int i = 0; i < work->core.blocks[j].scaling.size; ++i)
            work->corrector[first + i] = change[i] - work->core.blocks[j].scaling.lambda[i];
    }
}

static void move(workspace *work, double length)
{
    assert(length <= 1.0);
    crn_ip_move(&work->core.state, length, &work->core.step);
    for (int j = 0; j < work->core.state.layout.cones; ++j)
    {
        int first = work->core.state.layout.first[j];
        double dy[3];
        if (crn_is_row(work->core.state.problem, j))
        {
            crn_ip_row_move(&work->row[j], length);
            continue;
        }
        crn_ip_scaling_apply(&work->core.blocks[j].scaling, work->dy + first, dy);
        for (int i = 0; i < work->core.blocks[j].size; ++i)
            work->y[first + i] += length * dy[i];
    }
}

/* One iteration from residuals that are up to date. */
static void advance(workspace *work)
{
    aim_at_solution(work);
    double reach = find_step(work);
    if (work->pairs > 0.0)
    {
        double before = mean_product(work, 0.0);
        double ratio = fmax(0.0, mean_product(work, reach)) / before;
        double sigma = fmin(1.0, ratio * ratio * ratio);
        aim_at_path(work, sigma * before);
        reach = find_step(work);
    }
    move(work, reach < 1.0 ? FRACTION * reach : 1.0);
}

/* Try Newton's method on the natural map from the best point. The path's own point does not change. */
static void polish(workspace *work, double target, double epsilon, crn_method_report *report)
{
    crn_ip_copy(&work->core.state, &work->core.state.now, &work->path);
    crn_ip_copy(&work->core.state, &work->core.best, &work->core.state.now);
    double error = crn_ip_polish(&work->core.state, &work->core.system, work->core.blocks, &work->core.step,
                                 &work->trial, target, epsilon, &report->iterations);
    crn_ip_keep(&work->core, error);
    crn_ip_copy(&work->core.state, &work->path, &work->core.state.now);
    report->converged = work->core.least <= target;
}

static cairn_status iterate(workspace *work, double target, int limit, crn_method_report *report)
{
    double near = NEAR;
    int since = 0;
    for (int i = 0;; ++i)
    {
        double error = crn_ip_judge(&work->core.state);
        since = crn_ip_keep(&work->core, error) ? 0 : since + 1;
        report->converged = work->core.least <= target;
        if (!report->converged && error < near)
        {
            polish(work, target, EPSILON, report);
            near = NEARER * error;
            crn_ip_judge(&work->core.state);
        }
        bool over = report->iterations >= limit || crn_is_late(work->core.state.deadline);
        if (report->converged || since > PATIENCE || over || !scale_cones(work))
            return CAIRN_OK;
        find_gap(work);
        cairn_status status = factorise(work);
        if (status)
            return status == CAIRN_NUMERIC && i > 0 ? CAIRN_OK : status;
        advance(work);
        ++report->iterations;
    }
}

/* The path from its start, and Newton's method at its end. */
static cairn_status follow(workspace *work, double target, int limit, crn_method_report *report)
{
    start(work);
    cairn_status status = iterate(work, target, limit, report);
    if (!isfinite(work->core.least))
        return status;
    for (double epsilon = EPSILON; epsilon < 1e-3 && !status && !report->converged; epsilon *= 100.0)
        polish(work, target, epsilon, report);
    return status;
}

/* The next shifts, from the gaps at the solution of the convex problem with the last ones. */
static void find_shifts(workspace *work)
{
    assert(work->history.rows == work->core.state.layout.cones);
    double *shift = work->core.state.shift;
    work->core.state.exact = true;
    for (int j = 0; j < work->core.state.layout.cones; ++j)
        work->gap[j] = crn_ip_gap(&work->core.state, j); /* every cone has at least one row */
    work->core.state.exact = false;
    for (int j = 0; j < work->core.state.layout.cones; ++j)
        work->history.f[j] = work->gap[j] - shift[j];
    crn_anderson_push(&work->history, work->gap);
    bool accelerated = crn_anderson_extrapolate(&work->history, work->gap, shift);
    for (int j = 0; j < work->core.state.layout.cones; ++j)
        shift[j] = fmax(0.0, accelerated ? shift[j] : work->gap[j]);
    crn_anderson_remember(&work->history, work->gap);
}

/* Exact Coulomb friction by the fixed point on the gap: convex problems whose bias is shifted by mu |u_t| of the one before,
 * accelerated. Each is solved by Newton's method from the solution before, or along the path where that fails. */
static cairn_status sweep(workspace *work, double target, int limit, crn_method_report *report)
{
    assert(work->core.state.exact);
    assert(isfinite(work->core.least));
    cairn_status status = CAIRN_OK;
    double least = work->core.least;
    crn_ip_copy(&work->core.state, &work->core.best, &work->found);
    crn_ip_copy(&work->core.state, &work->core.best, &work->core.state.now);
    double error = crn_ip_judge(&work->core.state);
    for (int j = 0; j < work->core.state.layout.cones; ++j)
        work->core.state.shift[j] = crn_ip_gap(&work->core.state, j);
    crn_anderson_drop(&work->history);
    int since = 0;
    while (!status && least > target && report->iterations < limit && since <= PATIENCE &&
           !crn_is_late(work->core.state.deadline))
    {
        double inner = fmax(0.5 * target, 1e-3 * error);
        int before = report->iterations++;
        work->core.state.exact = false;
        work->core.least = crn_ip_polish(&work->core.state, &work->core.system, work->core.blocks, &work->core.step,
                                         &work->core.best, inner, EPSILON, &report->iterations);
        if (work->core.least > inner)
        {
            status = follow(work, inner, before + MAX_ITERATIONS, report);
            crn_ip_copy(&work->core.state, &work->core.best, &work->core.state.now);
        }
        work->core.state.exact = true;
        error = crn_ip_judge(&work->core.state);
        since = error < least ? 0 : since + 1;
        if (since == SETBACKS)
            crn_anderson_drop(&work->history);
        find_shifts(work);
        if (error < least)
        {
            least = error;
            crn_ip_copy(&work->core.state, &work->core.state.now, &work->found);
        }
    }
    crn_ip_copy(&work->core.state, &work->found, &work->core.best);
    work->core.least = least;
    report->converged = least <= target;
    return status;
}

static cairn_status solve(void *memory, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report)
{
    workspace *work = memory;
    (void)context; /* monotone.h has already reported on the matrices */
    assert(can_solve(problem) && solution->n == problem->n);
    *report = (crn_method_report){.iterations = 0, .converged = true};
    CRN_TRY(crn_ip_begin(&work->core, problem, options));
    CRN_TRY(reserve(work, problem));
    memset(solution->v, 0, (size_t)solution->n * sizeof(double));
    memset(solution->c, 0, (size_t)solution->joint_rows * sizeof(double));
    memset(solution->r, 0, (size_t)solution->contact_rows * sizeof(double));
    if (work->core.state.scale <= DBL_MIN)
        return CAIRN_OK; /* nothing moves: all zeros solve it */
    int limit = work->core.state.exact ? MAX_EXACT_ITERATIONS : MAX_ITERATIONS;
    limit = options->max_iterations ? options->max_iterations : limit;
    cairn_status status = follow(work, options->tolerance, limit, report);
    if (!status && work->core.state.exact && !report->converged && isfinite(work->core.least))
    {
        limit = options->max_iterations ? options->max_iterations : MAX_SWEEP_ITERATIONS;
        status = sweep(work, options->tolerance, limit, report);
    }
    return crn_ip_finish(&work->core, status, solution, &report->cut);
}

const crn_method crn_method_interior_point = {
    .name = "interior-point",
    .can_solve = can_solve,
    .create = create,
    .destroy = destroy,
    .solve = solve,
    .predict = crn_ip_predict,
    .needs_constant_bounds = true,
    .carries_velocities = true,
    .factorises_contacts = true,
};
