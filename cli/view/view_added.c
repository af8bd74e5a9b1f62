#include "cli/view/view_added.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static double mean_mass(const cairn_model *model)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        double mass = cairn_model_body_kind(model, body) == CAIRN_DYNAMIC ? cairn_model_body_mass(model, body) : 0;
        sum += mass;
        count += mass > 0;
    }
    return count > 0 ? sum / count : 1.0;
}

/* In the plane a circle or a square. The density gives the mass. */
static cairn_shape_options shape_of(const cli_view_live *live, bool ball, double size, double corners[8])
{
    bool planar = cairn_model_dimension(live->model) == 2;
    int materials = cairn_model_material_count(live->model);
    const double square[8] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};
    cairn_shape_options shape =
        cairn_shape_default(ball ? (planar ? CAIRN_CIRCLE : CAIRN_SPHERE) : (planar ? CAIRN_POLYGON : CAIRN_BOX));
    double volume = ball ? (planar ? PI * size * size : 4.0 / 3.0 * PI * size * size * size)
                         : (planar ? size * size : size * size * size);
    for (int k = 0; k < 8; ++k)
        corners[k] = size * square[k];
    shape.density = mean_mass(live->model) / volume;
    shape.material = cairn_model_material(live->model, materials > 1 ? 1 : 0);
    if (ball)
        shape.radius = size;
    else if (planar)
    {
        shape.vertices = corners;
        shape.vertex_count = 4;
    }
    else
        shape.size[0] = shape.size[1] = shape.size[2] = size;
    return shape;
}

static cairn_status put_in(cli_view_live *live, const cli_view_command *command, bool ball, cairn_body *out)
{
    char name[48];
    double corners[8];
    int dimension = cairn_model_dimension(live->model);
    cairn_model *model = cairn_scene_edit(live->scene);
    cairn_body_options body = cairn_body_default();
    snprintf(name, sizeof name, "thrown %s %d", ball ? "ball" : "box", live->added_count + 1);
    body.name = name;
    memcpy(body.position, command->point, (size_t)dimension * sizeof(double));
    memcpy(body.velocity, command->target, (size_t)dimension * sizeof(double));
    cairn_status status = cairn_model_add_body(model, &body, out);
    if (status)
        return status;
    cairn_shape shape;
    cairn_shape_options options = shape_of(live, ball, command->value, corners);
    status = cairn_model_add_shape(model, *out, &options, &shape);
    status = status ? status : cairn_simulation_update(live->simulation);
    if (status)
        cairn_model_remove_body(model, *out);
    return status;
}

cairn_status cli_view_add(cli_view_live *live, const cli_view_command *command, char *error, size_t size)
{
    bool ball = command->ask == CLI_ASK_BALL;
    assert(ball || command->ask == CLI_ASK_BOX);
    if (live->added_count == CLI_VIEW_MOST_ADDED)
    {
        snprintf(error, size, "%d bodies were put in, which is the most; a restart removes them", live->added_count);
        return CAIRN_INVALID;
    }
    cairn_status status = put_in(live, command, ball, &live->added[live->added_count]);
    if (status)
    {
        snprintf(error, size, "there is no room for the %s here: %s", ball ? "ball" : "box",
                 cairn_context_last_message(live->context));
        cairn_context_clear(live->context);
        cairn_simulation_update(live->simulation); /* without it again, which was a state before */
        return CAIRN_INVALID;
    }
    ++live->added_count;
    ++live->frames;
    cli_view_live_sample(live);
    return CAIRN_OK;
}

void cli_view_remove_added(cli_view_live *live)
{
    while (live->added_count > 0)
        cairn_model_remove_body(cairn_scene_edit(live->scene), live->added[--live->added_count]);
}
