/* Pose of a body: position of its origin and rotation matrix, body to world; planar: a turn about z. */
#ifndef CRN_MATH_POSE_H
#define CRN_MATH_POSE_H

typedef struct crn_pose
{
    double x[3];
    double R[9];
} crn_pose;

/* m: how far a point that a body touches with swings around it, from x at one pose to y at another: by how much its arm changes
 * beyond what the body's own turning explains. The arm of a corner turns with the body, that of a ball's lowest point not at all:
 * both give 0. The lowest point of a rim swings. */
double crn_swing(const crn_pose *from, const double x[3], const crn_pose *to, const double y[3]);

#endif
