/* A planar scene as a planar model of Cairn: x and z of the scene are its x and y. */
#include "cairn_world.h"
#include "planar.h"

#include <stdio.h>
#include <string.h>

static cairn_status add_shape(cairn_model *model, cairn_body handle, const peer_body *body)
{
    double x = 0.5 * body->size[0], y = 0.5 * body->size[2];
    const double corners[8] = {-x, -y, x, -y, x, y, -x, y};
    cairn_shape_options shape = cairn_shape_default(body->shape == PEER_BOX ? CAIRN_POLYGON : CAIRN_CIRCLE);
    cairn_shape unused;
    shape.radius = body->size[0];
    shape.vertices = corners;
    shape.vertex_count = 4;
    return cairn_model_add_shape(model, handle, &shape, &unused);
}

static cairn_status add_body(cairn_model *model, const peer_body *body, int index)
{
    peer_planar start = peer_to_planar(&body->start);
    cairn_body_options options = cairn_body_default();
    char name[24];
    cairn_body handle;
    snprintf(name, sizeof name, "b%d", index);
    options.name = name;
    options.mass = body->mass;
    options.inertia[2] = body->inertia[1];
    memcpy(options.position, start.position, sizeof start.position);
    memcpy(options.velocity, start.velocity, sizeof start.velocity);
    options.angle = start.angle;
    options.angular_velocity[2] = start.spin;
    cairn_status status = cairn_model_add_body(model, &options, &handle);
    return status ? status : add_shape(model, handle, body);
}

static cairn_status add_ground(cairn_model *model, const peer_scene *scene)
{
    cairn_body_options options = cairn_body_default();
    cairn_body ground;
    cairn_shape unused;
    options.name = "ground";
    options.kind = CAIRN_FIXED;
    cairn_status status = cairn_model_add_body(model, &options, &ground);
    for (int i = 0; i < scene->plane_count && !status; ++i)
    {
        const peer_plane *plane = &scene->planes[i];
        cairn_shape_options shape = cairn_shape_default(CAIRN_HALF_PLANE);
        shape.normal[0] = plane->normal[0];
        shape.normal[1] = plane->normal[2];
        shape.position[0] = plane->offset * plane->normal[0];
        shape.position[1] = plane->offset * plane->normal[2];
        status = cairn_model_add_shape(model, ground, &shape, &unused);
    }
    return status;
}

cairn_model *peer_cairn_plane_model(cairn_context *context, const peer_scene *scene)
{
    cairn_model *model = NULL;
    const double gravity[3] = {scene->gravity[0], scene->gravity[2], 0};
    cairn_status status = cairn_model_create(context, 2, &model);
    status = status ? status : cairn_model_set_gravity(model, gravity);
    for (int i = 0; i < scene->body_count && !status; ++i)
        status = add_body(model, &scene->bodies[i], i);
    status = status ? status : add_ground(model, scene);
    status = status ? status : peer_cairn_set_friction(model, scene);
    if (status)
    {
        cairn_model_destroy(model);
        return NULL;
    }
    return model;
}
