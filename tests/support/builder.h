/* Models by short calls, for the problem set and the benchmark: the first error is kept, later calls then do nothing. Knows
 * neither cmocka nor files. */
#ifndef TESTS_SUPPORT_BUILDER_H
#define TESTS_SUPPORT_BUILDER_H

#include "support/problems/random_problem.h"

#include <cairn/cairn.h>

typedef struct builder
{
    cairn_context *context;
    cairn_model *model;
    cairn_material material; /* of every shape */
    cairn_status status;
    int count; /* bodies named so far */
    test_random random;
} builder;

/* A model of 2 or 3 dimensions, all of one friction; the seed is that of `random`. */
builder builder_open(cairn_context *context, int dimension, double mu, uint64_t seed);

/* What the next bodies are like: position, velocity, density and turn are set by the caller. */
typedef struct builder_pose
{
    double position[3];
    double velocity[3];
    double spin[3]; /* rad/s */
    double turn[4]; /* quaternion, all 0: none */
    double angle;   /* planar */
    double density; /* kg/m^3 or kg/m^2 */
} builder_pose;

/* At rest, of density 1. */
builder_pose builder_at(double x, double y, double z);

void builder_ground(builder *b);
/* A half-space (half-plane) on a fixed body. */
void builder_wall(builder *b, double px, double py, double pz, double nx, double ny, double nz);
cairn_body builder_box(builder *b, const builder_pose *pose, double x, double y, double z);
/* A dynamic body of any one shape; its density is the pose's. */
cairn_body builder_shape(builder *b, const builder_pose *pose, const cairn_shape_options *shape);
cairn_body builder_ball(builder *b, const builder_pose *pose, double radius);
cairn_body builder_rectangle(builder *b, const builder_pose *pose, double x, double y);
/* A convex polygon with n equal sides. */
cairn_body builder_polygon(builder *b, const builder_pose *pose, int n, double radius);
/* A fixed box. */
void builder_fixed_box(builder *b, const builder_pose *pose, double x, double y, double z);
/* One more box on a body, at a place in its frame. */
void builder_foot(builder *b, cairn_body body, const double place[3], const double size[3], double density);
/* A hinge between two bodies at a point of the world, about an axis of the world (plane: z). */
void builder_hinge(builder *b, cairn_body one, cairn_body two, const double point[3], const double axis[3]);
void builder_spring(builder *b, cairn_body one, cairn_body two, double stiffness, double damping);
/* A quaternion at random. */
void builder_random_turn(builder *b, double turn[4]);

#endif
