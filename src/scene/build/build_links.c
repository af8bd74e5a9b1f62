/* Joints, springs, forces, and the pairs of bodies that never collide. */
#include "math/vec.h"
#include "scene/build/build.h"
#include "scene/joint_fields.h"

#include <assert.h>
#include <string.h>

bool crn_find_body(crn_reader *reader, const crn_node *name, bool world, cairn_body *out, bool *built)
{
    *out = (cairn_body){0};
    if (world && strcmp(name->text, "world") == 0)
        return true;
    bool grain = reader->model && !crn_index_find(&reader->bodies, name->text);
    *out = grain ? cairn_model_find_body(reader->model, name->text) : *out;
    if (out->id != 0)
        return true;
    const crn_entry *entry = crn_find(reader, &reader->bodies, "body", name);
    if (!entry)
        return false;
    out->id = entry->id;
    *built = *built && entry->id != 0;
    return true;
}

/* The two bodies of a joint, a spring or an ignored pair. True when both are in the model. */
static bool find_bodies(crn_reader *reader, const crn_names *names, bool world, cairn_body out[2])
{
    assert(!reader->field);
    bool built = reader->model;
    reader->field = "bodies";
    bool first = crn_find_body(reader, names->name[0], world, &out[0], &built);
    bool second = crn_find_body(reader, names->name[1], world, &out[1], &built);
    reader->field = NULL;
    return first && second && built;
}

static bool check_points(crn_reader *reader, const char *field, const crn_vectors *points)
{
    if (!points->node || points->count == 2)
        return true;
    return crn_problem_at(reader, points->node, "%s: expected a list of 2 points, found %s", field,
                   crn_describe(points->node).text);
}

/* Both attachments, at the given points or at the bodies' origins. */
static void attach(const crn_reader *reader, const cairn_body bodies[2], const crn_vectors *points, cairn_attachment *a,
                   cairn_attachment *b)
{
    assert(reader->dimension == 2 || reader->dimension == 3);
    size_t bytes = sizeof(double) * (size_t)reader->dimension;
    *a = (cairn_attachment){.body = bodies[0]};
    *b = (cairn_attachment){.body = bodies[1]};
    if (!points->node)
        return;
    assert(points->count == 2);
    memcpy(a->point, points->values, bytes);
    memcpy(b->point, points->values + reader->dimension, bytes);
}

/* --------------------------------------------------------------------------------------------------- joints */

/* A joint whose points coincide is placed by `at` or by `points`. */
static bool check_place(crn_reader *reader, const crn_node *node, const crn_joint_record *record)
{
    assert(record->type.index >= 0 && record->type.index < reader->joint_fields->count);
    const crn_joint_class *type = reader->joint_fields->type[record->type.index];
    if (record->axis_b.node && crn_norm3(record->axis_b.value) == 0)
        return crn_problem_at(reader, record->axis_b.node, "axis_b: must not have zero length");
    if (type->fields & CRN_JOINT_APART || (record->at.node != NULL) != (record->points.node != NULL))
        return check_points(reader, "points", &record->points) && check_points(reader, "over", &record->over);
    return crn_problem_at(reader, node, "a %s joint needs either 'at' or 'points'", type->name);
}

static void fill_joint(const crn_reader *reader, const crn_joint_record *record, const cairn_body bodies[2],
                       cairn_joint_options *options)
{
    options->name = record->name.text;
    options->collide = record->collide.value;
    attach(reader, bodies, &record->points, &options->a, &options->b);
    if (record->at.node)
    {
        options->a = cairn_model_attach(reader->model, bodies[0], record->at.value);
        options->b = cairn_model_attach(reader->model, bodies[1], record->at.value);
    }
    if (record->axis.node)
        memcpy(options->axis, record->axis.value, sizeof options->axis);
    memcpy(options->axis_b, record->axis_b.value, sizeof options->axis_b);
    memcpy(options->second_axis, record->second_axis.value, sizeof options->second_axis);
    for (int i = 0; record->over.node && i < 2; ++i)
        memcpy(options->over[i], record->over.values + i * reader->dimension, (size_t)reader->dimension * sizeof(double));
    if (record->length.node)
        options->length = record->length.value;
    options->stiffness = record->stiffness.value;
    options->damping = record->damping.value;
    options->angular_stiffness = record->angular_stiffness.value;
    options->angular_damping = record->angular_damping.value;
    if (record->weight.node)
        options->weight = record->weight.value;
}

/* A matrix, row by row, or its diagonal. */
static bool read_matrix(crn_reader *reader, const char *field, const crn_node *node, double out[36], const double **matrix)
{
    if (!node)
        return true;
    int n = reader->dimension == 2 ? 3 : 6, row = 0;
    const char *outer = reader->field;
    reader->field = field;
    bool fine = true, diagonal = node->first && node->first->kind != CRN_LIST;
    memset(out, 0, 36 * sizeof(double));
    if (diagonal)
    {
        double entry[6];
        fine = crn_read_numbers(reader, node, n, entry);
        for (int i = 0; fine && i < n; ++i)
            out[i * (n + 1)] = entry[i];
    }
    else if (node->kind != CRN_LIST || node->count != n)
        fine = crn_problem_at(reader, node, "expected a list of %d rows of %d numbers, or of the %d on the diagonal, "
                              "found %s", n, n, n, crn_describe(node).text);
    else
        for (const crn_node *item = node->first; item; item = item->next)
            fine = crn_read_numbers(reader, item, n, out + n * row++) && fine;
    reader->field = outer;
    *matrix = out;
    return fine;
}

static void build_joint(crn_reader *reader, const crn_node *node)
{
    crn_joint_record record;
    cairn_body bodies[2];
    cairn_joint made;
    int before = crn_problem_total(reader);
    bool fine = crn_read_object(reader, &reader->joint_fields->object, node, &record);
    crn_register(reader, &reader->joints, "joint", &record.name, 0);
    if (fine)
        check_place(reader, node, &record);
    bool built = record.bodies.node && find_bodies(reader, &record.bodies, true, bodies);
    if (!built || crn_problem_total(reader) != before)
        return;
    cairn_joint_number numbers[CRN_JOINT_NUMBERS];
    double K[36], C[36];
    cairn_joint_options options = cairn_joint_default((cairn_joint_kind)record.type.index);
    if (!read_matrix(reader, "stiffness_matrix", record.stiffness_matrix.node, K, &options.stiffness_matrix) ||
        !read_matrix(reader, "damping_matrix", record.damping_matrix.node, C, &options.damping_matrix))
        return;
    fill_joint(reader, &record, bodies, &options);
    options.numbers = numbers;
    options.number_count = crn_joint_fields_numbers(reader->joint_fields, &record, numbers);
    const crn_joint_class *type = reader->joint_fields->type[record.type.index];
    crn_pass_on(reader, node, crn_model_add_joint_of(reader->model, type, &options, &made));
}

/* What acts on the coordinates of a joint, once all joints are there: expressions may name any of them. */
static void build_acting(crn_reader *reader, const crn_node *node)
{
    if (node->kind != CRN_MAPPING)
        return;
    const crn_node *name = crn_node_field(node, "name");
    bool named = reader->model && name && name->kind == CRN_SCALAR;
    crn_build_coordinates(reader, crn_node_field(node, "coordinates"),
                          named ? cairn_model_find_joint(reader->model, name->text) : (cairn_joint){.id = 0});
}

/* -------------------------------------------------------------------------------------------------- springs */

static void build_spring(crn_reader *reader, const crn_node *node)
{
    crn_spring_record record;
    cairn_body bodies[2];
    cairn_spring made;
    int before = crn_problem_total(reader);
    bool fine = crn_read_object(reader, &crn_spring_object, node, &record);
    crn_register(reader, &reader->springs, "spring", &record.name, 0);
    if (fine)
        check_points(reader, "points", &record.points);
    bool built = record.bodies.node && find_bodies(reader, &record.bodies, true, bodies);
    if (!built || crn_problem_total(reader) != before)
        return;
    cairn_spring_options options = cairn_spring_default((cairn_spring_kind)record.type.index);
    options.name = record.name.text;
    options.stiffness = record.stiffness.value;
    options.damping = record.damping.value;
    if (record.rest.node)
        options.rest = record.rest.value;
    if (record.axis.node)
        memcpy(options.axis, record.axis.value, sizeof options.axis);
    attach(reader, bodies, &record.points, &options.a, &options.b);
    crn_pass_on(reader, node, cairn_model_add_spring(reader->model, &options, &made));
}

/* --------------------------------------------------------------------------------------------------- forces */

/* Read one expression in the plane, three in space. */
static bool read_torque(crn_reader *reader, const crn_node *node, const char *out[3])
{
    assert(!reader->field);
    if (!node || reader->dimension == 0)
        return true;
    reader->field = "torque";
    bool fine = reader->dimension == 2 ? crn_read_formula(reader, node, &out[2]) : crn_read_formulas(reader, node, out);
    reader->field = NULL;
    return fine;
}

static bool check_acts(crn_reader *reader, const crn_node *node, const crn_force_record *record)
{
    if (record->force.node || record->torque.node)
        return true;
    return crn_problem_at(reader, node, "needs 'force', 'torque' or both");
}

static void build_force(crn_reader *reader, const crn_node *node)
{
    crn_force_record record;
    cairn_force_options options = cairn_force_default();
    cairn_force made;
    int before = crn_problem_total(reader);
    bool fine = crn_read_object(reader, &crn_force_object, node, &record);
    crn_register(reader, &reader->forces, "force", &record.name, 0);
    if (fine)
        check_acts(reader, node, &record);
    read_torque(reader, record.torque.node, options.torque);
    bool built = reader->model && record.body.node;
    reader->field = "body";
    if (record.body.node)
        crn_find_body(reader, record.body.node, false, &options.body, &built);
    reader->field = NULL;
    if (!built || crn_problem_total(reader) != before)
        return;
    options.name = record.name.text;
    options.body_frame = record.frame.index == 1;
    memcpy(options.force, record.force.text, sizeof options.force);
    memcpy(options.point, record.point.value, sizeof options.point);
    crn_pass_on(reader, node, cairn_model_add_force(reader->model, &options, &made));
}

/* --------------------------------------------------------------------------------------------- ignored pairs */

static void build_ignore(crn_reader *reader, const crn_node *node)
{
    crn_names names = {0};
    cairn_body bodies[2];
    if (crn_read_names(reader, node, &names) && find_bodies(reader, &names, false, bodies))
        crn_pass_on(reader, node, cairn_model_ignore_contact(reader->model, bodies[0], bodies[1]));
}

void crn_build_links(crn_reader *reader, const crn_scene_record *scene)
{
    crn_joint_fields joint_fields;
    crn_joint_fields_make(reader->context, reader->dimension, &joint_fields);
    reader->joint_fields = &joint_fields;
    crn_read_list(reader, scene->joints.node, "joints", "joint", build_joint);
    reader->joint_fields = NULL;
    crn_read_list(reader, scene->couplings.node, "couplings", "coupling", crn_build_coupling);
    if (scene->joints.node && scene->joints.node->kind == CRN_LIST)
        crn_read_list(reader, scene->joints.node, "joints", "joint", build_acting);
    crn_read_list(reader, scene->springs.node, "springs", "spring", build_spring);
    crn_read_list(reader, scene->forces.node, "forces", "force", build_force);
    crn_read_list(reader, scene->ignore.node, "ignore", "ignored pair", build_ignore);
}
