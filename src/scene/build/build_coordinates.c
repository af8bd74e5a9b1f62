/* What acts on the coordinates of a joint: `coordinates: {angle: {lower: -1, drive: {...}}}`. */
#include "scene/build/build.h"
#include "scene/formula.h"
#include "scene/tables.h"

#include <assert.h>
#include <stdlib.h>

/* A list of points [t, value]. */
static bool read_table(crn_reader *reader, const crn_node *node, double **values, cairn_signal *out)
{
    int count = 0;
    for (const crn_node *item = node->first; item; item = item->next)
        ++count;
    *values = malloc(2 * (size_t)(count + 1) * sizeof(double));
    if (!*values)
        return crn_problem_at(reader, node, "memory ran out");
    bool fine = true;
    double *point = *values;
    for (const crn_node *item = node->first; item; item = item->next, point += 2)
        fine = crn_read_numbers(reader, item, 2, point) && fine;
    out->table = *values;
    out->table_count = count;
    return count > 0 ? fine : crn_problem_at(reader, node, "a table needs at least one point [t, value]");
}

bool crn_read_signal(crn_reader *reader, const char *field, const crn_node *node, double **values, cairn_signal *out)
{
    if (!node)
        return true;
    const char *outer = reader->field;
    reader->field = field;
    bool fine = node->kind == CRN_LIST ? read_table(reader, node, values, out)
                                           : crn_formula_in_time(reader, node, &out->expression);
    reader->field = outer;
    return fine;
}

bool crn_read_drive(crn_reader *reader, const crn_node *node, double **values, cairn_coordinate_options *options)
{
    crn_drive_record record;
    if (!node)
        return true;
    if (!crn_read_object(reader, &crn_drive_object, node, &record))
        return false;
    options->drive = (cairn_drive_kind)(CAIRN_DRIVE_POSITION + record.type.index);
    options->drive_stiffness = record.stiffness.value;
    options->drive_damping = record.damping.value;
    if (record.limit.node)
        options->drive_limit = record.limit.value;
    if (record.power.node)
        options->drive_power = record.power.value;
    return crn_read_signal(reader, "target", record.target.node, values, &options->target);
}

bool crn_parse_coordinate(crn_reader *reader, const crn_coordinate_record *record, double *made[2],
                         cairn_coordinate_options *options)
{
    if (record->lower.node)
        options->lower = record->lower.value;
    if (record->upper.node)
        options->upper = record->upper.value;
    options->restitution = record->restitution.value;
    options->friction = record->friction.value;
    options->friction_coefficient = record->friction_coefficient.value;
    options->friction_radius = record->friction_radius.value;
    options->thrust_radius = record->thrust_radius.value;
    options->bearing_length = record->bearing_length.value;
    options->stiffness = record->stiffness.value;
    options->damping = record->damping.value;
    options->rotor_inertia = record->rotor_inertia.value;
    bool fine = crn_read_signal(reader, "rest", record->rest.node, &made[0], &options->rest);
    return crn_read_drive(reader, record->drive.node, &made[1], options) && fine;
}

/* `joint` may be the null handle: then the fields are only checked. */
static void build_coordinate(crn_reader *reader, const crn_node *node, cairn_joint joint)
{
    crn_coordinate_record record;
    double *made[2] = {NULL};
    cairn_coordinate_options options = cairn_coordinate_default();
    bool fine = crn_read_object(reader, &crn_coordinate_object, node, &record);
    if (record.initial.node)
        options.initial = record.initial.value;
    if (record.initial_rate.node)
        options.initial_rate = record.initial_rate.value;
    fine = crn_parse_coordinate(reader, &record, made, &options) && fine;
    if (fine && joint.id != 0)
        crn_pass_on(reader, node, cairn_model_set_coordinate(reader->model, joint, node->key->text, &options));
    free(made[0]);
    free(made[1]);
}

void crn_build_coordinates(crn_reader *reader, const crn_node *node, cairn_joint joint)
{
    if (!node)
        return;
    if (node->kind != CRN_MAPPING)
    {
        crn_problem_at(reader, node, "coordinates: expected a mapping of coordinates, found %s",
                       crn_describe(node).text);
        return;
    }
    for (const crn_node *value = node->first; value; value = value->next)
        build_coordinate(reader, value, joint);
}
