/* What the physics certificate of shared steps is made from does not depend on the number of ranks: contacts with their impulses come in the order of their identities, so that sums
 * over them are the same to the bit, and so is what is found. */
#include "cairn/cairn.h"

#include "step/simulation.h"
#include "support/check.h"
#include "support/shared_scene.h"

#include <stdlib.h>
#include <string.h>

enum
{
    STEPS = 100,
    BATCH = 20,
    WATCHDOG = 300 /* s */
};

/* All that was looked at, one number after the other. */
typedef struct audited_run
{
    double *number;
    size_t count, capacity;
    int pieces, contacts;
    bool is_hurt; /* impulses are made wrong before they are judged, so that something is found */
    cairn_audit_totals totals;
    int failures;
} audited_run;

static void note(audited_run *run, const double *number, size_t count)
{
    if (run->count + count > run->capacity)
    {
        run->capacity = 2 * (run->count + count);
        run->number = realloc(run->number, run->capacity * sizeof *run->number);
    }
    memcpy(run->number + run->count, number, count * sizeof *number);
    run->count += count;
}

static void look(void *data, crn_piece *piece)
{
    audited_run *run = data;
    uint64_t last = 0;
    for (int i = 0; i < piece->contact_count; ++i)
    {
        crn_piece_contact *c = &piece->contacts[i];
        run->failures += i > 0 && c->identity <= last;
        last = c->identity;
        double identity;
        memcpy(&identity, &c->identity, sizeof identity);
        note(run, &identity, 1);
        note(run, c->impulse, 3);
        note(run, c->point_a, 3);
        note(run, c->point_b, 3);
        note(run, c->normal, 3);
        note(run, &c->gap, 1);
        for (int k = 0; run->is_hurt && k < 3; ++k)
            c->impulse[k] *= 1.5;
    }
    ++run->pieces;
    run->contacts += piece->contact_count;
}

static void adapt(cairn_settings *settings, void *data)
{
    (void)data;
    settings->audit = true;
    settings->audit_every = 1;
    settings->reproducible = true;
}

static void work(cairn_context *context, cairn_simulation *simulation, void *data)
{
    audited_run *run = data;
    simulation->ledger.watch = look;
    simulation->ledger.watch_data = run;
    for (int done = 0; done < STEPS; done += BATCH)
        if (cairn_simulation_steps(simulation, BATCH))
        {
            print_error("%s\n", cairn_context_last_message(context));
            ++run->failures;
            return;
        }
    run->totals = cairn_simulation_audit(simulation);
}

static audited_run run_on(int ranks, const char *name, bool is_hurt)
{
    audited_run run = {.is_hurt = is_hurt};
    shared_scene scene = {.name = name, .adapt = adapt, .work = work, .data = &run};
    assert_int_equal(shared_scene_run(&scene, ranks, WATCHDOG), 0);
    assert_int_equal(run.failures, 0);
    assert_int_equal(run.pieces, STEPS / BATCH);
    return run;
}

static int64_t sum_of(const cairn_audit_totals *totals)
{
    int64_t sum = 0;
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        sum += totals->count[k];
    return sum;
}

static void check_scene(const char *name, bool is_hurt)
{
    static const int RANKS[] = {2, 3, 5};
    audited_run alone = run_on(1, name, is_hurt);
    assert_true(alone.contacts > 50);
    assert_true((sum_of(&alone.totals) > 0) == is_hurt);
    for (size_t i = 0; i < sizeof RANKS / sizeof RANKS[0]; ++i)
    {
        audited_run shared = run_on(RANKS[i], name, is_hurt);
        assert_int_equal(alone.count, shared.count);
        assert_memory_equal(alone.number, shared.number, alone.count * sizeof *alone.number);
        for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        {
            assert_true(alone.totals.count[k] == shared.totals.count[k]);
            assert_memory_equal(&alone.totals.worst[k].size, &shared.totals.worst[k].size, sizeof(double));
            assert_memory_equal(&alone.totals.worst[k].allowance, &shared.totals.worst[k].allowance, sizeof(double));
        }
        free(shared.number);
    }
    free(alone.number);
}

static void test_contacts(void **unused)
{
    (void)unused;
    check_scene("grains", false);
    check_scene("mixed", false);
    check_scene("chains", false);
}

static void test_findings(void **unused)
{
    (void)unused;
    check_scene("grains", true);
    check_scene("mixed", true);
    check_scene("chains", true);
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_contacts), cmocka_unit_test(test_findings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
