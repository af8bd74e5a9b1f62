// Bullet: btDiscreteDynamicsWorld with btDbvtBroadphase and btSequentialImpulseConstraintSolver, one stepSimulation of the scene's
// step per call, solver options as the library sets them (10 iterations, warm start, split impulse). Deactivation is off unless the
// setting sleep=1 asks for it: it stops the simulation of bodies at rest, which would compare nothing. Shapes keep their size:
// boxes contain their collision margin, spheres and capsules have none of their own.
//
// Settings: iterations (default 10), sleep (0 or 1), multibody (1: hinges in minimal coordinates, bullet_multibody.h).
#include "bullet_multibody.h"

#include <cmath>
#include <cstdio>

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
    std::unique_ptr<bullet_multibody> tree;

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
        btRigidBody &added = add(body.mass, bullet_shape(body), bullet_vector(body.inertia), std::sqrt(scene.friction), 1, mask);
        added.setWorldTransform(bullet_pose(body.start));
        added.setInterpolationWorldTransform(bullet_pose(body.start));
        added.setLinearVelocity(bullet_vector(body.start.velocity));
        added.setAngularVelocity(bullet_vector(body.start.spin));
        if (!sleep)
            added.setActivationState(DISABLE_DEACTIVATION);
    }

    void add_hinge(const peer_hinge &hinge)
    {
        btRigidBody &child = *bodies[size_t(hinge.child)];
        btTransform to_child = child.getWorldTransform().inverse();
        btVector3 in_child = to_child * bullet_vector(hinge.point), axis_child = to_child.getBasis() * bullet_vector(hinge.axis);
        if (hinge.parent < 0)
            hinges.push_back(std::make_unique<btHingeConstraint>(child, in_child, axis_child));
        else
        {
            btRigidBody &parent = *bodies[size_t(hinge.parent)];
            btTransform to_parent = parent.getWorldTransform().inverse();
            hinges.push_back(std::make_unique<btHingeConstraint>(parent, child, to_parent * bullet_vector(hinge.point), in_child,
                                                                 to_parent.getBasis() * bullet_vector(hinge.axis), axis_child));
        }
        world.addConstraint(hinges.back().get(), true);
    }

    void fill(const peer_scene &scene)
    {
        body_count = scene.body_count;
        step = btScalar(scene.step);
        world.setGravity(bullet_vector(scene.gravity));
        for (int i = 0; i < scene.body_count; ++i)
            add_body(scene, scene.bodies[i]);
        for (int i = 0; i < scene.plane_count; ++i)
            add(0, std::make_unique<btStaticPlaneShape>(bullet_vector(scene.planes[i].normal), btScalar(scene.planes[i].offset)),
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
    puts("iterations\nsleep\nmultibody");
}

peer_world *peer_create(const peer_scene *scene, char *const *settings, int setting_count, char *error, size_t size)
{
    auto world = std::make_unique<peer_world>();
    bool articulated = false;
    for (int i = 0; i < setting_count; ++i)
    {
        double value;
        if (peer_setting_number(settings[i], "iterations", &value))
            world->world.getSolverInfo().m_numIterations = int(value);
        else if (peer_setting_number(settings[i], "sleep", &value))
            world->sleep = value != 0;
        else if (peer_setting_number(settings[i], "multibody", &value))
            articulated = value != 0;
        else
        {
            snprintf(error, size, "Bullet has no setting '%s' here", settings[i]);
            return nullptr;
        }
    }
    if (articulated)
    {
        world->body_count = scene->body_count;
        world->tree = bullet_multibody::make(*scene, world->world.getSolverInfo().m_numIterations);
        if (!world->tree)
            snprintf(error, size, "the bodies of '%s' do not form one tree of hinges", scene->name);
        return world->tree ? world.release() : nullptr;
    }
    world->fill(*scene);
    return world.release();
}

bool peer_step(peer_world *world, char *, size_t)
{
    if (world->tree)
        world->tree->advance();
    else
        world->world.stepSimulation(world->step, 0);
    return true;
}

void peer_read(const peer_world *world, peer_state *states)
{
    if (world->tree)
        return world->tree->read(states);
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
