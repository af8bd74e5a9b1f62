/* Impulses remembered from solve to solve by contact identity: where iterative solvers start. */
#ifndef CRN_STEP_WARM_H
#define CRN_STEP_WARM_H

#include "cairn/solver.h"
#include "collide/broad/sort.h"

typedef struct crn_warm
{
    crn_keyed *key; /* identities of the last problem, ascending, each with its contact's number in a */
    crn_keyed *work;
    double *r; /* of the last problem, dim a contact */
    int count, dim;
    double *guess;
    size_t capacity[4];
} crn_warm;

void crn_warm_release(crn_warm *warm);
/* Room for so many contacts of so many rows. */
cairn_status crn_warm_reserve(crn_warm *warm, size_t count, size_t dim);

/* Give every contact another identity. */
void crn_warm_rename(crn_warm *warm, uint64_t (*rename)(const void *data, uint64_t identity), const void *data);

/* *guess: impulses of the contacts that were there before, 0 for new ones; NULL when none was. CAIRN_NO_MEMORY is the only
 * failure. */
cairn_status crn_warm_recall(crn_warm *warm, const cairn_problem *problem, const double **guess);
cairn_status crn_warm_keep(crn_warm *warm, const cairn_problem *problem, const cairn_solution *solution);

#endif
