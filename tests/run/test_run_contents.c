/* What a run file holds: groups left out, single precision, compression, intervals, masses and radii. The truth are frames
 * computed apart from any file, closed forms of masses, and for kills every file that a compressing writer could leave. */
#include "support/file_changes.h"
#include "support/recording.h"

#include <fcntl.h>
#include <float.h>
#include <malloc.h>
#include <math.h>

static cairn_recorder *record(recording *w, const char *path, cairn_recorder_options options)
{
    cairn_recorder *recorder;
    options.flush_interval = 1e9;
    if (cairn_recorder_create(w->context, path, w->simulation, &options, &recorder))
        fail_msg("%s", cairn_context_last_message(w->context));
    return recorder;
}

/* Record so many steps, a flush after each thirtieth. */
static void write_run(const char *path, cairn_recorder_options options, int steps)
{
    recording w = recording_start();
    cairn_recorder *recorder = record(&w, path, options);
    for (int i = 0; i < steps; i += 30)
    {
        recording_step(&w, recorder, steps - i < 30 ? steps - i : 30);
        assert_int_equal(cairn_recorder_flush(recorder), CAIRN_OK);
    }
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
}

static void compression_loses_nothing(void **state)
{
    (void)state;
    recording_frame *frames = recording_frames(301);
    for (int level = 1; level <= 9; level += 8)
    {
        cairn_recorder_options options = cairn_recorder_default();
        options.compression = level;
        write_run("pressed.h5", options, 300);
        cairn_run *run = recording_open("pressed.h5");
        assert_int_equal(cairn_run_frame_count(run), 301);
        recording_check(run, frames, 0);
        cairn_run_close(run);
    }
    free(frames);
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 0.5 * FLT_EPSILON * fabs(b) + FLT_MIN;
}

static void single_precision_has_seven_digits(void **state)
{
    (void)state;
    recording_frame *frames = recording_frames(101);
    cairn_recorder_options options = cairn_recorder_default();
    options.single = true;
    write_run("single.h5", options, 100);
    cairn_run *run = recording_open("single.h5");
    double energy[101];
    assert_int_equal(cairn_run_read_series(run, "energy/kinetic", energy), CAIRN_OK);
    for (int i = 0; i <= 100; ++i)
    {
        cairn_body_state bodies[RECORDING_BODIES];
        const cairn_contact *contacts;
        int count;
        assert_int_equal(cairn_run_read_frame(run, i, bodies), CAIRN_OK);
        assert_int_equal(cairn_run_read_contacts(run, i, &contacts, &count), CAIRN_OK);
        assert_int_equal(count, frames[i].contact_count);
        for (int k = 0; k < 3 * RECORDING_BODIES; ++k)
            assert_true(is_near(bodies[k / 3].position[k % 3], frames[i].bodies[k / 3].position[k % 3]) &&
                        is_near(bodies[k / 3].velocity[k % 3], frames[i].bodies[k / 3].velocity[k % 3]));
        for (int k = 0; k < count; ++k)
        {
            assert_true(contacts[k].identity == frames[i].contacts[k].identity);
            assert_true(is_near(contacts[k].impulse[0], frames[i].contacts[k].impulse[0]));
        }
        assert_true(energy[i] == frames[i].energy.kinetic); /* series keep all digits */
    }
    cairn_run_close(run);
    free(frames);
}

static void groups_are_left_out(void **state)
{
    (void)state;
    size_t size[8];
    recording_frame *frames = recording_frames(51);
    for (unsigned groups = 0; groups < 8; ++groups)
    {
        cairn_recorder_options options = cairn_recorder_default();
        options.leave_out = groups;
        write_run("less.h5", options, 50);
        free(read_whole("less.h5", &size[groups]));
        cairn_run *run = recording_open("less.h5");
        for (unsigned bit = 1; bit < 8; bit *= 2)
            assert_int_equal(cairn_run_has(run, (cairn_record)bit), !(groups & bit));
        cairn_body_state bodies[RECORDING_BODIES];
        const cairn_contact *contacts;
        int count;
        double counts[51], values[51];
        assert_int_equal(cairn_run_read_frame(run, 50, bodies), CAIRN_OK);
        assert_memory_equal(bodies[1].position, frames[50].bodies[1].position, sizeof bodies[1].position);
        assert_true(isnan(bodies[1].velocity[0]) == !!(groups & CAIRN_RECORD_VELOCITIES));
        assert_int_equal(cairn_run_read_contacts(run, 50, &contacts, &count), CAIRN_OK);
        assert_int_equal(count, groups & CAIRN_RECORD_CONTACTS ? 0 : frames[50].contact_count);
        assert_int_equal(cairn_run_read_series(run, "contacts/count", counts), CAIRN_OK);
        assert_true(counts[50] == frames[50].contact_count);
        bool reactions = cairn_run_read_series(run, "rod.force.x", values) == CAIRN_OK;
        assert_int_equal(reactions, !(groups & CAIRN_RECORD_JOINTS));
        cairn_run_close(run);
    }
    assert_true(size[7] < size[1] && size[1] < size[0]);
    free(frames);
}

/* Steps of 0.01 s: the first at or after each multiple of the interval, on and off the grid, and the last. */
static void frames_come_at_intervals(void **state)
{
    (void)state;
    static const double INTERVALS[] = {0.01, 0.05, 0.025, 0.1, 0.033, 0.004, 7};
    for (size_t i = 0; i < sizeof INTERVALS / sizeof INTERVALS[0]; ++i)
    {
        cairn_recorder_options options = cairn_recorder_default();
        options.interval = INTERVALS[i];
        write_run("sparse.h5", options, 100);
        cairn_run *run = recording_open("sparse.h5");
        double times[101];
        int64_t count = cairn_run_frame_count(run), next = 1;
        assert_int_equal(cairn_run_read_series(run, "time", times), CAIRN_OK);
        for (int step = 1, passed = 0; step <= 100; ++step)
        {
            int now = (int)floor(0.01 * step / INTERVALS[i] + 1e-6);
            if (now > passed || step == 100)
                assert_true(next < count && fabs(times[next++] - 0.01 * step) < 1e-9);
            passed = now;
        }
        assert_int_equal(next, count);
        cairn_run_close(run);
    }
}

static void masses_and_radii_are_in_the_file(void **state)
{
    (void)state;
    write_run("facts.h5", cairn_recorder_default(), 1);
    cairn_run *run = recording_open("facts.h5");
    /* ground: half-plane; box: a unit square of density 1; ball: 2 kg, 0.3 m; bob: a point of 1 kg */
    static const double MASS[] = {0, 1, 2, 1}, RADIUS[] = {INFINITY, 0.70710678118654757, 0.3, 0};
    for (int i = 0; i < RECORDING_BODIES; ++i)
    {
        assert_true(fabs(cairn_run_body_mass(run, i) - MASS[i]) <= 1e-12);
        double radius = cairn_run_body_radius(run, i);
        assert_true(isinf(RADIUS[i]) ? isinf(radius) : fabs(radius - RADIUS[i]) <= 1e-12);
    }
    assert_true(isnan(cairn_run_body_mass(run, -1)) && isnan(cairn_run_body_radius(run, RECORDING_BODIES)));
    cairn_run_close(run);
}

/* Compressed chunks are written anew, sometimes in their old place: a kill still leaves the frames before or after. */
static void a_compressed_flush_may_be_cut_anywhere(void **state)
{
    (void)state;
    recording_frame *frames = recording_frames(271);
    cairn_recorder_options options = cairn_recorder_default();
    options.compression = 4;
    recording w = recording_start();
    cairn_recorder *recorder = record(&w, "flush.h5", options);
    recording_step(&w, recorder, 250);
    assert_int_equal(cairn_recorder_flush(recorder), CAIRN_OK);
    size_t size;
    char *bytes = read_whole("flush.h5", &size);
    write_whole("torn.h5", bytes, size);
    free(bytes);
    recording_step(&w, recorder, 20);
    journal.listening = true;
    assert_int_equal(cairn_recorder_flush(recorder), CAIRN_OK);
    journal.listening = false;
    int file = open("torn.h5", O_WRONLY);
    for (size_t i = 0; i < journal.count; ++i)
    {
        const change *next = &journal.changes[i];
        for (size_t cut = 0; next->bytes && cut < next->size;)
        {
            cut = next_cut(next, cut);
            apply(file, next, cut);
            cairn_run *run = recording_open("torn.h5");
            int64_t count = cairn_run_frame_count(run);
            assert_true(count == 251 || count == 271);
            recording_check(run, frames, 249);
            cairn_run_close(run);
        }
        apply(file, next, next->size);
    }
    close(file);
    forget_changes();
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    recording_free(&w);
    free(frames);
}

/* Memory after 20 flushes, and after five times as many. */
static void the_recorder_does_not_grow(void **state)
{
    (void)state;
    recording w = recording_start();
    cairn_recorder *recorder = record(&w, "long.h5", cairn_recorder_default());
    size_t before = 0;
    for (int flush = 1; flush <= 100; ++flush)
    {
        recording_step(&w, recorder, 100);
        assert_int_equal(cairn_recorder_flush(recorder), CAIRN_OK);
        before = flush == 20 ? mallinfo2().uordblks : before;
    }
    assert_true(mallinfo2().uordblks < before + 200000);
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    size_t size;
    free(read_whole("long.h5", &size));
    assert_true(size > 10000000); /* had it kept the frames, it would have grown by more */
    recording_free(&w);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    recording w = recording_start();
    cairn_recorder *recorder;
    for (int i = 0; i < 4; ++i)
    {
        cairn_recorder_options options = cairn_recorder_default();
        options.interval = i == 0 ? -1 : 0;
        options.compression = i == 1 ? 10 : i == 2 ? -1 : 0;
        options.leave_out = i == 3 ? 8 : 0;
        assert_int_equal(cairn_recorder_create(w.context, "none.h5", w.simulation, &options, &recorder), CAIRN_INVALID);
        assert_null(recorder);
    }
    assert_int_not_equal(access("none.h5", F_OK), 0);
    recording_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compression_loses_nothing),
        cmocka_unit_test(single_precision_has_seven_digits),
        cmocka_unit_test(groups_are_left_out),
        cmocka_unit_test(frames_come_at_intervals),
        cmocka_unit_test(masses_and_radii_are_in_the_file),
        cmocka_unit_test(a_compressed_flush_may_be_cut_anywhere),
        cmocka_unit_test(the_recorder_does_not_grow),
        cmocka_unit_test(wrong_options_are_refused),
    };
    return cmocka_run_group_tests_name("contents of run files", tests, NULL, NULL);
}
