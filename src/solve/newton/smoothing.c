/* Newton's method along the path of smoothed laws.
 *
 * In the variables x = (mu r_n, r_t), y = F(u) of interior_point.h the law is x = P(x - rho y), P the projection onto the
 * Lorentz cone. With P_tau for P (smoothing_cone.c; tau in units of rho times the scale) and sqrt(|u_t|^2 + e^2) - e for the
 * |u_t| of exact friction, e = SOFT tau,
 *
 *     A v = p + G'c + H'S x,    G v + R_c c = b,    Phi = x - P_tau(z) = 0,    z = x - rho y - KAPPA tau x,
 *     dPhi = (I - D + KAPPA tau D) dx + rho D J (H dv + R S dx),      D = P_tau',   J = dy/du,
 *
 * is smooth, and its matrix is the system of interior_point.h with T = rho D J and Theta = I - D + KAPPA tau D. The
 * solutions form a curve from a large tau, where it is easily found, to tau = 0, where it solves the problem; error and tau
 * are about the same. The compliance KAPPA tau makes it exist where contacts hold a body from both sides and no motion opens
 * all of them: there interior points have no path. For the convex laws tau falls along the curve. Under exact friction the map
 * is not monotone and the curve may fold: where a proximal point or a fixed point wanders without end, the curve is followed round its
 * folds. Hence the parameter is not tau but the arc length of (log tau, u / tau). A step goes along the
 * tangent, then Newton's method with the length held (two solves with one factorisation) returns to the curve. u, not x,
 * measures the length, because redundant contacts can shift their loads without moving anything.
 *
 * A bounded row has its interval for the cone, smoothed in the same way.
 *
 * The loads of redundant contacts stay as they are on the curve: an error of Phi is measured against the least spectral value of
 * the contact ("room").
 *
 * References: Chen, Sun and Sun 2003 for smoothed projections; Allgower and Georg 1990 for following curves.
 */
#include "solve/newton/smoothing.h"
#include "base/clock.h"
#include "linalg/blocks.h"
#include "linalg/compliance.h"
#include "solve/auto/bounded.h"
#include "solve/auto/method.h"
#include "solve/newton/interior_point.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum
{
    MAX_FACTORISATIONS = 1000,
    MAX_STEPS = 15,   /* of Newton's method back to the curve */
    FIRST_STEPS = 50, /* to its beginning */
    HALVINGS = 8,     /* of one step to the beginning */
    FEW_STEPS = 6,    /* up to so many steps: go further next time */
    MANY_STEPS = 10   /* from so many steps on: less far */
};

static const double FIRST_TAU = 1.0;
static const double MOST_TAU = 1e4; /* where FIRST_TAU is too small to begin with */
static const double TAU_GROWTH = 10.0;
static const double SOFT = 0.1;        /* of the slip speed against tau */
static const double KAPPA = 0.1;       /* of a compliance that falls with tau */
static const double CLOSE = 0.3;       /* error of Phi against the room, on the curve */
static const double FLOOR = 0.01;      /* times the tolerance: no room is smaller */
static const double GAIN = 0.7;        /* required of the error within two steps, or Newton's method gives up */
static const double LAST_TAU = 0.3;    /* times the tolerance */
static const double ASTRAY = 5.0;      /* growth of log tau from which the curve does not return */
static const double MOST_CHANGE = 2.0; /* of log tau in a step of Newton's method */
static const double LONGEST = 7.0;
static const double SHORTEST = 1e-3;

typedef struct workspace
{
    crn_ip_core core;
    crn_ip_vector slope;   /* -dPhi/dtau, */
    crn_ip_vector tangent; /* and d(v, c, x)/dtau */
    crn_ip_vector point;   /* on the curve, */
    crn_ip_vector forward; /* and d(v, c, x)/dtau there */

    double floor;           /* of the room, in units */
    double sum;             /* of the squares of Phi, in units */
    double first;           /* log tau where the curve begins, */
    double lambda;          /* at the point, */
    double bend;            /* its share in the unit tangent */
    double *along, *change; /* all contact rows: u's share in it; work */
    double *r;              /* work: all contact rows */
    double origin;          /* along'u at the point */
    double weight;          /* of u in the length; 0: tau is held */
    double length;          /* to be held */
} workspace;

static bool can_solve(const cairn_problem *problem)
{
    return crn_method_interior_point.can_solve(problem);
}

static void *create(void)
{
    return crn_ip_create(sizeof(workspace));
}

static cairn_status reserve(workspace *work, const cairn_problem *problem)
{
    int rows = problem->dim * problem->contact_count + 1;
    crn_ip_vector *vectors[] = {&work->slope, &work->tangent, &work->point, &work->forward};
    for (int i = 0; i < 4; ++i)
        CRN_TRY(crn_ip_vector_reserve(&work->core.memory, vectors[i], problem, &work->core.state.layout));
    return crn_reserve_all(&work->core.memory, CRN_ARRAY(work->along, rows), CRN_ARRAY(work->change, rows),
                           CRN_ARRAY(work->r, rows));
}

/* ------------------------------------------------------------------------------------------------------- equations */

/* Find y = F(u) of contact j with the slip softened, and the first row of J; the other rows are those of I. Returns d y_0 / dtau. */
static double find_velocity(const workspace *work, int j, double tau, double y[3], double J[3])
{
    assert(!(tau <= 0.0));
    const crn_ip_state *state = &work->core.state;
    const crn_ip_layout *layout = &state->layout;
    int first = layout->first[j];
    int size = layout->first[j + 1] - first;
    const double *u = state->u + j * state->problem->dim;
    for (int k = 0; k < size; ++k)
        y[k] = layout->S[first + k] * u[k];
    J[0] = layout->S[first];
    if (!state->exact || size == 1)
        return 0.0;
    double soft = SOFT * tau * state->scale;
    double slip = hypot(crn_ip_slip(size, u), soft);
    y[0] += slip - soft;
    for (int k = 1; k < size; ++k)
        J[k] = u[k] / slip;
    return SOFT * state->scale * (soft / slip - 1.0);
}

/* The blocks, -Phi and -dPhi/dtau of contact j; returns its error. */
static double linearise_contact(workspace *work, int j, double tau)
{
    assert(j >= 0 && j < work->core.state.layout.cones);
    assert(work->core.state.layout.rho[j] > 0.0);
    crn_ip_state *state = &work->core.state;
    const crn_ip_layout *layout = &state->layout;
    crn_ip_blocks *block = &work->core.blocks[j];
    int first = layout->first[j];
    int size = layout->first[j + 1] - first;
    double rho = layout->rho[j];
    double unit = rho * state->scale;
    double y[3] = {0.0, 0.0, 0.0};
    double z[3] = {0.0, 0.0, 0.0};
    double J[3] = {0.0, 0.0, 0.0};
    double sum = 0.0;
    crn_smooth smooth;
    double y_tau = find_velocity(work, j, tau, y, J);
    for (int k = 0; k < size; ++k)
        z[k] = state->now.x[first + k] - rho * y[k] - KAPPA * tau * state->now.x[first + k];
    if (crn_is_row(state->problem, j))
        crn_smooth_clip(state->problem->bound[j].lo, state->problem->bound[j].hi, z[0], tau * unit, &smooth);
    else
        crn_smooth_project(size, z, tau * unit, &smooth);
    block->size = size;
    memset(block->T, 0, sizeof block->T);
    memset(block->Theta, 0, sizeof block->Theta);
    for (int i = 0; i < size; ++i)
    {
        double map = state->now.x[first + i] - smooth.P[i];
        sum += map * map;
        state->right.x[first + i] = -map;
        work->slope.x[first + i] = unit * smooth.P_tau[i] - rho * smooth.D[3 * i] * y_tau;
        for (int k = 0; k < size; ++k)
        {
            work->slope.x[first + i] -= KAPPA * smooth.D[3 * i + k] * state->now.x[first + k];
            block->Theta[3 * i + k] = smooth.rest[3 * i + k] + KAPPA * tau * smooth.D[3 * i + k];
            block->T[3 * i + k] = rho * (smooth.D[3 * i] * J[k] + (k > 0 ? smooth.D[3 * i + k] : 0.0));
        }
    }
    work->sum += sum / (unit * unit);
    return sqrt(sum) / fmax(smooth.room, work->floor * unit);
}

/* All contacts; the largest error, or infinity. */
static double linearise(workspace *work, double tau)
{
    double worst = 0.0;
    work->sum = 0.0;
    for (int j = 0; j < work->core.state.layout.cones; ++j)
    {
        double error = linearise_contact(work, j, tau);
        worst = error <= worst ? worst : error;
        if (!isfinite(error))
            return INFINITY;
    }
    return worst;
}

static bool factorise(workspace *work)
{
    return crn_ip_system_factorise(&work->core.system, false, work->core.state.exact) == CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------- the curve */

/* u of a change in v and x. */
static void find_change(workspace *work, const crn_ip_vector *of, double *u)
{
    assert(u != work->r);
    const cairn_problem *problem = work->core.state.problem;
    int rows = problem->dim * problem->contact_count;
    long double *sum = work->core.state.sum;
    for (int i = 0; i < rows; ++i)
        sum[i] = 0.0L;
    crn_ip_impulses(&work->core.state.layout, problem, of->x, work->r);
    crn_rows_add(&problem->H, problem->block_start, 1.0, of->v, sum);
    crn_compliance_add(problem, work->r, sum);
    for (int i = 0; i < rows; ++i)
        u[i] = (double)sum[i];
}

/* p'q over all contact rows, in units of the scale, with u's weight. */
static double inner(const workspace *work, const double *p, const double *q)
{
    double sum = 0.0;
    for (int i = 0; i < work->core.state.problem->dim * work->core.state.problem->contact_count; ++i)
        sum += p[i] * q[i];
    return work->weight * sum / (work->core.state.scale * work->core.state.scale);
}

/* The change of log tau that keeps the length; the Newton step at the present tau is in `step`. */
static double hold_length(workspace *work, double lambda)
{
    double tau = exp(lambda);
    crn_ip_system_solve(&work->core.system, &work->slope, &work->tangent);
    find_change(work, &work->core.step, work->change);
    double moved = inner(work, work->along, work->change);
    find_change(work, &work->tangent, work->change);
    double slope = work->bend + tau * inner(work, work->along, work->change);
    double off = inner(work, work->along, work->core.state.u) - work->origin + work->bend * (lambda - work->lambda);
    return -(off - work->length + moved) / slope;
}

/* Newton's method from the state's point to the curve with the length held; true when it converged. */
static bool correct(workspace *work, double *lambda, int *factorisations, int *steps)
{
    crn_ip_state *state = &work->core.state;
    double errors[MAX_STEPS + 1];
    for (int i = 0;; ++i)
    {
        errors[i] = linearise(work, exp(*lambda));
        *steps = i;
        if (i > 0 && errors[i] <= CLOSE)
            return true;
        bool loses = i >= 2 && errors[i] > GAIN * errors[i - 2];
        if (i == MAX_STEPS || !isfinite(errors[i]) || loses || !factorise(work))
            return false;
        ++*factorisations;
        crn_ip_system_solve(&work->core.system, &state->right, &work->core.step);
        double change = hold_length(work, *lambda);
        if (!(fabs(change) < MOST_CHANGE))
            return false;
        crn_ip_move(state, 1.0, &work->core.step);
        crn_ip_move(state, exp(*lambda) * change, &work->tangent);
        *lambda += change;
        crn_ip_judge(state);
    }
}

/* Find the unit tangent at the state's point, which lies on the curve, in the direction of the last one. */
static bool find_tangent(workspace *work)
{
    crn_ip_state *state = &work->core.state;
    int rows = state->problem->dim * state->problem->contact_count;
    double tau = exp(work->lambda);
    linearise(work, tau);
    if (!factorise(work))
        return false;
    crn_ip_system_solve(&work->core.system, &work->slope, &work->forward);
    find_change(work, &work->forward, work->change);
    double turn = tau * inner(work, work->change, work->along) + work->bend;
    work->weight = 1.0 / (tau * tau * state->layout.cones);
    double share = 1.0 / sqrt(1.0 + tau * tau * inner(work, work->change, work->change));
    work->bend = turn < 0.0 ? -share : share;
    for (int i = 0; i < rows; ++i)
        work->along[i] = tau * work->bend * work->change[i];
    work->origin = inner(work, work->along, state->u);
    crn_ip_copy(state, &state->now, &work->point);
    return true;
}

/* Go along the tangent; v, c and x are closer to linear in tau than in its logarithm. Returns log tau there. */
static double predict(workspace *work, double length, double target)
{
    assert(length > 0.0);
    assert(target > 0.0);
    double change = work->bend * length;
    double last = log(LAST_TAU * target) - work->lambda;
    change = work->bend < 0.0 ? fmax(change, fmin(last, 0.0)) : change;
    length = fabs(change / work->bend);
    double growth = expm1(change);
    double ratio = change != 0.0 ? growth / change : 1.0;
    crn_ip_move(&work->core.state, exp(work->lambda) * growth, &work->forward);
    work->length = work->bend * change + ratio * (length - work->bend * change);
    crn_ip_judge(&work->core.state);
    return work->lambda + change;
}

/* ------------------------------------------------------------------------------------------------------ the method */

/* Start on the axes of the cones and within the bounds. */
static cairn_status start(workspace *work, double tau)
{
    assert(tau > 0.0);
    crn_ip_state *state = &work->core.state;
    const crn_ip_layout *layout = &state->layout;
    crn_ip_vector *cleared[] = {&state->now, &work->slope};
    for (int i = 0; i < 2; ++i)
    {
        memset(cleared[i]->v, 0, (size_t)state->problem->n * sizeof(double));
        memset(cleared[i]->c, 0, (size_t)state->problem->joint_rows * sizeof(double));
        memset(cleared[i]->x, 0, (size_t)layout->rows * sizeof(double));
    }
    for (int j = 0; j < layout->cones; ++j)
    {
        double *x = state->now.x + layout->first[j];
        *x = tau * layout->rho[j] * state->scale;
        if (crn_is_row(state->problem, j))
            crn_ip_project_on(state->problem, j, 1, x, x);
    }
    memset(work->along, 0, (size_t)(state->problem->dim * state->problem->contact_count) * sizeof(double));
    work->first = work->lambda = log(tau);
    work->bend = -1.0;
    work->weight = 0.0;
    CRN_TRY(crn_ip_follow_impulses(&work->core));
    crn_ip_judge(state);
    return CAIRN_OK;
}

/* Newton's method at the tau where the curve begins, each step halved until Phi falls: far from the curve full steps can cycle. */
static bool enter(workspace *work, int *factorisations)
{
    crn_ip_state *state = &work->core.state;
    double tau = exp(work->lambda);
    double error = linearise(work, tau);
    for (int i = 0; i < FIRST_STEPS && !(error <= CLOSE) && !crn_is_late(state->deadline); ++i)
    {
        double before = work->sum;
        double length = 1.0;
        if (!isfinite(error) || !factorise(work))
            return false;
        ++*factorisations;
        crn_ip_system_solve(&work->core.system, &state->right, &work->core.step);
        crn_ip_move(state, length, &work->core.step);
        for (int half = 0; half < HALVINGS; ++half)
        {
            crn_ip_judge(state);
            error = linearise(work, tau);
            if (work->sum < before)
                break;
            length *= 0.5;
            crn_ip_move(state, -length, &work->core.step);
        }
    }
    return error <= CLOSE;
}

/* Find the beginning of the curve. */
static cairn_status begin(workspace *work, int *factorisations, bool *found)
{
    cairn_status status = CAIRN_OK;
    *found = false;
    for (double tau = FIRST_TAU; tau <= MOST_TAU && !*found && !status && !crn_is_late(work->core.state.deadline);
         tau *= TAU_GROWTH)
    {
        status = start(work, tau);
        *found = !status && enter(work, factorisations);
        crn_ip_keep(&work->core, crn_ip_judge(&work->core.state));
    }
    return status;
}

/* Take one step along the curve, shortened until Newton's method returns to it. */
static bool advance(workspace *work, double *length, double target, int limit, int *factorisations)
{
    assert(*length <= LONGEST);
    crn_ip_state *state = &work->core.state;
    while (*length > SHORTEST && *factorisations < limit && !crn_is_late(state->deadline))
    {
        int steps = 0;
        double next = predict(work, *length, target);
        bool found = correct(work, &next, factorisations, &steps);
        crn_ip_keep(&work->core, crn_ip_judge(state));
        if (next > work->first + ASTRAY)
            return false;
        if (found)
        {
            work->lambda = next;
            *length *= steps <= FEW_STEPS ? 2.0 : steps >= MANY_STEPS ? 0.7 : 1.0;
            *length = fmin(*length, LONGEST);
            return true;
        }
        *length *= 0.4;
        crn_ip_copy(state, &work->point, &state->now);
        crn_ip_judge(state);
    }
    return false;
}

static cairn_status iterate(workspace *work, double target, int limit, crn_method_report *report)
{
    double length = 1.0;
    bool found = false;
    work->floor = FLOOR * target;
    cairn_status status = begin(work, &report->iterations, &found);
    while (found && work->core.least > target && report->iterations < limit)
    {
        ++report->iterations;
        found = find_tangent(work) && advance(work, &length, target, limit, &report->iterations);
    }
    report->converged = work->core.least <= target;
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
    int limit = options->max_iterations ? options->max_iterations : MAX_FACTORISATIONS;
    cairn_status status = iterate(work, options->tolerance, limit, report);
    return crn_ip_finish(&work->core, status, solution, &report->cut);
}

const crn_method crn_method_smoothing = {
    .name = "smoothing",
    .can_solve = can_solve,
    .create = create,
    .destroy = crn_ip_destroy,
    .solve = solve,
    .needs_constant_bounds = true,
    .carries_velocities = true,
    .factorises_contacts = true,
};
