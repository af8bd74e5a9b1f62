/* A small scene for the tests of collision detection. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/collide_scene.h"

#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void collide_start(collide_scene *s, int dimension)
{
    memset(s, 0, sizeof *s);
    s->context = cairn_context_create();
    assert_int_equal(cairn_model_create(s->context, dimension, &s->model), CAIRN_OK);
    s->collider = crn_collider_create(1);
    assert_non_null(s->collider);
}

void collide_finish(collide_scene *s)
{
    crn_collider_destroy(s->collider);
    cairn_model_destroy(s->model);
    cairn_context_destroy(s->context);
}

void collide_set_pose(crn_pose *pose, double x, double y, double z, const double turn[3])
{
    double q[4];
    crn_quaternion_exp(turn, q);
    crn_quaternion_to_matrix(q, pose->R);
    memcpy(pose->x, (double[3]){x, y, z}, sizeof pose->x);
}

int collide_add(collide_scene *s, const cairn_shape_options *shape, double x, double y, double z)
{
    char name[32];
    int index = cairn_model_body_count(s->model);
    assert_true(index < MAX_BODIES);
    snprintf(name, sizeof name, "body %d", index);
    cairn_body_options options = cairn_body_default();
    options.name = name;
    options.mass = 1.0;
    options.inertia[0] = options.inertia[1] = options.inertia[2] = 1.0;
    bool half = shape->kind == CAIRN_HALF_PLANE || shape->kind == CAIRN_HALF_SPACE;
    options.kind = half ? CAIRN_FIXED : CAIRN_DYNAMIC;
    cairn_body body;
    cairn_shape out;
    assert_int_equal(cairn_model_add_body(s->model, &options, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(s->model, body, shape, &out), CAIRN_OK);
    collide_set_pose(&s->poses[index], x, y, z, (double[3]){0, 0, 0});
    return index;
}

int collide_add_round(collide_scene *s, cairn_shape_kind kind, double radius, double x, double y, double z)
{
    cairn_shape_options shape = cairn_shape_default(kind);
    shape.radius = radius;
    return collide_add(s, &shape, x, y, z);
}

int collide_add_half(collide_scene *s, double nx, double ny, double nz)
{
    cairn_shape_options shape = cairn_shape_default(nz != 0.0 ? CAIRN_HALF_SPACE : CAIRN_HALF_PLANE);
    memcpy(shape.normal, (double[3]){nx, ny, nz}, sizeof shape.normal);
    return collide_add(s, &shape, 0, 0, 0);
}

int collide_add_box(collide_scene *s, double hx, double hy, double hz, double x, double y, double z)
{
    cairn_shape_options shape = cairn_shape_default(CAIRN_BOX);
    memcpy(shape.size, (double[3]){2 * hx, 2 * hy, 2 * hz}, sizeof shape.size);
    return collide_add(s, &shape, x, y, z);
}

int collide_add_rectangle(collide_scene *s, double hx, double hy, double x, double y)
{
    cairn_shape_options shape = cairn_shape_default(CAIRN_POLYGON);
    double vertices[8] = {-hx, -hy, hx, -hy, hx, hy, -hx, hy};
    shape.vertices = vertices;
    shape.vertex_count = 4;
    return collide_add(s, &shape, x, y, 0);
}

int collide_add_bar(collide_scene *s, double half, double x, double y)
{
    cairn_shape_options shape = cairn_shape_default(CAIRN_SEGMENT);
    double vertices[4] = {-half, 0, half, 0};
    shape.vertices = vertices;
    shape.vertex_count = 2;
    return collide_add(s, &shape, x, y, 0);
}

void collide_turn(collide_scene *s, int body, double x, double y, double z)
{
    double *at = s->poses[body].x;
    collide_set_pose(&s->poses[body], at[0], at[1], at[2], (double[3]){x, y, z});
}

void collide_within(collide_scene *s, double margin)
{
    for (int i = 0; i < MAX_BODIES; ++i)
        s->margin[i] = 0.5 * margin;
    assert_int_equal(
        crn_collide(s->collider, s->model, s->poses, &(crn_reach){.margin = s->margin}, &s->contacts, &s->count),
        CAIRN_OK);
}

void collide_assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
    {
        print_error("found %.17g, wanted %.17g within %g\n", found, wanted, tolerance);
        fail();
    }
}

void collide_assert_vector(const double found[3], double x, double y, double z)
{
    collide_assert_near(found[0], x, 1e-12);
    collide_assert_near(found[1], y, 1e-12);
    collide_assert_near(found[2], z, 1e-12);
}

/* xorshift64*: uniform in [low, high). */
double collide_uniform(uint64_t *seed, double low, double high)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return low + (high - low) * (double)((*seed * UINT64_C(2685821657736338717)) >> 11) * 0x1p-53;
}
