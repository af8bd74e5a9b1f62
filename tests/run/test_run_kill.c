/* A run file after its writer was killed, at every moment at which that can make a difference.
 *
 * What a kill leaves in the file are the writes that were done, and of the last one as many pages as had been copied. All
 * calls that change a file are caught here, by functions of the same names, and kept; then the file is put together as it
 * was after each of them, and after each page of each of them, and read. Real kills follow.
 */
#include "support/check.h"
#include "support/file_changes.h"
#include "support/recording.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The file as it is now is read soon, holds the frames before the flush or those after it, and `checked` of its last
 * frames are right. */
static int64_t read_torn(const recording_frame *frames, int64_t before, int64_t after, int checked)
{
    alarm(60); /* ends a test that hangs */
    double start = seconds();
    cairn_run *run = recording_open("torn.h5");
    assert_true(seconds() - start < 10);
    int64_t count = cairn_run_frame_count(run);
    assert_true(count == before || count == after);
    recording_check(run, frames, count > checked ? count - checked : 0);
    cairn_run_close(run);
    alarm(0);
    return count;
}

/* Put the file together change by change; it never falls back from the new frames to the old ones. */
static void check_changes(int file, const recording_frame *frames, int64_t before, int64_t after)
{
    int64_t count = read_torn(frames, before, after, 2);
    assert_int_equal(count, before);
    for (size_t i = 0; i < journal.count; ++i)
    {
        const change *next = &journal.changes[i];
        for (size_t cut = 0; next->bytes && cut < next->size;)
        {
            cut = next_cut(next, cut);
            apply(file, next, cut);
            int64_t now = read_torn(frames, before, after, 2);
            assert_true(now >= count);
            count = now;
        }
        apply(file, next, next->size);
    }
    assert_int_equal(read_torn(frames, after, after, (int)after), after);
}

static void check_same(const char *a, const char *b)
{
    size_t sizes[2];
    char *bytes[2] = {read_whole(a, &sizes[0]), read_whole(b, &sizes[1])};
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* Record frames, then listen to one more flush and see what a kill in it would leave. */
static void check_flush(int before, int batch, const char *status)
{
    recording_frame *frames = recording_frames(before + batch);
    recording w = recording_start();
    cairn_recorder *recorder = recording_record(&w, "flush.h5", 1, 1e9);
    recording_step(&w, recorder, before - 1);
    assert_int_equal(cairn_recorder_flush(recorder), CAIRN_OK);
    size_t size;
    char *bytes = read_whole("flush.h5", &size);
    write_whole("torn.h5", bytes, size);
    free(bytes);
    recording_step(&w, recorder, batch);
    journal.listening = true;
    cairn_status done = status ? cairn_recorder_close(recorder, status) : cairn_recorder_flush(recorder);
    journal.listening = false;
    assert_int_equal(done, CAIRN_OK);
    assert_true(journal.count > 50); /* or the calls were not caught */
    int file = open("torn.h5", O_WRONLY);
    assert_true(file >= 0);
    check_changes(file, frames, before, before + batch);
    close(file);
    check_same("torn.h5", "flush.h5");
    forget_changes();
    assert_int_equal(status ? CAIRN_OK : cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
    free(frames);
}

static void a_small_flush_may_be_cut_anywhere(void **state)
{
    (void)state;
    check_flush(11, 1, NULL);
}

/* Over chunks of 256 rows, and over the blocks of HDF5's index that hold 4, 16, 32... chunks. */
static void a_flush_that_grows_the_index_may_be_cut_anywhere(void **state)
{
    (void)state;
    check_flush(1020, 10, NULL);
    if (TAKES_ALL)
        check_flush(5115, 10, NULL);
}

static void the_last_flush_may_be_cut_anywhere(void **state)
{
    (void)state;
    check_flush(60, 3, "missed-tolerance");
    cairn_run *run = recording_open("torn.h5");
    assert_string_equal(cairn_run_status(run), "missed-tolerance");
    cairn_run_close(run);
}

static void wait_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* A child that records until it is killed; with interval 0 it is nearly always in the middle of a flush. */
static void record_for_ever(const char *path, double interval)
{
    alarm(600); /* should its parent not live to kill it */
    recording w = recording_start();
    cairn_recorder *recorder = recording_record(&w, path, 1, interval);
    while (!cairn_simulation_step(w.simulation) && !cairn_recorder_write(recorder))
    {
    }
    _exit(1);
}

/* A child that records into the file, once the file is there. */
static pid_t start_recording(const char *path, double interval)
{
    unlink(path);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        record_for_ever(path, interval);
    for (int k = 0; k < 50000 && access(path, F_OK); ++k)
        wait_ms(2);
    return child;
}

/* Wait until the file has that many frames, however long the machine takes for them. */
static void wait_for_frames(const char *path, int64_t wanted)
{
    int64_t count = 0;
    while (count < wanted)
    {
        cairn_run *run = recording_open(path);
        count = cairn_run_frame_count(run);
        cairn_run_close(run);
    }
}

static void stop_recording(pid_t child)
{
    int how;
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how)); /* or it failed before */
}

static void a_kill_leaves_a_whole_file(void **state)
{
    (void)state;
    enum
    {
        MOST = 60000
    };
    const int kills = TAKES_ALL ? 16 : 6;
    recording_frame *frames = NULL;
    int known = 0;
    srand(7);
    for (int i = 0; i < kills; ++i)
    {
        pid_t child = start_recording("killed.h5", i % 2 ? 0.002 : 0);
        alarm(500);
        int wanted = 1 + (i < 2 ? 0 : rand() % 120); /* twice as soon as the file is there */
        wait_for_frames("killed.h5", wanted);
        stop_recording(child);
        cairn_run *run = recording_open("killed.h5");
        int count = (int)cairn_run_frame_count(run);
        assert_true(count >= wanted && count < MOST);
        assert_string_equal(cairn_run_status(run), "running");
        if (count > known)
        {
            free(frames);
            known = count + 500;
            frames = recording_frames(known);
        }
        recording_check(run, frames, 0);
        cairn_run_close(run);
        alarm(0);
    }
    free(frames);
}

/* With a writer that does nothing but commit, readers meet commits all the time. */
static void a_reader_beside_a_writer_sees_whole_frames(void **state)
{
    (void)state;
    enum
    {
        MOST = 4000
    };
    const int reads = TAKES_ALL ? 300 : 100;
    recording_frame *frames = recording_frames(MOST);
    alarm(500);
    pid_t child = start_recording("live.h5", 0);
    int64_t before = 0;
    for (int i = 0; (i < reads || before <= 10) && before < MOST; ++i)
    {
        cairn_run *run = recording_open("live.h5");
        int64_t count = cairn_run_frame_count(run);
        assert_true(count >= before);
        if (count <= MOST)
            recording_check(run, frames, count > 20 ? count - 20 : 0);
        cairn_run_close(run);
        before = count;
    }
    stop_recording(child);
    alarm(0);
    assert_true(before > 10);
    free(frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_flush_may_be_cut_anywhere),
        cmocka_unit_test(a_flush_that_grows_the_index_may_be_cut_anywhere),
        cmocka_unit_test(the_last_flush_may_be_cut_anywhere),
        cmocka_unit_test(a_kill_leaves_a_whole_file),
        cmocka_unit_test(a_reader_beside_a_writer_sees_whole_frames),
    };
    return cmocka_run_group_tests_name("run files after a kill", tests, NULL, NULL);
}
