/* Semismooth Newton on the natural map, made regular by proximal steps.
 *
 * With impulses r_k known, the problem
 *
 *     A v = p + G'c + H'r,   G v + R_c c = b,   u = H v + R r + w + alpha_j (r - r_k),   law(u, r, mu)
 *
 * has a solution closer to r_k the larger the weight a = alpha_j rho_j, and is regular for every a > 0 even where redundant
 * contacts make the problem itself singular. Its solution is r_k+1; where r_k+1 = r_k it solves the problem itself. It is found from r_k by
 * Newton's method on
 *
 *     F = r - P_K(r - rho' (u + e_0 g)),     g = mu |u_t| for the exact law, 0 for the convex ones,     rho' = rho / (1 + a)
 *     dF = (I - D) dr + rho' D J (H dv + R dr) + a / (1 + a) D J dr,      D = P_K',   J = I + dg/du .
 *
 * That is the system of interior_point.h with T = rho' D J and Theta = (I - D + a / (1 + a) D J) S. Only full steps are taken: a
 * line search on |F| gets stuck at kinks, while full steps either converge within about ten or diverge, which is soon detected.
 * a falls after proximal steps that were found and grows after those that were not. The proximal point method is global
 * for monotone problems (Rockafellar 1976), the convex laws; the exact law is a monotone problem but for g, and large a
 * make it one. Towards the end a is small, a proximal step nearly the solution, and convergence superlinear.
 *
 * Rank deficiency, not the nonconvexity, is what stops Newton's method alone on stacks and heaps (Acary, Bremond and Huber
 * 2018), and proximal steps are its cure.
 */
#include "base/clock.h"
#include "solve/auto/method.h"
#include "solve/newton/interior_point.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum
{
    MAX_FACTORISATIONS = 6000,
    MAX_STEPS = 25, /* of Newton's method for one proximal step */
    SETTLE = 8,     /* after this many steps the error must be */
    LAG = 4         /* half of what it was this many steps ago */
};

static const double FIRST_WEIGHT = 1.0;
static const double LEAST_WEIGHT = 1e-9;
static const double MOST_WEIGHT = 1e4;
static const double CHANGE = 2.0;     /* of the weight */
static const double INNER = 0.05;     /* error of a proximal step against that of the problem */
static const double ROUNDING = 1e-13; /* no proximal step is solved further */
static const double RUNAWAY = 1e6;    /* times the error at the start */
static const double HARM = 2.0;       /* the growth of the error that a stride may cause */
static const double LEAST_STRIDE = 0.5;
static const double MOST_STRIDE = 64.0;

typedef struct workspace
{
    crn_ip_core core;
    crn_ip_vector centre; /* r_k, with its v and c */
    double centre_error;  /* at r_k */
    double weight;        /* a */
    double stride;        /* how far to go beyond a proximal step, in multiples of it */
    double *r_k;          /* all contact rows */
} workspace;

static bool can_solve(const cairn_problem *problem)
{
    return problem->law.kind == CAIRN_LAW_LAGGED || crn_method_interior_point.can_solve(problem);
}

static void *create(void)
{
    return crn_ip_create(sizeof(workspace));
}

/* ------------------------------------------------------------------------------------------------ one proximal step */

/* F of contact j at the state's point and the point projected; u with the proximal term and the gap. */
static void find_map(const workspace *work, int j, double *u, double *moved, double *map)
{
    assert(j >= 0 && j < work->core.state.layout.cones);
    assert(work->weight > 0.0);
    const crn_ip_state *state = &work->core.state;
    const cairn_problem *problem = state->problem;
    int dim = problem->dim;
    int size = state->layout.first[j + 1] - state->layout.first[j];
    double rho = state->layout.rho[j] / (1.0 + work->weight);
    const double *r = state->r + j * dim;
    const double *r_k = work->r_k + j * dim;
    double alpha = work->weight / state->layout.rho[j];
    double gap = state->exact ? 0.0 : state->shift[j];
    for (int k = 0; k < size; ++k)
        u[k] = state->u[j * dim + k] + alpha * (r[k] - r_k[k]);
    if (state->exact && size > 1)
        gap = problem->mu[j] * crn_ip_slip(dim, u);
    for (int k = 0; k < size; ++k)
        moved[k] = r[k] - rho * (u[k] + (k == 0 ? gap : 0.0));
    crn_ip_project_on(problem, j, size, moved, map);
    for (int k = 0; k < size; ++k)
        map[k] = r[k] - map[k];
}

/* The largest natural map of the proximal problem, as a velocity against the scale. */
static double measure(const workspace *work)
{
    assert(work->core.state.scale > 0.0);
    double worst = 0.0;
    for (int j = 0; j < work->core.state.layout.cones; ++j)
    {
        double u[3] = {0.0, 0.0, 0.0};
        double moved[3] = {0.0, 0.0, 0.0};
        double map[3] = {0.0, 0.0, 0.0};
        find_map(work, j, u, moved, map);
        double size = sqrt(map[0] * map[0] + map[1] * map[1] + map[2] * map[2]);
        double error = size * (1.0 + work->weight) / work->core.state.layout.rho[j];
        worst = error <= worst ? worst : error;
        if (!isfinite(error))
            return INFINITY;
    }
    return worst / work->core.state.scale;
}

/* D J: the derivative of the gap in the first row of J. */
static void tilt(int size, double mu, const double *u, const double D[9], double DJ[9])
{
    assert(size >= 1 && size <= 3);
    assert(mu >= 0.0);
    double slip = size > 1 ? crn_ip_slip(size, u) : 0.0;
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            double gap = k > 0 && k < size && slip > 0.0 ? D[3 * i] * mu * u[k] / slip : 0.0;
            DJ[3 * i + k] = D[3 * i + k] + gap;
        }
    }
}

/* The blocks of all contacts and the right-hand side -F. */
static void linearise(workspace *work, bool tilted)
{
    crn_ip_state *state = &work->core.state;
    double near = work->weight / (1.0 + work->weight);
    for (int j = 0; j < state->layout.cones; ++j)
    {
        crn_ip_blocks *block = &work->core.blocks[j];
        int first = state->layout.first[j];
        double u[3] = {0.0, 0.0, 0.0};
        double moved[3] = {0.0, 0.0, 0.0};
        double map[3] = {0.0, 0.0, 0.0};
        double D[9];
        double DJ[9];
        block->size = state->layout.first[j + 1] - first;
        find_map(work, j, u, moved, map);
        crn_ip_differentiate_on(state->problem, j, block->size, moved, D);
        tilt(tilted ? block->size : 1, state->problem->mu[j], u, D, DJ);
        for (int i = 0; i < block->size; ++i)
        {
            for (int k = 0; k < block->size; ++k)
            {
                double own = (i == k) - D[3 * i + k] + near * DJ[3 * i + k];
                block->Theta[3 * i + k] = own * state->layout.S[first + k];
            }
            state->right.x[first + i] = -map[i];
        }
        for (int i = 0; i < 9; ++i)
            block->T[i] = state->layout.rho[j] / (1.0 + work->weight) * DJ[i];
    }
}

static cairn_status factorise(workspace *work)
{
    cairn_status status = CAIRN_NUMERIC;
    if (work->core.state.exact)
    {
        linearise(work, true);
        status = crn_ip_system_factorise(&work->core.system, false, true);
    }
    if (status == CAIRN_NUMERIC)
    {
        linearise(work, false);
        status = crn_ip_system_factorise(&work->core.system, false, false);
    }
    return status;
}

/* Whether Newton's method, with these errors so far, is worth another step. */
static bool goes_on(const double *errors, int steps)
{
    assert(steps >= 0 && steps <= MAX_STEPS);
    double now = errors[steps];
    if (!isfinite(now) || now > RUNAWAY * fmax(errors[0], ROUNDING) || steps == MAX_STEPS)
        return false;
    double least = INFINITY;
    for (int i = 0; i <= steps - LAG; ++i)
        least = fmin(least, errors[i]);
    return steps < SETTLE || now <= 0.5 * least;
}

/* Newton's method from r_k; true when it found the proximal step. */
static bool find_step(workspace *work, double target, int *factorisations, cairn_status *status)
{
    crn_ip_state *state = &work->core.state;
    double errors[MAX_STEPS + 1];
    memcpy(work->r_k, state->r, (size_t)(state->problem->dim * state->layout.cones) * sizeof(double));
    for (int i = 0;; ++i)
    {
        errors[i] = measure(work);
        if (errors[i] <= target && i > 0)
            return true;
        if (!goes_on(errors, i) || crn_is_late(state->deadline))
            return false;
        *status = factorise(work);
        if (*status)
            return false;
        crn_ip_system_solve(&work->core.system, &state->right, &work->core.step);
        crn_ip_move(state, 1.0, &work->core.step);
        crn_ip_judge(state); /* r, u and the residuals at the new point */
        ++*factorisations;
    }
}

/* ------------------------------------------------------------------------------------------------------ the method */

/* Start from the guess, projected onto the cones. */
static cairn_status start(workspace *work, const double *guess)
{
    crn_ip_state *state = &work->core.state;
    const crn_ip_layout *layout = &state->layout;
    memset(state->now.v, 0, (size_t)state->problem->n * sizeof(double));
    memset(state->now.c, 0, (size_t)state->problem->joint_rows * sizeof(double));
    for (int j = 0; j < layout->cones; ++j)
    {
        int first = layout->first[j];
        int size = layout->first[j + 1] - first;
        double r[3] = {0.0, 0.0, 0.0};
        double on[3] = {0.0, 0.0, 0.0};
        bool finite = true;
        for (int k = 0; k < size; ++k)
        {
            r[k] = guess[layout->full[first + k]];
            finite = finite && isfinite(r[k]);
        }
        crn_ip_project_on(state->problem, j, size, r, on);
        for (int k = 0; k < size; ++k)
            state->now.x[first + k] = finite ? on[k] / layout->S[first + k] : 0.0;
    }
    cairn_status status = crn_ip_follow_impulses(&work->core);
    work->centre_error = crn_ip_judge(state);
    crn_ip_copy(state, &state->now, &work->centre);
    crn_ip_keep(&work->core, work->centre_error);
    work->weight = FIRST_WEIGHT;
    work->stride = 1.0;
    return status;
}

/* step = now - r_k */
static void find_move(workspace *work)
{
    const crn_ip_state *state = &work->core.state;
    const double *now[] = {state->now.v, state->now.c, state->now.x};
    const double *old[] = {work->centre.v, work->centre.c, work->centre.x};
    double *move[] = {work->core.step.v, work->core.step.c, work->core.step.x};
    int count[] = {state->problem->n, state->problem->joint_rows, state->layout.rows};
    for (int part = 0; part < 3; ++part)
        for (int i = 0; i < count[part]; ++i)
            move[part][i] = now[part][i] - old[part][i];
}

/* Set r_k+1 to the proximal step just found, or further along its direction as long as that does no harm: redundant contacts
 * shift their loads at a constant rate, over hundreds of steps otherwise. */
static void settle(workspace *work, double error)
{
    assert(work->stride >= LEAST_STRIDE && work->stride <= MOST_STRIDE);
    crn_ip_state *state = &work->core.state;
    find_move(work);
    crn_ip_copy(state, &state->now, &work->centre);
    work->centre_error = error;
    crn_ip_move(state, work->stride, &work->core.step);
    double further = crn_ip_judge(state);
    crn_ip_keep(&work->core, further);
    if (further < HARM * error)
    {
        crn_ip_copy(state, &state->now, &work->centre);
        work->centre_error = further;
        work->stride = fmin(2.0 * work->stride, MOST_STRIDE);
        return;
    }
    work->stride = fmax(0.5 * work->stride, LEAST_STRIDE);
    crn_ip_copy(state, &work->centre, &state->now);
    crn_ip_judge(state);
}

static cairn_status iterate(workspace *work, double target, int limit, crn_method_report *report)
{
    crn_ip_state *state = &work->core.state;
    cairn_status status = CAIRN_OK;
    bool tried = false; /* the last step was not found: keep the weight for one more step */
    while (!status && work->core.least > target && report->iterations < limit && work->weight < MOST_WEIGHT &&
           !crn_is_late(state->deadline))
    {
        double inner = fmax(INNER * fmin(work->centre_error, 1.0), ROUNDING);
        bool found = find_step(work, inner, &report->iterations, &status);
        double error = crn_ip_judge(state);
        crn_ip_keep(&work->core, error);
        if (found)
        {
            settle(work, error);
            work->weight = tried ? work->weight : fmax(work->weight / CHANGE, LEAST_WEIGHT);
            tried = false;
            continue;
        }
        tried = true;
        work->stride = 1.0;
        work->weight *= CHANGE;
        crn_ip_copy(state, &work->centre, &state->now);
        crn_ip_judge(state);
    }
    report->converged = work->core.least <= target;
    return status == CAIRN_NUMERIC && isfinite(work->core.least) ? CAIRN_OK : status;
}

static cairn_status solve(void *memory, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report)
{
    workspace *work = memory;
    (void)context; /* monotone.h has already reported on the matrices */
    assert(can_solve(problem) && solution->n == problem->n);
    *report = (crn_method_report){.iterations = 0, .converged = true};
    CRN_TRY(crn_ip_begin(&work->core, problem, options));
    CRN_TRY(crn_ip_vector_reserve(&work->core.memory, &work->centre, problem, &work->core.state.layout));
    CRN_TRY(crn_reserve_all(&work->core.memory, CRN_ARRAY(work->r_k, problem->dim * problem->contact_count + 1)));
    int limit = options->max_iterations ? options->max_iterations : MAX_FACTORISATIONS;
    cairn_status status = start(work, solution->r);
    status = status ? status : iterate(work, options->tolerance, limit, report);
    return crn_ip_finish(&work->core, status, solution, &report->cut);
}

const crn_method crn_method_newton = {
    .name = "newton",
    .can_solve = can_solve,
    .create = create,
    .destroy = crn_ip_destroy,
    .solve = solve,
    .needs_constant_bounds = true,
    .carries_velocities = true,
    .factorises_contacts = true,
};
