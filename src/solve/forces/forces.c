#include "solve/forces/forces.h"

#include "base/clock.h"
#include "linalg/definite.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    SMALL = 48,     /* rows of an island that is examined with dense matrices */
    LARGEST = 1500, /* the same, where other forces may cause other velocities and these are asked for */
    MOST_TURNS = 60 /* updates of the directions of slip */
};
static const double AT_REST =
    1e-13;                         /* of the scale: velocities below this are zero, however accurate the solution is */
static const double VAGUE = 100.0; /* times the error of the velocities: by how much better ones may change E */
static const double SETTLED = 1e-13; /* of the largest impulse: the change at which updates end */
static const double URGE = 1e4;      /* how much more the energy counts than the norm, where it decides */
static const double NO_SLOPE = 1e-9; /* share of the energy's slope along the null space below which it is zero */

bool crn_forces_open(crn_forces *forces)
{
    return crn_active_open(&forces->active) && crn_least_norm_open(&forces->least);
}

void crn_forces_close(crn_forces *forces)
{
    crn_active_close(&forces->active);
    crn_least_norm_close(&forces->least);
    crn_arena_release(&forces->memory);
}

/* ------------------------------------------------------------------------------------------------------ null space */

/* The number of dependent rows of E or P, scaled by the masses that the forces move. */
static int nullity_of(crn_forces *forces, const double *matrix, double dependent)
{
    assert(dependent > 0.0);
    assert(matrix == forces->active.E || matrix == forces->active.P);
    const crn_active *active = &forces->active;
    int m = active->count;
    const double *own = active->symmetric ? active->E : active->P;
    double *scaled = forces->least.factor;
    for (int a = 0; a < m; ++a)
    {
        for (int b = 0; b < m; ++b)
        {
            double size = sqrt(own[a * m + a] * own[b * m + b]);
            scaled[a * m + b] = size > 0.0 ? matrix[a * m + b] / size : 0.0;
        }
    }
    bool monotone = active->symmetric || matrix == active->P;
    return monotone ? crn_nullity_monotone(m, scaled, dependent) : crn_nullity(m, scaled, dependent);
}

/* --------------------------------------------------------------------------------------------------------- choose */

/* Set the slope g of the least norm to that of the energy v'A v / 2 along the impulses, J'gamma . v, times `sign`. */
static void urge(crn_forces *forces, const cairn_problem *problem, const double *v, double sign)
{
    assert(sign == 1.0 || sign == -1.0);
    assert(!forces->active.symmetric);
    crn_least_norm *least = &forces->least;
    const crn_active *active = &forces->active;
    double norm = 0.0;
    double slope = 0.0;
    for (int a = 0; a < active->count; ++a)
    {
        norm = hypot(norm, least->x[a] / least->scale[a]);
        least->slope[a] = 0.0;
        for (int i = 0; i < problem->n; ++i)
            least->slope[a] += sign * active->Y[(size_t)a * (size_t)problem->n + (size_t)i] * v[i];
    }
    double share = crn_least_norm_along_null(least, active);
    for (int a = 0; a < active->count; ++a)
        slope = hypot(slope, least->slope[a] * least->scale[a]);
    for (int a = 0; a < active->count; ++a)
        least->slope[a] *= share > NO_SLOPE ? URGE * norm / slope : 0.0;
}

static bool choose_once(crn_forces *forces, const crn_attempt *attempt, cairn_forces wish, const double *v)
{
    assert(wish != CAIRN_FORCES_ANY);
    const crn_active *active = &forces->active;
    int directions = attempt->problem->law.directions;
    bool found = crn_least_norm_solve(&forces->least, active, directions);
    if (found && !active->symmetric && (wish == CAIRN_FORCES_MINIMUM_ENERGY || wish == CAIRN_FORCES_MAXIMUM_ENERGY))
    {
        urge(forces, attempt->problem, v, wish == CAIRN_FORCES_MINIMUM_ENERGY ? -1.0 : 1.0);
        found = crn_least_norm_solve(&forces->least, active, directions);
    }
    return found;
}

/* The change since the last turn, relative to the largest impulse. */
static double change_since(const double *before, const double *r, int rows)
{
    double change = 0.0;
    double largest = 0.0;
    for (int i = 0; i < rows; ++i)
    {
        change = fmax(change, fabs(r[i] - before[i]));
        largest = fmax(largest, fabs(r[i]));
    }
    return largest > 0.0 ? change / largest : 0.0;
}

/* Write the chosen forces into the trial; *found: they settled. The active set is built. */
static cairn_status choose(crn_forces *forces, crn_attempt *attempt, cairn_forces wish, double rest, bool *found)
{
    assert(rest >= 0.0);
    assert(forces->active.count >= 2);
    const cairn_problem *problem = attempt->problem;
    cairn_solution *trial = &attempt->trial;
    crn_active *active = &forces->active;
    const double *v = attempt->best.v;
    bool keep = wish == CAIRN_FORCES_AUTO;
    bool settled = false;
    *found = true;
    if (trial->contact_rows > 0)
        memcpy(forces->before, attempt->best.r, (size_t)trial->contact_rows * sizeof(double));
    for (int turn = 0; turn < MOST_TURNS && *found && !settled; ++turn)
    {
        *found = choose_once(forces, attempt, wish, v);
        crn_active_apply(active, problem, forces->least.x, trial);
        settled = keep || active->symmetric || change_since(forces->before, trial->r, trial->contact_rows) <= SETTLED;
        if (*found && !settled)
        {
            v = trial->v;
            memcpy(forces->before, trial->r, (size_t)trial->contact_rows * sizeof(double));
            CRN_TRY(crn_active_find(active, problem, trial, forces->mass, rest));
            CRN_TRY(crn_active_build(active, problem));
            CRN_TRY(crn_least_norm_begin(&forces->least, active, keep));
        }
    }
    return CAIRN_OK;
}

/* Directions of slip, and with them the rows of E, are only as accurate as the velocities. Whether better velocities might show
 * more rows to be dependent. */
static bool is_vague(crn_forces *forces, const cairn_solver_report *report, double known)
{
    assert(known >= 0.0);
    double loose = fmax(CRN_DEPENDENT, VAGUE * known);
    return !forces->active.symmetric && loose > CRN_DEPENDENT &&
           nullity_of(forces, forces->active.E, loose) > report->null_space;
}

/* The relative accuracy that velocities are known to. */
static double known_to(const crn_attempt *attempt)
{
    return fmin(0.5 * attempt->tolerance, fmax(4.0 * attempt->report.certificate.relative, AT_REST));
}

/* Find the active set. *rest: velocities below it are zero; *vague: better velocities might add to the set. */
static cairn_status find_active(crn_forces *forces, crn_attempt *attempt, double *rest, bool *vague)
{
    const cairn_problem *problem = attempt->problem;
    crn_active *active = &forces->active;
    size_t contacts = (size_t)problem->contact_count;
    CRN_TRY(crn_reserve_all(&forces->memory, CRN_ARRAY(forces->mass, contacts),
                            CRN_ARRAY(forces->before, contacts * (size_t)problem->dim)));
    for (int j = 0; j < problem->contact_count; ++j)
        forces->mass[j] = crn_certifier_mass(attempt->certifier, problem, j);
    *rest = known_to(attempt) * attempt->report.certificate.scale;
    CRN_TRY(crn_active_find(active, problem, &attempt->best, forces->mass, VAGUE * *rest));
    int at_most = active->count;
    CRN_TRY(crn_active_find(active, problem, &attempt->best, forces->mass, *rest));
    *vague = known_to(attempt) > AT_REST && at_most != active->count;
    return CAIRN_OK;
}

/* Whether the forces of a large island without bodies (W is given) are compared with those of its own solution, however rough it is. */
static bool keeps_to_its_own(const crn_forces *forces, const cairn_problem *problem, cairn_forces wish)
{
    return (wish == CAIRN_FORCES_AUTO || forces->active.symmetric) && crn_active_most(problem) > SMALL;
}

/* Examine an island with dense matrices. */
static cairn_status choose_dense(crn_forces *forces, crn_attempt *attempt, cairn_forces wish, double rest, bool *vague)
{
    const cairn_problem *problem = attempt->problem;
    cairn_solver_report *report = &attempt->report;
    crn_active *active = &forces->active;
    CRN_TRY(crn_active_build(active, problem));
    CRN_TRY(crn_least_norm_begin(&forces->least, active, wish == CAIRN_FORCES_AUTO));
    if (keeps_to_its_own(forces, problem, wish))
    {
        CRN_TRY(crn_reserve_all(&forces->memory, CRN_ARRAY(forces->x0, active->count)));
        crn_forces_of(active, problem, &attempt->best, forces->x0);
        if (crn_least_norm_aim(&forces->least, active, forces->x0))
            crn_forces_hold_rest(active, problem, &attempt->best, forces->x0);
    }
    report->null_space = nullity_of(forces, active->E, CRN_DEPENDENT);
    *vague = !keeps_to_its_own(forces, problem, wish) && (*vague || is_vague(forces, report, known_to(attempt)));
    report->velocity_null_space = 0;
    if (report->null_space > 0 && !active->symmetric)
        report->velocity_null_space = report->null_space - nullity_of(forces, active->P, CRN_DEPENDENT);
    bool found = false;
    report->chosen_forces = report->null_space > 0; /* where no others keep the velocities */
    bool other = report->null_space > (wish == CAIRN_FORCES_AUTO ? report->velocity_null_space : 0);
    report->chosen_forces = report->chosen_forces && !other;
    if (other)
        CRN_TRY(choose(forces, attempt, wish, rest, &found));
    bool same = active->symmetric || wish == CAIRN_FORCES_AUTO;
    if (found && same && report->certificate.relative <= AT_REST)
    {
        /* the velocities are the same, and recomputing them from large impulses would not be more accurate */
        memcpy(attempt->trial.v, attempt->best.v, (size_t)problem->n * sizeof(double));
    }
    return found ? crn_attempt_take(attempt, &report->chosen_forces) : CAIRN_OK;
}

bool crn_forces_keep_velocities(const cairn_problem *problem, cairn_forces wish)
{
    return wish == CAIRN_FORCES_AUTO && problem->n > 0 && crn_active_most(problem) > SMALL;
}

static cairn_status examine(crn_forces *forces, crn_attempt *attempt, cairn_forces wish, bool *vague)
{
    assert(wish != CAIRN_FORCES_ANY);
    const cairn_problem *problem = attempt->problem;
    int rows = crn_active_most(problem);
    bool solved = attempt->report.outcome == CAIRN_SOLVED;
    double rest;
    CRN_TRY(find_active(forces, attempt, &rest, vague));
    if (forces->active.count < 2)
        return CAIRN_OK;
    bool dear = problem->n == 0 && rows > SMALL && crn_forces_is_dear_in_full(attempt, forces->active.count);
    if (dear && wish == CAIRN_FORCES_AUTO)
    {
        attempt->report.unexamined = 1;
        attempt->report.unexamined_rows = rows;
        return CAIRN_OK;
    }
    bool may_move = wish != CAIRN_FORCES_AUTO && !forces->active.symmetric;
    if (solved && (rows <= SMALL || (rows <= LARGEST && (may_move || problem->n == 0))))
    {
        CRN_TRY(choose_dense(forces, attempt, wish, rest, vague));
        bool refused = attempt->report.null_space > 0 && !attempt->report.chosen_forces && !*vague;
        bool again = refused && forces->active.symmetric && problem->n > 0 && problem->contact_count == 0;
        return again ? crn_forces_choose_kept(forces, attempt, wish) : CAIRN_OK;
    }
    *vague = *vague && wish != CAIRN_FORCES_AUTO; /* sharper velocities would cost more than they are worth */
    return crn_forces_choose_kept(forces, attempt, wish);
}

static bool has_rigid_joints(const cairn_problem *problem)
{
    bool rigid = true;
    for (int row = 0; row < problem->joint_rows; ++row)
        rigid = rigid && problem->R_c[row] == 0.0;
    return rigid;
}

cairn_status crn_forces_choose(crn_forces *forces, crn_attempt *attempt, cairn_forces wish, bool *vague)
{
    const cairn_problem *problem = attempt->problem;
    cairn_solver_report *report = &attempt->report;
    *vague = false;
    bool single = problem->joint_rows == 0 && problem->contact_count < 2;
    if (wish == CAIRN_FORCES_ANY || single)
        return CAIRN_OK;
    report->unexamined = report->unexamined_rows = 0;
    bool known = report->outcome == CAIRN_SOLVED || (problem->contact_count == 0 && has_rigid_joints(problem));
    if (known && !crn_is_late(attempt->deadline) && (problem->n > 0 || crn_active_most(problem) <= LARGEST))
    {
        cairn_status status = examine(forces, attempt, wish, vague);
        return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
    }
    report->unexamined = 1;
    report->unexamined_rows = crn_active_most(problem);
    return CAIRN_OK;
}
