/* MJCF: height fields. Heights lie in rows, of which the first in the text has the largest y, and in a file the smallest. They are moved and
 * scaled so that the least is 0 and the largest 1, and multiplied by the third size. The grid covers [-size_0, size_0] x [-size_1, size_1].
 *
 * Grids that are not square become a surface of triangles. The block below the heights, of the fourth size, is solid ground here.
 */
#include "base/file.h"
#include "import/mjcf/mjcf.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct heights
{
    int rows, columns;
    double *values; /* from 0 to 1, the row of the smallest y first */
} heights;

enum
{
    MOST_POINTS = 1 << 22
};

static crn_xml *find_asset(crn_mjcf *m, const char *name)
{
    for (crn_xml *a = crn_xml_child(m->root, "asset"); a; a = crn_xml_again(a))
        for (crn_xml *c = crn_xml_child(a, "hfield"); c; c = crn_xml_again(c))
            if (crn_xml_get(c, "name") && !strcmp(crn_xml_get(c, "name"), name))
                return c;
    return NULL;
}

static bool check_count(crn_mjcf *m, const crn_xml *asset, double rows, double columns)
{
    bool whole = rows == floor(rows) && columns == floor(columns);
    return (whole && rows >= 2 && columns >= 2 && rows * columns <= MOST_POINTS) ||
           crn_import_problem(m->import, asset,
                              "expected 2 rows and columns or more, and at most %d heights, found %g x %g", MOST_POINTS,
                              rows, columns);
}

static bool read_text(crn_mjcf *m, crn_xml *asset, heights *out)
{
    double rows = 0, columns = 0, *list;
    int found = crn_import_list(m->import, asset, "elevation", &list);
    crn_import_number(m->import, asset, "nrow", &rows);
    crn_import_number(m->import, asset, "ncol", &columns);
    if (m->import->problem_count > 0 || !check_count(m, asset, rows, columns))
        return false;
    *out = (heights){.rows = (int)rows, .columns = (int)columns};
    if (found != out->rows * out->columns)
        return crn_import_problem(m->import, asset, "elevation: expected %d numbers, found %d",
                                  out->rows * out->columns, found);
    out->values = crn_import_allocate(m->import, (size_t)found * sizeof *out->values);
    for (int i = 0; out->values && i < out->rows; ++i)
        memcpy(out->values + (size_t)i * out->columns, list + (size_t)(out->rows - 1 - i) * out->columns,
               (size_t)out->columns * sizeof *list);
    return out->values != NULL;
}

/* MuJoCo's own format: two numbers of rows and columns, and floats, in the order of bytes of the machine. */
static bool read_bytes(crn_mjcf *m, const crn_xml *asset, const char *bytes, size_t length, heights *out)
{
    int32_t size[2];
    if (length < sizeof size)
        return crn_import_problem(m->import, asset, "the file of heights is too short");
    memcpy(size, bytes, sizeof size);
    if (!check_count(m, asset, size[0], size[1]))
        return false;
    *out = (heights){.rows = size[0], .columns = size[1]};
    size_t count = (size_t)size[0] * (size_t)size[1];
    if (length != sizeof size + count * sizeof(float))
        return crn_import_problem(m->import, asset, "the file of heights must have %zu bytes, found %zu",
                                  sizeof size + count * sizeof(float), length);
    out->values = crn_import_allocate(m->import, count * sizeof *out->values);
    for (size_t i = 0; out->values && i < count; ++i)
    {
        float value;
        memcpy(&value, bytes + sizeof size + i * sizeof value, sizeof value);
        if (!isfinite(value))
            return crn_import_problem(m->import, asset, "height %zu is not a finite number", i + 1);
        out->values[i] = value;
    }
    return out->values != NULL;
}

static bool read_values(crn_mjcf *m, crn_xml *asset, heights *out)
{
    const char *file = crn_xml_get(asset, "file");
    if (!file)
        return read_text(m, asset, out);
    size_t length = strlen(file);
    if (length > 4 && !strcmp(file + length - 4, ".png"))
    {
        crn_import_note(m->import, asset, "heights from a picture are not read; the height field is left out");
        return false;
    }
    const char *path = crn_mjcf_find_asset(m, asset, file);
    char *bytes = NULL;
    cairn_status status =
        path ? crn_file_read(m->import->scratch, path, CRN_FILE_REGULAR, CRN_XML_BYTES, &bytes, &length) : CAIRN_OK;
    bool fine = path && crn_import_pass(m->import, asset, status) && read_bytes(m, asset, bytes, length, out);
    free(bytes);
    return fine;
}

/* Scaled to 0 at the least and `top` at the largest; a plane is 0. */
static void scale(heights *h, double top)
{
    size_t count = (size_t)h->rows * (size_t)h->columns;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; ++i)
    {
        least = fmin(least, h->values[i]);
        most = fmax(most, h->values[i]);
    }
    for (size_t i = 0; i < count; ++i)
        h->values[i] = most > least ? top * (h->values[i] - least) / (most - least) : 0;
}

/* Two triangles for each cell, counterclockwise seen from above. */
static bool use_triangles(crn_mjcf *m, const heights *h, const double size[2], crn_link_shape *shape)
{
    int columns = h->columns, cells = (h->rows - 1) * (columns - 1), made = 0;
    double *points = crn_import_allocate(m->import, 3 * (size_t)h->rows * (size_t)columns * sizeof *points);
    int *corners = crn_import_allocate(m->import, 6 * (size_t)cells * sizeof *corners);
    if (!points || !corners)
        return false;
    for (int i = 0; i < h->rows * columns; ++i)
    {
        points[3 * i] = size[0] * (2.0 * (i % columns) / (columns - 1) - 1);
        points[3 * i + 1] = size[1] * (2.0 * (i / columns) / (h->rows - 1) - 1);
        points[3 * i + 2] = h->values[i];
    }
    for (int i = 0; i < h->rows - 1; ++i)
        for (int k = 0; k < columns - 1; ++k)
        {
            int at = i * columns + k;
            const int two[6] = {at, at + 1, at + columns, at + 1, at + columns + 1, at + columns};
            memcpy(corners + 6 * made++, two, sizeof two);
        }
    shape->options = cairn_shape_default(CAIRN_MESH);
    shape->options.vertices = points;
    shape->options.vertex_count = h->rows * columns;
    shape->options.triangles = corners;
    shape->options.triangle_count = 2 * cells;
    return true;
}

bool crn_mjcf_read_heights(const crn_mjcf_item *geom, crn_link_shape *shape)
{
    crn_mjcf *m = geom->mjcf;
    const char *name = crn_mjcf_text(geom, "hfield");
    crn_xml *asset = name ? find_asset(m, name) : NULL;
    double size[4];
    heights h = {0};
    if (!asset)
        return crn_import_problem(m->import, geom->element, "there is no height field '%.80s'", name ? name : "");
    if (!crn_import_required(m->import, asset, "size") || crn_import_numbers(m->import, asset, "size", 4, 4, size) != 4)
        return false;
    for (int i = 0; i < 4; ++i)
        if (!(size[i] > 0))
            return crn_import_problem(m->import, asset, "the sizes of a height field must be positive, found %g",
                                      size[i]);
    if (!read_values(m, asset, &h))
        return false;
    scale(&h, size[2]);
    double spacing = 2 * size[0] / (h.columns - 1);
    if (fabs(2 * size[1] / (h.rows - 1) - spacing) > 1e-12 * spacing)
        return use_triangles(m, &h, size, shape);
    shape->options = cairn_shape_default(CAIRN_HEIGHT_FIELD);
    shape->options.heights = h.values;
    shape->options.rows = h.rows;
    shape->options.columns = h.columns;
    shape->options.spacing = spacing;
    return true;
}
