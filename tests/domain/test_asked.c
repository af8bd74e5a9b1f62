/* What process 0 says about bodies that ranks move, when somebody asks: arrays of all bodies and states of single ones agree, with each other and with what a driven
 * body is told to do. Between steps it has neither poses nor the arrays of a step (src/step/poses.c, trial.c). */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "support/check.h"
#include "support/led_ranks.h"
#include "support/touching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SPEED = 0.3, SPIN = 2.0; /* m/s, rad/s: of the driven ball */

typedef struct asked
{
    cairn_initial initial;
    int failures;
} asked;

static void expect(asked *run, bool good, const char *what)
{
    if (!good)
        print_error("%s\n", what);
    run->failures += !good;
}

static bool is_good(asked *run, cairn_context *context, cairn_status status)
{
    expect(run, status == CAIRN_OK, status ? cairn_context_last_message(context) : "");
    return status == CAIRN_OK;
}

/* A ball that flies and turns far away from the grains. */
static cairn_status add_driven(cairn_model *model, cairn_body *ball)
{
    cairn_body_options o = cairn_body_default();
    cairn_shape_options sphere = cairn_shape_default(CAIRN_SPHERE);
    cairn_shape shape;
    o.name = "ball";
    o.kind = CAIRN_DRIVEN;
    o.position[2] = 5;
    o.motion_position[0] = "0.3*t";
    o.motion_angle = "2*t";
    o.motion_axis[2] = 1;
    sphere.radius = 0.1;
    cairn_status status = cairn_model_add_body(model, &o, ball);
    return status ? status : cairn_model_add_shape(model, *ball, &sphere, &shape);
}

/* R of a unit quaternion, written out. */
static void matrix_of(const double q[4], double R[9])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double out[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                           2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                           2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, out, sizeof out);
}

static bool is_near(const double *a, const double *b, int count, double tolerance)
{
    for (int i = 0; i < count; ++i)
        if (!(fabs(a[i] - b[i]) <= tolerance))
            return false;
    return true;
}

/* The arrays against single states. */
static void compare(asked *run, cairn_context *context, cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    int x_stride, R_stride, v_stride, bodies = cairn_model_body_count(model);
    const double *x = cairn_simulation_positions(simulation, &x_stride), *v = NULL;
    const double *R = cairn_simulation_rotations(simulation, &R_stride);
    if (!is_good(run, context, cairn_simulation_velocities(simulation, &v, &v_stride)))
        return;
    expect(run, x && R && v, "an array is not there");
    for (int i = 0; x && R && i < bodies; ++i)
    {
        cairn_body_state state = cairn_simulation_body(simulation, cairn_model_body(model, i));
        double turned[9];
        matrix_of(state.orientation, turned);
        expect(run, is_near(x + i * x_stride, state.position, 3, 0), "a position differs");
        expect(run, is_near(R + i * R_stride, turned, 9, 1e-14), "a rotation differs");
        expect(run, is_near(v + i * v_stride, state.velocity, 3, 0), "a velocity differs");
        expect(run, is_near(v + i * v_stride + 3, state.angular_velocity, 3, 0), "an angular velocity differs");
    }
}

/* The driven ball against its motion. */
static void follow(asked *run, const cairn_simulation *simulation, cairn_body ball)
{
    double t = cairn_simulation_time(simulation);
    cairn_body_state state = cairn_simulation_body(simulation, ball);
    const double place[3] = {SPEED * t, 0, 5}, velocity[3] = {SPEED, 0, 0}, spin[3] = {0, 0, SPIN};
    const double turn[4] = {cos(0.5 * SPIN * t), 0, 0, sin(0.5 * SPIN * t)};
    expect(run, is_near(state.position, place, 3, 1e-12), "the ball is elsewhere");
    expect(run, is_near(state.orientation, turn, 4, 1e-12), "the ball is turned otherwise");
    expect(run, is_near(state.velocity, velocity, 3, 1e-9), "the ball flies otherwise");
    expect(run, is_near(state.angular_velocity, spin, 3, 1e-9), "the ball turns otherwise");
}

static cairn_status build(cairn_model *model, cairn_body *ball)
{
    const int side = 6, layers = 8; /* more bodies than are few (src/step/account/account.h) */
    cairn_status status = touching_build(model, side, layers);
    return status ? status : add_driven(model, ball);
}

static void lead(cairn_context *context, cairn_ranks *ranks, void *data)
{
    asked *run = data;
    cairn_model *model = NULL;
    cairn_simulation *simulation = NULL;
    cairn_settings settings = touching_settings();
    cairn_body ball;
    settings.initial = run->initial;
    if (is_good(run, context, cairn_context_join(context, ranks)) &&
        is_good(run, context, cairn_model_create(context, 3, &model)) && is_good(run, context, build(model, &ball)) &&
        is_good(run, context, cairn_simulation_create(context, model, &settings, &simulation)))
    {
        for (int i = 0; i < 4; ++i)
        {
            compare(run, context, simulation);
            follow(run, simulation, ball);
            is_good(run, context, cairn_simulation_steps(simulation, 3));
            follow(run, simulation, ball); /* nobody has asked for all yet */
        }
    }
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
}

static void test_arrays_on_request(void **unused)
{
    (void)unused;
    for (int ranks = 1; ranks <= 3; ++ranks)
    {
        asked run = {.initial = CAIRN_INITIAL_REFUSE};
        assert_int_equal(led_ranks_run(&(led_ranks){.lead = lead, .data = &run}, ranks, 120), 0);
        assert_int_equal(run.failures, 0);
    }
}

/* An initial state is projected in arrays that are let go before the first step. */
static void test_a_projected_start(void **unused)
{
    (void)unused;
    asked run = {.initial = CAIRN_INITIAL_PROJECT};
    assert_int_equal(led_ranks_run(&(led_ranks){.lead = lead, .data = &run}, 2, 120), 0);
    assert_int_equal(run.failures, 0);
}

/* One of many grains is faster than any number: it is named, whichever rank has it. */
static void lead_lost(cairn_context *context, cairn_ranks *ranks, void *data)
{
    asked *run = data;
    cairn_model *model = NULL;
    cairn_simulation *simulation = NULL;
    cairn_settings settings = touching_settings();
    cairn_body_options o = cairn_body_default();
    cairn_shape_options sphere = cairn_shape_default(CAIRN_SPHERE);
    cairn_body stone;
    cairn_shape shape;
    o.name = "stone";
    o.position[2] = 5;
    o.velocity[2] = 2e30;
    sphere.radius = 0.1;
    sphere.density = 1000;
    if (is_good(run, context, cairn_context_join(context, ranks)) &&
        is_good(run, context, cairn_model_create(context, 3, &model)) &&
        is_good(run, context, touching_build(model, 6, 4)) &&
        is_good(run, context, cairn_model_add_body(model, &o, &stone)) &&
        is_good(run, context, cairn_model_add_shape(model, stone, &sphere, &shape)) &&
        is_good(run, context, cairn_simulation_create(context, model, &settings, &simulation)))
    {
        expect(run, cairn_simulation_steps(simulation, 3) == CAIRN_NUMERIC, "a body is lost, and nothing is said");
        const char *text = cairn_context_last_message(context);
        expect(run, strstr(text, "body 'stone' is no longer at any place") != NULL, text);
        cairn_context_clear(context);
    }
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
}

static void test_lost_bodies_are_named(void **unused)
{
    (void)unused;
    for (int ranks = 1; ranks <= 3; ++ranks)
    {
        asked run = {.failures = 0};
        assert_int_equal(led_ranks_run(&(led_ranks){.lead = lead_lost, .data = &run}, ranks, 120), 0);
        assert_int_equal(run.failures, 0);
    }
}

static struct
{
    const void *(*gather)(void *context, const void *mine, size_t bytes, size_t *all_bytes);
    int count;
} counted;

static const void *count_gather(void *context, const void *mine, size_t bytes, size_t *all_bytes)
{
    ++counted.count;
    return counted.gather(context, mine, bytes, all_bytes);
}

/* One of every few bodies is read by parts, not by a message each, whatever window the steps have left; single ones here and there are read alone. */
static void lead_some(cairn_context *context, cairn_ranks *ranks, void *data)
{
    asked *run = data;
    cairn_model *model = NULL;
    cairn_simulation *simulation = NULL;
    cairn_settings settings = touching_settings();
    counted.gather = ranks->gather;
    ranks->gather = count_gather;
    if (is_good(run, context, cairn_context_join(context, ranks)) &&
        is_good(run, context, cairn_model_create(context, 3, &model)) &&
        is_good(run, context, touching_build(model, 20, 30)) &&
        is_good(run, context, cairn_simulation_create(context, model, &settings, &simulation)))
    {
        int bodies = cairn_model_body_count(model), first = 5, before;
        cairn_body_state some[200];
        is_good(run, context, cairn_simulation_steps(simulation, 3));
        before = counted.count;
        for (int i = 0; i < 200; ++i)
            some[i] = cairn_simulation_body(simulation, cairn_model_body(model, first + 7 * i));
        expect(run, first + 7 * 199 < bodies, "there are too few bodies");
        expect(run, counted.count - before <= 20, "one of every few is read alone");
        for (int i = 0; i < 20; ++i)
        {
            cairn_body_state again =
                cairn_simulation_body(simulation, cairn_model_body(model, first + 7 * ((67 * i) % 200)));
            expect(run, is_near(again.position, some[(67 * i) % 200].position, 3, 0), "a position differs");
        }
    }
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    ranks->gather = counted.gather;
}

static void test_some_bodies(void **unused)
{
    (void)unused;
    asked run = {.failures = 0};
    assert_int_equal(led_ranks_run(&(led_ranks){.lead = lead_some, .data = &run}, 3, 120), 0);
    assert_int_equal(run.failures, 0);
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays_on_request), cmocka_unit_test(test_a_projected_start),
        cmocka_unit_test(test_lost_bodies_are_named), cmocka_unit_test(test_some_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
