/* Bullet's collision stage with its usual parts: btDbvtBroadphase, the default dispatcher and algorithms. */
#include "collide_peer.h"

#include <btBulletCollisionCommon.h>
#include <cstdio>
#include <memory>
#include <vector>

struct collide_peer
{
    explicit collide_peer(int count)
        : configuration(roomy(count)), dispatcher(&configuration), world(&dispatcher, &broad, &configuration),
          floor_shape(btVector3(0, 0, 1), 0)
    {
        floor.setCollisionShape(&floor_shape);
        world.addCollisionObject(&floor);
    }

    ~collide_peer()
    {
        for (const auto &object : objects)
        {
            world.removeCollisionObject(object.get());
        }
        world.removeCollisionObject(&floor);
    }

    /* Pools large enough that nothing falls back to the general allocator. */
    static btDefaultCollisionConstructionInfo roomy(int count)
    {
        btDefaultCollisionConstructionInfo info;
        info.m_defaultMaxPersistentManifoldPoolSize = 8 * count + 4096;
        info.m_defaultMaxCollisionAlgorithmPoolSize = 8 * count + 4096;
        return info;
    }

    void add(btCollisionShape *shape, const btTransform &place)
    {
        shapes.emplace_back(shape);
        objects.emplace_back(new btCollisionObject);
        objects.back()->setCollisionShape(shape);
        objects.back()->setCollisionFlags(0); /* it moves */
        objects.back()->setWorldTransform(place);
        world.addCollisionObject(objects.back().get());
    }

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broad;
    btCollisionWorld world;
    btStaticPlaneShape floor_shape;
    btCollisionObject floor;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
};

const char *collide_peer_name(void)
{
    static char name[64];
    std::snprintf(name, sizeof name, "Bullet %d.%02d, %s precision", btGetVersion() / 100, btGetVersion() % 100,
                  sizeof(btScalar) == 4 ? "single" : "double");
    return name;
}

collide_peer *collide_peer_open(int count)
{
    return new collide_peer(count);
}

void collide_peer_close(collide_peer *peer)
{
    delete peer;
}

static btTransform transform(const double x[3], const double R[9])
{
    btScalar r[9], p[3];
    for (int k = 0; k < 9; ++k)
    {
        r[k] = btScalar(R[k]);
        p[k / 3] = btScalar(x[k / 3]);
    }
    return btTransform(btMatrix3x3(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]), btVector3(p[0], p[1], p[2]));
}

void collide_peer_add_ball(collide_peer *peer, double radius, const double x[3], const double R[9])
{
    peer->add(new btSphereShape(btScalar(radius)), transform(x, R));
}

void collide_peer_add_box(collide_peer *peer, const double half[3], const double x[3], const double R[9])
{
    peer->add(new btBoxShape(btVector3(btScalar(half[0]), btScalar(half[1]), btScalar(half[2]))), transform(x, R));
}

void collide_peer_move(collide_peer *peer, int body, const double x[3], const double R[9])
{
    peer->objects[size_t(body)]->setWorldTransform(transform(x, R));
}

void collide_peer_collide(collide_peer *peer)
{
    peer->world.performDiscreteCollisionDetection();
}

int collide_peer_touching(const collide_peer *peer)
{
    auto &dispatcher = const_cast<btCollisionDispatcher &>(peer->dispatcher);
    int count = 0;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
    {
        const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold->getNumContacts(); ++k)
        {
            count += manifold->getContactPoint(k).getDistance() <= 0;
        }
    }
    return count;
}
