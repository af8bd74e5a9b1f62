/* All runs of a study over a few threads. The longest run that is left is always the next, so that the last ones are
 * short; which thread takes which run has no influence on any result. */
#include "progress.h"
#include "study.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum
{
    BAR_WIDTH = 24
};

typedef struct pool
{
    crn_study *study;
    crn_study_run **queue; /* longest first */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int next, finished;
    atomic_llong steps_done;
} pool;

static int compare_length(const void *a, const void *b)
{
    const crn_study_run *p = *(crn_study_run *const *)a;
    const crn_study_run *q = *(crn_study_run *const *)b;
    /* Equal ones keep their order. */
    return p->planned != q->planned ? (p->planned < q->planned) - (p->planned > q->planned) : (p > q) - (p < q);
}

static void *work(void *data)
{
    pool *p = data;
    pthread_mutex_lock(&p->lock);
    while (p->next < p->study->run_count)
    {
        crn_study_run *run = p->queue[p->next++];
        pthread_mutex_unlock(&p->lock);
        crn_study_run_one(p->study, run, &p->steps_done);
        pthread_mutex_lock(&p->lock);
        ++p->finished;
        pthread_cond_signal(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void draw(const pool *p, double total, double elapsed)
{
    double part = total > 0 ? (double)atomic_load(&p->steps_done) / total : 1;
    part = part > 1 ? 1 : part;
    char bar[BAR_WIDTH + 1];
    for (int i = 0; i < BAR_WIDTH; ++i)
    {
        bar[i] = i < (int)(part * BAR_WIDTH) ? '#' : '.';
    }
    bar[BAR_WIDTH] = '\0';
    double left = part > 0 ? elapsed * (1 - part) / part : 0;
    fprintf(stderr, "\r[%s] %3.0f%%  %d of %d runs  ETA %.0f s\033[K", bar, 100 * part, p->finished,
            p->study->run_count, left);
    fflush(stderr);
}

/* Wait for all runs, with a bar on a terminal. */
static void watch(pool *p)
{
    double total = 0;
    for (int i = 0; i < p->study->run_count; ++i)
    {
        total += (double)p->study->runs[i].planned;
    }
    crn_progress progress = crn_progress_start(!p->study->options->quiet, (int64_t)total, p->study->until);
    pthread_mutex_lock(&p->lock);
    while (p->finished < p->study->run_count)
    {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 100000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&p->changed, &p->lock, &until);
        if (progress.active)
        {
            draw(p, total, crn_wall_time() - progress.started);
            progress.drawn = true;
        }
    }
    pthread_mutex_unlock(&p->lock);
    crn_progress_end(&progress);
}

static int start_threads(pool *p, pthread_t *threads, int wanted)
{
    int started = 0;
    while (started < wanted && !pthread_create(&threads[started], NULL, work, p))
    {
        ++started;
    }
    if (started == 0)
    {
        work(p);
    }
    return started;
}

static int thread_count(const crn_study *study)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long wanted = study->options->jobs > 0 ? study->options->jobs : processors > 0 ? processors : 1;
    return wanted > study->run_count ? study->run_count : (int)wanted;
}

bool crn_study_run_all(crn_study *study)
{
    double started = crn_wall_time();
    pool p = {.study = study, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    study->jobs = thread_count(study);
    p.queue = calloc((size_t)study->run_count + 1, sizeof *p.queue);
    pthread_t *threads = calloc((size_t)study->jobs + 1, sizeof *threads);
    bool ready = p.queue && threads;
    if (ready)
    {
        for (int i = 0; i < study->run_count; ++i)
        {
            p.queue[i] = &study->runs[i];
        }
        qsort(p.queue, (size_t)study->run_count, sizeof *p.queue, compare_length);
        int count = start_threads(&p, threads, study->jobs);
        watch(&p);
        for (int i = 0; i < count; ++i)
        {
            pthread_join(threads[i], NULL);
        }
    }
    free(p.queue);
    free(threads);
    study->wall = crn_wall_time() - started;
    return ready;
}
