/* The closest points of two boxes, however near they are: the general search (collide/convex/gjk.c) finds the same distance, and the plane
 * across the normal between them proves it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/convex/convex.h"
#include "collide/shapes/box.h"
#include "math/vec.h"
#include "support/collide_scene.h"

#include <math.h>

static crn_placed random_box(uint64_t *seed)
{
    crn_placed box = {.kind = CAIRN_BOX};
    double turn[3], q[4];
    for (int k = 0; k < 3; ++k)
    {
        box.half[k] = collide_uniform(seed, 0.1, 1.0);
        box.centre[k] = collide_uniform(seed, -1.5, 1.5);
        turn[k] = collide_uniform(seed, -3, 3);
    }
    crn_quaternion_exp(turn, q);
    crn_quaternion_to_matrix(q, box.R);
    return box;
}

/* m: the direction between points so near is known to eps over their distance (box_closest.c), and so is the separation along it; boxes
 * have sizes up to 3.5. */
static double rounding_at(double distance)
{
    return 1e-13 + 1e-14 / distance;
}

static void boxes_apart_have_closest_points(void **state)
{
    (void)state;
    uint64_t seed = 3;
    int found = 0;
    for (int trial = 0; trial < 20000; ++trial)
    {
        crn_placed a = random_box(&seed), b = random_box(&seed);
        crn_pair_view v = crn_view_pair(&a, &b);
        crn_nearest nearest;
        crn_difference unused;
        double distance = pow(10, collide_uniform(&seed, -5, 0));
        if (!crn_nearest_points(&v, INFINITY, &nearest) || nearest.s < 0.05)
            continue;
        crn_madd3(a.centre, distance - nearest.s, nearest.n, a.centre); /* the direction stays */
        v = crn_view_pair(&a, &b);
        crn_box_pair pair;
        crn_touch touch;
        crn_manifold room = {.touches = &touch, .capacity = 1, .limit = INFINITY};
        crn_box_view(&a, &b, &pair);
        crn_box_closest(&pair, NULL, &room);
        assert_int_equal(room.count, 1);
        collide_assert_near(touch.gap, distance, 1e-13);
        collide_assert_near(crn_separation(&v, touch.normal, &unused), touch.gap, rounding_at(distance));
        ++found;
    }
    assert_true(found > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_apart_have_closest_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
