/* `cairn import`: what a robot of another program becomes, and what of it was left out. */
#include "cli/common/import.h"
#include "cli/common/cli.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/out_file.h"

#include <stdio.h>
#include <string.h>

typedef struct import_options
{
    cairn_import_options read;
    const char *output;
    bool all, json;
} import_options;

static void print_joints(const cairn_model *model)
{
    for (int i = 0; i < cairn_model_joint_count(model); ++i)
    {
        cairn_joint joint = cairn_model_joint(model, i);
        cairn_attachment a, b;
        cairn_model_joint_attachments(model, joint, &a, &b);
        printf("  %s: %s, %s to %s", cairn_model_joint_name(model, joint), cairn_model_joint_type(model, joint),
               cairn_model_body_name(model, a.body), cairn_model_body_name(model, b.body));
        for (int k = 0; k < cairn_model_coordinate_count(model, joint); ++k)
        {
            cairn_coordinate_info c = cairn_model_coordinate_info(model, joint, k);
            printf(", %s %g to %g", c.name, c.lower, c.upper);
        }
        putchar('\n');
    }
}

static void print_text(const cairn_scene *scene)
{
    const cairn_model *model = cairn_scene_model(scene);
    printf("%s: %d bodies, %d shapes, %d joints\n", cairn_scene_title(scene), cairn_model_body_count(model),
           cairn_model_shape_count(model), cairn_model_joint_count(model));
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        bool fixed = cairn_model_body_kind(model, body) != CAIRN_DYNAMIC;
        printf("  %s: ", cairn_model_body_name(model, body));
        if (fixed)
            puts("fixed");
        else
            printf("%.6g kg\n", cairn_model_body_mass(model, body));
    }
    print_joints(model);
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

/* Where a body begins: p = R'(w - x) of the origin and the unit vectors gives R and x. */
static void pose_of(const cairn_model *model, cairn_body body, double x[3], double R[9])
{
    static const double AT[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double p[4][3];
    for (int i = 0; i < 4; ++i)
        memcpy(p[i], cairn_model_attach(model, body, AT[i]).point, sizeof p[i]);
    for (int i = 0; i < 9; ++i)
        R[i] = p[1 + i / 3][i % 3] - p[0][i % 3];
    for (int i = 0; i < 3; ++i)
        x[i] = -(R[3 * i] * p[0][0] + R[3 * i + 1] * p[0][1] + R[3 * i + 2] * p[0][2]);
}

static void turn(const double R[9], const double d[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = R[3 * i] * d[0] + R[3 * i + 1] * d[1] + R[3 * i + 2] * d[2];
}

static void put_bodies(cli_json *json, const cairn_model *model)
{
    cli_json_open(json, "bodies", '[');
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        double x[3], R[9], inertia[9];
        pose_of(model, body, x, R);
        cairn_model_body_inertia(model, body, inertia);
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", cairn_model_body_name(model, body));
        cli_json_bool(json, "fixed", cairn_model_body_kind(model, body) != CAIRN_DYNAMIC);
        cli_json_number(json, "mass", cairn_model_body_mass(model, body));
        cli_json_numbers(json, "inertia", inertia, 9);
        cli_json_numbers(json, "position", x, 3);
        cli_json_numbers(json, "rotation", R, 9);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_shapes(cli_json *json, const cairn_model *model)
{
    cli_json_open(json, "shapes", '[');
    for (int i = 0; i < cairn_model_shape_count(model); ++i)
    {
        cairn_shape_info shape = cairn_model_shape_info(model, cairn_model_shape(model, i));
        double x[3], R[9], at[3];
        if (shape.piece)
            continue;
        pose_of(model, shape.body, x, R);
        turn(R, shape.position, at);
        for (int k = 0; k < 3; ++k)
            at[k] += x[k];
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "kind", shape.name);
        cli_json_text(json, "body", cairn_model_body_name(model, shape.body));
        cli_json_numbers(json, "at", at, 3);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_coordinate(cli_json *json, const cairn_coordinate_info *c, const double R[2][9])
{
    double axis[3];
    turn(R[c->axis_side], c->axis, axis);
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", c->name);
    cli_json_numbers(json, "axis", axis, 3);
    cli_json_number(json, "lower", c->lower);
    cli_json_number(json, "upper", c->upper);
    cli_json_number(json, "friction", c->friction);
    cli_json_number(json, "damping", c->damping);
    cli_json_number(json, "stiffness", c->stiffness);
    if (c->drive != CAIRN_DRIVE_NONE)
    {
        cli_json_number(json, "drive_stiffness", c->drive_stiffness);
        cli_json_number(json, "drive_damping", c->drive_damping);
        cli_json_number(json, "drive_limit", c->drive_limit);
    }
    cli_json_number(json, "rotor_inertia", c->rotor_inertia);
    cli_json_close(json, '}');
}

static void put_joints(cli_json *json, const cairn_model *model)
{
    cli_json_open(json, "joints", '[');
    for (int i = 0; i < cairn_model_joint_count(model); ++i)
    {
        cairn_joint joint = cairn_model_joint(model, i);
        cairn_attachment end[2];
        double x[2][3], R[2][9], at[3];
        cairn_model_joint_attachments(model, joint, &end[0], &end[1]);
        for (int k = 0; k < 2; ++k)
            pose_of(model, end[k].body, x[k], R[k]);
        turn(R[1], end[1].point, at);
        for (int k = 0; k < 3; ++k)
            at[k] += x[1][k];
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", cairn_model_joint_name(model, joint));
        cli_json_text(json, "type", cairn_model_joint_type(model, joint));
        cli_json_text(json, "a", cairn_model_body_name(model, end[0].body));
        cli_json_text(json, "b", cairn_model_body_name(model, end[1].body));
        cli_json_numbers(json, "at", at, 3);
        cli_json_open(json, "coordinates", '[');
        for (int k = 0; k < cairn_model_coordinate_count(model, joint); ++k)
        {
            cairn_coordinate_info c = cairn_model_coordinate_info(model, joint, k);
            put_coordinate(json, &c, (const double(*)[9])R);
        }
        cli_json_close(json, ']');
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void print_json(const char *path, const cairn_scene *scene, const cairn_import_notes *notes)
{
    const cairn_model *model = cairn_scene_model(scene);
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "file", path);
    cli_json_text(&json, "title", cairn_scene_title(scene));
    put_bodies(&json, model);
    put_shapes(&json, model);
    put_joints(&json, model);
    cli_json_open(&json, "notes", '[');
    for (int i = 0; i < cairn_import_note_count(notes); ++i)
    {
        cairn_message note = cairn_import_note(notes, i);
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "file", note.file);
        cli_json_integer(&json, "line", note.line);
        cli_json_text(&json, "text", note.text);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
}

/* The robot as a scene file. Where the importer could not write it, writing it again says why. */
static int write_scene(cairn_context *context, const cairn_scene *scene, const char *path)
{
    char *text = NULL;
    if (cairn_scene_text(scene)[0] != '\0')
        return cli_out_text(path, cairn_scene_text(scene));
    cairn_status status = cairn_scene_written_out(scene, &text);
    cairn_text_destroy(text);
    cli_messages_print(context);
    return cli_exit_status(status);
}

/* On standard output, unless the scene itself goes there. */
static void print_robot(const import_options *o, const char *path, const cairn_scene *scene,
                        const cairn_import_notes *notes)
{
    if (o->output && !strcmp(o->output, "-"))
        return;
    if (o->json)
        print_json(path, scene, notes);
    else
    {
        print_text(scene);
        printf("notes: %d\n", cairn_import_note_count(notes));
        cli_import_print(notes, o->all);
    }
}

static int import_robot(void *data, int count, char **arguments)
{
    (void)count;
    const import_options *o = data;
    cairn_context *context = cli_context_create();
    cairn_import_notes *notes;
    cairn_scene *scene;
    cairn_status status = cairn_import_file(context, arguments[0], &o->read, &notes, &scene);
    int result = status == CAIRN_IO ? CLI_EXIT_WRONG : cli_exit_status(status);
    if (status)
        cli_messages_print(context);
    else
        print_robot(o, arguments[0], scene, notes);
    if (!status && o->output)
        result = write_scene(context, scene, o->output);
    cairn_import_notes_destroy(notes);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return result;
}

int cli_command_import(int argc, char **argv)
{
    import_options o = {.read = cairn_import_default()};
    const cli_option options[] = {
        {CLI_VALUE(TEXT, "output", 'o', &o.output, "FILE", "write the robot as a scene file; - for standard output")},
        {CLI_FLAG("free-base", 0, &o.read.free_base, "URDF: the root link moves freely instead of being fixed")},
        {CLI_FLAG("surfaces", 0, &o.read.surfaces, "meshes collide as they are, not as their convex hulls")},
        {CLI_VALUE(TEXT, "packages", 0, &o.read.packages, "DIR", "look up package:// paths in this folder too")},
        {CLI_VALUE(TEXT, "keyframe", 0, &o.read.keyframe, "NAME", "MJCF: begin in this keyframe")},
        {CLI_FLAG("all", 'a', &o.all, "list every note, also those of the same sentence")},
        {CLI_FLAG("json", 0, &o.json, "print one JSON object, with poses, masses and inertias")},
        {0},
    };
    const cli_command command = {
        .usage = "import FILE [-o SCENE] [options]",
        .text = "Read a robot from a URDF or MJCF file: list its bodies and joints, and with file and line\n"
                "whatever was changed or left out because it has no counterpart. With -o the robot is\n"
                "written as a scene file. 'cairn run FILE' and 'cairn check FILE' read such files too.",
        .options = options,
        .least = 1,
        .most = 1,
        .work = import_robot,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
