/* Steps that are begun, and finished later: the same bits as without, and meanwhile the state before them. Through the device's twin for the processor (or, with
 * CAIRN_GPU_LIBRARY, on a device). */
#include "support/check.h"
#include "support/device.h"
#include "support/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    COUNT = 60,
    BATCH = 4,
    BATCHES = 12
};

/* Grains on a floor that shakes. */
static world shaken(const cairn_settings *settings)
{
    const heap_options options = {
        .dimension = 3, .mix = HEAP_MIXED, .count = COUNT, .friction = 0.4, .floor = "0.01 * sin(40 * t)", .seed = 5};
    world w = heap_world(&options);
    world_start(&w, settings);
    return w;
}

static void begin(world *w, int steps)
{
    assert_int_equal(cairn_simulation_begin_steps(w->simulation, steps), CAIRN_OK);
}

static void finish(world *w)
{
    assert_int_equal(cairn_simulation_finish_steps(w->simulation), CAIRN_OK);
}

/* The state as bytes, for the caller to free. */
static void *bytes_of(const world *w, size_t *size)
{
    int count = cairn_model_body_count(w->model);
    *size = (size_t)count * sizeof(cairn_body_state);
    cairn_body_state *states = calloc((size_t)count, sizeof *states);
    assert_non_null(states);
    for (int i = 0; i < count; ++i)
        states[i] = cairn_simulation_body(w->simulation, cairn_model_body(w->model, i));
    return states;
}

static void assert_same_states(const world *a, const world *b)
{
    size_t size, size_b;
    void *of_a = bytes_of(a, &size), *of_b = bytes_of(b, &size_b);
    assert_int_equal(size, size_b);
    assert_memory_equal(of_a, of_b, size);
    cairn_energy energy_a = cairn_simulation_energy(a->simulation), energy_b = cairn_simulation_energy(b->simulation);
    assert_memory_equal(&energy_a, &energy_b, sizeof energy_a);
    free(of_a);
    free(of_b);
}

static void assert_same_contacts(world *a, world *b)
{
    const cairn_contact *of_a, *of_b;
    int count_a, count_b;
    assert_int_equal(cairn_simulation_contacts(a->simulation, &of_a, &count_a), CAIRN_OK);
    assert_int_equal(cairn_simulation_contacts(b->simulation, &of_b, &count_b), CAIRN_OK);
    assert_int_equal(count_a, count_b);
    for (int i = 0; i < count_a; ++i)
    {
        assert_true(of_a[i].identity == of_b[i].identity);
        assert_memory_equal(of_a[i].impulse, of_b[i].impulse, sizeof of_a[i].impulse);
        assert_memory_equal(of_a[i].velocity, of_b[i].velocity, sizeof of_a[i].velocity);
        assert_memory_equal(of_a[i].point, of_b[i].point, sizeof of_a[i].point);
    }
}

/* One world takes steps, the other begins and finishes them; while they are under way it shows what the first one was before. */
static void compare(const cairn_settings *settings)
{
    world plain = shaken(settings), ahead = shaken(settings);
    for (int i = 0; i < BATCHES; ++i)
    {
        const cairn_contact *contacts;
        int count;
        assert_int_equal(cairn_simulation_contacts(ahead.simulation, &contacts, &count), CAIRN_OK);
        begin(&ahead, BATCH);
        assert_same_states(&plain, &ahead);
        assert_same_contacts(&plain, &ahead);
        assert_true(cairn_simulation_time(plain.simulation) == cairn_simulation_time(ahead.simulation));
        finish(&ahead);
        device_take(&plain, BATCH);
        assert_same_states(&plain, &ahead);
        assert_same_contacts(&plain, &ahead);
        const cairn_step_report *a = cairn_simulation_report(plain.simulation),
                                *b = cairn_simulation_report(ahead.simulation);
        assert_int_equal(a->step, b->step);
        assert_int_equal(a->physics.audited, b->physics.audited);
        assert_true(a->solver.certificate.natural_map == b->solver.certificate.natural_map);
    }
    assert_true(cairn_simulation_report(ahead.simulation)->contacts > COUNT / 2); /* they have landed */
    world_free(&plain);
    world_free(&ahead);
}

static void begun_steps_have_the_same_bits(void **state)
{
    (void)state;
    cairn_settings settings = on_device(0.004, 10);
    settings.audit_every = 1000;
    compare(&settings);
    settings.audit_every = 3 * BATCH; /* some batches are audited */
    compare(&settings);
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    settings.solver.tolerance = 1e-3;
    compare(&settings);
}

static void the_processor_takes_them_when_they_are_finished(void **state)
{
    (void)state;
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.004;
    compare(&settings);
}

static void refuse(world *w, cairn_status status)
{
    assert_int_equal(status, CAIRN_INVALID);
    int last = cairn_context_message_count(w->context) - 1;
    assert_non_null(strstr(cairn_context_message(w->context, last).text, "under way"));
}

static void what_would_disturb_them_is_refused(void **state)
{
    (void)state;
    cairn_settings settings = on_device(0.004, 10);
    settings.audit_every = 1000; /* audited batches are taken when they are finished */
    world w = shaken(&settings);
    cairn_simulation *s = w.simulation;
    cairn_state *saved = NULL;
    cairn_simulation *clone = NULL;
    cairn_recorder *recorder;
    assert_int_equal(cairn_simulation_finish_steps(s), CAIRN_INVALID); /* there are none */
    device_take(&w, 40);
    assert_int_equal(cairn_recorder_create(w.context, "disturbed.h5", s, NULL, &recorder), CAIRN_OK);
    cairn_body grain = cairn_model_body(w.model, HEAP_WALLS);
    cairn_body_state there = cairn_simulation_body(s, grain);
    assert_int_equal(cairn_simulation_begin_steps(s, 0), CAIRN_INVALID);
    const cairn_contact *contacts;
    int count;
    begin(&w, BATCH);
    refuse(&w, cairn_simulation_begin_steps(s, 1));
    refuse(&w, cairn_simulation_step(s));
    refuse(&w, cairn_simulation_steps(s, 2));
    refuse(&w, cairn_simulation_set_body(s, grain, &there));
    refuse(&w, cairn_simulation_set_gravity(s, (double[3]){0, 0, -1}));
    refuse(&w, cairn_simulation_set_friction(s, 0.1));
    refuse(&w, cairn_simulation_pull(s, grain, (double[3]){0}, (double[3]){0, 0, 1}, 10, 1));
    refuse(&w, cairn_simulation_save(s, &saved));
    refuse(&w, cairn_simulation_clone(s, NULL, &clone));
    refuse(&w, cairn_recorder_checkpoint(recorder, s, NULL, 0));
    finish(&w);
    begin(&w, BATCH);
    refuse(&w, cairn_simulation_contacts(s, &contacts, &count)); /* nobody had asked for them before */
    finish(&w);
    assert_int_equal(cairn_simulation_contacts(s, &contacts, &count), CAIRN_OK);
    assert_true(count > 0);
    assert_int_equal(cairn_simulation_save(s, &saved), CAIRN_OK);
    begin(&w, BATCH);
    refuse(&w, cairn_simulation_restore(s, saved));
    cairn_state_destroy(saved);
    assert_int_equal(cairn_recorder_close(recorder, "interrupted"), CAIRN_OK);
    world_free(&w); /* while steps are under way */
}

/* A failure is told when the steps are finished, and the state stays as it was. */
static void failures_are_told_at_the_end(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material steel = add_material(w.model, "steel", 0.3, 0);
    cairn_model_set_gravity(w.model, (double[3]){0, 0, -1e32});
    add_ground(w.model, steel);
    add_ball(w.model, "stone", 1, 0.1, (double[3]){0, 0, 1e30}, steel);
    cairn_settings settings = on_device(0.01, 20);
    world_start(&w, &settings);
    begin(&w, 30);
    assert_int_equal(cairn_simulation_finish_steps(w.simulation), CAIRN_NUMERIC);
    assert_non_null(strstr(cairn_context_message(w.context, 0).text, "body 'stone' is no longer at any place"));
    assert_near(world_body(&w, "stone").position[2], 1e30, 0);
    world_free(&w);
}

/* Frames that are written while the next steps are under way are those of a run without. */
static void frames_written_meanwhile_are_the_same(void **state)
{
    (void)state;
    const char *name[2] = {"plain.h5", "ahead.h5"};
    cairn_settings settings = on_device(0.004, 10);
    settings.audit_every = 1000;
    world w[2];
    cairn_run *run[2];
    for (int k = 0; k < 2; ++k)
    {
        w[k] = shaken(&settings);
        cairn_recorder *recorder;
        cairn_recorder_options options = cairn_recorder_default();
        options.every = BATCH;
        assert_int_equal(cairn_recorder_create(w[k].context, name[k], w[k].simulation, &options, &recorder), CAIRN_OK);
        for (int i = 0; i < BATCHES; ++i)
        {
            if (i == 0 || k == 0)
                device_take(&w[k], BATCH);
            else
                finish(&w[k]);
            if (k == 1 && i + 1 < BATCHES)
            {
                assert_int_equal(cairn_recorder_prepare(recorder, w[k].simulation), CAIRN_OK);
                assert_int_equal(cairn_recorder_steps_to_frame(recorder), BATCH);
                begin(&w[k], BATCH);
            }
            assert_int_equal(cairn_recorder_write(recorder), CAIRN_OK);
        }
        assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
        assert_int_equal(cairn_run_open(w[k].context, name[k], &run[k]), CAIRN_OK);
        assert_int_equal(cairn_run_frame_count(run[k]), BATCHES + 1);
    }
    int bodies = cairn_run_body_count(run[0]);
    cairn_body_state *states[2] = {calloc((size_t)bodies, sizeof **states), calloc((size_t)bodies, sizeof **states)};
    for (int64_t i = 0; i <= BATCHES; ++i)
    {
        const cairn_contact *contacts[2];
        int count[2];
        for (int k = 0; k < 2; ++k)
        {
            assert_int_equal(cairn_run_read_frame(run[k], i, states[k]), CAIRN_OK);
            assert_int_equal(cairn_run_read_contacts(run[k], i, &contacts[k], &count[k]), CAIRN_OK);
        }
        assert_memory_equal(states[0], states[1], (size_t)bodies * sizeof **states);
        assert_int_equal(count[0], count[1]);
        for (int j = 0; j < count[0]; ++j)
            assert_memory_equal(contacts[0][j].impulse, contacts[1][j].impulse, sizeof contacts[0][j].impulse);
    }
    for (int k = 0; k < 2; ++k)
    {
        free(states[k]);
        cairn_run_close(run[k]);
        world_free(&w[k]);
    }
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begun_steps_have_the_same_bits),
        cmocka_unit_test(the_processor_takes_them_when_they_are_finished),
        cmocka_unit_test(what_would_disturb_them_is_refused),
        cmocka_unit_test(failures_are_told_at_the_end),
        cmocka_unit_test(frames_written_meanwhile_are_the_same),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
