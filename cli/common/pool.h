/* Independent runs on a few threads, or on all processes of a job (cli/ranks/ranks.h), with one progress bar for all. */
#ifndef CLI_COMMON_POOL_H
#define CLI_COMMON_POOL_H

#include "cli/ranks/packet.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cli_pool_work
{
    int count;
    int64_t (*planned)(const void *data, int index);              /* steps of a run */
    void (*run)(void *data, int index, atomic_llong *steps_done); /* adds its steps while it runs */
    /* What a run found, from one process to another. The plan is the same in both. */
    void (*put)(const void *data, int index, cli_packet *packet);
    void (*take)(void *data, int index, cli_packet *packet);
    /* whether process 0 needs more of the run than that, and does it itself; NULL: none */
    bool (*stays)(const void *data, int index);
    void *data;
} cli_pool_work;

/* How many runs at a time: as many as there are processes in a job of several; otherwise as many threads as wanted, or as there are
 * processors when that is 0, but no more than runs. */
int cli_pool_threads(int wanted, int count);

/* Do all runs. A helper of process 0 does what it is given and does not return. */
void cli_pool_run(const cli_pool_work *work, int threads, bool quiet);

#endif
