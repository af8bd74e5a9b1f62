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
#include "step/account/ends.h"

/* The velocity of a point of a body's frame, in the world. */
static void point_velocity(const cairn_body_state *state, const double point[3], double out[3])
{
    double R[9], spin[3];
    crn_quaternion_to_matrix(state->orientation, R);
    crn_cross3(state->angular_velocity, point, spin);
    crn_rotate3(R, spin, out);
    crn_add3(out, state->velocity, out);
}

static void mean_acceleration(const cairn_simulation *s, const crn_ends *e, const double point[3], double out[3])
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
    crn_ends e;
    if (crn_step_ends(s, crn_body_index(s->model, q->body), &e))
        mean_acceleration(s, &e, (double[3]){0}, out);
}

void crn_read_accelerometer(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                            double out[3])
{
    (void)row;
    crn_ends e;
    double a[3] = {0};
    if (!crn_step_ends(s, crn_body_index(s->model, q->body), &e))
        return;
    mean_acceleration(s, &e, q->point, a);
    crn_sub3(a, s->state.gravity, a);
    crn_unrotate3(crn_step_middle(&e).R, a, out);
}
