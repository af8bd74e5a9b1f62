/* The longest remaining run is always next, so that the last runs are short. Which thread takes which run does not affect
 * any result. */
#include "cli/common/pool.h"
#include "cli/common/cli.h"
#include "cli/common/progress.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct entry
{
    int index;
    int64_t planned;
} entry;

typedef struct pool
{
    const cli_pool_work *work;
    entry *queue; /* longest first */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int next, finished;
    atomic_llong steps_done;
} pool;

static int compare_length(const void *a, const void *b)
{
    const entry *p = a, *q = b;
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
        until.tv_nsec += 100000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&p->changed, &p->lock, &until);
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
    return threads > count ? count : (int)threads;
}

void cli_pool_run(const cli_pool_work *of, int count, bool quiet)
{
    pool p = {.work = of, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    p.queue = cli_allocate((size_t)of->count, sizeof *p.queue);
    pthread_t *threads = cli_allocate((size_t)count, sizeof *threads);
    for (int i = 0; i < of->count; ++i)
        p.queue[i] = (entry){i, of->planned(of->data, i)};
    qsort(p.queue, (size_t)of->count, sizeof *p.queue, compare_length);
    int started = start_threads(&p, threads, count);
    watch(&p, quiet);
    for (int i = 0; i < started; ++i)
        pthread_join(threads[i], NULL);
    free(p.queue);
    free(threads);
}
