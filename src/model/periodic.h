/* The periodic box of a model: everything repeats at multiples of its size along the axes of the world.
 *
 * Positions in states are those of one image of each body and are never wrapped, so that displacements are continuous. Image
 * (i, j, k) of a body is displaced by
 *
 *     i (L_x, 0, 0) + j (g L_y t, L_y, 0) + k (0, 0, L_z) ,
 *
 * g the shear rate (Lees & Edwards 1972): images above each other move past each other at g L_y, and the mean flow is (g y, 0, 0).
 */
#ifndef CRN_MODEL_PERIODIC_H
#define CRN_MODEL_PERIODIC_H

#include "model/model.h"

#include <math.h>

static inline bool crn_is_periodic(const cairn_model *model)
{
    return model->box[0] > 0 || model->box[1] > 0 || model->box[2] > 0;
}

/* m: by how much the images above are displaced along x at time t, up to multiples of the box. */
static inline double crn_box_offset(const cairn_model *model, double t)
{
    return model->shear != 0 ? remainder(model->shear * model->box[1] * t, model->box[0]) : 0.0;
}

/* Which image of the box a point is in at time t, from that centred at the origin, and how far that image is displaced. */
void crn_box_cell(const cairn_model *model, double t, const double x[3], int cell[3]);
void crn_box_displacement(const cairn_model *model, double t, const int cell[3], double out[3]);

/* Replace a displacement by the shortest one between images, at time t; along open axes it stays. */
void crn_box_shorten(const cairn_model *model, double t, double d[3]);

/* CAIRN_INVALID with one sentence where the model has something that its box cannot hold. */
cairn_status crn_box_check(cairn_context *context, const cairn_model *model);

#endif
