/* A height field is a grid of columns x rows points, centred at the shape's origin, x along its rows and y from its first row
 * to its last:
 *
 *     point (i, j) = ((i - (columns - 1)/2) spacing, (j - (rows - 1)/2) spacing, scale heights[j columns + i]) .
 *
 * Each cell is two triangles, cut from its corner of least x and y to that of greatest.
 */
#include "model/shape/shape_data.h"

#include "base/file.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void crn_shape_data_free(crn_shape_data *data)
{
    crn_mesh_file_free(&data->mesh);
    crn_height_file_free(&data->heights);
    free(data->vertices);
    free(data->triangles);
}

static cairn_status no_memory(const cairn_model *model, int body)
{
    return crn_fail(model->context, CAIRN_NO_MEMORY, "body '%s': memory ran out for a shape", model->bodies[body].name);
}

static bool takes(const cairn_shape_options *o, unsigned field)
{
    return (crn_class_of(o->kind)->takes & field) != 0;
}

/* --------------------------------------------------------------------------------------------------------- files */

static cairn_status parse_file(const cairn_model *model, int body, const cairn_shape_options *o, const char *bytes,
                               size_t length, crn_shape_data *data)
{
    bool heights = takes(o, CRN_TAKES_HEIGHTS);
    cairn_status status = heights ? crn_height_file_parse(o->file, bytes, length, &data->heights)
                                  : crn_mesh_file_parse(o->file, bytes, length, &data->mesh);
    if (status == CAIRN_INVALID)
        return crn_shape_complain(model, body, o->kind, "%s", heights ? data->heights.error : data->mesh.error);
    data->file = heights ? NULL : &data->mesh;
    return status == CAIRN_OK ? CAIRN_OK : no_memory(model, body);
}

static cairn_status read_file(const cairn_model *model, int body, const cairn_shape_options *o, crn_shape_data *data)
{
    char *bytes;
    size_t length;
    cairn_status status =
        crn_file_read(model->context, o->file, CRN_FILE_REGULAR, CRN_MESH_FILE_BYTES, &bytes, &length);
    if (status == CAIRN_OK)
    {
        status = parse_file(model, body, o, bytes, length, data);
        free(bytes);
    }
    return status;
}

static cairn_status take_file(const cairn_model *model, int body, cairn_shape_options *o, crn_shape_data *data)
{
    if (o->vertices || o->triangles || o->heights)
        return crn_shape_complain(model, body, o->kind, "either a file or arrays, not both");
    cairn_status status = data->file ? CAIRN_OK : read_file(model, body, o, data);
    if (data->file && takes(o, CRN_TAKES_TRIANGLES) && data->file->triangle_count == 0)
        return crn_shape_complain(model, body, o->kind, "%.100s has no triangles", data->file->name);
    if (data->file)
    {
        o->vertices = data->file->vertices;
        o->vertex_count = data->file->vertex_count;
        o->triangles = data->file->triangles;
        o->triangle_count = data->file->triangle_count;
    }
    else
    {
        o->heights = data->heights.heights;
        o->columns = data->heights.columns;
        o->rows = data->heights.rows;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------- heights */

static cairn_status check_heights(const cairn_model *model, int body, const cairn_shape_options *o)
{
    if (!o->heights || o->columns < 2 || o->rows < 2)
        return crn_shape_complain(model, body, o->kind, "needs heights in two columns and two rows or more");
    if (2 * (int64_t)(o->columns - 1) * (o->rows - 1) > CRN_MOST_TRIANGLES)
        return crn_shape_complain(model, body, o->kind, "%d columns and %d rows: at most %d cells are taken",
                                  o->columns, o->rows, CRN_MOST_TRIANGLES / 2);
    if (!(isfinite(o->spacing) && o->spacing > 0))
        return crn_shape_complain(model, body, o->kind, "spacing: must be greater than 0");
    for (int i = 0; i < o->columns * o->rows; ++i)
        if (!isfinite(o->heights[i]))
            return crn_shape_complain(model, body, o->kind, "heights: number %d of row %d is not finite",
                                      i % o->columns + 1, i / o->columns + 1);
    return CAIRN_OK;
}

static void raise_points(const cairn_shape_options *o, double *vertices)
{
    assert(o->columns >= 2 && o->rows >= 2);
    for (int j = 0; j < o->rows; ++j)
    {
        for (int i = 0; i < o->columns; ++i)
        {
            *vertices++ = (i - 0.5 * (o->columns - 1)) * o->spacing;
            *vertices++ = (j - 0.5 * (o->rows - 1)) * o->spacing;
            *vertices++ = o->scale * o->heights[j * o->columns + i];
        }
    }
}

static void cut_cells(const cairn_shape_options *o, int *triangles)
{
    assert(o->columns >= 2 && o->rows >= 2);
    for (int j = 0; j + 1 < o->rows; ++j)
    {
        for (int i = 0; i + 1 < o->columns; ++i)
        {
            int a = j * o->columns + i, b = a + 1, c = b + o->columns, d = a + o->columns;
            int corners[6] = {a, b, c, a, c, d};
            for (int k = 0; k < 6; ++k)
                *triangles++ = corners[k];
        }
    }
}

static cairn_status take_heights(const cairn_model *model, int body, cairn_shape_options *o, crn_shape_data *data)
{
    CRN_TRY(check_heights(model, body, o));
    o->vertex_count = o->columns * o->rows;
    o->triangle_count = 2 * (o->columns - 1) * (o->rows - 1);
    data->vertices = malloc((size_t)o->vertex_count * 3 * sizeof(double));
    data->triangles = malloc((size_t)o->triangle_count * 3 * sizeof(int));
    if (!data->vertices || !data->triangles)
        return no_memory(model, body);
    raise_points(o, data->vertices);
    cut_cells(o, data->triangles);
    o->vertices = data->vertices;
    o->triangles = data->triangles;
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------- all of them */

static cairn_status scale_vertices(const cairn_model *model, int body, cairn_shape_options *o, crn_shape_data *data)
{
    assert(o->scale > 0 && o->vertex_count > 0);
    size_t numbers = (size_t)o->vertex_count * 3;
    data->vertices = malloc(numbers * sizeof(double));
    if (!data->vertices)
        return no_memory(model, body);
    for (size_t i = 0; i < numbers; ++i)
        data->vertices[i] = o->scale * o->vertices[i];
    o->vertices = data->vertices;
    return CAIRN_OK;
}

cairn_status crn_shape_data_fill(const cairn_model *model, int body, cairn_shape_options *o, crn_shape_data *data)
{
    cairn_status status = CAIRN_OK;
    bool corners = !takes(o, CRN_TAKES_HEIGHTS);
    if (!takes(o, CRN_TAKES_FILE))
    {
        return o->file || data->file
                   ? crn_fail(model->context, CAIRN_INVALID,
                              "body '%s': file: only a mesh, a hull or a height field is read from one",
                              model->bodies[body].name)
                   : CAIRN_OK;
    }
    if (!(isfinite(o->scale) && o->scale > 0))
        return crn_shape_complain(model, body, o->kind, "scale: must be greater than 0");
    if (o->file || data->file)
        status = take_file(model, body, o, data);
    if (status == CAIRN_OK && !corners)
        return take_heights(model, body, o, data);
    bool there = o->vertices && o->vertex_count > 0;
    return status == CAIRN_OK && there && o->scale != 1 ? scale_vertices(model, body, o, data) : status;
}
