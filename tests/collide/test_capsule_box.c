/* Capsules against boxes: the touches in the box's frame (collide/shapes/capsule_box.c) are those that the general routines for convex
 * shapes find, which search and clip in the world: as many, with the same names, gaps, normals and points. */
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

enum
{
    ROOM = 16
};

/* Both ways of one pair. */
typedef struct both
{
    crn_placed capsule, box;
    crn_touch direct[ROOM], general[ROOM];
    crn_manifold of_direct, of_general;
} both;

static void rotation(const double turn[3], double R[9])
{
    double q[4];
    crn_quaternion_exp(turn, q);
    crn_quaternion_to_matrix(q, R);
}

/* The style says how the capsule is turned in the box's frame: anyhow, nearly along an axis of the box, less nearly so, or flat on a face.
 * Exactly along an edge, rounding says which of its ends is nearest. */
static void place_pair(uint64_t *seed, int style, both *p)
{
    double turn[3], relative[9], local[3], of_axes[4][3] = {{0}, {COLLIDE_PI / 2, 0, 0}, {0, COLLIDE_PI / 2, 0}, {0}};
    *p = (both){.capsule = {.kind = CAIRN_CAPSULE}, .box = {.kind = CAIRN_BOX}};
    p->capsule.radius = collide_uniform(seed, 0.05, 0.5);
    p->capsule.half[2] = collide_uniform(seed, 0.1, 1.5);
    for (int k = 0; k < 3; ++k)
    {
        p->box.half[k] = collide_uniform(seed, 0.1, 1.0);
        p->box.centre[k] = collide_uniform(seed, -3, 3);
        turn[k] = collide_uniform(seed, -3, 3);
    }
    rotation(turn, p->box.R);
    int axis = (int)collide_uniform(seed, 0, 2.999);
    for (int k = 0; k < 3; ++k)
        turn[k] = of_axes[axis][k] + (style == 0   ? collide_uniform(seed, -3, 3)
                                      : style == 1 ? collide_uniform(seed, -1e-4, 1e-4)
                                      : style == 2 ? collide_uniform(seed, -0.2, 0.2)
                                                   : 0.0);
    if (style == 3)
        turn[1] += collide_uniform(seed, -3, 3), turn[0] = 0.0;
    rotation(turn, relative);
    crn_multiply33(p->box.R, relative, p->capsule.R);
    int out = (int)collide_uniform(seed, 0, 2.999);
    for (int k = 0; k < 3; ++k)
    {
        double side = collide_uniform(seed, -1, 1) < 0 ? -1 : 1, h = p->box.half[k];
        local[k] = k == out ? side * (h + collide_uniform(seed, 0, 1.3) * p->capsule.radius)
                            : collide_uniform(seed, -1.5, 1.5) * h;
    }
    crn_rotate3(p->box.R, local, p->capsule.centre);
    crn_add3(p->box.centre, p->capsule.centre, p->capsule.centre);
}

static void touch_both(both *p, double limit)
{
    p->of_direct = (crn_manifold){.touches = p->direct, .capacity = ROOM, .limit = limit, .apart = -INFINITY};
    p->of_general = (crn_manifold){.touches = p->general, .capacity = ROOM, .limit = limit, .apart = -INFINITY};
    crn_touch_capsule_box(&p->capsule, &p->box, &p->of_direct);
    crn_touch_convex(&p->capsule, &p->box, &p->of_general);
    crn_manifold_sort(&p->of_direct);
    crn_manifold_sort(&p->of_general);
}

static void assert_same(const crn_touch *a, const crn_touch *b)
{
    assert_int_equal(a->feature, b->feature);
    collide_assert_near(a->gap, b->gap, 1e-12);
    for (int k = 0; k < 3; ++k)
    {
        collide_assert_near(a->normal[k], b->normal[k], 1e-10);
        /* the end of a stretch that crosses an edge at a small angle is known less precisely */
        collide_assert_near(a->point_a[k], b->point_a[k], 1e-9);
        collide_assert_near(a->point_b[k], b->point_b[k], 1e-9);
    }
}

/* Over an edge the direction between the nearest points has no part along it. The side of the box on which the general way looks for
 * an edge along another axis is then that of a rounding error. */
static bool is_undecided(const both *p)
{
    double m[3];
    crn_unrotate3(p->box.R, p->general[p->of_general.count - 1].normal, m);
    return fabs(m[0]) < 1e-12 || fabs(m[1]) < 1e-12 || fabs(m[2]) < 1e-12;
}

static void the_general_way_finds_the_same(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int found[5] = {0}, apart = 0, beside = 0, undecided = 0;
    for (int trial = 0; trial < 40000; ++trial)
    {
        both p;
        place_pair(&seed, trial % 4, &p);
        touch_both(&p, trial % 3 == 0 ? 10.0 : 0.3 * p.capsule.radius);
        assert_int_equal(p.of_direct.status, CAIRN_OK);
        if (p.of_direct.count != p.of_general.count)
        {
            assert_true(p.of_general.count > 0 && is_undecided(&p));
            ++undecided;
            continue;
        }
        for (int i = 0; i < p.of_direct.count; ++i)
            assert_same(&p.direct[i], &p.general[i]);
        if (p.of_direct.count == 0)
        {
            collide_assert_near(p.of_direct.apart, p.of_general.apart, 1e-12);
            ++apart;
        }
        ++found[p.of_direct.count];
        beside += p.of_direct.count > 1 && crn_manifold_has(&p.of_direct, 0xffff);
    }
    assert_true(undecided < 20);
    /* all that may happen has */
    assert_true(apart > 1000 && found[1] > 5000 && found[2] > 5000 && found[3] > 100 && beside > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_general_way_finds_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
