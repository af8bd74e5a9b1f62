/* Run files whose parts contradict each other: a scene that is not the one the rows were recorded from, names that are not
 * there, indices of bodies that no file can have. Each is refused with a sentence before anything is read by the wrong
 * count. */
#include "support/recording.h"

#include <hdf5.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    STEPS = 30
};

/* A run of the small world, with this text in the place of its scene. */
static void record(const char *path, const char *text)
{
    recording w = recording_start();
    cairn_recorder_options options = cairn_recorder_default();
    options.scene_name = "forged";
    options.scene_text = text;
    cairn_recorder *recorder;
    assert_int_equal(cairn_recorder_create(w.context, path, w.simulation, &options, &recorder), CAIRN_OK);
    recording_step(&w, recorder, STEPS);
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
}

/* The small world's scene with one part of its text replaced; released with free. */
static char *forge(const char *part, const char *by)
{
    const char *place = strstr(recording_scene, part);
    assert_non_null(place);
    size_t size = strlen(recording_scene) + strlen(by) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%.*s%s%s", (int)(place - recording_scene), recording_scene, by, place + strlen(part));
    return text;
}

static void check_sentence(const cairn_context *context, const char *words)
{
    const char *message = cairn_context_last_message(context);
    if (!strstr(message, words))
        fail_msg("expected '%s' in: %s", words, message);
}

static void scene_is_refused(const char *part, const char *by, const char *words)
{
    char *text = forge(part, by);
    record("forged.h5", text);
    cairn_context *context = cairn_context_create();
    cairn_run *run;
    cairn_scene *scene = NULL;
    assert_int_equal(cairn_run_open(context, "forged.h5", &run), CAIRN_OK);
    assert_int_equal(cairn_run_scene(run, &scene), CAIRN_INVALID);
    assert_null(scene);
    check_sentence(context, words);
    cairn_run_close(run);
    cairn_context_destroy(context);
    free(text);
}

static void a_scene_that_is_not_the_runs_is_refused(void **state)
{
    (void)state;
    scene_is_refused("bodies:\n", "bodies:\n  - {name: more, point: true, mass: 1}\n",
                     "does not fit its own scene: the scene has 5 bodies, the recorded data 4");
    scene_is_refused("joints: [{name: rod, type: distance, bodies: [bob, world], points: [[0, 0], [4, 2]]}]\n", "",
                     "the scene has 0 joints, the recorded data 1");
    scene_is_refused("springs: [", "springs: [{name: two, type: linear, bodies: [ball, bob], stiffness: 1}, ",
                     "where the scene has 'two' among its springs, the recorded data have 'coil'");
    scene_is_refused("name: coil", "name: helix", "where the scene has 'helix' among its springs");
    scene_is_refused("forces: [{name: push, body: box, force: [\"cos(t)\", 0]}]",
                     "forces: [{name: push, body: box, force: [1, 0]}, {name: pull, body: box, force: [1, 0]}]",
                     "the scene has 2 forces, the recorded data 1");
    scene_is_refused("name: ground", "name: Ground",
                     "where the scene has 'Ground' among its bodies, the recorded data");
    scene_is_refused(recording_scene, "dimension: 3\n", "the scene has 3 dimensions, the recorded data 2");
    scene_is_refused(recording_scene, "", "'forged.h5' holds no scene");
    scene_is_refused("dimension: 2", "dimension: 5", "dimension");
}

static void the_scene_of_a_run_is_given_back(void **state)
{
    (void)state;
    record("whole.h5", recording_scene);
    cairn_run *run = recording_open("whole.h5");
    cairn_scene *scene;
    assert_int_equal(cairn_run_scene(run, &scene), CAIRN_OK);
    assert_int_equal(cairn_model_body_count(cairn_scene_model(scene)), RECORDING_BODIES);
    assert_int_equal(cairn_model_spring_count(cairn_scene_model(scene)), 1);
    cairn_scene_destroy(scene);
    cairn_run_close(run);
}

static void without(const char *dataset, const char *words)
{
    record("holes.h5", recording_scene);
    hid_t file = H5Fopen("holes.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0 && H5Ldelete(file, dataset, H5P_DEFAULT) >= 0 && H5Fclose(file) >= 0);
    cairn_context *context = cairn_context_create();
    cairn_run *run = NULL;
    assert_int_equal(cairn_run_open(context, "holes.h5", &run), CAIRN_INVALID);
    assert_null(run);
    check_sentence(context, words);
    cairn_context_destroy(context);
}

static void a_file_without_names_is_refused(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"/bodies/names", "/springs/names", "/joints/names", "/forces/names",
                                        "/joints/impulse"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; ++i)
    {
        char words[96];
        snprintf(words, sizeof words, "dataset '%s' is missing", NAMES[i]);
        without(NAMES[i], words);
    }
}

/* Names for another number of things than the rows have. */
static void names_that_do_not_match_the_rows_are_refused(void **state)
{
    (void)state;
    static const char *const GROUPS[][2] = {{"/bodies/names", "/bodies/position"},
                                            {"/springs/names", "/springs/stretch"},
                                            {"/joints/names", "/joints/work"},
                                            {"/forces/names", "/forces/work"}};
    for (size_t i = 0; i < sizeof GROUPS / sizeof GROUPS[0]; ++i)
    {
        record("names.h5", recording_scene);
        static const char TEXT[7][2] = {"a", "b", "c", "d", "e", "f", "g"};
        hid_t file = H5Fopen("names.h5", H5F_ACC_RDWR, H5P_DEFAULT);
        hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, (hsize_t[]){7}, NULL);
        assert_true(H5Tset_size(type, 2) >= 0 && H5Ldelete(file, GROUPS[i][0], H5P_DEFAULT) >= 0);
        hid_t set = H5Dcreate2(file, GROUPS[i][0], type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, TEXT) >= 0);
        H5Dclose(set);
        H5Sclose(space);
        H5Tclose(type);
        H5Fclose(file);
        cairn_context *context = cairn_context_create();
        cairn_run *run = NULL;
        assert_int_equal(cairn_run_open(context, "names.h5", &run), CAIRN_INVALID);
        check_sentence(context, GROUPS[i][1]);
        cairn_context_destroy(context);
    }
}

/* One number over the first entry of a dataset of integers. */
static void overwrite(const char *path, const char *dataset, int32_t value)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, dataset, H5P_DEFAULT), space = H5Dget_space(set);
    hid_t one = H5Screate_simple(1, (hsize_t[]){1}, NULL);
    assert_true(H5Sselect_hyperslab(space, H5S_SELECT_SET, (hsize_t[]){0}, NULL, (hsize_t[]){1}, NULL) >= 0);
    assert_true(H5Dwrite(set, H5T_NATIVE_INT32, one, space, H5P_DEFAULT, &value) >= 0);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

/* How many of the frames' lists of contacts can be read. */
static int readable_lists(cairn_run *run)
{
    int readable = 0;
    for (int64_t i = 0; i < cairn_run_frame_count(run); ++i)
    {
        const cairn_contact *contacts;
        int count;
        readable += !cairn_run_read_contacts(run, i, &contacts, &count);
    }
    return readable;
}

static void indices_of_no_body_are_refused(void **state)
{
    (void)state;
    static const int32_t INDICES[] = {INT32_MAX, INT32_MIN, -2, RECORDING_BODIES};
    for (size_t i = 0; i < sizeof INDICES / sizeof INDICES[0]; ++i)
    {
        record("index.h5", recording_scene);
        overwrite("index.h5", "/contacts/body_a", INDICES[i]);
        cairn_context *context = cairn_context_create();
        cairn_run *run;
        assert_int_equal(cairn_run_open(context, "index.h5", &run), CAIRN_OK);
        assert_int_equal(readable_lists(run), cairn_run_frame_count(run) - 1);
        check_sentence(context, "contacts/body_a cannot be read");
        cairn_run_close(run);
        cairn_context_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scene_of_a_run_is_given_back),
        cmocka_unit_test(a_scene_that_is_not_the_runs_is_refused),
        cmocka_unit_test(a_file_without_names_is_refused),
        cmocka_unit_test(names_that_do_not_match_the_rows_are_refused),
        cmocka_unit_test(indices_of_no_body_are_refused),
    };
    return cmocka_run_group_tests_name("scenes of run files", tests, NULL, NULL);
}
