/* The longest remaining run is always next, so that the last runs are short. Which thread or process takes which run does not affect
 * any result. Of several processes each does one run at a time, process 0 too, whose main thread gives the others theirs. */
#include "cli/common/pool.h"
#include "cli/common/cli.h"
#include "cli/common/progress.h"
#include "cli/ranks/ranks.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct entry
{
    int index;
    int64_t planned;
    bool stays;
} entry;

typedef struct pool
{
    const cli_pool_work *work;
    entry *queue; /* longest first */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int next, finished;
    atomic_llong steps_done;
    int *given; /* per process: the run that it does, -1: it waits for one, NOWHERE: it is not there */
} pool;

enum
{
    NOWHERE = -2
};

static int compare_length(const void *a, const void *b)
{
    const entry *p = a, *q = b;
    if (p->stays != q->stays)
        return p->stays ? -1 : 1;
    /* Equal ones keep their order. */
    return p->planned != q->planned ? (p->planned < q->planned) - (p->planned > q->planned)
                                    : (p->index > q->index) - (p->index < q->index);
}

static void *work(void *data)
{
    pool *p = data;
    pthread_mutex_lock(&p->lock);
    while (p->next < p->work->count)
    {
        int index = p->queue[p->next++].index;
        pthread_mutex_unlock(&p->lock);
        p->work->run(p->work->data, index, &p->steps_done);
        pthread_mutex_lock(&p->lock);
        ++p->finished;
        pthread_cond_signal(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------ other processes */

/* Hear what the helpers have found. */
static void listen(pool *p)
{
    int rank;
    cli_packet packet;
    cli_ranks_news news;
    while ((news = cli_ranks_listen(&rank, &packet)) != CLI_RANKS_NOTHING)
    {
        if (news == CLI_RANKS_RESULT)
        {
            int index = p->given[rank];
            assert(index >= 0);
            p->work->take(p->work->data, index, &packet);
            atomic_fetch_add(&p->steps_done, p->work->planned(p->work->data, index));
            ++p->finished;
        }
        else if (news == CLI_RANKS_LOST)
        {
            cli_error("process %d takes no part: %s", rank, packet.bytes);
        }
        p->given[rank] = news == CLI_RANKS_LOST ? NOWHERE : -1;
        cli_packet_free(&packet);
    }
}

/* Give a run to every helper that waits. */
static void deal(pool *p)
{
    for (int rank = 1; rank < cli_ranks_count(); ++rank)
    {
        if (p->given[rank] != -1 || p->next >= p->work->count || p->queue[p->next].stays)
            continue;
        p->given[rank] = p->queue[p->next++].index;
        cli_ranks_send(rank, p->given[rank]);
    }
}

/* A helper's whole part. */
static _Noreturn void help(const cli_pool_work *of)
{
    for (int index = cli_ranks_receive(); index >= 0; index = cli_ranks_receive())
    {
        atomic_llong steps_done = 0;
        cli_packet packet = {0};
        of->run(of->data, index, &steps_done);
        of->put(of->data, index, &packet);
        cli_ranks_return(&packet);
    }
    cli_ranks_end(CLI_EXIT_DONE);
    exit(CLI_EXIT_DONE);
}

/* Wait for all runs, with a bar on a terminal. */
static void watch(pool *p, bool quiet)
{
    double total = 0;
    for (int i = 0; i < p->work->count; ++i)
        total += (double)p->queue[i].planned;
    cli_progress progress = cli_progress_start(!quiet, (int64_t)total, 0);
    pthread_mutex_lock(&p->lock);
    while (p->finished < p->work->count)
    {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += cli_ranks_count() > 1 ? 2000000 : 100000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&p->changed, &p->lock, &until);
        listen(p);
        deal(p);
        char text[64];
        snprintf(text, sizeof text, "%d of %d runs", p->finished, p->work->count);
        if (cli_progress_due(&progress))
            cli_progress_draw(&progress, (double)atomic_load(&p->steps_done), text);
    }
    pthread_mutex_unlock(&p->lock);
    cli_progress_end(&progress);
}

static int start_threads(pool *p, pthread_t *threads, int wanted)
{
    int started = 0;
    while (started < wanted && !pthread_create(&threads[started], NULL, work, p))
        ++started;
    if (started == 0)
        work(p);
    return started;
}

int cli_pool_threads(int wanted, int count)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long threads = wanted > 0 ? wanted : processors > 0 ? processors : 1;
    threads = cli_ranks_count() > 1 ? cli_ranks_count() : threads;
    return threads > count ? count : (int)threads;
}

void cli_pool_run(const cli_pool_work *of, int count, bool quiet)
{
    if (cli_ranks_is_helper())
        help(of);
    bool alone = cli_ranks_count() == 1;
    pool p = {.work = of, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    p.queue = cli_allocate((size_t)of->count, sizeof *p.queue);
    pthread_t *threads = cli_allocate((size_t)count, sizeof *threads);
    for (int i = 0; i < of->count; ++i)
        p.queue[i] = (entry){i, of->planned(of->data, i), of->stays && of->stays(of->data, i)};
    qsort(p.queue, (size_t)of->count, sizeof *p.queue, compare_length);
    p.given = cli_allocate((size_t)cli_ranks_count(), sizeof *p.given);
    for (int rank = 0; rank < cli_ranks_count(); ++rank)
        p.given[rank] = NOWHERE;
    int started = start_threads(&p, threads, alone ? count : 1);
    watch(&p, quiet);
    for (int i = 0; i < started; ++i)
        pthread_join(threads[i], NULL);
    cli_ranks_dismiss();
    free(p.given);
    free(p.queue);
    free(threads);
}
