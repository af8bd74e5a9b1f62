/* The law of a bounded row, with multipliers for its bounds,
 *
 *     s = B v + R z + w = l - u,    l, u >= 0,    (z - lo) l = 0,    (hi - z) u = 0,
 *
 * has a smooth neighbour for every mu > 0, where both products are mu. Newton's method for that, from z, l, u, is an equation beside those
 * of the joints,
 *
 *     B v + (R + D) z' = D z + mu / (z - lo) - mu / (hi - z) - w,    D = l / (z - lo) + u / (hi - z),
 *
 * so that each of its steps is a solution of the tree. mu falls towards 0; the steps are shortened to stay within the bounds. Some twenty steps are
 * enough whatever the number of rows and however they act on each other (Wright 1997, Primal-dual interior-point methods).
 */
#include "solve/mechanism/central_path.h"

#include "solve/auto/bounded.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    MOST_STEPS = 60
};

/* The share of the way to the next bound that a step takes. */
static const double SHARE = 0.99;
/* The distance from its bounds that an impulse starts at, as a share of their distance. */
static const double INSIDE = 0.1;

void crn_central_path_release(crn_central_path *path)
{
    crn_arena_release(&path->memory);
    memset(path, 0, sizeof *path);
}

/* Whether the path decides row j: others have one value, or no bounds. */
static bool is_open(const cairn_problem *problem, int j)
{
    return crn_is_row(problem, j) && problem->bound[j].lo < problem->bound[j].hi;
}

/* Start within the bounds, at products that are equal. */
static void start(crn_central_path *path, crn_near *near, const cairn_problem *problem, double scale, const double *r)
{
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (!is_open(problem, j))
            continue;
        double lo = problem->bound[j].lo, hi = problem->bound[j].hi;
        double unit = near->mobility[j] > 0.0 ? scale / near->mobility[j] : 1.0;
        double inside = fmin(unit, INSIDE * (hi - lo));
        path->z[j] = fmin(fmax(r[(size_t)j * (size_t)problem->dim], lo + inside), hi - inside);
        path->lower[j] = isfinite(lo) ? scale * fmin(1.0, unit / (path->z[j] - lo)) : 0.0;
        path->upper[j] = isfinite(hi) ? scale * fmin(1.0, unit / (hi - path->z[j])) : 0.0;
        near->side[j] = CRN_HELD;
    }
}

/* The mean of the products, and (*worst, m/s) how far rates are from their laws. */
static double measure(const crn_central_path *path, const crn_near *near, const cairn_problem *problem, double *worst)
{
    double sum = 0.0;
    int count = 0;
    *worst = 0.0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (!is_open(problem, j))
            continue;
        double below = path->z[j] - problem->bound[j].lo, above = problem->bound[j].hi - path->z[j];
        sum += path->lower[j] > 0.0 ? below * path->lower[j] : 0.0;
        sum += path->upper[j] > 0.0 ? above * path->upper[j] : 0.0;
        count += (path->lower[j] > 0.0) + (path->upper[j] > 0.0);
        *worst = fmax(*worst, fmin(near->mobility[j] * below, path->lower[j]));
        *worst = fmax(*worst, fmin(near->mobility[j] * above, path->upper[j]));
    }
    return count > 0 ? sum / count : 0.0;
}

/* The equations of the next step. */
static void linearise(const crn_central_path *path, crn_near *near, const cairn_problem *problem, double mu)
{
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (!is_open(problem, j))
            continue;
        double below = path->z[j] - problem->bound[j].lo, above = problem->bound[j].hi - path->z[j];
        double D = path->lower[j] / below + path->upper[j] / above;
        near->stiffness[j] = D;
        near->pull[j] =
            D * path->z[j] + (path->lower[j] > 0.0 ? mu / below : 0.0) - (path->upper[j] > 0.0 ? mu / above : 0.0);
    }
}

/* The longest step, at most 1, that keeps x + step dx positive. */
static double shortened(double step, double x, double dx)
{
    return x > 0.0 && SHARE * x + step * dx < 0.0 ? -SHARE * x / dx : step;
}

/* Changes of z, l and u towards the solution found. */
static void changes(const crn_central_path *path, const crn_near *near, const cairn_problem *problem, double mu, int j,
                    double d[3])
{
    double below = path->z[j] - problem->bound[j].lo, above = problem->bound[j].hi - path->z[j];
    d[0] = crn_near_impulse(near, problem, j) - path->z[j];
    d[1] = path->lower[j] > 0.0 ? (mu - path->lower[j] * d[0]) / below - path->lower[j] : 0.0;
    d[2] = path->upper[j] > 0.0 ? (mu + path->upper[j] * d[0]) / above - path->upper[j] : 0.0;
}

/* Go towards the solution found; the length of the step. */
static double advance(crn_central_path *path, const crn_near *near, const cairn_problem *problem, double mu)
{
    double step = 1.0, d[3];
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (!is_open(problem, j))
            continue;
        changes(path, near, problem, mu, j, d);
        step = shortened(step, path->z[j] - problem->bound[j].lo, d[0]);
        step = shortened(step, problem->bound[j].hi - path->z[j], -d[0]);
        step = shortened(step, path->lower[j], d[1]);
        step = shortened(step, path->upper[j], d[2]);
    }
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (!is_open(problem, j))
            continue;
        changes(path, near, problem, mu, j, d);
        path->z[j] += step * d[0];
        path->lower[j] += step * d[1];
        path->upper[j] += step * d[2];
    }
    return step;
}

/* Decide the rows: at a bound that pushes harder than the impulse is away from it. */
static void decide(const crn_central_path *path, crn_near *near, const cairn_problem *problem)
{
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (!is_open(problem, j))
            continue;
        double below = near->mobility[j] * (path->z[j] - problem->bound[j].lo);
        double above = near->mobility[j] * (problem->bound[j].hi - path->z[j]);
        near->side[j] = path->lower[j] > below ? CRN_AT_LO : path->upper[j] > above ? CRN_AT_HI : CRN_HELD;
        near->stiffness[j] = near->pull[j] = 0.0;
    }
}

cairn_status crn_central_path_follow(crn_central_path *path, crn_near *near, const cairn_problem *problem,
                                     const crn_exchange_solver *solver, const crn_method_options *options, double scale,
                                     double slack, cairn_solution *solution, crn_method_report *report, bool *found)
{
    int items = problem->contact_count;
    double worst, step = 0.0;
    assert(scale > 0.0 && slack > 0.0);
    CRN_TRY(crn_reserve_all(&path->memory, CRN_ARRAY(path->z, items), CRN_ARRAY(path->lower, items),
                            CRN_ARRAY(path->upper, items), CRN_ARRAY(path->v, solution->n),
                            CRN_ARRAY(path->c, solution->joint_rows), CRN_ARRAY(path->r, solution->contact_rows)));
    start(path, near, problem, scale, solution->r);
    double mu = measure(path, near, problem, &worst);
    *found = false;
    for (int k = 0; k < MOST_STEPS && !*found; ++k)
    {
        crn_method_report own;
        mu *= step > 0.9 ? 0.02 : step > 0.5 ? 0.2 : 0.5;
        linearise(path, near, problem, mu);
        CRN_TRY(crn_near_make(near, problem, solution));
        CRN_TRY(solver->solve(solver->data, &near->problem, options, &near->solution, &own));
        report->iterations += own.iterations + 1;
        if (own.declined)
            break;
        step = advance(path, near, problem, mu);
        mu = measure(path, near, problem, &worst);
        crn_near_give(near, problem, solution);
        *found = worst <= slack && step > 0.9;
    }
    *found = *found || worst <= options->tolerance * scale;
    decide(path, near, problem);
    memcpy(path->v, solution->v, (size_t)solution->n * sizeof(double));
    memcpy(path->c, solution->c, (size_t)solution->joint_rows * sizeof(double));
    memcpy(path->r, solution->r, (size_t)solution->contact_rows * sizeof(double));
    for (int j = 0; j < items; ++j)
        if (is_open(problem, j) && near->side[j] != CRN_HELD)
            path->r[j * problem->dim] = crn_near_impulse(near, problem, j);
    return CAIRN_OK;
}

void crn_central_path_give(const crn_central_path *path, cairn_solution *solution)
{
    memcpy(solution->v, path->v, (size_t)solution->n * sizeof(double));
    memcpy(solution->c, path->c, (size_t)solution->joint_rows * sizeof(double));
    memcpy(solution->r, path->r, (size_t)solution->contact_rows * sizeof(double));
}
