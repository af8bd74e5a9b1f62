#include "step/account/ends.h"
#include "math/vec.h"
#include "model/handles.h"

#include <assert.h>
#include <string.h>

/* The state of a body whose motion is prescribed, just after (side 1) or just before (side -1) a time. */
static void prescribed(const cairn_simulation *s, int body, double t, int side, cairn_body_state *out)
{
    double twist[6];
    crn_model_pose_at(s->model, body, t, out);
    crn_model_velocity_at(s->model, body, t, side, twist);
    memcpy(out->velocity, twist, sizeof out->velocity);
    memcpy(out->angular_velocity, twist + 3, sizeof out->angular_velocity);
}

bool crn_step_ends(const cairn_simulation *s, int body, crn_ends *out)
{
    assert(body >= 0 && (size_t)body < s->model->body_count);
    out->before = out->after = cairn_simulation_body(s, crn_body_handle(s->model, body));
    if (!s->saved.is_there || s->saved.is_old)
        return false;
    if (s->layout->body_block[body] >= 0)
    {
        crn_layout_read_body(s->layout, body, s->saved.q, s->saved.v, &out->before);
        return true;
    }
    prescribed(s, body, s->saved.t, 1, &out->before);
    prescribed(s, body, s->state.t, -1, &out->after);
    return true;
}

crn_pose crn_step_middle(const crn_ends *ends)
{
    crn_pose middle;
    double back[4], turn[4], half[3], q[4];
    crn_quaternion_conjugate(ends->before.orientation, back);
    crn_quaternion_multiply(back, ends->after.orientation, turn);
    crn_quaternion_log(turn, half);
    crn_scale3(0.5, half, half);
    crn_quaternion_exp(half, turn);
    crn_quaternion_multiply(ends->before.orientation, turn, q);
    crn_quaternion_to_matrix(q, middle.R);
    for (int k = 0; k < 3; ++k)
        middle.x[k] = 0.5 * (ends->before.position[k] + ends->after.position[k]);
    return middle;
}
