/* Collision detection in a periodic box (model/periodic.h).
 *
 * The bodies are wrapped into the box, centred at the origin, and those near its borders have ghosts: images at half of the 26
 * neighbouring places, so that of two bodies that touch across a border exactly one has a ghost beside the other. Bodies and ghosts
 * make a model of their own, in which contacts are found as in any other. They are then given back to the bodies: their points where the
 * bodies' own images have them, so that arms and velocities are right, and
 *
 *     point_a - point_b - gap n = the displacement of the image of b that touches a .
 *
 * Bodies are at most half as large as the box, and no two touch in two places at once; where the reach of a step lists two images of
 * a pair, the nearer one counts.
 */
#ifndef CRN_COLLIDE_IMAGES_H
#define CRN_COLLIDE_IMAGES_H

#include "collide/collide.h"

typedef struct crn_images crn_images;

crn_images *crn_images_create(void);
void crn_images_destroy(crn_images *images);

/* Wrap the bodies and make the ghosts. *shadow, *placed and *grown are the model, the poses and the reach to use instead; they belong to
 * the images and live until the next call. */
cairn_status crn_images_begin(crn_images *images, const cairn_model *model, const crn_pose *poses,
                              const crn_reach *reach, const cairn_model **shadow, const crn_pose **placed,
                              const crn_reach **grown);
/* Give contacts of the shadow back to the bodies, sorted by identity. */
cairn_status crn_images_end(crn_images *images, const crn_contact **contacts, int *count);

#endif
