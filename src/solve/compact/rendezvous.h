/* Where threads wait for each other, many times in a row and mostly for less than a microsecond: they spin for a moment and then leave
 * the processor to others. On a busy machine libgomp's barrier, which spins on, makes sweeps ten times slower than one thread. */
#ifndef CRN_SOLVE_COMPACT_RENDEZVOUS_H
#define CRN_SOLVE_COMPACT_RENDEZVOUS_H

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>

enum
{
    CRN_RENDEZVOUS_SPINS = 500
};

/* Zeroed, it is ready. */
typedef struct crn_rendezvous
{
    atomic_int arrived; /* in this round */
    atomic_int round;
} crn_rendezvous;

static inline void crn_rendezvous_wait(crn_rendezvous *r, int threads)
{
    assert(threads >= 1);
    int round = atomic_load_explicit(&r->round, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&r->arrived, 1, memory_order_acq_rel) == threads - 1)
    {
        atomic_store_explicit(&r->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&r->round, round + 1, memory_order_release);
        return;
    }
    for (int spins = 0; atomic_load_explicit(&r->round, memory_order_acquire) == round; ++spins)
    {
        if (spins >= CRN_RENDEZVOUS_SPINS)
            sched_yield();
#if defined __x86_64__
        else
            __builtin_ia32_pause();
#endif
    }
}

#endif
