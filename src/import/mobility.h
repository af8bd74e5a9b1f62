/* The mass that a drive sees. With the mass matrix M of the tree in coordinates of its joints, rotors included, and the gradient J of the
 * driven coordinate, both in the pose as written, it is m = 1/(J M^-1 J').
 *
 * A joint coordinate i moves its link and all that hangs on it with the twist S_i = (w, v), v at the origin of the world. With the mass m, the
 * centre c and the inertia I of all that hangs on the link of j, the momentum of the twist S_j is
 *
 *     p = m (v + w x c),     L = I w + c x p,     M_ij = S_i . (L, p)
 *
 * where i is a joint of the same link or of one that carries it; other entries are 0.
 */
#ifndef CRN_IMPORT_MOBILITY_H
#define CRN_IMPORT_MOBILITY_H

#include "import/robot.h"

typedef struct crn_mobility crn_mobility;

/* In the memory of the import. NULL: memory ran out, a link without mass makes M singular, or the robot has more than 4096 freedoms. */
crn_mobility *crn_mobility_create(const crn_robot *robot);

/* J M^-1 J' of a sum of coordinates and lengths. */
double crn_mobility_along(const crn_mobility *mobility, const struct crn_sum_term *terms, int count);

#endif
