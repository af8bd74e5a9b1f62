/* A few helper threads for the whole process.
 *
 * A job is a number of parts. The caller and the helpers claim parts until none is left, and the caller returns once all are done. A
 * helper that comes too late, since the machine is busy or it had gone to sleep, finds nothing to do, and nobody waits for it: on a busy
 * machine the caller does everything itself. Only one job runs at a time; another caller, or a part that asks for parts, does its own.
 *
 * Every job has a number of its own. claimed[k] is the number of the last job whose part k was claimed. As all parts of a job are claimed
 * before the next one begins, a helper that still has the number of an old job claims nothing.
 */
#include "base/parallel_ranges.h"

#include <assert.h>

static void one_by_one(int parts, void (*work)(void *data, int part), void *data)
{
    for (int k = 0; k < parts; ++k)
        work(data, k);
}

#ifdef _OPENMP
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum
{
    MOST_PARTS = 255,
    LINE = 64,    /* bytes of a cache line */
    SPINS = 4000, /* before a thread that waits leaves the processor to others each time it looks: some 100 us */
    LOOKS =
        8000 /* of a helper before it goes to sleep: some ms, more than what a step of a large pile leaves to one thread */
};

/* What is written at different times lies in different lines: helpers look at the job, the caller at what is done. */
static struct
{
    alignas(LINE) _Atomic uint64_t job; /* its number, its threads and its parts, the latter two in eight bits each */
    void (*work)(void *data, int part);
    void *data;
    alignas(LINE) _Atomic uint64_t claimed[MOST_PARTS];
    alignas(LINE) atomic_int done; /* parts of this job */
    alignas(LINE) atomic_bool busy;
    atomic_int sleeping;  /* helpers */
    int helpers;          /* changed by whoever is busy */
    pthread_mutex_t lock; /* of those who sleep */
    pthread_cond_t wake;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

void crn_wait_a_little(int look)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#endif
    if (look >= SPINS)
        sched_yield();
}

/* Do the parts of a job that nobody has claimed. Each thread begins with its own, so that it finds in its cache what it left there. */
static void take_part(uint64_t job, int thread)
{
    uint64_t number = job >> 16;
    int parts = (int)(job & 255), threads = (int)(job >> 8 & 255);
    int first = thread < threads ? parts * thread / threads : 0;
    for (int i = 0; i < parts && thread < threads; ++i)
    {
        int k = (first + i) % parts;
        uint64_t last = atomic_load(&pool.claimed[k]);
        if (last >= number || !atomic_compare_exchange_strong(&pool.claimed[k], &last, number))
            continue;
        pool.work(pool.data, k);
        atomic_fetch_add(&pool.done, 1);
    }
}

/* Wait for a job other than the last one. */
static uint64_t next_job(uint64_t last)
{
    for (int look = 0; look < LOOKS && atomic_load(&pool.job) == last; ++look)
        crn_wait_a_little(look);
    if (atomic_load(&pool.job) != last)
        return atomic_load(&pool.job);
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.sleeping, 1);
    while (atomic_load(&pool.job) == last)
        pthread_cond_wait(&pool.wake, &pool.lock);
    atomic_fetch_sub(&pool.sleeping, 1);
    pthread_mutex_unlock(&pool.lock);
    return atomic_load(&pool.job);
}

static void *help(void *thread)
{
    for (uint64_t job = 0;;)
    {
        job = next_job(job);
        take_part(job, (int)(intptr_t)thread);
    }
    return NULL;
}

/* As many helpers as there can be; fewer do as well. */
static void raise_helpers(int count)
{
    pthread_t thread;
    for (; pool.helpers < count; ++pool.helpers)
    {
        if (pthread_create(&thread, NULL, help, (void *)(intptr_t)(pool.helpers + 1)))
            return;
        pthread_detach(thread);
    }
}

static void publish(int threads, int parts, void (*work)(void *data, int part), void *data)
{
    pool.work = work;
    pool.data = data;
    atomic_store(&pool.done, 0);
    uint64_t number = (atomic_load(&pool.job) >> 16) + 1;
    atomic_store(&pool.job, number << 16 | (uint64_t)threads << 8 | (uint64_t)parts);
    if (atomic_load(&pool.sleeping) == 0)
        return;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
}

void crn_share_parts(int threads, int parts, void (*work)(void *data, int part), void *data)
{
    assert(parts >= 0 && work);
    threads = threads < parts ? threads : parts;
    if (threads <= 1 || parts > MOST_PARTS || atomic_exchange(&pool.busy, true))
    {
        one_by_one(parts, work, data);
        return;
    }
    raise_helpers(threads - 1);
    publish(threads, parts, work, data);
    take_part(atomic_load(&pool.job), 0);
    for (int look = 0; atomic_load(&pool.done) < parts; ++look)
        crn_wait_a_little(look);
    atomic_store(&pool.busy, false);
}
#else
void crn_wait_a_little(int look)
{
    (void)look;
}

void crn_share_parts(int threads, int parts, void (*work)(void *data, int part), void *data)
{
    assert(threads >= 0 && parts >= 0 && work);
    one_by_one(parts, work, data);
}
#endif

void crn_in_parts(int parts, void (*work)(void *data, int part), void *data)
{
    crn_share_parts(parts, parts, work, data);
}
