/* The furthest corner of a hull: what the walk from corner to corner finds is as far as any, by search through all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec.h"
#include "model/shape/hull.h"
#include "support/collide_scene.h"

#include <math.h>
#include <string.h>

enum
{
    MOST = 2000
};

static void check_directions(const double *points, int count, uint64_t *seed)
{
    crn_hull *hull = NULL;
    assert_int_equal(crn_hull_create(points, count, &hull), CAIRN_OK);
    for (int trial = 0; trial < 3000; ++trial)
    {
        double n[3], most = -INFINITY;
        for (int k = 0; k < 3; ++k)
        {
            /* some of them along faces, edges and axes */
            n[k] = trial % 3 == 0 ? floor(collide_uniform(seed, -1, 2)) : collide_uniform(seed, -1, 1);
        }
        for (int i = 0; i < count; ++i)
            most = fmax(most, crn_dot3(points + 3 * i, n));
        double found = crn_dot3(hull->vertices + 3 * crn_hull_support(hull, n), n);
        double extreme = crn_dot3(hull->vertices + 3 * crn_hull_extreme(hull, n), n);
        assert_true(fabs(found - most) <= 1e-12 && fabs(extreme - most) <= 1e-12);
    }
    crn_hull_destroy(hull);
}

static void test_round(void **state)
{
    (void)state;
    static double points[3 * MOST];
    uint64_t seed = 5;
    for (int count = 5; count <= MOST; count = count * 3 / 2)
    {
        for (int i = 0; i < count; ++i)
        {
            double *x = points + 3 * i;
            for (int k = 0; k < 3; ++k)
                x[k] = collide_uniform(&seed, -1, 1);
            double length = crn_norm3(x);
            for (int k = 0; k < 3; ++k)
                x[k] *= (k == 2 ? 0.01 : 1.0) / length; /* as flat as a coin */
        }
        check_directions(points, count, &seed);
    }
}

/* Many corners in a few faces: a prism of 100 sides, and a cube cut into a grid, whose points are mostly no corners. */
static void test_flat_faces(void **state)
{
    (void)state;
    static double points[3 * MOST];
    uint64_t seed = 6;
    for (int i = 0; i < 200; ++i)
    {
        double angle = 2.0 * acos(-1.0) * (i / 2) / 100;
        memcpy(points + 3 * i, (double[3]){cos(angle), sin(angle), i % 2}, 3 * sizeof(double));
    }
    check_directions(points, 200, &seed);
    for (int i = 0; i < 1000; ++i)
        memcpy(points + 3 * i, (double[3]){i % 10, i / 10 % 10, i / 100}, 3 * sizeof(double));
    check_directions(points, 1000, &seed);
}

/* Every edge joins two corners, both of which know it: as many as Euler says. */
static void test_neighbours(void **state)
{
    (void)state;
    static double points[3 * MOST];
    uint64_t seed = 7;
    crn_hull *hull = NULL;
    for (int i = 0; i < 3 * 300; ++i)
        points[i] = collide_uniform(&seed, -1, 1);
    assert_int_equal(crn_hull_create(points, 300, &hull), CAIRN_OK);
    int edges = 0;
    for (int v = 0; v < hull->vertex_count; ++v)
    {
        for (int k = hull->corner_begin[v]; k < hull->corner_begin[v + 1]; ++k)
        {
            int w = hull->corner_next[k], back = 0;
            for (int l = hull->corner_begin[w]; l < hull->corner_begin[w + 1]; ++l)
                back += hull->corner_next[l] == v;
            assert_int_equal(back, 1);
            edges += v < w;
        }
    }
    assert_int_equal(hull->vertex_count - edges + hull->face_count, 2);
    crn_hull_destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round),
        cmocka_unit_test(test_flat_faces),
        cmocka_unit_test(test_neighbours),
    };
    return cmocka_run_group_tests_name("hull walk", tests, NULL, NULL);
}
