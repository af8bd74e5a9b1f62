/* The kinds of random scenes: drops, edges, kinks, corners, cradles, pendula, springs, driven plates, heaps, rods, stacks. */
#include "support/random_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ORIGIN[3] = {0, 0, 0};

static double gravity(const random_scene *s)
{
    return -s->gravity[scene_up(s)];
}

/* Up, turned by an angle towards -x: the normal of a plane that rises along x by that angle. */
static void inclined(const random_scene *s, double angle, double normal[3])
{
    normal[0] = -sin(angle);
    normal[1] = normal[2] = 0;
    normal[scene_up(s)] = cos(angle);
}

static void floor_add(random_scene *s, double angle)
{
    double normal[3];
    inclined(s, angle, normal);
    scene_wall_add(s, ORIGIN, normal);
}

static void spin(random_scene *s, scene_body *b, double most)
{
    if (b->is_point)
        return;
    b->spin[2] = scene_uniform(s, -most, most);
    for (int i = 0; i < 2 && s->dimension == 3; ++i)
        b->spin[i] = scene_uniform(s, -most, most);
}

/* So high over the plane through the origin that free flight ends on it at a time; the velocity along the normal is chosen. */
static void aim(random_scene *s, scene_body *b, const double normal[3], double time)
{
    double back[3] = {-normal[0], -normal[1], -normal[2]};
    double pull = gravity(s) * normal[scene_up(s)], fall = gravity(s) > 0 && scene_chance(s, 0.5) ? 0 : -1;
    double speed = fall * scene_uniform(s, 0.2, 2);
    double height = scene_reach(s, b, back) - speed * time + 0.5 * pull * time * time;
    for (int i = 0; i < 3; ++i)
    {
        b->position[i] += height * normal[i];
        b->velocity[i] += speed * normal[i];
    }
}

/* One body flies on a floor or an incline. */
static void make_drop(random_scene *s)
{
    double angle = scene_chance(s, 0.5) ? 0 : scene_uniform(s, -0.7, 0.7), normal[3];
    inclined(s, angle, normal);
    floor_add(s, angle);
    scene_body *b = scene_body_add(s, scene_any_shape(s), 0.3);
    if (scene_chance(s, 0.7))
        scene_turn(s, b);
    aim(s, b, normal, scene_time(s));
    double slide = scene_chance(s, 0.5) ? 0 : scene_uniform(s, -2, 2);
    b->velocity[0] += slide * cos(angle);
    b->velocity[scene_up(s)] += slide * sin(angle);
    spin(s, b, scene_chance(s, 0.5) ? 0 : 6);
}

/* A body slides on a table and over its edge. */
static void make_edge(random_scene *s)
{
    double down[3] = {0, 0, 0}, speed = scene_uniform(s, 0.3, 2);
    down[scene_up(s)] = -1;
    scene_body *b = scene_body_add(s, scene_any_shape(s), 0.3);
    double ahead[3] = {1, 0, 0};
    s->table_end = 0;
    bool rests = b->cloud.count <= 2;
    b->position[0] = -speed * scene_time(s) - (rests || scene_chance(s, 0.5) ? 0 : scene_reach(s, b, ahead));
    b->position[scene_up(s)] = scene_reach(s, b, down) + (scene_chance(s, 0.7) ? 0 : 1e-3);
    b->velocity[0] = speed;
    if (s->dimension == 2)
    {
        scene_text(s, "  - {name: table, kind: fixed, material: m, shapes: [{type: rectangle, size: [2, 0.2], "
                      "position: [-1, -0.1]}]}\n");
    }
    else
    {
        b->velocity[1] = scene_uniform(s, -0.2, 0.2);
        scene_text(s, "  - {name: table, kind: fixed, material: m, shapes: [{type: box, size: [2, 2, 0.2], position: "
                      "[-1, 0, -0.1]}]}\n");
    }
}

/* A point or a ball slides on a floor into an incline. */
static void make_kink(random_scene *s)
{
    double angle = scene_uniform(s, 0.1, 1.4), speed = scene_uniform(s, 0.3, 3);
    floor_add(s, 0);
    floor_add(s, angle);
    scene_body *b = scene_body_add(s, scene_chance(s, 0.5) ? SCENE_POINT : SCENE_BALL, 0.3);
    double r = b->cloud.radius;
    b->position[scene_up(s)] = r;
    b->position[0] = -r * tan(angle / 2) - speed * scene_time(s);
    b->velocity[0] = speed;
}

/* Bodies thrown about between walls. */
static void make_corner(random_scene *s)
{
    for (int i = 0; i < s->dimension; ++i)
    {
        for (int side = -1; side <= 1; side += 2)
        {
            double point[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
            point[i] = side * 0.6;
            normal[i] = -side;
            scene_wall_add(s, point, normal);
        }
    }
    int count = scene_integer(s, 1, 3);
    for (int i = 0; i < count; ++i)
    {
        scene_body *b = scene_body_add(s, scene_any_shape(s), 0.25);
        b->position[0] = 0.35 * (i - 0.5 * (count - 1));
        scene_turn(s, b);
        spin(s, b, 6);
        for (int k = 0; k < s->dimension; ++k)
            b->velocity[k] = scene_uniform(s, -4, 4);
    }
}

/* Balls in a row, apart by nothing or very little; the first comes in. */
static void make_cradle(random_scene *s)
{
    int count = scene_integer(s, 2, 5);
    bool floor = scene_chance(s, 0.5);
    if (floor)
        floor_add(s, 0);
    memset(s->gravity, 0, sizeof s->gravity);
    double x = 0, gap = scene_chance(s, 0.4) ? 0 : pow(10, scene_uniform(s, -9, -3)), speed = scene_uniform(s, 0.3, 2);
    for (int i = 0; i < count; ++i)
    {
        scene_body *b = scene_body_add(s, SCENE_BALL, 0.2);
        b->mass = scene_chance(s, 0.5) ? 1 : b->mass;
        b->position[scene_up(s)] = floor ? b->cloud.radius : 0;
        double apart = i == 0 ? 0 : i == 1 ? speed * scene_time(s) : gap;
        x += i == 0 ? 0 : apart + 2 * sqrt(b->cloud.radius * b[-1].cloud.radius);
        /* on the floor balls of different radii touch off their middle */
        x +=
            i == 0 || floor ? 0 : b->cloud.radius + b[-1].cloud.radius - 2 * sqrt(b->cloud.radius * b[-1].cloud.radius);
        b->position[0] = x;
        b->velocity[0] = i == 0 ? speed : 0;
    }
}

/* A chain of one or two bodies hangs from the world and swings against a wall. */
static void make_pendulum(random_scene *s)
{
    int links = scene_integer(s, 1, 2), up = scene_up(s);
    double normal[3] = {1, 0, 0}, x = 0, z = 0, wall[3] = {scene_uniform(s, -0.3, 0.4), 0, 0};
    bool rods = s->dimension == 2 && scene_chance(s, 0.5);
    s->has_joints = true;
    for (int i = 0; i < links; ++i)
    {
        double length = scene_uniform(s, 0.4, 1), angle = scene_uniform(s, 0.5, 1.5);
        scene_body *b = scene_body_add(s, rods ? SCENE_BAR : SCENE_POINT, 0.5);
        double end[3] = {x + length * sin(angle), 0, 0};
        end[up] = z - length * cos(angle);
        for (int k = 0; k < 3; ++k)
            b->position[k] = rods ? 0.5 * ((k == 0 ? x : k == up ? z : 0) + end[k]) : end[k];
        b->angle = angle - 1.5707963267948966;
        if (rods)
        {
            b->cloud.count = 0;
            memset(b->cloud.points, 0, sizeof b->cloud.points);
            b->cloud.points[0][0] = -length / 2;
            b->cloud.points[1][0] = length / 2;
            b->cloud.count = 2;
            b->inertia[2] = b->mass * length * length / 12;
        }
        wall[0] = fmin(wall[0], fmin(x, end[0]) - 0.02);
        x = end[0];
        z = end[up];
    }
    scene_wall_add(s, wall, normal);
    for (int i = 0; rods && i < links; ++i)
    {
        scene_body *b = &s->bodies[i];
        double half = b->cloud.points[1][0];
        snprintf(b->shape, sizeof b->shape, "{type: segment, length: %.17g}", 2 * half);
    }
    scene_text(s, "joints:\n");
    for (int i = 0; i < links; ++i)
    {
        const scene_body *b = &s->bodies[i];
        if (rods)
        {
            double half = b->cloud.points[1][0];
            scene_text(s, "  - {name: j%d, type: revolute, bodies: [%s, %s], at: [%.17g, %.17g]}\n", i,
                       i ? s->bodies[i - 1].name : "world", b->name, b->position[0] - half * cos(b->angle),
                       b->position[1] - half * sin(b->angle));
        }
        else
        {
            const char *zero = s->dimension == 2 ? "[0, 0]" : "[0, 0, 0]";
            scene_text(s, "  - {name: j%d, type: distance, bodies: [%s, %s], points: [%s, %s]}\n", i,
                       i ? s->bodies[i - 1].name : "world", b->name, zero, zero);
        }
    }
}

/* Two or three bodies on springs fall on a floor. */
static void make_springs(random_scene *s)
{
    floor_add(s, 0);
    int count = scene_integer(s, 2, 3);
    double up[3] = {0, 0, 0};
    up[scene_up(s)] = 1;
    for (int i = 0; i < count; ++i)
    {
        scene_body *b = scene_body_add(s, scene_any_shape(s), 0.25);
        scene_turn(s, b);
        b->position[0] = 0.6 * i;
        aim(s, b, up, scene_time(s));
    }
    scene_text(s, "springs:\n");
    for (int i = 1; i < count; ++i)
    {
        scene_spring *e = &s->springs[s->spring_count++];
        *e = (scene_spring){
            .a = i - 1, .b = i, .stiffness = pow(10, scene_uniform(s, 0, 3)), .rest = scene_uniform(s, 0.5, 0.8)};
        scene_text(s,
                   "  - {name: s%d, type: linear, bodies: [%s, %s], stiffness: %.17g, rest: %.17g, damping: %.17g}\n",
                   i, s->bodies[i - 1].name, s->bodies[i].name, e->stiffness, e->rest,
                   scene_chance(s, 0.5) ? 0 : scene_uniform(s, 0, 5));
    }
}

/* A plate swings or starts at once under bodies that rest on it or fall on it. */
static void make_driven(random_scene *s)
{
    double up[3] = {0, 0, 0};
    up[scene_up(s)] = 1;
    s->gravity[scene_up(s)] = -9.81;
    bool abrupt = scene_chance(s, 0.5);
    s->drive.is_driven = true;
    s->drive.speed = abrupt ? scene_uniform(s, 0.2, 2) : 0;
    s->drive.start = abrupt ? scene_time(s) : 0;
    s->drive.frequency = scene_uniform(s, 5, 40);
    s->drive.amplitude = abrupt ? 0 : scene_uniform(s, 0.1, 1) / s->drive.frequency;
    floor_add(s, 0);
    int count = scene_integer(s, 1, 2);
    for (int i = 0; i < count; ++i)
    {
        scene_body *b = scene_body_add(s, scene_any_shape(s), 0.25);
        double down[3] = {0, 0, 0};
        down[scene_up(s)] = -1;
        b->position[0] = 0.6 * i;
        if (scene_chance(s, 0.5))
        {
            scene_turn(s, b);
            aim(s, b, up, scene_time(s));
            continue;
        }
        b->position[scene_up(s)] = scene_reach(s, b, down);
        b->velocity[scene_up(s)] = s->drive.amplitude * s->drive.frequency;
    }
}

/* Several bodies fall on each other. */
static void make_heap(random_scene *s)
{
    floor_add(s, 0);
    s->gravity[scene_up(s)] = -9.81;
    int count = scene_integer(s, 3, 5);
    for (int i = 0; i < count; ++i)
    {
        scene_body *b = scene_body_add(s, scene_any_shape(s), 0.25);
        scene_turn(s, b);
        b->position[0] = scene_uniform(s, -0.1, 0.1);
        b->position[scene_up(s)] = 0.25 + 0.42 * i;
        b->velocity[scene_up(s)] = scene_uniform(s, -2, 0);
        spin(s, b, 4);
    }
    s->steps = 60;
}

/* A rod slides on its tip. */
static void make_rod(random_scene *s)
{
    floor_add(s, 0);
    s->friction = scene_uniform(s, 0, 2);
    scene_body *b = scene_body_add(s, s->dimension == 2 ? SCENE_BAR : SCENE_CAPSULE, 1);
    double tilt = scene_uniform(s, 0.2, 1.4), half = 0, down[3] = {0, 0, 0};
    down[scene_up(s)] = -1;
    b->angle = s->dimension == 2 ? tilt : 0;
    b->orientation[0] = s->dimension == 2 ? 1 : cos(tilt / 2);
    b->orientation[2] = s->dimension == 2 ? 0 : sin(tilt / 2);
    half = scene_reach(s, b, down);
    bool lands = scene_chance(s, 0.5);
    b->position[scene_up(s)] = half;
    b->velocity[0] = scene_uniform(s, -3, 3);
    if (lands)
        b->position[scene_up(s)] += 0.5 * gravity(s) * pow(scene_time(s), 2);
}

/* Boxes on each other, at rest or pushed. */
static void make_stack(random_scene *s)
{
    floor_add(s, 0);
    double height = 0;
    int up = scene_up(s), count = scene_integer(s, 1, 3);
    for (int i = 0; i < count; ++i)
    {
        scene_body *b = scene_body_add(s, SCENE_BLOCK, 0.3);
        double half = fabs(b->cloud.points[0][up]);
        b->position[up] = height + half;
        b->position[0] = scene_uniform(s, -0.05, 0.05);
        height += 2 * half + (scene_chance(s, 0.8) ? 0 : 1e-3);
        b->velocity[0] = scene_chance(s, 0.5) ? 0 : scene_uniform(s, -2, 2);
    }
}

/* A point or a ball falls on a bar without thickness (a thin plate in space). */
static void make_bar_table(random_scene *s)
{
    double up[3] = {0, 0, 0};
    up[scene_up(s)] = 1;
    scene_body *b = scene_body_add(s, scene_chance(s, 0.5) ? SCENE_POINT : scene_any_shape(s), 0.3);
    s->table_end = 3;
    aim(s, b, up, scene_time(s));
    b->velocity[0] = scene_chance(s, 0.5) ? 0 : scene_uniform(s, -1, 1);
    scene_text(
        s, s->dimension == 2
               ? "  - {name: table, kind: fixed, material: m, shapes: [{type: segment, vertices: [[-3, 0], [3, 0]]}]}\n"
               : "  - {name: table, kind: fixed, material: m, shapes: [{type: box, size: [6, 6, 0.01], position: [0, "
                 "0, -0.005]}]}\n");
}

const struct scene_kind SCENE_KINDS[] = {
    {"drop", make_drop},     {"edge", make_edge},         {"kink", make_kink},       {"corner", make_corner},
    {"cradle", make_cradle}, {"pendulum", make_pendulum}, {"springs", make_springs}, {"driven", make_driven},
    {"heap", make_heap},     {"rod", make_rod},           {"stack", make_stack},     {"bar table", make_bar_table},
};
const int SCENE_KIND_COUNT = sizeof SCENE_KINDS / sizeof SCENE_KINDS[0];
