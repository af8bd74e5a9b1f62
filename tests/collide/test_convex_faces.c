/* What faces make when they meet: how many contacts, where, and that they keep their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec.h"
#include "support/collide_scene.h"

#include <math.h>
#include <string.h>

static int add_turned(collide_scene *s, cairn_shape_kind kind, double radius, double height, double z)
{
    cairn_shape_options o = cairn_shape_default(kind);
    o.radius = radius;
    o.height = o.length = height;
    return collide_add(s, &o, 0, 0, z);
}

/* A cube of half edge 0.5 out of `side` x `side` points on each face: most of them inside flat faces. */
static int add_cube_hull(collide_scene *s, int side, double x, double y, double z)
{
    double points[3 * 512];
    int count = 0;
    for (int i = 0; i < side * side * side; ++i)
    {
        double p[3] = {i % side, i / side % side, i / side / side};
        for (int k = 0; k < 3; ++k)
            points[3 * count + k] = p[k] / (side - 1) - 0.5;
        ++count;
    }
    cairn_shape_options o = cairn_shape_default(CAIRN_HULL);
    o.vertices = points;
    o.vertex_count = count;
    return collide_add(s, &o, x, y, z);
}

static double least_gap(const collide_scene *s)
{
    double least = INFINITY;
    for (int i = 0; i < s->count; ++i)
        least = fmin(least, s->contacts[i].gap);
    return least;
}

/* Standing, lying, and tilted by any angle: the lowest point of a cylinder is exact. */
static void cylinders_on_a_plane(void **state)
{
    (void)state;
    collide_scene s;
    double r = 0.4, h = 1.0;
    collide_start(&s, 3);
    int body = add_turned(&s, CAIRN_CYLINDER, r, h, 0.5);
    collide_add_half(&s, 0, 0, 1);
    collide_within(&s, 1e-3);
    assert_int_equal(s.count, 8);
    for (int i = 0; i < 8; ++i)
    {
        collide_assert_near(s.contacts[i].gap, 0, 1e-15);
        collide_assert_near(hypot(s.contacts[i].point_a[0], s.contacts[i].point_a[1]), r, 1e-15);
    }
    s.poses[body].x[2] = r;
    collide_turn(&s, body, COLLIDE_PI / 2, 0, 0);
    collide_within(&s, 1e-3);
    assert_int_equal(s.count, 2);
    for (int i = 0; i < 200; ++i)
    {
        double tilt = COLLIDE_PI * i / 200;
        s.poses[body].x[2] = 2.0;
        collide_turn(&s, body, tilt * cos(i), tilt * sin(i), 0);
        collide_within(&s, 10.0);
        collide_assert_near(least_gap(&s), 2.0 - r * sin(tilt) - h / 2 * fabs(cos(tilt)), 1e-14);
    }
    collide_finish(&s);
}

static void cones_and_capsules_on_a_plane(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    int cone = add_turned(&s, CAIRN_CONE, 0.3, 0.8, 0.2);
    collide_add_half(&s, 0, 0, 1);
    collide_within(&s, 1e-3);
    assert_int_equal(s.count, 8); /* on its base, a quarter of the height below the centre */
    double slope = atan2(0.3, 0.8);
    s.poses[cone].x[2] = 0.6 * sin(slope); /* on its side: the tip is 0.6 from the centre */
    collide_turn(&s, cone, 0, COLLIDE_PI / 2 + slope, 0);
    collide_within(&s, 1e-3);
    assert_int_equal(s.count, 2);
    collide_assert_near(s.contacts[0].gap, 0, 1e-15);
    collide_assert_near(s.contacts[1].gap, 0, 1e-15);
    collide_finish(&s);
    collide_start(&s, 3);
    int capsule = add_turned(&s, CAIRN_CAPSULE, 0.1, 0.6, 0.1);
    collide_add_box(&s, 1, 1, 0.5, 0.2, 0, -0.5);
    collide_turn(&s, capsule, 0, COLLIDE_PI / 2, 0);
    collide_within(&s, 1e-3);
    assert_int_equal(s.count, 2);
    collide_assert_near(s.contacts[0].gap, 0, 1e-14);
    collide_assert_near(s.contacts[1].gap, 0, 1e-14);
    collide_finish(&s);
}

/* A cylinder on a box, both ways round, and one that overhangs: all its points lie on both. */
static void cylinders_on_boxes(void **state)
{
    (void)state;
    for (int k = 0; k < 17; ++k)
    {
        collide_scene s;
        collide_start(&s, 3);
        double shift = 0.05 * k;
        int cylinder = add_turned(&s, CAIRN_CYLINDER, 0.4, 1.0, 0.5);
        collide_add_box(&s, 0.5, 0.5, 0.25, 0, 0, -0.25);
        s.poses[cylinder].x[0] = shift;
        collide_turn(&s, cylinder, 0, 0, 0.1 * k);
        collide_within(&s, 1e-3);
        assert_true(s.count >= 3 && s.count <= 9);
        for (int i = 0; i < s.count; ++i)
        {
            const double *x = s.contacts[i].point_a;
            collide_assert_near(s.contacts[i].gap, 0, 1e-12);
            assert_true(fabs(x[0]) < 0.5 + 1e-6 && hypot(x[0] - shift, x[1]) < 0.4 + 1e-6);
        }
        collide_finish(&s);
    }
}

/* Finely cut cubes on each other have the four corners of what they share, as boxes do. */
static void hulls_have_their_extreme_points(void **state)
{
    (void)state;
    collide_scene hulls, boxes;
    collide_start(&hulls, 3);
    collide_start(&boxes, 3);
    add_cube_hull(&hulls, 6, 0, 0, 0);
    add_cube_hull(&hulls, 6, 0.3, 0.2, 1.001);
    collide_add_box(&boxes, 0.5, 0.5, 0.5, 0, 0, 0);
    collide_add_box(&boxes, 0.5, 0.5, 0.5, 0.3, 0.2, 1.001);
    collide_within(&hulls, 1e-2);
    collide_within(&boxes, 1e-2);
    assert_int_equal(hulls.count, 4);
    assert_int_equal(boxes.count, 4);
    for (int i = 0; i < 4; ++i)
    {
        double nearest = INFINITY;
        for (int j = 0; j < 4; ++j)
        {
            double arm[3];
            crn_sub3(hulls.contacts[i].point_a, boxes.contacts[j].point_a, arm);
            nearest = fmin(nearest, crn_norm3(arm));
        }
        assert_true(nearest < 1e-6);
        collide_assert_near(hulls.contacts[i].gap, 0.001, 1e-12);
    }
    collide_finish(&hulls);
    collide_finish(&boxes);
}

/* The names stay while a hull trembles, slides a little, and whichever face is the reference. */
static void names_last(void **state)
{
    (void)state;
    collide_scene s;
    uint64_t names[16], seed = 4;
    int count = 0;
    collide_start(&s, 3);
    add_cube_hull(&s, 2, 0, 0, 0);
    int upper = add_cube_hull(&s, 2, 0.3, 0.2, 1.0);
    for (int step = 0; step < 200; ++step)
    {
        double most = 1e-5;
        s.poses[upper].x[0] = 0.3 + 1e-3 * step / 200;
        collide_turn(&s, upper, collide_uniform(&seed, -most, most), collide_uniform(&seed, -most, most), 0);
        collide_within(&s, 1e-3);
        assert_true(step == 0 || s.count == count);
        for (int i = 0; i < s.count; ++i)
        {
            assert_true(step == 0 || s.contacts[i].identity == names[i]);
            names[i] = s.contacts[i].identity;
        }
        count = s.count;
    }
    assert_int_equal(count, 4);
    collide_finish(&s);
}

/* Corner to corner: apart, the one contact is that of the two corners, and its plane leaves both ways past open; nearer than the
 * bias it is a face of one of them, that of the side where the other stands. */
static void corners_choose_a_side(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    add_cube_hull(&s, 2, 0, 0, 0);
    int other = add_cube_hull(&s, 2, 1.1, 1.2, 1.3);
    collide_within(&s, 1.0);
    assert_int_equal(s.count, 1);
    double far = sqrt(0.01 + 0.04 + 0.09);
    collide_assert_near(s.contacts[0].gap, far, 1e-14);
    collide_assert_vector(s.contacts[0].normal, -0.1 / far, -0.2 / far, -0.3 / far);
    /* past one face by more than past the others: that face parts them */
    memcpy(s.poses[other].x, (double[3]){1.0 - 1e-4, 1.0 - 2e-4, 1.0 + 1e-5}, sizeof s.poses[other].x);
    collide_within(&s, 1.0);
    collide_assert_near(least_gap(&s), 1e-5, 1e-12);
    collide_assert_vector(s.contacts[0].normal, 0, 0, -1);
    collide_finish(&s);
}

/* A bar of half length 0.8 and half thickness r along its own z, one line of it lowest. */
static int add_bar(collide_scene *s, cairn_shape_kind kind, double r)
{
    double side = r * sqrt(2.0), points[24];
    cairn_shape_options o = cairn_shape_default(kind);
    o.radius = r;
    o.height = 1.6;
    memcpy(o.size, (double[3]){side, side, 1.6}, sizeof o.size);
    for (int i = 0; i < 8; ++i)
    {
        memcpy(points + 3 * i,
               (double[3]){i & 1 ? side / 2 : -side / 2, i & 2 ? side / 2 : -side / 2, i & 4 ? 0.8 : -0.8},
               3 * sizeof(double));
    }
    o.vertices = points;
    o.vertex_count = kind == CAIRN_HULL ? 8 : 0;
    return collide_add(s, &o, 0, 0, 0);
}

/* A bar over the border of a table, its outer end a little lower: nearest is the border, but the other end comes down on the table
 * as soon as the bar turns, and is a contact of its own, at its height. Both ways round. */
static void far_ends_are_seen(void **state)
{
    (void)state;
    static const cairn_shape_kind kinds[] = {CAIRN_BOX, CAIRN_HULL, CAIRN_CYLINDER};
    for (int i = 0; i < 24; ++i)
    {
        double r = 0.05, tilt = 0.002 * (1 + i / 6), low = 0.004, end[3], down[3], line[3], middle[3], R[9], q[4];
        collide_scene s;
        collide_start(&s, 3);
        int table = i % 2 ? collide_add_box(&s, 1, 1, 0.5, 0, 0, -0.5) : -1, bar = add_bar(&s, kinds[i / 2 % 3], r);
        table = table < 0 ? collide_add_box(&s, 1, 1, 0.5, 0, 0, -0.5) : table;
        /* z along the bar and outwards, an edge of the square section down */
        crn_pose *pose = &s.poses[bar];
        double turn[9];
        memcpy(line, (double[3]){cos(tilt), 0, -sin(tilt)}, sizeof line);
        memcpy(down, (double[3]){-sin(tilt), 0, -cos(tilt)}, sizeof down);
        memcpy(R, (double[9]){down[0], 0, line[0], down[1], -1, line[1], down[2], 0, line[2]}, sizeof R);
        crn_quaternion_exp((double[3]){0, 0, 0.25 * COLLIDE_PI}, q);
        crn_quaternion_to_matrix(q, turn);
        crn_multiply33(R, turn, pose->R);
        /* the lowest line passes the border x = 1, z = 0 at the height `low`, 0.5 from its inner end */
        crn_madd3((double[3]){1, 0, low}, -0.5, line, end);
        crn_madd3(end, 0.8, line, middle);
        crn_madd3(middle, -r, down, pose->x);
        collide_within(&s, 0.02);
        int found = 0, border = 0;
        for (int k = 0; k < s.count; ++k)
        {
            const crn_contact *c = &s.contacts[k];
            const double *on_bar = c->body_a == bar ? c->point_a : c->point_b;
            double arm[3], up = c->body_a == bar ? c->normal[2] : -c->normal[2];
            crn_sub3(on_bar, end, arm);
            bool inner = crn_norm3(arm) < 1e-6, outer = fabs(on_bar[0] - 1.0) < 0.01;
            assert_true(inner || outer);
            found += inner && fabs(c->gap - end[2]) < 1e-12 && up > 1 - 1e-12;
            border += outer && c->gap < low + 1e-12;
        }
        assert_int_equal(found, 1);
        assert_int_equal(border, 1);
        assert_int_equal(s.count, 2);
        collide_finish(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cylinders_on_a_plane), cmocka_unit_test(cones_and_capsules_on_a_plane),
        cmocka_unit_test(cylinders_on_boxes),   cmocka_unit_test(hulls_have_their_extreme_points),
        cmocka_unit_test(names_last),           cmocka_unit_test(corners_choose_a_side),
        cmocka_unit_test(far_ends_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
