/* `cairn check`: is a scene right? */
#include "cli.h"
#include "json.h"
#include "options.h"
#include "scene_source.h"

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
    {
        found.dynamic += cairn_model_body_kind(model, cairn_model_body(model, i)) == CAIRN_DYNAMIC;
    }
    return found;
}

static void print_json(cairn_context *context, const char *name, const cairn_scene *scene)
{
    crn_json json = {.stream = stdout};
    crn_json_open(&json, NULL, '{');
    crn_json_text(&json, "status", scene ? "ok" : "invalid");
    crn_json_text(&json, "scene", name);
    crn_json_open(&json, "messages", '[');
    for (int i = 0; i < cairn_context_message_count(context); ++i)
    {
        cairn_message message = cairn_context_message(context, i);
        crn_json_open(&json, NULL, '{');
        crn_json_text(&json, "file", message.file ? message.file : name);
        crn_json_integer(&json, "line", message.line);
        crn_json_integer(&json, "column", message.column);
        crn_json_text(&json, "text", message.text);
        crn_json_close(&json, '}');
    }
    crn_json_close(&json, ']');
    if (scene)
    {
        counts found = count_things(cairn_scene_model(scene));
        crn_json_text(&json, "title", cairn_scene_title(scene));
        crn_json_integer(&json, "dimension", cairn_model_dimension(cairn_scene_model(scene)));
        crn_json_integer(&json, "bodies", found.bodies);
        crn_json_integer(&json, "dynamic_bodies", found.dynamic);
        crn_json_integer(&json, "shapes", found.shapes);
        crn_json_integer(&json, "joints", found.joints);
        crn_json_integer(&json, "springs", found.springs);
        crn_json_integer(&json, "forces", found.forces);
        crn_json_number(&json, "step", cairn_scene_settings(scene).step);
        crn_json_number(&json, "until", cairn_scene_until(scene));
    }
    crn_json_close(&json, '}');
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
        return crn_cli_exit_status(status);
    }
    cairn_simulation_destroy(simulation);
    return CRN_EXIT_DONE;
}

static int check_scene(cairn_context *context, const char *name, const crn_text_list *set, bool json)
{
    cairn_scene *scene;
    int result = crn_cli_load_scene(context, name, set, true, &scene);
    result = result ? result : check_simulation(context, &scene);
    /* Without a message the tool itself refused the argument, and has said so. */
    bool told = !scene && cairn_context_message_count(context) == 0;
    if (json && !told)
    {
        print_json(context, name, scene);
    }
    else if (scene)
    {
        print_text(name, scene);
    }
    crn_cli_print_messages(context);
    cairn_scene_destroy(scene);
    return result;
}

int crn_cli_check(int argc, char **argv)
{
    bool json = false;
    crn_text_list set = {0};
    const crn_option options[] = {
        {"set", 's', CRN_OPTION_LIST, &set, "NAME=VALUE", "give a parameter of the scene another value; repeatable"},
        {"json", 0, CRN_OPTION_FLAG, &json, NULL, "print one JSON object, the messages in it, on standard output"},
    };
    const crn_command command = {.usage = "check SCENE [options]",
                                 .text = "Read a scene (a file, or the name of a built-in one) and say whether it is "
                                         "right.\nEvery error is printed on standard error as file:line:column: "
                                         "message.",
                                 .options = options,
                                 .option_count = sizeof options / sizeof options[0],
                                 .least = 1,
                                 .most = 1};
    int first;
    int result = crn_options_parse(&command, argc, argv, &first);
    if (result == CRN_GO_ON)
    {
        cairn_context *context = cairn_context_create();
        result = check_scene(context, argv[first], &set, json);
        cairn_context_destroy(context);
    }
    free((void *)set.items);
    return result;
}
