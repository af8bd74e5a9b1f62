/* Bullet's collision stage with its usual parts: btDbvtBroadphase, the default dispatcher and algorithms. */
#include "collide_peer.h"

#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>
#include <btBulletCollisionCommon.h>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

/* Bullet has no ellipsoid of its own; it takes any support function. The margin is taken off inside, as its box does. */
class ellipsoid : public btConvexInternalShape
{
  public:
    explicit ellipsoid(const btVector3 &semi_axes) : semi(semi_axes)
    {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
        inner = semi - btVector3(getMargin(), getMargin(), getMargin());
    }

    btVector3 localGetSupportingVertexWithoutMargin(const btVector3 &n) const override
    {
        btVector3 y = inner * n;
        btScalar length = y.length();
        return length > 0 ? inner * y / length : btVector3(inner.x(), 0, 0);
    }

    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3 *n, btVector3 *out, int count) const override
    {
        for (int i = 0; i < count; ++i)
        {
            out[i] = localGetSupportingVertexWithoutMargin(n[i]);
        }
    }

    void calculateLocalInertia(btScalar, btVector3 &inertia) const override
    {
        inertia.setValue(0, 0, 0);
    }

    const char *getName() const override
    {
        return "ellipsoid";
    }

  private:
    btVector3 semi, inner;
};

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

    /* `rise`: how far the shape's centre lies above the body's origin along its own axis. */
    void add(btCollisionShape *shape, const btTransform &place, btScalar rise)
    {
        shapes.emplace_back(shape);
        rises.push_back(rise);
        objects.emplace_back(new btCollisionObject);
        objects.back()->setCollisionShape(shape);
        objects.back()->setCollisionFlags(0); /* it moves */
        move(objects.size() - 1, place);
        world.addCollisionObject(objects.back().get());
    }

    void move(size_t body, btTransform place)
    {
        place.setOrigin(place * btVector3(0, 0, rises[body]));
        objects[body]->setWorldTransform(place);
    }

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broad;
    btCollisionWorld world;
    btStaticPlaneShape floor_shape;
    btCollisionObject floor;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    std::vector<btScalar> rises;
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

/* Bullet grows a hull and a cone by a margin, so that they are made smaller by as much: a hull about its centre, a cone about
 * that of the ball in it. */
static btCollisionShape *hull_of(const cairn_shape_options *shape)
{
    auto *hull = new btConvexHullShape;
    double least = 1e300;
    for (int i = 0; i < shape->vertex_count; ++i)
    {
        const double *x = shape->vertices + 3 * i;
        least = std::fmin(least, std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
    }
    double scale = 1.0 - hull->getMargin() / least;
    for (int i = 0; i < shape->vertex_count; ++i)
    {
        const double *x = shape->vertices + 3 * i;
        hull->addPoint(btVector3(btScalar(scale * x[0]), btScalar(scale * x[1]), btScalar(scale * x[2])), false);
    }
    hull->recalcLocalAabb();
    return hull;
}

static btCollisionShape *cone_of(double radius, double height, btScalar *rise)
{
    double margin = CONVEX_DISTANCE_MARGIN, inner = radius * height / (radius + std::hypot(radius, height));
    double scale = 1.0 - margin / inner;
    *rise = btScalar(margin + 0.5 * scale * height - 0.25 * height); /* Cairn's origin is the centre of mass */
    return new btConeShapeZ(btScalar(scale * radius), btScalar(scale * height));
}

static btVector3 vector(const double v[3], double scale)
{
    return btVector3(btScalar(scale * v[0]), btScalar(scale * v[1]), btScalar(scale * v[2]));
}

void collide_peer_add(collide_peer *peer, const cairn_shape_options *shape, const double x[3], const double R[9])
{
    btScalar rise = 0, radius = btScalar(shape->radius);
    btCollisionShape *out = nullptr;
    switch (shape->kind)
    {
    case CAIRN_BOX:
        out = new btBoxShape(vector(shape->size, 0.5));
        break;
    case CAIRN_CAPSULE:
        out = new btCapsuleShapeZ(radius, btScalar(shape->length));
        break;
    case CAIRN_CYLINDER:
        out = new btCylinderShapeZ(btVector3(radius, radius, btScalar(0.5 * shape->height)));
        break;
    case CAIRN_CONE:
        out = cone_of(shape->radius, shape->height, &rise);
        break;
    case CAIRN_ELLIPSOID:
        out = new ellipsoid(vector(shape->radii, 1.0));
        break;
    case CAIRN_HULL:
        out = hull_of(shape);
        break;
    default:
        out = new btSphereShape(radius);
        break;
    }
    peer->add(out, transform(x, R), rise);
}

void collide_peer_move(collide_peer *peer, int body, const double x[3], const double R[9])
{
    peer->move(size_t(body), transform(x, R));
}

void collide_peer_collide(collide_peer *peer)
{
    peer->world.performDiscreteCollisionDetection();
}

static int count_up_to(const collide_peer *peer, btScalar gap)
{
    auto &dispatcher = const_cast<btCollisionDispatcher &>(peer->dispatcher);
    int count = 0;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
    {
        const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold->getNumContacts(); ++k)
        {
            count += manifold->getContactPoint(k).getDistance() <= gap;
        }
    }
    return count;
}

int collide_peer_touching(const collide_peer *peer)
{
    return count_up_to(peer, 0);
}

int collide_peer_listed(const collide_peer *peer)
{
    return count_up_to(peer, BT_LARGE_FLOAT);
}
