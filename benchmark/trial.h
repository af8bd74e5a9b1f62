/* One call of a solver in a process of its own, so that one that crashes, hangs, prints or exits ends only itself. */
#ifndef BENCH_TRIAL_H
#define BENCH_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

typedef enum trial_end
{
    TRIAL_DONE = 0,
    TRIAL_TIME, /* its processor time was up */
    TRIAL_CRASH /* a signal, or an exit of its own */
} trial_end;

/* Call work(data, answer) in a child whose processor time is limited to `limit` seconds; `answer` (size bytes) comes back
 * from it. What the child prints is lost. */
trial_end trial_run(double limit, void (*work)(void *data, void *answer), void *data, void *answer, size_t size);

#endif
