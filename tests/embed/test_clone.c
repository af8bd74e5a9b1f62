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
#include <time.h>

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

/* What a run has cost so far, roughly: some scenes under schemes that do not suit them take thousands of problems per step. */
static int cost_of(const cairn_simulation *run)
{
    const cairn_step_report *report = cairn_simulation_report(run);
    return report->problems * (2 + report->contacts);
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
    int count = steps(), cut = (int)dice(seed, (unsigned)count / 3), again = cut + 1 + (int)dice(seed, 3);
    cairn_state *kept = NULL;
    cairn_status status = CAIRN_OK;
    int cost = 0, most = getenv("CAIRN_LONG") ? 100000 : 600;
    for (int n = 0; n < lead && status == CAIRN_OK && cost < most / 2; ++n)
    {
        status = cairn_simulation_step(run);
        cost += cost_of(run);
    }
    for (int n = 0; n < count && status == CAIRN_OK && (cost < most || n <= cut + 2); ++n)
    {
        if (n == cut)
        {
            assert_int_equal(cairn_simulation_clone(run, context, &clone), CAIRN_OK);
            assert_int_equal(cairn_simulation_save(run, &kept), CAIRN_OK);
            check_same(what, run, clone);
        }
        status = cairn_simulation_step(run);
        cost += cost_of(run);
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
        clock_t begun = clock();
        cairn_settings settings = cairn_scene_settings(scene);
        cairn_integrator own = settings.integrator;
        int bodies = cairn_model_body_count(cairn_scene_model(scene)), most = bodies > 8 ? 8 : 40;
        bool large = bodies > 12;
        bool slow = bodies > 100 || strcmp(builtin.name, "screw") == 0; /* meshes of many triangles */
        if (slow && !getenv("CAIRN_LONG"))
        {
            cairn_scene_destroy(scene);
            continue;
        }
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
        if (clock() - begun > CLOCKS_PER_SEC / 2)
            print_message("%s takes %.1f s\n", builtin.name, (double)(clock() - begun) / CLOCKS_PER_SEC);
        cairn_scene_destroy(scene);
    }
    print_message("%d runs, %d of them with contacts, %d with events, %d that failed\n", seen.runs, seen.touching,
                  seen.sticking, seen.failed);
    assert_true(seen.runs > 150 && seen.touching > 100 && seen.sticking > 10);
    cairn_context_destroy(context);
}

/* ------------------------------------------------------------------------------------------------------- bytes */

/* A run with contacts, springs, joints, stick and slip: boxes on the ground, one of them pulled. */
static world small_run(cairn_settings *settings, cairn_integrator integrator)
{
    world w = world_new(2);
    cairn_material rough = add_material(w.model, "rough", 0.4, 0.2);
    add_ground(w.model, rough);
    add_box(w.model, "low", 1, (double[3]){1, 0.5, 0}, (double[3]){0, 0.25, 0}, rough);
    add_box(w.model, "high", 1, (double[3]){0.5, 0.5, 0}, (double[3]){0.1, 0.9, 0}, rough);
    *settings = cairn_settings_default();
    settings->integrator = integrator;
    world_start(&w, settings);
    cairn_simulation_pull(w.simulation, cairn_model_body(w.model, 1), (double[3]){0}, (double[3]){3, 0.25, 0}, 20, 1);
    world_run(&w, 25);
    assert_true(cairn_simulation_contact_count(w.simulation) > 1);
    return w;
}

static void a_state_survives_as_bytes(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = small_run(&settings, CAIRN_INTEGRATOR_STIFF2);
    bytes kept = bytes_of(w.simulation);
    cairn_state *read;
    cairn_simulation *other;
    assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &other), CAIRN_OK);
    assert_int_equal(cairn_state_from_bytes(w.context, kept.at, kept.size, &read), CAIRN_OK);
    assert_near(cairn_state_time(read), cairn_simulation_time(w.simulation), 0);
    assert_int_equal(cairn_simulation_restore(other, read), CAIRN_OK);
    check_same("bytes", w.simulation, other);
    assert_string_equal(cairn_simulation_report(other)->solver.method,
                        cairn_simulation_report(w.simulation)->solver.method);
    assert_true(!cairn_simulation_problem(other));
    world_run(&w, 1);
    assert_int_equal(cairn_simulation_step(other), CAIRN_OK);
    check_same("bytes", w.simulation, other);
    cairn_state_destroy(read);
    free(kept.at);
    cairn_simulation_destroy(other);
    world_free(&w);
}

static void refuse(cairn_context *context, const bytes *b, size_t size, const char *word)
{
    cairn_state *read = (cairn_state *)b->at; /* not NULL, so that NULL shows */
    assert_int_equal(cairn_state_from_bytes(context, b->at, size, &read), CAIRN_INVALID);
    assert_null(read);
    if (!strstr(cairn_context_last_message(context), word))
        fail_msg("'%s' does not say '%s'", cairn_context_last_message(context), word);
    cairn_context_clear(context);
}

static void damaged_bytes_are_refused(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = small_run(&settings, CAIRN_INTEGRATOR_STIFF);
    bytes b = bytes_of(w.simulation);
    for (size_t size = 0; size < b.size; size += size < 100 ? 1 : 97)
        refuse(w.context, &b, size, "cut off");
    for (size_t i = 72; i < b.size; i += 13)
    {
        b.at[i] ^= 16;
        refuse(w.context, &b, b.size, "damaged");
        b.at[i] ^= 16;
    }
    struct
    {
        int at;
        const char *word;
    } head[] = {{0, "begin"}, {8, "byte order"}, {16, "version"}};
    for (int k = 0; k < 3; ++k)
    {
        b.at[head[k].at] ^= 1;
        refuse(w.context, &b, b.size, head[k].word);
        b.at[head[k].at] ^= 1;
    }
    free(b.at);
    world_free(&w);
}

static uint64_t checksum(const unsigned char *at, size_t size)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ at[i]) * 1099511628211u;
    return hash;
}

/* Numbers anywhere in the state are replaced and the checksum forged: the state is refused, and then nothing has changed, or it is
 * taken, and then a step may fail but not crash. */
static void forged_states_do_no_harm(void **state)
{
    (void)state;
    static const int64_t odd[] = {-1, 0, 1, 7, INT32_MAX, INT64_MAX, INT64_MIN, 0x7ff8000000000000, 0x7ff0000000000000};
    cairn_settings settings;
    world w = small_run(&settings, CAIRN_INTEGRATOR_STIFF2);
    bytes b = bytes_of(w.simulation), before;
    cairn_state *good;
    int refused = 0, taken = 0;
    unsigned seed = 3;
    assert_int_equal(cairn_state_from_bytes(w.context, b.at, b.size, &good), CAIRN_OK);
    for (size_t at = 72; at + 8 <= b.size; at += getenv("CAIRN_LONG") ? 8 : 8 * (1 + dice(&seed, 12)))
    {
        unsigned char kept[8];
        cairn_state *read;
        memcpy(kept, b.at + at, 8);
        memcpy(b.at + at, &odd[dice(&seed, 9)], 8);
        uint64_t sum = checksum(b.at + 72, b.size - 72);
        memcpy(b.at + 56, &sum, 8);
        assert_int_equal(cairn_state_from_bytes(w.context, b.at, b.size, &read), CAIRN_OK);
        before = bytes_of(w.simulation);
        cairn_status status = cairn_simulation_restore(w.simulation, read);
        taken += status == CAIRN_OK;
        refused += status == CAIRN_INVALID;
        if (status == CAIRN_OK)
        {
            (void)cairn_simulation_step(w.simulation);
        }
        else
        {
            bytes after = bytes_of(w.simulation);
            assert_int_equal(after.size, before.size);
            assert_memory_equal(after.at, before.at, after.size);
            assert_true(strlen(cairn_context_last_message(w.context)) > 10);
            free(after.at);
        }
        assert_int_equal(cairn_simulation_restore(w.simulation, good), CAIRN_OK);
        free(before.at);
        cairn_state_destroy(read);
        cairn_context_clear(w.context);
        memcpy(b.at + at, kept, 8);
    }
    print_message("forged states: %d refused, %d taken\n", refused, taken);
    assert_true(refused > 5 && taken > 5);
    cairn_state_destroy(good);
    free(b.at);
    world_free(&w);
}

static void a_state_fits_its_model_and_scheme_alone(void **state)
{
    (void)state;
    cairn_settings settings, other;
    world w = small_run(&settings, CAIRN_INTEGRATOR_STIFF), x = small_run(&other, CAIRN_INTEGRATOR_STIFF2);
    world y = world_new(2);
    add_point(y.model, "alone", 1, 0, 1, (cairn_material){0});
    world_start(&y, &settings);
    cairn_state *kept;
    assert_int_equal(cairn_simulation_save(w.simulation, &kept), CAIRN_OK);
    assert_int_equal(cairn_simulation_restore(x.simulation, kept), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(x.context), "integrator"));
    assert_int_equal(cairn_simulation_restore(y.simulation, kept), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(y.context), "another model"));
    assert_int_equal(cairn_simulation_restore(w.simulation, NULL), CAIRN_INVALID);
    cairn_state_destroy(kept);
    world_free(&w);
    world_free(&x);
    world_free(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_under_every_scheme),
        cmocka_unit_test(a_state_survives_as_bytes),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(forged_states_do_no_harm),
        cmocka_unit_test(a_state_fits_its_model_and_scheme_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
