/* Bodies. */
#include "scene/build/build.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* In the plane one number, Izz; in space the 3 principal moments, or all 6. */
static bool read_inertia(crn_reader *reader, const crn_node *node, double out[6])
{
    assert(reader->dimension == 2 || reader->dimension == 3);
    if (reader->dimension == 2)
        return crn_read_number(reader, node, CRN_POSITIVE, &out[2]);
    if (node->kind == CRN_LIST && (node->count == 3 || node->count == 6))
        return crn_read_numbers(reader, node, node->count, out);
    return crn_problem_at(reader, node, "expected a list of 3 numbers (Ixx, Iyy, Izz) or 6 (and Ixy, Ixz, Iyz), found %s",
                   crn_describe(node).text);
}

static bool read_inertia_field(crn_reader *reader, const crn_node *node, double out[6])
{
    if (!node || reader->dimension == 0)
        return true;
    reader->field = "inertia";
    bool fine = read_inertia(reader, node, out);
    double sum = 0;
    for (int i = 0; fine && i < 6; ++i)
        sum += out[i] != 0 ? 1 : 0;
    if (fine && sum == 0)
        fine = crn_problem_at(reader, node, "must be positive definite, found zeros");
    reader->field = NULL;
    return fine;
}

bool crn_read_spin(crn_reader *reader, const crn_node *node, double out[3])
{
    if (!node || reader->dimension == 0)
        return true;
    reader->field = "angular_velocity";
    bool fine = reader->dimension == 2 ? crn_read_number(reader, node, CRN_ANY, &out[2])
                                       : crn_read_numbers(reader, node, 3, out);
    reader->field = NULL;
    return fine;
}

/* A text that starts with reader->where: "body 'left', shape 2". */
static const char *inner_where(const crn_reader *reader, char *buffer, size_t size, const char *inner)
{
    snprintf(buffer, size, "%s, %s", reader->where, inner);
    return buffer;
}

static bool read_motion(crn_reader *reader, const crn_node *node, cairn_body_options *options)
{
    crn_motion_record record;
    char buffer[128];
    if (!node)
        return true;
    const char *outer = reader->where;
    reader->where = inner_where(reader, buffer, sizeof buffer, "motion");
    bool fine = crn_read_object(reader, &crn_motion_object, node, &record);
    bool turns_in_space = fine && reader->dimension == 3 && record.angle.node;
    if (turns_in_space && !record.axis.node)
        fine = crn_problem_at(reader, node, "missing field 'axis': in space an angle needs one");
    reader->where = outer;
    memcpy(options->motion_position, record.position.text, sizeof options->motion_position);
    options->motion_angle = record.angle.text;
    if (record.axis.node)
        memcpy(options->motion_axis, record.axis.value, sizeof options->motion_axis);
    return fine;
}

/* Fill in the options, and read the fields that the table does not; false when one is wrong. */
static bool fill_options(crn_reader *reader, const crn_body_record *record, cairn_body_options *options)
{
    assert(!reader->field);
    options->name = record->name.text;
    options->kind = (cairn_body_kind)record->kind.index;
    options->point = record->point.value;
    options->hold = record->hold.value;
    options->mass = record->mass.value;
    options->angle = record->angle.value;
    memcpy(options->position, record->position.value, sizeof options->position);
    memcpy(options->velocity, record->velocity.value, sizeof options->velocity);
    crn_read_groups(reader, record->groups.node, record->collides_with.node, &options->groups, &options->collides_with);
    bool fine = read_inertia_field(reader, record->inertia.node, options->inertia);
    fine = crn_read_spin(reader, record->angular_velocity.node, options->angular_velocity) && fine;
    if (record->orientation.node && reader->dimension != 0)
        fine = crn_read_orientation(reader, record->orientation.node, options->orientation) && fine;
    return read_motion(reader, record->motion.node, options) && fine;
}

/* A dynamic body must have mass and inertia, given or from its shapes. */
static void check_mass(crn_reader *reader, const crn_node *node, cairn_body body)
{
    double mass, inertia[9];
    int index = cairn_model_body_index(reader->model, body);
    assert(index >= 0);
    if (cairn_model_body_kind(reader->model, body) == CAIRN_DYNAMIC)
        crn_pass_on(reader, node, crn_model_mass(reader->model, index, &mass, inertia));
}

static void build_body(crn_reader *reader, const crn_node *node)
{
    assert(!reader->field);
    crn_body_record record;
    cairn_body_options options = cairn_body_default();
    cairn_body made = {0};
    cairn_material material;
    int before = crn_problem_total(reader);
    crn_read_object(reader, &crn_body_object, node, &record);
    crn_register(reader, &reader->bodies, "body", &record.name, 0);
    fill_options(reader, &record, &options);
    crn_find_material(reader, &record.material, &material);
    bool fine = crn_problem_total(reader) == before && reader->model;
    if (fine && crn_pass_on(reader, node, cairn_model_add_body(reader->model, &options, &made)))
        crn_index_find(&reader->bodies, options.name)->id = made.id;
    crn_build_shapes(reader, record.shapes.node, made, &record.material);
    if (crn_problem_total(reader) == before && made.id != 0)
        check_mass(reader, node, made);
}

void crn_build_bodies(crn_reader *reader, const crn_scene_record *scene)
{
    const crn_node *list = scene->bodies.node;
    for (const crn_node *body = list && list->kind == CRN_LIST ? list->first : NULL; body; body = body->next)
        crn_note_groups(reader, body);
    list = scene->populations.node;
    for (const crn_node *item = list && list->kind == CRN_LIST ? list->first : NULL; item; item = item->next)
        crn_note_groups(reader, item);
    list = scene->bodies.node;
    crn_read_list(reader, list, "bodies", "body", build_body);
}
