/* Queries on meshes and height fields, against trying all triangles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/narrow.h"
#include "math/vec.h"
#include "support/collide_scene.h"
#include "support/triangles.h"

#include <cairn/query.h>

#include <math.h>
#include <string.h>

static test_mesh part, ball;

typedef struct site
{
    collide_scene scene;
    cairn_query *query;
    cairn_body_state states[4];
} site;

static void open_site(site *s)
{
    assert_int_equal(cairn_query_create(s->scene.context, s->scene.model, &s->query), CAIRN_OK);
}

static void close_site(site *s)
{
    cairn_query_destroy(s->query);
    collide_finish(&s->scene);
}

static int add_mesh(site *s, const test_mesh *mesh)
{
    cairn_shape_options o = test_mesh_options(mesh);
    return collide_add(&s->scene, &o, 0, 0, 0);
}

/* A random pose, in the scene and in the query's states. */
static void throw_body(site *s, int body, double reach, uint64_t *seed)
{
    double turn[3], x[3], q[4];
    for (int k = 0; k < 3; ++k)
    {
        turn[k] = collide_uniform(seed, -3, 3);
        x[k] = collide_uniform(seed, -reach, reach);
    }
    collide_set_pose(&s->scene.poses[body], x[0], x[1], x[2], turn);
    crn_quaternion_exp(turn, q);
    memcpy(s->states[body].position, x, sizeof x);
    memcpy(s->states[body].orientation, q, sizeof q);
}

static cairn_body body_of(const site *s, int index)
{
    return cairn_model_body(s->scene.model, index);
}

static double to_surface(const double x[3], const test_mesh *mesh, const crn_pose *pose)
{
    double least = INFINITY, t[3][3];
    for (int i = 0; i < mesh->triangle_count; ++i)
    {
        triangle_in_pose(mesh, i, pose, t);
        least = fmin(least, point_to_triangle(x, (const double(*)[3])t));
    }
    return is_inside(mesh, pose, x) ? -least : least;
}

/* The first s at which x + s d passes a triangle. */
static double first_hit(const double x[3], const double d[3], const test_mesh *mesh, const crn_pose *pose)
{
    double first = INFINITY;
    for (int i = 0; i < mesh->triangle_count; ++i)
    {
        double t[3][3], u[3], w[3], n[3], arm[3], at[3];
        triangle_in_pose(mesh, i, pose, t);
        crn_sub3(t[1], t[0], u);
        crn_sub3(t[2], t[0], w);
        crn_cross3(u, w, n);
        crn_sub3(t[0], x, arm);
        double s = crn_dot3(n, arm) / crn_dot3(n, d);
        crn_madd3(x, s, d, at);
        if (s >= 0 && point_to_triangle(at, (const double(*)[3])t) < 1e-12)
            first = fmin(first, s);
    }
    return first;
}

static void points_and_rays(void **state)
{
    (void)state;
    site s = {.query = NULL};
    uint64_t seed = 7;
    collide_start(&s.scene, 3);
    test_mesh_angle(&part);
    int body = add_mesh(&s, &part), inside = 0, hits = 0;
    open_site(&s);
    for (int i = 0; i < 2000; ++i)
    {
        double x[3], d[3];
        throw_body(&s, body, 1, &seed);
        for (int k = 0; k < 3; ++k)
        {
            x[k] = collide_uniform(&seed, -2, 2);
            d[k] = collide_uniform(&seed, -1, 1);
        }
        assert_int_equal(cairn_query_place(s.query, s.states), CAIRN_OK);
        cairn_distance near;
        assert_int_equal(cairn_query_closest(s.query, body_of(&s, body), x, &near), CAIRN_OK);
        double wanted = to_surface(x, &part, &s.scene.poses[body]);
        collide_assert_near(near.distance, wanted, 1e-12);
        collide_assert_near(fabs(to_surface(near.point_a, &part, &s.scene.poses[body])), 0, 1e-12);
        inside += wanted < 0;
        cairn_ray_hit hit;
        int count;
        crn_scale3(1 / crn_norm3(d), d, d);
        double first = first_hit(x, d, &part, &s.scene.poses[body]);
        assert_int_equal(cairn_query_ray(s.query, x, d, 100, &hit, 1, &count), CAIRN_OK);
        assert_int_equal(count, isfinite(first) ? 1 : 0);
        if (count > 0)
        {
            assert_true(hit.inside == (wanted < 0));
            collide_assert_near(hit.distance, hit.inside ? 0 : first, 1e-10);
            assert_true(crn_dot3(hit.normal, d) < 0);
            ++hits;
        }
    }
    assert_true(inside > 30 && hits > 200);
    close_site(&s);
}

static void bodies_apart(void **state)
{
    (void)state;
    site s = {.query = NULL};
    uint64_t seed = 8;
    collide_start(&s.scene, 3);
    test_mesh_angle(&part);
    test_mesh_sphere(&ball, 2);
    int a = add_mesh(&s, &part), b = add_mesh(&s, &ball), c = collide_add_box(&s.scene, 0.4, 0.3, 0.2, 0, 0, 0);
    test_mesh box;
    test_mesh_box(&box, 0.8, 0.6, 0.4);
    open_site(&s);
    for (int i = 0; i < 300; ++i)
    {
        for (int k = 0; k < 3; ++k)
            throw_body(&s, k, 2.5, &seed);
        assert_int_equal(cairn_query_place(s.query, s.states), CAIRN_OK);
        const crn_pose *pose = s.scene.poses;
        cairn_distance d;
        double apart = mesh_to_mesh(&part, &pose[a], &ball, &pose[b]);
        assert_int_equal(cairn_query_distance(s.query, body_of(&s, a), body_of(&s, b), &d), CAIRN_OK);
        bool held = is_inside(&part, &pose[a], pose[b].x) || is_inside(&ball, &pose[b], pose[a].x);
        if (apart > 0 && !held)
            collide_assert_near(d.distance, apart, 1e-12);
        else
            assert_true(d.distance <= 1e-12);
        apart = mesh_to_mesh(&part, &pose[a], &box, &pose[c]);
        assert_int_equal(cairn_query_distance(s.query, body_of(&s, c), body_of(&s, a), &d), CAIRN_OK);
        if (apart > 0 && !is_inside(&part, &pose[a], pose[c].x))
            collide_assert_near(d.distance, apart, 1e-12);
        else
            assert_true(d.distance <= 1e-12);
    }
    close_site(&s);
}

/* A region overlaps a solid where their surfaces cross or one is inside the other. */
static void regions(void **state)
{
    (void)state;
    site s = {.query = NULL};
    uint64_t seed = 9;
    collide_start(&s.scene, 3);
    test_mesh_angle(&part);
    int a = add_mesh(&s, &part), overlaps = 0;
    open_site(&s);
    for (int i = 0; i < 1000; ++i)
    {
        throw_body(&s, a, 1, &seed);
        assert_int_equal(cairn_query_place(s.query, s.states), CAIRN_OK);
        cairn_region region = {.radius = 0};
        test_mesh box;
        double edge = collide_uniform(&seed, 0.05, i % 10 == 0 ? 12 : 2);
        crn_pose pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        test_mesh_box(&box, edge, 0.5 * edge, 0.7 * edge);
        for (int k = 0; k < 3; ++k)
            region.centre[k] = pose.x[k] = collide_uniform(&seed, -2, 2);
        memcpy(region.size, (double[3]){edge, 0.5 * edge, 0.7 * edge}, sizeof region.size);
        double corner[3][3];
        triangle_in_pose(&part, 0, &s.scene.poses[a], corner);
        bool wanted = mesh_to_mesh(&part, &s.scene.poses[a], &box, &pose) == 0 ||
                      is_inside(&part, &s.scene.poses[a], pose.x) || is_inside(&box, &pose, corner[0]);
        cairn_body found;
        int count;
        assert_int_equal(cairn_query_overlap(s.query, &region, &found, 1, &count), CAIRN_OK);
        assert_int_equal(count, wanted ? 1 : 0);
        overlaps += count;
    }
    assert_true(overlaps > 200 && overlaps < 900);
    close_site(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_rays),
        cmocka_unit_test(bodies_apart),
        cmocka_unit_test(regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
