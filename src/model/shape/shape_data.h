/* What a shape's options stand for: triangles read from a file, scaled, or made of heights. */
#ifndef CRN_MODEL_SHAPE_SHAPE_DATA_H
#define CRN_MODEL_SHAPE_SHAPE_DATA_H

#include "model/model.h"
#include "model/shape/mesh_file.h"

typedef struct crn_shape_data
{
    const crn_mesh_file *file; /* where a mesh's triangles are from; NULL: from arrays */
    crn_mesh_file mesh;        /* read on the way */
    crn_height_file heights;
    double *vertices; /* made on the way */
    int *triangles;
} crn_shape_data;

/* Put into the options what their file holds, then their vertices and triangles as they are in the end. `data` begins with
 * zeros or with a file that was read before; it must outlive the options and is to be freed. CAIRN_INVALID with one sentence. */
cairn_status crn_shape_data_fill(const cairn_model *model, int body, cairn_shape_options *options,
                                 crn_shape_data *data);
void crn_shape_data_free(crn_shape_data *data);

/* cairn_model_add_shape, with a file of triangles that was read before (NULL: none). */
cairn_status crn_model_add_shape(cairn_model *model, cairn_body body, const cairn_shape_options *options,
                                 const crn_mesh_file *file, cairn_shape *out);

#endif
