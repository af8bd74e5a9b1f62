/* What a body of a population costs process 0, where ranks share the simulation: bytes that its thread asks for, of which a domain is an eighth. Counted with two numbers
 * of bodies, so that what does not depend on them does not count. The pipeline, which is a library of its
 * own, is not counted. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "support/check.h"
#include "support/counted_memory.h"
#include "support/led_ranks.h"
#include "support/touching.h"

#include <stdlib.h>

/* Bytes: of the model; at most until the simulation is made; then between steps; at most while steps are taken, and while they are recorded; and while another one resumes
 * from the checkpoint. */
enum
{
    MODEL,
    START,
    BETWEEN,
    STEPS,
    FILES,
    RESUMED,
    PHASES
};

typedef struct home_run
{
    int side; /* spheres along the sides of a square */
    int contacts;
    bool audit, drives;
    bool is_two;     /* populations */
    bool are_bricks; /* boxes that do not touch each other at the start */
    bool has_box;    /* the scene is one of shapes */
    bool is_last;    /* spheres come after what is beside them, so that nobody makes them */
    long long bytes[PHASES];
    int failures;
} home_run;

enum
{
    LAYERS = 10,
    RANKS = 8
};

static bool is_good(home_run *run, cairn_context *context, cairn_status status)
{
    if (status)
        print_error("%s\n", cairn_context_last_message(context));
    run->failures += status != CAIRN_OK;
    return status == CAIRN_OK;
}

static void record(home_run *run, cairn_context *context, cairn_simulation *simulation)
{
    cairn_recorder_options options = cairn_recorder_default();
    cairn_recorder *recorder = NULL;
    options.every = 2;
    options.flush_interval = 1e-9;
    if (!is_good(run, context, cairn_recorder_create(context, "home.h5", simulation, &options, &recorder)))
        return;
    for (int i = 0; i < 2; ++i)
        if (is_good(run, context, cairn_simulation_steps(simulation, 2)))
            is_good(run, context, cairn_recorder_write(recorder));
    is_good(run, context, cairn_recorder_checkpoint(recorder, simulation, NULL, 0));
    is_good(run, context, cairn_recorder_close(recorder, "done"));
    run->contacts = cairn_simulation_report(simulation)->contacts;
}

/* Go on from the checkpoint. */
static void resume(home_run *run, cairn_context *context, const cairn_model *model, const cairn_settings *settings)
{
    cairn_simulation *simulation = NULL;
    cairn_checkpoint *checkpoint = NULL;
    if (is_good(run, context, cairn_checkpoint_open(context, "home.h5", &checkpoint)) &&
        is_good(run, context, cairn_simulation_create(context, model, settings, &simulation)) &&
        is_good(run, context, cairn_simulation_restore(simulation, cairn_checkpoint_state(checkpoint))))
    {
        cairn_checkpoint_close(checkpoint);
        checkpoint = NULL;
        is_good(run, context, cairn_simulation_steps(simulation, 2));
    }
    cairn_checkpoint_close(checkpoint);
    cairn_simulation_destroy(simulation);
}

/* A ball far away that is told how to fly: where it is does not depend on the state, and nothing per body follows from that. */
static cairn_status add_driven(cairn_model *model)
{
    cairn_body_options o = cairn_body_default();
    cairn_shape_options sphere = cairn_shape_default(CAIRN_SPHERE);
    cairn_body body;
    cairn_shape shape;
    o.name = "ball";
    o.kind = CAIRN_DRIVEN;
    o.position[2] = 5;
    o.motion_position[0] = "0.3*t";
    sphere.radius = 0.1;
    cairn_status status = cairn_model_add_body(model, &o, &body);
    return status ? status : cairn_model_add_shape(model, body, &sphere, &shape);
}

static bool add_others(home_run *run, cairn_context *context, cairn_model *model, bool are_first)
{
    return run->is_last != are_first || ((!run->drives || is_good(run, context, add_driven(model))) &&
                                         (!run->has_box || is_good(run, context, touching_add_box(model))));
}

static cairn_status add_bricks(cairn_model *model, int side, int layers)
{
    cairn_population_options o = cairn_population_default();
    cairn_shape_options brick = cairn_shape_default(CAIRN_BOX);
    int index;
    brick.size[0] = brick.size[1] = brick.size[2] = 0.01;
    o.name = "brick";
    o.shapes = &brick;
    o.shape_count = 1;
    o.count = side * side * layers;
    o.density = 2500;
    o.packing = CAIRN_PACKING_LATTICE;
    o.region.size[0] = o.region.size[1] = 0.0176 * side;
    o.region.size[2] = 0.0176 * layers;
    return cairn_model_add_population(model, &o, &index);
}

static cairn_status build(const home_run *run, cairn_model *model)
{
    return run->are_bricks ? add_bricks(model, run->side, LAYERS)
           : run->is_two   ? touching_build_two(model, run->side, LAYERS)
                           : touching_build(model, run->side, LAYERS);
}

static void lead(cairn_context *context, cairn_ranks *ranks, void *data)
{
    home_run *run = data;
    cairn_model *model = NULL;
    cairn_simulation *simulation = NULL;
    cairn_settings settings = touching_settings();
    long long before = counted_bytes();
    settings.audit = run->audit;
    settings.audit_every = 1;
    if (is_good(run, context, cairn_context_join(context, ranks)) &&
        is_good(run, context, cairn_model_create(context, 3, &model)) && add_others(run, context, model, true) &&
        is_good(run, context, build(run, model)) && add_others(run, context, model, false))
    {
        run->bytes[MODEL] = counted_bytes() - before;
        counted_begin();
        if (is_good(run, context, cairn_simulation_create(context, model, &settings, &simulation)))
        {
            run->bytes[START] = counted_peak() - before;
            is_good(run, context, cairn_simulation_steps(simulation, 1));
            counted_begin();
            is_good(run, context, cairn_simulation_steps(simulation, 2));
            run->bytes[STEPS] = counted_peak() - before;
            run->bytes[BETWEEN] = counted_bytes() - before;
            counted_begin();
            record(run, context, simulation);
            run->bytes[FILES] = counted_peak() - before;
        }
        cairn_simulation_destroy(simulation);
        counted_begin();
        resume(run, context, model, &settings);
        run->bytes[RESUMED] = counted_peak() - before;
    }
    cairn_model_destroy(model);
}

static home_run run_with(int side, home_run run)
{
    run.side = side;
    assert_int_equal(led_ranks_run(&(led_ranks){.lead = lead, .data = &run}, RANKS, 300), 0);
    assert_int_equal(run.failures, 0);
    assert_true(run.are_bricks || run.contacts > 2 * side * side * LAYERS);
    return run;
}

/* The budget of docs/cluster.md, per body, with three contacts each. */
static void check_budget(home_run how, int least_side, int most_side, const double most[PHASES])
{
    static const char *const NAMES[PHASES] = {
        "of the model", "at the start", "between steps", "in steps", "in steps that are recorded", "while it resumes"};
    if (IS_SANITIZED)
    {
        run_with(16, how); /* for its own faults; bytes are those of the other build */
        return;
    }
    home_run few = run_with(least_side, how),
             many = run_with(most_side, how); /* more than process 0 is told of at a time */
    double bodies = (many.side * many.side - few.side * few.side) * LAYERS;
    for (int i = 0; i < PHASES; ++i)
    {
        double bytes = (double)(many.bytes[i] - few.bytes[i]) / bodies;
        print_message("    %.0f bytes per body %s\n", bytes, NAMES[i]);
        assert_true(bytes > 0 && bytes < most[i]);
    }
}

static void test_bytes_of_process_0(void **unused)
{
    (void)unused;
    check_budget((home_run){0}, 64, 96, (const double[PHASES]){1, 170, 140, 170, 290, 340});
}

static void test_bytes_of_two_populations(void **unused)
{
    (void)unused;
    check_budget((home_run){.is_two = true}, 64, 96, (const double[PHASES]){1, 170, 140, 170, 290, 340});
}

static void test_bytes_beside_a_driven_body(void **unused)
{
    (void)unused;
    check_budget((home_run){.drives = true}, 64, 96, (const double[PHASES]){140, 360, 340, 370, 470, 540});
}

/* Where a step is audited, each rank looks at its own bodies and contacts, and process 0 has an eighth of what that takes. */
static void test_bytes_of_the_audit(void **unused)
{
    (void)unused;
    check_budget((home_run){.audit = true}, 48, 64, (const double[PHASES]){1, 170, 200, 380, 200, 250});
}

/* The same in a scene of shapes. */
static void test_bytes_of_the_audit_of_shapes(void **unused)
{
    (void)unused;
    check_budget((home_run){.audit = true, .has_box = true}, 48, 64,
                 (const double[PHASES]){140, 1100, 600, 930, 560, 1040});
}

/* The same where they come after the box and the ball: process 0 does without them in a scene of shapes, too. */
static void test_bytes_among_shapes(void **unused)
{
    (void)unused;
    check_budget((home_run){.has_box = true, .drives = true, .is_last = true}, 48, 64,
                 (const double[PHASES]){1, 370, 140, 210, 230, 1040});
    check_budget((home_run){.has_box = true, .drives = true, .is_last = true, .audit = true}, 48, 64,
                 (const double[PHASES]){1, 370, 250, 580, 230, 1040});
}

/* Boxes of a population, which nobody makes. */
static void test_bytes_of_bricks(void **unused)
{
    (void)unused;
    check_budget((home_run){.are_bricks = true, .drives = true, .is_last = true}, 48, 64,
                 (const double[PHASES]){1, 370, 140, 210, 80, 1200});
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes_of_process_0),
                                       cmocka_unit_test(test_bytes_of_two_populations),
                                       cmocka_unit_test(test_bytes_beside_a_driven_body),
                                       cmocka_unit_test(test_bytes_of_the_audit),
                                       cmocka_unit_test(test_bytes_of_the_audit_of_shapes),
                                       cmocka_unit_test(test_bytes_among_shapes),
                                       cmocka_unit_test(test_bytes_of_bricks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
