#include "solve/pivot/fixed_mode_solve.h"

#include "base/memory.h"
#include "linalg/lu.h"
#include "solve/auto/attempt.h"
#include "solve/auto/solver.h"

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

static int count_rows(const cairn_problem *problem, const crn_hold *hold)
{
    int count = 0;
    for (int j = 0; j < problem->contact_count; ++j)
        count += hold[j].mode == CRN_MODE_OPEN ? 0 : hold[j].mode == CRN_MODE_STICK ? problem->dim : 1;
    return count;
}

static void list_rows(const cairn_problem *problem, const crn_hold *hold, int *row)
{
    int count = 0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        int rows = hold[j].mode == CRN_MODE_OPEN ? 0 : hold[j].mode == CRN_MODE_STICK ? problem->dim : 1;
        for (int i = 0; i < rows; ++i)
            row[count++] = j * problem->dim + i;
    }
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
}

cairn_status crn_solver_hold(cairn_solver *solver, const cairn_problem *problem, const crn_hold *hold,
                             cairn_solution *solution, bool *regular)
{
    crn_attempt *attempt = crn_solver_attempt(solver);
    cairn_solver_options options = cairn_solver_default();
    cairn_status status = crn_attempt_prepare(attempt, crn_solver_context(solver), problem, &options);
    if (status != CAIRN_OK)
        return status;
    crn_refiner *work = &attempt->refiner; /* its arrays serve here too */
    system s = {.size = count_rows(problem, hold)};
    status = crn_refiner_reserve(work, &attempt->lcp, s.size, attempt->reduction.rows);
    if (status != CAIRN_OK)
        return status;
    s.row = work->basic;
    s.matrix = work->lu;
    s.rhs = work->trial;
    s.permutation = work->row;
    list_rows(problem, hold, s.row);
    fill(&attempt->reduction, problem, hold, &s);
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
