/* Overlaps that a step cannot push out.
 *
 * A body held by friction between two others, like a peg in the mouth of a hole, can be squeezed by any force: there
 * are impulses r in the friction cones with H'r = 0. Such an r rules out a solution if w'r < 0 (Anitescu & Potra 2002,
 * Theorem 2.2, requires w >= 0). This happens as soon as the squeezed contacts overlap by any amount and gap/h must push them
 * out, or when they must bounce: every motion that opens both of them slides, and the harder they are pressed, the less they
 * slide. Solvers then return unbounded forces or none.
 *
 * Therefore the contacts of islands without a solution are relaxed: they are only required not to close further, so that
 * w_n = 0 and w'r >= 0, and the step is solved again. These wedged overlaps remain until the contacts come loose. Their
 * size is that of the error of one step, since nothing moves while they are held.
 */
#include "base/memory.h"
#include "collide/identity.h"
#include "formulate/compliance.h"
#include "step/simulation.h"

#include <assert.h>

/* A bounded row can be relaxed if it is a rigid limit. */
static bool can_relax(const cairn_simulation *s, const crn_bounded_row *row)
{
    return row->is_limit && !crn_is_soft(crn_joint_give(s->model, row->joint, row->row));
}

static bool relax(const cairn_simulation *s, crn_stage *stage, int j)
{
    assert(j >= 0 && j < stage->assembly.problem.contact_count);
    const crn_assembly *assembly = &stage->assembly;
    const crn_contact *contact = &assembly->active[j];
    const crn_bounded_row *row = crn_bounded_of(assembly, j);
    if (row && !can_relax(s, row))
        return false;
    double *w = &assembly->problem.w[j * assembly->problem.dim], drive = assembly->contact_drive[j][0];
    bool gives = contact->body_a >= 0 && crn_contact_give(s->model, contact).k > 0;
    if (gives || assembly->element[j] >= 0 || *w >= drive)
        return false;
    *w = drive;
    assembly->push[j] = 0;
    stage->relaxed += 1;
    return true;
}

bool crn_wedge_relax(const cairn_simulation *s, crn_stage *stage, const cairn_solver_report *report)
{
    bool any = false;
    /* a search that ran out of time or work proves nothing, and joints that contradict each other go on doing so */
    bool contradicted = report->outcome == CAIRN_MISSED && report->certificate.joint > report->certificate.natural_map;
    bool hopeless = report->out_of_time || report->outcome == CAIRN_LIMITED || contradicted ||
                    (report->outcome == CAIRN_FAILED && report->cause != CAIRN_CAUSE_UNKNOWN);
    /* second-order schemes hold closed contacts at the velocity level, and resolve collisions separately */
    if (report->outcome == CAIRN_SOLVED || hopeless || crn_is_second_order(s->settings.integrator))
        return false;
    for (int k = 0; k < cairn_solver_island_count(stage->solver); ++k)
    {
        cairn_island island = cairn_solver_island(stage->solver, k);
        for (int i = 0; i < island.contact_count && island.outcome != CAIRN_SOLVED; ++i)
            any = relax(s, stage, island.contact[i]) || any;
    }
    return any;
}

void crn_wedge_recall(const cairn_simulation *s, crn_stage *stage)
{
    const cairn_problem *problem = &stage->assembly.problem;
    for (int j = 0; s->state.wedged.count > 0 && j < problem->contact_count; ++j)
        if (crn_identity_find(s->state.wedged.identity, s->state.wedged.count, stage->assembly.active[j].identity) >= 0)
            relax(s, stage, j);
}

/* Rigid contacts are in the problem in ascending order of identity, and so are those that are kept. */
cairn_status crn_wedge_keep(cairn_simulation *s, const crn_stage *stage)
{
    const crn_assembly *assembly = &stage->assembly;
    const cairn_problem *problem = &assembly->problem;
    s->state.wedged.count = 0;
    if (assembly->rowless)
        return CAIRN_OK; /* sweeps push all overlaps out */
    if (crn_reserve(&s->state.wedged.identity, &s->state.wedged.capacity, (size_t)problem->contact_count + 1,
                    sizeof(uint64_t)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    for (int j = 0; j < problem->contact_count && s->settings.stabilisation == CAIRN_STABILISE_GAP; ++j)
    {
        bool relaxed = assembly->active[j].gap < 0 && problem->w[j * problem->dim] == assembly->contact_drive[j][0];
        if (relaxed && assembly->element[j] < 0 && stage->solution.r[j * problem->dim] > 0)
            s->state.wedged.identity[s->state.wedged.count++] = assembly->active[j].identity;
    }
    return CAIRN_OK;
}
