/* Impulses remembered from solve to solve by contact identity, from which iterative solvers start. */
#ifndef CRN_STEP_WARM_H
#define CRN_STEP_WARM_H

#include "base/foresee.h"
#include "cairn/base.h"
#include "collide/broad/sort.h"

typedef struct crn_warm
{
    uint64_t *key;   /* identities of the last problem, ascending */
    int *index;      /* per key: its contact in the last problem; used only where is_mixed */
    bool is_mixed;   /* the contacts of the last problem were not in this order */
    crn_keyed *work; /* scratch of sorting: two lists of keys */
    double *r;       /* impulses of the last problem, dim per contact */
    int count, dim;
    double *point;       /* 3 per contact: where it was, world; all 0 where none takes over from another */
    double *guess;       /* of crn_warm_recall */
    unsigned char *used; /* scratch, per key */
    size_t capacity[7];
} crn_warm;

/* The contacts of a problem by their identities, which may stand in records of something else. */
typedef struct crn_named
{
    const uint64_t *first;
    size_t stride; /* bytes from one identity to the next */
    int count;
    int dim; /* rows per contact */
} crn_named;

static inline uint64_t crn_name_of(const crn_named *named, int j)
{
    return *(const uint64_t *)((const char *)named->first + named->stride * (size_t)j);
}

/* The same; that of a later contact is asked for. */
static inline uint64_t crn_name_foreseen(const crn_named *named, int j)
{
    crn_foresee(named->first, named->stride * (size_t)(j + CRN_FORESEEN));
    return crn_name_of(named, j);
}

/* The contact of the last problem that has a key. */
static inline int crn_warm_index(const crn_warm *warm, int key)
{
    return warm->is_mixed ? warm->index[key] : key;
}

void crn_warm_release(crn_warm *warm);
/* Reserve space for a number of contacts of dim rows each; for their points too. */
cairn_status crn_warm_reserve(crn_warm *warm, size_t count, size_t dim);
cairn_status crn_warm_reserve_points(crn_warm *warm, size_t count);

/* Replace the identity of every contact, with work and indices reserved for all. */
cairn_status crn_warm_reserve_work(crn_warm *warm, size_t count);
void crn_warm_rename(crn_warm *warm, uint64_t (*rename)(const void *data, uint64_t identity), const void *data);

/* Where the contacts of a problem are. */
typedef struct crn_warm_places
{
    int feature_bits;    /* of an identity: the others name the pair of shapes */
    const double *point; /* of the first contact: 3, world */
    size_t stride;       /* doubles from one point to the next */
    /* m: how far contact j may be from the one that it takes over from; 0: it takes over from none */
    double (*reach)(const void *data, int j);
    const void *data;
} crn_warm_places;

/* *guess receives the impulses of contacts that were in the last problem, or of those they take over from (places; NULL: from none),
 * and 0 for new ones; NULL if all are new. The only possible failure is CAIRN_NO_MEMORY. */
cairn_status crn_warm_recall(crn_warm *warm, const crn_named *named, const crn_warm_places *places,
                             const double **guess);
/* The same into an array of the caller's. Returns whether any contact was found; the array is all 0 if not. */
bool crn_warm_recall_into(crn_warm *warm, const crn_named *named, const crn_warm_places *places, double *guess);
/* The same for the contacts first .. end-1 alone, none of which takes over from another. */
void crn_warm_recall_range(const crn_warm *warm, const crn_named *named, int first, int end, double *guess);
/* Whether a contact was in the last problem. */
bool crn_warm_knows(const crn_warm *warm, uint64_t identity);
/* r: impulses, dim per contact; they may be those of the memory already. */
cairn_status crn_warm_keep(crn_warm *warm, const crn_named *named, const double *r);
/* The same for the contacts first .. end-1 alone, with memory reserved; then, once all are kept and each call has returned that identities
 * ascend, crn_warm_finish. */
bool crn_warm_keep_range(crn_warm *warm, const crn_named *named, int first, int end, const double *r);
void crn_warm_finish(crn_warm *warm, const crn_named *named);

#endif
