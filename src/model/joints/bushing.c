/* `bushing`: b is held to a by a full stiffness matrix K and a full damping matrix C; its rest is the initial pose.
 *
 *     force and moment = -K u - C du/dt,     u = (d, phi),
 *
 *     d_k   = a_k . (x_b - x_a) - (the same at the start)      along the axes of a's frame, in the plane two of them
 *     phi   = the rotation vector of b against a, A'B = exp(phi), along the same axes; in the plane the angle
 *
 * bushing_matrix.c finds rows y = B u in which K and C are diagonal. Each is an equation of the joint with a spring and a damper in
 * its place, which formulate/compliance.c takes implicitly at any size.
 *
 * The rate of phi follows from that of b against a, w = A'(w_b - w_a) (the inverse left Jacobian of the rotation group):
 *
 *     dphi/dt = w - phi x w/2 + q phi x (phi x w),     q = (1 - (|phi|/2) cot(|phi|/2)) / |phi|^2 .
 *
 * It is regular for less than a full turn, but phi itself jumps at half a turn.
 */
#include "model/joints/bushing.h"

#include "math/vec.h"
#include "model/joints/joint_class.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set_axes(const crn_pose pose[2], int dimension, crn_joint *joint)
{
    for (int k = 0; dimension == 3 && k < 3; ++k)
    {
        const double unit[3] = {k == 0, k == 1, k == 2};
        double world[3];
        memcpy(joint->axis[0][k], unit, sizeof unit);
        crn_rotate3(pose[0].R, unit, world);
        crn_unrotate3(pose[1].R, world, joint->axis[1][k]);
    }
}

/* The index of the joint's axis along which entry k of d is. */
static int axis_of(int dimension, int k)
{
    return dimension == 2 ? k + 1 : k;
}

static cairn_status prepare(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    crn_pose pose[2];
    crn_joint_place start;
    if (options->stiffness != 0 || options->damping != 0 || options->angular_stiffness != 0 ||
        options->angular_damping != 0)
        return crn_fail(model->context, CAIRN_INVALID,
                        "joint '%s': a bushing has a stiffness_matrix and a damping_matrix, and no numbers in their "
                        "place",
                        joint->name);
    joint->bushing = calloc(1, sizeof *joint->bushing);
    if (!joint->bushing)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "joint '%s': memory ran out", joint->name);
    CRN_TRY(crn_bushing_set(model, options, joint));
    crn_joint_at_start(model, joint, pose, &start);
    set_axes(pose, model->dimension, joint);
    for (int k = 0; k < model->dimension; ++k)
        joint->bushing->rest[k] = crn_joint_coordinate(joint, model->dimension, &start, k, NULL);
    return CAIRN_OK;
}

/* (1 - (x/2) cot(x/2)) / x^2 */
static double curvature(double x)
{
    return x < 1e-3 ? 1.0 / 12 + x * x / 720 : (1 - 0.5 * x / tan(0.5 * x)) / (x * x);
}

/* phi, along a's axes in the world. */
static void rotation(const crn_joint *joint, const crn_joint_place *place, double phi[3])
{
    double axis[2][3][3], half[3] = {0}, trace = 0;
    for (int i = 0; i < 6; ++i)
        crn_joint_direction(place, i / 3, joint->axis[i / 3][i % 3], axis[i / 3][i % 3]);
    for (int k = 0; k < 3; ++k) /* sum of a_k x b_k: twice the sine of the turn, along its axis */
    {
        double cross[3];
        crn_cross3(axis[0][k], axis[1][k], cross);
        crn_madd3(half, 0.5, cross, half);
        trace += crn_dot3(axis[0][k], axis[1][k]);
    }
    double sine = crn_norm3(half), angle = atan2(sine, 0.5 * (trace - 1));
    crn_scale3(sine > 0 ? angle / sine : 1.0, half, phi);
}

/* v = x + f phi x x + q phi x (phi x x) */
static void along_turn(const double phi[3], double f, const double x[3], double v[3])
{
    double once[3], twice[3];
    crn_cross3(phi, x, once);
    crn_cross3(phi, once, twice);
    crn_madd3(x, f, once, v);
    crn_madd3(v, curvature(crn_norm3(phi)), twice, v);
}

/* A row of B as a direction of the world, of d and of phi. */
static void directions(const crn_joint *joint, int dimension, const crn_joint_place *place, int row, double of_d[3],
                       double of_phi[3])
{
    const double *B = joint->bushing->B[row];
    double axis[3];
    memset(of_d, 0, sizeof(double[3]));
    memset(of_phi, 0, sizeof(double[3]));
    for (int k = 0; k < 3; ++k)
    {
        crn_joint_direction(place, 0, joint->axis[0][k], axis);
        if (dimension == 3)
        {
            crn_madd3(of_d, B[k], axis, of_d);
            crn_madd3(of_phi, B[3 + k], axis, of_phi);
        }
        else
            crn_madd3(k > 0 ? of_d : of_phi, B[k > 0 ? k - 1 : 2], axis, k > 0 ? of_d : of_phi);
    }
}

static void evaluate(const crn_joint *joint, int dimension, const crn_joint_place *place, crn_joint_rows *rows)
{
    assert(rows->equations <= CRN_BUSHING_SIZE);
    const crn_bushing *bushing = joint->bushing;
    double d[3] = {0}, phi[3], of_d[3], of_phi[3];
    for (int k = 0; k < dimension; ++k)
    {
        double axis[3], now[3];
        crn_joint_direction(place, 0, joint->axis[0][axis_of(dimension, k)], axis);
        crn_sub3(place->x[1], place->x[0], now);
        crn_madd3(d, crn_dot3(axis, now) - bushing->rest[k], axis, d);
    }
    rotation(joint, place, phi);
    if (dimension == 2)
        phi[2] = crn_joint_coordinate(joint, dimension, place, 2, NULL);
    for (int i = 0; i < rows->equations; ++i)
    {
        crn_gradient *g = &rows->gradient[i];
        double t[3], local[3];
        directions(joint, dimension, place, i, of_d, of_phi);
        rows->theta[i] = crn_dot3(of_d, d) + crn_dot3(of_phi, phi);
        along_turn(phi, 0.5, of_phi, t);
        crn_gradient_of_point(place->pose[0], g, 0, joint->a.body, place->x[1], of_d, -1.0);
        crn_gradient_of_point(place->pose[1], g, 1, joint->b.body, place->x[1], of_d, 1.0);
        for (int side = 0; side < 2; ++side)
            if (place->pose[side])
            {
                crn_unrotate3(place->pose[side]->R, t, local);
                crn_madd3(g->g[side] + 3, side == 0 ? -1.0 : 1.0, local, g->g[side] + 3);
            }
    }
}

/* The impulse on b acts at its point, and that on a there too. The moment m on b does the work of the one along phi: at the rate
 * w of b against a, m . w = f . dphi/dt. So m = J'f, whose three parts are found one by one from unit rates. */
static void act(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                crn_joint_action *action)
{
    double force[3] = {0}, f[3] = {0}, phi[3], arm[3], lever[3];
    for (int i = 0; i < joint->own_rows; ++i)
    {
        double of_d[3], of_phi[3];
        directions(joint, dimension, place, i, of_d, of_phi);
        crn_madd3(force, c[i], of_d, force);
        crn_madd3(f, c[i], of_phi, f);
        action->strain += fabs(c[i]);
    }
    rotation(joint, place, phi);
    for (int k = 0; k < 3; ++k)
    {
        const double unit[3] = {k == 0, k == 1, k == 2};
        double rate[3];
        along_turn(phi, -0.5, unit, rate);
        double m = dimension == 2 ? f[k] : crn_dot3(f, rate);
        action->moment[1][k] += m;
        action->moment[0][k] -= m;
    }
    crn_add3(action->impulse[1], force, action->impulse[1]);
    crn_sub3(action->impulse[0], force, action->impulse[0]);
    crn_sub3(place->x[1], place->x[0], arm);
    crn_cross3(arm, force, lever);
    crn_sub3(action->moment[0], lever, action->moment[0]);
}

const crn_joint_class crn_bushing_joint = {
    .name = "bushing",
    .equations = {3, 6},
    .angular = {1, 3},
    .coordinate = {{{.name = "x", .kind = CRN_SLIDE, .k = 1},
                    {.name = "y", .kind = CRN_SLIDE, .k = 2},
                    {.name = "angle", .kind = CRN_TURN}},
                   {{.name = "x", .kind = CRN_SLIDE, .k = 0},
                    {.name = "y", .kind = CRN_SLIDE, .k = 1},
                    {.name = "z", .kind = CRN_SLIDE, .k = 2}}},
    .fields = CRN_JOINT_MATRICES,
    .is_pin = true,
    .prepare = prepare,
    .evaluate = evaluate,
    .act = act,
};
