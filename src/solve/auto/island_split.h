/* A problem taken apart: one problem of its own for each group of islands.h, and solutions put together again.
 *
 * The parts are copies, packed one after the other in memory that is kept: what an island needs lies close together,
 * whatever the order of bodies and contacts in the whole was. Blocks, joints, contacts and patches keep their order.
 */
#ifndef CRN_SOLVE_AUTO_ISLAND_SPLIT_H
#define CRN_SOLVE_AUTO_ISLAND_SPLIT_H

#include "cairn/solver.h"
#include "solve/auto/islands.h"

typedef struct crn_island_part
{
    cairn_problem problem;
    const double *guess; /* NULL: none */
} crn_island_part;

typedef struct crn_island_split
{
    crn_island_part *part; /* one a group */
    int *local;            /* a block: its number in its part */
    int *ints;             /* all the parts' arrays, and how much of them is taken */
    double *reals;
    uint64_t *identities;
    cairn_bound *bounds;
    size_t ints_used, reals_used, identities_used, bounds_used;
    size_t capacity[6];
} crn_island_split;

void crn_island_split_release(crn_island_split *split);

/* guess: of the whole problem, or NULL. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_island_split_make(crn_island_split *split, const crn_islands *islands, const cairn_problem *problem,
                                   const double *guess);

/* Write the solution of a part where it belongs in the solution of the whole. */
void crn_island_merge(const crn_islands *islands, const cairn_problem *problem, int group, const cairn_solution *part,
                      cairn_solution *whole);

#endif
