// Bullet's articulated bodies: hinges in minimal coordinates (Featherstone's method), for scenes of one tree. The tree hangs from the world, or its
// first body is free. Damping, which Bullet sets by default, is off: the energy is to stay.
#ifndef PEERS_BULLET_MULTIBODY_H
#define PEERS_BULLET_MULTIBODY_H

#include "engine.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

class bullet_multibody
{
  public:
    // nullptr when the hinges do not form one tree whose parents come before their children.
    static std::unique_ptr<bullet_multibody> make(const peer_scene &scene, int iterations);
    ~bullet_multibody();
    void advance();
    void read(peer_state *states) const;

  private:
    bullet_multibody(const peer_scene &scene, int iterations);
    void add_link(const peer_scene &scene, const peer_hinge &hinge);
    void add_collider(const peer_scene &scene, int body);
    int link_of(int body) const
    {
        return hangs ? body : body - 1;
    }

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
    std::vector<std::unique_ptr<btRigidBody>> planes;
    std::unique_ptr<btMultiBody> tree;
    bool hangs;
    int body_count;
    btScalar step;
};

// What both ways to drive Bullet need.
btVector3 bullet_vector(const double v[3]);
btTransform bullet_pose(const peer_state &s);
std::unique_ptr<btCollisionShape> bullet_shape(const peer_body &body);

#endif
