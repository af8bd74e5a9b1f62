/* Disturbed structures come to rest where they can stand, and only there. */
#include "support/builder.h"
#include "support/check.h"
#include "support/heap.h"

#include <string.h>

static const double G = 9.81;
static const double STEP = 0.005;

static cairn_settings settings_of(void)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = STEP;
    return settings;
}

/* Rows of boxes of size 0.2, each row one shorter than the row below, `lift` above the ground; a ball that flies at `speed` against them
 * unless it is 0. */
static world pyramid(int rows, double lift, double speed)
{
    world w = {.context = cairn_context_create()};
    builder b = builder_open(w.context, 3, 0.5, 1);
    builder_ground(&b);
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < rows - row; ++i)
        {
            builder_pose pose = builder_at(0.22 * (i + 0.5 * row), 0, lift + 0.1 + 0.2 * row);
            pose.density = 1000;
            builder_box(&b, &pose, 0.2, 0.2, 0.2);
        }
    builder_pose ball = builder_at(0.9, -0.5, 0.7);
    ball.density = 1000;
    ball.velocity[1] = speed;
    if (speed > 0)
        builder_ball(&b, &ball, 0.1);
    assert_int_equal(b.status, CAIRN_OK);
    w.model = b.model;
    cairn_settings settings = settings_of();
    world_start(&w, &settings);
    return w;
}

/* m/s: the fastest of the first `count` bodies. */
static double fastest(const world *w, int count)
{
    double speed = 0;
    for (int i = 0; i < count; ++i)
    {
        cairn_body_state s = cairn_simulation_body(w->simulation, cairn_model_body(world_model(w), i));
        for (int k = 0; k < 3; ++k)
            speed = fmax(speed, fmax(fabs(s.velocity[k]), 0.1 * fabs(s.angular_velocity[k])));
    }
    return speed;
}

static void assert_no_violation(const world *w)
{
    assert_int_equal(cairn_simulation_report(w->simulation)->physics.violations, 0);
}

/* Step until nothing moves at all. The step that stops it says what was lost. Returns the time. */
static double stop(world *w, int count, double until)
{
    double before = fastest(w, count);
    while (cairn_simulation_time(w->simulation) < until && before > 0)
    {
        heap_run(w, 1);
        assert_no_violation(w);
        double now = fastest(w, count);
        const cairn_step_report *report = cairn_simulation_report(w->simulation);
        if (now == 0)
            assert_true(report->solver.certificate.dynamics >= 0.5 * before);
        before = now;
    }
    if (before > 0)
        fail_msg("still moving at %g m/s after %g s", before, until);
    return cairn_simulation_time(w->simulation);
}

/* What the ground carries is the weight. */
static void assert_weight(const world *w, double weight)
{
    double carried = 0;
    cairn_body ground = cairn_model_body(world_model(w), 0);
    for (int j = 0; j < cairn_simulation_contact_count(w->simulation); ++j)
    {
        cairn_contact c = cairn_simulation_contact(w->simulation, j);
        double sign = c.b.id == ground.id ? 1.0 : c.a.id == ground.id ? -1.0 : 0.0;
        carried +=
            sign * (c.impulse[0] * c.normal[2] + c.impulse[1] * c.tangent[0][2] + c.impulse[2] * c.tangent[1][2]);
    }
    assert_near(carried / STEP, weight, 1e-4 * weight);
}

static void dropped_pyramids_come_to_rest(void **state)
{
    (void)state;
    for (int rows = 8; rows <= 12; rows += 2)
    {
        int boxes = rows * (rows + 1) / 2;
        world w = pyramid(rows, 0.01, 0);
        heap_run(&w, 20);
        assert_true(fastest(&w, boxes + 1) > 0);
        double t = stop(&w, boxes + 1, 3);
        print_message("    %d boxes rest after %g s\n", boxes, t);
        heap_run(&w, 100);
        assert_near(fastest(&w, boxes + 1), 0, 0);
        assert_weight(&w, 8.0 * G * boxes);
        for (int i = 0; i < boxes; ++i) /* it has fallen by 0.01, and is where it was apart from that */
            assert_true(cairn_simulation_body(w.simulation, cairn_model_body(world_model(&w), i + 1)).position[2] >
                        0.0995);
        world_free(&w);
    }
}

static void a_pyramid_that_is_hit_comes_to_rest(void **state)
{
    (void)state;
    world w = pyramid(10, 0, 3);
    heap_run(&w, 40);
    assert_true(fastest(&w, 56) > 1e-3);
    print_message("    rests after %g s\n", stop(&w, 56, 6));
    world_free(&w);
}

/* A row of blocks on a plane that is tilted just before the structure is looked at: it slides with g (sin - mu cos), slow at first. */
static void what_slides_is_not_stopped(void **state)
{
    (void)state;
    const double frictions[] = {0.5, 0.3, 0};
    for (int i = 0; i < 3; ++i)
    {
        cairn_settings settings = settings_of();
        world w = heap_row(10, frictions[i], NULL);
        world_start(&w, &settings);
        heap_run(&w, 126);
        double angle = atan(frictions[i] + 0.02), g[3] = {-G * sin(angle), 0, -G * cos(angle)};
        double a = G * (sin(angle) - frictions[i] * cos(angle));
        assert_int_equal(cairn_simulation_set_gravity(w.simulation, g), CAIRN_OK);
        heap_run(&w, 8);
        assert_near(world_body(&w, "block0").velocity[0], -8 * STEP * a, 0.05 * 8 * STEP * a);
        heap_run(&w, 60);
        assert_near(world_body(&w, "block0").velocity[0], -68 * STEP * a, 0.02 * 68 * STEP * a);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dropped_pyramids_come_to_rest),
        cmocka_unit_test(a_pyramid_that_is_hit_comes_to_rest),
        cmocka_unit_test(what_slides_is_not_stopped),
    };
    return cmocka_run_group_tests_name("structures that settle", tests, NULL, NULL);
}
