/* Events, parameters and problems in run files: what the simulation told comes back, whatever is left out by `every`, and
 * files of format version 1 are still read. */
#include "support/check.h"

#include <cairn/cairn.h>

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two balls of different bounce, so that events are many and fall into different steps. */
static const char SCENE[] =
    "dimension: 2\n"
    "parameters: {r: 0.1, e: 0.5}\n"
    "materials: [{name: m, restitution: e}]\n"
    "bodies:\n"
    "  - {name: ground, kind: fixed, material: m, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
    "  - {name: one, position: [0, 0.5 + r], mass: 1, inertia: 1, material: m, shapes: [{type: circle, radius: r}]}\n"
    "  - {name: two, position: [3, 0.8 + r], mass: 2, inertia: 1, material: m, shapes: [{type: circle, radius: r}]}\n"
    "simulation: {step: 0.01, until: 1.5, integrator: stiff2, law: frictionless}\n";

enum
{
    STEPS = 100,
    MOST_EVENTS = 256
};

typedef struct story
{
    cairn_event events[MOST_EVENTS];
    int count;
    int seen[STEPS + 1]; /* events up to and with a step */
    int problems[STEPS + 1];
} story;

typedef struct world
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_simulation *simulation;
    cairn_recorder *recorder;
} world;

static world begin(const char *path, int every, const cairn_parameter *parameters, int parameter_count)
{
    world w = {.context = cairn_context_create()};
    if (cairn_scene_parse(w.context, "scene", SCENE, strlen(SCENE), parameters, parameter_count, &w.scene))
        fail_msg("%s", cairn_context_last_message(w.context));
    cairn_settings settings = cairn_scene_settings(w.scene);
    assert_int_equal(cairn_simulation_create(w.context, cairn_scene_model(w.scene), &settings, &w.simulation),
                     CAIRN_OK);
    cairn_recorder_options options = cairn_recorder_default();
    options.scene_text = SCENE;
    options.every = every;
    options.flush_interval = 1e9;
    options.parameters = parameters;
    options.parameter_count = parameter_count;
    assert_int_equal(cairn_recorder_create(w.context, path, w.simulation, &options, &w.recorder), CAIRN_OK);
    return w;
}

/* Step, record, and keep what the simulation tells. */
static story go(world *w)
{
    story s = {.count = 0};
    for (int i = 1; i <= STEPS; ++i)
    {
        assert_int_equal(cairn_simulation_step(w->simulation), CAIRN_OK);
        for (int k = 0; k < cairn_simulation_event_count(w->simulation); ++k)
        {
            assert_true(s.count < MOST_EVENTS);
            s.events[s.count++] = cairn_simulation_event(w->simulation, k);
        }
        s.seen[i] = s.count;
        s.problems[i] = cairn_simulation_report(w->simulation)->problems;
        assert_int_equal(cairn_recorder_write(w->recorder), CAIRN_OK);
    }
    return s;
}

static void end(world *w)
{
    assert_int_equal(cairn_recorder_close(w->recorder, "done"), CAIRN_OK);
    cairn_simulation_destroy(w->simulation);
    cairn_scene_destroy(w->scene);
    cairn_context_destroy(w->context);
}

static story run_and_record(const char *path, int every, const cairn_parameter *parameters, int parameter_count)
{
    world w = begin(path, every, parameters, parameter_count);
    story s = go(&w);
    end(&w);
    return s;
}

static cairn_run *open_run(const char *path)
{
    cairn_context *context = cairn_context_create();
    cairn_run *run;
    if (cairn_run_open(context, path, &run))
        fail_msg("%s", cairn_context_last_message(context));
    cairn_run_close(run);
    cairn_context_destroy(context);
    assert_int_equal(cairn_run_open(NULL, path, &run), CAIRN_OK);
    return run;
}

static void same_events(cairn_run *run, const story *s, int expected)
{
    const cairn_event *events;
    int64_t count;
    assert_int_equal(cairn_run_read_events(run, &events, &count), CAIRN_OK);
    assert_int_equal(count, expected);
    assert_int_equal(cairn_run_event_count(run), expected);
    for (int i = 0; i < expected; ++i)
    {
        const cairn_event *a = &events[i], *b = &s->events[i];
        assert_int_equal(a->kind, b->kind);
        assert_true(a->time == b->time && a->speed == b->speed && a->impulse == b->impulse);
        assert_true(a->contact == b->contact && a->energy_grew == b->energy_grew);
        assert_int_equal(a->a.id, b->a.id);
        assert_int_equal(a->b.id, b->b.id);
    }
}

static void events_come_back(void **state)
{
    (void)state;
    story s = run_and_record("events.h5", 1, NULL, 0);
    assert_true(s.count > 8); /* or nothing was tested */
    cairn_run *run = open_run("events.h5");
    same_events(run, &s, s.count);
    double problems[STEPS + 1], counts[STEPS + 1];
    assert_int_equal(cairn_run_read_series(run, "problems", problems), CAIRN_OK);
    assert_int_equal(cairn_run_read_series(run, "events/count", counts), CAIRN_OK);
    for (int i = 1; i <= STEPS; ++i)
    {
        assert_true(problems[i] == s.problems[i]);
        assert_true(counts[i] == s.seen[i] - s.seen[i - 1]);
    }
    assert_int_equal(cairn_run_parameter_count(run), 0);
    cairn_run_close(run);
}

/* Steps that are not recorded lose their states, not their events: these belong to the next frame. */
static void thinned_runs_keep_all_events(void **state)
{
    (void)state;
    story s = run_and_record("thin.h5", 7, NULL, 0);
    cairn_run *run = open_run("thin.h5");
    assert_int_equal(cairn_run_frame_count(run), 1 + STEPS / 7 + 1); /* the start, each 7th, the last */
    same_events(run, &s, s.count);
    double step[STEPS + 1], counts[STEPS + 1];
    assert_int_equal(cairn_run_read_series(run, "step", step), CAIRN_OK);
    assert_int_equal(cairn_run_read_series(run, "events/count", counts), CAIRN_OK);
    for (int i = 1; i < 1 + STEPS / 7 + 1; ++i)
        assert_true(counts[i] == s.seen[(int)step[i]] - s.seen[(int)step[i - 1]]);
    cairn_run_close(run);
}

/* A run that is still going: events after the last recorded frame are in the file, but do not count yet. */
static void only_events_of_whole_frames(void **state)
{
    (void)state;
    world w = begin("open.h5", 60, NULL, 0);
    story s = go(&w);
    assert_int_equal(cairn_recorder_flush(w.recorder), CAIRN_OK);
    assert_true(s.seen[STEPS] > s.seen[60]);
    cairn_run *run = open_run("open.h5");
    assert_int_equal(cairn_run_frame_count(run), 2);
    same_events(run, &s, s.seen[60]);
    cairn_run_close(run);
    end(&w);
    run = open_run("open.h5");
    assert_int_equal(cairn_run_frame_count(run), 3);
    same_events(run, &s, s.count);
    cairn_run_close(run);
}

static void parameters_come_back(void **state)
{
    (void)state;
    const cairn_parameter given[] = {{"e", "1/4"}, {"r", "0.2"}};
    run_and_record("parameters.h5", 10, given, 2);
    cairn_run *run = open_run("parameters.h5");
    assert_int_equal(cairn_run_parameter_count(run), 2);
    for (int i = 0; i < 2; ++i)
    {
        assert_string_equal(cairn_run_parameter(run, i).name, given[i].name);
        assert_string_equal(cairn_run_parameter(run, i).value, given[i].value);
    }
    assert_string_equal(cairn_run_parameter(run, 2).name, "");
    cairn_run_close(run);
}

/* ------------------------------------------------------------------------------- other files, made by hand from ours */

static hid_t open_to_change(const char *from, const char *path)
{
    char command[128];
    snprintf(command, sizeof command, "cp %s %s", from, path);
    assert_int_equal(system(command), 0);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static void set_version(hid_t file, int version)
{
    hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_INT, &version) >= 0);
    H5Aclose(attribute);
}

/* Version 1: no events, no problems, no parameters. */
static void version_one_is_read(void **state)
{
    (void)state;
    hid_t file = open_to_change("events.h5", "old.h5");
    set_version(file, 1);
    assert_true(H5Ldelete(file, "/events", H5P_DEFAULT) >= 0);
    assert_true(H5Ldelete(file, "/problems", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    cairn_run *run = open_run("old.h5");
    const cairn_event *events;
    int64_t count;
    double values[STEPS + 1];
    assert_int_equal(cairn_run_frame_count(run), STEPS + 1);
    assert_int_equal(cairn_run_read_events(run, &events, &count), CAIRN_OK);
    assert_int_equal(count, 0);
    assert_null(events);
    assert_int_equal(cairn_run_read_series(run, "energy/total", values), CAIRN_OK);
    assert_int_equal(cairn_run_read_series(run, "problems", values), CAIRN_INVALID);
    cairn_run_close(run);
}

static void overwrite_int(hid_t file, const char *path, int32_t value)
{
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    hsize_t first = 0, one = 1;
    hid_t memory = H5Screate_simple(1, &one, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &one, NULL);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_INT32, memory, space, H5P_DEFAULT, &value) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(dataset);
}

/* A file that lacks its events is not whole; events of no kind or no body are not handed out. */
static void damaged_events_are_refused(void **state)
{
    (void)state;
    cairn_run *run;
    hid_t file = open_to_change("events.h5", "damaged.h5");
    assert_true(H5Ldelete(file, "/events/impulse", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    assert_int_equal(cairn_run_open(NULL, "damaged.h5", &run), CAIRN_INVALID);
    const struct
    {
        const char *path;
        int32_t value;
    } bad[] = {
        {"/events/kind", CAIRN_EVENT_KINDS}, {"/events/kind", -1}, {"/events/body_a", 3}, {"/events/body_b", -2}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        file = open_to_change("events.h5", "damaged.h5");
        overwrite_int(file, bad[i].path, bad[i].value);
        H5Fclose(file);
        const cairn_event *events;
        int64_t count;
        assert_int_equal(cairn_run_open(NULL, "damaged.h5", &run), CAIRN_OK);
        assert_int_equal(cairn_run_read_events(run, &events, &count), CAIRN_IO);
        assert_null(events);
        cairn_run_close(run);
    }
}

/* What other programs need to read the kinds. */
static void kinds_are_named_in_the_file(void **state)
{
    (void)state;
    hid_t file = H5Fopen("events.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "/events/kind", H5P_DEFAULT);
    hid_t attribute = H5Aopen(dataset, "names", H5P_DEFAULT);
    assert_true(attribute >= 0);
    hid_t type = H5Aget_type(attribute);
    char names[256] = "";
    assert_true(H5Tget_size(type) < sizeof names);
    assert_true(H5Aread(attribute, type, names) >= 0);
    char *word = strtok(names, ",");
    for (int kind = 0; kind < CAIRN_EVENT_KINDS; ++kind, word = strtok(NULL, ","))
    {
        assert_non_null(word);
        assert_string_equal(word, cairn_event_name((cairn_event_kind)kind));
    }
    assert_null(word);
    H5Tclose(type);
    H5Aclose(attribute);
    H5Dclose(dataset);
    H5Fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_back),
        cmocka_unit_test(thinned_runs_keep_all_events),
        cmocka_unit_test(only_events_of_whole_frames),
        cmocka_unit_test(parameters_come_back),
        cmocka_unit_test(version_one_is_read),
        cmocka_unit_test(damaged_events_are_refused),
        cmocka_unit_test(kinds_are_named_in_the_file),
    };
    return cmocka_run_group_tests_name("run events", tests, NULL, NULL);
}
