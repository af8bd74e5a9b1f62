#include "solve/pivot/fixed_mode_solve.h"

#include "base/memory.h"
#include "linalg/lu.h"
#include "solve/auto/attempt.h"
#include "solve/auto/bounded.h"
#include "solve/auto/solver.h"

#include <assert.h>
#include <string.h>

/* Row i of the system is the velocity component row[i] = 0; unknown k is an impulse that acts on the contact rows of one
 * contact with the weights of its column. */
typedef struct system
{
    int size;
    int *row;       /* contact row of each equation; unknowns have the same numbers */
    double *matrix; /* size x size */
    double *rhs;
    int *permutation;
} system;

/* Weight of unknown k (which starts at contact row `row`) on the contact's component `component`. */
static double weight(const crn_hold *hold, int unknown_component, int component)
{
    if (component == unknown_component)
        return 1.0;
    bool slipping = hold->mode == CRN_MODE_SLIP && unknown_component == 0;
    return slipping ? hold->friction[component - 1] : 0.0;
}

/* How many velocities of item j are held at zero. */
static int held_rows(const cairn_problem *problem, const crn_hold *hold, int j)
{
    switch (hold[j].mode)
    {
    case CRN_MODE_STICK:
        return problem->dim;
    case CRN_MODE_SLIP:
    case CRN_MODE_BETWEEN:
        return 1;
    case CRN_MODE_OPEN:
    case CRN_MODE_AT_LO:
    case CRN_MODE_AT_HI:
        break;
    }
    return 0;
}

static int count_rows(const cairn_problem *problem, const crn_hold *hold)
{
    int count = 0;
    for (int j = 0; j < problem->contact_count; ++j)
        count += held_rows(problem, hold, j);
    return count;
}

static bool is_at_bound(const crn_hold *hold)
{
    return hold->mode == CRN_MODE_AT_LO || hold->mode == CRN_MODE_AT_HI;
}

/* The first impulse of an item: constant + coefficient * (unknown that starts at contact row `row`); -1: none. */
typedef struct first_impulse
{
    double constant, coefficient;
    int row;
} first_impulse;

/* References end (bound_check.c), and so does the chain of items that are at bounds given by others. */
static first_impulse find_first(const cairn_problem *problem, const crn_hold *hold, int j)
{
    double factor = 1.0;
    while (is_at_bound(&hold[j]) && problem->bound[j].by >= 0)
    {
        factor *= hold[j].mode == CRN_MODE_AT_LO ? problem->bound[j].lo : problem->bound[j].hi;
        j = problem->bound[j].by;
    }
    if (is_at_bound(&hold[j]))
    {
        double bound = hold[j].mode == CRN_MODE_AT_LO ? problem->bound[j].lo : problem->bound[j].hi;
        return (first_impulse){factor * bound, 0.0, -1};
    }
    bool acts = hold[j].mode != CRN_MODE_OPEN;
    return (first_impulse){0.0, acts ? factor : 0.0, acts ? j * problem->dim : -1};
}

static void list_rows(const cairn_problem *problem, const crn_hold *hold, int *row)
{
    int count = 0;
    for (int j = 0; j < problem->contact_count; ++j)
        for (int i = 0; i < held_rows(problem, hold, j); ++i)
            row[count++] = j * problem->dim + i;
}

static void fill(const crn_reduction *reduction, const cairn_problem *problem, const crn_hold *hold, system *s)
{
    int dim = problem->dim;
    for (int i = 0; i < s->size; ++i)
    {
        const double *W = reduction->W + (size_t)s->row[i] * (size_t)reduction->rows;
        s->rhs[i] = -reduction->u_free[s->row[i]];
        for (int k = 0; k < s->size; ++k)
        {
            int contact = s->row[k] / dim, component = s->row[k] % dim;
            double sum = 0;
            for (int c = 0; c < dim; ++c)
                sum += W[contact * dim + c] * weight(&hold[contact], component, c);
            s->matrix[i * s->size + k] = sum;
        }
    }
}

/* Where unknown `row` is in the list, which ascends. */
static int find_unknown(const system *s, int row)
{
    int k = 0;
    while (k < s->size && s->row[k] != row)
        ++k;
    assert(k < s->size);
    return k;
}

/* Rows at their bounds: their impulses act too. */
static void fill_bounds(const crn_reduction *reduction, const cairn_problem *problem, const crn_hold *hold, system *s)
{
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (!is_at_bound(&hold[j]))
            continue;
        assert(crn_is_row(problem, j));
        first_impulse z = find_first(problem, hold, j);
        int unknown = z.row >= 0 ? find_unknown(s, z.row) : -1;
        for (int i = 0; i < s->size; ++i)
        {
            double W = reduction->W[(size_t)s->row[i] * (size_t)reduction->rows + (size_t)(j * problem->dim)];
            s->rhs[i] -= W * z.constant;
            if (unknown >= 0)
                s->matrix[i * s->size + unknown] += W * z.coefficient;
        }
    }
}

static void spread(const cairn_problem *problem, const crn_hold *hold, const system *s, const double *x, double *r)
{
    int dim = problem->dim;
    memset(r, 0, (size_t)(dim * problem->contact_count) * sizeof(double));
    for (int k = 0; k < s->size; ++k)
    {
        int contact = s->row[k] / dim, component = s->row[k] % dim;
        for (int c = 0; c < dim; ++c)
            r[contact * dim + c] += x[k] * weight(&hold[contact], component, c);
    }
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (!is_at_bound(&hold[j]))
            continue;
        first_impulse z = find_first(problem, hold, j);
        r[j * dim] = z.constant + (z.row >= 0 ? z.coefficient * x[find_unknown(s, z.row)] : 0.0);
    }
}

cairn_status crn_solver_hold(cairn_solver *solver, const cairn_problem *problem, const crn_hold *hold,
                             cairn_solution *solution, bool *regular)
{
    crn_attempt *attempt = crn_solver_attempt(solver);
    cairn_solver_options options = cairn_solver_default();
    CRN_TRY(crn_attempt_begin(attempt, crn_solver_context(solver), problem, &options));
    CRN_TRY(crn_attempt_reduce(attempt));
    crn_refiner *work = &attempt->refiner; /* its arrays serve here too */
    system s = {.size = count_rows(problem, hold)};
    CRN_TRY(crn_refiner_reserve(work, &attempt->lcp, s.size, attempt->reduction.rows));
    s.row = work->basic;
    s.matrix = work->lu;
    s.rhs = work->trial;
    s.permutation = work->row;
    list_rows(problem, hold, s.row);
    fill(&attempt->reduction, problem, hold, &s);
    if (problem->bound)
        fill_bounds(&attempt->reduction, problem, hold, &s);
    *regular = s.size == 0 || crn_lu_factorise(s.size, s.matrix, s.size, s.permutation, 1e-12);
    if (!*regular)
        return CAIRN_OK;
    for (int i = 0; i < s.size; ++i)
        work->rhs[i] = s.rhs[s.permutation[i]];
    if (s.size > 0)
        crn_lu_solve(s.size, s.matrix, s.size, work->rhs, 1, 1);
    spread(problem, hold, &s, work->rhs, attempt->trial.r);
    crn_recover(&attempt->reduction, problem, attempt->trial.r, attempt->trial.v, attempt->trial.c);
    *solution = attempt->trial;
    return CAIRN_OK;
}
