#include "solve/auto/attempt.h"

#include "base/clock.h"
#include "base/memory.h"

#include <assert.h>
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

cairn_status crn_solution_reserve(cairn_solution *solution, const cairn_problem *problem, size_t capacity[3])
{
    solution->n = problem->n;
    solution->joint_rows = problem->joint_rows;
    solution->contact_rows = problem->dim * problem->contact_count;
    CRN_TRY(crn_reserve(&solution->v, &capacity[0], (size_t)solution->n + 1, sizeof(double)));
    CRN_TRY(crn_reserve(&solution->c, &capacity[1], (size_t)solution->joint_rows + 1, sizeof(double)));
    return crn_reserve(&solution->r, &capacity[2], (size_t)solution->contact_rows + 1, sizeof(double));
}

static cairn_status reserve_variables(crn_attempt *attempt)
{
    size_t size = (size_t)attempt->lcp.size + 1;
    CRN_TRY(crn_reserve(&attempt->z, &attempt->capacity[6], size, sizeof(double)));
    return crn_reserve(&attempt->basic, &attempt->capacity[7], size, sizeof(bool));
}

cairn_status crn_attempt_begin(crn_attempt *attempt, cairn_context *context, const cairn_problem *problem,
                               const cairn_solver_options *options)
{
    attempt->context = context;
    attempt->problem = problem;
    attempt->islands = NULL;
    attempt->guess = options->guess;
    attempt->max_iterations = options->max_iterations;
    attempt->deadline = attempt->until = crn_deadline(options->time_limit);
    attempt->tolerance = options->tolerance;
    attempt->threads = options->threads > 1 ? options->threads : 1;
    attempt->prepared = attempt->brief = attempt->has_successor = attempt->numeric = false;
    attempt->may_go_on = options->max_iterations == 0;
    attempt->report = (cairn_solver_report){.outcome = CAIRN_FAILED, .method = "none"};
    attempt->report.certificate.relative = INFINITY;
    CRN_TRY(crn_solution_reserve(&attempt->trial, problem, attempt->capacity));
    return crn_solution_reserve(&attempt->best, problem, attempt->capacity + 3);
}

cairn_status crn_attempt_prepare(crn_attempt *attempt, cairn_context *context, const cairn_problem *problem,
                                 const cairn_solver_options *options)
{
    CRN_TRY(crn_attempt_begin(attempt, context, problem, options));
    return crn_attempt_reduce(attempt);
}

cairn_status crn_attempt_reduce(crn_attempt *attempt)
{
    const cairn_problem *problem = attempt->problem;
    cairn_status status = crn_reduce(&attempt->reduction, attempt->context, problem);
    if (status)
        return status;
    attempt->report.dropped_joint_rows = crn_saddle_dropped_rows(attempt->reduction.saddle);
    attempt->lcp.size = 0;
    if (crn_lcp_can_express(problem))
        status = crn_lcp_build(&attempt->lcp, problem, attempt->reduction.W, attempt->reduction.u_free);
    attempt->max_pivots = attempt->max_iterations ? attempt->max_iterations : 50 + 20 * attempt->lcp.size;
    return status ? status : reserve_variables(attempt);
}

bool crn_attempt_is_done(const crn_attempt *attempt)
{
    bool tried = isfinite(attempt->report.certificate.relative);
    return attempt->report.outcome == CAIRN_SOLVED || (tried && crn_is_late(attempt->deadline));
}

static cairn_status prepare_certifier(crn_attempt *attempt)
{
    cairn_status status =
        attempt->prepared ? CAIRN_OK : crn_certifier_prepare(attempt->certifier, attempt->problem, attempt->islands);
    attempt->prepared = status == CAIRN_OK;
    return status;
}

/* The trial becomes the best, and its memory goes the other way. */
static void keep_trial(crn_attempt *attempt)
{
    cairn_solution kept = attempt->trial;
    attempt->trial = attempt->best;
    attempt->best = kept;
    for (int i = 0; i < 3; ++i)
    {
        size_t capacity = attempt->capacity[i];
        attempt->capacity[i] = attempt->capacity[3 + i];
        attempt->capacity[3 + i] = capacity;
    }
}

/* Take the trial when it is better than the best, or the first of all. */
cairn_status crn_attempt_judge(crn_attempt *attempt, double usable, const char *method)
{
    cairn_certificate certificate;
    cairn_solver_report *report = &attempt->report;
    bool first = strcmp(report->method, "none") == 0;
    if (prepare_certifier(attempt))
        return CAIRN_NO_MEMORY;
    crn_certifier_judge(attempt->certifier, attempt->problem, &attempt->trial, &certificate);
    if (!first && !(certificate.relative < report->certificate.relative))
        return CAIRN_OK;
    report->certificate = certificate;
    report->method = method;
    /* The certificate alone decides: pivoting that ended in a ray may still have come by a solution. */
    report->outcome = certificate.relative <= attempt->tolerance ? CAIRN_SOLVED
                      : certificate.relative <= usable           ? CAIRN_MISSED
                                                                 : CAIRN_FAILED;
    keep_trial(attempt);
    return CAIRN_OK;
}

cairn_status crn_attempt_take(crn_attempt *attempt, bool *taken)
{
    cairn_certificate certificate = {.worst_contact = -1};
    cairn_status status = prepare_certifier(attempt);
    if (!status)
        crn_certifier_judge(attempt->certifier, attempt->problem, &attempt->trial, &certificate);
    double bound = fmin(attempt->tolerance, fmax(10.0 * attempt->report.certificate.relative, CRN_AS_GOOD));
    *taken = !status && certificate.relative <= bound;
    if (*taken)
    {
        attempt->report.certificate = certificate;
        attempt->report.outcome = CAIRN_SOLVED;
        keep_trial(attempt);
    }
    return status;
}

cairn_status crn_attempt_pivot(crn_attempt *attempt, const double *M, const double *q, const double *cover,
                               const char *method)
{
    crn_lcp *lcp = &attempt->lcp;
    crn_lemke_report pivoting;
    cairn_status status = crn_lemke_solve(attempt->lemke, lcp->size, M, q, cover, attempt->max_pivots, attempt->until,
                                          attempt->z, attempt->basic, &pivoting);
    if (status)
        return status;
    attempt->limited = pivoting.outcome == CRN_LEMKE_LIMIT;
    attempt->report.out_of_time |= pivoting.outcome != CRN_LEMKE_SOLVED && crn_is_late(attempt->until);
    attempt->report.iterations += pivoting.pivots;
    attempt->report.refactorisations += pivoting.refactorisations;
    status = crn_refine(&attempt->refiner, &attempt->reduction, lcp, attempt->problem, attempt->basic, attempt->z,
                        &attempt->trial);
    return status ? status
                  : crn_attempt_judge(attempt, pivoting.outcome == CRN_LEMKE_SOLVED ? CRN_USABLE : 0.0, method);
}

/* Where the trial starts: the best so far, else the guess, else 0. */
static void start_trial(crn_attempt *attempt)
{
    cairn_solution *trial = &attempt->trial;
    bool known = isfinite(attempt->report.certificate.relative);
    const double *from = known ? attempt->best.r : attempt->guess;
    size_t size = (size_t)trial->contact_rows * sizeof(double);
    memset(trial->v, 0, (size_t)trial->n * sizeof(double));
    memset(trial->c, 0, (size_t)trial->joint_rows * sizeof(double));
    if (from)
        memcpy(trial->r, from, size);
    else
        memset(trial->r, 0, size);
}

/* v and c from the trial's impulses, in place of what the method carried beside them. Where the bodies alone cannot be
 * factorised the trial stays as it is. */
static cairn_status follow_impulses(crn_attempt *attempt)
{
    cairn_solution *trial = &attempt->trial;
    cairn_status status = crn_reduction_factorise(&attempt->reduction, attempt->problem);
    if (!status)
        crn_recover(&attempt->reduction, attempt->problem, trial->r, trial->v, trial->c);
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}

cairn_status crn_attempt_iterate(crn_attempt *attempt, const crn_method *method, void *workspace,
                                 const cairn_problem *near, const crn_method_options *options,
                                 crn_method_report *report)
{
    assert(near->n == attempt->problem->n && near->contact_count == attempt->problem->contact_count);
    start_trial(attempt);
    *report = (crn_method_report){0};
    crn_method_options given = *options;
    given.threads = attempt->threads;
    given.deadline = attempt->until;
    given.brief = attempt->brief;
    given.has_successor = attempt->has_successor;
    cairn_status status = prepare_certifier(attempt);
    bool own = near == attempt->problem && !status;
    given.scale = own ? crn_certifier_scale(attempt->certifier) : 0.0;
    given.contact_scale = own && attempt->brief ? crn_certifier_contact_scales(attempt->certifier) : NULL;
    if (!status && !given.contact_scale)
    {
        /* methods take the problem as one: by its slowest island, where it has several */
        given.tolerance *= crn_certifier_spread(attempt->certifier, attempt->problem);
    }
    status = status ? status : method->solve(workspace, attempt->context, near, &given, &attempt->trial, report);
    if (!status && method->carries_velocities && !report->declined)
        status = follow_impulses(attempt);
    attempt->report.iterations += report->iterations;
    attempt->report.out_of_time |= report->cut || (!report->converged && crn_is_late(attempt->until));
    if (report->cut && status == CAIRN_NUMERIC)
    {
        report->declined = true; /* what would have taken too long is no fault of the data */
        report->converged = false;
        return CAIRN_OK;
    }
    return status;
}

/* A method measures by masses of its own, which may differ a little from the certificate's: where it says that it is
 * there and the certificate does not, it is asked for more, once. */
cairn_status crn_attempt_method(crn_attempt *attempt, const crn_method *method, void *workspace)
{
    crn_method_options options = {.tolerance = attempt->tolerance, .max_iterations = attempt->max_iterations};
    crn_method_report report = {.converged = true};
    cairn_status status = CAIRN_OK;
    for (int ask = 0; ask < 2 && !status && report.converged && !crn_attempt_is_done(attempt); ++ask)
    {
        status = crn_attempt_iterate(attempt, method, workspace, attempt->problem, &options, &report);
        bool passed_on = report.declined && attempt->has_successor;
        status = status || passed_on ? status : crn_attempt_judge(attempt, CRN_USABLE, method->name);
        options.tolerance *= 0.1;
    }
    return status;
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
