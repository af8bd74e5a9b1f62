/* Queries: analytic values for every shape, and random scenes against search by brute force over sampled geometry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/narrow.h"
#include "math/vec.h"
#include "support/collide_scene.h"

#include <math.h>
#include <string.h>

static cairn_query *query_of(const collide_scene *s)
{
    cairn_query *query = NULL;
    cairn_body_state states[MAX_BODIES];
    assert_int_equal(cairn_query_create(s->context, s->model, &query), CAIRN_OK);
    for (int i = 0; i < cairn_model_body_count(s->model); ++i)
    {
        const double *R = s->poses[i].R;
        states[i] = (cairn_body_state){.angle = atan2(R[3], R[0])};
        memcpy(states[i].position, s->poses[i].x, sizeof states[i].position);
        double w = 0.5 * sqrt(fmax(0.0, 1 + R[0] + R[4] + R[8])); /* turns here stay below pi */
        double q[4] = {w, (R[7] - R[5]) / (4 * w), (R[2] - R[6]) / (4 * w), (R[3] - R[1]) / (4 * w)};
        memcpy(states[i].orientation, q, sizeof q);
    }
    assert_int_equal(cairn_query_place(query, states), CAIRN_OK);
    return query;
}

static cairn_body body(int index)
{
    return (cairn_body){.id = index + 1};
}

static void check_witness(const cairn_distance *d)
{
    double gap[3];
    crn_sub3(d->point_a, d->point_b, gap);
    crn_madd3(gap, -d->distance, d->normal, gap);
    collide_assert_near(crn_norm3(gap), 0, 1e-12);
    collide_assert_near(crn_norm3(d->normal), 1, 1e-12);
}

static void expect_distance(cairn_query *query, int a, int b, double wanted, double nx, double ny, double nz)
{
    cairn_distance d, back;
    assert_int_equal(cairn_query_distance(query, body(a), body(b), &d), CAIRN_OK);
    collide_assert_near(d.distance, wanted, 1e-12);
    collide_assert_vector(d.normal, nx, ny, nz);
    check_witness(&d);
    assert_int_equal(cairn_query_distance(query, body(b), body(a), &back), CAIRN_OK);
    collide_assert_near(back.distance, wanted, 1e-12);
    collide_assert_vector(back.normal, -nx, -ny, -nz);
}

/* --------------------------------------------------------------------------------------------------- known distances */

static int add_ellipse(collide_scene *s, double a, double b, double c, double x, double y, double z)
{
    cairn_shape_options shape = cairn_shape_default(c > 0 ? CAIRN_ELLIPSOID : CAIRN_ELLIPSE);
    memcpy(shape.radii, (double[3]){a, b, c}, sizeof shape.radii);
    return collide_add(s, &shape, x, y, z);
}

static void test_distance_space(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    int ground = collide_add_half(&s, 0, 0, 1), wall = collide_add_half(&s, 1, 0, 0.1);
    int ball = collide_add_round(&s, CAIRN_SPHERE, 0.5, 0, 0, 2);
    int box = collide_add_box(&s, 1, 1, 0.25, 3, 0, 2);
    int tilted = collide_add_box(&s, 1, 1, 1, 10, 0, 5);
    int egg = add_ellipse(&s, 1, 2, 0.5, 0, 8, 2);
    int point = collide_add_round(&s, CAIRN_POINT, 0, 0, 0, 7);
    int other = collide_add_round(&s, CAIRN_POINT, 0, 3, 4, 7);
    collide_turn(&s, tilted, 0, COLLIDE_PI / 4, 0);
    cairn_query *query = query_of(&s);
    cairn_distance d;
    expect_distance(query, ball, ground, 1.5, 0, 0, 1);
    expect_distance(query, ball, box, 1.5, -1, 0, 0);
    expect_distance(query, box, ground, 1.75, 0, 0, 1);
    expect_distance(query, tilted, ground, 5 - sqrt(2.0), 0, 0, 1);
    expect_distance(query, egg, ball, 5.5, 0, 1, 0);
    expect_distance(query, egg, ground, 1.5, 0, 0, 1);
    expect_distance(query, point, ball, 4.5, 0, 0, 1);
    expect_distance(query, point, other, 5, -0.6, -0.8, 0);
    /* a corner of one box nearest to an edge of the other: along the line between them */
    assert_int_equal(cairn_query_distance(query, body(tilted), body(box), &d), CAIRN_OK);
    double x = 10 - sqrt(2.0) - 4, z = 5 - 2.25; /* from the box's upper edge to the other's left one */
    collide_assert_near(d.distance, hypot(x, z), 1e-12);
    check_witness(&d);
    assert_int_equal(cairn_query_distance(query, body(ground), body(wall), &d), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(s.context), "have no distance"));
    assert_int_equal(cairn_query_distance(query, body(ball), body(ball), &d), CAIRN_INVALID);
    assert_int_equal(cairn_query_distance(query, body(ball), body(99), &d), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(s.context), "no such body"));
    cairn_query_destroy(query);
    collide_finish(&s);
}

static void test_distance_plane(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 2);
    int ground = collide_add_half(&s, 0, 1, 0);
    int disc = collide_add_round(&s, CAIRN_CIRCLE, 0.5, 0, 2, 0);
    int plate = collide_add_rectangle(&s, 1, 0.25, 3, 2);
    int bar = collide_add_bar(&s, 1, 0, 6);
    int egg = add_ellipse(&s, 2, 1, 0, 0, 9, 0);
    int turned = collide_add_rectangle(&s, 1, 1, 8, 2);
    int point = collide_add_round(&s, CAIRN_POINT, 0, -3, 6, 0);
    int deep = collide_add_rectangle(&s, 1, 1, 8, 3.9);
    collide_turn(&s, turned, 0, 0, 0.3);
    cairn_query *query = query_of(&s);
    cairn_distance d;
    expect_distance(query, disc, ground, 1.5, 0, 1, 0);
    expect_distance(query, disc, plate, 1.5, -1, 0, 0);
    expect_distance(query, bar, disc, 3.5, 0, 1, 0);
    expect_distance(query, egg, bar, 2, 0, 1, 0);
    expect_distance(query, egg, ground, 8, 0, 1, 0);
    expect_distance(query, point, bar, 2, -1, 0, 0);
    /* a turned square's lowest corner, and its leftmost against the plate: no bias towards faces */
    assert_int_equal(cairn_query_distance(query, body(turned), body(ground), &d), CAIRN_OK);
    collide_assert_near(d.distance, 2 - sqrt(2.0) * cos(COLLIDE_PI / 4 - 0.3), 1e-12);
    assert_int_equal(cairn_query_distance(query, body(turned), body(deep), &d), CAIRN_OK);
    assert_true(d.distance < 0);
    collide_assert_near(d.distance, -(cos(0.3) + sin(0.3) + 1 - 1.9), 1e-12);
    cairn_query_destroy(query);
    collide_finish(&s);
}

/* Boxes turned by a little: the manifold may take a face, the distance may not. */
static void test_distance_is_exact(void **state)
{
    (void)state;
    for (int i = 0; i < 200; ++i)
    {
        double tilt = pow(10.0, -6.0 + 0.03 * i), height = 1.3, reach = sin(tilt) + cos(tilt);
        collide_scene s;
        collide_start(&s, 3);
        collide_add_box(&s, 5, 5, 0.1, 0, 0, -0.1);
        collide_add_box(&s, 1, 1, 1, 0, 0, height);
        collide_turn(&s, 1, 0, tilt, 0);
        cairn_query *query = query_of(&s);
        cairn_distance d;
        assert_int_equal(cairn_query_distance(query, body(1), body(0), &d), CAIRN_OK);
        if (height - reach > 0)
            collide_assert_near(d.distance, height - reach, 1e-9);
        cairn_query_destroy(query);
        collide_finish(&s);
    }
}

/* ------------------------------------------------------------------------------------------------------ closest point */

static void test_closest(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    int ball = collide_add_round(&s, CAIRN_SPHERE, 0.5, 0, 0, 2);
    int box = collide_add_box(&s, 1, 1, 1, 5, 0, 0);
    int ground = collide_add_half(&s, 0, 0, 1);
    int point = collide_add_round(&s, CAIRN_POINT, 0, 1, 1, 1);
    cairn_query *query = query_of(&s);
    cairn_distance d;
    assert_int_equal(cairn_query_closest(query, body(ball), (double[3]){3, 0, 2}, &d), CAIRN_OK);
    collide_assert_near(d.distance, 2.5, 1e-12);
    collide_assert_vector(d.point_a, 0.5, 0, 2);
    collide_assert_vector(d.point_b, 3, 0, 2);
    assert_int_equal(d.shape_a.id, ball + 1);
    assert_int_equal(d.shape_b.id, 0);
    assert_int_equal(cairn_query_closest(query, body(box), (double[3]){7, 2, 2}, &d), CAIRN_OK);
    collide_assert_near(d.distance, sqrt(3.0), 1e-12);
    collide_assert_vector(d.point_a, 6, 1, 1);
    assert_int_equal(cairn_query_closest(query, body(box), (double[3]){5.8, 0, 0}, &d), CAIRN_OK);
    collide_assert_near(d.distance, -0.2, 1e-12);
    collide_assert_vector(d.point_a, 6, 0, 0);
    assert_int_equal(cairn_query_closest(query, body(ground), (double[3]){1, 2, -3}, &d), CAIRN_OK);
    collide_assert_near(d.distance, -3, 1e-12);
    assert_int_equal(cairn_query_closest(query, body(point), (double[3]){1, 1, 5}, &d), CAIRN_OK);
    collide_assert_near(d.distance, 4, 1e-12);
    assert_int_equal(cairn_query_closest(query, body(ball), (double[3]){NAN, 0, 0}, &d), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(s.context), "finite coordinates"));
    cairn_query_destroy(query);
    collide_finish(&s);
}

/* --------------------------------------------------------------------------------------------------------------- rays */

static void test_ray_space(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    int ground = collide_add_half(&s, 0, 0, 1);
    int ball = collide_add_round(&s, CAIRN_SPHERE, 0.5, 0, 0, 2);
    int box = collide_add_box(&s, 1, 1, 0.25, 0, 0, 4);
    int egg = add_ellipse(&s, 1, 2, 0.5, 0, 0, 6);
    cairn_query *query = query_of(&s);
    cairn_ray_hit hits[8];
    int count;
    assert_int_equal(cairn_query_ray(query, (double[3]){0, 0, 10}, (double[3]){0, 0, -3}, INFINITY, hits, 8, &count),
                     CAIRN_OK);
    assert_int_equal(count, 4);
    const int order[4] = {egg, box, ball, ground};
    const double at[4] = {3.5, 5.75, 7.5, 10};
    for (int i = 0; i < 4; ++i)
    {
        assert_int_equal(hits[i].body.id, order[i] + 1);
        assert_int_equal(hits[i].shape.id, order[i] + 1);
        assert_false(hits[i].inside);
        collide_assert_near(hits[i].distance, at[i], 1e-12);
        collide_assert_vector(hits[i].normal, 0, 0, 1);
        collide_assert_vector(hits[i].point, 0, 0, 10 - at[i]);
    }
    /* the nearest alone, a ray that ends too soon, one that begins inside, one that goes away */
    hits[1].shape.id = 77;
    assert_int_equal(cairn_query_ray(query, (double[3]){0, 0, 10}, (double[3]){0, 0, -1}, INFINITY, hits, 1, &count),
                     0);
    assert_int_equal(count, 4);
    assert_int_equal(hits[0].shape.id, egg + 1);
    assert_int_equal(hits[1].shape.id, 77);
    assert_int_equal(cairn_query_ray(query, (double[3]){0, 0, 10}, (double[3]){0, 0, -1}, 5, hits, 8, &count), 0);
    assert_int_equal(count, 1);
    assert_int_equal(cairn_query_ray(query, (double[3]){0, 0, 2.2}, (double[3]){1, 0, 0}, INFINITY, hits, 8, &count),
                     0);
    assert_int_equal(count, 1);
    assert_true(hits[0].inside && hits[0].distance == 0);
    collide_assert_vector(hits[0].normal, -1, 0, 0);
    assert_int_equal(cairn_query_ray(query, (double[3]){0, 0, 9}, (double[3]){0, 1, 1}, INFINITY, hits, 8, &count), 0);
    assert_int_equal(count, 0);
    /* an edge-on hit of the ball: by Pythagoras */
    assert_int_equal(cairn_query_ray(query, (double[3]){-5, 0.3, 2}, (double[3]){1, 0, 0}, INFINITY, hits, 8, &count),
                     0);
    collide_assert_near(hits[0].distance, 4.6, 1e-12);
    collide_assert_vector(hits[0].normal, -0.8, 0.6, 0);
    cairn_query_destroy(query);
    collide_finish(&s);
}

static void test_ray_plane(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 2);
    collide_add_half(&s, 0, 1, 0);
    int disc = collide_add_round(&s, CAIRN_CIRCLE, 0.5, 0, 2, 0);
    int bar = collide_add_bar(&s, 1, 0, 4);
    int plate = collide_add_rectangle(&s, 1, 0.25, 0, 6);
    int egg = add_ellipse(&s, 2, 1, 0, 0, 8, 0);
    collide_turn(&s, bar, 0, 0, COLLIDE_PI / 4);
    cairn_query *query = query_of(&s);
    cairn_ray_hit hits[8];
    int count;
    assert_int_equal(cairn_query_ray(query, (double[3]){0, 10, 99}, (double[3]){0, -2, 5}, INFINITY, hits, 8, &count),
                     0);
    assert_int_equal(count, 5);
    const int order[5] = {egg, plate, bar, disc, 0};
    const double at[5] = {1, 3.75, 6, 7.5, 10};
    for (int i = 0; i < 5; ++i)
    {
        assert_int_equal(hits[i].shape.id, order[i] + 1);
        collide_assert_near(hits[i].distance, at[i], 1e-12);
    }
    collide_assert_vector(hits[2].normal, -sqrt(0.5), sqrt(0.5), 0); /* the side of the bar that the ray comes from */
    assert_int_equal(cairn_query_ray(query, (double[3]){0, 3, 0}, (double[3]){0, 1, 0}, 2, hits, 8, &count), 0);
    assert_int_equal(count, 1);
    collide_assert_vector(hits[0].normal, sqrt(0.5), -sqrt(0.5), 0);
    cairn_query_destroy(query);
    collide_finish(&s);
}

static void test_bad_questions(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    collide_add_round(&s, CAIRN_SPHERE, 0.5, 0, 0, 2);
    cairn_body_options plain = cairn_body_default();
    cairn_body bare;
    plain.name = "bare";
    plain.mass = 1;
    plain.point = true;
    assert_int_equal(cairn_model_add_body(s.model, &plain, &bare), CAIRN_OK);
    cairn_query *query = NULL;
    assert_int_equal(cairn_query_create(s.context, s.model, &query), CAIRN_OK);
    cairn_ray_hit hit;
    cairn_distance d;
    cairn_body found;
    int count;
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1}, none[3] = {0, 0, 0}, nan[3] = {0, NAN, 0};
    assert_int_equal(cairn_query_ray(query, origin, none, 1, &hit, 1, &count), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(s.context), "direction of a ray must be finite and not zero"));
    assert_int_equal(cairn_query_ray(query, origin, nan, 1, &hit, 1, &count), CAIRN_INVALID);
    assert_int_equal(cairn_query_ray(query, nan, up, 1, &hit, 1, &count), CAIRN_INVALID);
    assert_int_equal(cairn_query_ray(query, origin, up, -1, &hit, 1, &count), CAIRN_INVALID);
    assert_int_equal(cairn_query_ray(query, origin, up, NAN, &hit, 1, &count), CAIRN_INVALID);
    assert_int_equal(cairn_query_closest(query, bare, origin, &d), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(s.context), "'bare' has no shape"));
    assert_int_equal(cairn_query_distance(query, bare, body(0), &d), CAIRN_INVALID);
    cairn_region region = {.radius = -1};
    assert_int_equal(cairn_query_overlap(query, &region, &found, 1, &count), CAIRN_INVALID);
    region = (cairn_region){.size = {1, 0, 1}};
    assert_int_equal(cairn_query_overlap(query, &region, &found, 1, &count), CAIRN_INVALID);
    region = (cairn_region){.radius = 1, .centre = {0, 0, INFINITY}};
    assert_int_equal(cairn_query_overlap(query, &region, &found, 1, &count), CAIRN_INVALID);
    cairn_query_destroy(query);
    collide_finish(&s);
}

/* ------------------------------------------------------------------------------------------------------ by brute force */

/* Whether a point lies in the shape of a body, from its definition. */
static bool is_inside(const collide_scene *s, int i, const double x[3])
{
    const crn_shape *shape = &s->model->shapes[i];
    double arm[3], local[3], sum = 0;
    crn_sub3(x, s->poses[i].x, arm);
    crn_unrotate3(s->poses[i].R, arm, local);
    switch (shape->kind)
    {
    case CAIRN_SPHERE:
    case CAIRN_CIRCLE:
        return crn_norm3(local) <= shape->radius;
    case CAIRN_BOX:
        return fabs(local[0]) <= shape->form->half[0] && fabs(local[1]) <= shape->form->half[1] &&
               fabs(local[2]) <= shape->form->half[2];
    case CAIRN_POLYGON: /* rectangles about the origin */
        return fabs(local[0]) <= fabs(shape->form->vertices[0]) && fabs(local[1]) <= fabs(shape->form->vertices[1]);
    default:
        for (int k = 0; k < s->model->dimension; ++k)
            sum += local[k] * local[k] / (shape->form->half[k] * shape->form->half[k]);
        return sum <= 1;
    }
}

static void fill_random(collide_scene *s, int dimension, uint64_t *seed)
{
    collide_start(s, dimension);
    for (int i = 0; i < 60; ++i)
    {
        double x[3], e[3];
        for (int k = 0; k < 3; ++k)
        {
            x[k] = k < dimension ? collide_uniform(seed, -4, 4) : 0;
            e[k] = collide_uniform(seed, 0.1, 1);
        }
        int made = i % 3 == 0
                       ? collide_add_round(s, dimension == 2 ? CAIRN_CIRCLE : CAIRN_SPHERE, e[0], x[0], x[1], x[2])
                   : i % 3 == 1     ? add_ellipse(s, e[0], e[1], dimension == 2 ? 0 : e[2], x[0], x[1], x[2])
                   : dimension == 2 ? collide_add_rectangle(s, e[0], e[1], x[0], x[1])
                                    : collide_add_box(s, e[0], e[1], e[2], x[0], x[1], x[2]);
        collide_turn(s, made, dimension == 2 ? 0 : collide_uniform(seed, -1, 1),
                     dimension == 2 ? 0 : collide_uniform(seed, -1, 1), collide_uniform(seed, -1, 1));
    }
}

/* Walk along the ray: a shape is hit exactly if the walk finds itself inside, and first close to where the hit is. */
static void check_ray(const collide_scene *s, cairn_query *query, uint64_t *seed)
{
    enum
    {
        WALK = 4000
    };
    double x[3], d[3], p[3], step = 0.005, first[60];
    cairn_ray_hit hits[60];
    int count;
    for (int k = 0; k < 3; ++k)
    {
        x[k] = k < s->model->dimension ? collide_uniform(seed, -8, 8) : 0;
        d[k] = k < s->model->dimension ? collide_uniform(seed, -4, 4) - x[k] : 0;
    }
    crn_scale3(1 / crn_norm3(d), d, d);
    assert_int_equal(cairn_query_ray(query, x, d, WALK * step, hits, 60, &count), CAIRN_OK);
    for (int i = 0; i < 60; ++i)
    {
        first[i] = INFINITY;
        for (int k = 0; k <= WALK && first[i] > 1e9; ++k)
        {
            crn_madd3(x, k * step, d, p);
            first[i] = is_inside(s, i, p) ? k * step : first[i];
        }
    }
    for (int i = 0; i < count; ++i)
    {
        int shape = hits[i].shape.id - 1;
        assert_true(i == 0 || hits[i].distance >= hits[i - 1].distance);
        double out[3], in[3];
        /* just before the hit the ray is outside, just behind the surface inside; grazing hits may be missed by the walk */
        crn_madd3(hits[i].point, 1e-7, hits[i].normal, out);
        crn_madd3(hits[i].point, -1e-7, hits[i].normal, in);
        assert_true(hits[i].inside || (!is_inside(s, shape, out) && is_inside(s, shape, in)));
        assert_true(hits[i].inside || crn_dot3(hits[i].normal, d) <= 1e-9);
        assert_true(isinf(first[shape]) || fabs(first[shape] - hits[i].distance) <= step * 1.001);
        first[shape] = INFINITY;
    }
    for (int i = 0; i < 60; ++i)
        assert_true(isinf(first[i])); /* nothing that the walk met is missing */
}

/* Points of the region: a body that one of them is in must be found; a body found is no further off than rounding. */
static int check_region(const collide_scene *s, cairn_query *query, uint64_t *seed)
{
    int dimension = s->model->dimension, count;
    cairn_region region = {.radius = collide_uniform(seed, 0, 1) < 0.5 ? collide_uniform(seed, 0.2, 2) : 0};
    cairn_body found[60];
    bool hit[60] = {false};
    for (int k = 0; k < 3; ++k)
    {
        region.centre[k] = k < dimension ? collide_uniform(seed, -4, 4) : 0;
        region.size[k] = collide_uniform(seed, 0.2, 4);
    }
    assert_int_equal(cairn_query_overlap(query, &region, found, 60, &count), CAIRN_OK);
    for (int i = 0; i < count; ++i)
    {
        assert_true(i == 0 || found[i].id > found[i - 1].id);
        hit[found[i].id - 1] = true;
    }
    for (int trial = 0; trial < 3000; ++trial)
    {
        double x[3] = {0}, arm[3] = {0};
        for (int k = 0; k < dimension; ++k)
        {
            double half = region.radius > 0 ? region.radius : 0.5 * region.size[k];
            arm[k] = collide_uniform(seed, -half, half);
            x[k] = region.centre[k] + arm[k];
        }
        for (int i = 0; i < 60 && (region.radius == 0 || crn_norm3(arm) <= region.radius); ++i)
            assert_true(hit[i] || !is_inside(s, i, x));
    }
    for (int i = 0; i < 60 && region.radius > 0; ++i)
    {
        cairn_distance d;
        assert_int_equal(cairn_query_closest(query, body(i), region.centre, &d), CAIRN_OK);
        assert_true(fabs(d.distance - region.radius) < 1e-9 || hit[i] == (d.distance < region.radius));
    }
    return count;
}

static void test_random_scenes(void **state)
{
    (void)state;
    uint64_t seed = 41;
    int overlaps = 0;
    for (int trial = 0; trial < 8; ++trial)
    {
        collide_scene s;
        fill_random(&s, trial % 2 ? 2 : 3, &seed);
        cairn_query *query = query_of(&s);
        for (int i = 0; i < 10; ++i)
        {
            check_ray(&s, query, &seed);
            overlaps += check_region(&s, query, &seed);
        }
        cairn_query_destroy(query);
        collide_finish(&s);
    }
    assert_true(overlaps > 100);
}

/* --------------------------------------------------------------------------------------------------- of a simulation */

/* A ball that falls without gravity's help is where its velocity has brought it. */
static void test_follow(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_model *model = NULL;
    assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
    cairn_body_options options = cairn_body_default();
    cairn_shape_options shape = cairn_shape_default(CAIRN_SPHERE);
    cairn_body ball, ground;
    cairn_shape out;
    cairn_query *query = NULL;
    cairn_simulation *simulation = NULL;
    cairn_settings settings = cairn_settings_default();
    options.name = "ball";
    options.position[2] = 5;
    options.velocity[2] = -2;
    shape.radius = 1;
    shape.density = 1;
    cairn_model_set_gravity(model, (double[3]){0, 0, 0});
    assert_int_equal(cairn_model_add_body(model, &options, &ball), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(model, ball, &shape, &out), CAIRN_OK);
    options = cairn_body_default();
    options.name = "ground";
    options.kind = CAIRN_FIXED;
    shape = cairn_shape_default(CAIRN_HALF_SPACE);
    assert_int_equal(cairn_model_add_body(model, &options, &ground), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(model, ground, &shape, &out), CAIRN_OK);
    assert_int_equal(cairn_simulation_create(context, model, &settings, &simulation), CAIRN_OK);
    assert_int_equal(cairn_query_create(context, model, &query), CAIRN_OK);
    cairn_distance d;
    assert_int_equal(cairn_query_distance(query, ball, ground, &d), CAIRN_OK);
    collide_assert_near(d.distance, 4, 1e-12);
    for (int i = 0; i < 50; ++i)
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
    assert_int_equal(cairn_query_follow(query, simulation), CAIRN_OK);
    assert_int_equal(cairn_query_distance(query, ball, ground, &d), CAIRN_OK);
    collide_assert_near(d.distance, 3, 1e-9);
    cairn_query_destroy(query);
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
}

/* A shape of its own kind, about 1 m in size, turned anyhow. */
static cairn_shape_options any_shape(cairn_shape_kind kind, const double points[12])
{
    cairn_shape_options o = cairn_shape_default(kind);
    o.radius = 0.3;
    o.length = 0.8;
    o.height = 0.9;
    o.vertices = kind == CAIRN_HULL ? points : NULL;
    o.vertex_count = kind == CAIRN_HULL ? 4 : 0;
    memcpy(o.position, (double[3]){0.1, -0.2, 0.05}, sizeof o.position);
    memcpy(o.orientation, (double[4]){0.8, 0.36, -0.48, 0.0}, sizeof o.orientation);
    return o;
}

/* Where a ray meets a shape, the normal leads straight away from it: a millimetre out, the shape is a millimetre off. */
static void rays_on_turned_shapes(void **state)
{
    (void)state;
    const cairn_shape_kind kinds[4] = {CAIRN_CAPSULE, CAIRN_CYLINDER, CAIRN_CONE, CAIRN_HULL};
    const double points[12] = {0.6, 0, 0, -0.4, 0.5, 0, -0.3, -0.5, 0.1, 0, 0, 0.8};
    uint64_t seed = 5;
    for (int k = 0; k < 4; ++k)
    {
        cairn_context *context = cairn_context_create();
        cairn_model *model = NULL;
        assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
        cairn_body_options o = cairn_body_default();
        cairn_shape_options shape = any_shape(kinds[k], points);
        cairn_body made;
        cairn_query *query = NULL;
        o.name = "thing";
        o.kind = CAIRN_FIXED;
        assert_int_equal(cairn_model_add_body(model, &o, &made), CAIRN_OK);
        assert_int_equal(cairn_model_add_shape(model, made, &shape, &(cairn_shape){0}), CAIRN_OK);
        cairn_body_state at = {.orientation = {1, 0, 0, 0}};
        assert_int_equal(cairn_query_create(context, model, &query), CAIRN_OK);
        assert_int_equal(cairn_query_place(query, &at), CAIRN_OK);
        int met = 0;
        for (int trial = 0; trial < 400; ++trial)
        {
            double from[3], to[3];
            for (int i = 0; i < 3; ++i)
            {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                from[i] = 4.0 * ((double)(seed >> 11) / 9007199254740992.0 - 0.5);
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                to[i] = 0.8 * ((double)(seed >> 11) / 9007199254740992.0 - 0.5) - from[i];
            }
            cairn_ray_hit hits[1];
            int count = 0;
            assert_int_equal(cairn_query_ray(query, from, to, INFINITY, hits, 1, &count), CAIRN_OK);
            if (count == 1 && !hits[0].inside)
            {
                double out[3];
                cairn_distance d;
                crn_madd3(hits[0].point, 1e-3, hits[0].normal, out);
                assert_int_equal(cairn_query_closest(query, made, out, &d), CAIRN_OK);
                collide_assert_near(d.distance, 1e-3, 1e-9);
                ++met;
            }
        }
        assert_true(met > 100);
        cairn_query_destroy(query);
        cairn_model_destroy(model);
        cairn_context_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_on_turned_shapes), cmocka_unit_test(test_distance_space),
        cmocka_unit_test(test_distance_plane),   cmocka_unit_test(test_distance_is_exact),
        cmocka_unit_test(test_closest),          cmocka_unit_test(test_ray_space),
        cmocka_unit_test(test_ray_plane),        cmocka_unit_test(test_bad_questions),
        cmocka_unit_test(test_random_scenes),    cmocka_unit_test(test_follow),
    };
    return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
