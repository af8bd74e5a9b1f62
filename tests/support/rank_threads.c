#include "support/rank_threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    MOST_RANKS = 16,
    MOST_VALUES = 256,
    PATIENCE = 60 /* s */
};

/* Bytes on their way from one rank to another, the oldest first. */
typedef struct letter
{
    struct letter *next;
    size_t bytes;
    char content[];
} letter;

struct rank_job
{
    int ranks;
    pthread_mutex_t lock;
    pthread_cond_t met, delivered[MOST_RANKS];
    letter *first[MOST_RANKS][MOST_RANKS], *last[MOST_RANKS][MOST_RANKS]; /* from, to */
    int arrived;
    long meetings;
    double maximum[MOST_VALUES];
    int64_t sum[MOST_VALUES];
    const void *mine[MOST_RANKS];
    size_t mine_bytes[MOST_RANKS];
    char *gathered[MOST_RANKS];
    bool is_broken;
    void (*work)(rank_thread *thread, void *data);
    void *data;
    rank_thread thread[MOST_RANKS];
};

int rank_job_size(const rank_thread *thread)
{
    return thread->job->ranks;
}

static void give_up(rank_job *job)
{
    job->is_broken = true;
    pthread_cond_broadcast(&job->met);
    for (int r = 0; r < job->ranks; ++r)
        pthread_cond_signal(&job->delivered[r]);
}

/* With the lock held. */
static void await_change(rank_job *job, pthread_cond_t *changed)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    if (!job->is_broken && pthread_cond_timedwait(changed, &job->lock, &until) != 0)
        give_up(job);
}

/* With the lock held. */
static void meet(rank_job *job)
{
    long meeting = job->meetings;
    if (++job->arrived == job->ranks)
    {
        job->arrived = 0;
        ++job->meetings;
        pthread_cond_broadcast(&job->met);
    }
    while (job->meetings == meeting && !job->is_broken)
        await_change(job, &job->met);
}

void rank_job_wait(rank_thread *thread)
{
    pthread_mutex_lock(&thread->job->lock);
    meet(thread->job);
    pthread_mutex_unlock(&thread->job->lock);
}

/* ------------------------------------------------------------------------------------------------------ the interface */

static void start(void *context, void *const *send, const size_t *send_bytes, void *const *receive,
                  const size_t *receive_bytes)
{
    rank_thread *thread = context;
    rank_job *job = thread->job;
    thread->receive = receive;
    thread->receive_bytes = receive_bytes;
    pthread_mutex_lock(&job->lock);
    for (int q = 0; q < thread->neighbours; ++q)
    {
        if (send_bytes[q] == 0)
            continue;
        letter *sent = malloc(sizeof *sent + send_bytes[q]), **first = &job->first[thread->rank][thread->neighbour[q]];
        letter **last = &job->last[thread->rank][thread->neighbour[q]];
        sent->next = NULL;
        sent->bytes = send_bytes[q];
        memcpy(sent->content, send[q], send_bytes[q]);
        *(*first ? &(*last)->next : first) = sent;
        *last = sent;
        ++thread->messages;
        thread->bytes += (int64_t)send_bytes[q];
        pthread_cond_signal(&job->delivered[thread->neighbour[q]]);
    }
    pthread_mutex_unlock(&job->lock);
}

static bool receive_one(rank_job *job, int rank, letter **from, void *to, size_t bytes)
{
    while (!*from && !job->is_broken)
        await_change(job, &job->delivered[rank]);
    letter *got = *from;
    if (!got || got->bytes != bytes)
    {
        give_up(job);
        return false;
    }
    memcpy(to, got->content, bytes);
    *from = got->next;
    free(got);
    return true;
}

static bool finish(void *context)
{
    rank_thread *thread = context;
    rank_job *job = thread->job;
    bool is_good = true;
    pthread_mutex_lock(&job->lock);
    for (int q = 0; q < thread->neighbours && is_good; ++q)
        if (thread->receive_bytes[q] > 0)
            is_good = receive_one(job, thread->rank, &job->first[thread->neighbour[q]][thread->rank],
                                  thread->receive[q], thread->receive_bytes[q]);
    pthread_mutex_unlock(&job->lock);
    return is_good;
}

static void reduce_max(void *context, double *values, int count)
{
    rank_job *job = ((rank_thread *)context)->job;
    pthread_mutex_lock(&job->lock);
    for (int i = 0; i < count; ++i)
        job->maximum[i] = job->arrived == 0 || values[i] > job->maximum[i] ? values[i] : job->maximum[i];
    meet(job);
    memcpy(values, job->maximum, (size_t)count * sizeof *values);
    meet(job);
    pthread_mutex_unlock(&job->lock);
}

static void reduce_sum(void *context, int64_t *values, int count)
{
    rank_job *job = ((rank_thread *)context)->job;
    pthread_mutex_lock(&job->lock);
    for (int i = 0; i < count; ++i)
        job->sum[i] = (int64_t)((job->arrived == 0 ? 0 : (uint64_t)job->sum[i]) + (uint64_t)values[i]);
    meet(job);
    memcpy(values, job->sum, (size_t)count * sizeof *values);
    meet(job);
    pthread_mutex_unlock(&job->lock);
}

static const void *gather(void *context, const void *mine, size_t bytes, size_t *all_bytes)
{
    rank_thread *thread = context;
    rank_job *job = thread->job;
    pthread_mutex_lock(&job->lock);
    job->mine[thread->rank] = mine;
    job->mine_bytes[thread->rank] = bytes;
    meet(job);
    *all_bytes = 0;
    for (int r = 0; r < job->ranks && !job->is_broken; ++r)
        *all_bytes += job->mine_bytes[r];
    char *to = job->gathered[thread->rank] = realloc(job->gathered[thread->rank], *all_bytes + 1);
    for (int r = 0; r < job->ranks && !job->is_broken; to += job->mine_bytes[r++])
        if (job->mine_bytes[r] > 0)
            memcpy(to, job->mine[r], job->mine_bytes[r]);
    meet(job);
    pthread_mutex_unlock(&job->lock);
    return job->gathered[thread->rank];
}

void rank_thread_connect(rank_thread *thread, crn_gpu_rank *rank, int neighbours, const int *neighbour)
{
    thread->neighbours = neighbours;
    thread->neighbour = neighbour;
    rank->rank = thread->rank;
    rank->ranks = thread->job->ranks;
    rank->neighbours = neighbours;
    rank->neighbour = neighbour;
    rank->context = thread;
    rank->start = start;
    rank->finish = finish;
    rank->reduce_max = reduce_max;
    rank->reduce_sum = reduce_sum;
    rank->gather = gather;
}

/* -------------------------------------------------------------------------------------------------------------- run */

static void *run_thread(void *context)
{
    rank_thread *thread = context;
    thread->job->work(thread, thread->job->data);
    return NULL;
}

static void clear(rank_job *job)
{
    for (int from = 0; from < job->ranks; ++from)
        for (int to = 0; to < job->ranks; ++to)
            while (job->first[from][to])
            {
                letter *next = job->first[from][to]->next;
                free(job->first[from][to]);
                job->first[from][to] = next;
                job->is_broken = true; /* nobody has asked for it */
            }
    for (int rank = 0; rank < job->ranks; ++rank)
        free(job->gathered[rank]);
}

bool rank_job_run(int ranks, void (*work)(rank_thread *thread, void *data), void *data)
{
    rank_job job = {.ranks = ranks, .work = work, .data = data};
    pthread_t thread[MOST_RANKS];
    pthread_mutex_init(&job.lock, NULL);
    pthread_cond_init(&job.met, NULL);
    for (int r = 0; r < ranks; ++r)
        pthread_cond_init(&job.delivered[r], NULL);
    for (int r = 0; r < ranks; ++r)
    {
        job.thread[r] = (rank_thread){.job = &job, .rank = r};
        pthread_create(&thread[r], NULL, run_thread, &job.thread[r]);
    }
    for (int r = 0; r < ranks; ++r)
        pthread_join(thread[r], NULL);
    clear(&job);
    pthread_cond_destroy(&job.met);
    for (int r = 0; r < ranks; ++r)
        pthread_cond_destroy(&job.delivered[r]);
    pthread_mutex_destroy(&job.lock);
    return !job.is_broken;
}
