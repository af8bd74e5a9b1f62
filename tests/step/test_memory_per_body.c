/* Memory in proportion to what is simulated: a budget per grain of a heap, with the model and all contacts, and a recorder that
 * writes as it goes. Bytes are counted as the library asks for them, not as the system hands out pages, so that the numbers are the
 * same on every machine. */
#include "support/check.h"
#include "support/counted_memory.h"
#include "support/heap.h"
#include "support/recording.h"

/* Bytes per grain at the highest point of a run, and contacts per grain at its end. */
static double bytes_per_grain(int count, int steps, double *contacts)
{
    const heap_options options = {.dimension = 3, .count = count, .friction = 0.5, .seed = 5};
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.005;
    long long before = counted_begin();
    world w = heap_world(&options);
    world_start(&w, &settings);
    heap_run(&w, steps);
    assert_true(heap_swept(&w));
    *contacts = (double)cairn_simulation_contact_count(w.simulation) / count;
    double bytes = (double)(counted_peak() - before) / count;
    world_free(&w);
    return bytes;
}

/* The budget of docs/benchmarks.md. */
static void grains_fit_their_budget(void **state)
{
    (void)state;
    const double BUDGET = 2000;
    double contacts, bytes = bytes_per_grain(5000, 100, &contacts);
    print_message("    %.0f bytes per grain, with %.2f contacts each\n", bytes, contacts);
    assert_true(contacts > 2);
    assert_true(bytes < BUDGET);
}

/* Bytes that are held at most while so many steps are recorded. */
static long long bytes_of_recording(const char *path, int steps)
{
    recording w = recording_start();
    long long before = counted_begin();
    cairn_recorder *recorder = recording_record(&w, path, 1, 1e-9); /* flush after each step */
    recording_step(&w, recorder, steps);
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    long long most = counted_peak() - before;
    recording_free(&w);
    return most;
}

static void recording_does_not_grow(void **state)
{
    (void)state;
    long long few = bytes_of_recording("few.h5", 300), many = bytes_of_recording("many.h5", 800);
    print_message("    %lld bytes for 300 steps, %lld for 800\n", few, many);
    assert_true(few > 0 && many <= few + few / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_fit_their_budget),
        cmocka_unit_test(recording_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
