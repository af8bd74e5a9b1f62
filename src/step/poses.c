/* Poses at the state.
 *
 * The processor's steps need those of all bodies. Where ranks take the steps, process 0 needs few of them, and those follow from the state: 96 bytes per body are
 * there only while contacts are looked for, and from when somebody has asked for all of them to the next step. Where some are driven, so are 80 more that say how.
 */
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Joints and springs are read from the frame. */
static bool are_kept(const cairn_simulation *s)
{
    const cairn_model *model = s->model;
    return !crn_device_is_shared(s) || model->joint_count > 0 || model->spring_count > 0 || model->has_references;
}

cairn_status crn_poses_open(cairn_simulation *s)
{
    crn_frame *frame = &s->located.frame;
    if (frame->pose)
        return CAIRN_OK;
    CRN_TRY(crn_motions_fetch(s));
    CRN_TRY(crn_frame_take_back(frame));
    crn_frame_update(frame, s->layout, s->state.q, frame->t, frame->h);
    return CAIRN_OK;
}

void crn_poses_release(cairn_simulation *s)
{
    if (!are_kept(s))
        crn_frame_give_back(&s->located.frame);
}

/* What is read of motions that could not be fetched. */
static const double NOWHERE[7] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};

crn_pose crn_pose_of(const cairn_simulation *s, int body)
{
    const crn_frame *frame = &s->located.frame;
    cairn_body_state state;
    crn_pose pose;
    if (frame->pose)
        return frame->pose[body];
    bool is_grain = s->grains.count > 0 && body >= s->grains.first;
    if (is_grain || s->layout->body_block[body] >= 0)
        state = cairn_simulation_body(s, crn_body_handle(s->model, body));
    else
        crn_model_pose_at(s->model, body, frame->t, &state);
    memcpy(pose.x, state.position, sizeof pose.x);
    crn_quaternion_to_matrix(state.orientation, pose.R);
    return pose;
}

const double *crn_place_of(const cairn_simulation *s, int body)
{
    const crn_frame *frame = &s->located.frame;
    assert(s->layout->body_block[body] >= 0);
    if (frame->pose)
        return frame->pose[body].x;
    return crn_motions_fetch(s) ? NOWHERE : s->state.q + s->layout->q_start[s->layout->body_block[body]];
}

const double *crn_rates_of(const cairn_simulation *s, int body)
{
    assert(s->layout->body_block[body] >= 0);
    return crn_motions_fetch(s) ? NOWHERE : s->state.v + s->layout->block_start[s->layout->body_block[body]];
}

void crn_drive_of(const cairn_simulation *s, int body, double drive[6])
{
    const crn_frame *frame = &s->located.frame;
    bool is_driven = s->model->bodies[body].kind == CAIRN_DRIVEN;
    if (is_driven && !frame->drive)
        crn_frame_find_drive(frame, body, drive);
    else
        memcpy(drive, crn_frame_drive(frame, body), 6 * sizeof *drive);
}
