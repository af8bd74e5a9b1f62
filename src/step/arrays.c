/* Access to all bodies at once: arrays that are read without a call and a copy per body, and states that are written.
 *
 * Poses of bodies of every kind are read directly from the collision detection; where ranks take the steps, they are computed when they are asked for. If all bodies of a spatial model are dynamic
 * and can rotate, their velocities are the vector v itself. Otherwise velocities are gathered once per step. */
#include "math/vec.h"
#include "model/names.h"
#include "step/account/account.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    POSE_STRIDE = sizeof(crn_pose) / sizeof(double),
    TWIST = 6
};
static_assert(sizeof(crn_pose) % sizeof(double) == 0, "poses are numbers alone");

/* NULL: there are none, or no memory for them. */
static const crn_pose *poses_of(const cairn_simulation *s)
{
    cairn_simulation *own = (cairn_simulation *)(uintptr_t)s; /* the state stays as it is */
    bool are_there = crn_is_current(s) && s->model->body_count > 0 && crn_poses_open(own) == CAIRN_OK;
    return are_there ? s->located.frame.pose : NULL;
}

const double *cairn_simulation_positions(const cairn_simulation *s, int *stride)
{
    *stride = POSE_STRIDE;
    const crn_pose *pose = poses_of(s);
    return pose ? pose->x : NULL;
}

const double *cairn_simulation_rotations(const cairn_simulation *s, int *stride)
{
    *stride = POSE_STRIDE;
    const crn_pose *pose = poses_of(s);
    return pose ? pose->R : NULL;
}

/* Whether, for every body b, its six velocities start at 6 b in v. */
static bool is_uniform(const cairn_simulation *s)
{
    const crn_layout *layout = s->layout;
    return s->model->dimension == 3 && (size_t)layout->body_block_count == s->model->body_count &&
           (size_t)layout->block_start[layout->body_block_count] == TWIST * s->model->body_count;
}

static void gather(cairn_simulation *s)
{
    const crn_layout *layout = s->layout;
    int linear = s->model->dimension;
    for (size_t b = 0; b < s->model->body_count; ++b)
    {
        double *to = s->bulk.velocity + TWIST * b;
        int block = layout->body_block[b];
        memset(to, 0, TWIST * sizeof(double));
        if (block < 0)
        {
            crn_drive_of(s, (int)b, to);
            continue;
        }
        const double *v = s->state.v + layout->block_start[block];
        int turning = layout->block_start[block + 1] - layout->block_start[block] - linear;
        assert(turning == 0 || turning == 1 || turning == 3);
        memcpy(to, v, (size_t)linear * sizeof(double));
        memcpy(to + TWIST - turning, v + linear, (size_t)turning * sizeof(double));
    }
}

cairn_status cairn_simulation_velocities(cairn_simulation *s, const double **out, int *stride)
{
    if (!s || !out || !stride)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID, "velocities: the simulation or a place for them is NULL");
    *stride = TWIST;
    cairn_status status = cairn_simulation_update(s);
    status = status ? status : crn_motions_fetch(s);
    *out = status ? NULL : s->state.v;
    if (status)
        return status;
    if (is_uniform(s))
        return CAIRN_OK;
    if (crn_reserve_all(&s->memory, CRN_ARRAY(s->bulk.velocity, TWIST * s->model->body_count)))
    {
        *out = NULL;
        return crn_fail(s->context, CAIRN_NO_MEMORY, "velocities at t = %g: memory ran out", s->state.t);
    }
    if (!s->bulk.fresh)
        gather(s);
    s->bulk.fresh = true;
    *out = s->bulk.velocity;
    return CAIRN_OK;
}

cairn_status cairn_simulation_contacts(cairn_simulation *s, const cairn_contact **out, int *count)
{
    if (!s || !out || !count)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID, "contacts: the simulation or a place for them is NULL");
    cairn_status status = cairn_simulation_update(s);
    status = status ? status : crn_list_contacts(s);
    *out = status ? NULL : s->state.contacts;
    *count = status ? 0 : (int)s->state.contact_count;
    return status;
}

const cairn_event *cairn_simulation_events(const cairn_simulation *s, int *count)
{
    *count = (int)s->state.event_count;
    return s->state.events;
}

/* ------------------------------------------------------------------------------------------------------- writing */

static cairn_status check_state(const cairn_simulation *s, int index, const cairn_body_state *state)
{
    if (!crn_all_finite(state->position, 3) || !crn_all_finite(state->velocity, 3) || !isfinite(state->angle) ||
        !crn_all_finite(state->angular_velocity, 3) || !crn_all_finite(state->orientation, 4))
    {
        return crn_fail(s->context, CAIRN_INVALID, "set body: '%s': the state must be finite numbers",
                        crn_body_name(s->model, index));
    }
    if (s->model->dimension == 3 && !s->model->bodies[index].point && !crn_quaternion_turns(state->orientation))
    {
        return crn_fail(s->context, CAIRN_INVALID, "set body: '%s': the orientation must not be zero",
                        crn_body_name(s->model, index));
    }
    return CAIRN_OK;
}

/* Find the contacts and energies again after bodies were moved by the user. The change of energy is not the work of any
 * force, so the account continues from the new total. */
static cairn_status settle(cairn_simulation *s)
{
    crn_state *state = &s->state;
    s->saved.is_old = true;
    state->mode_count = 0;
    state->pressed_count = 0;
    state->wedged.count = 0;
    cairn_status status = crn_locate(s, s->settings.step);
    state->located_h = status ? 0.0 : state->located_h;
    if (status != CAIRN_OK)
        return status;
    state->total_at_start += crn_recount(s);
    return CAIRN_OK;
}

cairn_status cairn_simulation_set_body(cairn_simulation *s, cairn_body body, const cairn_body_state *state)
{
    if (!s || !state)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID, "set body: the state is NULL");
    CRN_TRY(crn_simulation_enter(s));
    int index = crn_body_index(s->model, body);
    if (index < 0 && body.id != 0)
        return crn_fail_handle(s->model, "set body", body.id, body.model);
    if (index < 0 || s->layout->body_block[index] < 0)
    {
        return crn_fail(s->context, CAIRN_INVALID, "set body: '%s' does not move under forces",
                        crn_body_name(s->model, index));
    }
    if (crn_is_absent(s->layout, index))
        return crn_fail(s->context, CAIRN_INVALID, "set body: '%s' is absent", crn_body_name(s->model, index));
    if (check_state(s, index, state))
        return CAIRN_INVALID;
    CRN_TRY(crn_motions_fetch(s));
    crn_layout_write_body(s->layout, index, state, s->state.q, s->state.v);
    crn_sides_forget(&s->state.sides, index);
    return settle(s);
}

/* Whether a state says that a grain which comes and goes is absent. */
static bool is_sent_away(const cairn_simulation *s, int body, const cairn_body_state *state)
{
    return crn_flow_has(s, body) && isnan(state->position[0]) && isnan(state->position[1]);
}

cairn_status cairn_simulation_set_states(cairn_simulation *s, const cairn_body_state *states, int count)
{
    if (!s || !states)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID, "set states: the simulation or the states are NULL");
    CRN_TRY(crn_simulation_enter(s));
    CRN_TRY(crn_grains_make(s));
    if (count < 0 || (size_t)count != s->model->body_count)
        return crn_fail(s->context, CAIRN_INVALID, "set states: %d states were given, the model has %zu bodies", count,
                        s->model->body_count);
    for (int i = 0; i < count; ++i)
        if (s->layout->body_block[i] >= 0 && !is_sent_away(s, i, &states[i]) && check_state(s, i, &states[i]))
            return CAIRN_INVALID;
    CRN_TRY(crn_motions_fetch(s));
    for (int i = 0; i < count; ++i)
    {
        if (s->layout->body_block[i] < 0)
            continue;
        if (crn_flow_has(s, i))
            crn_flow_set(s, i, is_sent_away(s, i, &states[i]));
        if (!crn_is_absent(s->layout, i))
            crn_layout_write_body(s->layout, i, &states[i], s->state.q, s->state.v);
    }
    s->state.sides.count = 0;
    return settle(s);
}
