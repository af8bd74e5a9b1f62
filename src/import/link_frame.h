/* Frames of links, and mass that is moved from one frame to another.
 *
 * A frame (x, q) takes a point p of its own to x + R(q) p in its parent. Masses are combined by the parallel axis theorem:
 *
 *     m = m_1 + m_2,  c = (m_1 c_1 + m_2 c_2)/m,  I = sum_i R_i I_i R_i' + m_i (|d_i|^2 1 - d_i d_i'),  d_i = c_i - c.
 */
#ifndef CRN_IMPORT_LINK_FRAME_H
#define CRN_IMPORT_LINK_FRAME_H

#include "math/vec.h"

typedef struct crn_link_frame
{
    double x[3];
    double q[4]; /* unit */
} crn_link_frame;

static inline crn_link_frame crn_link_frame_identity(void)
{
    return (crn_link_frame){.q = {1, 0, 0, 0}};
}

/* inner, given in `outer`, in the parent of `outer`. */
crn_link_frame crn_link_frame_compose(const crn_link_frame *outer, const crn_link_frame *inner);
/* `frame` as seen from `from`, both given in the same parent. */
crn_link_frame crn_link_frame_relative(const crn_link_frame *from, const crn_link_frame *frame);
/* A point of the frame in its parent. */
void crn_link_frame_point(const crn_link_frame *frame, const double p[3], double out[3]);
/* A direction likewise. */
void crn_link_frame_direction(const crn_link_frame *frame, const double d[3], double out[3]);
/* The turn that takes z to the direction d, by the shortest way; d need not be a unit vector, but must not be 0. */
void crn_turn_z_to(const double d[3], double q[4]);
/* The quaternion of a rotation matrix. */
void crn_turn_of_matrix(const double R[9], double q[4]);

/* Mass, centre of mass, and inertia about it: a full symmetric matrix along the axes of the frame. */
typedef struct crn_link_mass
{
    double mass;
    double centre[3];
    double inertia[9];
} crn_link_mass;

/* Add `part`, which is given in `frame`, to `sum`. */
void crn_mass_add(crn_link_mass *sum, const crn_link_frame *frame, const crn_link_mass *part);

#endif
