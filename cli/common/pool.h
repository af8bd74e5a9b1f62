/* Independent runs on a few threads, with one progress bar for all. */
#ifndef CLI_COMMON_POOL_H
#define CLI_COMMON_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cli_pool_work
{
    int count;
    int64_t (*planned)(const void *data, int index);              /* steps of a run */
    void (*run)(void *data, int index, atomic_llong *steps_done); /* adds its steps while it runs */
    void *data;
} cli_pool_work;

/* How many threads: as many as wanted, or as there are processors when that is 0, but no more than runs. */
int cli_pool_threads(int wanted, int count);

/* Do all runs. */
void cli_pool_run(const cli_pool_work *work, int threads, bool quiet);

#endif
