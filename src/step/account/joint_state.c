/* What joints do, for users: coordinates, reactions, and what acts along the coordinates. */
#include "formulate/joints.h"
#include "math/vec.h"
#include "model/handles.h"
#include "model/joints/coupling.h"
#include "step/account/account.h"
#include "step/account/ends.h"

#include <math.h>
#include <string.h>

double cairn_simulation_coordinate(const cairn_simulation *s, cairn_joint joint, int i, double *rate)
{
    int index = crn_is_current(s) ? crn_joint_index(s->model, joint) : -1;
    if (rate)
        *rate = 0.0;
    if (index < 0 || i < 0 || i >= s->model->joints[index].coordinates)
        return 0.0;
    if (rate)
        *rate = crn_joint_coordinate_rate(s->layout, &s->located.frame, index, i, s->state.v);
    return crn_joint_coordinate_at(s->model, &s->located.frame, index, i);
}

static void add_element(const crn_element *element, double force, cairn_joint_state *out)
{
    double *of_role[CRN_ROLES + 1] = {out->drive, out->spring, out->friction, out->limit, out->rotor};
    of_role[crn_element_role(element)][element->coordinate] += element->kind == CRN_ELEMENT_UPPER ? -force : force;
}

static void set_works(const cairn_simulation *s, int index, cairn_joint_state *out)
{
    double *of_role[CRN_ROLES] = {out->drive_work, out->spring_work, out->friction_work, out->limit_work};
    for (int k = 0; k < CRN_ELEMENT_WORKS && s->state.element_works > 0; ++k)
        of_role[k % CRN_ROLES][k / CRN_ROLES] = s->state.element_work[index * CRN_ELEMENT_WORKS + k];
}

/* The mean reaction, with the directions of the middle of the step. */
static void set_reaction(const cairn_simulation *s, int index, const double *force, cairn_joint_state *out)
{
    const crn_joint *joint = &s->model->joints[index];
    const int body[2] = {joint->a.body, joint->b.body};
    crn_pose pose[2] = {{.x = {0}}};
    crn_ends ends;
    for (int i = 0; i < 2; ++i)
    {
        if (body[i] < 0)
            continue;
        (void)crn_step_ends(s, body[i], &ends); /* not known: the middle is where the body is now */
        pose[i] = crn_step_middle(&ends);
    }
    crn_joint_action reaction = crn_joint_reaction(s->model, pose, index, force);
    memcpy(out->force, reaction.impulse[1], sizeof out->force);
    memcpy(out->moment, reaction.moment[1], sizeof out->moment);
}

cairn_joint_state cairn_simulation_joint_state(const cairn_simulation *s, cairn_joint handle)
{
    cairn_joint_state out = {.coordinate_count = 0};
    int index = crn_is_current(s) ? crn_joint_index(s->model, handle) : -1;
    if (index < 0)
        return out;
    const crn_joint *joint = &s->model->joints[index];
    out.coordinate_count = joint->coordinates;
    for (int i = 0; i < joint->coordinates; ++i)
        out.coordinate[i] = cairn_simulation_coordinate(s, handle, i, &out.rate[i]);
    set_works(s, index, &out);
    if (s->state.step == 0 || (s->stage_count == 0 && !s->state.contacts_listed && !s->device))
        return out;
    double force[CRN_JOINT_ROWS], h = s->state.h_base;
    crn_forces_settle(s);
    for (int i = 0; i < CRN_JOINT_ROWS; ++i)
        force[i] = s->ledger.joint_total[index][i] / h;
    if (joint->coupling)
        out.drive[0] = joint->own_rows > 0 ? force[0] : 0.0;
    else
        set_reaction(s, index, force, &out);
    for (int i = joint->own_rows; i < joint->rows + joint->bounded; ++i)
    {
        const crn_element *element = crn_joint_element(joint, i);
        if (element)
            add_element(element, force[i], &out);
    }
    return out;
}
