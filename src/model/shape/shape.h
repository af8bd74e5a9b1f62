/* Checking and adding shapes: declarations shared by the files about shapes. */
#ifndef CRN_MODEL_SHAPE_SHAPE_H
#define CRN_MODEL_SHAPE_SHAPE_H

#include "model/model.h"
#include "model/shape/convex_decomposition.h"
#include "model/shape/mesh_file.h"

static const double CRN_SHAPE_THINNEST = 1e6; /* largest ratio of the two dimensions of a capsule, cylinder or cone */

/* CAIRN_OK, or CAIRN_INVALID with one sentence about the first thing that is wrong. */
cairn_status crn_shape_check(const cairn_model *model, int body, const cairn_shape_options *options);
/* Make the mesh of a mesh or height field, checked, in the shape's frame; file: the source of the triangles, or NULL.
 * CAIRN_INVALID with one sentence. */
cairn_status crn_shape_mesh(const cairn_model *model, int body, const cairn_shape_options *options,
                            const crn_mesh_file *file, crn_mesh **out);
/* Set the context's error to "body 'name': kind: " and the formatted sentence. Returns CAIRN_INVALID. */
cairn_status crn_shape_complain(const cairn_model *model, int body, cairn_shape_kind kind, const char *format, ...)
    CRN_PRINTF(4, 5);

/* CAIRN_INVALID with a sentence for a kind that is not in the table of classes. */
cairn_status crn_shape_check_kind(const cairn_model *model, int body, cairn_shape_kind kind);
/* Dimensions must be positive, and their ratio small enough for its square to stay far from rounding. */
cairn_status crn_shape_check_measures(const cairn_model *model, int body, cairn_shape_kind kind, const double *measures,
                                      int count, double ratio, const char *not_positive, const char *too_slender);

/* The faces by which a convex shape is drawn, where its class has no other look. CAIRN_NO_MEMORY or CAIRN_NUMERIC. */
cairn_status crn_shape_make_surface(crn_shape *shape);
/* A point of the plane from the shape's frame into the body's. */
void crn_shape_to_body(const crn_shape *shape, const double local[2], double out[2]);
/* Add one shape that collision detection can use directly; the options have been checked. file: as for crn_shape_mesh. */
cairn_status crn_shape_add(cairn_model *model, int body, const cairn_shape_options *options, const crn_mesh_file *file);
/* Add a chain or a concave polygon piece by piece; on failure nothing is added. */
cairn_status crn_shape_add_whole(cairn_model *model, int body, const cairn_shape_options *options);
/* Report why a shape could not be added; CAIRN_INVALID was reported already. */
cairn_status crn_shape_fail_to_place(const cairn_model *model, int body, cairn_status status);

/* m: the radius of the ball about the body's origin that holds the shape; infinite: it has no end. */
double crn_shape_bound(const crn_shape *shape);
void crn_shape_free(const cairn_model *model, crn_shape *shape);

#endif
