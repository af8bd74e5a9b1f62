/* Forces that wait until they are asked for.
 *
 * The motion of a mechanism does not depend on how redundant contacts share a load (docs/forces.md), but to choose the forces of least
 * norm takes longer than to solve the step. So the step goes on with the forces that it was solved with, as the account, the physics
 * certificate and the next step do, and the forces of least norm are found when they are first read: contacts, joints, the
 * report, a saved state. What is read never changes the motion. Several threads may read at once: the first one chooses, the others
 * wait for it.
 */
#include "solve/auto/solver.h"
#include "step/account/account.h"
#include "step/account/ledger_internal.h"
#include "step/schemes/scheme.h"
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

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

/* Where memory runs out they remain those of the solution, unexamined. */
static void choose(cairn_simulation *s)
{
    cairn_solver_report *report = &s->state.report.solver, found;
    crn_stage *stage = &s->stage[0];
    cairn_solution chosen;
    assert(s->stage_count == 1);
    if (crn_solver_choose_forces(stage->solver, &chosen, &found))
        return;
    stage->solution.c = chosen.c;
    stage->solution.r = chosen.r;
    take_joints(s);
    report->unexamined += found.unexamined - 1;
    report->unexamined_rows = report->unexamined > 0 ? report->unexamined_rows : 0;
    if (found.null_space >= report->null_space)
    {
        report->null_space = found.null_space;
        report->velocity_null_space = found.velocity_null_space;
        report->chosen_forces = found.chosen_forces;
    }
}

void crn_forces_settle(const cairn_simulation *reader)
{
    cairn_simulation *s = (cairn_simulation *)reader; /* the answer is the same whenever it is found */
    int waits = CRN_FORCES_WAIT;
    if (s->ledger.forces == CRN_FORCES_SETTLED || !crn_is_current(s))
        return;
    if (atomic_compare_exchange_strong(&s->ledger.forces, &waits, CRN_FORCES_IN_CHOICE))
    {
        choose(s);
        s->ledger.forces = CRN_FORCES_SETTLED;
    }
    while (s->ledger.forces == CRN_FORCES_IN_CHOICE)
        ;
}
