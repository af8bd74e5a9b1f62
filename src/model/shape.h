/* What the files about shapes share. */
#ifndef CRN_MODEL_SHAPE_H
#define CRN_MODEL_SHAPE_H

#include "model/mesh_file.h"
#include "model/model.h"
#include "model/pieces.h"

/* CAIRN_OK, or CAIRN_INVALID with one sentence about the first thing that is wrong. */
cairn_status crn_shape_check(const cairn_model *model, int body, const cairn_shape_options *options);
/* The triangles of a mesh or height field, checked, in the shape's frame; file: where they are from, or NULL. CAIRN_INVALID
 * with one sentence. */
cairn_status crn_shape_mesh(const cairn_model *model, int body, const cairn_shape_options *options,
                            const crn_mesh_file *file, crn_mesh **out);
/* The same sentence's beginning for what is found later. */
cairn_status crn_shape_complain(const cairn_model *model, int body, cairn_shape_kind kind, const char *sentence);

/* Whether a kind's vertices are listed by the user, in x, y pairs. */
bool crn_shape_has_outline(cairn_shape_kind kind);
bool crn_shape_is_unbounded(cairn_shape_kind kind);
bool crn_shape_is_elliptic(cairn_shape_kind kind);
bool crn_shape_has_mesh(cairn_shape_kind kind);  /* mesh, height field */
bool crn_shape_is_turned(cairn_shape_kind kind); /* cylinder, cone: a surface of revolution with sharp rims */

void crn_shape_free(crn_shape *shape);

#endif
