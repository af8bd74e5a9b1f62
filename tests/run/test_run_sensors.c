/* Joints and sensors in run files: what is read from the file is what the simulation had, bit by bit, at all frames and samples; files
 * of runs without them, and damaged ones. */
#include "support/check.h"
#include "support/worlds.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SCENE[] =
    "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  - {name: floor, kind: fixed, shapes: [{type: half-space}]}\n"
    "  - {name: arm, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 3]}\n"
    "  - {name: box, mass: 3, position: [0, 4, 0.5], shapes: [{type: box, size: [1, 1, 1]}]}\n"
    "joints:\n"
    "  - name: elbow\n    type: revolute\n    bodies: [world, arm]\n    at: [0, 0, 3]\n    axis: [0, 1, 0]\n"
    "    coordinates: {angle: {friction: 0.1, damping: 0.2, upper: 1, drive: {type: force, target: 'sin(9*t)'}}}\n"
    "sensors:\n"
    "  - {name: imu, type: accelerometer, body: arm, point: [0.5, 0, 0]}\n"
    "  - {name: load, type: contact-force, body: box, from: floor, every: 4}\n"
    "simulation: {step: 0.01}\n";

enum
{
    STEPS = 23,
    EVERY = 5,
    COLUMNS = 8 /* two vectors, and two of the names below */
};
static const char *const NAMES[] = {"elbow.angle",
                                    "elbow.angle.rate",
                                    "elbow.angle.drive",
                                    "elbow.angle.spring",
                                    "elbow.angle.friction",
                                    "elbow.angle.limit",
                                    "elbow.angle.power",
                                    "elbow.angle.drive_work",
                                    "elbow.angle.spring_work",
                                    "elbow.angle.friction_work",
                                    "elbow.angle.limit_work",
                                    "elbow.force.x",
                                    "elbow.force.z",
                                    "elbow.force.magnitude",
                                    "elbow.moment.x",
                                    "elbow.moment.magnitude"};
enum
{
    NAME_COUNT = sizeof NAMES / sizeof NAMES[0]
};

/* What the simulation had. */
typedef struct truth
{
    int frames;
    double frame[STEPS + 1][NAME_COUNT], at_frame[STEPS + 1][COLUMNS];
    double sample[STEPS + 1][COLUMNS], time[STEPS + 1];
} truth;

static double value(const world *w, const char *name)
{
    cairn_quantity q;
    double out[3];
    assert_int_equal(cairn_quantity_find(w->context, world_model(w), name, &q), CAIRN_OK);
    assert_int_equal(q.count, 1);
    assert_int_equal(cairn_quantity_value(w->simulation, &q, out), CAIRN_OK);
    return out[0];
}

static void note(const world *w, cairn_watch *watch, int step, truth *out)
{
    const double *values;
    assert_int_equal(cairn_watch_read(watch, &values), CAIRN_OK);
    memcpy(out->sample[step], values, sizeof out->sample[step]);
    out->time[step] = cairn_simulation_time(w->simulation);
    if (step % EVERY != 0 && step != STEPS)
        return;
    for (int i = 0; i < NAME_COUNT; ++i)
        out->frame[out->frames][i] = value(w, NAMES[i]);
    memcpy(out->at_frame[out->frames++], values, sizeof out->sample[step]);
}

static void record(const char *path, truth *out)
{
    world w = {.context = cairn_context_create()};
    assert_int_equal(cairn_scene_parse(w.context, "test", SCENE, strlen(SCENE), NULL, 0, &w.scene), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(w.scene);
    world_start(&w, &settings);
    cairn_watch *watch;
    assert_int_equal(cairn_watch_create(w.context, w.simulation, &watch), CAIRN_OK);
    assert_int_equal(cairn_watch_add_sensors(watch, w.scene), CAIRN_OK);
    assert_int_equal(cairn_watch_add(watch, NULL, "elbow.angle", 1), CAIRN_OK);
    assert_int_equal(cairn_watch_add(watch, "sum, \"total\"", "energy.total", 1), CAIRN_OK);
    assert_int_equal(cairn_watch_count(watch), COLUMNS);
    cairn_recorder_options options = cairn_recorder_default();
    options.every = EVERY;
    options.watch = watch;
    options.scene_text = cairn_scene_text(w.scene);
    options.flush_interval = 0;
    cairn_recorder *recorder;
    assert_int_equal(cairn_recorder_create(w.context, path, w.simulation, &options, &recorder), CAIRN_OK);
    *out = (truth){.frames = 0};
    note(&w, watch, 0, out);
    for (int step = 1; step <= STEPS; ++step)
    {
        world_step(&w);
        assert_int_equal(cairn_recorder_write(recorder), CAIRN_OK);
        note(&w, watch, step, out);
    }
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    cairn_watch_destroy(watch);
    world_free(&w);
}

static void round_trip(void **state)
{
    (void)state;
    static truth wanted;
    record("sensors.h5", &wanted);
    cairn_context *context = cairn_context_create();
    cairn_run *run;
    double found[STEPS + 1];
    assert_int_equal(cairn_run_open(context, "sensors.h5", &run), CAIRN_OK);
    assert_int_equal(cairn_run_frame_count(run), wanted.frames);
    assert_int_equal(wanted.frames, 6);
    for (int i = 0; i < NAME_COUNT; ++i)
    {
        assert_int_equal(cairn_run_read_series(run, NAMES[i], found), CAIRN_OK);
        for (int k = 0; k < wanted.frames; ++k)
            assert_near(found[k], wanted.frame[k][i],
                        1e-15 * fabs(wanted.frame[k][i])); /* a magnitude may be rounded */
    }
    assert_int_equal(cairn_run_sensor_count(run), COLUMNS);
    assert_int_equal(cairn_run_sample_count(run), STEPS + 1);
    assert_string_equal(cairn_run_sensor_name(run, 0), "imu.x");
    assert_string_equal(cairn_run_sensor_name(run, 7), "sum, \"total\"");
    assert_string_equal(cairn_run_sensor_unit(run, 3), "N");
    assert_string_equal(cairn_run_sensor_name(run, 8), "");
    for (int i = -1; i < COLUMNS; ++i)
    {
        assert_int_equal(cairn_run_read_samples(run, i, found), CAIRN_OK);
        for (int k = 0; k <= STEPS; ++k)
            assert_near(found[k], i < 0 ? wanted.time[k] : wanted.sample[k][i], 0);
    }
    assert_int_equal(cairn_run_read_series(run, "sensors/imu.z", found), CAIRN_OK);
    for (int k = 0; k < wanted.frames; ++k)
        assert_near(found[k], wanted.at_frame[k][2], 0);
    assert_int_equal(cairn_run_read_samples(run, COLUMNS, found), CAIRN_INVALID);
    assert_int_equal(cairn_run_read_samples(run, -2, found), CAIRN_INVALID);
    cairn_scene *scene;
    assert_int_equal(cairn_run_scene(run, &scene), CAIRN_OK);
    assert_int_equal(cairn_scene_sensor_count(scene), 2);
    cairn_scene_destroy(scene);
    cairn_run_close(run);
    cairn_context_destroy(context);
}

/* A run without joints and sensors has none of the groups. */
static void nothing_to_tell(void **state)
{
    (void)state;
    world w = world_new(2);
    add_point(w.model, "bead", 1, 0, 0, (cairn_material){.id = 0});
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    cairn_recorder *recorder;
    assert_int_equal(cairn_recorder_create(w.context, "plain.h5", w.simulation, NULL, &recorder), CAIRN_OK);
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    hid_t file = H5Fopen("plain.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    static const char *const GROUPS[] = {"reactions", "coordinates", "sensors"};
    for (int i = 0; i < 3; ++i)
        assert_int_equal(H5Lexists(file, GROUPS[i], H5P_DEFAULT), 0);
    H5Fclose(file);
    cairn_run *run;
    assert_int_equal(cairn_run_open(w.context, "plain.h5", &run), CAIRN_OK);
    assert_int_equal(cairn_run_sensor_count(run), 0);
    assert_int_equal(cairn_run_sample_count(run), 0);
    cairn_run_close(run);
    world_free(&w);
}

static void remove_link(const char *path)
{
    hid_t file = H5Fopen("damaged.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0 && H5Ldelete(file, path, H5P_DEFAULT) >= 0);
    H5Fclose(file);
}

/* A group without one of its datasets is refused by name; a file without the group, as older ones are, is read. */
static void parts_are_missing(void **state)
{
    (void)state;
    static const struct
    {
        const char *path;
        bool readable;
    } CASES[] = {{"reactions/names", false},   {"reactions/force", false},  {"coordinates/names", false},
                 {"coordinates/units", false}, {"coordinates/rate", false}, {"coordinates/limit_work", false},
                 {"sensors/names", false},     {"sensors/units", false},    {"sensors/time", false},
                 {"sensors/value", false},     {"sensors/start", false},    {"sensors/count", false},
                 {"reactions", true},          {"coordinates", true},       {"sensors", true}};
    static truth unused;
    cairn_context *context = cairn_context_create();
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        cairn_run *run;
        record("damaged.h5", &unused);
        remove_link(CASES[i].path);
        cairn_status status = cairn_run_open(context, "damaged.h5", &run);
        if (status != (CASES[i].readable ? CAIRN_OK : CAIRN_INVALID))
            fail_msg("without %s: status %d", CASES[i].path, status);
        if (status && !strstr(cairn_context_last_message(context), CASES[i].path))
            fail_msg("without %s: %s", CASES[i].path, cairn_context_last_message(context));
        cairn_run_close(status ? NULL : run);
    }
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(nothing_to_tell),
        cmocka_unit_test(parts_are_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
