// Box2D, for planar scenes: the plane y = 0 of the scene, its x and z as Box2D's x and y. One b2World::Step per step, with the 8
// velocity and 3 position iterations that its manual recommends; sleeping is off, as for Bullet. Polygons have a skin of 1 cm around
// them; they are made smaller by it, so that their outer size is that of the scene. Static planes are long thin boxes.
//
// Settings: iterations (of velocities, default 8), position_iterations (default 3).
#include "engine.h"
#include "planar.h"

#include <box2d/box2d.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

struct peer_world
{
    b2World world{b2Vec2(0, 0)};
    std::vector<b2Body *> bodies;
    float step = 0;
    int iterations = 8, position_iterations = 3;

    void add_body(const peer_scene &scene, const peer_body &body)
    {
        peer_planar pose = peer_to_planar(&body.start);
        b2BodyDef definition;
        definition.type = b2_dynamicBody;
        definition.position.Set(float(pose.position[0]), float(pose.position[1]));
        definition.angle = float(pose.angle);
        definition.linearVelocity.Set(float(pose.velocity[0]), float(pose.velocity[1]));
        definition.angularVelocity = float(pose.spin);
        b2Body *added = world.CreateBody(&definition);
        b2CircleShape circle;
        b2PolygonShape polygon;
        b2FixtureDef fixture;
        circle.m_radius = float(body.size[0]);
        fixture.shape = &circle;
        if (body.shape == PEER_BOX)
        {
            polygon.SetAsBox(float(0.5 * body.size[0]) - b2_polygonRadius, float(0.5 * body.size[2]) - b2_polygonRadius);
            fixture.shape = &polygon;
        }
        fixture.density = 1;
        fixture.friction = float(scene.friction);
        added->CreateFixture(&fixture);
        b2MassData mass = {float(body.mass), b2Vec2(0, 0), float(body.inertia[1])};
        added->SetMassData(&mass);
        bodies.push_back(added);
    }

    void add_plane(const peer_scene &scene, const peer_plane &plane)
    {
        constexpr float LENGTH = 50, DEPTH = 1;
        b2Vec2 normal(float(plane.normal[0]), float(plane.normal[2]));
        b2BodyDef definition;
        definition.position = (float(plane.offset) - DEPTH) * normal;
        definition.angle = std::atan2(-normal.x, normal.y);
        b2PolygonShape polygon;
        polygon.SetAsBox(LENGTH, DEPTH - b2_polygonRadius);
        world.CreateBody(&definition)->CreateFixture(&polygon, 0)->SetFriction(float(scene.friction));
    }
};

void peer_describe(char *text, size_t size)
{
    snprintf(text, size, "Box2D %d.%d.%d, single precision", b2_version.major, b2_version.minor, b2_version.revision);
}

void peer_list_settings(void)
{
    puts("iterations\nposition_iterations");
}

peer_world *peer_create(const peer_scene *scene, char *const *settings, int setting_count, char *error, size_t size)
{
    auto world = std::make_unique<peer_world>();
    if (!scene->planar)
    {
        snprintf(error, size, "Box2D takes planar scenes only");
        return nullptr;
    }
    for (int i = 0; i < setting_count; ++i)
    {
        double value;
        if (peer_setting_number(settings[i], "iterations", &value))
            world->iterations = int(value);
        else if (peer_setting_number(settings[i], "position_iterations", &value))
            world->position_iterations = int(value);
        else
        {
            snprintf(error, size, "Box2D has no setting '%s' here", settings[i]);
            return nullptr;
        }
    }
    world->world.SetGravity(b2Vec2(float(scene->gravity[0]), float(scene->gravity[2])));
    world->world.SetAllowSleeping(false);
    world->step = float(scene->step);
    for (int i = 0; i < scene->body_count; ++i)
        world->add_body(*scene, scene->bodies[i]);
    for (int i = 0; i < scene->plane_count; ++i)
        world->add_plane(*scene, scene->planes[i]);
    return world.release();
}

bool peer_step(peer_world *world, char *, size_t)
{
    world->world.Step(world->step, world->iterations, world->position_iterations);
    return true;
}

void peer_read(const peer_world *world, peer_state *states)
{
    for (size_t i = 0; i < world->bodies.size(); ++i)
    {
        const b2Body &body = *world->bodies[i];
        peer_planar pose = {{body.GetPosition().x, body.GetPosition().y},
                            body.GetAngle(),
                            {body.GetLinearVelocity().x, body.GetLinearVelocity().y},
                            body.GetAngularVelocity()};
        states[i] = peer_from_planar(&pose);
    }
}

void peer_destroy(peer_world *world)
{
    delete world;
}
