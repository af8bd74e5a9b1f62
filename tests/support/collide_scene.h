/* A small scene for the tests of collision detection: bodies with one shape each, posed by hand. */
#ifndef CRN_TESTS_COLLIDE_SCENE_H
#define CRN_TESTS_COLLIDE_SCENE_H

#include "cairn/cairn.h"
#include "collide/collide.h"

enum
{
    MAX_BODIES = 256
};

#define COLLIDE_PI 3.14159265358979323846

typedef struct collide_scene
{
    cairn_context *context;
    cairn_model *model;
    crn_collider *collider;
    crn_pose poses[MAX_BODIES];
    double margin[MAX_BODIES];
    const crn_contact *contacts;
    int count;
} collide_scene;

void collide_start(collide_scene *s, int dimension);
void collide_finish(collide_scene *s);

/* Place a pose, turned by |turn| about turn. */
void collide_set_pose(crn_pose *pose, double x, double y, double z, const double turn[3]);
/* Turn a body where it stands. */
void collide_turn(collide_scene *s, int body, double x, double y, double z);

/* A body with one shape at a position; half-planes and half-spaces are fixed. Returns the body's index. */
int collide_add(collide_scene *s, const cairn_shape_options *shape, double x, double y, double z);
int collide_add_round(collide_scene *s, cairn_shape_kind kind, double radius, double x, double y, double z);
int collide_add_half(collide_scene *s, double nx, double ny, double nz);
int collide_add_box(collide_scene *s, double hx, double hy, double hz, double x, double y, double z);
int collide_add_rectangle(collide_scene *s, double hx, double hy, double x, double y);
int collide_add_bar(collide_scene *s, double half, double x, double y);

/* Find the contacts with a gap of at most `margin`. */
void collide_within(collide_scene *s, double margin);

void collide_assert_near(double found, double wanted, double tolerance);
void collide_assert_vector(const double found[3], double x, double y, double z);

/* Uniform in [low, high), the same on every machine. */
double collide_uniform(uint64_t *seed, double low, double high);

#endif
