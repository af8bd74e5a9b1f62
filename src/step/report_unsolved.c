/* Messages about a step without a solution. If the solver proved the reason (cairn_cause), the message states it and
 * names the joint, spring, contact or bounded row with the largest violation. Otherwise it names the bodies of the first island
 * that failed. */
#include "model/joints/element.h"
#include "step/row_description.h"
#include "step/simulation.h"

#include <assert.h>
#include <stdio.h>

enum
{
    MOST_NAMES = 4
};

static const char *block_name(const cairn_simulation *s, int block)
{
    assert(block >= 0 && block < s->layout->block_count);
    const crn_layout *layout = s->layout;
    return block < layout->body_block_count ? s->model->bodies[layout->block_body[block]].name
                                            : s->model->systems[block - layout->body_block_count].name;
}

static void name_blocks(const cairn_simulation *s, const cairn_island *island, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < island->block_count && i < MOST_NAMES && used < size; ++i)
    {
        used +=
            (size_t)snprintf(text + used, size - used, "%s'%.60s'", i > 0 ? ", " : "", block_name(s, island->block[i]));
    }
    if (island->block_count > MOST_NAMES && used < size)
        snprintf(text + used, size - used, " and %d more", island->block_count - MOST_NAMES);
}

/* The contacts of an island, as the value, and its bounded rows as text: "; 2 bounded rows, see joint 'rope1', limit". */
static int name_bounded(const cairn_simulation *s, const crn_stage *stage, const cairn_island *island, char *text,
                        size_t size)
{
    int contacts = 0, first = -1;
    for (int i = 0; i < island->contact_count; ++i)
    {
        bool touches = island->contact[i] < crn_contacts_of(&stage->assembly);
        contacts += touches;
        first = touches || first >= 0 ? first : island->contact[i];
    }
    text[0] = '\0';
    if (first >= 0)
    {
        char who[128];
        crn_who_contact(s->model, &stage->assembly, first, who, sizeof who);
        snprintf(text, size, "; bounded rows: %d, see %.100s", island->contact_count - contacts, who);
    }
    return contacts;
}

/* The item of block rows that a row belongs to. */
static int item_of(const cairn_block_rows *rows, int row)
{
    assert(row >= 0 && row < rows->row_start[rows->item_count]);
    int item = 0;
    while (rows->row_start[item + 1] <= row)
        ++item;
    return item;
}

/* The spring that a joint row represents; NULL: none. */
static const crn_spring_term *spring_of(const crn_assembly *assembly, int row)
{
    for (size_t i = 0; i < assembly->spring_term_count; ++i)
        if (assembly->spring_terms[i].row == row)
            return &assembly->spring_terms[i];
    return NULL;
}

/* Report the reason and the row that shows it most clearly. The culprit of a contradiction among joints is a row of G.
 * Otherwise it is an item of H: a contact, or under CAIRN_CAUSE_BOUNDS usually a bounded row. */
static cairn_status report_cause(const cairn_simulation *s, const crn_stage *stage, const cairn_solver_report *report)
{
    const crn_assembly *assembly = &stage->assembly;
    char who[256] = "";
    if (report->cause == CAIRN_CAUSE_JOINTS && report->culprit >= 0)
    {
        const crn_spring_term *term = spring_of(assembly, report->culprit);
        int item = item_of(&assembly->problem.G, report->culprit);
        term ? crn_who_spring(s->model, term->spring, who, sizeof who) : crn_who_joint(s->model, item, who, sizeof who);
    }
    else if (report->culprit >= 0)
    {
        assert(report->culprit < assembly->problem.contact_count);
        crn_who_contact(s->model, assembly, report->culprit, who, sizeof who);
    }
    return crn_fail(s->context, CAIRN_UNSOLVED, "step at t = %g with %d contacts: %s%s%s", s->state.t,
                    crn_contacts_of(assembly), cairn_cause_text(report->cause), who[0] ? "; see " : "", who);
}

cairn_status crn_report_unsolved(const cairn_simulation *s, const crn_stage *stage, const cairn_solver_report *report)
{
    if (report->cause != CAIRN_CAUSE_UNKNOWN)
        return report_cause(s, stage, report);
    int contacts = crn_contacts_of(&stage->assembly);
    for (int k = 0; k < cairn_solver_island_count(stage->solver); ++k)
    {
        cairn_island island = cairn_solver_island(stage->solver, k);
        if (island.outcome == CAIRN_FAILED && island.block_count > 0)
        {
            char names[512], bounded[160];
            int touching = name_bounded(s, stage, &island, bounded, sizeof bounded);
            name_blocks(s, &island, names, sizeof names);
            return crn_fail(s->context, CAIRN_UNSOLVED,
                            "step at t = %g: no solver found a solution for %s (joints: %d, contacts: %d of %d%s)",
                            s->state.t, names, island.joint_count, touching, contacts, bounded);
        }
    }
    return crn_fail(s->context, CAIRN_UNSOLVED, "step at t = %g: no solver found a solution (%d contacts)", s->state.t,
                    contacts);
}

cairn_status crn_report_fault(const cairn_simulation *s, const crn_fault *fault)
{
    if (fault->is_force)
    {
        const crn_force *force = &s->model->forces[fault->index];
        if (fault->part < 0)
            return crn_fail(s->context, CAIRN_NUMERIC, "step at t = %g: force '%s' is not a finite number", s->state.t,
                            force->name);
        return crn_fail(s->context, CAIRN_NUMERIC, "step at t = %g: force '%s': %s: '%s' is not a finite number",
                        s->state.t, force->name, fault->part < 3 ? "force" : "torque",
                        force->text[fault->part] ? force->text[fault->part] : "");
    }
    const crn_joint *joint = &s->model->joints[fault->index];
    const crn_element *element = crn_joint_element(joint, fault->part);
    assert(element);
    return crn_fail(s->context, CAIRN_NUMERIC, "step at t = %g: joint '%s': %s: %s'%s' is not a finite number",
                    s->state.t, joint->name, crn_joint_element_name(element),
                    element->kind == CRN_ELEMENT_SPRING ? "rest " : "target ",
                    element->target.text ? element->target.text : "a callback");
}
