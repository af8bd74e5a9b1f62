/* Faces that are flush, or nearly so: however they tremble, they have the same contacts with the same names, at the corners of their
 * common part, which is known in closed form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec.h"
#include "support/collide_scene.h"

#include <math.h>
#include <string.h>

/* A block, as a box or as the hull of its corners. */
static int add_block(collide_scene *s, bool as_hull, const double half[3], const double x[3])
{
    if (!as_hull)
        return collide_add_box(s, half[0], half[1], half[2], x[0], x[1], x[2]);
    double corners[24];
    for (int i = 0; i < 24; ++i)
        corners[i] = (i / 3 >> (i % 3) & 1 ? 1.0 : -1.0) * half[i % 3];
    cairn_shape_options o = cairn_shape_default(CAIRN_HULL);
    o.vertices = corners;
    o.vertex_count = 8;
    return collide_add(s, &o, x[0], x[1], x[2]);
}

/* One block on another, the upper one shifted sideways. */
typedef struct stacking
{
    double lower[3], upper[3], shift[2];
} stacking;

static const stacking STACKINGS[] = {
    {{1, 1, 1}, {1, 1, 1}, {0, 0}},           /* flush all round */
    {{2, 1, 1}, {2, 1, 1}, {2, 0}},           /* a wall's bond: flush in front and behind */
    {{2, 1, 1}, {1, 1, 1}, {-1, 0}},          /* half a brick at the end: flush on three sides */
    {{1, 1, 1}, {1, 1, 1}, {0.3, 0.7}},       /* flush nowhere */
    {{1, 1, 1}, {0.5, 0.5, 0.5}, {0.5, 0}},   /* a small one, flush on one side */
    {{1, 1, 1}, {0.5, 0.5, 0.5}, {0.1, 0.2}}, /* a small one, inside */
    {{0.5, 0.5, 0.5}, {1, 1, 1}, {0, 0.5}},   /* a large one, flush on one side */
    {{40, 1, 1}, {1, 1, 1}, {3, 0}},          /* on a long beam */
    {{1, 1, 1}, {40, 1, 1}, {3, 0}},          /* a long beam above */
    {{0.2, 1, 2}, {0.2, 1, 2}, {0, 0}},       /* slender */
    {{1, 1, 0.001}, {1, 1, 0.001}, {0, 0}},   /* flat */
    {{0.05, 0.05, 0.05}, {0.05, 0.05, 0.05}, {0, 0.02}},
};

/* Corner k of the common part of the two faces of undisturbed blocks. */
static void common_corner(const stacking *t, int k, double out[2])
{
    for (int i = 0; i < 2; ++i)
    {
        double low = fmax(-t->lower[i], t->shift[i] - t->upper[i]);
        double high = fmin(t->lower[i], t->shift[i] + t->upper[i]);
        out[i] = k >> i & 1 ? high : low;
    }
}

static double small(uint64_t *seed, double size)
{
    return size * collide_uniform(seed, -1, 1);
}

static double least_half(const stacking *t)
{
    return fmin(fmin(t->lower[0], t->lower[1]), fmin(t->upper[0], t->upper[1]));
}

/* Every corner of the common part has one contact, no farther away than `most`. */
static void assert_at_corners(const collide_scene *s, const stacking *t, double most)
{
    assert_int_equal(s->count, 4);
    for (int k = 0; k < 4; ++k)
    {
        double corner[2], nearest = INFINITY;
        common_corner(t, k, corner);
        for (int i = 0; i < 4; ++i)
            nearest =
                fmin(nearest, hypot(s->contacts[i].point_a[0] - corner[0], s->contacts[i].point_a[1] - corner[1]));
        assert_true(nearest <= most);
    }
}

/* Disturb both blocks by up to `size`: turns in rad, shifts in parts of the smallest half-width. */
static void tremble(const stacking *t, bool as_hull, double size, uint64_t *seed, uint64_t names[4])
{
    collide_scene s;
    double lower[3] = {0, 0, -t->lower[2]}, upper[3] = {t->shift[0], t->shift[1], t->upper[2]};
    double reach = fmax(hypot(t->lower[0], t->lower[1]), hypot(t->upper[0], t->upper[1]));
    double unit = least_half(t), turn = size * fmin(1.0, 2 * unit / reach);
    collide_start(&s, 3);
    for (int b = 0; b < 2; ++b)
        add_block(&s, as_hull, b ? t->upper : t->lower, b ? upper : lower);
    for (int b = 0; b < 2; ++b)
    {
        for (int k = 0; k < 3; ++k)
            s.poses[b].x[k] += small(seed, size * unit);
        collide_turn(&s, b, small(seed, turn), small(seed, turn), small(seed, turn));
    }
    collide_within(&s, 0.01 * unit);
    assert_at_corners(&s, t, 1e-4 * unit + 20 * size * unit);
    for (int i = 0; i < 4; ++i)
    {
        assert_true(names[i] == 0 || names[i] == s.contacts[i].identity);
        names[i] = s.contacts[i].identity;
    }
    collide_finish(&s);
}

static void trembling_faces_keep_their_contacts(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (size_t i = 0; i < sizeof STACKINGS / sizeof STACKINGS[0]; ++i)
    {
        for (int as_hull = 0; as_hull < 2; ++as_hull)
        {
            uint64_t names[4] = {0};
            tremble(&STACKINGS[i], as_hull, 0.0, &seed, names);
            for (int k = 0; k < 80; ++k)
                tremble(&STACKINGS[i], as_hull, pow(10, collide_uniform(&seed, -12, -5)), &seed, names);
        }
    }
}

/* Beyond the band the clip is exact: a square turned over another has the eight corners of an octagon. */
static void turned_squares_have_eight(void **state)
{
    (void)state;
    const double half[3] = {1, 1, 1}, lower[3] = {0, 0, -1}, upper[3] = {0, 0, 1};
    for (int as_hull = 0; as_hull < 2; ++as_hull)
    {
        for (double yaw = 0.002; yaw < COLLIDE_PI / 4; yaw *= 1.7)
        {
            collide_scene s;
            collide_start(&s, 3);
            add_block(&s, as_hull, half, lower);
            int top = add_block(&s, as_hull, half, upper);
            collide_turn(&s, top, 0, 0, yaw);
            collide_within(&s, 0.01);
            assert_int_equal(s.count, 8);
            for (int i = 0; i < 8; ++i)
            {
                /* at the crossings of sides, at tan(yaw/2) from their middles */
                const double *x = s.contacts[i].point_a;
                collide_assert_near(fmax(fabs(x[0]), fabs(x[1])), 1, 1e-6);
                double other = fmin(fabs(x[0]), fabs(x[1])), wanted = tan(yaw / 2);
                assert_true(fabs(other - wanted) < 2e-6 / sin(yaw) || fabs(other - (1 - wanted) / (1 + wanted)) < 1e-6);
            }
            collide_finish(&s);
        }
    }
}

/* A corner that sticks out by less than the band is cut to the side itself, never beyond it. */
static void nothing_reaches_beyond_the_lower_face(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 4000; ++i)
    {
        const double half[3] = {1, 1, 1}, lower[3] = {0, 0, -1};
        double out = pow(10, collide_uniform(&seed, -8, -3)), yaw = collide_uniform(&seed, 0, 0.7);
        double upper[3] = {1 + out - cos(yaw) - sin(yaw), collide_uniform(&seed, -0.3, 0.3), 1};
        collide_scene s;
        collide_start(&s, 3);
        add_block(&s, i % 2, half, lower);
        int top = add_block(&s, i % 2, half, upper);
        collide_turn(&s, top, 0, 0, yaw);
        collide_within(&s, 0.01);
        assert_true(s.count >= 3 && s.count <= 8);
        for (int k = 0; k < s.count; ++k)
            for (int j = 0; j < 2; ++j)
                assert_true(fabs(s.contacts[k].point_a[j]) <= 1 + 2e-7);
        collide_finish(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trembling_faces_keep_their_contacts),
        cmocka_unit_test(turned_squares_have_eight),
        cmocka_unit_test(nothing_reaches_beyond_the_lower_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
