#include "base/parallel_row.h"

#include "base/parallel_ranges.h"

#include <assert.h>
#include <stdalign.h>
#include <stdatomic.h>

enum
{
    LINE = 64,      /* bytes of a cache line */
    PATIENCE = 500, /* looks for work of its own before a thread takes that of a slow one: some 10 us */
    MOST_WORKERS = (CRN_ROW_PARTS + 1) / 2
};

/* Twice the next phase of a part, and 1 more while someone works on it. */
typedef struct place
{
    alignas(LINE) atomic_int next;
} place;

typedef struct walk
{
    const crn_row *row;
    int workers;
    place place[CRN_ROW_PARTS];
    atomic_bool has_come[MOST_WORKERS];
} walk;

static int phase_of(walk *w, int part)
{
    return atomic_load(&w->place[part].next) >> 1;
}

/* Whether a part may do its next phase: nobody does, and its neighbours have done theirs before it. */
static bool is_ready(walk *w, int part)
{
    int next = atomic_load(&w->place[part].next), phase = next >> 1;
    return !(next & 1) && phase < w->row->phases && (part == 0 || phase_of(w, part - 1) > phase) &&
           (part == w->row->parts - 1 || phase_of(w, part + 1) > phase);
}

/* Do the next phase of a part, unless someone else has begun it. */
static bool take_phase(walk *w, int part)
{
    int next = 2 * phase_of(w, part);
    if (!is_ready(w, part) || !atomic_compare_exchange_strong(&w->place[part].next, &next, next | 1))
        return false;
    w->row->work(w->row->data, part, next >> 1);
    atomic_store(&w->place[part].next, next + 4);
    return true;
}

/* The first part of a worker. */
static int first_of(const walk *w, int worker)
{
    return w->row->parts * worker / w->workers;
}

/* Do a phase of one of a worker's parts, the one that is furthest behind. */
static bool take_own(walk *w, int worker)
{
    int best = -1;
    for (int part = first_of(w, worker); part < first_of(w, worker + 1); ++part)
        if (is_ready(w, part) && (best < 0 || phase_of(w, part) < phase_of(w, best)))
            best = part;
    return best >= 0 && take_phase(w, best);
}

static bool is_done(walk *w)
{
    for (int part = 0; part < w->row->parts; ++part)
        if (phase_of(w, part) < w->row->phases)
            return false;
    return true;
}

/* A worker does its own parts, and those of workers that have not come or are slow. It waits only for what another thread is doing. */
static void walk_along(void *data, int worker)
{
    walk *w = data;
    atomic_store(&w->has_come[worker], true);
    for (int idle = 0; !is_done(w);)
    {
        bool took = take_own(w, worker);
        for (int other = 0; other < w->workers && !took; ++other)
            took = (idle > PATIENCE || !atomic_load(&w->has_come[other])) && take_own(w, other);
        if (took)
            idle = 0;
        else
            crn_wait_a_little(idle++);
    }
}

void crn_share_row(int threads, const crn_row *row)
{
    assert(row->parts >= 1 && row->parts <= CRN_ROW_PARTS && row->phases >= 0);
    walk w = {.row = row, .workers = (row->parts + 1) / 2};
    w.workers = threads < w.workers ? threads : w.workers;
    w.workers = w.workers > 1 ? w.workers : 1;
    for (int part = 0; part < row->parts; ++part)
        atomic_init(&w.place[part].next, 2 * ((part + row->odd_first) & 1));
    crn_in_parts(w.workers, walk_along, &w);
}
