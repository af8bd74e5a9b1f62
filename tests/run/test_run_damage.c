/* Run files that are none, or no more: refused with a sentence, never with a crash; and paths no run can go to. */
#include "support/recording.h"

#include <hdf5.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static cairn_simulation *pendulum(cairn_context *context, cairn_scene **scene)
{
    const cairn_builtin *builtin = cairn_builtin_find("pendulum");
    assert_non_null(builtin);
    assert_int_equal(cairn_scene_parse(context, builtin->name, builtin->text, builtin->length, NULL, 0, scene),
                     CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(*scene);
    cairn_simulation *simulation;
    assert_int_equal(cairn_simulation_create(context, cairn_scene_model(*scene), &settings, &simulation), CAIRN_OK);
    return simulation;
}

/* whole.h5: a small run file, the one that the tests spoil copies of. */
static int make_whole(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    cairn_simulation *simulation = pendulum(context, &scene);
    cairn_recorder *recorder;
    assert_int_equal(cairn_recorder_create(context, "whole.h5", simulation, NULL, &recorder), CAIRN_OK);
    for (int i = 0; i < 100; ++i)
    {
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        assert_int_equal(cairn_recorder_write(recorder), CAIRN_OK);
    }
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return 0;
}

static void a_wrong_path_is_refused(void **state)
{
    (void)state;
    static const char *const PATHS[] = {"no/such/directory/run.h5", ".", "whole.h5/run.h5", "/dev/null", ""};
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    cairn_simulation *simulation = pendulum(context, &scene);
    for (size_t i = 0; i < sizeof PATHS / sizeof PATHS[0]; ++i)
    {
        cairn_recorder *recorder = NULL;
        cairn_context_clear(context);
        cairn_status status = cairn_recorder_create(context, PATHS[i], simulation, NULL, &recorder);
        assert_int_equal(status, CAIRN_IO);
        assert_null(recorder);
        assert_int_equal(cairn_context_message_count(context), 1);
        assert_non_null(strstr(cairn_context_last_message(context), PATHS[i]));
    }
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static void refused_by(const char *path, cairn_status status, const char *word)
{
    cairn_context *context = cairn_context_create();
    cairn_run *run = NULL;
    assert_int_equal(cairn_run_open(context, path, &run), status);
    assert_null(run);
    assert_int_equal(cairn_context_message_count(context), 1);
    const char *text = cairn_context_last_message(context);
    if (!strstr(text, path) || !strstr(text, word))
        fail_msg("expected '%s' and '%s' in: %s", path, word, text);
    cairn_context_destroy(context);
}

static void refused(const char *path, const char *word)
{
    refused_by(path, CAIRN_INVALID, word);
}

static void a_file_cut_short_is_refused(void **state)
{
    (void)state;
    size_t size;
    char *bytes = read_whole("whole.h5", &size);
    size_t cuts[] = {0, 1, 7, 8, 9, 20, 47, 48, 49, 100, 500, 2000, size / 4, size / 2, size - 5000, size - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; ++i)
    {
        write_whole("cut.h5", bytes, cuts[i]);
        refused("cut.h5", cuts[i] < 8 ? "not a run file" : "cut short");
    }
    srand(11);
    for (int i = 0; i < 40; ++i)
    {
        write_whole("cut.h5", bytes, 8 + (size_t)rand() % (size - 8));
        refused("cut.h5", "cut short");
    }
    free(bytes);
}

static void what_is_no_run_file_is_refused(void **state)
{
    (void)state;
    write_whole("text.h5", "dimension: 2\n", 13);
    refused("text.h5", "not an HDF5 file");
    refused_by("missing.h5", CAIRN_IO, "No such file");
    refused(".", "not a run file");
    hid_t file = H5Fcreate("other.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0 && H5Fclose(file) >= 0);
    refused("other.h5", "cairn-run");

    size_t size;
    char *bytes = read_whole("whole.h5", &size);
    write_whole("newer.h5", bytes, size);
    write_whole("holes.h5", bytes, size);
    free(bytes);
    int version = 99;
    file = H5Fopen("newer.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_INT, &version) >= 0);
    H5Aclose(attribute);
    H5Fclose(file);
    refused("newer.h5", "99");

    file = H5Fopen("holes.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, "/bodies/velocity", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    refused("holes.h5", "bodies/velocity");
}

/* Everything there is to read, whether it can be or not; the number of frames that could. */
static int read_all(cairn_run *run)
{
    int read = 0;
    const cairn_event *events;
    int64_t event_count;
    double *values = calloc((size_t)cairn_run_frame_count(run) + 1, sizeof *values);
    assert_non_null(values);
    for (int64_t k = 0; k < cairn_run_frame_count(run); ++k)
    {
        cairn_body_state states[16];
        const cairn_contact *contacts;
        int count;
        assert_true(cairn_run_body_count(run) <= 16);
        read += !cairn_run_read_frame(run, k, states);
        cairn_run_read_contacts(run, k, &contacts, &count);
    }
    for (int i = 0; i < cairn_run_series_count(run); ++i)
        cairn_run_read_series(run, cairn_run_series_name(run, i), values);
    cairn_run_read_events(run, &events, &event_count);
    free(values);
    return read;
}

/* In a process of its own, since HDF5 1.10 leaks when it meets damaged metadata. An alarm ends what takes too long. */
static bool is_readable(const char *path)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
    {
        cairn_run *run;
        alarm(20);
        if (cairn_run_open(NULL, path, &run))
            _exit(1);
        int read = read_all(run);
        cairn_run_close(run);
        _exit(read > 0 ? 0 : 1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) <= 1);
    return WEXITSTATUS(how) == 0;
}

/* Raw data carries no checksum, so a flipped byte there is another number; metadata carry them. Either way reading is
 * safe and ends soon. */
static void flipped_bytes_do_no_harm(void **state)
{
    (void)state;
    enum
    {
        FLIPS = 150
    };
    size_t size;
    char *bytes = read_whole("whole.h5", &size);
    int readable = 0;
    srand(5);
    for (int i = 0; i < FLIPS; ++i)
    {
        /* Most of the metadata stand in the first part. */
        size_t place = (size_t)rand() % (i % 2 ? size : 40000);
        char before = bytes[place];
        bytes[place] = (char)(before ^ (1 << rand() % 8));
        write_whole("flip.h5", bytes, size);
        bytes[place] = before;
        readable += is_readable("flip.h5");
    }
    assert_true(readable > FLIPS / 4 && readable < FLIPS * 9 / 10);
    free(bytes);
}

static herr_t shout(hid_t stack, void *data)
{
    (void)stack;
    ++*(int *)data;
    return 0;
}

static void hdf5_stays_silent_and_as_it_was(void **state)
{
    (void)state;
    int shouts = 0;
    H5E_auto2_t before;
    void *before_data;
    H5Eget_auto2(H5E_DEFAULT, &before, &before_data);
    H5Eset_auto2(H5E_DEFAULT, shout, &shouts);
    refused("other.h5", "cairn-run");
    refused("holes.h5", "bodies/velocity");
    cairn_run *run;
    assert_int_equal(cairn_run_open(NULL, "whole.h5", &run), CAIRN_OK);
    cairn_run_close(run);
    assert_int_equal(shouts, 0);
    H5Fopen("missing.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_int_equal(shouts, 1);
    H5Eset_auto2(H5E_DEFAULT, before, before_data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_path_is_refused),         cmocka_unit_test(a_file_cut_short_is_refused),
        cmocka_unit_test(what_is_no_run_file_is_refused),  cmocka_unit_test(flipped_bytes_do_no_harm),
        cmocka_unit_test(hdf5_stays_silent_and_as_it_was),
    };
    return cmocka_run_group_tests_name("damaged run files", tests, make_whole, NULL);
}
