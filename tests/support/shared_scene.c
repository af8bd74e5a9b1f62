#include "support/shared_scene.h"

#include "support/check.h"
#include "support/led_ranks.h"

#include <stdio.h>

static bool is_good(shared_scene *scene, cairn_context *context, cairn_status status)
{
    if (status)
        print_error("%s: %s\n", scene->name, cairn_context_last_message(context));
    scene->failures += status != CAIRN_OK;
    return status == CAIRN_OK;
}

static void lead(cairn_context *context, cairn_ranks *ranks, void *data)
{
    shared_scene *shared = data;
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/tests/data/ranks/%s.yaml", CAIRN_SOURCE_DIR, shared->name);
    if (is_good(shared, context, cairn_scene_load(context, path, NULL, 0, &scene)) &&
        is_good(shared, context, cairn_context_join(context, ranks)))
    {
        cairn_settings settings = cairn_scene_settings(scene);
        if (shared->adapt)
            shared->adapt(&settings, shared->data);
        if (is_good(shared, context,
                    cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation)))
            shared->work(context, simulation, shared->data);
    }
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
}

int shared_scene_run(shared_scene *scene, int ranks, int seconds)
{
    const led_ranks led = {.lead = lead, .serve = scene->serve, .data = scene};
    return led_ranks_run(&led, ranks, seconds) + scene->failures;
}
