/* The narrow phase over all pairs, by several threads. Every thread takes ranges of the sorted list of pairs; what they find, one range
 * after the other, is what a single thread would have found. */
#ifndef CRN_COLLIDE_CROWD_H
#define CRN_COLLIDE_CROWD_H

#include "collide/pair_contacts.h"

typedef struct crn_crowd
{
    crn_narrow_worker *worker; /* one per range */
    int worker_count;          /* of which `parts` did something in the last run */
    int parts;
    crn_contact *contacts; /* of all ranges: the last list */
    size_t capacity;
    crn_scratch *spare; /* memory of the next list; NULL: it takes the place of the last one */
    crn_sides sides;    /* of all ranges */
    crn_arena memory;   /* of the workers */
} crn_crowd;

/* What to look at. */
typedef struct crn_crowd_run
{
    crn_narrow narrow;
    const crn_broad *broad;
    const bool *only; /* per shape: pairs without any such shape are left out; NULL: none are */
    int threads;
    bool keep_all; /* see crn_collider_keep_all */
} crn_crowd_run;

/* Find the contacts of all pairs, sorted by identity. CAIRN_OK, CAIRN_NO_MEMORY or CAIRN_NUMERIC. */
cairn_status crn_crowd_touch(crn_crowd *crowd, const crn_crowd_run *run, const crn_contact **contacts, int *count);
void crn_crowd_free(crn_crowd *crowd);
/* Insert contacts by identity into the first `count` ones of the array that crn_crowd_touch returned, which may move. */
cairn_status crn_crowd_insert(crn_crowd *crowd, int count, const crn_contact *more, int more_count,
                              const crn_contact **contacts);

#endif
