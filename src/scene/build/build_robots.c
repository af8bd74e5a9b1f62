/* Robots from files of other programs: `robots: [{file: arm.xml, position: [0, 0, 1], drives: {elbow: {...}}}]`. Their bodies and joints
 * join those of the scene under their names. */
#include "scene/adopt.h"
#include "scene/build/build.h"
#include "scene/formula.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The entry of a joint in a list that grows by one where the joint is not there yet; there is room. */
static cairn_import_joint *joint_of(cairn_import_joint *list, int *count, const char *name)
{
    for (int i = 0; i < *count; ++i)
        if (strcmp(list[i].joint, name) == 0)
            return &list[i];
    list[*count] = cairn_import_joint_default();
    list[*count].joint = name;
    return &list[(*count)++];
}

static bool is_mapping(crn_reader *reader, const char *field, const crn_node *node)
{
    if (!node || node->kind == CRN_MAPPING)
        return true;
    reader->field = field;
    crn_problem_at(reader, node, "expected a mapping of joints, found %s", crn_describe(node).text);
    reader->field = NULL;
    return false;
}

static int count_of(const crn_node *node)
{
    return node ? node->count : 0;
}

/* Read `initial` and `drives`. The tables of targets, one per drive, are the caller's. */
static bool read_joints(crn_reader *reader, const crn_robot_record *record, double **tables,
                        cairn_import_joint *list, int *count)
{
    bool fine = true;
    int table = 0;
    reader->field = "initial";
    for (const crn_node *value = record->initial.node ? record->initial.node->first : NULL; value; value = value->next)
        fine = crn_read_number(reader, value, CRN_ANY, &joint_of(list, count, value->key->text)->initial) && fine;
    reader->field = NULL;
    for (const crn_node *value = record->drives.node ? record->drives.node->first : NULL; value; value = value->next)
    {
        cairn_coordinate_options o = cairn_coordinate_default();
        cairn_import_joint *joint = joint_of(list, count, value->key->text);
        fine = crn_read_drive(reader, value, &tables[table++], &o) && fine;
        joint->drive = o.drive;
        joint->target = o.target;
        joint->drive_stiffness = o.drive_stiffness;
        joint->drive_damping = o.drive_damping;
        joint->drive_limit = o.drive_limit;
        joint->drive_power = o.drive_power;
    }
    return fine;
}

/* Make the names of what was added known to the rest of the scene. */
static void register_new(crn_reader *reader, const crn_node *node, int bodies, int joints)
{
    for (int i = bodies; i < cairn_model_body_count(reader->model); ++i)
    {
        cairn_body body = cairn_model_body(reader->model, i);
        const char *name = cairn_model_body_name(reader->model, body);
        if (!crn_index_add(&reader->bodies, (crn_entry){name, body.id, node->line}))
            reader->no_memory = true;
    }
    for (int i = joints; i < cairn_model_joint_count(reader->model); ++i)
    {
        cairn_joint joint = cairn_model_joint(reader->model, i);
        const char *name = cairn_model_joint_name(reader->model, joint);
        if (!crn_index_add(&reader->joints, (crn_entry){name, joint.id, node->line}))
            reader->no_memory = true;
    }
}

static void import(crn_reader *reader, const crn_node *node, const crn_robot_record *record,
                   const cairn_import_options *options)
{
    int bodies = cairn_model_body_count(reader->model), joints = cairn_model_joint_count(reader->model);
    size_t room = strlen(reader->folder) + strlen(record->file.text) + 2;
    char *path = crn_reader_memory(reader, room);
    bool rooted = record->file.text[0] == '/';
    if (!path)
        return;
    snprintf(path, room, "%s%s%s", rooted ? "" : reader->folder, rooted ? "" : "/", record->file.text);
    if (crn_pass_on(reader, record->file.node, cairn_import_into(reader->model, path, options, NULL)))
        register_new(reader, node, bodies, joints);
    reader->has_robots = true;
}

static bool fill(crn_reader *reader, const crn_robot_record *record, cairn_import_options *o)
{
    o->prefix = record->prefix.node ? record->prefix.text : NULL;
    o->packages = record->packages.node ? record->packages.text : NULL;
    o->keyframe = record->keyframe.node ? record->keyframe.text : NULL;
    o->free_base = record->free_base.value;
    o->surfaces = record->surfaces.value;
    memcpy(o->position, record->position.value, sizeof o->position);
    return !record->orientation.node || crn_read_orientation(reader, record->orientation.node, o->orientation);
}

static void build_robot(crn_reader *reader, const crn_node *node)
{
    crn_robot_record record;
    cairn_import_options options = cairn_import_default();
    int before = crn_problem_total(reader);
    crn_read_object(reader, &crn_robot_object, node, &record);
    if (crn_problem_total(reader) != before || !reader->model)
        return;
    if (reader->dimension != 3)
    {
        crn_problem_at(reader, node, "robots are bodies of space; `dimension` is %d", reader->dimension);
        return;
    }
    if (!reader->folder)
    {
        crn_problem_at(reader, record.file.node, "file: the scene is a text alone, which has no folder to look in");
        return;
    }
    bool fine = fill(reader, &record, &options);
    fine = is_mapping(reader, "initial", record.initial.node) && is_mapping(reader, "drives", record.drives.node) && fine;
    size_t most = (size_t)(fine ? count_of(record.initial.node) + count_of(record.drives.node) : 0) + 1;
    cairn_import_joint *list = crn_reader_memory(reader, most * sizeof *list);
    double **tables = crn_reader_memory(reader, most * sizeof *tables);
    if (fine && list && tables && read_joints(reader, &record, tables, list, &options.joint_count))
    {
        options.joints = list;
        import(reader, node, &record, &options);
    }
    for (size_t i = 0; tables && i < most; ++i)
        free(tables[i]);
}

void crn_build_robots(crn_reader *reader, const crn_scene_record *scene)
{
    crn_read_list(reader, scene->robots.node, "robots", "robot", build_robot);
}
