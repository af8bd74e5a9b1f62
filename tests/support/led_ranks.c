#include "support/led_ranks.h"

#include "support/check.h"
#include "support/thread_ranks.h"

#include <stdatomic.h>

typedef struct led_run
{
    const led_ranks *led;
    atomic_int failures;
} led_run;

static void serve(led_run *run, cairn_context *context, cairn_ranks *ranks)
{
    if ((run->led->serve ? run->led->serve : cairn_ranks_serve)(context, ranks))
    {
        print_error("rank %d: %s\n", ranks->rank, cairn_context_last_message(context));
        ++run->failures;
    }
}

static void take_part(cairn_ranks *ranks, void *data)
{
    led_run *run = data;
    if (run->led->prepare)
        run->led->prepare(ranks, run->led->data);
    cairn_context *context = cairn_context_create();
    if (ranks->rank == 0)
        run->led->lead(context, ranks, run->led->data);
    else
        serve(run, context, ranks);
    cairn_context_destroy(context);
    if (ranks->rank == 0)
        cairn_ranks_dismiss(ranks);
}

int led_ranks_run(const led_ranks *led, int ranks, int seconds)
{
    led_run run = {.led = led};
    bool is_whole = thread_ranks_run(ranks, seconds, take_part, &run);
    return run.failures + !is_whole;
}
