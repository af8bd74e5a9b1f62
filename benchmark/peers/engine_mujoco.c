/* MuJoCo, through its C interface: the model is built with mjSpec (hinged bodies as trees, others with free joints) and stepped by
 * mj_step. All options but the time step and gravity keep the engine's defaults: Newton's method, pyramidal cones, soft contacts.
 *
 * Settings: iterations (default 100), solver (0: PGS, 1: CG, 2: Newton), cone (0: pyramidal, 1: elliptic), integrator (0: Euler,
 * 1: RK4, 2: implicit, 3: implicitfast), tolerance, timeconst (s, of contacts). */
#include "engine.h"

#include <mujoco/mujoco.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct peer_world
{
    mjModel *model;
    mjData *data;
    int body_count;
    /* Number of each body in the model, which lists trees depth first. */
    int *ids;
};

void peer_describe(char *text, size_t size)
{
    snprintf(text, size, "MuJoCo %s, double precision", mj_versionString());
}

void peer_list_settings(void)
{
    puts("iterations\nsolver\ncone\nintegrator\ntolerance\ntimeconst");
}

/* Place a body in the frame of its parent, both given in the world. */
static void place(mjsBody *body, const peer_state *child, const peer_state *parent)
{
    double back[4], away[3];
    mju_copy3(body->pos, child->position);
    mju_copy4(body->quat, child->orientation);
    if (!parent)
        return;
    mju_negQuat(back, parent->orientation);
    mju_sub3(away, child->position, parent->position);
    mju_rotVecQuat(body->pos, away, back);
    mju_mulQuat(body->quat, back, child->orientation);
}

static void add_geometry(const peer_scene *scene, mjsBody *handle, const peer_body *body)
{
    static const mjtGeom TYPES[] = {mjGEOM_SPHERE, mjGEOM_BOX, mjGEOM_CAPSULE};
    mjsGeom *geom = mjs_addGeom(handle, NULL);
    geom->type = TYPES[body->shape];
    for (int k = 0; k < 3; ++k)
        geom->size[k] = body->shape == PEER_BOX ? 0.5 * body->size[k] : k == 0 ? body->size[0] : 0.5 * body->size[1];
    geom->friction[0] = scene->friction;
    geom->contype = scene->contacts == PEER_CONTACTS_ALL;
    geom->conaffinity = (scene->contacts == PEER_CONTACTS_ALL) | (scene->contacts == PEER_CONTACTS_NONE ? 0 : 2);
}

static void add_hinge(mjsBody *handle, const peer_state *child, const peer_hinge *hinge)
{
    double back[4], away[3];
    mjsJoint *joint = mjs_addJoint(handle, NULL);
    joint->type = mjJNT_HINGE;
    mju_negQuat(back, child->orientation);
    mju_sub3(away, hinge->point, child->position);
    mju_rotVecQuat(joint->pos, away, back);
    mju_rotVecQuat(joint->axis, hinge->axis, back);
}

static void add_body(mjSpec *spec, const peer_scene *scene, mjsBody **handles, const peer_hinge *hinge, int index)
{
    const peer_body *body = &scene->bodies[index];
    int parent = hinge ? hinge->parent : -1;
    mjsBody *handle = mjs_addBody(parent < 0 ? mjs_findBody(spec, "world") : handles[parent], NULL);
    handles[index] = handle;
    place(handle, &body->start, parent < 0 ? NULL : &scene->bodies[parent].start);
    handle->mass = body->mass;
    mju_zero3(handle->ipos);
    mju_copy3(handle->inertia, body->inertia);
    handle->explicitinertial = 1;
    if (hinge)
        add_hinge(handle, &body->start, hinge);
    else
        mjs_addFreeJoint(handle);
    add_geometry(scene, handle, body);
}

static void add_plane(mjSpec *spec, const peer_scene *scene, const peer_plane *plane)
{
    mjsGeom *geom = mjs_addGeom(mjs_findBody(spec, "world"), NULL);
    geom->type = mjGEOM_PLANE;
    geom->size[2] = 1;
    mju_scl3(geom->pos, plane->normal, plane->offset);
    mju_quatZ2Vec(geom->quat, plane->normal);
    geom->friction[0] = scene->friction;
    geom->contype = 2;
    geom->conaffinity = 0;
}

/* Before the bodies are added: what they do not set themselves comes from the defaults of the spec. */
static bool set(mjSpec *spec, const char *setting)
{
    double value;
    if (peer_setting_number(setting, "iterations", &value))
        spec->option.iterations = (int)value;
    else if (peer_setting_number(setting, "solver", &value))
        spec->option.solver = (int)value;
    else if (peer_setting_number(setting, "cone", &value))
        spec->option.cone = (int)value;
    else if (peer_setting_number(setting, "integrator", &value))
        spec->option.integrator = (int)value;
    else if (peer_setting_number(setting, "tolerance", &value))
        spec->option.tolerance = value;
    else if (peer_setting_number(setting, "timeconst", &value))
        mjs_getSpecDefault(spec)->geom->solref[0] = value;
    else
        return false;
    return true;
}

static void build(mjSpec *spec, const peer_scene *scene)
{
    mjsBody **handles = calloc((size_t)scene->body_count, sizeof *handles);
    const peer_hinge **hinge_of = calloc((size_t)scene->body_count, sizeof *hinge_of);
    char name[24];
    for (int i = 0; i < scene->hinge_count; ++i)
        hinge_of[scene->hinges[i].child] = &scene->hinges[i];
    for (int i = 0; i < scene->body_count; ++i)
    {
        add_body(spec, scene, handles, hinge_of[i], i);
        snprintf(name, sizeof name, "b%d", i);
        mjs_setName(handles[i]->element, name);
    }
    for (int i = 0; i < scene->plane_count; ++i)
        add_plane(spec, scene, &scene->planes[i]);
    free(handles);
    free(hinge_of);
}

static void find_bodies(peer_world *world)
{
    char name[24];
    for (int i = 0; i < world->body_count; ++i)
    {
        snprintf(name, sizeof name, "b%d", i);
        world->ids[i] = mj_name2id(world->model, mjOBJ_BODY, name);
    }
}

/* Free bodies may start with a velocity; hinged ones start at rest. */
static void set_velocities(peer_world *world, const peer_scene *scene)
{
    for (int i = 0; i < scene->body_count; ++i)
    {
        const peer_state *s = &scene->bodies[i].start;
        int joint = world->model->body_jntadr[world->ids[i]];
        double back[4], *v = world->data->qvel + world->model->jnt_dofadr[joint];
        if (world->model->jnt_type[joint] != mjJNT_FREE)
            continue;
        mju_copy3(v, s->velocity);
        mju_negQuat(back, s->orientation);
        mju_rotVecQuat(v + 3, s->spin, back);
    }
    mj_forward(world->model, world->data);
}

static bool compile(peer_world *world, mjSpec *spec, const peer_scene *scene, char *error, size_t size)
{
    build(spec, scene);
    world->body_count = scene->body_count;
    world->ids = calloc((size_t)scene->body_count, sizeof *world->ids);
    world->model = mj_compile(spec, NULL);
    world->data = world->model ? mj_makeData(world->model) : NULL;
    if (!world->ids || !world->data)
    {
        snprintf(error, size, "MuJoCo did not compile the scene: %s", mjs_getError(spec));
        return false;
    }
    find_bodies(world);
    set_velocities(world, scene);
    return true;
}

peer_world *peer_create(const peer_scene *scene, char *const *settings, int setting_count, char *error, size_t size)
{
    peer_world *world = calloc(1, sizeof *world);
    mjSpec *spec = mj_makeSpec();
    bool good = world && spec;
    if (good)
    {
        spec->option.timestep = scene->step;
        mju_copy3(spec->option.gravity, scene->gravity);
    }
    for (int i = 0; i < setting_count && good; ++i)
    {
        good = set(spec, settings[i]);
        if (!good)
            snprintf(error, size, "MuJoCo has no setting '%s' here", settings[i]);
    }
    good = good && compile(world, spec, scene, error, size);
    mj_deleteSpec(spec);
    if (good)
        return world;
    peer_destroy(world);
    return NULL;
}

/* MuJoCo goes on with a warning when it drops contacts for lack of memory, or resets a state that is not finite; here both are
 * failures. */
bool peer_step(peer_world *world, char *error, size_t size)
{
    mj_step(world->model, world->data);
    for (int i = 0; i < mjNWARNING; ++i)
        if (world->data->warning[i].number > 0)
        {
            snprintf(error, size, "MuJoCo warns: %s", mju_warningText(i, (size_t)world->data->warning[i].lastinfo));
            return false;
        }
    return true;
}

void peer_read(const peer_world *world, peer_state *states)
{
    for (int i = 0; i < world->body_count; ++i)
    {
        int id = world->ids[i];
        double velocity[6];
        mju_copy3(states[i].position, world->data->xpos + 3 * id);
        mju_copy4(states[i].orientation, world->data->xquat + 4 * id);
        mj_objectVelocity(world->model, world->data, mjOBJ_BODY, id, velocity, 0);
        mju_copy3(states[i].spin, velocity);
        mju_copy3(states[i].velocity, velocity + 3);
    }
}

void peer_destroy(peer_world *world)
{
    if (!world)
        return;
    mj_deleteData(world->data);
    mj_deleteModel(world->model);
    free(world->ids);
    free(world);
}
