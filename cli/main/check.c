/* `cairn check`: validate a scene. */
#include "cli/common/assembly.h"
#include "cli/common/cli.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/scene_source.h"
#include "cli/main/inertia.h"

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

/* A scene, and what is known about it. */
typedef struct checked
{
    cairn_context *context;
    cairn_scene *scene;
    bool valid;                   /* a simulation can be created from it */
    cairn_simulation *simulation; /* that one; if it is not valid NULL, or one of its closest assembly */
    cairn_freedoms freedoms;
    int *redundant; /* equations per joint */
    bool wants_inertia;
    cli_inertia inertia; /* of no coordinates, where nobody wants it */
} checked;

static void put_mechanism(cli_json *json, const checked *c)
{
    const cairn_model *model = cairn_scene_model(c->scene);
    if (cairn_model_joint_count(model) > 0)
        cli_freedoms_put(json, &c->freedoms, c->redundant, model);
    cli_assembly_put(json, cairn_simulation_assembly(c->simulation), model);
    if (c->wants_inertia)
        cli_inertia_put(json, &c->inertia, model);
}

static void print_json(const checked *c, const char *name)
{
    const cairn_context *context = c->context;
    const cairn_scene *scene = c->valid ? c->scene : NULL;
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
    if (c->simulation)
        put_mechanism(&json, c);
    cli_json_close(&json, '}');
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static void print_mechanism(const checked *c)
{
    const cairn_model *model = cairn_scene_model(c->scene);
    if (cairn_model_joint_count(model) > 0)
        cli_freedoms_print(&c->freedoms, c->redundant, model);
    const cairn_assembly *assembly = cairn_simulation_assembly(c->simulation);
    if (c->valid || !cairn_assembly_result(assembly).assembled)
        cli_assembly_print(assembly, model, true);
    cli_inertia_print(&c->inertia, model);
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

/* A scene is valid when a simulation can be created from it. If it is not, its closest assembly may say why. */
static int check_simulation(checked *c)
{
    cairn_settings settings = cairn_scene_settings(c->scene);
    const cairn_model *model = cairn_scene_model(c->scene);
    cairn_status status = cairn_simulation_create(c->context, model, &settings, &c->simulation);
    c->valid = !status;
    settings.initial = CAIRN_INITIAL_CLOSEST;
    if (status == CAIRN_INVALID && cairn_model_joint_count(model) > 0)
        cairn_simulation_create(c->context, model, &settings, &c->simulation);
    c->redundant = cli_allocate((size_t)cairn_model_joint_count(model) + 1, sizeof *c->redundant);
    if (c->simulation)
        cairn_simulation_freedoms(c->simulation, &c->freedoms, c->redundant);
    if (c->valid && c->wants_inertia && cli_inertia_compute(c->simulation, &c->inertia))
    {
        cli_inertia_free(&c->inertia);
        c->inertia = (cli_inertia){0};
        return CLI_EXIT_WRONG;
    }
    return cli_exit_status(status);
}

typedef struct check_options
{
    bool json, inertia;
    cli_text_list set;
} check_options;

static int check_scene(void *data, int count, char **arguments)
{
    (void)count;
    const check_options *o = data;
    checked c = {.context = cli_context_create(), .wants_inertia = o->inertia};
    int result = cli_scene_load(c.context, arguments[0], &o->set, true, &c.scene);
    result = result ? result : check_simulation(&c);
    /* Without a message, the tool has already reported that it refuses the argument. */
    bool told = !c.valid && cairn_context_message_count(c.context) == 0;
    if (o->json && !told)
        print_json(&c, arguments[0]);
    else if (c.valid)
        print_text(arguments[0], c.scene);
    if (c.simulation && !o->json)
        print_mechanism(&c);
    cli_messages_print(c.context);
    free(c.redundant);
    cli_inertia_free(&c.inertia);
    cairn_simulation_destroy(c.simulation);
    cairn_scene_destroy(c.scene);
    cairn_context_destroy(c.context);
    return result;
}

int cli_command_check(int argc, char **argv)
{
    check_options o = {0};
    const cli_option options[] = {
        {CLI_VALUE(LIST, "set", 's', &o.set, "NAME=VALUE", "set a parameter of the scene; repeatable")},
        {CLI_FLAG("inertia", 0, &o.inertia, "the mass matrix along the coordinates of the joints, rotors included")},
        {CLI_FLAG("json", 0, &o.json, "print one JSON object, including the messages")},
        {0},
    };
    const cli_command command = {
        .usage = "check SCENE [options]",
        .text = "Validate a scene: a file, or the built-in scene of that name. Degrees of freedom,\n"
                "redundant equations and the assembly of its mechanisms are listed. Errors go to\n"
                "standard error as file:line:column: message.",
        .options = options,
        .least = 1,
        .most = 1,
        .work = check_scene,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
