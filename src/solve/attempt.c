#include "solve/attempt.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void release(cairn_solution *solution)
{
    free(solution->v);
    free(solution->c);
    free(solution->r);
    memset(solution, 0, sizeof *solution);
}

bool crn_attempt_open(crn_attempt *attempt)
{
    bool opened = crn_reduction_open(&attempt->reduction);
    attempt->lemke = crn_lemke_create();
    attempt->certifier = crn_certifier_create();
    return opened && attempt->lemke && attempt->certifier;
}

void crn_attempt_close(crn_attempt *attempt)
{
    crn_reduction_close(&attempt->reduction);
    crn_lcp_release(&attempt->lcp);
    crn_lemke_destroy(attempt->lemke);
    crn_refiner_release(&attempt->refiner);
    crn_certifier_destroy(attempt->certifier);
    free(attempt->z);
    free(attempt->cover);
    free(attempt->M);
    free(attempt->q);
    free(attempt->centre);
    free(attempt->basic);
    release(&attempt->trial);
    release(&attempt->best);
}

static cairn_status reserve_solution(cairn_solution *solution, const cairn_problem *problem, size_t capacity[3])
{
    solution->n = problem->n;
    solution->joint_rows = problem->joint_rows;
    solution->contact_rows = problem->dim * problem->contact_count;
    cairn_status status = crn_reserve(&solution->v, &capacity[0], (size_t)solution->n + 1, sizeof(double));
    status =
        status ? status : crn_reserve(&solution->c, &capacity[1], (size_t)solution->joint_rows + 1, sizeof(double));
    return status ? status
                  : crn_reserve(&solution->r, &capacity[2], (size_t)solution->contact_rows + 1, sizeof(double));
}

static cairn_status reserve(crn_attempt *attempt)
{
    size_t size = (size_t)attempt->lcp.size + 1;
    cairn_status status = reserve_solution(&attempt->trial, attempt->problem, attempt->capacity);
    status = status ? status : reserve_solution(&attempt->best, attempt->problem, attempt->capacity + 3);
    status = status ? status : crn_reserve(&attempt->z, &attempt->capacity[6], size, sizeof(double));
    return status ? status : crn_reserve(&attempt->basic, &attempt->capacity[7], size, sizeof(bool));
}

cairn_status crn_attempt_prepare(crn_attempt *attempt, cairn_context *context, const cairn_problem *problem,
                                 const cairn_solver_options *options)
{
    attempt->problem = problem;
    attempt->tolerance = options->tolerance;
    attempt->may_go_on = options->max_iterations == 0;
    attempt->report = (cairn_solver_report){.outcome = CAIRN_FAILED, .method = "none"};
    attempt->report.certificate.relative = INFINITY;
    cairn_status status = crn_reduce(&attempt->reduction, context, problem);
    if (status)
    {
        return status;
    }
    attempt->report.dropped_joint_rows = crn_saddle_dropped_rows(attempt->reduction.saddle);
    status = crn_lcp_build(&attempt->lcp, problem, attempt->reduction.W, attempt->reduction.u_free);
    attempt->max_pivots = options->max_iterations ? options->max_iterations : 50 + 20 * attempt->lcp.size;
    return status ? status : reserve(attempt);
}

bool crn_attempt_is_done(const crn_attempt *attempt)
{
    return attempt->report.outcome == CAIRN_SOLVED;
}

/* Judge the trial; take it when it is better than the best, or the first of all. */
static cairn_status judge(crn_attempt *attempt, bool complementary, const char *method)
{
    cairn_certificate certificate;
    cairn_status status = crn_certify(attempt->certifier, attempt->problem, &attempt->trial, &certificate);
    cairn_solver_report *report = &attempt->report;
    bool first = strcmp(report->method, "none") == 0;
    if (status || !(first || certificate.relative < report->certificate.relative))
    {
        return status;
    }
    report->certificate = certificate;
    report->method = method;
    /* The certificate alone decides: pivoting that ended in a ray may still have come by a solution. */
    report->outcome = certificate.relative <= attempt->tolerance ? CAIRN_SOLVED
                      : complementary                            ? CAIRN_MISSED
                                                                 : CAIRN_FAILED;
    cairn_solution kept = attempt->trial;
    attempt->trial = attempt->best;
    attempt->best = kept;
    for (int i = 0; i < 3; ++i)
    {
        size_t capacity = attempt->capacity[i];
        attempt->capacity[i] = attempt->capacity[3 + i];
        attempt->capacity[3 + i] = capacity;
    }
    return CAIRN_OK;
}

cairn_status crn_attempt_pivot(crn_attempt *attempt, const double *M, const double *q, const double *cover,
                               const char *method)
{
    crn_lcp *lcp = &attempt->lcp;
    crn_lemke_report pivoting;
    cairn_status status = crn_lemke_solve(attempt->lemke, lcp->size, M, q, cover, attempt->max_pivots, attempt->z,
                                          attempt->basic, &pivoting);
    if (status)
    {
        return status;
    }
    attempt->limited = pivoting.outcome == CRN_LEMKE_LIMIT;
    attempt->report.iterations += pivoting.pivots;
    attempt->report.refactorisations += pivoting.refactorisations;
    status = crn_refine(&attempt->refiner, &attempt->reduction, lcp, attempt->problem, attempt->basic, attempt->z,
                        &attempt->trial);
    return status ? status : judge(attempt, pivoting.outcome == CRN_LEMKE_SOLVED, method);
}

cairn_status crn_attempt_lemke(crn_attempt *attempt)
{
    return crn_attempt_pivot(attempt, attempt->lcp.M, attempt->lcp.q, NULL, "lemke");
}

void crn_attempt_result(const crn_attempt *attempt, cairn_solution *solution, cairn_solver_report *report)
{
    *solution = attempt->best;
    *report = attempt->report;
}
