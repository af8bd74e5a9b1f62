/* What ranks send for the physics certificate of a step: bytes that leave a rank, counted at the functions that carry them. A heap is stepped without an audit, with one that ranks do
 * themselves, and with one by process 0, which somebody who watches pieces makes it do. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "step/simulation.h"
#include "support/check.h"
#include "support/led_ranks.h"
#include "support/touching.h"

#include <stdatomic.h>
#include <stdlib.h>

enum
{
    LAYERS = 10,
    RANKS = 8,
    STEPS = 4
};

typedef enum audit
{
    NONE,
    BY_RANKS,
    BY_PROCESS_0,
    AUDITS
} audit;

typedef struct told_run
{
    int side; /* spheres along the sides of a square */
    audit how;
    bool has_box; /* so that the scene is one of shapes */
    int64_t glanced, examined;
    atomic_llong bytes;
    int failures;
} told_run;

/* -------------------------------------------------------------------------------------------------------------------- counting */

static _Thread_local cairn_ranks real;
static _Thread_local told_run *counted;

static void count_bytes(size_t bytes)
{
    counted->bytes += (long long)bytes;
}

static void start(void *context, int partners, const int *partner, void *const *send, const size_t *send_bytes,
                  void *const *receive, const size_t *receive_bytes)
{
    for (int i = 0; i < partners; ++i)
        count_bytes(send_bytes[i]);
    real.start(context, partners, partner, send, send_bytes, receive, receive_bytes);
}

static const void *deal(void *context, const void *blocks, size_t *bytes)
{
    for (int r = 0; r < real.count; ++r)
        count_bytes(r == real.rank ? 0 : bytes[r]);
    return real.deal(context, blocks, bytes);
}

static void reduce_max(void *context, double *values, int count)
{
    count_bytes((size_t)count * sizeof *values);
    real.reduce_max(context, values, count);
}

static void reduce_sum(void *context, int64_t *values, int count)
{
    count_bytes((size_t)count * sizeof *values);
    real.reduce_sum(context, values, count);
}

static const void *gather(void *context, const void *mine, size_t bytes, size_t *all_bytes)
{
    count_bytes(bytes * (size_t)(real.count - 1));
    return real.gather(context, mine, bytes, all_bytes);
}

static void count_on(cairn_ranks *ranks, void *run)
{
    real = *ranks;
    counted = run;
    ranks->start = start;
    ranks->deal = deal;
    ranks->reduce_max = reduce_max;
    ranks->reduce_sum = reduce_sum;
    ranks->gather = gather;
}

/* ------------------------------------------------------------------------------------------------------------------------ runs */

static bool is_good(told_run *run, cairn_context *context, cairn_status status)
{
    if (status)
        print_error("%s\n", cairn_context_last_message(context));
    run->failures += status != CAIRN_OK;
    return status == CAIRN_OK;
}

static void watch(void *data, crn_piece *piece)
{
    (void)data, (void)piece;
}

static void work(told_run *run, cairn_context *context, cairn_simulation *simulation)
{
    if (run->how == BY_PROCESS_0)
        simulation->ledger.watch = watch;
    is_good(run, context, cairn_simulation_steps(simulation, 1));
    run->bytes = 0;
    for (int i = 0; i < STEPS; ++i)
        is_good(run, context, cairn_simulation_steps(simulation, 1));
    run->glanced = simulation->device->audit.glanced;
    run->examined = simulation->device->audit.examined;
}

static void lead(cairn_context *context, cairn_ranks *ranks, void *data)
{
    told_run *run = data;
    cairn_model *model = NULL;
    cairn_simulation *simulation = NULL;
    cairn_settings settings = touching_settings();
    settings.audit = run->how != NONE;
    settings.audit_every = 1;
    settings.reproducible = true;
    if (is_good(run, context, cairn_context_join(context, ranks)) &&
        is_good(run, context, cairn_model_create(context, 3, &model)) &&
        is_good(run, context, touching_build(model, run->side, LAYERS)) &&
        (!run->has_box || is_good(run, context, touching_add_box(model))) &&
        is_good(run, context, cairn_simulation_create(context, model, &settings, &simulation)))
        work(run, context, simulation);
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
}

/* Bytes per step and sphere, of all ranks together. */
static double bytes_of(int side, bool has_box, audit how)
{
    told_run run = {.side = side, .how = how, .has_box = has_box};
    assert_int_equal(led_ranks_run(&(led_ranks){.lead = lead, .prepare = count_on, .data = &run}, RANKS, 300), 0);
    assert_int_equal(run.failures, 0);
    assert_true(run.glanced == (how == BY_RANKS ? STEPS + 1 : 0) && run.examined == 0);
    return (double)run.bytes / STEPS / (side * side * LAYERS);
}

static void check_bytes(bool has_box)
{
    const char *text = getenv("CAIRN_SIDE");
    int side = text ? atoi(text) : 24;
    double none = bytes_of(side, has_box, NONE), ranks = bytes_of(side, has_box, BY_RANKS),
           home = bytes_of(side, has_box, BY_PROCESS_0);
    print_message("    bytes per step and sphere: %.1f without audit, %.1f more by ranks, %.1f more by process 0\n",
                  none, ranks - none, home - none);
    assert_true(ranks > none && ranks - none < 0.1 * (home - none));
}

static void test_bytes_of_spheres(void **unused)
{
    (void)unused;
    check_bytes(false);
}

static void test_bytes_of_shapes(void **unused)
{
    (void)unused;
    check_bytes(true);
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes_of_spheres), cmocka_unit_test(test_bytes_of_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
