/* How a simulation begins whose motions stay with the ranks from the start on (src/step/device/device_start.c): ranks find what overlaps. Where a plane counts bodies, process 0 does all of it by
 * itself, as the library does without ranks. What both say must be the same to the bit, overlaps, energies, findings and sentences, before the first step and after it. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "support/check.h"
#include "support/led_ranks.h"
#include "support/touching.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROWS = 7,
    LENGTH = 31,
    BALLS = ROWS * LENGTH,
    BODIES = BALLS + 3
};

/* A scene, and what process 0 says of it. */
typedef struct start
{
    double depth; /* m: some neighbours in a row overlap by that, and some by twice that */
    bool counts;  /* a plane counts bodies */
    cairn_initial initial;
    cairn_status status;
    char sentence[4096];
    cairn_body_state state[2][BODIES];
    cairn_energy energy[2];
    double penetration[2];
    int violations[2], forbidden[2];
    cairn_freedoms freedoms;
    cairn_status checked;
    int failures;
} start;

static bool is_good(start *run, cairn_context *context, cairn_status status)
{
    if (status)
        print_error("%s\n", cairn_context_last_message(context));
    run->failures += status != CAIRN_OK;
    return status == CAIRN_OK;
}

/* From 0 to 1, by place. */
static double share_of(int i)
{
    return (double)((unsigned)i * 2654435761U % 1000U) / 999.0;
}

static cairn_status add_plane(cairn_model *model, const char *name, const double normal[3], const double point[3],
                              const char *way)
{
    cairn_body_options body = cairn_body_default();
    cairn_shape_options half = cairn_shape_default(CAIRN_HALF_SPACE);
    cairn_body made;
    cairn_shape shape;
    body.name = name;
    body.kind = way ? CAIRN_DRIVEN : CAIRN_FIXED;
    body.motion_position[0] = way;
    body.orientation[0] = 0.8; /* the normal is given in this frame */
    body.orientation[1] = 0.6;
    memcpy(body.position, point, sizeof body.position);
    memcpy(half.normal, normal, sizeof half.normal);
    half.position[0] = 0.3;
    cairn_status status = cairn_model_add_body(model, &body, &made);
    return status ? status : cairn_model_add_shape(model, made, &half, &shape);
}

static cairn_status add_ball(cairn_model *model, int i, const double x[3], double radius)
{
    cairn_body_options body = cairn_body_default();
    cairn_shape_options sphere = cairn_shape_default(CAIRN_SPHERE);
    cairn_body made;
    cairn_shape shape;
    char name[32];
    snprintf(name, sizeof name, "ball%d", i);
    body.name = name;
    memcpy(body.position, x, sizeof body.position);
    body.velocity[0] = 0.01 * share_of(7 * i);
    body.angular_velocity[2] = share_of(3 * i);
    sphere.radius = radius;
    sphere.density = 2500;
    cairn_status status = cairn_model_add_body(model, &body, &made);
    return status ? status : cairn_model_add_shape(model, made, &sphere, &shape);
}

static double radius_of(int i)
{
    return 0.002 + 0.009 * share_of(i);
}

/* Rows of balls of many sizes, each from the floor upwards. */
static cairn_status add_balls(cairn_model *model, double depth)
{
    const double along[3] = {0.6, 0, 0.8};
    cairn_status status = CAIRN_OK;
    for (int row = 0; row < ROWS; ++row)
    {
        double x[3] = {0.1 * row, 0, radius_of(row * LENGTH) - 0.5 * depth};
        for (int i = row * LENGTH; i < (row + 1) * LENGTH && !status; ++i)
        {
            double next = radius_of(i) + radius_of(i + 1) - depth * (i % 3);
            status = add_ball(model, i, x, radius_of(i));
            for (int k = 0; k < 3; ++k)
                x[k] += next * along[k];
        }
    }
    return status;
}

static cairn_status build(cairn_model *model, const start *run)
{
    const double up[3] = {0, 0.96, 0.28}, aside[3] = {1, 0, 0}, away[3] = {-3, 0, 0};
    const double floor[3] = {0, 0, 0};
    cairn_statistic_options gate = cairn_statistic_default();
    cairn_statistic made;
    gate.name = "gate";
    gate.normal[0] = 1;
    cairn_status status = add_plane(model, "floor", up, floor, NULL);
    status = status ? status : add_plane(model, "wall", aside, away, "-3-0.2*t");
    status = status ? status : add_balls(model, run->depth);
    status = status ? status : add_plane(model, "roof", aside, away, NULL);
    return status || !run->counts ? status : cairn_model_add_statistic(model, &gate, &made);
}

static void tell(start *run, const cairn_simulation *simulation, int at)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    const cairn_step_report *report = cairn_simulation_report(simulation);
    for (int i = 0; i < BODIES; ++i)
        run->state[at][i] = cairn_simulation_body(simulation, cairn_model_body(model, i));
    run->energy[at] = cairn_simulation_energy(simulation);
    run->penetration[at] = report->penetration;
    run->violations[at] = report->physics.violations;
    run->forbidden[at] = report->physics.forbidden;
}

static void lead(cairn_context *context, cairn_ranks *ranks, void *data)
{
    start *run = data;
    cairn_model *model = NULL;
    cairn_simulation *simulation = NULL;
    cairn_settings settings = touching_settings();
    settings.audit = true;
    settings.initial = run->initial;
    settings.reproducible = true;
    if (is_good(run, context, cairn_context_join(context, ranks)) &&
        is_good(run, context, cairn_model_create(context, 3, &model)) && is_good(run, context, build(model, run)))
    {
        run->status = cairn_simulation_create(context, model, &settings, &simulation);
        for (int i = 0; i < cairn_context_message_count(context); ++i)
            strncat(run->sentence, cairn_context_message(context, i).text,
                    sizeof run->sentence - strlen(run->sentence) - 1);
        if (simulation)
            tell(run, simulation, 0);
        if (simulation)
            is_good(run, context, cairn_simulation_freedoms(simulation, &run->freedoms, NULL));
        if (simulation)
            run->checked = cairn_simulation_check_initial(simulation);
        if (simulation && is_good(run, context, cairn_simulation_steps(simulation, 2)))
            tell(run, simulation, 1);
    }
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
}

static start *begin(int ranks, start run)
{
    start *made = malloc(sizeof *made);
    *made = run;
    assert_int_equal(led_ranks_run(&(led_ranks){.lead = lead, .data = made}, ranks, 120), 0);
    assert_int_equal(made->failures, 0);
    return made;
}

/* All of it is the same, for any number of ranks. */
static start *compare(start run)
{
    static const int RANKS[] = {1, 2, 3, 4, 8};
    run.counts = true;
    start *here = begin(1, run);
    for (size_t i = 0; i < sizeof RANKS / sizeof RANKS[0]; ++i)
    {
        run.counts = false;
        start *there = begin(RANKS[i], run);
        there->counts = true; /* the only difference that there is to be */
        assert_string_equal(here->sentence, there->sentence);
        assert_memory_equal(here->energy, there->energy, sizeof here->energy);
        assert_memory_equal(here->state, there->state, sizeof here->state);
        assert_memory_equal(here->penetration, there->penetration, sizeof here->penetration);
        assert_int_equal(here->status, there->status);
        assert_int_equal(here->freedoms.degrees, there->freedoms.degrees);
        assert_int_equal(here->checked, there->checked);
        assert_memory_equal(here->violations, there->violations, sizeof here->violations);
        assert_memory_equal(here->forbidden, there->forbidden, sizeof here->forbidden);
        free(there);
    }
    return here;
}

static void test_balls_that_touch(void **unused)
{
    (void)unused;
    start *run = compare((start){.depth = 0});
    assert_int_equal(run->status, CAIRN_OK);
    assert_true(run->penetration[0] < 1e-15);
    assert_true(run->state[1][5].position[2] != run->state[0][5].position[2]);
    free(run);
}

/* Overlaps that nobody is told of. Which of them is the deepest is a matter of rounding. */
static void test_slight_overlaps(void **unused)
{
    (void)unused;
    for (double depth = 1e-7; depth > 1e-13; depth *= 0.37)
    {
        start *run = compare((start){.depth = depth});
        assert_int_equal(run->status, CAIRN_OK);
        assert_true(run->penetration[0] > 1.9 * depth && run->penetration[0] < 2.1 * depth);
        free(run);
    }
}

static void test_deep_overlaps_are_refused(void **unused)
{
    (void)unused;
    start *run = compare((start){.depth = 1e-4});
    assert_int_equal(run->status, CAIRN_INVALID);
    assert_non_null(strstr(run->sentence, "penetrates by"));
    free(run);
}

static void test_deep_overlaps_are_kept(void **unused)
{
    (void)unused;
    start *run = compare((start){.depth = 1e-4, .initial = CAIRN_INITIAL_KEEP});
    assert_int_equal(run->status, CAIRN_OK);
    assert_true(run->penetration[0] > 0.9e-4);
    assert_true(run->violations[0] > 0 && run->forbidden[0] == 0);
    free(run);
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_balls_that_touch), cmocka_unit_test(test_slight_overlaps),
                                       cmocka_unit_test(test_deep_overlaps_are_refused),
                                       cmocka_unit_test(test_deep_overlaps_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
