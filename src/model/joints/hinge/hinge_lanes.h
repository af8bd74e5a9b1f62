/* Four hinges (hinge.h) at a time, one per lane: where their points and axes are in the world. */
#ifndef CRN_MODEL_JOINTS_HINGE_LANES_H
#define CRN_MODEL_JOINTS_HINGE_LANES_H

#include "math/lanes.h"
#include "model/joints/hinge/hinge.h"

typedef struct crn_hinge_lanes
{
    lanes R[2][9];      /* rotations of the bodies; of the world the identity */
    lanes x[2][3];      /* the points */
    lanes arm[2][3];    /* from the origins of the bodies to the points */
    lanes a_0[3];       /* the axis, on a, */
    lanes b[2][3];      /* and b_1 and b_2, which are across it */
    lanes across[2][3]; /* a_0 x b_1 and a_0 x b_2 */
} crn_hinge_lanes;

/* A number of four joints. */
#define CRN_OF_FOUR(joint, member) ((lanes){(joint)[0].member, (joint)[1].member, (joint)[2].member, (joint)[3].member})

INLINE void crn_lanes_rotate(const lanes R[9], const lanes x[3], lanes out[3])
{
    UNROLL
    for (int k = 0; k < 3; ++k)
        out[k] = R[3 * k] * x[0] + R[3 * k + 1] * x[1] + R[3 * k + 2] * x[2];
}

/* Twelve numbers of each of four poses: an origin and a rotation. */
INLINE void crn_pose_lanes_load(const crn_pose *const pose[LANES], lanes out[12])
{
    static_assert(sizeof(crn_pose) == 12 * sizeof(double), "a pose is read as three rows of four numbers");
    UNROLL
    for (int row = 0; row < 3; ++row)
    {
        UNROLL
        for (int l = 0; l < LANES; ++l)
            out[LANES * row + l] = *(const loose_lanes *)((const double *)pose[l] + LANES * row);
        lanes_transpose(out + LANES * row);
    }
}

INLINE void crn_hinge_lanes_place(const crn_joint joint[LANES], const crn_pose *pose, int side, crn_hinge_lanes *out)
{
    static const crn_pose WORLD = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const crn_pose *of[LANES];
    lanes numbers[12], point[3];
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        int body = side == 0 ? joint[l].a.body : joint[l].b.body;
        of[l] = body < 0 ? &WORLD : &pose[body];
    }
    crn_pose_lanes_load(of, numbers);
    UNROLL
    for (int k = 0; k < 9; ++k)
        out->R[side][k] = numbers[3 + k];
    UNROLL
    for (int k = 0; k < 3; ++k)
        point[k] = side == 0 ? CRN_OF_FOUR(joint, a.point[k]) : CRN_OF_FOUR(joint, b.point[k]);
    crn_lanes_rotate(out->R[side], point, out->x[side]);
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        out->x[side][k] += numbers[k];
        out->arm[side][k] = out->x[side][k] - numbers[k];
    }
}

/* An axis of the joints on one of their sides. */
INLINE void crn_hinge_lanes_axis(const crn_joint joint[LANES], const lanes R[9], int side, int i, lanes out[3])
{
    lanes axis[3];
    UNROLL
    for (int k = 0; k < 3; ++k)
        axis[k] = CRN_OF_FOUR(joint, axis[side][i][k]);
    crn_lanes_rotate(R, axis, out);
}

INLINE void crn_hinge_lanes_load(const crn_joint joint[LANES], const crn_pose *pose, crn_hinge_lanes *out)
{
    crn_hinge_lanes_place(joint, pose, 0, out);
    crn_hinge_lanes_place(joint, pose, 1, out);
    crn_hinge_lanes_axis(joint, out->R[0], 0, 0, out->a_0);
    UNROLL
    for (int i = 0; i < 2; ++i)
    {
        crn_hinge_lanes_axis(joint, out->R[1], 1, 1 + i, out->b[i]);
        lanes_cross(out->a_0, out->b[i], out->across[i]);
    }
}

#endif
