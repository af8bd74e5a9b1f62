#include "solve/auto/attempt.h"

#include "base/clock.h"
#include "solve/auto/lengths.h"
#include "solve/auto/methods.h"
#include "solve/hold/hold.h"
#include "solve/mechanism/mechanism.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* Share of the tolerance by which a guess may change the speed of a contact that holds. */
static const double STILL = 0.05;

/* Multiplications of a visit to a contact, roughly: of a sweep, or of an iteration of another method without factorisations. */
static const double VISIT = 500.0;

/* Islands up to either size are solved whatever it takes. */
enum
{
    FEW_CONTACTS = 60,
    FEW_BODIES = 8
};

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
    crn_arena_release(&attempt->memory);
}

cairn_status crn_solution_reserve(cairn_solution *solution, const cairn_problem *problem, crn_arena *memory)
{
    assert(problem->dim == 2 || problem->dim == 3);
    solution->n = problem->n;
    solution->joint_rows = problem->joint_rows;
    solution->contact_rows = problem->dim * problem->contact_count;
    return crn_reserve_all(memory, CRN_ARRAY(solution->v, solution->n), CRN_ARRAY(solution->c, solution->joint_rows),
                           CRN_ARRAY(solution->r, solution->contact_rows));
}

/* In contacts; a bounded row counts by its part of a contact's rows, so that the ranges of a robot's joints do not make it large. */
static int size_of(const cairn_problem *problem)
{
    int rows = 0;
    for (int j = 0; j < problem->contact_count; ++j)
        rows += problem->bound && problem->bound[j].is_row ? 1 : problem->dim;
    return rows / problem->dim;
}

cairn_status crn_attempt_begin(crn_attempt *attempt, cairn_context *context, const cairn_problem *problem,
                               const cairn_solver_options *options)
{
    assert(options->tolerance > 0.0);
    assert(options->time_limit >= 0.0);
    assert(problem->H.item_count == problem->contact_count);
    attempt->context = context;
    attempt->problem = problem;
    attempt->islands = NULL;
    attempt->guess = options->guess;
    attempt->before = options->before;
    attempt->steady = options->steady;
    attempt->max_iterations = options->max_iterations;
    attempt->deadline = attempt->until = crn_deadline(options->time_limit);
    bool is_large = size_of(problem) > FEW_CONTACTS && problem->block_count > FEW_BODIES;
    attempt->work =
        options->work_limit > 0.0 && options->kind == CAIRN_SOLVER_AUTO && is_large ? options->work_limit : INFINITY;
    attempt->tolerance = options->tolerance;
    attempt->threads = options->threads > 1 ? options->threads : 1;
    attempt->prepared = attempt->brief = attempt->has_successor = attempt->numeric = false;
    attempt->may_go_on = options->max_iterations == 0;
    for (int kind = 0; kind < CAIRN_SOLVER_KINDS; ++kind)
        attempt->left[kind] = attempt->may_go_on ? INT_MAX : options->max_iterations;
    attempt->floor = 0.0;
    attempt->limbs = NULL;
    attempt->report = (cairn_solver_report){.outcome = CAIRN_FAILED, .method = "none"};
    attempt->report.certificate.relative = INFINITY;
    CRN_TRY(crn_solution_reserve(&attempt->trial, problem, &attempt->memory));
    return crn_solution_reserve(&attempt->best, problem, &attempt->memory);
}

cairn_status crn_attempt_reduce(crn_attempt *attempt)
{
    assert(attempt->trial.n == attempt->problem->n);
    assert(attempt->max_iterations >= 0);
    const cairn_problem *problem = attempt->problem;
    CRN_TRY(crn_reduce(&attempt->reduction, attempt->context, problem));
    attempt->report.dropped_joint_rows = crn_saddle_dropped_rows(attempt->reduction.saddle);
    attempt->lcp.size = 0;
    if (crn_lcp_can_express(problem))
        CRN_TRY(crn_lcp_build(&attempt->lcp, problem, attempt->reduction.W, attempt->reduction.u_free));
    attempt->max_pivots = attempt->max_iterations ? attempt->max_iterations : 50 + 20 * attempt->lcp.size;
    return crn_reserve_all(&attempt->memory, CRN_ARRAY(attempt->z, attempt->lcp.size),
                           CRN_ARRAY(attempt->basic, attempt->lcp.size));
}

bool crn_attempt_is_limited(const crn_attempt *attempt)
{
    return isfinite(attempt->work);
}

static double sweep_work(const cairn_problem *problem)
{
    return VISIT * problem->contact_count;
}

bool crn_attempt_pay(crn_attempt *attempt, double work)
{
    assert(work >= 0.0);
    if (work > attempt->work)
        return false;
    attempt->work -= work;
    return true;
}

bool crn_attempt_is_done(const crn_attempt *attempt)
{
    bool tried = isfinite(attempt->report.certificate.relative);
    return attempt->report.outcome == CAIRN_SOLVED || crn_attempt_is_contradicted(attempt) ||
           (tried && (crn_is_late(attempt->deadline) || attempt->work < sweep_work(attempt->problem)));
}

cairn_status crn_attempt_prepare_certifier(crn_attempt *attempt)
{
    cairn_status status =
        attempt->prepared ? CAIRN_OK : crn_certifier_prepare(attempt->certifier, attempt->problem, attempt->islands);
    attempt->prepared = status == CAIRN_OK;
    return status;
}

/* The trial becomes the best; the next trial overwrites the former best. */
static void keep_trial(crn_attempt *attempt)
{
    cairn_solution kept = attempt->trial;
    attempt->trial = attempt->best;
    attempt->best = kept;
}

/* Keep a trial that has been judged if it is the best. */
static void weigh(crn_attempt *attempt, const cairn_certificate *certificate, double usable, const char *method)
{
    assert(usable >= 0.0);
    cairn_solver_report *report = &attempt->report;
    bool first = strcmp(report->method, "none") == 0;
    if (!first && !(crn_attempt_excess(attempt, certificate) < crn_attempt_excess(attempt, &report->certificate)))
        return;
    report->certificate = *certificate;
    report->method = method;
    /* The certificate alone decides: pivoting that ended in a ray may still have passed through a solution. */
    report->outcome = certificate->relative <= attempt->tolerance ? CAIRN_SOLVED
                      : certificate->relative <= usable           ? CAIRN_MISSED
                                                                  : CAIRN_FAILED;
    keep_trial(attempt);
}

cairn_status crn_attempt_judge(crn_attempt *attempt, double usable, const char *method)
{
    assert(attempt->trial.contact_rows == attempt->problem->dim * attempt->problem->contact_count);
    cairn_certificate certificate;
    CRN_TRY(crn_attempt_prepare_certifier(attempt));
    crn_certifier_judge(attempt->certifier, attempt->problem, &attempt->trial, &certificate);
    weigh(attempt, &certificate, usable, method);
    return CAIRN_OK;
}

/* Replace the best by the trial if its certificate is within the bound. */
static cairn_status take_within(crn_attempt *attempt, double bound, bool *taken)
{
    assert(attempt->report.outcome == CAIRN_SOLVED);
    assert(attempt->trial.n == attempt->best.n);
    cairn_certificate certificate;
    *taken = false;
    CRN_TRY(crn_attempt_prepare_certifier(attempt));
    crn_certifier_judge(attempt->certifier, attempt->problem, &attempt->trial, &certificate);
    *taken = certificate.relative <= bound;
    if (*taken)
    {
        attempt->report.certificate = certificate;
        attempt->report.outcome = CAIRN_SOLVED;
        keep_trial(attempt);
    }
    return CAIRN_OK;
}

cairn_status crn_attempt_take(crn_attempt *attempt, bool *taken)
{
    double bound = fmin(attempt->tolerance, fmax(10.0 * attempt->report.certificate.relative, CRN_AS_GOOD));
    return take_within(attempt, bound, taken);
}

cairn_status crn_attempt_take_other(crn_attempt *attempt, bool *taken)
{
    return take_within(attempt, attempt->tolerance, taken);
}

/* Where its iterations are counted; NULL: it is none of those that callers may choose. */
static int *counter_of(crn_attempt *attempt, const crn_method *method)
{
    for (int kind = 0; kind < CAIRN_SOLVER_KINDS; ++kind)
        if (crn_method_of((cairn_solver_kind)kind) == method)
            return &attempt->left[kind];
    return NULL;
}

int crn_attempt_left(crn_attempt *attempt, const crn_method *method)
{
    const int *left = counter_of(attempt, method);
    return left ? *left : INT_MAX;
}

/* Count what a method took. */
static void spend(crn_attempt *attempt, int *left, int iterations)
{
    if (left && !attempt->may_go_on)
        *left -= iterations < *left ? iterations : *left;
}

cairn_status crn_attempt_pivot(crn_attempt *attempt, const double *M, const double *q, const double *cover,
                               const char *method)
{
    assert(attempt->max_pivots > 0);
    assert(attempt->reduction.rows == attempt->trial.contact_rows);
    crn_lcp *lcp = &attempt->lcp;
    crn_lemke_report pivoting;
    int left = attempt->left[CAIRN_SOLVER_LEMKE], most = attempt->max_pivots < left ? attempt->max_pivots : left;
    if (most == 0)
        return CAIRN_OK;
    CRN_TRY(crn_lemke_solve(attempt->lemke, lcp->size, M, q, cover, most, attempt->until, attempt->z, attempt->basic,
                            &pivoting));
    attempt->limited = pivoting.outcome == CRN_LEMKE_LIMIT;
    attempt->report.out_of_time |= pivoting.outcome != CRN_LEMKE_SOLVED && crn_is_late(attempt->until);
    attempt->report.iterations += pivoting.pivots;
    spend(attempt, &attempt->left[CAIRN_SOLVER_LEMKE], pivoting.pivots);
    attempt->report.refactorisations += pivoting.refactorisations;
    CRN_TRY(crn_refine(&attempt->refiner, &attempt->reduction, lcp, attempt->problem, attempt->basic, attempt->z,
                       &attempt->trial));
    return crn_attempt_judge(attempt, pivoting.outcome == CRN_LEMKE_SOLVED ? CRN_USABLE : 0.0, method);
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

/* Recompute v and c from the trial's impulses, replacing those the method iterated on. Where the bodies alone cannot be
 * factorised the trial stays as it is. */
static cairn_status follow_impulses(crn_attempt *attempt)
{
    cairn_solution *trial = &attempt->trial;
    if (attempt->limbs && crn_mechanism_can_follow(attempt->limbs))
        return crn_mechanism_follow(attempt->limbs, attempt->problem, trial);
    cairn_status status = crn_reduction_factorise(&attempt->reduction, attempt->problem);
    if (!status)
        crn_recover(&attempt->reduction, attempt->problem, trial->r, trial->v, trial->c);
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}

cairn_status crn_attempt_judge_impulses(crn_attempt *attempt, const char *method)
{
    cairn_certificate certificate;
    CRN_TRY(crn_attempt_prepare_certifier(attempt));
    if (crn_certifier_judge_impulses(attempt->certifier, attempt->problem, &attempt->trial, &certificate))
    {
        weigh(attempt, &certificate, CRN_USABLE, method);
        return CAIRN_OK;
    }
    CRN_TRY(follow_impulses(attempt));
    return crn_attempt_judge(attempt, CRN_USABLE, method);
}

/* Whether the best, which is the guess, leaves the speeds of contacts that hold as they are. The lengths of a body are about
 * those of the arms of its contacts: where all change far less there is no need to look at each. */
static bool is_still(crn_attempt *attempt)
{
    const cairn_problem *problem = attempt->problem;
    double least = STILL * attempt->tolerance * attempt->report.certificate.scale;
    double largest = 0.0;
    double *change = attempt->trial.v;
    for (int i = 0; i < problem->n; ++i)
    {
        change[i] = attempt->best.v[i] - attempt->before[i];
        largest = fmax(largest, crn_length(problem, i) * fabs(change[i]));
    }
    return largest <= 0.01 * least || crn_hold_is_still(problem, attempt->best.r, change, least);
}

cairn_status crn_attempt_guess(crn_attempt *attempt, bool *still)
{
    assert(attempt->guess);
    start_trial(attempt);
    CRN_TRY(crn_attempt_judge_impulses(attempt, "warm start"));
    *still = attempt->report.outcome == CAIRN_SOLVED && (!attempt->before || is_still(attempt));
    return CAIRN_OK;
}

cairn_status crn_attempt_iterate(crn_attempt *attempt, const crn_method *method, void *workspace,
                                 const cairn_problem *near, const crn_method_options *options,
                                 crn_method_report *report)
{
    assert(attempt->threads >= 1);
    assert(near->joint_rows == attempt->trial.joint_rows);
    assert(near->n == attempt->problem->n && near->contact_count == attempt->problem->contact_count);
    start_trial(attempt);
    *report = (crn_method_report){0};
    crn_method_options given = *options;
    given.threads = attempt->threads;
    given.deadline = attempt->until;
    given.brief = attempt->brief;
    given.has_successor = attempt->has_successor;
    if (crn_attempt_is_limited(attempt))
    {
        double most = fmax(attempt->work / sweep_work(attempt->problem), 1.0);
        bool fewer = given.max_iterations == 0 || most < given.max_iterations;
        given.max_iterations = fewer && !method->factorises_contacts ? (int)fmin(most, INT_MAX) : given.max_iterations;
        given.work = &attempt->work;
    }
    int left = crn_attempt_left(attempt, method);
    assert(left > 0);
    if (left < INT_MAX && (given.max_iterations == 0 || left < given.max_iterations))
        given.max_iterations = left;
    cairn_status status = crn_attempt_prepare_certifier(attempt);
    bool own = near == attempt->problem && !status;
    given.scale = own ? crn_certifier_scale(attempt->certifier) : 0.0;
    given.contact_scale = own && attempt->brief ? crn_certifier_contact_scales(attempt->certifier) : NULL;
    if (!status && !given.contact_scale)
    {
        /* methods measure by one scale: with several islands the tolerance must suit the slowest */
        given.tolerance *= crn_certifier_spread(attempt->certifier, attempt->problem);
    }
    status = status ? status : method->solve(workspace, attempt->context, near, &given, &attempt->trial, report);
    if (!status && method->carries_velocities && !report->declined)
        status = follow_impulses(attempt);
    if (crn_attempt_is_limited(attempt) && !method->factorises_contacts)
        attempt->work = fmax(attempt->work - report->iterations * sweep_work(attempt->problem), 0.0);
    if (crn_attempt_is_limited(attempt) && report->cut)
        attempt->work = 0.0; /* the methods that follow would factorise matrices of the same pattern */
    attempt->report.iterations += report->iterations;
    spend(attempt, counter_of(attempt, method), report->iterations);
    attempt->report.out_of_time |=
        (report->cut && attempt->deadline > 0.0) || (!report->converged && crn_is_late(attempt->until));
    if (report->cut && status == CAIRN_NUMERIC)
    {
        report->declined = true; /* a limit was reached; the data are not at fault */
        report->converged = false;
        return CAIRN_OK;
    }
    return status;
}

/* A method's own masses may differ a little from the certificate's: where it reports convergence and the certificate
 * disagrees, it runs once more with a tighter tolerance. */
cairn_status crn_attempt_method(crn_attempt *attempt, const crn_method *method, void *workspace)
{
    crn_method_options options = {.tolerance = attempt->tolerance, .max_iterations = attempt->max_iterations};
    crn_method_report report = {.converged = true};
    cairn_status status = CAIRN_OK;
    for (int ask = 0; ask < 2 && !status && report.converged && !crn_attempt_is_done(attempt); ++ask)
    {
        if (crn_attempt_left(attempt, method) == 0)
            break;
        status = crn_attempt_iterate(attempt, method, workspace, attempt->problem, &options, &report);
        bool passed_on = report.declined && attempt->has_successor;
        status = status || passed_on ? status : crn_attempt_judge(attempt, CRN_USABLE, method->name);
        options.tolerance *= 0.1;
    }
    return status;
}

cairn_status crn_attempt_lemke(crn_attempt *attempt)
{
    CRN_TRY(crn_attempt_reduce(attempt));
    return crn_attempt_pivot(attempt, attempt->lcp.M, attempt->lcp.q, NULL, "lemke");
}
