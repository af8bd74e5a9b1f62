/* Open Dynamics Engine. Per step: dSpaceCollide with one contact joint per contact point (at most MAX_CONTACTS per pair, as in the
 * engine's own demos), then dWorldQuickStep; all three parts are timed. ERP and CFM keep the engine's defaults. Friction is the
 * pyramid dContactApprox1, whose limit follows the normal force.
 *
 * Settings: iterations (of QuickStep, default 20), solver (0: QuickStep, 1: dWorldStep, the direct solver), erp, cfm. */
#include "engine.h"

#include <ode/ode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_CONTACTS = 8
};

struct peer_world
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID *bodies;
    int body_count;
    double step, friction;
    bool direct;
};

void peer_describe(char *text, size_t size)
{
    snprintf(text, size, "ODE %s, %s precision", dODE_VERSION, sizeof(dReal) == sizeof(double) ? "double" : "single");
}

void peer_list_settings(void)
{
    puts("iterations\nsolver\nerp\ncfm");
}

static void on_near(void *data, dGeomID a, dGeomID b)
{
    peer_world *world = data;
    dContact contacts[MAX_CONTACTS];
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    int count = dCollide(a, b, MAX_CONTACTS, &contacts[0].geom, sizeof contacts[0]);
    for (int i = 0; i < count; ++i)
    {
        contacts[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = world->friction};
        dJointAttach(dJointCreateContact(world->world, world->contacts, &contacts[i]), body_a, body_b);
    }
}

static bool set(peer_world *world, const char *setting)
{
    double value;
    if (peer_setting_number(setting, "iterations", &value))
        dWorldSetQuickStepNumIterations(world->world, (int)value);
    else if (peer_setting_number(setting, "solver", &value))
        world->direct = value == 1;
    else if (peer_setting_number(setting, "erp", &value))
        dWorldSetERP(world->world, value);
    else if (peer_setting_number(setting, "cfm", &value))
        dWorldSetCFM(world->world, value);
    else
        return false;
    return true;
}

static dGeomID make_geometry(dSpaceID space, const peer_body *body)
{
    if (body->shape == PEER_SPHERE)
        return dCreateSphere(space, body->size[0]);
    if (body->shape == PEER_BOX)
        return dCreateBox(space, body->size[0], body->size[1], body->size[2]);
    return dCreateCapsule(space, body->size[0], body->size[1]);
}

static dBodyID add_body(peer_world *world, const peer_scene *scene, const peer_body *body)
{
    const peer_state *s = &body->start;
    dBodyID handle = dBodyCreate(world->world);
    dMass mass;
    dMassSetParameters(&mass, body->mass, 0, 0, 0, body->inertia[0], body->inertia[1], body->inertia[2], 0, 0, 0);
    dBodySetMass(handle, &mass);
    dBodySetPosition(handle, s->position[0], s->position[1], s->position[2]);
    dBodySetQuaternion(handle, (dReal[4]){s->orientation[0], s->orientation[1], s->orientation[2], s->orientation[3]});
    dBodySetLinearVel(handle, s->velocity[0], s->velocity[1], s->velocity[2]);
    dBodySetAngularVel(handle, s->spin[0], s->spin[1], s->spin[2]);
    if (scene->contacts != PEER_CONTACTS_NONE)
    {
        dGeomID geometry = make_geometry(world->space, body);
        dGeomSetBody(geometry, handle);
        dGeomSetCategoryBits(geometry, 1);
        dGeomSetCollideBits(geometry, scene->contacts == PEER_CONTACTS_ALL ? 3 : 2);
    }
    return handle;
}

static void add_hinge(peer_world *world, const peer_hinge *hinge)
{
    dJointID joint = dJointCreateHinge(world->world, NULL);
    dJointAttach(joint, world->bodies[hinge->child], hinge->parent < 0 ? NULL : world->bodies[hinge->parent]);
    dJointSetHingeAnchor(joint, hinge->point[0], hinge->point[1], hinge->point[2]);
    dJointSetHingeAxis(joint, hinge->axis[0], hinge->axis[1], hinge->axis[2]);
}

static void fill(peer_world *world, const peer_scene *scene)
{
    dWorldSetGravity(world->world, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    for (int i = 0; i < scene->plane_count; ++i)
    {
        const peer_plane *plane = &scene->planes[i];
        dGeomID geometry =
            dCreatePlane(world->space, plane->normal[0], plane->normal[1], plane->normal[2], plane->offset);
        dGeomSetCategoryBits(geometry, 2);
        dGeomSetCollideBits(geometry, 1);
    }
    for (int i = 0; i < scene->body_count; ++i)
        world->bodies[i] = add_body(world, scene, &scene->bodies[i]);
    for (int i = 0; i < scene->hinge_count; ++i)
        add_hinge(world, &scene->hinges[i]);
}

peer_world *peer_create(const peer_scene *scene, char *const *settings, int setting_count, char *error, size_t size)
{
    peer_world *world = calloc(1, sizeof *world);
    dBodyID *bodies = calloc((size_t)scene->body_count, sizeof *bodies);
    if (!world || !bodies)
    {
        snprintf(error, size, "out of memory");
        free(world);
        free(bodies);
        return NULL;
    }
    dInitODE2(0);
    *world = (peer_world){.world = dWorldCreate(),
                          .space = dHashSpaceCreate(NULL),
                          .contacts = dJointGroupCreate(0),
                          .bodies = bodies,
                          .body_count = scene->body_count,
                          .step = scene->step,
                          .friction = scene->friction};
    fill(world, scene);
    for (int i = 0; i < setting_count; ++i)
        if (!set(world, settings[i]))
        {
            snprintf(error, size, "ODE has no setting '%s' here", settings[i]);
            peer_destroy(world);
            return NULL;
        }
    return world;
}

bool peer_step(peer_world *world, char *error, size_t size)
{
    dSpaceCollide(world->space, world, on_near);
    int stepped = world->direct ? dWorldStep(world->world, world->step) : dWorldQuickStep(world->world, world->step);
    dJointGroupEmpty(world->contacts);
    if (!stepped)
        snprintf(error, size, "ODE had not enough memory for the step");
    return stepped;
}

void peer_read(const peer_world *world, peer_state *states)
{
    for (int i = 0; i < world->body_count; ++i)
    {
        const dReal *source[] = {dBodyGetPosition(world->bodies[i]), dBodyGetQuaternion(world->bodies[i]),
                                 dBodyGetLinearVel(world->bodies[i]), dBodyGetAngularVel(world->bodies[i])};
        double *target[] = {states[i].position, states[i].orientation, states[i].velocity, states[i].spin};
        for (int part = 0; part < 4; ++part)
            for (int k = 0; k < (part == 1 ? 4 : 3); ++k)
                target[part][k] = source[part][k];
    }
}

void peer_destroy(peer_world *world)
{
    dJointGroupDestroy(world->contacts);
    dSpaceDestroy(world->space);
    dWorldDestroy(world->world);
    dCloseODE();
    free(world->bodies);
    free(world);
}
