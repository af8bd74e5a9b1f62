/* Pose of a body: position of its origin and rotation matrix, body to world; planar: a turn about z. */
#ifndef CRN_MATH_POSE_H
#define CRN_MATH_POSE_H

typedef struct crn_pose
{
    double x[3];
    double R[9];
} crn_pose;

#endif
