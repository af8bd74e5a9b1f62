/* Accelerations of bodies and of their points, as means over the last step.
 *
 * With the velocities u of a point at both ends of a step of length h, the mean acceleration is (u+ - u)/h: impacts within the
 * step are part of it, as a spike of height J/(m h). An accelerometer shows the specific force in the frame of its body,
 *
 *     f = R'(t + h/2) ((u+ - u)/h - g) ,
 *
 * where R(t + h/2) is the orientation half way between those at the ends. Mean and middle differ by O(h^2) on smooth motions; the
 * orientation at an end of the step would leave O(h).
 */
#include "math/vec.h"
#include "model/handles.h"
#include "quantity/table.h"

#include <assert.h>
#include <string.h>

/* The states of a body at both ends of the last step. */
typedef struct ends
{
    cairn_body_state before, after;
} ends;

/* The state of a body whose motion is prescribed, just after (side 1) or just before (side -1) a time. */
static void prescribed(const cairn_simulation *s, int body, double t, int side, cairn_body_state *out)
{
    double twist[6];
    crn_model_pose_at(s->model, body, t, out);
    crn_model_velocity_at(s->model, body, t, side, twist);
    memcpy(out->velocity, twist, sizeof out->velocity);
    memcpy(out->angular_velocity, twist + 3, sizeof out->angular_velocity);
}

/* False when no step was taken, or when bodies were moved by hand since. */
static bool find_ends(const cairn_simulation *s, cairn_body handle, ends *out)
{
    int body = crn_body_index(s->model, handle);
    assert(body >= 0);
    *out = (ends){.after = cairn_simulation_body(s, handle)};
    out->before = out->after;
    if (s->stage_count == 0 || s->saved.is_old)
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

/* The velocity of a point of a body's frame, in the world. */
static void point_velocity(const cairn_body_state *state, const double point[3], double out[3])
{
    double R[9], spin[3];
    crn_quaternion_to_matrix(state->orientation, R);
    crn_cross3(state->angular_velocity, point, spin);
    crn_rotate3(R, spin, out);
    crn_add3(out, state->velocity, out);
}

/* The orientation half way between two: the first, turned by half of what leads to the second. */
static void middle(const cairn_body_state *a, const cairn_body_state *b, double R[9])
{
    double back[4], turn[4], half[3], q[4];
    crn_quaternion_conjugate(a->orientation, back);
    crn_quaternion_multiply(back, b->orientation, turn);
    crn_quaternion_log(turn, half);
    crn_scale3(0.5, half, half);
    crn_quaternion_exp(half, turn);
    crn_quaternion_multiply(a->orientation, turn, q);
    crn_quaternion_to_matrix(q, R);
}

static void mean_acceleration(const cairn_simulation *s, const ends *e, const double point[3], double out[3])
{
    double u[3];
    point_velocity(&e->after, point, out);
    point_velocity(&e->before, point, u);
    crn_sub3(out, u, out);
    crn_scale3(1.0 / s->state.h_base, out, out);
}

void crn_read_acceleration(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                           double out[3])
{
    (void)row;
    ends e;
    if (find_ends(s, q->body, &e))
        mean_acceleration(s, &e, (double[3]){0}, out);
}

void crn_read_accelerometer(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                            double out[3])
{
    (void)row;
    ends e;
    double a[3] = {0}, R[9];
    if (!find_ends(s, q->body, &e))
        return;
    mean_acceleration(s, &e, q->point, a);
    crn_sub3(a, s->state.gravity, a);
    middle(&e.before, &e.after, R);
    crn_unrotate3(R, a, out);
}
