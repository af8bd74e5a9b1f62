/* `cairn check`: is a scene right? */
#include "cli/common/cli.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/scene_source.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct counts
{
    int bodies, dynamic, shapes, joints, springs, forces;
} counts;

static counts count_things(const cairn_model *model)
{
    counts found = {.bodies = cairn_model_body_count(model),
                    .shapes = cairn_model_shape_count(model),
                    .joints = cairn_model_joint_count(model),
                    .springs = cairn_model_spring_count(model),
                    .forces = cairn_model_force_count(model)};
    for (int i = 0; i < found.bodies; ++i)
        found.dynamic += cairn_model_body_kind(model, cairn_model_body(model, i)) == CAIRN_DYNAMIC;
    return found;
}

static void print_json(cairn_context *context, const char *name, const cairn_scene *scene)
{
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "status", scene ? "ok" : "invalid");
    cli_json_text(&json, "scene", name);
    cli_json_open(&json, "messages", '[');
    for (int i = 0; i < cairn_context_message_count(context); ++i)
    {
        cairn_message message = cairn_context_message(context, i);
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "file", message.file ? message.file : name);
        cli_json_integer(&json, "line", message.line);
        cli_json_integer(&json, "column", message.column);
        cli_json_text(&json, "text", message.text);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    if (scene)
    {
        counts found = count_things(cairn_scene_model(scene));
        cli_json_text(&json, "title", cairn_scene_title(scene));
        cli_json_integer(&json, "dimension", cairn_model_dimension(cairn_scene_model(scene)));
        cli_json_integer(&json, "bodies", found.bodies);
        cli_json_integer(&json, "dynamic_bodies", found.dynamic);
        cli_json_integer(&json, "shapes", found.shapes);
        cli_json_integer(&json, "joints", found.joints);
        cli_json_integer(&json, "springs", found.springs);
        cli_json_integer(&json, "forces", found.forces);
        cli_json_number(&json, "step", cairn_scene_settings(scene).step);
        cli_json_number(&json, "until", cairn_scene_until(scene));
    }
    cli_json_close(&json, '}');
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static void print_text(const char *name, const cairn_scene *scene)
{
    const cairn_model *model = cairn_scene_model(scene);
    counts n = count_things(model);
    printf("%s: OK: %s, %d bod%s (%d dynamic), %d shape%s, %d joint%s, %d spring%s, %d force%s; step %g s until %g s\n",
           name, cairn_model_dimension(model) == 2 ? "planar" : "spatial", n.bodies, n.bodies == 1 ? "y" : "ies",
           n.dynamic, n.shapes, plural(n.shapes), n.joints, plural(n.joints), n.springs, plural(n.springs), n.forces,
           plural(n.forces), cairn_scene_settings(scene).step, cairn_scene_until(scene));
}

/* A scene is right when a simulation can be made of it. */
static int check_simulation(cairn_context *context, cairn_scene **scene)
{
    cairn_settings settings = cairn_scene_settings(*scene);
    cairn_simulation *simulation;
    cairn_status status = cairn_simulation_create(context, cairn_scene_model(*scene), &settings, &simulation);
    if (status)
    {
        cairn_scene_destroy(*scene);
        *scene = NULL;
        return cli_exit_status(status);
    }
    cairn_simulation_destroy(simulation);
    return CLI_EXIT_DONE;
}

static int check_scene(cairn_context *context, const char *name, const cli_text_list *set, bool json)
{
    cairn_scene *scene;
    int result = cli_load_scene(context, name, set, true, &scene);
    result = result ? result : check_simulation(context, &scene);
    /* Without a message the tool itself refused the argument, and has said so. */
    bool told = !scene && cairn_context_message_count(context) == 0;
    if (json && !told)
        print_json(context, name, scene);
    else if (scene)
        print_text(name, scene);
    cli_print_messages(context);
    cairn_scene_destroy(scene);
    return result;
}

int cli_command_check(int argc, char **argv)
{
    bool json = false;
    cli_text_list set = {0};
    const cli_option options[] = {
        {"set", 's', CLI_OPTION_LIST, &set, "NAME=VALUE", "give a parameter of the scene another value; repeatable"},
        {"json", 0, CLI_OPTION_FLAG, &json, NULL, "print one JSON object, the messages in it, on standard output"},
    };
    const cli_command command = {.usage = "check SCENE [options]",
                                 .text = "Read a scene (a file, or the name of a built-in one) and say whether it is "
                                         "right.\nEvery error is printed on standard error as file:line:column: "
                                         "message.",
                                 .options = options,
                                 .option_count = sizeof options / sizeof options[0],
                                 .least = 1,
                                 .most = 1};
    int first;
    int result = cli_options_parse(&command, argc, argv, &first);
    if (result == CLI_GO_ON)
    {
        cairn_context *context = cairn_context_create();
        result = check_scene(context, argv[first], &set, json);
        cairn_context_destroy(context);
    }
    free((void *)set.items);
    return result;
}
