/* Ranks as threads of one process: what crn_gpu_rank asks for, over shared memory. A thread that waits longer than a minute gives up, so that a test that would hang
 * fails. */
#ifndef CAIRN_TESTS_SUPPORT_RANK_THREADS_H
#define CAIRN_TESTS_SUPPORT_RANK_THREADS_H

#include "gpu/interface.h"

typedef struct rank_job rank_job;

/* One rank of a job. */
typedef struct rank_thread
{
    rank_job *job;
    int rank;
    int neighbours; /* of the exchange that is under way */
    const int *neighbour;
    void *const *receive;
    const size_t *receive_bytes;
    int64_t messages, bytes; /* sent */
} rank_thread;

/* Runs work(thread, data) in so many threads; false: one of them has waited in vain. */
bool rank_job_run(int ranks, void (*work)(rank_thread *thread, void *data), void *data);

int rank_job_size(const rank_thread *thread);
/* All threads, or a thread that has waited in vain: then the others do not wait either. */
void rank_job_wait(rank_thread *thread);
/* The functions of the interface. neighbour: ranks, ascending, for as long as the world is open. */
void rank_thread_connect(rank_thread *thread, crn_gpu_rank *rank, int neighbours, const int *neighbour);

#endif
