/* Frames that are larger than what a recorder keeps in memory: their bodies and contacts are written while the frame is made, and the file says
 * what the simulation says. */
#include "support/recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    GRAINS = 45000, /* so that the rows of bodies alone are more */
    BODIES = GRAINS + 1,
    STEPS = 2
};

/* Balls side by side that hit a floor: as many contacts as balls. */
static const char SCENE[] =
    "dimension: 3\n"
    "bodies: [{name: floor, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}]\n"
    "populations:\n"
    "  - {name: ball, count: 45000, radius: 0.05, density: 2500, packing: lattice,\n"
    "     region: {type: box, position: [0, 0, 0.056], size: [22, 22, 0.11]}, velocity: [0, 0, -1]}\n"
    "simulation: {step: 0.005, until: 1, integrator: euler, accuracy: fast}\n";

static recording start(void)
{
    recording w = {.context = cairn_context_create()};
    if (cairn_scene_parse(w.context, "scene", SCENE, strlen(SCENE), NULL, 0, &w.scene))
        fail_msg("%s", cairn_context_last_message(w.context));
    cairn_settings settings = cairn_scene_settings(w.scene);
    assert_int_equal(cairn_simulation_create(w.context, cairn_scene_model(w.scene), &settings, &w.simulation),
                     CAIRN_OK);
    return w;
}

/* The last frame of the file is the simulation's state. */
static void check_last(cairn_run *run, const recording *w)
{
    int64_t last = cairn_run_frame_count(run) - 1;
    cairn_body_state *states = malloc(BODIES * sizeof *states);
    assert_non_null(states);
    assert_int_equal(cairn_run_read_frame(run, last, states), CAIRN_OK);
    for (int i = 0; i < BODIES; ++i)
    {
        cairn_body_state is = cairn_simulation_body(w->simulation, cairn_model_body(cairn_scene_model(w->scene), i));
        assert_memory_equal(states[i].position, is.position, sizeof is.position);
        assert_memory_equal(states[i].velocity, is.velocity, sizeof is.velocity);
        assert_memory_equal(states[i].orientation, is.orientation, sizeof is.orientation);
        assert_memory_equal(states[i].angular_velocity, is.angular_velocity, sizeof is.angular_velocity);
    }
    free(states);
    const cairn_contact *contacts;
    int count;
    assert_int_equal(cairn_run_read_contacts(run, last, &contacts, &count), CAIRN_OK);
    assert_int_equal(count, cairn_simulation_contact_count(w->simulation));
    assert_true(count >= GRAINS);
    for (int i = 0; i < count; ++i)
    {
        cairn_contact is = cairn_simulation_contact(w->simulation, i);
        assert_true(contacts[i].identity == is.identity && contacts[i].gap == is.gap);
        assert_memory_equal(contacts[i].point, is.point, sizeof is.point);
        assert_memory_equal(contacts[i].impulse, is.impulse, sizeof is.impulse);
    }
}

/* With compression a frame waits as a whole; without it is written in parts. */
static void record(const char *path, int compression)
{
    recording w = start();
    cairn_recorder_options options = cairn_recorder_default();
    options.compression = compression;
    options.flush_interval = 1e9; /* only what is large is written before the end */
    cairn_recorder *recorder;
    assert_int_equal(cairn_recorder_create(w.context, path, w.simulation, &options, &recorder), CAIRN_OK);
    for (int i = 0; i < STEPS; ++i)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        assert_int_equal(cairn_recorder_write(recorder), CAIRN_OK);
        cairn_run *run = recording_open(path); /* a large frame is in the file at once, as a whole */
        assert_int_equal(cairn_run_frame_count(run), i + 2);
        check_last(run, &w);
        cairn_run_close(run);
    }
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
}

static void large_frames_come_back(void **state)
{
    (void)state;
    record("large.h5", 0);
}

static void compressed_ones_too(void **state)
{
    (void)state;
    record("compressed.h5", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_frames_come_back),
        cmocka_unit_test(compressed_ones_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
