/* Islands solved one by one or by several threads, each as a problem of its own, and put together.
 *
 * The tolerance is relative to the scale S of the whole problem, the largest of the islands' scales s_k (docs/certificate.md),
 * so an island has to reach tolerance * S / s_k by its own measure: the whole then meets the tolerance, and no island works
 * for more. The certificate that is told is that of the whole, computed from the merged solution.
 *
 * Threads take the islands from a common list, the largest first. Which thread takes which has no influence on the result:
 * a workspace carries nothing from one problem to the next but memory and orderings that are redone when the pattern
 * changes. The largest island has a workspace of its own, so that its ordering lives on from step to step.
 */
#ifndef CRN_SOLVE_AUTO_ISLAND_POOL_H
#define CRN_SOLVE_AUTO_ISLAND_POOL_H

#include "solve/auto/auto.h"
#include "solve/auto/island_split.h"

/* What came of one group. */
typedef struct crn_island_result
{
    cairn_status status;
    cairn_solver_report report;
} crn_island_result;

typedef struct crn_island_pool
{
    crn_islands islands;
    crn_island_split split;
    crn_island_result *result;            /* one a group */
    double *share;                        /* of the time left when its turn has come, one in the order of groups */
    crn_certifier *certifier;             /* of the whole */
    cairn_solution solution;              /* of the whole */
    crn_solver_policy *largest_workspace; /* the workspace for the largest; the caller's */
    crn_solver_policy **worker;           /* one a thread, made when first needed */
    int worker_count;
    size_t capacity[6];
} crn_island_pool;

bool crn_island_pool_open(crn_island_pool *pool, crn_solver_policy *largest_workspace);
void crn_island_pool_close(crn_island_pool *pool);

/* Whether the problem falls apart; pool->islands says how. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_island_pool_survey(crn_island_pool *pool, const cairn_problem *problem, bool *apart);

/* Solve what the survey found apart; messages are not left. The solution's arrays belong to the pool. A status is that of the
 * first island that has one. */
cairn_status crn_island_pool_solve(crn_island_pool *pool, const cairn_problem *problem,
                                   const cairn_solver_options *options, cairn_solution *solution,
                                   cairn_solver_report *report);

#endif
