/* Motions that stay with the ranks (src/step/device/device_away.c). A plane that counts bodies changes nothing in how they move, but where there is one process 0 keeps all motions: what
 * it says must be the same to the bit with and without, whoever is asked for, in whatever order. And a batch that is of no use leaves everybody where he was. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "support/check.h"
#include "support/led_ranks.h"
#include "support/touching.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 6,
    LAYERS = 8,
    BODIES = SIDE * SIDE * LAYERS,
    BATCHES = 4
};

/* What process 0 says after each batch. */
typedef struct told
{
    cairn_body_state state[BATCHES][BODIES];
    cairn_energy energy[BATCHES];
    double reports[BATCHES][3];
    int violations;
} told;

typedef struct away
{
    bool counts, audit; /* a plane counts bodies; steps are audited */
    bool fails;
    told *out;
    int failures;
} away;

static void expect(away *run, bool good, const char *what)
{
    if (!good)
        print_error("%s\n", what);
    run->failures += !good;
}

static bool is_good(away *run, cairn_context *context, cairn_status status)
{
    expect(run, status == CAIRN_OK, status ? cairn_context_last_message(context) : "");
    return status == CAIRN_OK;
}

/* The floor is body 0, the grains follow it. One after the other, or every 7th around and around. */
static void read_states(const cairn_simulation *simulation, int batch, cairn_body_state *out)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    for (int i = 0; i < BODIES; ++i)
    {
        int grain = batch % 2 == 0 ? i : 7 * i % BODIES;
        out[grain] = cairn_simulation_body(simulation, cairn_model_body(model, 1 + grain));
    }
}

static void tell(cairn_simulation *simulation, int batch, told *out)
{
    const cairn_step_report *report = cairn_simulation_report(simulation);
    read_states(simulation, batch, out->state[batch]);
    out->energy[batch] = cairn_simulation_energy(simulation);
    out->reports[batch][0] = report->solver.certificate.natural_map;
    out->reports[batch][1] = report->penetration;
    out->reports[batch][2] = report->contacts;
    out->violations += report->physics.violations;
}

static cairn_status build(cairn_model *model, bool counts)
{
    const double aslant[3] = {3, 1, -9.81};
    cairn_statistic_options gate = cairn_statistic_default();
    cairn_statistic made;
    gate.name = "gate";
    gate.normal[0] = 1;
    gate.point[0] = 0.001;
    cairn_status status = touching_build(model, SIDE, LAYERS);
    status = status ? status : cairn_model_set_gravity(model, aslant);
    return status || !counts ? status : cairn_model_add_statistic(model, &gate, &made);
}

/* Gravity so large that places are no numbers: the batch fails, and nothing has happened. */
static void overshoot(away *run, cairn_context *context, cairn_simulation *simulation)
{
    const double huge[3] = {0, 0, 1e200}, usual[3] = {3, 1, -9.81};
    cairn_body_state *before = calloc(BODIES, sizeof *before), *after = calloc(BODIES, sizeof *after);
    double t = cairn_simulation_time(simulation);
    read_states(simulation, 0, before);
    is_good(run, context, cairn_simulation_set_gravity(simulation, huge));
    expect(run, cairn_simulation_steps(simulation, 3) != CAIRN_OK, "steps under such a gravity are none");
    read_states(simulation, 0, after);
    expect(run, memcmp(before, after, BODIES * sizeof *before) == 0, "a batch that failed has moved bodies");
    expect(run, cairn_simulation_time(simulation) == t, "a batch that failed took time");
    is_good(run, context, cairn_simulation_set_gravity(simulation, usual));
    is_good(run, context, cairn_simulation_steps(simulation, 3));
    free(before);
    free(after);
}

static void lead(cairn_context *context, cairn_ranks *ranks, void *data)
{
    away *run = data;
    cairn_model *model = NULL;
    cairn_simulation *simulation = NULL;
    cairn_settings settings = touching_settings();
    settings.audit = run->audit;
    settings.audit_every = 2;
    if (is_good(run, context, cairn_context_join(context, ranks)) &&
        is_good(run, context, cairn_model_create(context, 3, &model)) &&
        is_good(run, context, build(model, run->counts)) &&
        is_good(run, context, cairn_simulation_create(context, model, &settings, &simulation)))
    {
        for (int batch = 0; batch < BATCHES; ++batch)
            if (is_good(run, context, cairn_simulation_steps(simulation, 3)))
                tell(simulation, batch, run->out);
        if (run->fails)
            overshoot(run, context, simulation);
    }
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
}

static void run_with(int ranks, bool counts, bool audit, bool fails, told *out)
{
    away run = {.counts = counts, .audit = audit, .fails = fails, .out = out};
    memset(out, 0, sizeof *out);
    assert_int_equal(led_ranks_run(&(led_ranks){.lead = lead, .data = &run}, ranks, 120), 0);
    assert_int_equal(run.failures, 0);
}

static void check_same(bool audit)
{
    told *here = malloc(sizeof *here), *there = malloc(sizeof *there);
    for (int ranks = 1; ranks <= 3; ++ranks)
    {
        run_with(ranks, true, audit, false, here);
        run_with(ranks, false, audit, false, there);
        assert_memory_equal(here->state, there->state, sizeof here->state);
        assert_memory_equal(here->energy, there->energy, sizeof here->energy);
        assert_memory_equal(here->reports, there->reports, sizeof here->reports);
        assert_int_equal(here->violations, there->violations);
        assert_true(here->state[BATCHES - 1][0].position[0] != here->state[0][0].position[0]);
        assert_true(here->energy[BATCHES - 1].work_gravity != 0);
    }
    free(here);
    free(there);
}

static void test_the_same_is_told(void **unused)
{
    (void)unused;
    check_same(false);
}

static void test_the_same_is_audited(void **unused)
{
    (void)unused;
    check_same(true);
}

static void test_what_failed_did_not_happen(void **unused)
{
    (void)unused;
    told *out = malloc(sizeof *out);
    for (int ranks = 1; ranks <= 3; ranks += 2)
        run_with(ranks, false, false, true, out);
    free(out);
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_same_is_told),
                                       cmocka_unit_test(test_the_same_is_audited),
                                       cmocka_unit_test(test_what_failed_did_not_happen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
