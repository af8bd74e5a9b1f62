/* Collision detection: closed forms for each pair, names that last, who may touch whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec.h"
#include "model/traits.h"
#include "support/collide_scene.h"

#include <math.h>
#include <string.h>

/* Whether some contact has its point on body a at the given place, with that gap. */
static void assert_has_point(const collide_scene *s, double x, double y, double z, double gap)
{
    for (int i = 0; i < s->count; ++i)
    {
        const double *p = s->contacts[i].point_a;
        if (fabs(p[0] - x) + fabs(p[1] - y) + fabs(p[2] - z) < 1e-6 && fabs(s->contacts[i].gap - gap) < 1e-9)
            return;
    }
    print_error("no contact at %g %g %g with gap %g\n", x, y, z, gap);
    fail();
}

/* One contact: gap and normal. */
static void assert_lone(const collide_scene *s, double gap, double nx, double ny, double nz)
{
    assert_int_equal(s->count, 1);
    collide_assert_near(s->contacts[0].gap, gap, 1e-12);
    collide_assert_vector(s->contacts[0].normal, nx, ny, nz);
}

/* ---------------------------------------------------------------------------------------------- plane, closed forms */

static void test_half_plane(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 2);
    int ground = collide_add_half(&s, 0, 1, 0);
    int disc = collide_add_round(&s, CAIRN_CIRCLE, 0.5, 1, 0.6, 0);
    collide_within(&s, 0.2);
    /* a is the ground, which has the lower index: the normal points from the disc to it */
    assert_lone(&s, 0.1, 0, -1, 0);
    collide_assert_vector(s.contacts[0].point_a, 1, 0, 0);
    collide_assert_vector(s.contacts[0].point_b, 1, 0.1, 0);
    double t[2][3];
    crn_contact_tangents(&s.contacts[0], 2, t);
    collide_assert_vector(t[0], 1, 0, 0);
    collide_assert_vector(t[1], 0, 0, 1);
    assert_int_equal(s.contacts[0].body_a, ground);
    assert_int_equal(s.contacts[0].body_b, disc);
    collide_assert_near(s.contacts[0].friction, 0.5, 0);
    collide_within(&s, 0.09);
    assert_int_equal(s.count, 0);
    int square = collide_add_rectangle(&s, 1, 1, 5, 0.99);
    int bar = collide_add_bar(&s, 2, -5, 2 * sin(0.3));
    collide_turn(&s, bar, 0, 0, 0.3);
    int point = collide_add_round(&s, CAIRN_POINT, 0, 0, -0.25, 0);
    collide_within(&s, 0.05);
    assert_int_equal(s.count, 4);
    assert_has_point(&s, 4, 0, 0, -0.01);
    assert_has_point(&s, 6, 0, 0, -0.01);
    assert_has_point(&s, -5 - 2 * cos(0.3), 0, 0, 0);
    assert_has_point(&s, 0, 0, 0, -0.25);
    assert_true(square < bar && bar < point);
    collide_finish(&s);
}

static void test_circles_and_points(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 2);
    int a = collide_add_round(&s, CAIRN_CIRCLE, 1, 3, 4, 0);
    collide_add_round(&s, CAIRN_CIRCLE, 2, 0, 0, 0);
    collide_within(&s, 3);
    assert_lone(&s, 2, 0.6, 0.8, 0);
    collide_assert_vector(s.contacts[0].point_a, 2.4, 3.2, 0);
    collide_assert_vector(s.contacts[0].point_b, 1.2, 1.6, 0);
    collide_set_pose(&s.poses[a], 0, 0, 0, (double[3]){0, 0, 0});
    collide_within(&s, 0); /* coincident centres: a direction all the same */
    assert_lone(&s, -3, 0, 1, 0);
    collide_finish(&s);
    collide_start(&s, 2);
    a = collide_add_round(&s, CAIRN_POINT, 0, 0, 0, 0);
    collide_add_round(&s, CAIRN_POINT, 0, 0, 0, 0);
    collide_within(&s, 1);
    assert_int_equal(s.count, 0);
    collide_add_round(&s, CAIRN_CIRCLE, 1, 0, 1.5, 0);
    s.poses[a].x[1] = -9;
    collide_within(&s, 1);
    assert_lone(&s, 0.5, 0, -1, 0);
    collide_finish(&s);
}

static void test_circle_polygon(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 2);
    int a = collide_add_round(&s, CAIRN_CIRCLE, 0.5, 0.3, 1.75, 0);
    collide_add_rectangle(&s, 2, 1, 0, 0);
    collide_within(&s, 1);
    assert_lone(&s, 0.25, 0, 1, 0);
    collide_assert_vector(s.contacts[0].point_a, 0.3, 1.25, 0);
    collide_set_pose(&s.poses[a], 2.3, 1.4, 0, (double[3]){0, 0, 0});
    collide_within(&s, 1); /* beyond the corner (2, 1): 3-4-5 */
    assert_lone(&s, 0, 0.6, 0.8, 0);
    collide_assert_vector(s.contacts[0].point_a, 2, 1, 0);
    collide_set_pose(&s.poses[a], -1.75, 0.5, 0, (double[3]){0, 0, 0});
    collide_within(&s, 1); /* centre inside, nearest to the left side */
    assert_lone(&s, -0.75, -1, 0, 0);
    collide_assert_vector(s.contacts[0].point_b, -2, 0.5, 0);
    collide_finish(&s);
}

static void test_rectangles(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 2);
    int a = collide_add_rectangle(&s, 1, 1, 0.5, 1.99);
    collide_add_rectangle(&s, 3, 1, 0, 0);
    collide_within(&s, 0.1);
    assert_int_equal(s.count, 2);
    assert_has_point(&s, -0.5, 0.99, 0, -0.01);
    assert_has_point(&s, 1.5, 0.99, 0, -0.01);
    collide_assert_vector(s.contacts[0].normal, 0, 1, 0);
    collide_set_pose(&s.poses[a], 3, 2.01, 0, (double[3]){0, 0, 0});
    collide_within(&s, 0.1); /* overhanging: the corner of b ends the patch */
    assert_int_equal(s.count, 2);
    assert_has_point(&s, 2, 1.01, 0, 0.01);
    assert_has_point(&s, 3, 1.01, 0, 0.01);
    collide_set_pose(&s.poses[a], 1, 1.1 + sqrt(2.0), 0, (double[3]){0, 0, COLLIDE_PI / 4});
    collide_within(&s, 0.2); /* standing on a corner */
    assert_lone(&s, 0.1, 0, 1, 0);
    collide_assert_vector(s.contacts[0].point_b, 1, 1, 0);
    collide_set_pose(&s.poses[a], 4.3, 2.4, 0, (double[3]){0, 0, 0});
    collide_within(&s, 1); /* corner to corner: (3.3, 1.4) and (3, 1) */
    assert_lone(&s, 0.5, 0.6, 0.8, 0);
    collide_assert_vector(s.contacts[0].point_a, 3.3, 1.4, 0);
    collide_finish(&s);
}

static void test_bars(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 2);
    int a = collide_add_bar(&s, 1, 0.5, 0.1);
    collide_add_bar(&s, 1, 0, 0);
    collide_within(&s, 0.2); /* side by side */
    assert_int_equal(s.count, 2);
    assert_has_point(&s, -0.5, 0.1, 0, 0.1);
    assert_has_point(&s, 1, 0.1, 0, 0.1);
    collide_set_pose(&s.poses[a], 0.25, 1.05, 0, (double[3]){0, 0, COLLIDE_PI / 2});
    collide_within(&s, 0.2); /* end over the middle */
    assert_lone(&s, 0.05, 0, 1, 0);
    collide_assert_vector(s.contacts[0].point_b, 0.25, 0, 0);
    collide_set_pose(&s.poses[a], 0.25, -0.95, 0, (double[3]){0, 0, COLLIDE_PI / 2});
    collide_within(&s, 0.01); /* crossing by 0.05: the way back is the shortest */
    assert_lone(&s, -0.05, 0, -1, 0);
    collide_set_pose(&s.poses[a], 2.5, 0, 0, (double[3]){0, 0, 0});
    collide_within(&s, 1); /* in line */
    assert_lone(&s, 0.5, 1, 0, 0);
    collide_finish(&s);
}

/* ---------------------------------------------------------------------------------------------- space, closed forms */

static void test_spheres(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    int ball = collide_add_round(&s, CAIRN_SPHERE, 1, 2, 3, 6);
    int other = collide_add_round(&s, CAIRN_SPHERE, 4, 0, 0, 0);
    collide_within(&s, 3);
    assert_lone(&s, 2, 2.0 / 7, 3.0 / 7, 6.0 / 7);
    collide_assert_vector(s.contacts[0].point_b, 8.0 / 7, 12.0 / 7, 24.0 / 7);
    collide_set_pose(&s.poses[ball], 0, 0, 0, (double[3]){0, 0, 0});
    collide_within(&s, 0);
    assert_lone(&s, -5, 0, 0, 1);
    collide_set_pose(&s.poses[other], 50, 0, 0, (double[3]){0, 0, 0});
    collide_set_pose(&s.poses[ball], 4, 5, 0.75, (double[3]){0, 0, 0});
    collide_add_half(&s, 0, 0, 1);
    collide_within(&s, 0);
    assert_int_equal(s.count, 2);
    assert_has_point(&s, 4, 5, -0.25, -0.25);
    collide_finish(&s);
}

static void test_sphere_box(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    int a = collide_add_round(&s, CAIRN_SPHERE, 0.5, 0.5, 0.5, 3.75);
    int box = collide_add_box(&s, 1, 2, 3, 0, 0, 0);
    collide_within(&s, 1);
    assert_lone(&s, 0.25, 0, 0, 1);
    collide_assert_vector(s.contacts[0].point_b, 0.5, 0.5, 3);
    collide_set_pose(&s.poses[a], 1.3, 2.4, 1, (double[3]){0, 0, 0});
    collide_within(&s, 1); /* edge */
    assert_lone(&s, 0, 0.6, 0.8, 0);
    collide_set_pose(&s.poses[a], -1.2, -2.3, 3.6, (double[3]){0, 0, 0});
    collide_within(&s, 1); /* corner: 2-3-6-7 */
    assert_lone(&s, 0.2, -2.0 / 7, -3.0 / 7, 6.0 / 7);
    collide_set_pose(&s.poses[a], 0.25, 0, 0, (double[3]){0, 0, 0});
    collide_within(&s, 0); /* inside: out by the face x = 1 */
    assert_lone(&s, -1.25, 1, 0, 0);
    collide_set_pose(&s.poses[a], 0, 0, 0, (double[3]){0, 0, 0});
    collide_turn(&s, box, 0, 0, COLLIDE_PI / 2);
    collide_within(&s, 0); /* centre on centre */
    assert_lone(&s, -1.5, 0, 1, 0);
    collide_finish(&s);
}

static void test_point_box(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    collide_add_box(&s, 1, 1, 1, 0, 0, 0);
    collide_add_round(&s, CAIRN_POINT, 0, 0.5, 0, 1.125);
    collide_add_round(&s, CAIRN_POINT, 0, 0.5, 0, 1.125);
    collide_within(&s, 0.25);
    assert_int_equal(s.count, 2);
    assert_has_point(&s, 0.5, 0, 1, 0.125);
    collide_assert_vector(s.contacts[0].normal, 0, 0, -1);
    collide_finish(&s);
}

static void test_cube_on_half_space(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    int a = collide_add_box(&s, 0.5, 0.5, 0.5, 1, 2, 0.5);
    collide_add_half(&s, 0, 0, 1);
    collide_within(&s, 1e-3);
    assert_int_equal(s.count, 4);
    for (int i = 0; i < 4; ++i)
    {
        assert_has_point(&s, i & 1 ? 1.5 : 0.5, i & 2 ? 2.5 : 1.5, 0, 0);
        collide_assert_vector(s.contacts[i].normal, 0, 0, 1);
        assert_int_equal(s.contacts[i].identity & 0xffff, i); /* lower corners have bit 2 clear */
    }
    collide_turn(&s, a, atan(sqrt(2.0)) * sqrt(0.5), -atan(sqrt(2.0)) * sqrt(0.5), 0);
    s.poses[a].x[2] = 0.5 * sqrt(3.0) + 0.01;
    collide_within(&s, 0.02); /* on a corner */
    assert_lone(&s, 0.01, 0, 0, 1);
    collide_finish(&s);
}

static void test_cube_on_cube(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    int a = collide_add_box(&s, 1, 1, 1, 0, 0, 1.99);
    collide_add_box(&s, 1, 1, 1, 0, 0, 0);
    collide_within(&s, 0.1);
    assert_int_equal(s.count, 4);
    for (int i = 0; i < 4; ++i)
    {
        assert_has_point(&s, i & 1 ? 1 : -1, i & 2 ? 1 : -1, 0.99, -0.01);
        collide_assert_vector(s.contacts[i].normal, 0, 0, 1);
    }
    collide_set_pose(&s.poses[a], 0.5, 0.25, 2.01, (double[3]){0, 0, 0});
    collide_within(&s, 0.1);
    assert_int_equal(s.count, 4);
    for (int i = 0; i < 4; ++i)
        assert_has_point(&s, i & 1 ? 1 : -0.5, i & 2 ? 1 : -0.75, 1.01, 0.01);
    collide_set_pose(&s.poses[a], 0, 0, 2, (double[3]){0, 0, COLLIDE_PI / 4});
    collide_within(&s, 0.1); /* an octagon: |x| + |y| = sqrt 2 meets |x| = 1 */
    assert_int_equal(s.count, 8);
    for (int i = 0; i < 8; ++i)
    {
        double u = i & 1 ? 1 : -1, v = (sqrt(2.0) - 1) * (i & 2 ? 1 : -1);
        assert_has_point(&s, i & 4 ? u : v, i & 4 ? v : u, 1, 0);
    }
    collide_finish(&s);
}

static void test_box_features(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    int a = collide_add_box(&s, 1, 1, 1, 0.25, -0.5, 2 * sqrt(2.0) + 0.05);
    int b = collide_add_box(&s, 1, 1, 1, 0, 0, 0);
    collide_turn(&s, a, COLLIDE_PI / 4, 0, 0);
    collide_turn(&s, b, 0, COLLIDE_PI / 4, 0);
    collide_within(&s, 0.1); /* two edges crossing at right angles, apart */
    assert_lone(&s, 0.05, 0, 0, 1);
    collide_assert_vector(s.contacts[0].point_b, 0, -0.5, sqrt(2.0));
    uint64_t identity = s.contacts[0].identity;
    s.poses[a].x[2] -= 0.1; /* the same two edges, overlapping */
    collide_within(&s, 0);
    assert_lone(&s, -0.05, 0, 0, 1);
    collide_assert_vector(s.contacts[0].point_b, 0, -0.5, sqrt(2.0));
    assert_true(s.contacts[0].identity == identity);
    collide_turn(&s, a, 0, 0, 0);
    collide_turn(&s, b, 0, 0, 0);
    memcpy(s.poses[a].x, (double[3]){2.2, 2.3, -2.6}, sizeof s.poses[a].x);
    collide_within(&s, 1); /* corner to corner */
    assert_lone(&s, 0.7, 2.0 / 7, 3.0 / 7, -6.0 / 7);
    collide_turn(&s, a, atan(sqrt(2.0)) * sqrt(0.5), -atan(sqrt(2.0)) * sqrt(0.5), 0);
    memcpy(s.poses[a].x, (double[3]){0.5, 0.25, 1 + sqrt(3.0) + 0.125}, sizeof s.poses[a].x);
    collide_within(&s, 0.25); /* corner over a face */
    assert_lone(&s, 0.125, 0, 0, 1);
    collide_assert_vector(s.contacts[0].point_b, 0.5, 0.25, 1);
    collide_finish(&s);
}

/* ---------------------------------------------------------------------------------------------------- identity, pairs */

/* Two stacked shapes trembling keep the names of their contacts. */
static void check_stable(collide_scene *s, double size)
{
    uint64_t seed = 9, identities[16];
    crn_pose rest = s->poses[0];
    collide_within(s, 0.01);
    int count = s->count;
    assert_true(count >= 2);
    for (int i = 0; i < count; ++i)
        identities[i] = s->contacts[i].identity;
    for (int trial = 0; trial < 500; ++trial)
    {
        bool planar = s->model->dimension == 2;
        double turn[3] = {planar ? 0 : collide_uniform(&seed, -size, size),
                          planar ? 0 : collide_uniform(&seed, -size, size), collide_uniform(&seed, -size, size)};
        collide_set_pose(&s->poses[0], rest.x[0] + collide_uniform(&seed, -size, size),
                         rest.x[1] + collide_uniform(&seed, -size, size),
                         rest.x[2] + (planar ? 0 : collide_uniform(&seed, -size, size)), turn);
        collide_within(s, 0.01);
        assert_int_equal(s->count, count);
        for (int i = 0; i < count; ++i)
            assert_true(s->contacts[i].identity == identities[i]);
    }
}

static void test_identity_is_stable(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    collide_add_box(&s, 0.5, 0.5, 0.5, 0.1, 0.2, 1.5);
    collide_add_box(&s, 1, 1, 1, 0, 0, 0);
    check_stable(&s, 1e-4);
    collide_finish(&s);
    collide_start(&s, 3); /* overhanging: corners of both and crossings of edges */
    collide_add_box(&s, 1, 1, 1, 0.6, 0.7, 2);
    collide_add_box(&s, 1, 1, 1, 0, 0, 0);
    check_stable(&s, 1e-4);
    collide_finish(&s);
    collide_start(&s, 3); /* flush */
    collide_add_box(&s, 1, 1, 1, 0, 0, 2);
    collide_add_box(&s, 1, 1, 1, 0, 0, 0);
    check_stable(&s, 2e-8);
    collide_finish(&s);
    collide_start(&s, 2);
    collide_add_rectangle(&s, 1, 1, 0.5, 2);
    collide_add_rectangle(&s, 1, 1, 0, 0);
    check_stable(&s, 1e-4);
    collide_finish(&s);
}

static void test_who_may_touch(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 2);
    collide_add_half(&s, 0, 1, 0);
    collide_add_half(&s, 0, -1, 0);
    collide_add_round(&s, CAIRN_CIRCLE, 1, 0, 0, 0);
    collide_add_round(&s, CAIRN_CIRCLE, 1, 0.5, 5, 0);
    collide_add_round(&s, CAIRN_CIRCLE, 1, 0, 5, 0);
    cairn_body third = cairn_model_body(s.model, 3), fourth = cairn_model_body(s.model, 4);
    assert_int_equal(cairn_model_ignore_contact(s.model, fourth, third), CAIRN_OK);
    cairn_shape_options extra = cairn_shape_default(CAIRN_CIRCLE);
    cairn_shape shape;
    extra.radius = 0.5;
    assert_int_equal(cairn_model_add_shape(s.model, third, &extra, &shape), CAIRN_OK);
    collide_within(&s, 0);
    /* two half-planes with circle 2, the upper one with 3, 4 and 3's second shape */
    assert_int_equal(s.count, 5);
    for (int i = 0; i < s.count; ++i)
        assert_true(s.contacts[i].body_a < 2 && s.contacts[i].body_b >= 2);
    s.poses[4].x[1] = NAN;
    assert_int_equal(crn_collide(s.collider, s.model, s.poses, &(crn_reach){.margin = s.margin}, &s.contacts, &s.count),
                     CAIRN_NUMERIC);
    assert_non_null(strstr(cairn_context_last_message(s.context), "body 4"));
    assert_int_equal(s.count, 0);
    collide_finish(&s);
}

/* The groups of two balls that overlap; returns the number of their contacts. */
static int count_in_groups(collide_scene *s, const uint64_t groups[2], const uint64_t collides_with[2])
{
    for (int i = 0; i < 2; ++i)
    {
        assert_true(crn_traits_own(&s->model->bodies[i]));
        s->model->bodies[i].traits->groups = groups[i];
        s->model->bodies[i].traits->collides_with = collides_with[i];
    }
    s->model->revision += 1;
    collide_within(s, 0);
    return s->count;
}

static void test_groups(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    collide_add_round(&s, CAIRN_SPHERE, 1, 0, 0, 0);
    collide_add_round(&s, CAIRN_SPHERE, 1, 1.5, 0, 0);
    const uint64_t one[2] = {1, 1}, apart[2] = {2, 4}, crossed[2] = {4, 2}, half[2] = {4, 4}, none[2] = {0, 0};
    assert_int_equal(count_in_groups(&s, one, one), 1);
    assert_int_equal(count_in_groups(&s, one, none), 0);
    assert_int_equal(count_in_groups(&s, apart, crossed), 1);
    assert_int_equal(count_in_groups(&s, apart, half), 0); /* the second would touch its own kind alone */
    assert_int_equal(count_in_groups(&s, apart, one), 0);
    s.poses[1].x[0] = NAN;
    assert_int_equal(crn_collide(s.collider, s.model, s.poses, &(crn_reach){.margin = s.margin}, &s.contacts, &s.count),
                     CAIRN_NUMERIC);
    collide_finish(&s);
}

/* A shape away from its body's origin, turned in its frame, moves with the body. */
static void test_shape_frame(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    cairn_shape_options box = cairn_shape_default(CAIRN_BOX);
    memcpy(box.size, (double[3]){2, 4, 6}, sizeof box.size);
    memcpy(box.position, (double[3]){10, 0, 0}, sizeof box.position);
    crn_quaternion_exp((double[3]){0, COLLIDE_PI / 2, 0},
                       box.orientation); /* half lengths 3, 2, 1 along the body's axes */
    int a = collide_add(&s, &box, 1, 1, 1);
    collide_turn(&s, a, 0, 0, COLLIDE_PI / 2); /* centre (1, 11, 1), half lengths 2, 3, 1 in the world */
    collide_add_round(&s, CAIRN_SPHERE, 0.5, 1, 14.75, 1);
    collide_within(&s, 1);
    assert_lone(&s, 0.25, 0, -1, 0);
    collide_assert_vector(s.contacts[0].point_a, 1, 14, 1);
    collide_finish(&s);
}

/* Shapes beyond the bits of an identity are refused before any is looked at: the highest bit is that of users' gaps. */
static void test_too_many_shapes(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_model model = {.context = context, .dimension = 2, .serials = (1 << 23) + 1};
    crn_collider *collider = crn_collider_create(1);
    crn_reach reach = {0};
    const crn_contact *contacts;
    int count;
    assert_int_equal(crn_collide(collider, &model, NULL, &reach, &contacts, &count), CAIRN_UNSUPPORTED);
    assert_non_null(strstr(cairn_context_last_message(context), "8388609 shapes"));
    crn_collider_destroy(collider);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_plane),
        cmocka_unit_test(test_circles_and_points),
        cmocka_unit_test(test_circle_polygon),
        cmocka_unit_test(test_rectangles),
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_sphere_box),
        cmocka_unit_test(test_point_box),
        cmocka_unit_test(test_cube_on_half_space),
        cmocka_unit_test(test_cube_on_cube),
        cmocka_unit_test(test_box_features),
        cmocka_unit_test(test_identity_is_stable),
        cmocka_unit_test(test_who_may_touch),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_shape_frame),
        cmocka_unit_test(test_too_many_shapes),
    };
    return cmocka_run_group_tests_name("collide", tests, NULL, NULL);
}
