/* Random scenes as text, beside what is needed to judge their motion without asking the library: masses, inertias, springs
 * and the walls that nothing may pass. The same seed gives the same scene on every machine. */
#ifndef TESTS_SUPPORT_RANDOM_SCENE_H
#define TESTS_SUPPORT_RANDOM_SCENE_H

#include "support/problems/random_problem.h"

#include <stddef.h>

enum
{
    SCENE_TEXT = 24000,
    SCENE_BODIES = 8,
    SCENE_SPRINGS = 4,
    SCENE_WALLS = 8,
    SCENE_POINTS = 8,
};

/* Every shape is all within `radius` of the convex hull of its points. */
typedef struct scene_cloud
{
    int count;
    double points[SCENE_POINTS][3]; /* m, body frame */
    double radius;
} scene_cloud;

typedef struct scene_body
{
    char name[16];
    bool is_point;
    double mass, inertia[3]; /* plane: [2] */
    double position[3], velocity[3], spin[3];
    double angle;          /* plane */
    double orientation[4]; /* space */
    scene_cloud cloud;
    char shape[900]; /* as the scene file says it */
} scene_body;

typedef struct scene_spring
{
    int a, b; /* bodies; -1: the world */
    double point_a[3], point_b[3];
    double stiffness, rest;
} scene_spring;

/* Nothing gets behind the plane through `point`, whose normal points to the free side. A driven one moves along it. */
typedef struct scene_wall
{
    double point[3], normal[3];
} scene_wall;

/* How the one driven wall moves along its normal: amplitude sin(frequency t), or from a moment on at a speed. */
typedef struct scene_drive
{
    bool is_driven;
    double amplitude, frequency;
    double speed, start;
} scene_drive;

typedef struct random_scene
{
    test_random random;
    uint64_t seed;
    const char *kind;
    int dimension;
    double h;
    int steps;
    double gravity[3];
    double friction, restitution;
    int order;       /* of the integrator */
    bool stabilised; /* by the gap or a projection */
    bool has_joints;
    bool may_gain; /* restitution and friction at arms: no law of impact is known to lose energy always */
    int body_count, spring_count, wall_count;
    scene_body bodies[SCENE_BODIES];
    scene_spring springs[SCENE_SPRINGS];
    scene_wall walls[SCENE_WALLS];
    scene_drive drive;
    double table_end; /* m: bodies all left of it lie on or over a table whose top is at height 0; NAN: there is none */
    double impact;    /* s, when something happens that was aimed at the end of a step; NAN: nothing */
    double offset;    /* of it from the end of a step, in steps */
    size_t length;
    char settings[512]; /* of the simulation, as the scene file says it */
    char text[SCENE_TEXT];
} random_scene;

/* The scene of a seed. */
void random_scene_make(random_scene *s, uint64_t seed);

/* --------------------------------------------------------------------------------------- for the kinds of scenes */

typedef void scene_kind_fn(random_scene *s);
extern const struct scene_kind
{
    const char *name;
    scene_kind_fn *make;
} SCENE_KINDS[];
extern const int SCENE_KIND_COUNT;

double scene_uniform(random_scene *s, double low, double high);
int scene_integer(random_scene *s, int low, int high);
bool scene_chance(random_scene *s, double probability);

/* The direction against gravity: y in the plane, z in space. */
int scene_up(const random_scene *s);
/* A time near the end of a step: at it, by 1e-16 to 1e-3 of a step before or after it, or anywhere. */
double scene_time(random_scene *s);

typedef enum scene_shape
{
    SCENE_POINT,
    SCENE_BALL,
    SCENE_BAR,
    SCENE_CAPSULE,
    SCENE_BLOCK,
    SCENE_HULL,
    SCENE_SHAPES,
} scene_shape;

/* A body of some shape of about the given size, at the origin and at rest; the caller places it. */
scene_body *scene_body_add(random_scene *s, scene_shape shape, double size);
scene_shape scene_any_shape(random_scene *s);
void scene_turn(random_scene *s, scene_body *b); /* at random */
/* How far the body reaches along a direction from its origin. */
double scene_reach(const random_scene *s, const scene_body *b, const double direction[3]);
/* From a body's frame to the world's, for a pose. */
void scene_rotate(const random_scene *s, const double orientation[4], double angle, const double x[3], double out[3]);

/* A half-plane or half-space that nothing passes, on a fixed body (driven: on the one that moves). */
void scene_wall_add(random_scene *s, const double point[3], const double normal[3]);
void scene_text(random_scene *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
