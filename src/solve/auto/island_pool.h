/* Solves the islands of a problem one by one or by several threads, each as a problem of its own, and merges the results.
 *
 * Every island is asked for the whole's tolerance, relative to its own scale (docs/certificate.md). The reported certificate is
 * that of the whole, computed from the merged solution.
 *
 * Threads take the islands from a common list, the largest first. The result does not depend on which thread takes which
 * island: a workspace keeps only memory between problems, and orderings that are redone when the pattern changes. The largest
 * island has a workspace of its own, so that its ordering is kept from step to step.
 */
#ifndef CRN_SOLVE_AUTO_ISLAND_POOL_H
#define CRN_SOLVE_AUTO_ISLAND_POOL_H

#include "solve/auto/auto.h"
#include "solve/auto/island_split.h"

/* The result of one group. */
typedef struct crn_island_result
{
    cairn_status status;
    cairn_solver_report report;
} crn_island_result;

typedef struct crn_island_pool
{
    crn_islands islands;
    crn_island_split split;
    crn_island_result *result;            /* per group */
    double *share;                        /* per place in the order of groups: its share of the time left */
    crn_certifier *certifier;             /* of the whole */
    cairn_solution solution;              /* of the whole */
    crn_solver_policy *largest_workspace; /* for the largest island; belongs to the caller */
    crn_solver_policy **worker;           /* per thread, made when first needed */
    int worker_count;
    crn_arena memory;
} crn_island_pool;

bool crn_island_pool_open(crn_island_pool *pool, crn_solver_policy *largest_workspace);
void crn_island_pool_close(crn_island_pool *pool);

/* Solve the problem whose islands are in pool->islands. The solution's arrays belong to the pool. No messages are left; the
 * status is that of the first island that failed. */
cairn_status crn_island_pool_solve(crn_island_pool *pool, const cairn_problem *problem,
                                   const cairn_solver_options *options, cairn_solution *solution,
                                   cairn_solver_report *report);

#endif
