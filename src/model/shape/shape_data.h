/* The vertices and triangles of a shape's options: read from a file, scaled, or made of heights. */
#ifndef CRN_MODEL_SHAPE_SHAPE_DATA_H
#define CRN_MODEL_SHAPE_SHAPE_DATA_H

#include "model/model.h"
#include "model/shape/mesh_file.h"

typedef struct crn_shape_data
{
    const crn_mesh_file *file; /* source of a mesh's triangles; NULL: arrays */
    crn_mesh_file mesh;        /* read by crn_shape_data_fill */
    crn_height_file heights;
    double *vertices; /* made by crn_shape_data_fill */
    int *triangles;
} crn_shape_data;

/* Load the file that the options name, if any, and set the final vertices and triangles in the options. `data` is
 * initially zero or holds a file read before; it must outlive the options, and the caller frees it. CAIRN_INVALID with
 * one sentence. */
cairn_status crn_shape_data_fill(const cairn_model *model, int body, cairn_shape_options *options,
                                 crn_shape_data *data);
void crn_shape_data_free(crn_shape_data *data);

/* cairn_model_add_shape, with a file of triangles that was read before (NULL: none). */
cairn_status crn_model_add_shape(cairn_model *model, cairn_body body, const cairn_shape_options *options,
                                 const crn_mesh_file *file, cairn_shape *out);

#endif
