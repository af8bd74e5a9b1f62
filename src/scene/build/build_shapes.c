/* Shapes. A rectangle becomes a polygon; a segment given by its length gets two ends. */
#include "model/shape/shape_data.h"
#include "scene/build/build.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool check_lengths(crn_reader *reader, const char *field, const crn_vector *lengths)
{
    bool fine = true;
    const crn_node *item = lengths->node ? lengths->node->first : NULL;
    for (int i = 0; item && i < 3; item = item->next, ++i)
        if (!(lengths->value[i] > 0))
            fine = crn_problem_at(reader, item, "%s: expected a number greater than 0, found %g", field, lengths->value[i]);
    return fine;
}

/* A segment has two vertices or a length; other shapes have a least number of vertices. */
static bool check_vertices(crn_reader *reader, const crn_node *node, const crn_shape_record *record,
                           const crn_shape_word *word)
{
    const crn_shape_class *class = crn_class_of(word->kind);
    bool segment = (word->takes & CRN_TAKES_LENGTH) && (word->takes & CRN_TAKES_VERTICES);
    bool listed = record->vertices.node;
    if (segment && listed == (record->length.node != NULL))
        crn_problem_at(reader, node, "a segment needs either 'vertices' or 'length'");
    else if (segment && listed && record->vertices.count != 2)
        crn_problem_at(reader, record->vertices.node, "vertices: a segment has 2, found %d", record->vertices.count);
    else if (listed && record->vertices.count < class->least_vertices)
        crn_problem_at(reader, record->vertices.node, "vertices: a %s has %d or more, found %d", class->name,
                       class->least_vertices, record->vertices.count);
    else
        return true;
    return false;
}

/* Make the corners of a rectangle, or the ends of a segment given by its length; `made` has room for four. */
static void make_vertices(const crn_shape_record *record, double made[8], cairn_shape_options *options)
{
    assert(record->size.node || record->length.node);
    double a = record->size.value[0] / 2, b = record->size.value[1] / 2, half = record->length.value / 2;
    double corners[8] = {-a, -b, a, -b, a, b, -a, b}, ends[4] = {-half, 0, half, 0};
    bool rectangle = record->size.node;
    memcpy(made, rectangle ? corners : ends, rectangle ? sizeof corners : sizeof ends);
    options->vertex_count = rectangle ? 4 : 2;
    options->vertices = made;
}

static void fill_options(const crn_shape_record *record, const crn_shape_word *word, double made[8],
                         cairn_shape_options *options)
{
    options->radius = record->radius.value;
    options->length = record->length.value;
    options->height = record->height.value;
    options->opening = record->opening.value;
    options->density = record->density.value;
    options->angle = record->angle.value;
    memcpy(options->radii, record->radii.value, sizeof options->radii);
    memcpy(options->position, record->position.value, sizeof options->position);
    memcpy(options->surface_velocity, record->surface_velocity.value, sizeof options->surface_velocity);
    if (record->normal.node)
        memcpy(options->normal, record->normal.value, sizeof options->normal);
    unsigned takes = crn_class_of(word->kind)->takes;
    if (takes & CRN_TAKES_SIZE)
        memcpy(options->size, record->size.value, sizeof options->size);
    bool listed = record->vertices.node;
    if ((takes & CRN_TAKES_VERTICES) && !listed && (record->size.node || record->length.node))
        make_vertices(record, made, options);
    else if (listed)
    {
        options->vertices = record->vertices.values;
        options->vertex_count = record->vertices.count;
    }
}

static const crn_shape_table *table_of(crn_reader *reader)
{
    if (!reader->shapes)
    {
        crn_shape_table *table = crn_reader_memory(reader, sizeof *table);
        if (table)
            crn_shape_table_fill(table);
        reader->shapes = table;
    }
    return reader->shapes;
}

bool crn_read_shape(crn_reader *reader, const crn_node *node, const crn_text *material, double vertices[8],
                    cairn_shape_options *options, const crn_mesh_file **file)
{
    assert(!reader->field);
    crn_shape_record record;
    cairn_material own, outer;
    const crn_shape_table *table = table_of(reader);
    *file = NULL;
    if (!table)
        return false;
    bool fine = crn_read_object(reader, &table->object, node, &record);
    const crn_shape_word *word = &table->meaning[record.type.index];
    fine = check_lengths(reader, "size", &record.size) && fine;
    fine = check_lengths(reader, "radii", &record.radii) && fine;
    fine = fine && check_vertices(reader, node, &record, word);
    *options = cairn_shape_default(word->kind);
    fine = fine && crn_read_mesh(reader, node, &record, word, options, file);
    if (record.orientation.node && reader->dimension != 0)
        fine = crn_read_orientation(reader, record.orientation.node, options->orientation) && fine;
    fine = crn_find_material(reader, &record.material, &own) && fine;
    if (!fine || reader->dimension == 0)
        return false;
    fill_options(&record, word, vertices, options);
    options->material = own;
    if (!record.material.node && crn_find_material(reader, material, &outer))
        options->material = outer;
    return true;
}

/* Build one shape. With the null body, which stands for a wrong one, it is only checked. */
static void build_shape(crn_reader *reader, const crn_node *node, cairn_body body, const crn_text *material)
{
    cairn_shape_options options;
    cairn_shape made;
    double vertices[8];
    const crn_mesh_file *file;
    if (crn_read_shape(reader, node, material, vertices, &options, &file) && body.id != 0)
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
