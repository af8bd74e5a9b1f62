/* Checkpoints from C: a run in two processes' worth of parts is the run in one; whatever is damaged is refused, byte by byte;
 * and a kill within the cut of a resumed file leaves the file before or after it. The frames to compare with are computed apart
 * from any file. */
#include "cairn/checkpoint.h"

#include "support/file_changes.h"
#include "support/recording.h"

#include <fcntl.h>
#include <stdio.h>

static const char NOTE[] = "a note of the caller";

static void copy_file(const char *from, const char *to)
{
    size_t size;
    char *bytes = read_whole(from, &size);
    write_whole(to, bytes, size);
    free(bytes);
}

static void copy_run(const char *from, const char *to)
{
    char a[80], b[80];
    copy_file(from, to);
    snprintf(a, sizeof a, "%s.checkpoint", from);
    snprintf(b, sizeof b, "%s.checkpoint", to);
    copy_file(a, b);
}

/* Record `steps` with a checkpoint after `at` of them, and leave the file as a killed process would. */
static void record_with_checkpoint(const char *path, int every, int at, int steps)
{
    recording w = recording_start();
    cairn_recorder *recorder = recording_record(&w, path, every, 1e9);
    recording_step(&w, recorder, at);
    assert_int_equal(cairn_recorder_checkpoint(recorder, w.simulation, NOTE, sizeof NOTE), CAIRN_OK);
    recording_step(&w, recorder, steps - at);
    assert_int_equal(cairn_recorder_flush(recorder), CAIRN_OK);
    copy_run(path, "left.h5");
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    copy_run("left.h5", path);
    recording_free(&w);
}

static cairn_recorder *resume(recording *w, const char *path)
{
    cairn_checkpoint *checkpoint;
    cairn_recorder *recorder;
    if (cairn_checkpoint_open(w->context, path, &checkpoint) ||
        cairn_recorder_resume(w->context, path, checkpoint, w->simulation, NULL, &recorder))
        fail_msg("%s", cairn_context_last_message(w->context));
    cairn_checkpoint_close(checkpoint);
    return recorder;
}

/* Resume, take the rest of the steps, and compare every frame. */
static void check_resumed(const char *path, const recording_frame *frames, int at, int steps)
{
    recording w = recording_start();
    cairn_recorder *recorder = resume(&w, path);
    assert_true(cairn_simulation_time(w.simulation) == frames[at].time);
    recording_step(&w, recorder, steps - at);
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    cairn_run *run = recording_open(path);
    assert_int_equal(cairn_run_frame_count(run), steps + 1);
    assert_string_equal(cairn_run_status(run), "done");
    recording_check(run, frames, 0);
    cairn_run_close(run);
    recording_free(&w);
}

/* At the start, before and after the ends of chunks of 256 rows, and at the end. */
static void a_resumed_run_is_the_whole_run(void **state)
{
    (void)state;
    enum
    {
        STEPS = 300
    };
    static const int AT[] = {0, 1, 255, 256, 300};
    recording_frame *frames = recording_frames(STEPS + 1);
    for (size_t i = 0; i < sizeof AT / sizeof AT[0]; ++i)
    {
        record_with_checkpoint("parts.h5", 1, AT[i], STEPS);
        check_resumed("parts.h5", frames, AT[i], STEPS);
    }
    free(frames);
}

/* All frames of a file that leaves out steps are those of the file of an undisturbed run; so are its events. */
static void frames_left_out_stay_so(void **state)
{
    (void)state;
    recording w = recording_start();
    cairn_recorder *recorder = recording_record(&w, "seldom.h5", 7, 1e9);
    recording_step(&w, recorder, 100);
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
    for (int at = 40; at < 48; at += 2)
    {
        record_with_checkpoint("parts.h5", 7, at, 100);
        recording again = recording_start();
        recorder = resume(&again, "parts.h5");
        recording_step(&again, recorder, 100 - at);
        assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
        recording_free(&again);
        cairn_run *a = recording_open("seldom.h5"), *b = recording_open("parts.h5");
        assert_int_equal(cairn_run_frame_count(a), cairn_run_frame_count(b));
        assert_int_equal(cairn_run_event_count(a), cairn_run_event_count(b));
        double x[32], y[32];
        for (int i = 0; i < cairn_run_series_count(a); ++i)
        {
            assert_int_equal(cairn_run_read_series(a, cairn_run_series_name(a, i), x), CAIRN_OK);
            assert_int_equal(cairn_run_read_series(b, cairn_run_series_name(a, i), y), CAIRN_OK);
            assert_memory_equal(x, y, (size_t)cairn_run_frame_count(a) * sizeof(double));
        }
        cairn_run_close(a);
        cairn_run_close(b);
    }
}

static void a_note_comes_back(void **state)
{
    (void)state;
    record_with_checkpoint("note.h5", 1, 3, 5);
    cairn_checkpoint *checkpoint;
    size_t size;
    assert_int_equal(cairn_checkpoint_open(NULL, "note.h5", &checkpoint), CAIRN_OK);
    const char *note = cairn_checkpoint_note(checkpoint, &size);
    assert_int_equal(size, sizeof NOTE);
    assert_string_equal(note, NOTE);
    assert_string_equal(cairn_checkpoint_path(checkpoint), "note.h5.checkpoint");
    assert_true(cairn_state_time(cairn_checkpoint_state(checkpoint)) == 0.03);
    cairn_checkpoint_close(checkpoint);
}

/* Every byte matters: another one, or a file that ends there, is refused. */
static void every_damage_is_refused(void **state)
{
    (void)state;
    record_with_checkpoint("bad.h5", 1, 3, 5);
    size_t size;
    char *bytes = read_whole("bad.h5.checkpoint", &size);
    cairn_context *context = cairn_context_create();
    cairn_checkpoint *checkpoint;
    size_t stride = size / 100 + 1;
    for (size_t i = 0; i < size; i += i < 200 ? 1 : stride)
    {
        bytes[i] ^= 0x10;
        write_whole("bad.h5.checkpoint", bytes, size);
        assert_int_equal(cairn_checkpoint_open(context, "bad.h5", &checkpoint), CAIRN_INVALID);
        assert_null(checkpoint);
        bytes[i] ^= 0x10;
        write_whole("bad.h5.checkpoint", bytes, i);
        assert_int_equal(cairn_checkpoint_open(context, "bad.h5", &checkpoint), CAIRN_INVALID);
        cairn_context_clear(context);
    }
    write_whole("bad.h5.checkpoint", bytes, size);
    assert_int_equal(cairn_checkpoint_open(context, "bad.h5", &checkpoint), CAIRN_OK);
    cairn_checkpoint_close(checkpoint);
    free(bytes);
    cairn_context_destroy(context);
}

static void due_by_simulated_time(void **state)
{
    (void)state;
    recording w = recording_start();
    cairn_recorder_options options = cairn_recorder_default();
    options.checkpoint_interval = 0.1;
    cairn_recorder *recorder;
    assert_int_equal(cairn_recorder_create(w.context, "due.h5", w.simulation, &options, &recorder), CAIRN_OK);
    for (int i = 1; i <= 45; ++i)
    {
        assert_int_equal(cairn_recorder_checkpoint_due(recorder), false);
        recording_step(&w, recorder, 1);
        assert_int_equal(cairn_recorder_checkpoint_due(recorder), i % 10 == 0);
        if (i % 10 == 0)
            assert_int_equal(cairn_recorder_checkpoint(recorder, w.simulation, NULL, 0), CAIRN_OK);
    }
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
}

/* A step that was not recorded, a second recorder, a checkpoint of another run at the same path. */
static void misuse_is_refused(void **state)
{
    (void)state;
    record_with_checkpoint("own.h5", 1, 3, 5);
    recording w = recording_start(), other = recording_start();
    cairn_recorder *recorder = resume(&w, "own.h5"), *second;
    cairn_checkpoint *checkpoint;
    assert_int_equal(cairn_checkpoint_open(other.context, "own.h5", &checkpoint), CAIRN_OK);
    assert_int_equal(cairn_recorder_resume(other.context, "own.h5", checkpoint, other.simulation, NULL, &second),
                     CAIRN_IO);
    assert_non_null(strstr(cairn_context_last_message(other.context), "another recorder"));
    cairn_checkpoint_close(checkpoint);
    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
    assert_int_equal(cairn_recorder_checkpoint(recorder, w.simulation, NULL, 0), CAIRN_INVALID);
    assert_int_equal(cairn_recorder_checkpoint(recorder, other.simulation, NULL, 0), CAIRN_INVALID);
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);

    copy_file("own.h5.checkpoint", "kept");
    recorder = recording_record(&other, "own.h5", 1, 1e9);
    assert_int_equal(cairn_checkpoint_open(other.context, "own.h5", &checkpoint), CAIRN_IO); /* removed */
    copy_file("kept", "own.h5.checkpoint");
    assert_int_equal(cairn_checkpoint_open(other.context, "own.h5", &checkpoint), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(other.context), "another run"));
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
    recording_free(&other);
}

/* ------------------------------------------------------------------------------------------------ kills in the cut */

enum
{
    AT = 250,
    ALL = 262 /* and so many more, over the end of a chunk of 256 rows */
};

/* The frames that the file has now: all of those before the cut, or all of those after it, and each of them right. */
static int64_t count_torn(const recording_frame *frames)
{
    cairn_run *run = recording_open("torn.h5");
    int64_t count = cairn_run_frame_count(run);
    assert_true(count == AT + 1 || count == ALL + 1);
    recording_check(run, frames, AT - 2);
    cairn_run_close(run);
    return count;
}

static void the_cut_may_be_cut_anywhere(void **state)
{
    (void)state;
    recording_frame *frames = recording_frames(ALL + 1);
    record_with_checkpoint("cut.h5", 1, AT, ALL);
    copy_run("cut.h5", "torn.h5");
    recording w = recording_start();
    journal.listening = true;
    cairn_recorder *recorder = resume(&w, "cut.h5");
    journal.listening = false;
    assert_true(journal.count > 20);
    int file = open("torn.h5", O_WRONLY);
    int64_t count = count_torn(frames);
    assert_int_equal(count, ALL + 1);
    for (size_t i = 0; i < journal.count; ++i)
    {
        const change *next = &journal.changes[i];
        for (size_t cut = 0; next->bytes && cut < next->size;)
        {
            cut = next_cut(next, cut);
            apply(file, next, cut);
            int64_t now = count_torn(frames);
            assert_true(now <= count);
            count = now;
        }
        apply(file, next, next->size);
        if (i % 16 == 0) /* and what a kill left there can be resumed */
        {
            copy_run("torn.h5", "again.h5");
            check_resumed("again.h5", frames, AT, AT + 5);
        }
    }
    assert_int_equal(count, AT + 1);
    close(file);
    forget_changes();
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
    free(frames);
}

/* A flush that was cut anywhere, also within its journal, can be resumed. */
static void a_torn_flush_is_resumed(void **state)
{
    (void)state;
    recording_frame *frames = recording_frames(ALL + 1);
    recording w = recording_start();
    cairn_recorder *recorder = recording_record(&w, "flush.h5", 1, 1e9);
    recording_step(&w, recorder, AT);
    assert_int_equal(cairn_recorder_checkpoint(recorder, w.simulation, NULL, 0), CAIRN_OK);
    copy_run("flush.h5", "torn.h5");
    recording_step(&w, recorder, ALL - AT);
    journal.listening = true;
    assert_int_equal(cairn_recorder_flush(recorder), CAIRN_OK);
    journal.listening = false;
    int file = open("torn.h5", O_WRONLY);
    for (size_t i = 0; i < journal.count; ++i)
    {
        const change *next = &journal.changes[i];
        apply(file, next, next->bytes ? next->size / 2 : 0);
        if (i % 4 == 0 || i + 8 > journal.count)
        {
            copy_run("torn.h5", "again.h5");
            check_resumed("again.h5", frames, AT, ALL);
        }
        apply(file, next, next->size);
    }
    close(file);
    forget_changes();
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
    free(frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resumed_run_is_the_whole_run),
        cmocka_unit_test(frames_left_out_stay_so),
        cmocka_unit_test(a_note_comes_back),
        cmocka_unit_test(every_damage_is_refused),
        cmocka_unit_test(due_by_simulated_time),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(the_cut_may_be_cut_anywhere),
        cmocka_unit_test(a_torn_flush_is_resumed),
    };
    return cmocka_run_group_tests_name("checkpoints", tests, NULL, NULL);
}
