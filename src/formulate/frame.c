#include "formulate/frame.h"

#include "base/parallel_ranges.h"
#include "collide/drift.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

cairn_status crn_frame_take_back(crn_frame *frame)
{
    const crn_layout *layout = frame->layout;
    size_t bodies = layout->model->body_count;
    bool turns = layout->drives || layout->model->spring_count > 0 || layout->model->has_references;
    bool planar = layout->model->dimension == 2;
    CRN_TRY(crn_reserve_all(&frame->memory, CRN_ARRAY(frame->pose, bodies)));
    if (turns)
        CRN_TRY(planar ? crn_reserve_all(&frame->memory, CRN_ARRAY(frame->angle, bodies))
                       : crn_reserve_all(&frame->memory, CRN_ARRAY(frame->quaternion, bodies)));
    return layout->drives ? crn_reserve_all(&frame->memory, CRN_ARRAY(frame->drive, bodies)) : CAIRN_OK;
}

void crn_frame_give_back(crn_frame *frame)
{
    crn_arena_release(&frame->memory);
    frame->pose = NULL;
    frame->quaternion = NULL;
    frame->angle = NULL;
    frame->drive = NULL;
}

cairn_status crn_frame_create(const crn_layout *layout, crn_frame *frame)
{
    memset(frame, 0, sizeof *frame);
    frame->layout = layout;
    return crn_frame_take_back(frame);
}

void crn_frame_destroy(crn_frame *frame)
{
    crn_arena_release(&frame->memory);
    memset(frame, 0, sizeof *frame);
}

static void set_pose(crn_frame *frame, int body, const cairn_body_state *state)
{
    memcpy(frame->pose[body].x, state->position, sizeof frame->pose[body].x);
    crn_quaternion_to_matrix(state->orientation, frame->pose[body].R);
    if (frame->quaternion)
        memcpy(frame->quaternion[body], state->orientation, sizeof frame->quaternion[body]);
    if (frame->angle)
        frame->angle[body] = state->angle;
}

/* Velocity that carries pose(t), the start, to pose(t + h) exactly: differences of positions and planar angles, and in space the
 * rotation vector of conj(q(t)) q(t + h), all divided by h. */
static void find_drive(const cairn_model *model, int body, const cairn_body_state *start, double t, double h,
                       double drive[6])
{
    memset(drive, 0, 6 * sizeof *drive);
    if (!(h > 0))
        return;
    cairn_body_state end;
    crn_model_pose_at(model, body, t + h, &end);
    for (int k = 0; k < 3; ++k)
        drive[k] = (end.position[k] - start->position[k]) / h;
    if (model->dimension == 2)
    {
        drive[5] = (end.angle - start->angle) / h;
        return;
    }
    double back[4], turn[4], phi[3];
    crn_quaternion_conjugate(start->orientation, back);
    crn_quaternion_multiply(back, end.orientation, turn);
    crn_quaternion_log(turn, phi);
    for (int k = 0; k < 3; ++k)
        drive[3 + k] = phi[k] / h;
}

void crn_frame_find_drive(const crn_frame *frame, int body, double drive[6])
{
    const cairn_model *model = frame->layout->model;
    cairn_body_state start;
    crn_model_pose_at(model, body, frame->t, &start);
    if (frame->side != 0)
        crn_model_velocity_at(model, body, frame->t, frame->side, drive);
    else
        find_drive(model, body, &start, frame->t, frame->h, drive);
}

/* Set the pose of a dynamic body from its coordinates. */
static void place_body(crn_frame *frame, const crn_layout *layout, int block, const double *q)
{
    const cairn_model *model = layout->model;
    int body = layout->block_body[block];
    if (layout->q_start[block + 1] - layout->q_start[block] == 7)
    {
        memcpy(frame->pose[body].x, q, sizeof frame->pose[body].x);
        if (frame->quaternion)
            memcpy(frame->quaternion[body], q + 3, sizeof frame->quaternion[body]);
        crn_quaternion_to_matrix(q + 3, frame->pose[body].R);
        return;
    }
    cairn_body_state state = crn_initial_of(&model->bodies[body]);
    memcpy(state.position, q, (size_t)model->dimension * sizeof(double));
    if (!model->bodies[body].point)
    {
        state.angle = q[2];
        crn_quaternion_exp((double[3]){0, 0, q[2]}, state.orientation);
    }
    set_pose(frame, body, &state);
}

typedef struct placing
{
    crn_frame *frame;
    const crn_layout *layout;
    const double *q;
} placing;

static void place_part(void *data, int part)
{
    const placing *all = data;
    const crn_layout *layout = all->layout;
    size_t blocks = (size_t)layout->body_block_count, end = crn_part(blocks, layout->parts, part + 1);
    for (size_t k = crn_part(blocks, layout->parts, part); k < end; ++k)
        place_body(all->frame, layout, (int)k, all->q + layout->q_start[k]);
}

void crn_frame_update(crn_frame *frame, const crn_layout *layout, const double *q, double t, double h)
{
    placing all = {frame, layout, q};
    if (frame->pose)
        crn_in_parts(layout->parts, place_part, &all);
    crn_frame_prescribe(frame, layout, t, h);
}

void crn_frame_prescribe(crn_frame *frame, const crn_layout *layout, double t, double h)
{
    assert(h >= 0);
    assert(isfinite(t));
    const cairn_model *model = layout->model;
    frame->t = t;
    frame->h = h;
    frame->side = 0;
    frame->any_driven = layout->drives;
    for (int b = 0; frame->pose && b < (int)model->body_count; ++b)
    {
        if (layout->body_block[b] >= 0)
            continue;
        cairn_body_state state;
        crn_model_pose_at(model, b, t, &state);
        set_pose(frame, b, &state);
        if (model->bodies[b].kind == CAIRN_DRIVEN)
            find_drive(model, b, &state, t, h, frame->drive[b]);
    }
}

/* side: 1 just after the frame's time, -1 just before it. */
static void drive_at(crn_frame *frame, const crn_layout *layout, int side)
{
    const cairn_model *model = layout->model;
    frame->h = 0;
    frame->side = side;
    for (int b = 0; frame->drive && b < (int)model->body_count; ++b)
        if (model->bodies[b].kind == CAIRN_DRIVEN)
            crn_model_velocity_at(model, b, frame->t, side, frame->drive[b]);
}

void crn_frame_drive_now(crn_frame *frame, const crn_layout *layout)
{
    drive_at(frame, layout, 1);
}

void crn_frame_drive_before(crn_frame *frame, const crn_layout *layout)
{
    drive_at(frame, layout, -1);
}

void crn_frame_point(const crn_frame *frame, const crn_attachment *attachment, double out[3])
{
    crn_attachment_at(attachment, frame->pose, out);
}

void crn_gradient_point(const crn_frame *frame, crn_gradient *gradient, int side, int body, const double at[3],
                        const double direction[3], double sign)
{
    assert(side == 0 || side == 1);
    assert(sign == 1 || sign == -1);
    crn_gradient_of_point(body < 0 ? NULL : &frame->pose[body], gradient, side, body, at, direction, sign);
}

int crn_pack(const cairn_model *model, int body, const double g[6], double *row)
{
    assert(body >= 0 && (size_t)body < model->body_count);
    bool point = model->bodies[body].point;
    row[0] = g[0];
    row[1] = g[1];
    if (model->dimension == 2)
    {
        if (!point)
            row[2] = g[5];
        return point ? 2 : 3;
    }
    row[2] = g[2];
    if (!point)
        memcpy(row + 3, g + 3, 3 * sizeof(double));
    return point ? 3 : 6;
}

/* g . v of one body. */
static double side_rate(const crn_layout *layout, int body, const double g[6], const double *v)
{
    double row[6], rate = 0;
    int dofs = crn_pack(layout->model, body, g, row);
    const double *vb = v + layout->block_start[layout->body_block[body]];
    for (int k = 0; k < dofs; ++k)
        rate += row[k] * vb[k];
    return rate;
}

double crn_gradient_rate(const crn_layout *layout, const crn_gradient *gradient, const double *v)
{
    double rate = 0;
    for (int side = 0; side < 2; ++side)
    {
        int body = gradient->body[side];
        if (body < 0 || layout->body_block[body] < 0)
            continue;
        double row[6];
        int dofs = crn_pack(layout->model, body, gradient->g[side], row);
        const double *vb = v + layout->block_start[layout->body_block[body]];
        for (int k = 0; k < dofs; ++k)
            rate += row[k] * vb[k];
    }
    return rate;
}

double crn_gradient_drive(const crn_frame *frame, const crn_gradient *gradient)
{
    double rate = 0;
    for (int side = 0; frame->drive && side < 2; ++side)
    {
        int body = gradient->body[side];
        for (int k = 0; body >= 0 && k < 6; ++k)
            rate += gradient->g[side][k] * frame->drive[body][k];
    }
    return rate;
}

double crn_contact_drive(const crn_frame *frame, const crn_contact *contact, const double direction[3],
                         const crn_gradient *gradient)
{
    double drift[3], drive = crn_gradient_drive(frame, gradient);
    return crn_contact_drift(frame->layout->model, frame->pose, contact, drift) ? drive + crn_dot3(drift, direction)
                                                                                : drive;
}

double crn_row_rate(const crn_layout *layout, const crn_joint_rows *rows, int i, const double *v)
{
    double rate = crn_gradient_rate(layout, &rows->gradient[i], v);
    for (int k = 2; k < rows->sides; ++k)
        if (layout->body_block[rows->side[k].body] >= 0)
            rate += rows->sign[i] * side_rate(layout, rows->side[k].body, rows->side[k].g, v);
    return rate;
}

double crn_row_drive(const crn_frame *frame, const crn_joint_rows *rows, int i)
{
    double rate = crn_gradient_drive(frame, &rows->gradient[i]);
    for (int k = 12; frame->drive && k < 6 * rows->sides; ++k)
        rate += rows->sign[i] * rows->side[k / 6].g[k % 6] * frame->drive[rows->side[k / 6].body][k % 6];
    return rate;
}
