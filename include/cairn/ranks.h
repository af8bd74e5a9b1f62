/* Processes that share a simulation (setting device: ranks).
 *
 *     process 0                                         all others
 *     cairn_context_join(context, &ranks);              cairn_ranks_serve(context, &ranks);
 *     cairn_simulation_create(...), steps, run files
 *     cairn_ranks_dismiss(&ranks);                      returns
 *
 * Process 0 has the model, the run file and the caller's program. Its simulation hands the bodies out: each process owns those of its domain and
 * does their part of every step. The same number of processes gives the same bits; with the setting
 * `reproducible`, any number does.
 *
 * The library does not know what carries the messages. The caller gives it the functions below, over MPI for example, as the tool does.
 */
#ifndef CAIRN_RANKS_H
#define CAIRN_RANKS_H

#include "cairn/simulation.h"

CAIRN_BEGIN_DECLS

/* A job of `count` processes as one of them sees it. Functions are collective, called in the same order by all, unless it says otherwise. They
 * do not fail: a job that has lost a process, or has no memory for a message, ends as a whole. Memory that they return is theirs and lasts until the
 * next call of the same function. */
typedef struct cairn_ranks
{
    int rank, count;
    void *context; /* first argument of all functions */
    /* Not collective: start to exchange blocks of bytes with `partners` others, in ascending order; both sides know the sizes, and a
     * block of no bytes is no message. `finish` waits until everything has gone and come. One at a time. */
    void (*start)(void *context, int partners, const int *partner, void *const *send, const size_t *send_bytes,
                  void *const *receive, const size_t *receive_bytes);
    void (*finish)(void *context);
    /* Send blocks that lie one after the other, bytes[r] of them to rank r, and get those of all others in the order of ranks; bytes is
     * overwritten by how many came from each. */
    const void *(*deal)(void *context, const void *blocks, size_t *bytes);
    /* Elementwise over all ranks, the result on all of them. */
    void (*reduce_max)(void *context, double *values, int count);
    void (*reduce_sum)(void *context, int64_t *values, int count); /* wraps around */
    /* The bytes of all ranks in their order, on all of them. */
    const void *(*gather)(void *context, const void *mine, size_t bytes, size_t *all_bytes);
    bool is_shared; /* for the library: a simulation is being shared. Start with false. */
} cairn_ranks;

/* Process 0: simulations with `device: ranks` that are created with this context are shared by the job, one at a time. `ranks` must outlive them. Grains on a lattice that are added to models of the context afterwards are
 * left to the ranks until somebody needs all of them; what the model says of them is the same. */
CAIRN_API cairn_status cairn_context_join(cairn_context *context, cairn_ranks *ranks);

/* All others: take part until process 0 dismisses them. What fails is told by process 0. */
CAIRN_API cairn_status cairn_ranks_serve(cairn_context *context, cairn_ranks *ranks);

/* Process 0: let the others go, after the last simulation was destroyed. */
CAIRN_API void cairn_ranks_dismiss(cairn_ranks *ranks);

/* What the ranks of a simulation have done since it was made, or since its state was set from outside. */
typedef struct cairn_ranks_tally
{
    int ranks; /* 0: the simulation is not one of ranks */
    int64_t steps;
    int64_t rebuilds;     /* of domains and ghosts */
    int64_t cuts;         /* of these, with new borders */
    int64_t moved;        /* bodies that changed their rank, from the start on which process 0 has all of them */
    double balance;       /* largest work of a rank over the mean, after the last rebuild */
    double most_uneven;   /* the largest of that in a step */
    int64_t uneven_steps; /* steps in which it was more than 1.15 */
    int64_t ghosts,
        neighbours; /* now: copies of bodies that others own, and pairs of ranks that exchange them; of all ranks */
    int64_t border; /* ghosts that take part in contacts or joints now, of all ranks */
    int64_t messages, bytes;           /* in steps, of all ranks */
    int64_t most_messages, most_bytes; /* of one rank */
    int64_t reductions;                /* in steps, in which all ranks take part */
    int64_t memory,
        most_memory; /* bytes that process 0 has had at most, and that of the others the one with the most */
} cairn_ranks_tally;

/* All ranks take part in counting. */
CAIRN_API cairn_ranks_tally cairn_simulation_ranks(cairn_simulation *simulation);

CAIRN_END_DECLS

#endif
