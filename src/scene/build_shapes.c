/* Shapes. A rectangle becomes a polygon, a segment of a length gets its two ends. */
#include "model/shape/shape_data.h"
#include "scene/build.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const cairn_shape_kind kinds[] = {
    [CRN_WORD_POINT] = CAIRN_POINT,
    [CRN_WORD_CIRCLE] = CAIRN_CIRCLE,
    [CRN_WORD_SEGMENT] = CAIRN_SEGMENT,
    [CRN_WORD_POLYGON] = CAIRN_POLYGON,
    [CRN_WORD_RECTANGLE] = CAIRN_POLYGON,
    [CRN_WORD_HALF_PLANE] = CAIRN_HALF_PLANE,
    [CRN_WORD_SPHERE] = CAIRN_SPHERE,
    [CRN_WORD_BOX] = CAIRN_BOX,
    [CRN_WORD_HALF_SPACE] = CAIRN_HALF_SPACE,
    [CRN_WORD_ELLIPSE] = CAIRN_ELLIPSE,
    [CRN_WORD_ELLIPSOID] = CAIRN_ELLIPSOID,
    [CRN_WORD_CAPSULE] = CAIRN_CAPSULE,
    [CRN_WORD_CHAIN] = CAIRN_CHAIN,
    [CRN_WORD_CYLINDER] = CAIRN_CYLINDER,
    [CRN_WORD_CONE] = CAIRN_CONE,
    [CRN_WORD_HULL] = CAIRN_HULL,
    [CRN_WORD_MESH] = CAIRN_MESH,
    [CRN_WORD_HEIGHT_FIELD] = CAIRN_HEIGHT_FIELD,
};

static bool check_lengths(crn_reader *reader, const char *field, const crn_vector *lengths)
{
    bool fine = true;
    const crn_node *item = lengths->node ? lengths->node->first : NULL;
    for (int i = 0; item && i < 3; item = item->next, ++i)
        if (!(lengths->value[i] > 0))
        {
            crn_problem_at(reader, item, "%s: expected a number greater than 0, found %g", field, lengths->value[i]);
            fine = false;
        }
    return fine;
}

/* How many vertices a kind needs at least where they are listed, and its name with an article; 0: any number. */
static int least_vertices(const crn_shape_record *record, const char **name)
{
    int word = record->type.index;
    bool listed = record->vertices.node;
    *name = word == CRN_WORD_POLYGON ? "a polygon"
            : word == CRN_WORD_CHAIN ? "a chain"
            : word == CRN_WORD_HULL  ? "a hull"
                                     : "a mesh";
    return word == CRN_WORD_POLYGON          ? 3
           : word == CRN_WORD_CHAIN          ? 2
           : word == CRN_WORD_HULL && listed ? 4
           : word == CRN_WORD_MESH && listed ? 3
                                             : 0;
}

/* A segment has two vertices or a length; the others their least number of vertices. */
static bool check_vertices(crn_reader *reader, const crn_node *node, const crn_shape_record *record)
{
    const char *name;
    bool segment = record->type.index == CRN_WORD_SEGMENT;
    bool vertices = record->vertices.node;
    int least = least_vertices(record, &name);
    if (segment && vertices == (record->length.node != NULL))
        crn_problem_at(reader, node, "a segment needs either 'vertices' or 'length'");
    else if (segment && vertices && record->vertices.count != 2)
        crn_problem_at(reader, record->vertices.node, "vertices: a segment has 2, found %d", record->vertices.count);
    else if (record->vertices.count < least)
        crn_problem_at(reader, record->vertices.node, "vertices: %s has %d or more, found %d", name, least,
                       record->vertices.count);
    else
        return true;
    return false;
}

/* Vertices that are not written out in the file; `made` holds at most four. */
static void make_vertices(const crn_shape_record *record, double made[8], cairn_shape_options *options)
{
    if (record->type.index == CRN_WORD_RECTANGLE)
    {
        double a = record->size.value[0] / 2, b = record->size.value[1] / 2;
        double corners[8] = {-a, -b, a, -b, a, b, -a, b};
        memcpy(made, corners, sizeof corners);
        options->vertex_count = 4;
    }
    else
    {
        assert(record->type.index == CRN_WORD_SEGMENT);
        double ends[4] = {-record->length.value / 2, 0, record->length.value / 2, 0};
        memcpy(made, ends, sizeof ends);
        options->vertex_count = 2;
    }
    options->vertices = made;
}

static void fill_options(const crn_shape_record *record, double made[8], cairn_shape_options *options)
{
    options->radius = record->radius.value;
    options->length = record->length.value;
    options->height = record->height.value;
    options->density = record->density.value;
    options->angle = record->angle.value;
    memcpy(options->radii, record->radii.value, sizeof options->radii);
    memcpy(options->position, record->position.value, sizeof options->position);
    if (record->normal.node)
        memcpy(options->normal, record->normal.value, sizeof options->normal);
    if (record->type.index == CRN_WORD_BOX)
        memcpy(options->size, record->size.value, sizeof options->size);
    bool bar = record->type.index == CRN_WORD_SEGMENT && record->length.node;
    if (record->type.index == CRN_WORD_RECTANGLE || bar)
        make_vertices(record, made, options);
    else if (record->vertices.node)
    {
        options->vertices = record->vertices.values;
        options->vertex_count = record->vertices.count;
    }
}

/* One shape. body 0: the body itself is wrong, the shape is only checked. */
static void build_shape(crn_reader *reader, const crn_node *node, cairn_body body, const crn_text *material)
{
    crn_shape_record record;
    cairn_material own, outer;
    cairn_shape made;
    double vertices[8];
    const crn_mesh_file *file = NULL;
    bool fine = crn_read_object(reader, &crn_shape_object, node, &record);
    fine = check_lengths(reader, "size", &record.size) && fine;
    fine = check_lengths(reader, "radii", &record.radii) && fine;
    fine = fine && check_vertices(reader, node, &record);
    cairn_shape_options options = cairn_shape_default(kinds[record.type.index]);
    fine = fine && crn_read_mesh(reader, node, &record, &options, &file);
    if (record.orientation.node && reader->dimension != 0)
        fine = crn_read_orientation(reader, record.orientation.node, options.orientation) && fine;
    fine = crn_find_material(reader, &record.material, &own) && fine;
    if (!fine || body.id == 0 || reader->dimension == 0)
        return;
    fill_options(&record, vertices, &options);
    options.material = own;
    if (!record.material.node && crn_find_material(reader, material, &outer))
        options.material = outer;
    crn_pass_on(reader, node, crn_model_add_shape(reader->model, body, &options, file, &made));
}

void crn_build_shapes(crn_reader *reader, const crn_node *shapes, cairn_body body, const crn_text *material)
{
    if (!shapes)
        return;
    if (shapes->kind != CRN_LIST)
    {
        crn_problem_at(reader, shapes, "shapes: expected a list, found %s", crn_describe(shapes).text);
        return;
    }
    const char *outer = reader->where;
    int number = 1;
    for (const crn_node *item = shapes->first; item; item = item->next)
    {
        char where[128];
        snprintf(where, sizeof where, "%s, shape %d", outer, number++);
        reader->where = where;
        build_shape(reader, item, body, material);
        reader->where = outer;
    }
}
