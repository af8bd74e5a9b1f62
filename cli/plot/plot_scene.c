/* Bodies of the scene and of the run are matched by name. */
#include "cli/plot/plot_scene.h"
#include "cli/common/cli.h"
#include "cli/draw/outline.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void rotate(const double q[4], const double p[3], double out[3])
{
    /* p + 2 w (u x p) + 2 u x (u x p), with q = (w, u) */
    double c[3] = {q[2] * p[2] - q[3] * p[1], q[3] * p[0] - q[1] * p[2], q[1] * p[1] - q[2] * p[0]};
    double d[3] = {q[2] * c[2] - q[3] * c[1], q[3] * c[0] - q[1] * c[2], q[1] * c[1] - q[2] * c[0]};
    for (int i = 0; i < 3; ++i)
        out[i] = p[i] + 2.0 * (q[0] * c[i] + d[i]);
}

void cli_plot_world_point(int dimension, const cairn_body_state *state, const double point[3], double out[3])
{
    if (dimension == 3)
        rotate(state->orientation, point, out);
    else
    {
        double c = cos(state->angle), s = sin(state->angle), x = point[0], y = point[1];
        out[0] = c * x - s * y;
        out[1] = s * x + c * y;
        out[2] = 0.0;
    }
    for (int i = 0; i < dimension; ++i)
        out[i] += state->position[i];
}

int cli_plot_scene_body(const cli_plot_scene *scene, const cli_plot_run *run, cairn_body body)
{
    if (body.id == 0)
        return -1;
    const char *name = cairn_model_body_name(scene->model, body);
    /* Most often the ids count from 1 in the order of the run. */
    if (body.id >= 1 && body.id <= run->body_count && strcmp(cairn_run_body_name(run->run, body.id - 1), name) == 0)
        return body.id - 1;
    return cli_plot_run_find_body(run, name, strlen(name));
}

cairn_shape_info cli_plot_scene_shape(const cli_plot_scene *scene, int index)
{
    int own = cairn_model_shape_count(scene->model);
    assert(index >= 0 && index < scene->shape_count);
    return index < own ? cairn_model_shape_info(scene->model, cairn_model_shape(scene->model, index))
                       : scene->mechanism.links[index - own];
}

bool cli_plot_scene_is_link(const cli_plot_scene *scene, int index)
{
    return index >= scene->shape_count - scene->mechanism.link_count;
}

static void match_bodies(cli_plot_scene *scene, const cli_plot_run *run)
{
    for (int i = 0; i < cairn_model_body_count(scene->model); ++i)
    {
        cairn_body body = cairn_model_body(scene->model, i);
        int index = cli_plot_scene_body(scene, run, body);
        if (index >= 0)
            scene->moves[index] = cairn_model_body_kind(scene->model, body) != CAIRN_FIXED;
    }
}

/* Shapes are chained by body, in the order of the model: the last one is put in front first. */
static void match_shapes(cli_plot_scene *scene, const cli_plot_run *run)
{
    for (int i = scene->shape_count - 1; i >= 0; i--)
    {
        cairn_shape_info shape = cli_plot_scene_shape(scene, i);
        scene->shape_body[i] =
            shape.piece ? -1 : cli_plot_scene_body(scene, run, shape.body); /* the first piece draws the whole */
        if (scene->shape_body[i] >= 0)
        {
            scene->has_shape[scene->shape_body[i]] = true;
            scene->next_shape[i] = scene->first_shape[scene->shape_body[i]];
            scene->first_shape[scene->shape_body[i]] = i;
        }
        if (shape.vertex_count > scene->most_vertices)
            scene->most_vertices = shape.vertex_count;
    }
}

static void match_links(cli_plot_scene *scene, const cli_plot_run *run)
{
    const cairn_model *model = scene->model;
    for (int i = 0; i < scene->spring_count + scene->joint_count; ++i)
    {
        cli_link *link = &scene->links[i];
        link->joint = i >= scene->spring_count;
        link->index = link->joint ? i - scene->spring_count : i;
        if (link->joint)
            cairn_model_joint_attachments(model, cairn_model_joint(model, link->index), &link->end[0], &link->end[1]);
        else
            cairn_model_spring_attachments(model, cairn_model_spring(model, i), &link->end[0], &link->end[1]);
        for (int k = 0; k < 2; ++k)
            link->body[k] = cli_plot_scene_body(scene, run, link->end[k].body);
    }
}

static void allocate(cli_plot_scene *scene, const cli_plot_run *run)
{
    size_t bodies = (size_t)run->body_count + 1;
    scene->shape_body = cli_memory_take(&scene->memory, (size_t)scene->shape_count + 1, sizeof *scene->shape_body);
    scene->next_shape = cli_memory_take(&scene->memory, (size_t)scene->shape_count + 1, sizeof *scene->next_shape);
    scene->first_shape = cli_memory_take(&scene->memory, bodies, sizeof *scene->first_shape);
    size_t links = (size_t)(scene->spring_count + scene->joint_count) + 1;
    scene->links = cli_memory_take(&scene->memory, links, sizeof *scene->links);
    scene->moves = cli_memory_take(&scene->memory, bodies, sizeof *scene->moves);
    scene->has_shape = cli_memory_take(&scene->memory, bodies, sizeof *scene->has_shape);
    scene->colour = cli_memory_take(&scene->memory, bodies, sizeof *scene->colour);
}

/* The scene as it was run, with the parameters it was given, or none. */
static void parse(cli_plot_scene *scene, const cli_plot_run *run)
{
    const char *text = cairn_run_scene_text(run->run);
    if (!text || text[0] == '\0')
        return;
    cairn_status status = cairn_run_scene(run->run, &scene->scene);
    if (status != CAIRN_OK)
    {
        cli_error("the scene in run '%s' cannot be read (%s); its bodies are drawn as dots", run->path,
                  cairn_context_last_message(run->context));
        scene->scene = NULL;
        return;
    }
    scene->model = cairn_scene_model(scene->scene);
    cli_mechanism_open(&scene->mechanism, scene->model);
    scene->shape_count = cairn_model_shape_count(scene->model) + scene->mechanism.link_count;
    scene->spring_count = cairn_model_spring_count(scene->model);
    scene->joint_count = cairn_model_joint_count(scene->model);
}

int cli_plot_scene_open(cli_plot_scene *scene, const cli_plot_run *run)
{
    *scene = (cli_plot_scene){.most_vertices = CLI_OUTLINE_ROOM};
    parse(scene, run);
    allocate(scene, run);
    for (int i = 0; i < run->body_count; ++i)
    {
        scene->moves[i] = true;
        scene->first_shape[i] = -1;
    }
    if (scene->model)
    {
        match_bodies(scene, run);
        match_shapes(scene, run);
        match_links(scene, run);
    }
    for (int i = 0, next = 0; i < run->body_count; ++i)
        if (scene->moves[i])
            scene->colour[i] = next++;
    return 0;
}

void cli_plot_scene_close(cli_plot_scene *scene)
{
    if (scene->scene)
        cairn_scene_destroy(scene->scene);
    cli_mechanism_close(&scene->mechanism);
    cli_memory_free(&scene->memory);
    *scene = (cli_plot_scene){0};
}
