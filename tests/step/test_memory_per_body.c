/* Memory in proportion to what is simulated: a budget per grain of a heap, with the model and all contacts, and a recorder that
 * writes as it goes. Bytes are counted as the library asks for them, not as the system hands out pages, so that the numbers are the
 * same on every machine. The linker puts the functions below in the place of malloc, calloc, realloc and free. */
#include "support/check.h"
#include "support/heap.h"
#include "support/recording.h"

#include <malloc.h>

static long long live, peak; /* bytes */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

static void *counted(void *memory)
{
    live += (long long)malloc_usable_size(memory);
    peak = live > peak ? live : peak;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    live -= (long long)malloc_usable_size(memory);
    return counted(__real_realloc(memory, size));
}

void __wrap_free(void *memory)
{
    live -= (long long)malloc_usable_size(memory);
    __real_free(memory);
}

/* Count from here. */
static long long begin_count(void)
{
    peak = live;
    return live;
}

/* Bytes per grain at the highest point of a run, and contacts per grain at its end. */
static double bytes_per_grain(int count, int steps, double *contacts)
{
    const heap_options options = {.dimension = 3, .count = count, .friction = 0.5, .seed = 5};
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.005;
    long long before = begin_count();
    world w = heap_world(&options);
    world_start(&w, &settings);
    heap_run(&w, steps);
    assert_true(heap_swept(&w));
    *contacts = (double)cairn_simulation_contact_count(w.simulation) / count;
    double bytes = (double)(peak - before) / count;
    world_free(&w);
    return bytes;
}

/* The budget of docs/benchmarks.md. */
static void grains_fit_their_budget(void **state)
{
    (void)state;
    const double BUDGET = 2150;
    double contacts, bytes = bytes_per_grain(5000, 100, &contacts);
    print_message("    %.0f bytes per grain, with %.2f contacts each\n", bytes, contacts);
    assert_true(contacts > 2);
    assert_true(bytes < BUDGET);
}

/* Bytes that are held at most while so many steps are recorded. */
static long long bytes_of_recording(const char *path, int steps)
{
    recording w = recording_start();
    long long before = begin_count();
    cairn_recorder *recorder = recording_record(&w, path, 1, 1e-9); /* flush after each step */
    recording_step(&w, recorder, steps);
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    long long most = peak - before;
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
