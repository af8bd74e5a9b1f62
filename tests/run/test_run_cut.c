/* Run files cut short anywhere: the frames that are told are those of the run, more of them the later the cut, or there is a
 * sentence. */
#include "support/check.h"
#include "support/recording.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    FRAMES = 901,
    CUTS = 30,
};

static recording_frame *expected;
static char *bytes;
static size_t size;

static int set_up(void **state)
{
    (void)state;
    recording w = recording_start();
    cairn_recorder *recorder = recording_record(&w, "whole.h5", 1, 0.5);
    for (int i = 0; i < 30; ++i)
    {
        recording_step(&w, recorder, (FRAMES - 1) / 30);
        assert_int_equal(cairn_recorder_flush(recorder), CAIRN_OK);
    }
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
    expected = recording_frames(FRAMES);
    bytes = read_whole("whole.h5", &size);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(expected);
    free(bytes);
    return 0;
}

/* How many frames are read of a file cut to this length, each compared with the run's; 0: refused. */
static int64_t read_cut(size_t length)
{
    write_whole("cut.h5", bytes, length);
    cairn_context *context = cairn_context_create();
    cairn_run *run;
    cairn_status status = cairn_run_open_cut(context, "cut.h5", &run);
    int64_t frames = 0;
    if (status)
    {
        assert_null(run);
        assert_int_equal(status, CAIRN_INVALID);
        assert_non_null(strstr(cairn_context_last_message(context), "cut.h5"));
    }
    else
    {
        const cairn_event *events;
        int64_t count;
        frames = cairn_run_frame_count(run);
        assert_true(frames >= 1 && frames <= FRAMES);
        assert_string_equal(cairn_run_status(run), "cut-short");
        assert_int_equal(cairn_run_read_events(run, &events, &count), CAIRN_OK);
        recording_check(run, expected, 0);
        cairn_run_close(run);
    }
    cairn_context_destroy(context);
    return frames;
}

/* In a process of its own, since HDF5 1.10 leaks when it meets damaged metadata. */
static int64_t frames_of(size_t length)
{
    int ends[2], status;
    int64_t frames = -1;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
    {
        frames = read_cut(length);
        _exit(write(ends[1], &frames, sizeof frames) == (ssize_t)sizeof frames ? 0 : 1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &frames, sizeof frames), sizeof frames);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return frames;
}

static void frames_that_are_there_are_right(void **state)
{
    (void)state;
    int64_t before = 0;
    for (size_t i = 1; i <= CUTS; ++i)
    {
        int64_t frames = frames_of(size * i / CUTS);
        assert_true(frames >= before);
        before = frames;
    }
    assert_int_equal(before, FRAMES); /* the whole file */
    assert_true(frames_of(size / 2) >= FRAMES / 4);
    assert_true(frames_of(size / 4 * 3) >= FRAMES / 2);
}

static void small_cuts_are_refused(void **state)
{
    (void)state;
    static const size_t LENGTHS[] = {0, 1, 7, 8, 9, 47, 48, 49, 100, 500, 2000};
    for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; ++i)
        assert_int_equal(frames_of(LENGTHS[i]), 0);
}

static void random_cuts(void **state)
{
    (void)state;
    srand(5);
    for (int i = 0; i < CUTS; ++i)
        frames_of((size_t)rand() % size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_that_are_there_are_right),
        cmocka_unit_test(small_cuts_are_refused),
        cmocka_unit_test(random_cuts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
