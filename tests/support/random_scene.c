#include "support/random_scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------- drawing lots */

double scene_uniform(random_scene *s, double low, double high)
{
    return test_uniform(&s->random, low, high);
}

int scene_integer(random_scene *s, int low, int high)
{
    return test_integer(&s->random, low, high);
}

bool scene_chance(random_scene *s, double probability)
{
    return test_uniform(&s->random, 0, 1) < probability;
}

int scene_up(const random_scene *s)
{
    return s->dimension == 2 ? 1 : 2;
}

double scene_time(random_scene *s)
{
    double sign = scene_chance(s, 0.5) ? 1 : -1;
    switch (scene_integer(s, 0, 3))
    {
    case 0:
        s->offset = 0;
        break;
    case 1:
        s->offset = sign * pow(10, scene_uniform(s, -16, -8));
        break;
    case 2:
        s->offset = sign * pow(10, scene_uniform(s, -8, -3));
        break;
    default:
        s->offset = scene_uniform(s, 0, 1);
        break;
    }
    s->impact = (scene_integer(s, 2, 9) + s->offset) * s->h;
    return s->impact;
}

/* ------------------------------------------------------------------------------------------------------------ text */

void scene_text(random_scene *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(s->text + s->length, sizeof s->text - s->length, format, arguments);
    va_end(arguments);
    s->length = n < 0 || (size_t)n >= sizeof s->text - s->length ? sizeof s->text - 1 : s->length + (size_t)n;
}

/* A vector of the scene's dimension. */
static void vector(const random_scene *s, const double x[3], char out[96])
{
    if (s->dimension == 2)
        snprintf(out, 96, "[%.17g, %.17g]", x[0], x[1]);
    else
        snprintf(out, 96, "[%.17g, %.17g, %.17g]", x[0], x[1], x[2]);
}

/* ---------------------------------------------------------------------------------------------------------- shapes */

void scene_rotate(const random_scene *s, const double q[4], double angle, const double x[3], double out[3])
{
    if (s->dimension == 2)
    {
        double c = cos(angle), d = sin(angle), y[3] = {c * x[0] - d * x[1], d * x[0] + c * x[1], 0};
        memcpy(out, y, sizeof y);
        return;
    }
    /* x + 2 w (u x x) + 2 u x (u x x) */
    const double *u = q + 1;
    double a[3] = {u[1] * x[2] - u[2] * x[1], u[2] * x[0] - u[0] * x[2], u[0] * x[1] - u[1] * x[0]};
    double b[3] = {u[1] * a[2] - u[2] * a[1], u[2] * a[0] - u[0] * a[2], u[0] * a[1] - u[1] * a[0]};
    double y[3] = {x[0] + 2 * (q[0] * a[0] + b[0]), x[1] + 2 * (q[0] * a[1] + b[1]), x[2] + 2 * (q[0] * a[2] + b[2])};
    memcpy(out, y, sizeof y);
}

double scene_reach(const random_scene *s, const scene_body *b, const double direction[3])
{
    double most = -INFINITY;
    for (int i = 0; i < b->cloud.count; ++i)
    {
        double x[3];
        scene_rotate(s, b->orientation, b->angle, b->cloud.points[i], x);
        most = fmax(most, x[0] * direction[0] + x[1] * direction[1] + x[2] * direction[2]);
    }
    return most + b->cloud.radius;
}

scene_shape scene_any_shape(random_scene *s)
{
    /* a bar has no thickness, and is for the plane alone */
    scene_shape shape = (scene_shape)scene_integer(s, 0, SCENE_SHAPES - 1);
    return shape == SCENE_BAR && s->dimension == 3 ? SCENE_BLOCK : shape;
}

static void cloud_add(scene_cloud *cloud, double x, double y, double z)
{
    double *p = cloud->points[cloud->count++];
    p[0] = x;
    p[1] = y;
    p[2] = z;
}

/* The vertices as a list. */
static void vertices(const random_scene *s, const scene_cloud *cloud, char *out, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < cloud->count; ++i)
    {
        char point[96];
        vector(s, cloud->points[i], point);
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", point);
    }
}

static void make_ball(random_scene *s, scene_body *b, double size)
{
    b->cloud.radius = size * scene_uniform(s, 0.3, 0.6);
    cloud_add(&b->cloud, 0, 0, 0);
    snprintf(b->shape, sizeof b->shape, "{type: %s, radius: %.17g}", s->dimension == 2 ? "circle" : "sphere",
             b->cloud.radius);
}

static void make_bar(random_scene *s, scene_body *b, double size)
{
    double half = size * scene_uniform(s, 0.4, 0.8);
    char list[400];
    cloud_add(&b->cloud, -half, 0, 0);
    cloud_add(&b->cloud, half, 0, 0);
    vertices(s, &b->cloud, list, sizeof list);
    snprintf(b->shape, sizeof b->shape, "{type: segment, vertices: [%s]}", list);
}

static void make_capsule(random_scene *s, scene_body *b, double size)
{
    double half = size * scene_uniform(s, 0.2, 0.5);
    b->cloud.radius = size * scene_uniform(s, 0.1, 0.3);
    int along = s->dimension == 2 ? 0 : 2;
    double end[3] = {0, 0, 0};
    end[along] = half;
    cloud_add(&b->cloud, end[0], end[1], end[2]);
    cloud_add(&b->cloud, -end[0], -end[1], -end[2]);
    snprintf(b->shape, sizeof b->shape, "{type: capsule, radius: %.17g, length: %.17g}", b->cloud.radius, 2 * half);
}

static void make_block(random_scene *s, scene_body *b, double size)
{
    double edge[3], half[3];
    for (int i = 0; i < 3; ++i)
    {
        edge[i] = size * scene_uniform(s, 0.4, 1);
        half[i] = edge[i] / 2;
    }
    for (int i = 0; i < (s->dimension == 2 ? 4 : 8); ++i)
    {
        cloud_add(&b->cloud, i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
                  s->dimension == 2 ? 0 : (i & 4 ? half[2] : -half[2]));
    }
    char list[96];
    vector(s, edge, list);
    snprintf(b->shape, sizeof b->shape, "{type: %s, size: %s}", s->dimension == 2 ? "rectangle" : "box", list);
}

/* Points around the origin in all directions, so that it lies inside. */
static void make_hull(random_scene *s, scene_body *b, double size)
{
    int n = scene_integer(s, s->dimension == 2 ? 3 : 4, s->dimension == 2 ? 6 : 8);
    for (int i = 0; i < n; ++i)
    {
        double turn = 2 * 3.14159265358979 * (i + scene_uniform(s, -0.2, 0.2)) / n;
        double r = size * (s->dimension == 2 ? 0.6 : scene_uniform(s, 0.4, 0.7));
        double up = i % 2 ? 0.5 : -0.5;
        cloud_add(&b->cloud, r * cos(turn), r * sin(turn), s->dimension == 2 ? 0 : up * size);
    }
    char list[800];
    vertices(s, &b->cloud, list, sizeof list);
    snprintf(b->shape, sizeof b->shape, "{type: %s, vertices: [%s]}", s->dimension == 2 ? "polygon" : "hull", list);
}

scene_body *scene_body_add(random_scene *s, scene_shape shape, double size)
{
    scene_body *b = &s->bodies[s->body_count];
    *b = (scene_body){.is_point = shape == SCENE_POINT, .orientation = {1, 0, 0, 0}};
    snprintf(b->name, sizeof b->name, "b%d", s->body_count++);
    b->mass = pow(10, scene_uniform(s, -0.5, 0.5));
    static void (*const MAKE[])(random_scene *, scene_body *, double) = {
        [SCENE_BALL] = make_ball,   [SCENE_BAR] = make_bar,   [SCENE_CAPSULE] = make_capsule,
        [SCENE_BLOCK] = make_block, [SCENE_HULL] = make_hull,
    };
    if (shape == SCENE_POINT)
    {
        cloud_add(&b->cloud, 0, 0, 0);
        snprintf(b->shape, sizeof b->shape, "{type: point}");
        return b;
    }
    MAKE[shape](s, b, size);
    for (int i = 0; i < 3; ++i)
        b->inertia[i] = b->mass * size * size * (shape == SCENE_BALL ? 0.1 : scene_uniform(s, 0.08, 0.14));
    return b;
}

void scene_turn(random_scene *s, scene_body *b)
{
    double length = 0;
    if (b->is_point)
        return;
    b->angle = s->dimension == 2 ? scene_uniform(s, -3, 3) : 0;
    for (int i = 0; i < 4; ++i)
    {
        b->orientation[i] = scene_uniform(s, -1, 1);
        length += b->orientation[i] * b->orientation[i];
    }
    for (int i = 0; i < 4; ++i)
        b->orientation[i] = s->dimension == 2 ? (i == 0) : b->orientation[i] / sqrt(length);
}

void scene_wall_add(random_scene *s, const double point[3], const double normal[3])
{
    scene_wall *wall = &s->walls[s->wall_count++];
    memcpy(wall->point, point, sizeof wall->point);
    memcpy(wall->normal, normal, sizeof wall->normal);
}

/* ------------------------------------------------------------------------------------------------- the whole scene */

static const char *const INTEGRATORS[] = {"euler", "stiff", "trapezoid", "trapezoid2", "stiff2", "stiff2"};
static const char *const LAWS[] = {"cone", "frictionless", "pyramid(4)",        "pyramid(8)",
                                   "box",  "convex cone",  "convex pyramid(4)", "lagged"};
static const char *const STABILISATIONS[] = {"none", "gap", "project"};

static void choose_settings(random_scene *s)
{
    int integrator = scene_integer(s, 0, 5);
    s->order = integrator < 2 ? 1 : 2;
    int law = scene_integer(s, 0, s->order == 1 ? 7 : 4), stabilisation = scene_integer(s, 0, 2);
    s->stabilised = stabilisation > 0;
    s->h = scene_chance(s, 0.5) ? ldexp(1, -scene_integer(s, 6, 8)) : scene_uniform(s, 0.002, 0.016);
    int n = snprintf(s->settings, sizeof s->settings,
                     "step: %.17g, until: %.17g, integrator: %s, law: %s, stabilisation: %s", s->h, s->steps * s->h,
                     INTEGRATORS[integrator], LAWS[law], STABILISATIONS[stabilisation]);
    bool events = s->order == 1 || !scene_chance(s, 0.1);
    n += snprintf(s->settings + n, sizeof s->settings - (size_t)n, "%s%s%s", events ? "" : ", events: false",
                  s->order == 2 && scene_chance(s, 0.3) ? ", impact: newton" : "",
                  scene_chance(s, 0.2) ? ", contact_tolerance: 1e-5" : "");
    if (integrator >= 4 && events && scene_chance(s, 0.1))
        snprintf(s->settings + n, sizeof s->settings - (size_t)n, ", tolerance: 1e-4");
}

static void choose_world(random_scene *s)
{
    static const double RESTITUTIONS[] = {0, 0, 1, 0.5};
    s->dimension = scene_integer(s, 2, 3);
    s->friction = scene_chance(s, 0.4) ? 0 : scene_uniform(s, 0, 0.9);
    int which = scene_integer(s, 0, 5);
    s->restitution = which < 4 ? RESTITUTIONS[which] : scene_uniform(s, 0, 1);
    s->gravity[scene_up(s)] = scene_chance(s, 0.25) ? 0 : -9.81;
}

static void write_wall(random_scene *s, int index)
{
    const scene_wall *wall = &s->walls[index];
    const scene_drive *d = &s->drive;
    char point[96], normal[96];
    vector(s, wall->point, point);
    vector(s, wall->normal, normal);
    scene_text(s, "  - {name: wall%d, kind: %s, position: %s, material: m, shapes: [{type: %s, normal: %s}]", index,
               d->is_driven ? "driven" : "fixed", point, s->dimension == 2 ? "half-plane" : "half-space", normal);
    if (d->is_driven)
    {
        scene_text(s, ", motion: {position: [");
        for (int i = 0; i < s->dimension; ++i)
        {
            scene_text(s, "%s\"%.17g + (%.17g)*(%.17g*sin(%.17g*t) + %.17g*max(0, t - %.17g))\"", i ? ", " : "",
                       wall->point[i], wall->normal[i], d->amplitude, d->frequency, d->speed, d->start);
        }
        scene_text(s, "]}");
    }
    scene_text(s, "}\n");
}

static void write_body(random_scene *s, const scene_body *b)
{
    char position[96], velocity[96];
    vector(s, b->position, position);
    vector(s, b->velocity, velocity);
    scene_text(s, "  - {name: %s, mass: %.17g, position: %s, velocity: %s, material: m, shapes: [%s]", b->name, b->mass,
               position, velocity, b->shape);
    if (b->is_point)
    {
        scene_text(s, ", point: true");
    }
    else if (s->dimension == 2)
    {
        scene_text(s, ", inertia: %.17g, angle: %.17g, angular_velocity: %.17g", b->inertia[2], b->angle, b->spin[2]);
    }
    else
    {
        scene_text(s, ", inertia: [%.17g, %.17g, %.17g], orientation: [%.17g, %.17g, %.17g, %.17g], ", b->inertia[0],
                   b->inertia[1], b->inertia[2], b->orientation[0], b->orientation[1], b->orientation[2],
                   b->orientation[3]);
        scene_text(s, "angular_velocity: [%.17g, %.17g, %.17g]", b->spin[0], b->spin[1], b->spin[2]);
    }
    scene_text(s, "}\n");
}

/* Whether more than one contact, or friction at several, takes part in an impact. */
static bool is_coupled(const random_scene *s)
{
    bool many = s->body_count > 1 || s->wall_count > 1;
    for (int i = 0; i < s->body_count; ++i)
        if (s->bodies[i].cloud.count > 1)
            return true;
    return many && s->friction > 0;
}

/* What the kind wrote itself (fixed bodies, then joints and springs under their headings) follows the bodies. */
void random_scene_make(random_scene *s, uint64_t seed)
{
    *s = (random_scene){
        .random = {seed * UINT64_C(0xd1342543de82ef95)}, .seed = seed, .steps = 40, .table_end = NAN, .impact = NAN};
    choose_world(s);
    choose_settings(s);
    const struct scene_kind *kind = &SCENE_KINDS[scene_integer(s, 0, SCENE_KIND_COUNT - 1)];
    s->kind = kind->name;
    kind->make(s);
    s->may_gain = s->restitution > 0 && is_coupled(s);
    char own[SCENE_TEXT], gravity[96];
    memcpy(own, s->text, sizeof own);
    s->length = 0;
    vector(s, s->gravity, gravity);
    scene_text(s, "title: random scene %llu, %s\ndimension: %d\ngravity: %s\n", (unsigned long long)seed, s->kind,
               s->dimension, gravity);
    scene_text(s, "materials: [{name: m, friction: %.17g, restitution: %.17g}]\n", s->friction, s->restitution);
    scene_text(s, "simulation: {%s}\nbodies:\n", s->settings);
    for (int i = 0; i < s->wall_count; ++i)
        write_wall(s, i);
    for (int i = 0; i < s->body_count; ++i)
        write_body(s, &s->bodies[i]);
    scene_text(s, "%s", own);
}
