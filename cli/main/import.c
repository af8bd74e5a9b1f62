/* `cairn import`: what a robot of another program becomes, and what of it was left out. */
#include "cli/common/import.h"
#include "cli/common/cli.h"
#include "cli/common/json.h"
#include "cli/common/options.h"

#include <stdio.h>

typedef struct import_options
{
    cairn_import_options read;
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

static void print_json(const char *path, const cairn_scene *scene, const cairn_import_notes *notes)
{
    const cairn_model *model = cairn_scene_model(scene);
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "file", path);
    cli_json_text(&json, "title", cairn_scene_title(scene));
    cli_json_integer(&json, "bodies", cairn_model_body_count(model));
    cli_json_integer(&json, "shapes", cairn_model_shape_count(model));
    cli_json_integer(&json, "joints", cairn_model_joint_count(model));
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

static int import_robot(void *data, int count, char **arguments)
{
    (void)count;
    const import_options *o = data;
    cairn_context *context = cli_context_create();
    cairn_import_notes *notes;
    cairn_scene *scene;
    cairn_status status = cairn_import_file(context, arguments[0], &o->read, &notes, &scene);
    if (status)
        cli_messages_print(context);
    else if (o->json)
        print_json(arguments[0], scene, notes);
    else
    {
        print_text(scene);
        printf("notes: %d\n", cairn_import_note_count(notes));
        cli_import_print(notes, o->all);
    }
    cairn_import_notes_destroy(notes);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return status == CAIRN_IO ? CLI_EXIT_WRONG : cli_exit_status(status);
}

int cli_command_import(int argc, char **argv)
{
    import_options o = {.read = cairn_import_default()};
    const cli_option options[] = {
        {CLI_FLAG("free-base", 0, &o.read.free_base, "URDF: the root link moves freely instead of being fixed")},
        {CLI_FLAG("surfaces", 0, &o.read.surfaces, "meshes collide as they are, not as their convex hulls")},
        {CLI_VALUE(TEXT, "packages", 0, &o.read.packages, "DIR", "look up package:// paths in this folder too")},
        {CLI_FLAG("all", 'a', &o.all, "list every note, also those of the same sentence")},
        {CLI_FLAG("json", 0, &o.json, "print one JSON object")},
        {0},
    };
    const cli_command command = {
        .usage = "import FILE [options]",
        .text = "Read a robot from a URDF file: list its bodies and joints, and with file and line\n"
                "whatever was changed or left out because it has no counterpart. 'cairn run FILE' and\n"
                "'cairn check FILE' read such files too.",
        .options = options,
        .least = 1,
        .most = 1,
        .work = import_robot,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
