#include "cairn_world.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Turn v by the unit quaternion q, or back by its inverse (sign -1): v + 2 w (u x v) + 2 u x (u x v). */
static void turn(const double q[4], double sign, const double v[3], double out[3])
{
    double u[3] = {sign * q[1], sign * q[2], sign * q[3]}, s[3];
    for (int i = 0; i < 3; ++i)
        s[i] = 2 * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
    for (int i = 0; i < 3; ++i)
        out[i] = v[i] + q[0] * s[i] + u[(i + 1) % 3] * s[(i + 2) % 3] - u[(i + 2) % 3] * s[(i + 1) % 3];
}

cairn_body_state peer_to_cairn(const peer_state *state)
{
    cairn_body_state out = {0};
    memcpy(out.position, state->position, sizeof out.position);
    memcpy(out.orientation, state->orientation, sizeof out.orientation);
    memcpy(out.velocity, state->velocity, sizeof out.velocity);
    turn(state->orientation, -1, state->spin, out.angular_velocity);
    return out;
}

peer_state peer_from_cairn(const cairn_body_state *state)
{
    peer_state out;
    memcpy(out.position, state->position, sizeof out.position);
    memcpy(out.orientation, state->orientation, sizeof out.orientation);
    memcpy(out.velocity, state->velocity, sizeof out.velocity);
    turn(state->orientation, 1, state->angular_velocity, out.spin);
    return out;
}

static cairn_status add_shape(cairn_model *model, cairn_body handle, const peer_body *body)
{
    static const cairn_shape_kind KINDS[] = {CAIRN_SPHERE, CAIRN_BOX, CAIRN_CAPSULE};
    cairn_shape_options shape = cairn_shape_default(KINDS[body->shape]);
    cairn_shape unused;
    memcpy(shape.size, body->size, sizeof shape.size);
    shape.radius = body->size[0];
    shape.length = body->size[1];
    return cairn_model_add_shape(model, handle, &shape, &unused);
}

static cairn_status add_body(cairn_model *model, const peer_scene *scene, int index)
{
    const peer_body *body = &scene->bodies[index];
    cairn_body_state start = peer_to_cairn(&body->start);
    cairn_body_options options = cairn_body_default();
    char name[24];
    cairn_body handle;
    snprintf(name, sizeof name, "b%d", index);
    options.name = name;
    options.mass = body->mass;
    memcpy(options.inertia, body->inertia, sizeof body->inertia);
    memcpy(options.position, start.position, sizeof options.position);
    memcpy(options.orientation, start.orientation, sizeof options.orientation);
    memcpy(options.velocity, start.velocity, sizeof options.velocity);
    memcpy(options.angular_velocity, start.angular_velocity, sizeof options.angular_velocity);
    options.groups = 1;
    options.collides_with = scene->contacts == PEER_CONTACTS_ALL ? 3 : scene->contacts == PEER_CONTACTS_GROUND ? 2 : 0;
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
    options.groups = 2;
    cairn_status status = cairn_model_add_body(model, &options, &ground);
    for (int i = 0; i < scene->plane_count && !status; ++i)
    {
        cairn_shape_options shape = cairn_shape_default(CAIRN_HALF_SPACE);
        memcpy(shape.normal, scene->planes[i].normal, sizeof shape.normal);
        for (int k = 0; k < 3; ++k)
            shape.position[k] = scene->planes[i].offset * scene->planes[i].normal[k];
        status = cairn_model_add_shape(model, ground, &shape, &unused);
    }
    return status;
}

static cairn_status add_hinge(cairn_model *model, const peer_scene *scene, int index)
{
    const peer_hinge *hinge = &scene->hinges[index];
    assert(hinge->parent >= -1 && hinge->parent < hinge->child && hinge->child < scene->body_count);
    cairn_joint_options options = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_body parent = hinge->parent < 0 ? (cairn_body){0} : cairn_model_body(model, hinge->parent);
    char name[24];
    cairn_joint unused;
    snprintf(name, sizeof name, "h%d", index);
    options.name = name;
    options.a = cairn_model_attach(model, parent, hinge->point);
    options.b = cairn_model_attach(model, cairn_model_body(model, hinge->child), hinge->point);
    memcpy(options.axis, hinge->axis, sizeof options.axis);
    if (hinge->parent >= 0)
        turn(scene->bodies[hinge->parent].start.orientation, -1, hinge->axis, options.axis);
    return cairn_model_add_joint(model, &options, &unused);
}

cairn_status peer_cairn_set_friction(cairn_model *model, const peer_scene *scene)
{
    if (scene->friction == 0.5)
        return CAIRN_OK;
    return cairn_model_set_pair(model, (cairn_material){0}, (cairn_material){0}, scene->friction, 0);
}

cairn_model *peer_cairn_model(cairn_context *context, const peer_scene *scene)
{
    cairn_model *model = NULL;
    cairn_status status = cairn_model_create(context, 3, &model);
    status = status ? status : cairn_model_set_gravity(model, scene->gravity);
    for (int i = 0; i < scene->body_count && !status; ++i)
        status = add_body(model, scene, i);
    status = status ? status : add_ground(model, scene);
    for (int i = 0; i < scene->hinge_count && !status; ++i)
        status = add_hinge(model, scene, i);
    status = status ? status : peer_cairn_set_friction(model, scene);
    if (status)
    {
        cairn_model_destroy(model);
        return NULL;
    }
    return model;
}
