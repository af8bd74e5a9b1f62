/* Sweeps settle slowly where masses differ much or contacts repeat each other, and soon know which contacts are open, stick or
 * slip. From there Newton's method needs a few steps, and where contacts are few a step costs less than the sweeps it saves. The
 * responses of the plan give W in full, u = W r + q, and the steps of newton.c, taken on the contacts alone, are
 *
 *     F = r - P_K(r - rho' (u + alpha (r - r_k) + e_0 g)),     g = mu |u_t| for the exact law, 0 for the convex ones,
 *     F' = I - D + rho' D J (W + alpha),                       D = P_K',   J = I + e_0 g'
 *
 * with the proximal term alpha_j = a / rho_j, rho' = rho / (1 + a), that makes redundant contacts regular. Where the steps for
 * one r_k settle a falls, where they do not it grows; when that does not help the sweeps go on as if nothing had been.
 *
 * For a bounded row P is the projection on its interval: D is 1 within and 0 at a bound. Where the bound is a multiple of
 * another impulse f, F = z - hi f there, and -hi stands in the column of f.
 */
#include "solve/sweep/gauss_seidel_newton.h"

#include "linalg/compliance.h"
#include "linalg/lanes.h"
#include "linalg/lu.h"
#include "solve/auto/bounded.h"
#include "solve/sweep/gauss_seidel_kernel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    MOST_PROXIMAL = 12, /* proximal steps, */
    MOST_STEPS = 8,     /* each with so many of Newton's, */
    MOST = 40,          /* in all */
    MOST_STALLS = 2,    /* proximal steps that do not halve the error, where it is small enough */
    MOST_REPEATS = 3,   /* proximal steps with the factors of the last one */
    MOST_HASTY = 12     /* in all, where a better start is at hand */
};

static const double FIRST_WEIGHT = 1e-2;
static const double SMALL_WEIGHT = 1e-5; /* at which the proximal term no longer limits progress */
static const double LEAST_WEIGHT = 1e-12;
static const double THIN_WEIGHT = 1e-10; /* least, where it is divided by */
static const double MOST_WEIGHT = 1.0;
static const double CHANGE = 10.0;    /* of the weight; its square where only the proximal term limits progress */
static const double FAST = 1e-3;      /* share of the error left by a proximal step that old factors may finish */
static const double CLOSE = 1e3;      /* times the target: an error that steps with old factors may bring there, */
static const double REPEATED = 1e-1;  /* if each leaves no more than this share, */
static const double FINE = 1e-2;      /* up to this share of the target */
static const double INNER = 0.1;      /* error of a proximal step against that of the problem */
static const double RUNAWAY = 1e7;    /* times the error at the start */
static const double SINGULAR = 1e-15; /* a pivot beside the largest entry */

void crn_gs_newton_release(crn_gs_newton *newton)
{
    crn_arena_release(&newton->memory);
    memset(newton, 0, sizeof *newton);
}

static cairn_status reserve(crn_gs_newton *newton, const cairn_problem *problem)
{
    size_t rows = (size_t)newton->rows, past = rows + 1; /* contacts are read in whole vectors */
    return crn_reserve_all(&newton->memory, CRN_ARRAY(newton->W, rows * rows), CRN_ARRAY(newton->matrix, rows * rows),
                           CRN_ARRAY(newton->order, rows), CRN_ARRAY(newton->column, problem->n + 1),
                           CRN_ARRAY(newton->q, rows), CRN_ARRAY(newton->r, past), CRN_ARRAY(newton->u, past),
                           CRN_ARRAY(newton->F, past), CRN_ARRAY(newton->step, rows), CRN_ARRAY(newton->centre, past),
                           CRN_ARRAY(newton->slip, past), CRN_ARRAY(newton->moved, past),
                           CRN_ARRAY(newton->active, newton->contacts), CRN_ARRAY(newton->index, rows),
                           CRN_ARRAY(newton->part, newton->apart ? rows * rows : 0));
}

/* ---------------------------------------------------------------------------------------------------------------- W */

/* Column k of contact j, from its response. */
static void find_column(crn_gs_newton *newton, const crn_gs_plan *plan, const cairn_problem *problem, int j, int k)
{
    assert(j >= 0 && j < newton->contacts);
    assert(k >= 0 && k < newton->dim);
    const cairn_block_rows *H = &problem->H;
    int dim = newton->dim;
    memset(newton->column, 0, (size_t)problem->n * sizeof(double));
    for (size_t e = plan->X_start[j]; e < plan->X_start[j + 1]; ++e)
    {
        size_t size = (size_t)plan->X_size[e];
        memcpy(newton->column + plan->X_first[e], plan->X + plan->X_value[e] + (size_t)k * size, size * sizeof(double));
    }
    for (int i = 0; i < newton->contacts; ++i)
    {
        double u[3] = {0.0, 0.0, 0.0};
        for (int e = H->entry_start[i]; e < H->entry_start[i + 1]; ++e)
        {
            int first = problem->block_start[H->block[e]];
            int size = problem->block_start[H->block[e] + 1] - first;
            crn_gs_gather(dim, size, H->value + H->value_start[e], newton->column + first, u);
        }
        for (int l = 0; l < dim; ++l)
            newton->W[(i * dim + l) * newton->rows + j * dim + k] = u[l];
    }
}

static void find_W(crn_gs_newton *newton, const crn_gs_plan *plan, const cairn_problem *problem)
{
    int dim = newton->dim;
    for (int column = 0; column < newton->rows; ++column)
        find_column(newton, plan, problem, column / dim, column % dim);
    crn_compliance_add_dense(problem, newton->W);
}

/* out = W x, added to `from`. */
static void apply_W(const crn_gs_newton *newton, double sign, const double *x, const double *from, double *out)
{
    assert(fabs(sign) == 1.0);
    int rows = newton->rows;
    if (newton->columns > 0)
    {
        crn_gs_newton_apply_thin(newton, sign, x, from, out);
        return;
    }
    for (int i = 0; i < rows; ++i)
    {
        const double *row = newton->W + i * rows;
        double sum = 0.0;
        int j = 0;
        crn_lanes part[2] = {{0.0}};
        for (; newton->apart && j + 3 < rows; j += 4)
        {
            part[0] += crn_lanes_at(row + j) * crn_lanes_at(x + j);
            part[1] += crn_lanes_at(row + j + 2) * crn_lanes_at(x + j + 2);
        }
        sum = (part[0][0] + part[0][1]) + (part[1][0] + part[1][1]);
        for (; j < rows; ++j)
            sum += row[j] * x[j];
        out[i] = from[i] + sign * sum;
    }
}

/* ------------------------------------------------------------------------------------------------------ the steps */

/* The error of the proximal step at r, whose u is computed unless it is known. */
static double find_error(crn_gs_newton *newton)
{
    assert(newton->weight >= 0.0);
    if (!newton->fresh)
        apply_W(newton, 1.0, newton->r, newton->q, newton->u);
    newton->fresh = true;
    return crn_gs_newton_residuals(newton);
}

/* The natural map at the present r and u: without the proximal term. */
static double problem_error(crn_gs_newton *newton)
{
    double weight = newton->weight;
    newton->weight = 0.0;
    double error = crn_gs_newton_residuals(newton);
    newton->weight = weight;
    return error;
}

/* The same step where `apart` is set. Rows of contacts that carry nothing are those of the identity, and their matrix need not be
 * filled: their part of the step is F, and the others follow from a smaller matrix. */
static bool take_step_apart(crn_gs_newton *newton)
{
    int count = 0, idle = 0, rows = newton->rows;
    for (int i = 0; i < rows; ++i)
    {
        newton->step[i] = newton->F[i];
        if (newton->active[i / newton->dim])
            newton->index[count++] = i;
        else if (newton->F[i] != 0.0)
            newton->index[rows - 1 - idle++] = i; /* from the end: those that change all the same */
    }
    double *x = newton->u; /* computed anew for the next error */
    for (int a = 0; a < count; ++a)
    {
        const double *row = newton->matrix + (size_t)newton->index[a] * (size_t)rows;
        for (int b = 0; b < count; ++b)
            newton->part[a * count + b] = row[newton->index[b]];
        for (int b = 0; b < idle; ++b)
            newton->step[newton->index[a]] -= row[newton->index[rows - 1 - b]] * newton->F[newton->index[rows - 1 - b]];
    }
    if (!crn_lu_factorise(count, newton->part, count, newton->order, SINGULAR))
        return false;
    for (int a = 0; a < count; ++a)
        x[a] = newton->step[newton->index[newton->order[a]]];
    crn_lu_solve(count, newton->part, count, x, 1, 1);
    for (int a = 0; a < count; ++a)
        newton->step[newton->index[a]] = x[a];
    for (int i = 0; i < rows; ++i)
        newton->r[i] -= newton->step[i];
    return true;
}

/* Take one Newton step from the present r and u, whose F is known; false when the matrix is singular. */
static bool take_step(crn_gs_newton *newton)
{
    newton->fresh = false;
    if (newton->columns > 0)
        return crn_gs_newton_take_thin(newton, false);
    crn_gs_newton_differentiate(newton);
    if (newton->apart)
        return take_step_apart(newton);
    if (!crn_lu_factorise(newton->rows, newton->matrix, newton->rows, newton->order, SINGULAR))
        return false;
    for (int i = 0; i < newton->rows; ++i)
        newton->step[i] = newton->F[newton->order[i]];
    crn_lu_solve(newton->rows, newton->matrix, newton->rows, newton->step, 1, 1);
    for (int i = 0; i < newton->rows; ++i)
        newton->r[i] -= newton->step[i];
    return true;
}

/* The proximal step about the centre, to `inner` m/s. */
static bool find_proximal(crn_gs_newton *newton, double inner, int *iterations)
{
    double start = find_error(newton);
    double error = start, before = INFINITY;
    for (int step = 0; step < MOST_STEPS && *iterations < MOST && error > inner; ++step)
    {
        ++*iterations;
        if (!(error < RUNAWAY * start) || (newton->hasty && !(error < before)) || !take_step(newton))
            return false;
        before = step > 0 ? error : INFINITY;
        error = find_error(newton);
    }
    return error <= inner;
}

/* One more proximal step with the same weight and the matrix of the last one: with a thin W it costs a third of others. `error`: of the problem,
 * before; returns what is left, at most this. */
static double repeat(crn_gs_newton *newton, double error)
{
    size_t size = (size_t)newton->rows * sizeof(double);
    memcpy(newton->centre, newton->r, size);
    find_error(newton);
    newton->fresh = false;
    if (!crn_gs_newton_take_thin(newton, true))
        return error;
    apply_W(newton, 1.0, newton->r, newton->q, newton->u);
    newton->fresh = true;
    double next = problem_error(newton);
    if (next < error)
        return next;
    memcpy(newton->r, newton->centre, size);
    newton->fresh = false;
    return error;
}

/* Where a proximal step has left an error that is nearly small enough, repetitions may do. A step of Newton's would end far below the target,
 * and so must they: what they leave would act again in the steps to come. */
static double finish(crn_gs_newton *newton, double error, double target)
{
    double before = INFINITY;
    for (int k = 0; k < MOST_REPEATS && error > FINE * target && error <= REPEATED * before; ++k)
    {
        before = error;
        error = repeat(newton, error);
    }
    return error;
}

/* Ends at an error of `target`, or below `enough` where errors stop falling; returns the error of r. */
static double iterate(crn_gs_newton *newton, double first_weight, double target, double enough, int *iterations)
{
    assert(first_weight > 0.0);
    assert(enough >= target);
    int most = newton->hasty ? MOST_HASTY : MOST, stalls = 0;
    double error = newton->reached;
    newton->weight = first_weight;
    for (int k = 0; k < MOST_PROXIMAL && error > target && *iterations < most && newton->weight <= MOST_WEIGHT; ++k)
    {
        memcpy(newton->centre, newton->r, (size_t)newton->rows * sizeof(double));
        int taken = *iterations;
        if (find_proximal(newton, fmax(INNER * error, 0.5 * target), iterations))
        {
            double before = error;
            error = problem_error(newton);
            if (newton->columns > 0 && error > target && error <= fmin(FAST * before, CLOSE * target))
                error = finish(newton, error, target);
            stalls = error > 0.5 * before && newton->weight <= SMALL_WEIGHT ? stalls + 1 : 0;
            if (error <= enough && stalls >= MOST_STALLS)
                break;
            bool quick = newton->hasty && *iterations == taken + 1;
            bool easy = error > 0.5 * before || quick;
            double change = easy ? CHANGE * CHANGE : CHANGE;
            newton->weight = fmax(newton->weight / change, newton->columns > 0 ? THIN_WEIGHT : LEAST_WEIGHT);
            continue;
        }
        memcpy(newton->r, newton->centre, (size_t)newton->rows * sizeof(double));
        newton->fresh = false;
        if (newton->hasty && k == 0) /* sweeps do better */
            break;
        stalls += newton->weight <= SMALL_WEIGHT;
        if (error <= enough && stalls >= MOST_STALLS)
            break;
        newton->weight *= CHANGE;
    }
    return error;
}

cairn_status crn_gs_newton_begin(crn_gs_newton *newton, const cairn_problem *problem, crn_local_law law,
                                 const double *rho, bool apart)
{
    newton->problem = problem;
    newton->apart = apart;
    newton->columns = 0;
    newton->dim = problem->dim;
    newton->contacts = problem->contact_count;
    newton->rows = problem->dim * problem->contact_count;
    newton->law = law;
    newton->mu = problem->mu;
    newton->rho = rho;
    assert((apart || newton->rows <= CRN_GS_NEWTON_ROWS) && law != CRN_LOCAL_LAGGED);
    return reserve(newton, problem);
}

void crn_gs_newton_take(const crn_gs_newton *newton, double *r)
{
    const cairn_problem *problem = newton->problem;
    for (int i = 0; i < newton->contacts; ++i)
    {
        double mu = newton->law == CRN_LOCAL_FRICTIONLESS ? 0.0 : newton->mu[i];
        const double *found = newton->r + i * newton->dim;
        if (crn_is_row(problem, i))
            r[i * newton->dim] = crn_clip(crn_row_interval(problem, i, newton->r), found[0]);
        else
            crn_local_project(newton->law, newton->dim, mu, found, r + i * newton->dim);
    }
}

double crn_gs_newton_start(crn_gs_newton *newton, const double *r)
{
    memcpy(newton->r, r, (size_t)newton->rows * sizeof(double));
    apply_W(newton, 1.0, newton->r, newton->q, newton->u);
    newton->fresh = true;
    return newton->reached = problem_error(newton);
}

bool crn_gs_newton_run(crn_gs_newton *newton, double first_weight, double target, double enough, double *r,
                       int *iterations)
{
    int steps = 0;
    newton->hasty = newton->apart && first_weight < FIRST_WEIGHT;
    newton->reached = iterate(newton, first_weight, target, enough, &steps);
    *iterations += steps;
    bool found = newton->reached <= enough;
    if (found)
        crn_gs_newton_take(newton, r);
    return found;
}

cairn_status crn_gs_newton_solve(crn_gs_newton *newton, const crn_gs_plan *plan, const cairn_problem *problem,
                                 crn_local_law law, double target, const double *u, double *r, int *iterations,
                                 bool *found)
{
    *found = false;
    CRN_TRY(crn_gs_newton_begin(newton, problem, law, plan->rho, false));
    find_W(newton, plan, problem);
    apply_W(newton, -1.0, r, u, newton->q);
    crn_gs_newton_start(newton, r);
    *found = crn_gs_newton_run(newton, FIRST_WEIGHT, target, target, r, iterations);
    return CAIRN_OK;
}
