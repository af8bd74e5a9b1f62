/* Forces that wait until they are asked for.
 *
 * The motion of a mechanism does not depend on how redundant contacts share a load (docs/forces.md), but to choose the forces of least
 * norm takes longer than to solve the step. So the step goes on with the forces that it was solved with, as the account, the physics
 * certificate and the next step do, and the forces of least norm are found when they are first read: contacts, joints, the
 * report, a saved state. Where the step was solved with nearly the same forces as one whose forces have been chosen, as at rest, what that
 * choice added is added again. What is read never changes the motion. Several threads may read at once: the first one chooses, the others
 * wait for it.
 */
#include "base/memory.h"
#include "solve/auto/solver.h"
#include "step/account/account.h"
#include "step/account/ledger_internal.h"
#include "step/schemes/scheme.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <threads.h>

/* The change of impulses, relative to the largest, up to which a choice is repeated. */
static const double SLIGHT = 1e-7;

/* Friction of bearings depends on the forces of joints, and lists of touches hold impulses. */
bool crn_forces_may_wait(const cairn_simulation *s)
{
    return !crn_is_second_order(s->settings.integrator) && !s->model->has_bearings && !s->hooks.options.touches;
}

void crn_forces_end_step(cairn_simulation *s)
{
    cairn_solver_report *report = &s->state.report.solver;
    const crn_stage *stage = &s->stage[0];
    assert(s->ledger.forces == CRN_FORCES_SETTLED);
    if (s->stage_count != 1 || stage->assembly.rowless || !crn_solver_is_waiting(stage->solver))
        return;
    int rows = stage->solution.joint_rows + stage->solution.contact_rows;
    report->unexamined += 1;
    report->unexamined_rows = rows > report->unexamined_rows ? rows : report->unexamined_rows;
    s->ledger.forces = CRN_FORCES_WAIT;
}

/* Impulses of joints from the solution that was chosen. The next step goes on from those that acted, which are set aside. */
static void take_joints(cairn_simulation *s)
{
    crn_ledger *ledger = &s->ledger;
    size_t size = s->model->joint_count * sizeof *ledger->joint_total;
    memcpy(ledger->joint_last, ledger->joint_total, size);
    memset(ledger->joint_total, 0, size);
    ledger->has_chosen = true;
    crn_ledger_read_joints(s, 0);
}

/* Whether the rows of a choice from `row` on were solved with nearly these numbers. */
static bool are_near(int count, const crn_chosen_row *row, const double *x)
{
    double change = 0.0, largest = 0.0;
    for (int i = 0; i < count; ++i)
    {
        change = fmax(change, fabs(x[i] - row[i].solved));
        largest = fmax(largest, fabs(row[i].solved));
    }
    return change <= SLIGHT * largest;
}

/* Whether the last choice serves this step as well: with the same contacts, impulses of joints and contacts are nearly the same. */
static bool can_repeat(const crn_choice *choice, const cairn_problem *problem, const cairn_solution *solution)
{
    return problem->contact_count > 0 && choice->contacts == (size_t)problem->contact_count &&
           choice->rows == (size_t)(solution->joint_rows + solution->contact_rows) &&
           memcmp(problem->identity, choice->identity, choice->contacts * sizeof *choice->identity) == 0 &&
           are_near(solution->joint_rows, choice->row, solution->c) &&
           are_near(solution->contact_rows, choice->row + solution->joint_rows, solution->r);
}

static void repeat(const crn_choice *choice, const cairn_solution *solution)
{
    for (int i = 0; i < solution->joint_rows; ++i)
        solution->c[i] += choice->row[i].shift;
    for (int i = 0; i < solution->contact_rows; ++i)
        solution->r[i] += choice->row[solution->joint_rows + i].shift;
}

/* Remember a choice that replaces what the step was solved with. */
static cairn_status remember(crn_choice *choice, const cairn_problem *problem, const cairn_solution *solved,
                             const cairn_solution *chosen, const cairn_solver_report *found)
{
    size_t contacts = (size_t)problem->contact_count, rows = (size_t)(solved->joint_rows + solved->contact_rows);
    choice->contacts = choice->rows = 0;
    CRN_TRY(crn_reserve(&choice->identity, &choice->contact_capacity, contacts + 1, sizeof *choice->identity));
    CRN_TRY(crn_reserve(&choice->row, &choice->row_capacity, rows + 1, sizeof *choice->row));
    memcpy(choice->identity, problem->identity, contacts * sizeof *choice->identity);
    for (int i = 0; i < solved->joint_rows; ++i)
        choice->row[i] = (crn_chosen_row){solved->c[i], chosen->c[i] - solved->c[i]};
    for (int i = 0; i < solved->contact_rows; ++i)
        choice->row[solved->joint_rows + i] = (crn_chosen_row){solved->r[i], chosen->r[i] - solved->r[i]};
    choice->contacts = contacts;
    choice->rows = rows;
    choice->null_space = found->null_space;
    choice->velocity_null_space = found->velocity_null_space;
    choice->unexamined = found->unexamined;
    choice->chosen = found->chosen_forces;
    return CAIRN_OK;
}

/* Report what is known about the forces of the step now. */
static void report_choice(const crn_choice *choice, cairn_solver_report *report)
{
    report->unexamined += choice->unexamined - 1;
    report->unexamined_rows = report->unexamined > 0 ? report->unexamined_rows : 0;
    if (choice->null_space >= report->null_space)
    {
        report->null_space = choice->null_space;
        report->velocity_null_space = choice->velocity_null_space;
        report->chosen_forces = choice->chosen;
    }
}

/* Where memory runs out they remain those of the solution, unexamined. */
static void choose(cairn_simulation *s)
{
    crn_choice *choice = &s->state.choice;
    crn_stage *stage = &s->stage[0];
    const cairn_problem *problem = &stage->assembly.problem;
    cairn_solution chosen;
    cairn_solver_report found;
    assert(s->stage_count == 1);
    if (can_repeat(choice, problem, &stage->solution))
        repeat(choice, &stage->solution);
    else
    {
        if (crn_solver_choose_forces(stage->solver, &chosen, &found) ||
            remember(choice, problem, &stage->solution, &chosen, &found))
            return;
        stage->solution.c = chosen.c;
        stage->solution.r = chosen.r;
    }
    take_joints(s);
    report_choice(choice, &s->state.report.solver);
}

void crn_forces_settle(const cairn_simulation *reader)
{
    cairn_simulation *s = (cairn_simulation *)reader; /* the motion is the same, whether or not they are read */
    int waits = CRN_FORCES_WAIT;
    if (s->ledger.forces == CRN_FORCES_SETTLED || !crn_is_current(s))
        return;
    if (atomic_compare_exchange_strong(&s->ledger.forces, &waits, CRN_FORCES_IN_CHOICE))
    {
        choose(s);
        s->ledger.forces = CRN_FORCES_SETTLED;
    }
    while (s->ledger.forces == CRN_FORCES_IN_CHOICE)
        thrd_yield();
}
