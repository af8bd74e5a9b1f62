/* The force is evaluated at the end of the step, as if only this force and gravity acted on the body:
 *
 *     F = -k (x + h u+ - x_target) - c u+ ,     u+ = v+ + w+ x a ,     m (v+ - v) = h (m g + F) ,
 *     I (w+ - w) = h (a x F - d I w+) ,         d = c/m ,
 *
 * where x and u are the position and velocity of the point and a is its arm about the centre of mass. The drag also damps the
 * body's spin, at the rate d. With s = 1/(1 + h d), the remaining share of its angular velocity, this gives
 *
 *     (1 + h (c + h k) W) F = -k (x - x_target) - (c + h k) (v + s w x a + h g) ,     W = 1/m - s [a]x R I^-1 R' [a]x ,
 *
 * For a free body this is the implicit Euler method, which is stable for every h, k, c and mass (in each stage of stiff2,
 * from the stage's base). Joints and contacts only make the body effectively heavier, for which F is on the safe side. All
 * integrators treat the force and moment as an external force.
 */
#include "formulate/drag_spring.h"
#include "math/vec.h"

#include <assert.h>

/* A x = b by Cramer's rule; A has the columns a, b, c. */
static void solve33(const double A[9], const double b[3], double x[3])
{
    double column[3][3], cross[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            column[j][i] = A[3 * i + j];
    for (int j = 0; j < 3; ++j)
        crn_cross3(column[(j + 1) % 3], column[(j + 2) % 3], cross[j]);
    double determinant = crn_dot3(column[0], cross[0]);
    for (int j = 0; j < 3; ++j)
        x[j] = crn_dot3(b, cross[j]) / determinant;
}

/* The change of velocity of the point at the arm, per second, due to a unit force at it along each axis. */
static void mobility(const crn_layout *layout, int body, const double R[9], const double arm[3], double share,
                     double W[9])
{
    assert(layout->mass[body] > 0);
    assert(share > 0 && share <= 1);
    int block = layout->body_block[body];
    int dofs = layout->block_start[block + 1] - layout->block_start[block];
    for (int j = 0; j < 3; ++j)
    {
        double e[3] = {j == 0, j == 1, j == 2}, moment[3], turn[3] = {0}, rate[3];
        crn_cross3(arm, e, moment);
        crn_unrotate3(R, moment, moment);
        if (dofs == 6)
            solve33(crn_inertia_of(&layout->inertia, body).m, moment, turn);
        else if (layout->model->dimension == 2 && dofs == 3)
            turn[2] = moment[2] / crn_inertia_about_z(&layout->inertia, body);
        crn_rotate3(R, turn, turn);
        crn_cross3(turn, arm, rate);
        for (int i = 0; i < 3; ++i)
            W[3 * i + j] = share * rate[i] + (i == j ? 1.0 / layout->mass[body] : 0.0);
    }
}

/* The velocity of the body's point at the arm, with its angular velocity reduced to `share` of its value. */
static void point_velocity(const cairn_body_state *state, const double R[9], const double arm[3], double share,
                           double out[3])
{
    double turn[3];
    crn_rotate3(R, state->angular_velocity, turn);
    crn_cross3(turn, arm, out);
    crn_madd3(state->velocity, share, out, out);
}

void crn_drag_spring_force(const crn_drag_spring *pull, const crn_input *in, double out[6])
{
    assert(pull->body >= 0 && (size_t)pull->body < in->layout->model->body_count);
    assert(in->layout->body_block[pull->body] >= 0);
    assert(pull->stiffness >= 0);
    assert(pull->damping >= 0);
    const crn_layout *layout = in->layout;
    const crn_pose *pose = &(in->frame_start ? in->frame_start : in->frame)->pose[pull->body];
    const double *R = pose->R;
    double d = pull->damping / layout->mass[pull->body], share = 1.0 / (1.0 + in->h * d);
    double arm[3], u[3], ahead[3] = {0}, x[3], W[9], right[3], moment[3], L[3];
    cairn_body_state state;
    crn_rotate3(R, pull->point, arm);
    crn_add3(pose->x, arm, x);
    if (in->ahead)
    {
        crn_layout_read_body(layout, pull->body, in->q, in->ahead, &state);
        point_velocity(&state, R, arm, 1.0, ahead);
    }
    crn_layout_read_body(layout, pull->body, in->q, in->v, &state);
    point_velocity(&state, R, arm, share, u);
    mobility(layout, pull->body, R, arm, share, W);
    double drag = pull->damping + in->h * pull->stiffness;
    for (int i = 0; i < 3; ++i)
    {
        double off = x[i] - in->h * ahead[i] - pull->target[i];
        right[i] = -pull->stiffness * off - drag * (u[i] + in->h * in->gravity[i]);
        for (int j = 0; j < 3; ++j)
            W[3 * i + j] = in->h * drag * W[3 * i + j] + (i == j ? 1.0 : 0.0);
    }
    solve33(W, right, out);
    crn_cross3(arm, out, moment);
    crn_unrotate3(R, moment, moment);
    crn_rotate3(crn_inertia_of(&layout->inertia, pull->body).m, state.angular_velocity, L);
    for (int i = 0; i < 3; ++i)
        out[3 + i] = share * (moment[i] - d * L[i]);
}
