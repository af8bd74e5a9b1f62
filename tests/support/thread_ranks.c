#include "support/thread_ranks.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A message from one rank to another. */
typedef struct letter
{
    char *bytes;
    size_t size, room;
    bool is_full;
} letter;

typedef struct job
{
    int count;
    pthread_barrier_t barrier;
    pthread_mutex_t lock;
    letter *letter; /* from r to s: r * count + s */
    struct member *member;
    void (*work)(cairn_ranks *, void *);
    void *data;
} job;

typedef struct member
{
    cairn_ranks ranks;
    job *job;
    pthread_cond_t changed; /* a letter to this rank, or one of its own that was taken: nobody else is woken */
    const void *shown;      /* to all others, between two barriers */
    const size_t *sizes;
    size_t size;
    char *gathered, *dealt;
    int partners, partner[64];
    void *receive[64];
    size_t receive_bytes[64];
} member;

static void meet(member *m)
{
    pthread_barrier_wait(&m->job->barrier);
}

/* ----------------------------------------------------------------------------------------------------------- neighbours */

static void fill(letter *to, const void *bytes, size_t size)
{
    if (to->room < size)
        to->bytes = realloc(to->bytes, to->room = size);
    memcpy(to->bytes, bytes, size);
    to->size = size;
    to->is_full = true;
}

static void start(void *context, int partners, const int *partner, void *const *send, const size_t *send_bytes,
                  void *const *receive, const size_t *receive_bytes)
{
    member *m = context;
    job *whole = m->job;
    pthread_mutex_lock(&whole->lock);
    m->partners = partners;
    for (int i = 0; i < partners; ++i)
    {
        letter *to = &whole->letter[m->ranks.rank * whole->count + partner[i]];
        m->partner[i] = partner[i];
        m->receive[i] = receive[i];
        m->receive_bytes[i] = receive_bytes[i];
        if (send_bytes[i] == 0)
            continue;
        while (to->is_full)
            pthread_cond_wait(&m->changed, &whole->lock);
        fill(to, send[i], send_bytes[i]);
        pthread_cond_signal(&whole->member[partner[i]].changed);
    }
    pthread_mutex_unlock(&whole->lock);
}

static void finish(void *context)
{
    member *m = context;
    job *whole = m->job;
    pthread_mutex_lock(&whole->lock);
    for (int i = 0; i < m->partners; ++i)
    {
        letter *from = &whole->letter[m->partner[i] * whole->count + m->ranks.rank];
        if (m->receive_bytes[i] == 0)
            continue;
        while (!from->is_full)
            pthread_cond_wait(&m->changed, &whole->lock);
        if (from->size != m->receive_bytes[i])
            abort(); /* the two sides do not agree about the size */
        memcpy(m->receive[i], from->bytes, from->size);
        from->is_full = false;
        pthread_cond_signal(&whole->member[m->partner[i]].changed);
    }
    pthread_mutex_unlock(&whole->lock);
}

/* ------------------------------------------------------------------------------------------------------------ collective */

static const void *gather(void *context, const void *mine, size_t bytes, size_t *all_bytes)
{
    member *m = context;
    m->shown = mine;
    m->size = bytes;
    meet(m);
    size_t all = 0;
    for (int r = 0; r < m->job->count; ++r)
        all += m->job->member[r].size;
    m->gathered = realloc(m->gathered, all + 1);
    size_t at = 0;
    for (int r = 0; r < m->job->count; ++r)
    {
        const member *from = &m->job->member[r];
        if (from->size > 0)
            memcpy(m->gathered + at, from->shown, from->size);
        at += from->size;
    }
    meet(m);
    *all_bytes = all;
    return m->gathered;
}

static const void *deal(void *context, const void *blocks, size_t *bytes)
{
    member *m = context;
    int count = m->job->count;
    size_t *came = calloc((size_t)count, sizeof *came), at = 0, all = 0;
    m->shown = blocks;
    m->sizes = bytes;
    meet(m);
    for (int r = 0; r < count; ++r)
        all += came[r] = m->job->member[r].sizes[m->ranks.rank];
    m->dealt = realloc(m->dealt, all + 1);
    for (int r = 0; r < count; ++r)
    {
        const member *from = &m->job->member[r];
        size_t before = 0;
        for (int s = 0; s < m->ranks.rank; ++s)
            before += from->sizes[s];
        if (came[r] > 0)
            memcpy(m->dealt + at, (const char *)from->shown + before, came[r]);
        at += came[r];
    }
    meet(m);
    memcpy(bytes, came, (size_t)count * sizeof *came);
    free(came);
    return m->dealt;
}

static void reduce_max(void *context, double *values, int count)
{
    size_t size;
    const double *all = gather(context, values, (size_t)count * sizeof *values, &size);
    for (size_t i = 0; i < size / sizeof *values; ++i)
        values[i % (size_t)count] = fmax(values[i % (size_t)count], all[i]);
}

static void reduce_sum(void *context, int64_t *values, int count)
{
    size_t size;
    const uint64_t *all = gather(context, values, (size_t)count * sizeof *values, &size);
    memset(values, 0, (size_t)count * sizeof *values);
    for (size_t i = 0; i < size / sizeof *values; ++i)
        values[i % (size_t)count] = (int64_t)((uint64_t)values[i % (size_t)count] + all[i]);
}

/* ------------------------------------------------------------------------------------------------------------------- job */

static void *live(void *argument)
{
    member *m = argument;
    m->job->work(&m->ranks, m->job->data);
    return NULL;
}

bool thread_ranks_run(int count, int seconds, void (*work)(cairn_ranks *ranks, void *data), void *data)
{
    job whole = {.count = count, .work = work, .data = data};
    pthread_t thread[64];
    pthread_barrier_init(&whole.barrier, NULL, (unsigned)count);
    pthread_mutex_init(&whole.lock, NULL);
    whole.letter = calloc((size_t)(count * count), sizeof *whole.letter);
    whole.member = calloc((size_t)count, sizeof *whole.member);
    for (int r = 0; r < count; ++r)
    {
        whole.member[r].job = &whole;
        pthread_cond_init(&whole.member[r].changed, NULL);
        whole.member[r].ranks = (cairn_ranks){.rank = r,
                                              .count = count,
                                              .context = &whole.member[r],
                                              .start = start,
                                              .finish = finish,
                                              .deal = deal,
                                              .reduce_max = reduce_max,
                                              .reduce_sum = reduce_sum,
                                              .gather = gather};
    }
    alarm((unsigned)seconds);
    for (int r = 0; r < count; ++r)
        pthread_create(&thread[r], NULL, live, &whole.member[r]);
    for (int r = 0; r < count; ++r)
        pthread_join(thread[r], NULL);
    alarm(0);
    for (int r = 0; r < count; ++r)
    {
        pthread_cond_destroy(&whole.member[r].changed);
        free(whole.member[r].gathered);
        free(whole.member[r].dealt);
    }
    bool is_whole = true;
    for (int i = 0; i < count * count; ++i)
    {
        is_whole = is_whole && !whole.letter[i].is_full;
        free(whole.letter[i].bytes);
    }
    free(whole.letter);
    free(whole.member);
    pthread_barrier_destroy(&whole.barrier);
    pthread_mutex_destroy(&whole.lock);
    return is_whole;
}
