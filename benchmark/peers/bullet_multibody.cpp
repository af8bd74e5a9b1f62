#include "bullet_multibody.h"

#include <cmath>

btVector3 bullet_vector(const double v[3])
{
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

btTransform bullet_pose(const peer_state &s)
{
    const double *q = s.orientation;
    return btTransform(btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])),
                       bullet_vector(s.position));
}

std::unique_ptr<btCollisionShape> bullet_shape(const peer_body &body)
{
    if (body.shape == PEER_SPHERE)
        return std::make_unique<btSphereShape>(btScalar(body.size[0]));
    if (body.shape == PEER_BOX)
        return std::make_unique<btBoxShape>(bullet_vector(body.size) * btScalar(0.5));
    return std::make_unique<btCapsuleShapeZ>(btScalar(body.size[0]), btScalar(body.size[1]));
}

std::unique_ptr<bullet_multibody> bullet_multibody::make(const peer_scene &scene, int iterations)
{
    std::vector<int> hinges(size_t(scene.body_count), 0);
    for (int i = 0; i < scene.hinge_count; ++i)
    {
        if (scene.hinges[i].parent >= scene.hinges[i].child || (scene.hinges[i].parent < 0 && scene.hinges[i].child > 0))
            return nullptr;
        ++hinges[size_t(scene.hinges[i].child)];
    }
    for (int i = 0; i < scene.body_count; ++i)
        if (hinges[size_t(i)] > 1 || (hinges[size_t(i)] == 0 && i > 0))
            return nullptr;
    return std::unique_ptr<bullet_multibody>(new bullet_multibody(scene, iterations));
}

bullet_multibody::bullet_multibody(const peer_scene &scene, int iterations)
    : hangs(scene.hinge_count == scene.body_count), body_count(scene.body_count), step(btScalar(scene.step))
{
    const peer_body &root = scene.bodies[0];
    tree = std::make_unique<btMultiBody>(hangs ? body_count : body_count - 1, hangs ? btScalar(0) : btScalar(root.mass),
                                         hangs ? btVector3(0, 0, 0) : bullet_vector(root.inertia), hangs, false);
    for (int i = 0; i < scene.hinge_count; ++i)
        add_link(scene, scene.hinges[i]);
    tree->finalizeMultiDof();
    if (!hangs)
    {
        tree->setBaseWorldTransform(bullet_pose(root.start));
        tree->setBaseVel(bullet_vector(root.start.velocity));
    }
    tree->setLinearDamping(0);
    tree->setAngularDamping(0);
    world.setGravity(bullet_vector(scene.gravity));
    if (iterations > 0)
        world.getSolverInfo().m_numIterations = iterations;
    world.addMultiBody(tree.get());
    for (int i = 0; i < body_count && scene.contacts != PEER_CONTACTS_NONE; ++i)
        add_collider(scene, i);
    for (int i = 0; i < scene.plane_count; ++i)
    {
        shapes.push_back(std::make_unique<btStaticPlaneShape>(bullet_vector(scene.planes[i].normal),
                                                              btScalar(scene.planes[i].offset)));
        btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shapes.back().get());
        info.m_friction = btScalar(std::sqrt(scene.friction));
        planes.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(planes.back().get(), 2, 1);
    }
}

bullet_multibody::~bullet_multibody()
{
    for (auto &plane : planes)
        world.removeRigidBody(plane.get());
    for (auto &collider : colliders)
        world.removeCollisionObject(collider.get());
    world.removeMultiBody(tree.get());
}

void bullet_multibody::add_link(const peer_scene &scene, const peer_hinge &hinge)
{
    const peer_body &body = scene.bodies[hinge.child];
    btTransform child = bullet_pose(body.start);
    btTransform parent = hinge.parent < 0 ? btTransform::getIdentity() : bullet_pose(scene.bodies[hinge.parent].start);
    btVector3 point = bullet_vector(hinge.point);
    tree->setupRevolute(link_of(hinge.child), btScalar(body.mass), bullet_vector(body.inertia),
                        hinge.parent < 0 ? -1 : link_of(hinge.parent),
                        child.getRotation().inverse() * parent.getRotation(),
                        child.getBasis().transpose() * bullet_vector(hinge.axis), parent.inverse() * point,
                        -(child.inverse() * point), true);
}

void bullet_multibody::add_collider(const peer_scene &scene, int body)
{
    shapes.push_back(bullet_shape(scene.bodies[body]));
    colliders.push_back(std::make_unique<btMultiBodyLinkCollider>(tree.get(), link_of(body)));
    btMultiBodyLinkCollider *collider = colliders.back().get();
    collider->setCollisionShape(shapes.back().get());
    collider->setWorldTransform(bullet_pose(scene.bodies[body].start));
    collider->setFriction(btScalar(std::sqrt(scene.friction)));
    world.addCollisionObject(collider, 1, scene.contacts == PEER_CONTACTS_ALL ? 3 : 2);
    if (link_of(body) < 0)
        tree->setBaseCollider(collider);
    else
        tree->getLink(link_of(body)).m_collider = collider;
}

void bullet_multibody::advance()
{
    world.stepSimulation(step, 0);
}

void bullet_multibody::read(peer_state *states) const
{
    std::vector<btVector3> spin(size_t(body_count) + 1), velocity(size_t(body_count) + 1);
    btAlignedObjectArray<btQuaternion> turned;
    btAlignedObjectArray<btVector3> origin;
    tree->forwardKinematics(turned, origin);
    tree->compTreeLinkVelocities(spin.data(), velocity.data());
    for (int i = 0; i < body_count; ++i)
    {
        int link = link_of(i);
        btTransform pose = link < 0 ? tree->getBaseWorldTransform() : tree->getLink(link).m_cachedWorldTransform;
        btVector3 v = pose.getBasis() * velocity[size_t(link + 1)], w = pose.getBasis() * spin[size_t(link + 1)];
        btQuaternion q = pose.getRotation();
        states[i].orientation[0] = q.w();
        for (int k = 0; k < 3; ++k)
        {
            states[i].position[k] = pose.getOrigin()[k];
            states[i].velocity[k] = v[k];
            states[i].spin[k] = w[k];
            states[i].orientation[k + 1] = q[k];
        }
    }
}
