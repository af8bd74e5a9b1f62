/* Prescribed motion of driven bodies: poses, velocities, and the times at which velocities jump.
 *
 * The orientation of a body in space is q0 exp(theta(t) a), where a is its axis in the body's own frame, so its angular
 * velocity in that frame is theta' a. A callback gives poses only. Its velocities are central differences
 *
 *     D(d) = (x(t + d) - x(t - d)) / (2 d) ,     in space with the rotation vector of conj(q(t - d)) q(t + d) ,
 *
 * whose error is a series in d^2, extrapolated to d = 0 (math/ridders.h).
 */
#include "math/ridders.h"
#include "math/vec.h"
#include "model/joints/coupling.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void crn_model_pose_at(const cairn_model *model, int index, double t, cairn_body_state *pose)
{
    assert(index >= 0 && (size_t)index < model->body_count);
    const crn_body *body = &model->bodies[index];
    *pose = crn_initial_of(body);
    if (body->kind != CAIRN_DRIVEN)
        return;
    const crn_driven_motion *motion = body->traits->motion;
    if (motion->callback)
        motion->callback(motion->data, t, pose);
    for (int k = 0; k < model->dimension; ++k)
        if (motion->position[k])
            pose->position[k] = crn_expression_evaluate(motion->position[k], &t);
    double turn = motion->angle ? crn_expression_evaluate(motion->angle, &t) : 0.0;
    if (model->dimension == 2)
    {
        pose->angle = motion->angle ? turn : pose->angle;
        crn_quaternion_exp((double[3]){0, 0, pose->angle}, pose->orientation);
        return;
    }
    double phi[3] = {turn * motion->axis[0], turn * motion->axis[1], turn * motion->axis[2]};
    double spin[4];
    crn_quaternion_exp(phi, spin);
    crn_quaternion_multiply(pose->orientation, spin, pose->orientation);
    crn_quaternion_normalise(pose->orientation);
}

/* D(d) of a callback's motion. */
static void difference(const cairn_model *model, int body, double t, double d, double out[6])
{
    assert(d > 0.0);
    cairn_body_state before, after;
    crn_model_pose_at(model, body, t - d, &before);
    crn_model_pose_at(model, body, t + d, &after);
    double back[4], turn[4], phi[3] = {0, 0, after.angle - before.angle};
    if (model->dimension == 3)
    {
        crn_quaternion_conjugate(before.orientation, back);
        crn_quaternion_multiply(back, after.orientation, turn);
        crn_quaternion_log(turn, phi);
    }
    for (int k = 0; k < 3; ++k)
    {
        out[k] = (after.position[k] - before.position[k]) / (2 * d);
        out[3 + k] = phi[k] / (2 * d);
    }
}

static void velocity_of_callback(const cairn_model *model, int body, double t, double twist[6])
{
    double all[6][CRN_RIDDERS];
    for (int i = 0; i < CRN_RIDDERS; ++i)
    {
        double once[6];
        difference(model, body, t, crn_ridders_step(i), once);
        for (int k = 0; k < 6; ++k)
            all[k][i] = once[k];
    }
    for (int k = 0; k < 6; ++k)
        twist[k] = crn_ridders(all[k]);
}

void crn_model_velocity_at(const cairn_model *model, int index, double t, int side, double twist[6])
{
    assert(side == 1 || side == -1);
    assert(index >= 0 && (size_t)index < model->body_count);
    const crn_body *body = &model->bodies[index];
    memset(twist, 0, 6 * sizeof(double));
    if (body->kind != CAIRN_DRIVEN)
        return;
    const crn_driven_motion *motion = body->traits->motion;
    if (motion->callback)
        velocity_of_callback(model, index, t, twist);
    for (int k = 0; k < model->dimension; ++k)
        if (motion->position[k])
            twist[k] = crn_expression_rate(motion->position[k], t, side).rate;
    double rate = motion->angle ? crn_expression_rate(motion->angle, t, side).rate : 0.0;
    if (motion->angle && model->dimension == 2)
        twist[5] = rate;
    for (int k = 0; k < 3 && motion->angle && model->dimension == 3; ++k)
        twist[3 + k] = rate * motion->axis[k];
}

double crn_model_next_kink(const cairn_model *model, double t0, double t1)
{
    assert(t0 <= t1);
    double first = INFINITY;
    for (size_t b = 0; b < model->body_count; ++b)
    {
        const crn_driven_motion *motion = model->bodies[b].traits->motion;
        for (int k = 0; motion && k < 4; ++k)
        {
            const crn_expression *along = k < 3 ? motion->position[k] : motion->angle;
            first = along ? fmin(first, crn_expression_next_kink(along, t0, t1)) : first;
        }
    }
    for (size_t j = 0; model->has_elements && j < model->joint_count; ++j)
    {
        if (model->joints[j].coupling)
            first = fmin(first, crn_signal_next_kink(&model->joints[j].coupling->hold.target, t0, t1));
        for (int i = 0; i < model->joints[j].element_count; ++i)
            first = fmin(first, crn_signal_next_kink(&model->joints[j].element[i].target, t0, t1));
    }
    return first;
}
