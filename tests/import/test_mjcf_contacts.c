/* What touches what in MJCF: bits of contype and conaffinity, pairs with a friction of their own, height fields. */
#include "import/robot_bench.h"

#include <stdio.h>

static const double G = 9.81;

/* A ball above a fixed one: it stays where (t_1 & a_2) | (t_2 & a_1), and falls otherwise. All combinations of two bits, in which the others
 * are two more classes. */
static void bits_decide_who_touches(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 256; k += 3)
    {
        unsigned t1 = k & 3, a1 = k >> 2 & 3, t2 = k >> 4 & 3, a2 = k >> 6;
        char text[1024];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><geom size='0.1' contype='%u' conaffinity='%u'/>"
                 "<body name='b' pos='0 0 0.2'><freejoint/><geom size='0.1' contype='%u' conaffinity='%u'/></body>"
                 "<body name='c' pos='5 0 0'><freejoint/><geom size='0.1' contype='4' "
                 "conaffinity='1'/></body></worldbody></mujoco>",
                 t1, a1, t2, a2);
        bench b = bench_open(text, NULL, 0.01);
        bench_run(&b, 10);
        bool touch = (t1 & a2) != 0 || (t2 & a1) != 0;
        assert_near(bench_body(&b, "b").velocity[2], touch ? 0 : -G * 0.1, 1e-9);
        bench_close(&b);
    }
}

/* Bits of a robot that stands on the floor but does not touch itself, the usual way; and a body whose geometry is mixed, which is noted. */
static void mixed_bodies_are_noted(void **state)
{
    (void)state;
    bench b = bench_open("<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                         "<body name='a' pos='0 0 0.1'><freejoint/><geom size='0.1' conaffinity='0'/></body>"
                         "<body name='b' pos='0.1 0 0.1'><freejoint/><geom size='0.1' conaffinity='0'/></body>"
                         "<body name='c' pos='1 0 0.1'><freejoint/><geom size='0.1' conaffinity='0'/>"
                         "<geom size='0.1' contype='8' conaffinity='8'/></body></worldbody></mujoco>",
                         NULL, 0.01);
    bench_run(&b, 50);
    assert_near(bench_body(&b, "a").position[0], 0, 1e-12); /* the two overlap, and are left in peace */
    assert_near(bench_body(&b, "b").position[0], 0.1, 1e-12);
    assert_near(bench_body(&b, "a").position[2], 0.1, 1e-9);
    assert_int_equal(bench_notes(&b, "touch with all their geometry"), 1);
    bench_close(&b);
}

/* A robot that is added to a model: bodies of which nothing is said count as 1 and 1, and their groups stay their own. */
static void robots_touch_what_is_there(void **state)
{
    (void)state;
    static const struct
    {
        const char *bits;
        bool touches;
    } CASES[] = {{"", true}, {"contype='0'", true}, {"conaffinity='0'", true}, {"contype='2' conaffinity='4'", false}};
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; ++k)
    {
        cairn_model *model;
        cairn_body floor;
        cairn_shape made;
        char text[512];
        cairn_body_options body = cairn_body_default();
        cairn_shape_options shape = cairn_shape_default(CAIRN_HALF_SPACE);
        FILE *file = fopen("ball.xml", "w");
        assert_non_null(file);
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><body name='b' pos='0 0 0.1'><freejoint/><geom size='0.1' "
                 "%s/></body></worldbody></mujoco>",
                 CASES[k].bits);
        fputs(text, file);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(cairn_model_create(NULL, 3, &model), CAIRN_OK);
        body.name = "floor";
        body.kind = CAIRN_FIXED;
        body.groups = k % 2 == 0 ? 1 : 2; /* a group of its own is no reason not to touch it */
        shape.normal[2] = 1;
        assert_int_equal(cairn_model_add_body(model, &body, &floor), CAIRN_OK);
        assert_int_equal(cairn_model_add_shape(model, floor, &shape, &made), CAIRN_OK);
        assert_int_equal(cairn_import_into(model, "ball.xml", NULL, NULL), CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        cairn_simulation *simulation;
        settings.step = 0.01;
        assert_int_equal(cairn_simulation_create(NULL, model, &settings, &simulation), CAIRN_OK);
        for (int i = 0; i < 10; ++i)
            assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        assert_near(cairn_simulation_body(simulation, cairn_model_find_body(model, "b")).velocity[2],
                    CASES[k].touches ? 0 : -G * 0.1, 1e-9);
        cairn_simulation_destroy(simulation);
        cairn_model_destroy(model);
    }
}

/* Boxes that slide by v = v_0 - mu g t: with the friction of the pair, of the floor, and none; the pair counts for its two geometries alone,
 * and for bits that are 0. */
static void pairs_have_a_friction_of_their_own(void **state)
{
    (void)state;
    bench b = bench_open(
        "<mujoco><default><geom type='box' size='0.1 0.1 0.05'/></default><worldbody><geom name='floor' type='plane' "
        "size='1 1 1' "
        "friction='0.5'/>"
        "<body name='a' pos='0 0 0.05'><freejoint/><geom name='ga' friction='0.2'/></body>"
        "<body name='b' pos='0 1 0.05'><freejoint/><geom friction='0.2'/></body>"
        "<body name='c' pos='0 2 0.05'><freejoint/><geom name='gc' contype='0' conaffinity='0'/></body>"
        "<body name='d' pos='0 3 0.05'><freejoint/><geom name='gd'/></body>"
        "<body name='e' pos='0 4 0.05'><freejoint/><geom contype='0' conaffinity='0'/></body></worldbody>"
        "<contact><pair geom1='floor' geom2='ga' friction='0.3'/><pair geom1='gc' geom2='floor' friction='0.7'/>"
        "<pair geom1='gd' geom2='floor' condim='1'/></contact><keyframe><key name='k' "
        "qvel='4 0 0 0 0 0 4 0 0 0 0 0 4 0 0 0 0 0 4 0 0 0 0 0 4 0 0 0 0 0'/></keyframe></mujoco>",
        "k", 0.005);
    static const char *const NAMES[] = {"a", "b", "c", "d"};
    static const double MU[] = {0.3, 0.5, 0.7, 0};
    bench_run(&b, 40);
    for (int i = 0; i < 4; ++i)
        assert_near(bench_body(&b, NAMES[i]).velocity[0], 4 - MU[i] * G * 0.2, 1e-6);
    assert_near(bench_body(&b, "e").velocity[2], -G * 0.2, 1e-9);
    bench_close(&b);
}

static void pairs_of_joined_bodies_are_noted(void **state)
{
    (void)state;
    bench b = bench_open(
        "<mujoco><worldbody><body name='a'><freejoint/><geom name='ga' size='0.1'/><body name='b' pos='0 0 1'><joint/>"
        "<geom name='gb' size='0.1'/></body></body></worldbody>"
        "<contact><pair geom1='ga' geom2='gb'/><pair geom1='ga' geom2='none'/></contact></mujoco>",
        NULL, 0.01);
    assert_int_equal(bench_notes(&b, "are joined and do not touch"), 1);
    assert_int_equal(bench_notes(&b, "geometry 'none' was left out or is not there"), 1);
    bench_close(&b);
}

/* A ray from above meets the ground at the heights of the grid: scaled to the third size, the first row at the largest y. On a square grid
 * and one that is not. */
static void heights_lie_where_they_should(void **state)
{
    (void)state;
    static const double SIZE[2][2] = {{2, 1}, {2, 3}};
    static const double HEIGHT[3][5] = {{2, 2, 4, 6, 2}, {3, 3, 3, 8, 4}, {10, 2, 2, 2, 3}};
    for (int k = 0; k < 2; ++k)
    {
        char text[1024];
        snprintf(text, sizeof text,
                 "<mujoco><asset><hfield name='h' nrow='3' ncol='5' size='%g %g 0.4 1' elevation='2 2 4 6 2 3 3 3 8 4 "
                 "10 2 2 2 3'/></asset>"
                 "<worldbody><geom type='hfield' hfield='h' pos='1 2 3'/><body name='b' pos='0 0 9'><freejoint/><geom "
                 "size='0.1'/>"
                 "</body></worldbody></mujoco>",
                 SIZE[k][0], SIZE[k][1]);
        bench b = bench_open(text, NULL, 0.01);
        cairn_query *query;
        assert_int_equal(cairn_query_create(b.context, b.model, &query), CAIRN_OK);
        assert_int_equal(cairn_query_follow(query, b.simulation), CAIRN_OK);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 5; ++j)
            {
                /* A little towards the middle along the grid's lines, where both ways to divide a cell agree. */
                double x = SIZE[k][0] * (0.5 * j - 1) * (1 - 1e-7), y = SIZE[k][1] * (1 - i) * (1 - 1e-7);
                const double from[3] = {1 + x, 2 + y, 8}, down[3] = {0, 0, -1};
                cairn_ray_hit hit;
                int count;
                assert_int_equal(cairn_query_ray(query, from, down, 20, &hit, 1, &count), CAIRN_OK);
                assert_int_equal(count, 1);
                assert_near(8 - hit.distance, 3 + 0.4 * (HEIGHT[i][j] - 2) / 8, 1e-6);
            }
        cairn_query_destroy(query);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_decide_who_touches),          cmocka_unit_test(mixed_bodies_are_noted),
        cmocka_unit_test(robots_touch_what_is_there),       cmocka_unit_test(pairs_have_a_friction_of_their_own),
        cmocka_unit_test(pairs_of_joined_bodies_are_noted), cmocka_unit_test(heights_lie_where_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
