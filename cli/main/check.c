/* `cairn check`: validate a scene. */
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

/* A scene is valid when a simulation can be created from it. */
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

typedef struct check_options
{
    bool json;
    cli_text_list set;
} check_options;

static int check_scene(void *data, int count, char **arguments)
{
    (void)count;
    const check_options *o = data;
    cairn_context *context = cli_context_create();
    cairn_scene *scene;
    int result = cli_scene_load(context, arguments[0], &o->set, true, &scene);
    result = result ? result : check_simulation(context, &scene);
    /* Without a message, the tool has already reported that it refuses the argument. */
    bool told = !scene && cairn_context_message_count(context) == 0;
    if (o->json && !told)
        print_json(context, arguments[0], scene);
    else if (scene)
        print_text(arguments[0], scene);
    cli_messages_print(context);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return result;
}

int cli_command_check(int argc, char **argv)
{
    check_options o = {0};
    const cli_option options[] = {
        {CLI_VALUE(LIST, "set", 's', &o.set, "NAME=VALUE", "set a parameter of the scene; repeatable")},
        {CLI_FLAG("json", 0, &o.json, "print one JSON object, including the messages")},
        {0},
    };
    const cli_command command = {.usage = "check SCENE [options]",
                                 .text = "Validate a scene: a file, or the built-in scene of that name.\nErrors go to "
                                         "standard error as file:line:column: message.",
                                 .options = options,
                                 .least = 1,
                                 .most = 1,
                                 .work = check_scene,
                                 .data = &o};
    return cli_command_call(&command, argc, argv);
}
