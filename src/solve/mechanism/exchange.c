/* A decision is contradicted by a held row whose impulse leaves its interval, and by a row at a bound whose rate points back into it. All
 * such rows change sides at once (a primal-dual active set). That ends soon where rows hardly act on each other or few change, and may wander
 * where they do: friction in the joints of a long chain is the bending of a beam. Then the central path decides (central_path.h), and
 * exchanges go on from there.
 */
#include "solve/mechanism/exchange.h"

#include "solve/auto/bounded.h"
#include "solve/auto/lengths.h"
#include "solve/mechanism/central_path.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

enum
{
    PATIENCE = 3,  /* exchanges without fewer contradictions than before */
    EXCHANGES = 20 /* decisions from one start */
};

/* The share of the tolerance by which a rate may point back. */
static const double SLACK = 0.2;

typedef struct search
{
    crn_near *near;
    const cairn_problem *problem;
    const crn_exchange_solver *solver;
    crn_method_options options;
    cairn_solution *solution;
    crn_method_report *report;
    double scale, slack; /* m/s */
    bool converged;      /* the solver did */
} search;

/* The decision of the last step, by its impulses. */
static void take_guess(crn_near *near, const cairn_problem *problem, const double *r)
{
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (!crn_is_row(problem, j))
            continue;
        double z = r[(size_t)j * (size_t)problem->dim], lo = problem->bound[j].lo, hi = problem->bound[j].hi;
        near->side[j] = z <= lo ? CRN_AT_LO : z >= hi ? CRN_AT_HI : CRN_HELD;
        near->stiffness[j] = near->pull[j] = 0.0;
    }
}

/* s = B v + R z + w of a row at a bound. */
static double rate_of(const crn_near *near, const cairn_problem *problem, int j)
{
    const cairn_block_rows *H = &problem->H;
    double z = crn_near_impulse(near, problem, j);
    double s = problem->w[j * problem->dim] + near->compliance[j] * z;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int first = problem->block_start[H->block[e]], size = problem->block_start[H->block[e] + 1] - first;
        const double *B = H->value + H->value_start[e], *v = near->solution.v + first;
        for (int k = 0; k < size; ++k)
            s += B[k] * v[k];
    }
    return s;
}

/* Where a bounded row belongs, given what was found. */
static crn_row_side side_of(const crn_near *near, const cairn_problem *problem, int j, double slack)
{
    const cairn_bound *bound = &problem->bound[j];
    crn_row_side side = near->side[j];
    if (side == CRN_HELD)
    {
        double z = crn_near_impulse(near, problem, j);
        return z < bound->lo ? CRN_AT_LO : z > bound->hi ? CRN_AT_HI : CRN_HELD;
    }
    double back = -(double)side * rate_of(near, problem, j);
    return back < -slack && bound->lo < bound->hi ? CRN_HELD : side;
}

/* Rows that contradict the decision change sides; their number. */
static int exchange(crn_near *near, const cairn_problem *problem, double slack)
{
    int count = 0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (!crn_is_row(problem, j))
            continue;
        crn_row_side side = side_of(near, problem, j, slack);
        count += side != near->side[j];
        near->side[j] = side;
    }
    return count;
}

/* m/s: the certificate's scale, or the largest speed where that is not known. */
static double scale_of(const cairn_problem *problem, double known, const double *v)
{
    double largest = 0.0;
    for (int i = 0; i < problem->n && known <= 0.0; ++i)
        largest = fmax(largest, crn_length(problem, i) * fabs(v[i]));
    return known > 0.0 ? known : largest;
}

/* Exchange rows until none contradicts the decision (*found), or their number no longer falls. */
static cairn_status decide(search *s, bool *found)
{
    int fewest = INT_MAX, patience = PATIENCE;
    bool settled = false; /* the same decision was solved before */
    *found = false;
    for (int k = 0; k < EXCHANGES && patience > 0; ++k)
    {
        crn_method_report own;
        CRN_TRY(crn_near_make(s->near, s->problem, s->solution));
        CRN_TRY(s->solver->solve(s->solver->data, &s->near->problem, &s->options, &s->near->solution, &own));
        s->report->iterations += own.iterations + (k > 0);
        if (own.declined)
            return CAIRN_OK;
        s->scale = scale_of(s->problem, s->options.scale, s->solution->v);
        s->slack = SLACK * s->options.tolerance * s->scale;
        crn_near_give(s->near, s->problem, s->solution);
        int count = exchange(s->near, s->problem, s->slack);
        s->converged = own.converged;
        *found = count == 0 && (settled || !s->near->repeats);
        settled = count == 0;
        if (*found)
            return CAIRN_OK;
        patience = count < fewest || settled ? PATIENCE : patience - 1;
        fewest = count < fewest ? count : fewest;
    }
    return CAIRN_OK;
}

cairn_status crn_exchange(crn_near *near, crn_central_path *path, const cairn_problem *problem,
                          const crn_exchange_solver *solver, const crn_method_options *options,
                          cairn_solution *solution, crn_method_report *report)
{
    assert(crn_near_applies(problem));
    search s = {.near = near,
                .problem = problem,
                .solver = solver,
                .options = *options,
                .solution = solution,
                .report = report};
    bool fits, found = false, ended = false;
    s.options.before = NULL; /* what holds contacts at rest knows no rows */
    CRN_TRY(crn_near_arrange(near, problem, &fits));
    if (fits)
    {
        take_guess(near, problem, solution->r);
        CRN_TRY(decide(&s, &found));
    }
    if (fits && !found && s.scale > 0.0)
    {
        CRN_TRY(crn_central_path_follow(path, near, problem, solver, &s.options, s.scale, s.slack, solution, report,
                                        &ended));
        CRN_TRY(decide(&s, &found));
        if (!found && ended) /* its end will do */
            crn_central_path_give(path, solution);
        s.converged = found ? s.converged : ended;
        found = found || ended;
    }
    report->converged = found && s.converged;
    report->declined = !found;
    return CAIRN_OK;
}
