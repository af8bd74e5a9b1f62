/* Queries of the contacts and joints of the last step.
 *
 * A first-order step solves one problem, whose contacts are listed. Second-order schemes divide a step into parts and impacts.
 * The ledger sums their impulses as world vectors; they are reported in the frame in which the contact was last evaluated. */
#include "base/memory.h"
#include "collide/identity.h"
#include "formulate/influence.h"
#include "formulate/rolling.h"
#include "formulate/surface/cohesion.h"
#include "math/vec.h"
#include "model/handles.h"
#include "model/periodic.h"
#include "step/account/account.h"
#include "step/simulation.h"

#include <string.h>

/* Whether the list comes from the ledger's sums rather than from the contacts of the last problem. */
static bool is_summed(const cairn_simulation *s)
{
    return crn_is_second_order(s->settings.integrator);
}

int cairn_simulation_contact_count(const cairn_simulation *s)
{
    if (!crn_is_current(s))
        return 0;
    if (s->state.contacts_listed)
        return (int)s->state.contact_count;
    if (s->device)
        return crn_device_contact_count(s);
    if (s->stage_count == 0)
        return 0;
    return is_summed(s) ? s->ledger.total_count : crn_contacts_of(&crn_last_stage(s)->assembly);
}

/* The data of a patch element that a viewer needs. */
static void fill_element(const cairn_simulation *s, const crn_assembly *assembly, int j, cairn_contact *out)
{
    int low = 0, high = assembly->patch_item_count - 1;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        bool above = assembly->patches[middle + 1].first <= j;
        low = above ? middle + 1 : low;
        high = above ? high : middle;
    }
    const crn_patch_block *block = &s->state.patches.blocks[assembly->patches[low].block];
    out->patch = low;
    out->element = assembly->element[j];
    crn_element_offset(assembly->problem.dim, block->across, block->spacing, out->element, out->offset);
    memcpy(out->deformation, assembly->deformation[j], sizeof out->deformation);
}

static void fill_geometry(const cairn_model *model, const crn_contact *contact, cairn_contact *out)
{
    out->a = crn_body_handle(model, contact->body_a);
    out->b = crn_body_handle(model, contact->body_b);
    out->identity = contact->identity;
    out->gap = contact->gap;
    out->friction = contact->friction;
    for (int k = 0; k < 3; ++k)
    {
        out->image[k] = crn_is_periodic(model)
                            ? contact->point_a[k] - contact->gap * contact->normal[k] - contact->point_b[k]
                            : 0.0;
        out->point[k] = crn_is_periodic(model) ? contact->point_a[k] - 0.5 * contact->gap * contact->normal[k]
                                               : 0.5 * (contact->point_a[k] + contact->point_b[k]);
        out->normal[k] = contact->normal[k];
    }
    crn_contact_tangents(contact, model->dimension, out->tangent);
}

static cairn_contact contact_of_stage(const cairn_simulation *s, int j)
{
    cairn_contact out = {.patch = -1, .element = -1};
    const crn_stage *stage = crn_last_stage(s);
    int dim = stage->assembly.problem.dim;
    fill_geometry(s->model, &stage->assembly.active[j], &out);
    double r[3], u[3];
    bool rowless = stage->assembly.rowless;
    crn_stage_impulse(stage, j, r);
    if (rowless)
        crn_compact_velocity(&s->compact, &stage->assembly.active[j], j, s->compact.after, u);
    for (int i = 0; i < dim; ++i)
    {
        out.impulse[i] = stage->weight * r[i];
        out.velocity[i] = rowless ? crn_dot3(u, i == 0 ? out.normal : out.tangent[i - 1])
                                  : crn_contact_rate(s, stage, j, i, s->state.v) + stage->assembly.creep[j][i];
    }
    out.impulse[0] -= stage->weight * crn_contact_pull(s->layout, &stage->assembly.active[j], stage->h);
    if (!rowless || s->compact.problem.rolling)
    {
        double moment[3];
        crn_stage_moment(s, stage, j, moment);
        out.moment[0] = stage->weight * crn_dot3(moment, out.normal);
        for (int i = 0; i < 2; ++i)
            out.moment[1 + i] = stage->weight * crn_dot3(moment, out.tangent[i]);
    }
    if (!rowless && stage->assembly.element[j] >= 0)
        fill_element(s, &stage->assembly, j, &out);
    return out;
}

/* Velocity of a body's point, given by its arm, at the end of the step. */
static void point_velocity(const cairn_simulation *s, int body, const double arm[3], double out[3])
{
    cairn_body_state state = cairn_simulation_body(s, crn_body_handle(s->model, body));
    double spin[3] = {0, 0, state.angular_velocity[2]};
    if (s->model->dimension == 3)
        crn_rotate3(crn_pose_of(s, body).R, state.angular_velocity, spin);
    crn_cross3(spin, arm, out);
    crn_add3(out, state.velocity, out);
}

/* Relative velocity of a contact that is not in the last problem. */
static void velocity_from_state(const cairn_simulation *s, const crn_total *total, cairn_contact *out)
{
    const crn_contact *contact = &total->contact;
    double u[3], b[3];
    if (contact->body_a < 0)
        return; /* a gap of a user's system: its row no longer exists */
    point_velocity(s, contact->body_a, total->arm_a, u);
    point_velocity(s, contact->body_b, total->arm_b, b);
    crn_sub3(u, b, u);
    out->velocity[0] = crn_dot3(u, contact->normal);
    for (int i = 1; i < s->model->dimension; ++i)
        out->velocity[i] = crn_dot3(u, out->tangent[i - 1]);
}

static cairn_contact contact_of_step(const cairn_simulation *s, int j)
{
    cairn_contact out = {.patch = -1, .element = -1};
    const crn_total *total = &s->ledger.totals[j];
    const crn_contact *contact = &total->contact;
    const crn_stage *stage = crn_last_stage(s);
    const cairn_problem *problem = &stage->assembly.problem;
    fill_geometry(s->model, contact, &out);
    const double *direction[3] = {contact->normal, out.tangent[0], out.tangent[1]};
    int there = crn_identity_find(problem->identity, problem->contact_count, contact->identity);
    for (int i = 0; i < problem->dim; ++i)
    {
        out.impulse[i] = contact->body_a < 0 ? total->impulse[i] : crn_dot3(total->impulse, direction[i]);
        out.velocity[i] = there < 0 ? 0.0 : crn_contact_rate(s, stage, there, i, s->state.v);
    }
    if (there < 0)
        velocity_from_state(s, total, &out);
    return out;
}

cairn_contact cairn_simulation_contact(const cairn_simulation *s, int j)
{
    cairn_contact none = {.patch = -1, .element = -1};
    if (j < 0 || j >= cairn_simulation_contact_count(s))
        return none;
    if (s->state.contacts_listed)
        return s->state.contacts[j];
    cairn_contact read = none;
    if (s->device) /* scratch alone changes */
        return crn_device_read_contact((cairn_simulation *)(uintptr_t)s, j, &read) ? none : read;
    crn_forces_settle(s);
    return is_summed(s) ? contact_of_step(s, j) : contact_of_stage(s, j);
}

cairn_status crn_list_contacts(cairn_simulation *s)
{
    crn_state *state = &s->state;
    if (state->contacts_listed)
        return CAIRN_OK;
    if (s->device)
        return crn_device_list_contacts(s);
    int count = cairn_simulation_contact_count(s);
    if (crn_reserve(&state->contacts, &state->contact_capacity, (size_t)count + 1, sizeof *state->contacts))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", state->t);
    for (int j = 0; j < count; ++j)
        state->contacts[j] = cairn_simulation_contact(s, j);
    state->contact_count = (size_t)count;
    state->contacts_listed = true;
    return CAIRN_OK;
}

int cairn_simulation_joint_impulse(const cairn_simulation *s, cairn_joint joint, double impulse[6])
{
    int index = crn_is_current(s) ? crn_joint_index(s->model, joint) : -1;
    memset(impulse, 0, 6 * sizeof(double));
    if (index < 0 || s->state.step == 0 || (s->stage_count == 0 && !s->state.contacts_listed && !s->device))
        return 0;
    crn_forces_settle(s);
    memcpy(impulse, s->ledger.joint_total[index], 6 * sizeof(double));
    return s->model->joints[index].own_rows + s->model->joints[index].own_bounded;
}

/* -------------------------------------------------------------------------------------------------- violations */

int cairn_simulation_violation_count(const cairn_simulation *s)
{
    return s->ledger.audit ? crn_audit_listed(s->ledger.audit) : 0;
}

cairn_violation cairn_simulation_violation(const cairn_simulation *s, int index)
{
    cairn_violation none = {.kind = CAIRN_VIOLATION_NOT_FINITE};
    return s->ledger.audit ? crn_audit_violation(s->ledger.audit, index) : none;
}

cairn_audit_totals cairn_simulation_audit(const cairn_simulation *s)
{
    cairn_audit_totals none = {.count = {0}};
    return s->ledger.audit ? *crn_audit_totals(s->ledger.audit) : none;
}
