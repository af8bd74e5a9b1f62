/* The forces of least norm that keep all velocities, for islands of any size: the solution's own forces x0 give the balance
 * C x = C x0 that others have to meet (balance.h), so that solutions exist and velocities are not touched.
 *
 * The velocities of a solution that only just meets the tolerance are sharpened first: gamma'J v takes its target t. With C dx the
 * momentum that this takes, A dv = C dx, and dx = D^-1 (t - C'(v + dv)) / s for a small s,
 *
 *     (s A + C D^-1 C') dv = C D^-1 (t - C'v) ,
 *
 * repeated until what is left of t - C'v stays. Otherwise forces would be as inaccurate as the velocities that they keep.
 *
 * What is compliant has the force that its deflection gives it: its variables keep their values. Under the exact laws
 * forces of sliding contacts that would change velocities are not looked for, and such an island counts as not examined in full.
 *
 * Cost: a few factorisations of a matrix of the size of A, with the pattern of the bodies that touch. By default, in problems that
 * follow each other in time, they are made where four of them take less than the solution took, in multiplications counted
 * and not timed, so that results do not depend on the machine. Methods that factorise have made more of them, and larger ones,
 * themselves; a sweep or another iteration visits every contact and joint once.
 */
#include "linalg/blocks.h"
#include "linalg/compliance.h"
#include "linalg/definite.h"
#include "solve/auto/bounded.h"
#include "solve/forces/forces.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double AT_REST = 1e-13; /* the relative certificate below which velocities cannot become more accurate */
static const double VISIT = 400.0;   /* multiplications of a visit to a contact or joint */
static const double SOFT = 1e-8;     /* s of the sharpened velocities, against the largest mass */
static const int MOST_PASSES = 8;
static const int TYPICAL = 4; /* factorisations that a choice takes */

/* ------------------------------------------------------------------------------------------------------- compliance */

static bool is_soft(const cairn_problem *problem, const crn_variable *variable)
{
    if (variable->joint >= 0)
        return problem->R_c[problem->G.row_start[variable->joint] + variable->row] > 0.0;
    int stride;
    const double *R = crn_compliance_block(problem, variable->contact, variable->contact, &stride);
    bool soft = false;
    for (int k = 0; k < problem->dim && R; ++k)
        soft = soft || R[k * stride + k] > 0.0;
    return soft;
}

/* Remove the pieces of what is compliant; its forces become part of the offset. */
static void hold_compliant(crn_active *active, const cairn_problem *problem, const cairn_solution *solution)
{
    int pieces = active->piece_count, count = 0;
    active->piece_count = 0;
    for (int k = 0; k < pieces; ++k)
    {
        crn_piece piece = active->piece[k];
        const crn_variable *variable = &active->variable[piece.first];
        if (is_soft(problem, variable))
        {
            int row = variable->contact * problem->dim;
            for (int i = row; i < row + problem->dim && variable->contact >= 0; ++i)
                active->offset[i] = solution->r[i];
            continue;
        }
        memmove(active->variable + count, variable, (size_t)piece.count * sizeof *variable);
        piece.first = count;
        count += piece.count;
        active->piece[active->piece_count++] = piece;
    }
    active->count = count;
}

/* ---------------------------------------------------------------------------------------------- forces of a solution */

/* The variables first .. end-1 of one contact that come nearest to its impulse, in the sense of least squares. */
static void fit(const crn_active *active, const double *r, int dim, int first, int end, double *x)
{
    assert(end - first >= 1 && end - first <= 3);
    int n = end - first;
    double gram[9];
    for (int a = 0; a < n; ++a)
    {
        const double *gamma = active->variable[first + a].gamma;
        x[first + a] = 0.0;
        for (int k = 0; k < dim; ++k)
            x[first + a] += gamma[k] * r[k];
        for (int b = 0; b < n; ++b)
        {
            const double *other = active->variable[first + b].gamma;
            gram[a * n + b] = gamma[0] * other[0] + gamma[1] * other[1] + gamma[2] * other[2];
        }
    }
    if (crn_definite_factorise(n, gram))
        crn_definite_solve(n, gram, x + first);
}

void crn_forces_of(const crn_active *active, const cairn_problem *problem, const cairn_solution *solution, double *x)
{
    for (int a = 0, end; a < active->count; a = end)
    {
        const crn_variable *variable = &active->variable[a];
        end = a + 1;
        if (variable->joint >= 0)
        {
            x[a] = solution->c[problem->G.row_start[variable->joint] + variable->row];
            continue;
        }
        while (end < active->count && active->variable[end].contact == variable->contact)
            ++end;
        double r[3];
        for (int k = 0; k < problem->dim; ++k)
            r[k] = solution->r[variable->contact * problem->dim + k] -
                   active->offset[variable->contact * problem->dim + k];
        fit(active, r, problem->dim, a, end, x);
    }
    for (int k = 0; k < active->piece_count; ++k)
    {
        double y[3];
        const crn_piece *piece = &active->piece[k];
        memcpy(y, x + piece->first, (size_t)piece->count * sizeof(double));
        crn_piece_project(piece, problem->law.directions, y, x + piece->first);
    }
}

void crn_forces_hold_rest(crn_active *active, const cairn_problem *problem, const cairn_solution *solution,
                          const double *x)
{
    memcpy(active->offset, solution->r, (size_t)solution->contact_rows * sizeof(double));
    for (int a = 0; a < active->count; ++a)
    {
        const crn_variable *variable = &active->variable[a];
        for (int k = 0; k < problem->dim && variable->contact >= 0; ++k)
            active->offset[variable->contact * problem->dim + k] -= x[a] * variable->gamma[k];
    }
}

/* Write x into the trial, and where `rough` the velocities that it causes. */
static cairn_status apply(crn_forces *forces, crn_attempt *attempt, const double *x, bool rough)
{
    const cairn_problem *problem = attempt->problem;
    const crn_active *active = &forces->active;
    cairn_solution *trial = &attempt->trial;
    if (trial->joint_rows > 0)
        memcpy(trial->c, attempt->best.c, (size_t)trial->joint_rows * sizeof(double));
    if (trial->contact_rows > 0)
        memcpy(trial->r, active->offset, (size_t)trial->contact_rows * sizeof(double));
    for (int a = 0; a < active->count; ++a)
    {
        const crn_variable *variable = &active->variable[a];
        if (variable->joint >= 0)
            trial->c[problem->G.row_start[variable->joint] + variable->row] = x[a];
        for (int k = 0; k < problem->dim && variable->contact >= 0; ++k)
            trial->r[variable->contact * problem->dim + k] += x[a] * variable->gamma[k];
    }
    for (int j = 0; j < problem->contact_count; ++j)
        if (!crn_is_row(problem, j) && trial->r[j * problem->dim] < 0.0) /* rounding */
            memset(trial->r + j * problem->dim, 0, (size_t)problem->dim * sizeof(double));
    return rough ? crn_active_refine(&forces->active, problem, trial) : CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------- sharp velocities */

/* D^-1/2 (t - C'v) in `left`; returns its size. */
static double find_slack(crn_forces *forces, const cairn_problem *problem, const double *v)
{
    crn_least_norm *least = &forces->least;
    crn_balance *balance = &least->balance;
    double sum = 0.0;
    for (int i = 0; i < problem->n; ++i)
        least->trial[i] = v[i] / balance->row_scale[i];
    for (int a = 0; a < forces->active.count; ++a)
        least->z[a] = -crn_active_target(&forces->active, problem, a) * least->scale[a];
    crn_balance_add_transposed(balance, least->trial, least->z);
    for (int a = 0; a < forces->active.count; ++a)
    {
        least->z[a] = -least->z[a];
        sum += least->z[a] * least->z[a];
    }
    return sqrt(sum);
}

/* Sharpen the velocities v. */
static void sharpen(crn_forces *forces, const cairn_problem *problem, double *v)
{
    crn_least_norm *least = &forces->least;
    crn_balance *balance = &least->balance;
    least->factorised = false;
    if (!crn_balance_factorise_with(balance, &forces->active, problem, SOFT))
        return;
    double left = find_slack(forces, problem, v);
    for (int pass = 0; pass < MOST_PASSES && left > 0.0; ++pass)
    {
        crn_balance_times(balance, least->z, NULL, least->step);
        crn_balance_solve(balance, least->step);
        for (int i = 0; i < problem->n; ++i)
        {
            least->pi[i] = v[i];
            v[i] += balance->row_scale[i] * least->step[i];
        }
        double next = find_slack(forces, problem, v);
        if (!(next < left))
        {
            memcpy(v, least->pi, (size_t)problem->n * sizeof(double));
            return;
        }
        bool enough = next > 0.5 * left;
        left = next;
        if (enough)
            return;
    }
}

/* Find sharp velocities for the trial, and add to f = S C x0 the momentum S A dv that they take. */
static cairn_status sharpen_trial(crn_forces *forces, crn_attempt *attempt)
{
    const cairn_problem *problem = attempt->problem;
    crn_least_norm *least = &forces->least;
    crn_balance *balance = &least->balance;
    CRN_TRY(apply(forces, attempt, forces->x0, true));
    CRN_TRY(crn_reserve_all(&forces->memory, CRN_ARRAY(forces->blunt, problem->n)));
    memcpy(forces->blunt, attempt->trial.v, (size_t)problem->n * sizeof(double));
    sharpen(forces, problem, attempt->trial.v);
    for (int i = 0; i < problem->n; ++i)
    {
        least->step[i] = attempt->trial.v[i] - forces->blunt[i];
        balance->sum[i] = 0.0L;
    }
    crn_matrix_add(&problem->A, problem->block_start, least->step, balance->sum);
    for (int i = 0; i < problem->n; ++i)
        least->f[i] += balance->row_scale[i] * (double)balance->sum[i];
    return CAIRN_OK;
}

/* -------------------------------------------------------------------------------------------------------------- cost */

/* What a method that visits contacts and joints one by one took, in multiplications; INFINITY for methods that factorise. */
static double visits_of(const crn_attempt *attempt)
{
    static const char *const ITERATIVE[] = {"gauss-seidel", "apgd", "mechanism"};
    const cairn_problem *problem = attempt->problem;
    bool visits = false;
    for (size_t k = 0; k < sizeof ITERATIVE / sizeof ITERATIVE[0]; ++k)
        visits = visits || strcmp(attempt->report.method, ITERATIVE[k]) == 0;
    double items = (double)problem->contact_count + problem->G.item_count;
    return visits ? VISIT * items * attempt->report.iterations : INFINITY;
}

/* What the solution took, in multiplications; INFINITY where it took more than any choice of forces. */
static double work_of(const crn_attempt *attempt)
{
    return attempt->steady ? visits_of(attempt) : INFINITY;
}

bool crn_forces_is_dear_in_full(const crn_attempt *attempt, int rows)
{
    return TYPICAL * pow(rows, 3.0) / 3.0 > visits_of(attempt);
}

bool crn_forces_is_dear(const crn_attempt *attempt)
{
    const int *start = attempt->problem->block_start;
    double least = 0.0, work = work_of(attempt);
    for (int i = 0; i < attempt->problem->block_count && isfinite(work); ++i)
        least += pow(start[i + 1] - start[i], 3.0);
    return isfinite(work) && TYPICAL * least > work;
}

/* Whether the solution showed already that no row is redundant: without contacts the dropped rows are the dependent ones. */
static bool is_unique(const crn_attempt *attempt)
{
    return attempt->problem->contact_count == 0 && attempt->report.dropped_joint_rows == 0;
}

/* Start with the forces of the solution at hand. Equations alone need none to start with: where the solver missed them, sharp
 * velocities are a solution of their own. */
static cairn_status begin(crn_forces *forces, crn_attempt *attempt)
{
    const crn_active *active = &forces->active;
    CRN_TRY(crn_reserve_all(&forces->memory, CRN_ARRAY(forces->x0, active->count)));
    if (attempt->report.outcome == CAIRN_SOLVED)
        crn_forces_of(active, attempt->problem, &attempt->best, forces->x0);
    else
        memset(forces->x0, 0, (size_t)active->count * sizeof(double));
    return crn_least_norm_begin_sparse(&forces->least, active, attempt->problem, forces->x0);
}

/* Find the forces of least norm, and replace the best solution by them. */
static cairn_status choose(crn_forces *forces, crn_attempt *attempt)
{
    cairn_solver_report *report = &attempt->report;
    bool solved = report->outcome == CAIRN_SOLVED, rough = !solved || report->certificate.relative > AT_REST;
    memcpy(attempt->trial.v, attempt->best.v, (size_t)attempt->best.n * sizeof(double));
    if (rough)
        CRN_TRY(sharpen_trial(forces, attempt));
    if (!crn_least_norm_solve(&forces->least, &forces->active, attempt->problem->law.directions))
        return CAIRN_OK;
    CRN_TRY(apply(forces, attempt, forces->least.x, rough));
    if (solved)
        return crn_attempt_take(attempt, &report->chosen_forces);
    CRN_TRY(crn_attempt_judge(attempt, CRN_USABLE, "least-norm"));
    report->chosen_forces = report->outcome == CAIRN_SOLVED;
    return CAIRN_OK;
}

cairn_status crn_forces_choose_kept(crn_forces *forces, crn_attempt *attempt, cairn_forces wish)
{
    const cairn_problem *problem = attempt->problem;
    cairn_solver_report *report = &attempt->report;
    crn_active *active = &forces->active;
    assert(problem->n > 0 && (report->outcome == CAIRN_SOLVED || problem->contact_count == 0));
    hold_compliant(active, problem, &attempt->best);
    report->null_space = report->velocity_null_space = 0;
    report->chosen_forces = false;
    if (active->count < 2 || (report->outcome == CAIRN_SOLVED && is_unique(attempt)))
        return CAIRN_OK;
    double work = wish == CAIRN_FORCES_AUTO ? work_of(attempt) * CRN_SADDLE_FEWEST / TYPICAL : INFINITY;
    crn_saddle_limit(forces->least.balance.saddle, attempt->deadline, isfinite(work) ? &work : NULL);
    CRN_TRY(begin(forces, attempt));
    int nullity;
    CRN_TRY(crn_least_norm_nullity(&forces->least, active, problem, CRN_DEPENDENT, &nullity));
    report->unexamined = nullity < 0 || !active->symmetric;
    report->unexamined_rows = report->unexamined ? crn_active_most(problem) : 0;
    report->null_space = nullity > 0 ? nullity : 0;
    return nullity > 0 ? choose(forces, attempt) : CAIRN_OK;
}
