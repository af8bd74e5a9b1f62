/* Structures of any size are loaded once, exactly, and then stand to the last bit; disturbed ones come to rest. */
#include "support/builder.h"
#include "support/check.h"
#include "support/heap.h"

#include <string.h>

static const double G = 9.81;
static const double STEP = 0.005;
static const double SIZE = 0.2; /* m */
static const double MASS = 8;   /* kg, of a cube */

/* Ground, and rows of cubes `lift` above it: `count` in the lowest row, and in each further one `fewer` less than below. */
static builder rows_of_cubes(int rows, int count, int fewer, double lift)
{
    builder b = builder_open(cairn_context_create(), 3, 0.5, 1);
    builder_ground(&b);
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < count - fewer * row; ++i)
        {
            double shift = fewer > 0 ? 0.5 * row : 0.25 * (row % 2);
            builder_pose pose = builder_at(1.1 * SIZE * (i + shift), 0, lift + SIZE * (row + 0.5));
            pose.density = MASS / (SIZE * SIZE * SIZE);
            builder_box(&b, &pose, SIZE, SIZE, SIZE);
        }
    return b;
}

static world start(const builder *b, cairn_accuracy accuracy)
{
    assert_int_equal(b->status, CAIRN_OK);
    world w = {.context = b->context, .model = b->model};
    cairn_settings settings = cairn_settings_default();
    settings.step = STEP;
    settings.accuracy = accuracy;
    world_start(&w, &settings);
    return w;
}

static world pyramid(int rows, double lift, cairn_accuracy accuracy)
{
    builder b = rows_of_cubes(rows, rows, 1, lift);
    return start(&b, accuracy);
}

/* m: the largest coordinate by which a body is elsewhere than `before`, which then becomes where it is. */
static double moved(const world *w, double (*before)[3])
{
    double most = 0;
    for (int i = 0; i < cairn_model_body_count(world_model(w)); ++i)
    {
        cairn_body_state s = cairn_simulation_body(w->simulation, cairn_model_body(world_model(w), i));
        for (int k = 0; k < 3; ++k)
            most = fmax(most, fabs(s.position[k] - before[i][k]));
        memcpy(before[i], s.position, sizeof before[i]);
    }
    return most;
}

/* What the ground carries is the weight. */
static void assert_weight(const world *w)
{
    double carried = 0, weight = MASS * G * (cairn_model_body_count(world_model(w)) - 1);
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

/* Nothing moves by a bit in `steps` steps, none of which takes a sweep. */
static void assert_rests(const world *w, int steps)
{
    double(*before)[3] = calloc((size_t)cairn_model_body_count(world_model(w)), sizeof *before);
    assert_non_null(before);
    moved(w, before);
    for (int i = 0; i < steps; ++i)
    {
        heap_run((world *)w, 1);
        assert_string_equal(cairn_simulation_report(w->simulation)->solver.method, "rest");
    }
    assert_near(moved(w, before), 0, 0);
    free(before);
    assert_weight(w);
}

static void large_pyramids_are_loaded_exactly(void **state)
{
    (void)state;
    const cairn_accuracy accuracies[] = {CAIRN_ACCURACY_BALANCED, CAIRN_ACCURACY_FAST};
    int rows = TAKES_ALL ? 50 : 16;
    for (int i = 0; i < 2; ++i)
    {
        world w = pyramid(rows, 0, accuracies[i]);
        heap_run(&w, 1);
        const cairn_solver_report *report = &cairn_simulation_report(w.simulation)->solver;
        assert_int_equal(cairn_simulation_contact_count(w.simulation), 4 * rows * rows);
        assert_int_equal(report->outcome, CAIRN_SOLVED);
        assert_string_equal(report->method, "interior-point");
        assert_rests(&w, 100);
        world_free(&w);
    }
}

/* Thin factors are made before thousands of sweeps, however many contacts there are. */
static void factors_of_structures_come_first(void **state)
{
    (void)state;
    world w = pyramid(TAKES_ALL ? 46 : 16, 0, CAIRN_ACCURACY_EXACT);
    heap_run(&w, 1);
    const cairn_solver_report *report = &cairn_simulation_report(w.simulation)->solver;
    assert_true(!TAKES_ALL || cairn_simulation_contact_count(w.simulation) > 8000);
    assert_int_equal(report->outcome, CAIRN_SOLVED);
    assert_string_equal(report->method, "interior-point");
    assert_true(report->iterations < 1500); /* those of the compact view among them */
    world_free(&w);
}

/* Let a structure fall by a centimetre. It stops within `until` s, less than half a millimetre below where it has to land. */
static void assert_stops(world *w, double until)
{
    int count = cairn_model_body_count(world_model(w));
    double(*before)[3] = calloc((size_t)count, sizeof *before), step;
    assert_non_null(before);
    moved(w, before);
    do
    {
        heap_run(w, 1);
        step = moved(w, before);
        assert_int_equal(cairn_simulation_report(w->simulation)->physics.violations, 0);
    } while (step > 0 && cairn_simulation_time(w->simulation) < until);
    assert_near(step, 0, 0);
    for (int i = 1; i < count; ++i)
    {
        double row = floor(before[i][2] / SIZE);
        assert_near(before[i][2], SIZE * (row + 0.5), 5e-3 * SIZE * (row + 1));
    }
    free(before);
    assert_rests(w, 40);
}

static void dropped_structures_come_to_rest(void **state)
{
    (void)state;
    world w = pyramid(TAKES_ALL ? 46 : 14, 0.01, CAIRN_ACCURACY_BALANCED);
    assert_stops(&w, 3);
    world_free(&w);
    builder wall = rows_of_cubes(TAKES_ALL ? 40 : 12, 8, 0, 0.01);
    w = start(&wall, CAIRN_ACCURACY_BALANCED);
    assert_stops(&w, 3);
    world_free(&w);
}

/* Slow as a structure that is stopped, but a ball: it rolls on with its speed. */
static void balls_on_structures_roll_on(void **state)
{
    (void)state;
    double radius = 0.05, speed = 0.4 * 0.5 * G * STEP;
    builder b = rows_of_cubes(4, 8, 0, 0);
    builder_pose pose = builder_at(1.1 * SIZE * 4.25, 0, 4 * SIZE + radius);
    pose.density = 1000;
    pose.velocity[0] = speed;
    pose.spin[1] = speed / radius;
    cairn_body ball = builder_ball(&b, &pose, radius);
    world w = start(&b, CAIRN_ACCURACY_BALANCED);
    heap_run(&w, 100);
    assert_near(cairn_simulation_body(w.simulation, ball).velocity[0], speed, 0.02 * speed);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_pyramids_are_loaded_exactly),
        cmocka_unit_test(factors_of_structures_come_first),
        cmocka_unit_test(dropped_structures_come_to_rest),
        cmocka_unit_test(balls_on_structures_roll_on),
    };
    return cmocka_run_group_tests_name("large structures", tests, NULL, NULL);
}
