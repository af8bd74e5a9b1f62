/* Run files: what a simulation did comes back bit by bit; the file is whole while it is written, after a kill and on a
 * full disk. */
#include "support/recording.h"

#include <dirent.h>
#include <hdf5.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void check_series(cairn_run *run, const char *name, const double *expected, int count)
{
    double values[256];
    assert_true(count <= 256 && count == (int)cairn_run_frame_count(run));
    assert_int_equal(cairn_run_read_series(run, name, values), CAIRN_OK);
    for (int i = 0; i < count; ++i)
        if (values[i] != expected[i])
            fail_msg("%s, frame %d: %.17g in the file, %.17g in the simulation", name, i, values[i], expected[i]);
}

/* ------------------------------------------------------------------------------------------------- tests */

static void what_is_written_comes_back(void **state)
{
    (void)state;
    enum
    {
        COUNT = 101
    };
    recording_frame *frames = recording_frames(COUNT);
    recording w = recording_start();
    cairn_recorder *recorder = recording_record(&w, "round.h5", 1, 0.5);
    recording_step(&w, recorder, COUNT - 1);
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);

    cairn_run *run = recording_open("round.h5");
    assert_int_equal(cairn_run_dimension(run), 2);
    assert_int_equal(cairn_run_frame_count(run), COUNT);
    assert_int_equal(cairn_run_body_count(run), RECORDING_BODIES);
    assert_string_equal(cairn_run_body_name(run, 0), "ground");
    assert_string_equal(cairn_run_body_name(run, 3), "bob");
    assert_string_equal(cairn_run_status(run), "done");
    assert_string_equal(cairn_run_scene_text(run), recording_scene);
    assert_string_equal(cairn_run_scene_name(run), "falling things");
    recording_check(run, frames, 0);

    double column[8][COUNT];
    int touched = 0;
    for (int i = 0; i < COUNT; ++i)
    {
        column[0][i] = i; /* steps count from 1, the initial frame is 0 */
        column[1][i] = frames[i].energy.total;
        column[2][i] = frames[i].energy.balance_error;
        column[3][i] = frames[i].stretch;
        column[4][i] = frames[i].joint_work;
        column[5][i] = frames[i].force_work;
        column[6][i] = i > 0 ? frames[i].report.solver.certificate.relative : 0;
        column[7][i] = frames[i].contact_count;
        touched += frames[i].contact_count > 0;
    }
    assert_true(touched > 10); /* or contacts were never tested */
    check_series(run, "step", column[0], COUNT);
    check_series(run, "energy/total", column[1], COUNT);
    check_series(run, "energy/balance_error", column[2], COUNT);
    check_series(run, "springs/stretch/coil", column[3], COUNT);
    check_series(run, "joints/work/rod", column[4], COUNT);
    check_series(run, "forces/work/push", column[5], COUNT);
    check_series(run, "certificate/relative", column[6], COUNT);
    check_series(run, "contacts/count", column[7], COUNT);
    cairn_run_close(run);
    free(frames);
}

static void series_are_listed_with_units(void **state)
{
    (void)state;
    cairn_run *run = recording_open("round.h5");
    int count = cairn_run_series_count(run);
    int found = 0;
    assert_true(count > 30);
    for (int i = 0; i < count; ++i)
    {
        double values[256];
        const char *name = cairn_run_series_name(run, i);
        assert_true(strlen(cairn_run_series_unit(run, i)) > 0);
        assert_int_equal(cairn_run_read_series(run, name, values), CAIRN_OK);
        found += !strcmp(name, "energy/kinetic") && !strcmp(cairn_run_series_unit(run, i), "J");
    }
    assert_int_equal(found, 1);
    double values[256];
    cairn_body_state states[RECORDING_BODIES];
    assert_string_equal(cairn_run_series_name(run, count), "");
    cairn_run_close(run);

    cairn_context *context = cairn_context_create();
    assert_int_equal(cairn_run_open(context, "round.h5", &run), CAIRN_OK);
    assert_int_equal(cairn_run_read_series(run, "energy/kinetik", values), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(context), "energy/kinetik"));
    assert_int_equal(cairn_run_read_frame(run, 101, states), CAIRN_INVALID);
    assert_int_equal(cairn_run_read_frame(run, -1, states), CAIRN_INVALID);
    cairn_run_close(run);
    cairn_context_destroy(context);
}

static herr_t check_attributes(hid_t object, const char *name, const H5O_info_t *info, void *data)
{
    if (info->type == H5O_TYPE_DATASET)
    {
        bool described = H5Aexists_by_name(object, name, "unit", H5P_DEFAULT) > 0 &&
                         H5Aexists_by_name(object, name, "description", H5P_DEFAULT) > 0;
        *(int *)data += described ? 1 : -1000;
    }
    return 0;
}

static void every_dataset_describes_itself(void **state)
{
    (void)state;
    hid_t file = H5Fopen("round.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    static const char *const ATTRIBUTES[] = {
        "format",    "format_version", "cairn_version", "created", "scene_name",    "units",
        "dimension", "step",           "integrator",    "law",     "stabilisation", "solver"};
    for (size_t i = 0; i < sizeof ATTRIBUTES / sizeof ATTRIBUTES[0]; ++i)
        assert_true(H5Aexists(file, ATTRIBUTES[i]) > 0);
    int described = 0;
    assert_true(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, check_attributes, &described, H5O_INFO_BASIC) >= 0);
    assert_true(described > 50);
    H5Fclose(file);
}

static void every_third_step_and_the_last_are_kept(void **state)
{
    (void)state;
    recording w = recording_start();
    cairn_recorder *recorder = recording_record(&w, "every.h5", 3, 0.5);
    recording_step(&w, recorder, 10);
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
    cairn_run *run = recording_open("every.h5");
    check_series(run, "step", (double[]){0, 3, 6, 9, 10}, 5);
    cairn_run_close(run);
}

static void a_run_is_read_while_it_goes_on(void **state)
{
    (void)state;
    recording_frame *frames = recording_frames(61);
    recording w = recording_start();
    cairn_recorder *recorder = recording_record(&w, "live.h5", 1, 0);
    for (int i = 0; i < 3; ++i)
    {
        cairn_run *run = recording_open("live.h5");
        assert_int_equal(cairn_run_frame_count(run), 20 * i + 1);
        assert_string_equal(cairn_run_status(run), "running");
        recording_step(&w, recorder, 20); /* an open reader does not stop the recorder */
        recording_check(run, frames, 0);  /* and keeps what it counted when it was opened */
        cairn_run_close(run);
    }
    assert_int_equal(cairn_recorder_close(recorder, "interrupted"), CAIRN_OK);
    cairn_run *run = recording_open("live.h5");
    assert_string_equal(cairn_run_status(run), "interrupted");
    assert_int_equal(cairn_run_frame_count(run), 61);
    recording_check(run, frames, 0);
    cairn_run_close(run);
    recording_free(&w);
    free(frames);
}

/* Runs in a child whose files may not grow over `bytes`. Exit status: 10 + the status of the call that failed. */
static int record_with_limit(const char *path, size_t bytes)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
    {
        signal(SIGXFSZ, SIG_IGN);
        recording w = recording_start();
        struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
        cairn_recorder *recorder;
        cairn_recorder_options options = cairn_recorder_default();
        options.flush_interval = 0;
        cairn_status status = cairn_recorder_create(w.context, path, w.simulation, &options, &recorder);
        if (status)
        {
            bool named = strstr(cairn_context_last_message(w.context), path);
            _exit(named ? 20 + (int)status : 1);
        }
        for (int i = 0; i < 5000 && !status; ++i)
            status = cairn_simulation_step(w.simulation) ? CAIRN_NUMERIC : cairn_recorder_write(recorder);
        bool named = strstr(cairn_context_last_message(w.context), path) &&
                     strstr(cairn_context_last_message(w.context), "remain valid");
        bool closed_badly = cairn_recorder_close(recorder, "done") == CAIRN_IO;
        _exit(named && closed_badly ? 10 + (int)status : 2);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

static int parts_in_directory(void)
{
    DIR *directory = opendir(".");
    int parts = 0;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
        parts += strstr(entry->d_name, ".part") != NULL;
    closedir(directory);
    return parts;
}

static void a_full_disk_is_reported_and_frames_remain(void **state)
{
    (void)state;
    unlink("full.h5");
    assert_int_equal(record_with_limit("full.h5", 1500000), 10 + CAIRN_IO);
    cairn_run *run = recording_open("full.h5");
    int count = (int)cairn_run_frame_count(run);
    assert_true(count > 1 && count < 5000);
    recording_frame *frames = recording_frames(count);
    recording_check(run, frames, 0);
    cairn_run_close(run);
    free(frames);
}

static void a_disk_full_from_the_start_leaves_nothing(void **state)
{
    (void)state;
    size_t sizes[] = {0, 1000, 50000, 200000};
    unlink("none.h5");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
    {
        assert_int_equal(record_with_limit("none.h5", sizes[i]), 20 + CAIRN_IO);
        assert_int_equal(access("none.h5", F_OK), -1);
    }
    /* A run file that was there before is still there, whole. */
    assert_int_equal(record_with_limit("every.h5", 1000), 20 + CAIRN_IO);
    cairn_run *run = recording_open("every.h5");
    assert_int_equal(cairn_run_frame_count(run), 5);
    cairn_run_close(run);
    /* Only files of killed processes may be left behind, and those tests kill after the rename. */
    assert_int_equal(parts_in_directory(), 0);
}

/* A dataset that lags behind counts: only frames that all datasets have are frames. */
static void frames_are_those_every_dataset_has(void **state)
{
    (void)state;
    size_t size;
    char *bytes = read_whole("round.h5", &size);
    write_whole("lag.h5", bytes, size);
    free(bytes);
    hid_t file = H5Fopen("lag.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "/bodies/angle", H5P_DEFAULT);
    assert_true(H5Dset_extent(dataset, (hsize_t[]){70, RECORDING_BODIES}) >= 0);
    H5Dclose(dataset);
    H5Fclose(file);
    recording_frame *frames = recording_frames(70);
    cairn_run *run = recording_open("lag.h5");
    assert_int_equal(cairn_run_frame_count(run), 70);
    recording_check(run, frames, 0);
    cairn_run_close(run);
    free(frames);
}

/* A user's system: one coordinate under a constant force, q = t^2 / 2 up to the scheme's error. */
static void unit_mass(void *data, const double *q, double *M)
{
    (void)data;
    (void)q;
    M[0] = 1;
}

static void unit_force(void *data, double t, const double *q, const double *v, double *k)
{
    (void)data;
    (void)t;
    (void)q;
    (void)v;
    k[0] = 1;
}

static void a_users_system_is_recorded(void **state)
{
    (void)state;
    recording w = {.context = cairn_context_create()};
    cairn_model *model = NULL;
    assert_int_equal(cairn_model_create(w.context, 2, &model), CAIRN_OK);
    double q0 = 3;
    cairn_system_options options = {
        .struct_size = sizeof options, .name = "slide", .n = 1, .q = &q0, .mass = unit_mass, .force = unit_force};
    cairn_system system;
    assert_int_equal(cairn_model_add_system(model, &options, &system), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    assert_int_equal(cairn_simulation_create(w.context, model, &settings, &w.simulation), CAIRN_OK);
    cairn_recorder *recorder = recording_record(&w, "system.h5", 1, 0.5);
    recording_step(&w, recorder, 10);
    assert_int_equal(cairn_recorder_close(recorder, NULL), CAIRN_OK);
    recording_free(&w);
    cairn_model_destroy(model);

    cairn_run *run = recording_open("system.h5");
    assert_int_equal(cairn_run_body_count(run), 0);
    assert_int_equal(cairn_run_frame_count(run), 11);
    assert_int_equal(cairn_run_read_frame(run, 10, NULL), CAIRN_OK);
    cairn_run_close(run);
    double v[11][1];
    double q[11][1];
    hid_t file = H5Fopen("system.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "/systems/v", H5P_DEFAULT);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0);
    H5Dclose(dataset);
    dataset = H5Dopen2(file, "/systems/q", H5P_DEFAULT);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q) >= 0);
    H5Dclose(dataset);
    H5Fclose(file);
    for (int i = 0; i < 11; ++i)
        assert_true(fabs(v[i][0] - settings.step * i) < 1e-12);
    assert_true(q[0][0] == 3);
    /* h^2 (1 + 2 + ... + 10) */
    assert_true(fabs(q[10][0] - (3 + settings.step * settings.step * 55)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_comes_back),
        cmocka_unit_test(series_are_listed_with_units),
        cmocka_unit_test(every_dataset_describes_itself),
        cmocka_unit_test(every_third_step_and_the_last_are_kept),
        cmocka_unit_test(a_run_is_read_while_it_goes_on),
        cmocka_unit_test(a_full_disk_is_reported_and_frames_remain),
        cmocka_unit_test(a_disk_full_from_the_start_leaves_nothing),
        cmocka_unit_test(frames_are_those_every_dataset_has),
        cmocka_unit_test(a_users_system_is_recorded),
    };
    return cmocka_run_group_tests_name("run files", tests, NULL, NULL);
}
