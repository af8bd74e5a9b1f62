/* The two ways in which ranks share a simulation: `reproducible`, whose bits do not depend on the number of ranks, and the faster one, whose bits do. What must hold of the
 * faster one: the same bits from the same number of ranks, those of the other from one rank, no violation of the physics, and the same statistics and certificate as the other
 * at the same sweeps. */
#include "cairn/cairn.h"

#include "support/check.h"
#include "support/shared_scene.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    WATCHDOG = 300 /* s */
};

/* A run, and means over the batches of its second half. */
typedef struct mode_run
{
    const char *scene;
    bool reproducible;
    int steps, batch;
    int bodies, moving;
    cairn_body_state *body;
    cairn_energy energy;
    double residual;     /* relative certificate */
    double overlap;      /* m: of contacts that press */
    double coordination; /* contacts that press, per body that moves */
    double height;       /* m: of the bodies' centre of mass */
    double messages;
    int samples, violations;
    atomic_int failures;
} mode_run;

static bool is_good(mode_run *run, cairn_context *context, cairn_status status)
{
    if (status)
        print_error("%s: %s\n", run->scene, cairn_context_last_message(context));
    run->failures += status != CAIRN_OK;
    return status == CAIRN_OK;
}

static void read_bodies(mode_run *run, const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    run->bodies = cairn_model_body_count(model);
    run->moving = 0;
    run->body = realloc(run->body, (size_t)run->bodies * sizeof *run->body);
    for (int i = 0; i < run->bodies; ++i)
    {
        run->body[i] = cairn_simulation_body(simulation, cairn_model_body(model, i));
        run->moving += cairn_model_body_kind(model, cairn_model_body(model, i)) == CAIRN_DYNAMIC;
    }
}

static void sample(mode_run *run, cairn_context *context, cairn_simulation *simulation)
{
    const cairn_contact *contact = NULL;
    int count = 0, pressing = 0;
    double overlap = 0, height = 0;
    if (!is_good(run, context, cairn_simulation_contacts(simulation, &contact, &count)))
        return;
    for (int i = 0; i < count; ++i)
        if (contact[i].impulse[0] > 0)
        {
            ++pressing;
            overlap += fmax(0.0, -contact[i].gap);
        }
    for (int i = 0; i < run->bodies; ++i)
        height += run->body[i].position[2] / run->bodies;
    run->residual += cairn_simulation_report(simulation)->solver.certificate.relative;
    run->overlap += pressing > 0 ? overlap / pressing : 0.0;
    run->coordination += (double)pressing / run->moving;
    run->height += height;
    ++run->samples;
}

static void take_steps(mode_run *run, cairn_context *context, cairn_simulation *simulation)
{
    for (int left = run->steps; left > 0; left -= run->batch)
    {
        if (!is_good(run, context, cairn_simulation_steps(simulation, left < run->batch ? left : run->batch)))
            return;
        read_bodies(run, simulation);
        if (2 * left <= run->steps)
            sample(run, context, simulation);
        run->violations += cairn_simulation_report(simulation)->physics.forbidden != 0;
    }
    run->energy = cairn_simulation_energy(simulation);
    run->messages = (double)cairn_simulation_ranks(simulation).messages;
    for (double *mean[] = {&run->residual, &run->overlap, &run->coordination, &run->height, NULL}, **at = mean; *at;
         ++at)
        **at /= run->samples;
}

static void adapt(cairn_settings *settings, void *data)
{
    const mode_run *run = data;
    settings->reproducible = run->reproducible;
}

static void work(cairn_context *context, cairn_simulation *simulation, void *data)
{
    mode_run *run = data;
    take_steps(run, context, simulation);
}

static void share(int ranks, mode_run *run)
{
    shared_scene scene = {.name = run->scene, .adapt = adapt, .work = work, .data = run};
    run->failures += shared_scene_run(&scene, ranks, WATCHDOG);
}

static mode_run run_on(int ranks, const char *scene, bool reproducible, int steps)
{
    mode_run run = {.scene = scene, .reproducible = reproducible, .steps = steps, .batch = 5};
    share(ranks, &run);
    assert_int_equal(run.failures, 0);
    assert_int_equal(run.violations, 0);
    assert_true(run.samples > 0);
    return run;
}

static void assert_same(const mode_run *a, const mode_run *b)
{
    assert_int_equal(a->bodies, b->bodies);
    assert_memory_equal(a->body, b->body, (size_t)a->bodies * sizeof *a->body);
    assert_memory_equal(&a->energy, &b->energy, sizeof a->energy);
}

static void check_bits(const char *scene)
{
    const int steps = IS_SANITIZED ? 30 : 90;
    mode_run alone = run_on(1, scene, false, steps), other = run_on(1, scene, true, steps);
    assert_same(&alone, &other);
    mode_run first = run_on(3, scene, false, steps), second = run_on(3, scene, false, steps);
    assert_same(&first, &second);
    for (mode_run *all[] = {&alone, &other, &first, &second, NULL}, **at = all; *at; ++at)
        free((*at)->body);
}

static void test_bits(void **unused)
{
    (void)unused;
    static const char *const SCENES[] = {"grains", "mixed", "chains", "giant", "springs"};
    for (size_t i = 0; i < sizeof SCENES / sizeof SCENES[0]; ++i)
        check_bits(SCENES[i]);
}

/* On more ranks than there is work for, too: some thirty bodies each. Runs are chaotic, so means differ by chance as well. */
static void check_statistics(const char *scene)
{
    const int ranks = 4, steps = 150;
    mode_run slow = run_on(ranks, scene, true, steps), fast = run_on(ranks, scene, false, steps);
    print_message("%s: residual %.3g %.3g, overlap %.3g %.3g m, coordination %.3f %.3f, height %.4f %.4f m, "
                  "energy %.4g %.4g J of %.3g, messages %.0f %.0f\n",
                  scene, slow.residual, fast.residual, slow.overlap, fast.overlap, slow.coordination, fast.coordination,
                  slow.height, fast.height, slow.energy.total, fast.energy.total, fast.energy.work_gravity,
                  slow.messages, fast.messages);
    assert_true(slow.coordination > 0.5);
    assert_true(fast.residual < 2 * slow.residual);
    assert_true(fast.overlap < 1.5 * slow.overlap);
    assert_near(fast.coordination, slow.coordination, 0.07 * slow.coordination);
    assert_near(fast.height, slow.height, 0.006);
    assert_near(fast.energy.total, slow.energy.total, 0.06 * fabs(slow.energy.work_gravity));
    assert_true(fast.messages < slow.messages);
    free(slow.body);
    free(fast.body);
}

static void test_statistics(void **unused)
{
    (void)unused;
    static const char *const SCENES[] = {"grains", "mixed", "drum", "chains", "giant", "avalanche"};
    for (size_t i = 0; i < (IS_SANITIZED ? 1 : sizeof SCENES / sizeof SCENES[0]); ++i)
        check_statistics(SCENES[i]);
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits), cmocka_unit_test(test_statistics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
