// Bullet: btDiscreteDynamicsWorld with btDbvtBroadphase and btSequentialImpulseConstraintSolver, one stepSimulation of the scene's
// step per call, solver options as the library sets them (10 iterations, warm start, split impulse). Deactivation is off unless the
// setting sleep=1 asks for it: it stops the simulation of bodies at rest, which would compare nothing. Shapes keep their size:
// boxes contain their collision margin, spheres and capsules have none of their own.
//
// Settings: iterations (default 10), sleep (0 or 1).
#include "engine.h"

#include <btBulletDynamicsCommon.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace
{
btVector3 vector(const double v[3])
{
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

btTransform pose(const peer_state &s)
{
    const double *q = s.orientation;
    return btTransform(btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])), vector(s.position));
}

std::unique_ptr<btCollisionShape> make_shape(const peer_body &body)
{
    if (body.shape == PEER_SPHERE)
        return std::make_unique<btSphereShape>(btScalar(body.size[0]));
    if (body.shape == PEER_BOX)
        return std::make_unique<btBoxShape>(vector(body.size) * btScalar(0.5));
    return std::make_unique<btCapsuleShapeZ>(btScalar(body.size[0]), btScalar(body.size[1]));
}
} // namespace

struct peer_world
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> hinges;
    int body_count = 0;
    btScalar step = 0;
    bool sleep = false;

    ~peer_world()
    {
        for (auto &hinge : hinges)
            world.removeConstraint(hinge.get());
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }

    btRigidBody &add(double mass, std::unique_ptr<btCollisionShape> shape, const btVector3 &inertia, double friction, int group,
                     int mask)
    {
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape.get(), inertia);
        info.m_friction = btScalar(friction);
        shapes.push_back(std::move(shape));
        bodies.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(bodies.back().get(), group, mask);
        return *bodies.back();
    }

    void add_body(const peer_scene &scene, const peer_body &body)
    {
        int mask = scene.contacts == PEER_CONTACTS_ALL ? 3 : scene.contacts == PEER_CONTACTS_GROUND ? 2 : 0;
        // Bullet multiplies the two frictions of a pair: each side has the root.
        btRigidBody &added = add(body.mass, make_shape(body), vector(body.inertia), std::sqrt(scene.friction), 1, mask);
        added.setWorldTransform(pose(body.start));
        added.setInterpolationWorldTransform(pose(body.start));
        added.setLinearVelocity(vector(body.start.velocity));
        added.setAngularVelocity(vector(body.start.spin));
        if (!sleep)
            added.setActivationState(DISABLE_DEACTIVATION);
    }

    void add_hinge(const peer_hinge &hinge)
    {
        btRigidBody &child = *bodies[size_t(hinge.child)];
        btTransform to_child = child.getWorldTransform().inverse();
        btVector3 in_child = to_child * vector(hinge.point), axis_child = to_child.getBasis() * vector(hinge.axis);
        if (hinge.parent < 0)
            hinges.push_back(std::make_unique<btHingeConstraint>(child, in_child, axis_child));
        else
        {
            btRigidBody &parent = *bodies[size_t(hinge.parent)];
            btTransform to_parent = parent.getWorldTransform().inverse();
            hinges.push_back(std::make_unique<btHingeConstraint>(parent, child, to_parent * vector(hinge.point), in_child,
                                                                 to_parent.getBasis() * vector(hinge.axis), axis_child));
        }
        world.addConstraint(hinges.back().get(), true);
    }

    void fill(const peer_scene &scene)
    {
        body_count = scene.body_count;
        step = btScalar(scene.step);
        world.setGravity(vector(scene.gravity));
        for (int i = 0; i < scene.body_count; ++i)
            add_body(scene, scene.bodies[i]);
        for (int i = 0; i < scene.plane_count; ++i)
            add(0, std::make_unique<btStaticPlaneShape>(vector(scene.planes[i].normal), btScalar(scene.planes[i].offset)),
                btVector3(0, 0, 0), std::sqrt(scene.friction), 2, 1);
        for (int i = 0; i < scene.hinge_count; ++i)
            add_hinge(scene.hinges[i]);
    }
};

void peer_describe(char *text, size_t size)
{
    snprintf(text, size, "Bullet %d.%02d, %s precision", btGetVersion() / 100, btGetVersion() % 100,
             sizeof(btScalar) == sizeof(double) ? "double" : "single");
}

void peer_list_settings(void)
{
    puts("iterations\nsleep");
}

peer_world *peer_create(const peer_scene *scene, char *const *settings, int setting_count, char *error, size_t size)
{
    auto world = std::make_unique<peer_world>();
    for (int i = 0; i < setting_count; ++i)
    {
        double value;
        if (peer_setting_number(settings[i], "iterations", &value))
            world->world.getSolverInfo().m_numIterations = int(value);
        else if (peer_setting_number(settings[i], "sleep", &value))
            world->sleep = value != 0;
        else
        {
            snprintf(error, size, "Bullet has no setting '%s' here", settings[i]);
            return nullptr;
        }
    }
    world->fill(*scene);
    return world.release();
}

bool peer_step(peer_world *world, char *, size_t)
{
    world->world.stepSimulation(world->step, 0);
    return true;
}

void peer_read(const peer_world *world, peer_state *states)
{
    for (int i = 0; i < world->body_count; ++i)
    {
        const btRigidBody &body = *world->bodies[size_t(i)];
        btQuaternion q = body.getWorldTransform().getRotation();
        peer_state &s = states[i];
        for (int k = 0; k < 3; ++k)
        {
            s.position[k] = body.getWorldTransform().getOrigin()[k];
            s.velocity[k] = body.getLinearVelocity()[k];
            s.spin[k] = body.getAngularVelocity()[k];
            s.orientation[k + 1] = q[k];
        }
        s.orientation[0] = q.w();
    }
}

void peer_destroy(peer_world *world)
{
    delete world;
}
