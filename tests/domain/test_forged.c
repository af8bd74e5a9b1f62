/* States whose records of the ranks are forged: the checksum is right, the rest is not. They are refused with a sentence, or the run goes on with numbers; nothing
 * crashes and nothing hangs. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "base/hash.h"
#include "base/random.h"
#include "step/keep/walk.h"
#include "support/check.h"
#include "support/thread_ranks.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STEPS = 60,
    MORE = 3,
    FORGERIES = 40,
    PART = 3 /* the last of so many parts of the state: there are the records, behind motions and places */
};

typedef struct forged_run
{
    const char *scene;
    int seed;
    int refused, gone_on;
    atomic_int failures;
} forged_run;

/* Change some words of the state's end, and make its checksum that of the result. */
static cairn_state *forge(forged_run *run, const cairn_state *good, crn_random *random)
{
    size_t size, checksum_at = CRN_STATE_HEADER - 2 * sizeof(uint64_t);
    const unsigned char *bytes = cairn_state_bytes(good, &size);
    unsigned char *copy = malloc(size);
    cairn_state *out = NULL;
    memcpy(copy, bytes, size);
    size_t words = size / 8, tail = words / PART;
    for (int k = 0; k < 1 + run->seed % 4; ++k)
    {
        size_t word = words - 1 - (size_t)(crn_random_unit(random) * (double)tail);
        uint64_t value;
        memcpy(&value, copy + 8 * word, sizeof value);
        static const uint64_t MASKS[] = {1, UINT64_C(1) << 31, UINT64_C(0xff) << 32, UINT64_C(1) << 63, UINT64_MAX};
        value ^= MASKS[(size_t)(crn_random_unit(random) * 5) % 5];
        memcpy(copy + 8 * word, &value, sizeof value);
    }
    uint64_t checksum = crn_hash(copy + CRN_STATE_HEADER, size - CRN_STATE_HEADER);
    memcpy(copy + checksum_at, &checksum, sizeof checksum);
    run->failures += cairn_state_from_bytes(NULL, copy, size, &out) != CAIRN_OK;
    free(copy);
    return out;
}

static void try_forged(forged_run *run, cairn_context *context, cairn_simulation *simulation, const cairn_state *forged)
{
    cairn_status status = cairn_simulation_restore(simulation, forged);
    status = status ? status : cairn_simulation_steps(simulation, MORE);
    if (status && cairn_context_last_message(context)[0] == '\0')
        ++run->failures;
    run->refused += status != CAIRN_OK;
    run->gone_on += status == CAIRN_OK;
    if (status == CAIRN_OK && !isfinite(cairn_simulation_energy(simulation).total))
        ++run->failures;
}

static void lead(cairn_ranks *ranks, forged_run *run)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    cairn_state *good = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/tests/data/ranks/%s.yaml", CAIRN_SOURCE_DIR, run->scene);
    bool ready = !cairn_scene_load(context, path, NULL, 0, &scene) && !cairn_context_join(context, ranks);
    cairn_settings settings = ready ? cairn_scene_settings(scene) : cairn_settings_default();
    ready = ready && !cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation) &&
            !cairn_simulation_steps(simulation, STEPS) && !cairn_simulation_save(simulation, &good);
    run->failures += !ready;
    for (int i = 0; i < FORGERIES && ready; ++i)
    {
        crn_random random = crn_random_start((uint64_t)(run->seed + i), 0);
        cairn_state *forged = forge(run, good, &random);
        if (forged)
            try_forged(run, context, simulation, forged);
        cairn_state_destroy(forged);
    }
    /* The one that was not forged is still good. */
    if (ready)
        run->failures += cairn_simulation_restore(simulation, good) || cairn_simulation_steps(simulation, MORE);
    cairn_state_destroy(good);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    cairn_ranks_dismiss(ranks);
}

static void take_part(cairn_ranks *ranks, void *data)
{
    if (ranks->rank == 0)
    {
        lead(ranks, data);
        return;
    }
    cairn_context *context = cairn_context_create();
    cairn_ranks_serve(context, ranks);
    cairn_context_destroy(context);
}

/* On one rank; on several only where records of the scene are known to be refused by all of them together (docs/cluster.md). */
static void check_scene(const char *scene, int most_ranks)
{
    int refused = 0;
    for (int seed = 0; seed < 3 * FORGERIES; seed += FORGERIES)
    {
        forged_run run = {.scene = scene, .seed = seed};
        int ranks = 1 + seed / FORGERIES;
        thread_ranks_run(ranks < most_ranks ? ranks : most_ranks, 300, take_part, &run);
        assert_int_equal(run.failures, 0);
        assert_int_equal(run.refused + run.gone_on, FORGERIES);
        refused += run.refused;
    }
    assert_true(refused > 0);
}

static void test_spheres(void **unused)
{
    (void)unused;
    check_scene("grains", 3);
}

static void test_shapes(void **unused)
{
    (void)unused;
    check_scene("mixed", 1);
}

static void test_joints(void **unused)
{
    (void)unused;
    check_scene("chains", 1);
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spheres), cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_joints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
