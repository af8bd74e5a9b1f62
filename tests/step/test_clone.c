/* Saved states and clones: whoever continues from one moves as if nobody had stopped.
 *
 * The truth is the uninterrupted run of the same scene; states are compared as bytes, which hold everything a step depends on
 * and everything that it tells. */
#include "cairn/scene.h"
#include "cairn/state.h"
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes
{
    unsigned char *at;
    size_t size;
} bytes;

/* The state of a simulation, as bytes of the caller's. */
static bytes bytes_of(cairn_simulation *simulation)
{
    cairn_state *state;
    assert_int_equal(cairn_simulation_save(simulation, &state), CAIRN_OK);
    bytes out;
    const void *from = cairn_state_bytes(state, &out.size);
    out.at = malloc(out.size);
    memcpy(out.at, from, out.size);
    cairn_state_destroy(state);
    return out;
}

static void check_same(const char *what, cairn_simulation *a, cairn_simulation *b)
{
    bytes x = bytes_of(a), y = bytes_of(b);
    bool same = x.size == y.size && memcmp(x.at, y.at, x.size) == 0;
    if (!same)
    {
        size_t at = 0;
        while (at < x.size && at < y.size && x.at[at] == y.at[at])
            ++at;
        print_error("%s at step %d: states of %zu and %zu bytes differ at %zu\n", what,
                    (int)cairn_simulation_report(a)->step, x.size, y.size, at);
    }
    free(x.at);
    free(y.at);
    assert_true(same);
}

/* ---------------------------------------------------------------------------------------------- all scenes and schemes */

enum
{
    STEPS = 12 /* of each run; long: ten times as many */
};

static unsigned dice(unsigned *seed, unsigned sides)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % sides;
}

static int steps(void)
{
    return getenv("CAIRN_LONG") ? 10 * STEPS : STEPS;
}

/* What was compared, so that the test cannot pass by comparing nothing. */
typedef struct tally
{
    int runs, touching, sticking, failed;
} tally;

static void count_run(cairn_simulation *run, cairn_status status, tally *seen)
{
    seen->runs += 1;
    seen->touching += cairn_simulation_contact_count(run) > 0;
    seen->sticking += cairn_simulation_event_count(run) > 0;
    seen->failed += status != CAIRN_OK;
}

/* One run that nobody interrupts; a clone made at a random step; and a simulation that goes back to a random step twice. Whether a
 * step succeeds is part of what must agree. */
static void continue_run(const char *what, cairn_context *context, const cairn_model *model,
                         const cairn_settings *settings, int lead, unsigned *seed, tally *seen)
{
    cairn_simulation *run = NULL, *clone = NULL, *back = NULL;
    if (cairn_simulation_create(context, model, settings, &run) != CAIRN_OK)
        return; /* the scene asks for something that this scheme does not have */
    assert_int_equal(cairn_simulation_create(context, model, settings, &back), CAIRN_OK);
    int count = steps(), cut = (int)dice(seed, (unsigned)count), again = cut + 1 + (int)dice(seed, 3);
    cairn_state *kept = NULL;
    cairn_status status = CAIRN_OK;
    for (int n = 0; n < lead && status == CAIRN_OK; ++n)
        status = cairn_simulation_step(run);
    for (int n = 0; n < count && status == CAIRN_OK; ++n)
    {
        if (n == cut)
        {
            assert_int_equal(cairn_simulation_clone(run, context, &clone), CAIRN_OK);
            assert_int_equal(cairn_simulation_save(run, &kept), CAIRN_OK);
            check_same(what, run, clone);
        }
        status = cairn_simulation_step(run);
        if (clone)
            assert_int_equal(cairn_simulation_step(clone), status);
        if (status != CAIRN_OK)
            break;
        if (clone)
            check_same(what, run, clone);
        if (kept && n + 1 == again)
        {
            for (int k = 0; k < 2; ++k)
            {
                assert_int_equal(cairn_simulation_restore(back, kept), CAIRN_OK);
                for (int m = cut; m <= n; ++m)
                    assert_int_equal(cairn_simulation_step(back), CAIRN_OK);
                check_same(what, run, back);
            }
        }
    }
    count_run(run, status, seen);
    cairn_state_destroy(kept);
    cairn_simulation_destroy(run);
    cairn_simulation_destroy(clone);
    cairn_simulation_destroy(back);
    cairn_context_clear(context);
}

static void every_scene_under_every_scheme(void **state)
{
    (void)state;
    unsigned seed = 1;
    tally seen = {0};
    cairn_context *context = cairn_context_create();
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        cairn_builtin builtin = cairn_builtin_scene(i);
        cairn_scene *scene;
        assert_int_equal(cairn_scene_parse(context, builtin.name, builtin.text, builtin.length, NULL, 0, &scene),
                         CAIRN_OK);
        cairn_settings settings = cairn_scene_settings(scene);
        cairn_integrator own = settings.integrator;
        int bodies = cairn_model_body_count(cairn_scene_model(scene)), most = bodies > 8 ? 40 : 400;
        bool large = bodies > 150;
        for (int k = CAIRN_INTEGRATOR_EULER; k <= CAIRN_INTEGRATOR_STIFF2; ++k)
        {
            if (large && (int)own != k && !getenv("CAIRN_LONG"))
                continue;
            char what[128];
            snprintf(what, sizeof what, "%s, %s", builtin.name, cairn_integrator_name((cairn_integrator)k));
            settings.integrator = (cairn_integrator)k;
            continue_run(what, context, cairn_scene_model(scene), &settings,
                         large ? 0 : (int)dice(&seed, (unsigned)most), &seed, &seen);
        }
        cairn_scene_destroy(scene);
    }
    print_message("%d runs, %d of them with contacts, %d with events, %d that failed\n", seen.runs, seen.touching,
                  seen.sticking, seen.failed);
    assert_true(seen.runs > 150 && seen.touching > 100 && seen.sticking > 10);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_under_every_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
