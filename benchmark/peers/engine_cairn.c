/* Cairn, through its public interface. Settings are those of cairn_settings_set, so new ones need no change here. One thread. */
#include "cairn_world.h"
#include "engine.h"
#include "planar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct peer_world
{
    cairn_context *context;
    cairn_model *model;
    cairn_simulation *simulation;
    int body_count;
    bool planar;
};

void peer_describe(char *text, size_t size)
{
    snprintf(text, size, "Cairn %s, double precision", cairn_version());
}

void peer_list_settings(void)
{
    for (int i = 0; i < cairn_setting_count(); ++i)
        puts(cairn_setting_at(i)->name);
}

static cairn_status apply_settings(cairn_context *context, cairn_settings *settings, char *const *texts, int count)
{
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < count && !status; ++i)
    {
        char name[64] = "";
        size_t length = strcspn(texts[i], "=");
        if (length < sizeof name)
            memcpy(name, texts[i], length);
        status = cairn_settings_set(context, settings, name, texts[i] + length + (texts[i][length] == '='));
    }
    return status;
}

peer_world *peer_create(const peer_scene *scene, char *const *settings, int setting_count, char *error, size_t size)
{
    peer_world *world = calloc(1, sizeof *world);
    cairn_settings chosen = cairn_settings_default();
    cairn_status status = CAIRN_NO_MEMORY;
    if (world)
    {
        world->context = cairn_context_create();
        world->body_count = scene->body_count;
        chosen.step = scene->step;
        chosen.solver.threads = 1;
        status = apply_settings(world->context, &chosen, settings, setting_count);
        world->planar = scene->planar;
        if (!status)
            world->model = (scene->planar ? peer_cairn_plane_model : peer_cairn_model)(world->context, scene);
        if (world->model)
            status = cairn_simulation_create(world->context, world->model, &chosen, &world->simulation);
    }
    if (world && world->simulation)
        return world;
    snprintf(error, size, "%s", world ? cairn_context_last_message(world->context) : cairn_status_text(status));
    peer_destroy(world);
    return NULL;
}

bool peer_step(peer_world *world, char *error, size_t size)
{
    cairn_status status = cairn_simulation_step(world->simulation);
    if (status)
        snprintf(error, size, "%s", cairn_context_last_message(world->context));
    return !status;
}

void peer_read(const peer_world *world, peer_state *states)
{
    for (int i = 0; i < world->body_count; ++i)
    {
        cairn_body_state state = cairn_simulation_body(world->simulation, cairn_model_body(world->model, i));
        peer_planar planar = {{state.position[0], state.position[1]},
                              state.angle,
                              {state.velocity[0], state.velocity[1]},
                              state.angular_velocity[2]};
        states[i] = world->planar ? peer_from_planar(&planar) : peer_from_cairn(&state);
    }
}

void peer_destroy(peer_world *world)
{
    if (!world)
        return;
    cairn_simulation_destroy(world->simulation);
    cairn_model_destroy(world->model);
    cairn_context_destroy(world->context);
    free(world);
}
