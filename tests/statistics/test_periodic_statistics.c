/* Statistics in a periodic box, where a grain is wherever one of its images is: a lattice that fills the box, its grains moved by whole
 * boxes; impacts across the border, whose impulse and branch are known; a flow that goes round and round. */
#include "support/check.h"
#include "support/grains.h"

#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void set_box(world *w, double x, double y, double z)
{
    assert_int_equal(cairn_model_set_periodic(w->model, (double[3]){x, y, z}, 0), CAIRN_OK);
    cairn_model_set_gravity(w->model, (double[3]){0});
}

/* 4 x 4 x 4 balls that touch each other, the k-th one some boxes away. */
static void test_lattice(void **state)
{
    (void)state;
    for (int n = 2; n <= 3; ++n)
    {
        world w = world_new(n);
        set_box(&w, 4, 4, n == 3 ? 4 : 0);
        for (int i = 0; i < (n == 3 ? 64 : 16); ++i)
        {
            double x[3] = {i % 4 + 4 * (i % 3 - 1), i / 4 % 4 + 8 * (i % 2), n == 3 ? i / 16 - 12 * (i % 5 == 0) : 0};
            add_grain(&w, x, 0.5 * (1 - 1e-12));
        }
        turned still = turn_by(n, 0);
        cairn_region whole = box_region(&still, (double[3]){7.3, -2.1, n == 3 ? 0.4 : 0}, 4, 4, n == 3 ? 4 : 0);
        cairn_region part = box_region(&still, (double[3]){1.97, 0.2, n == 3 ? -1.3 : 0}, 2, 3, n == 3 ? 1 : 0);
        add_region(&w, "whole", &whole);
        add_region(&w, "part", &part);
        cairn_settings settings = cairn_settings_default();
        world_start(&w, &settings);
        assert_near(read_number(&w, "whole.bodies"), n == 3 ? 64 : 16, 0);
        assert_near(read_number(&w, "whole.fraction"), n == 3 ? PI / 6 : PI / 4, 1e-9);
        assert_near(read_number(&w, "part.fraction"), n == 3 ? PI / 6 : PI / 4, 1e-9);
        assert_near(read_number(&w, "part.bodies"), 6, 0);
        assert_near(read_number(&w, "whole.touching"), 2 * n, 1e-12);
        assert_near(read_number(&w, "grains.touching"), 2 * n, 1e-12);
        world_free(&w);
    }
}

/* Two equal balls meet head on across the border and stop: J = m v, and the virial is J/h times the distance of their centres, wherever
 * their images are. In the half of the box that holds the contact, it is the same; in the other half nothing. */
static void check_impact(int away, double step)
{
    const double r = 0.3, v = 1, L = 5, gap = 0.4 * step, m = 4 * PI / 3 * r * r * r;
    world w = world_new(3);
    set_box(&w, L, 0, 0);
    const double at[2][3] = {{-2.5 + r + gap, 0, 0}, {2.5 - r - gap, 0, 0}};
    for (int k = 0; k < 2; ++k)
    {
        double x[3] = {at[k][0] + (k == 0 ? 0 : away * L), 0, 0};
        cairn_body body = add_grain(&w, x, r);
        set_motion(&w, body, x, (double[3]){k == 0 ? -v : v, 0, 0}, (double[3]){0});
    }
    cairn_region border = {.centre = {2.5}, .size = {2.5, 2, 2}}, middle = {.size = {2.5, 2, 2}};
    add_region(&w, "border", &border);
    add_region(&w, "middle", &middle);
    cairn_settings settings = cairn_settings_default();
    settings.step = step;
    world_start(&w, &settings);
    world_step(&w);
    /* first-order steps slow down just so far that the gap closes: J = m (v - gap/h) */
    double expected = m * (v - gap / step) / step * 2 * r;
    assert_near(read_number(&w, "grains.virial.xx"), expected, 2 * (v * step / r) * expected);
    assert_near(read_number(&w, "border.virial.xx"), read_number(&w, "grains.virial.xx"), 1e-9 * expected);
    assert_near(read_number(&w, "border.stress.xx"), read_number(&w, "grains.virial.xx") / 10, 1e-9 * expected);
    assert_near(read_number(&w, "middle.virial.xx"), 0, 0);
    assert_near(read_number(&w, "border.contacts"), 1, 0);
    assert_near(read_number(&w, "middle.contacts"), 0, 0);
    assert_near(read_number(&w, "border.coordination"), 1, 0);
    world_free(&w);
}

static void test_impact(void **state)
{
    (void)state;
    for (int away = -2; away <= 2; ++away)
    {
        check_impact(away, 0.01);
        check_impact(away, 0.0013);
    }
}

/* A grain that goes round passes the plane once per round. */
static void test_rounds(void **state)
{
    (void)state;
    world w = world_new(2);
    set_box(&w, 3, 0, 0);
    double start[3] = {0.1071, 0, 0};
    set_motion(&w, add_grain(&w, start, 0.2), start, (double[3]){2, 0, 0}, (double[3]){0});
    cairn_statistic made;
    cairn_statistic_options options = cairn_statistic_default();
    options.name = "gate";
    options.point[0] = 1;
    options.normal[0] = 1;
    assert_int_equal(cairn_model_add_statistic(w.model, &options, &made), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.023;
    world_start(&w, &settings);
    for (int i = 0; i < 400; ++i)
    {
        world_step(&w);
        double x = 0.1071 + 2 * cairn_simulation_time(w.simulation);
        assert_near(read_number(&w, "gate.passed_bodies"), x < 1 ? 0 : floor((x - 1) / 3) + 1, 0);
    }
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lattice), cmocka_unit_test(test_impact),
                                       cmocka_unit_test(test_rounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
