/* Splits a problem into one problem per group of islands.h, and merges their solutions.
 *
 * The parts are copies, packed one after another in memory that is kept: the data of an island lie close together, whatever
 * the order of bodies and contacts in the whole problem. Blocks, joints, contacts and patches keep their order.
 */
#ifndef CRN_SOLVE_AUTO_ISLAND_SPLIT_H
#define CRN_SOLVE_AUTO_ISLAND_SPLIT_H

#include "cairn/solver.h"
#include "solve/auto/islands.h"

typedef struct crn_island_part
{
    cairn_problem problem;
    const double *guess;  /* NULL: none */
    const double *before; /* velocities before the step; NULL: not known */
} crn_island_part;

typedef struct crn_island_split
{
    crn_island_part *part; /* per group */
    int *local;            /* per block: its number in its part */
    int *local_contact;    /* the same per contact, where compliance is in sparse blocks */
    int *ints;             /* the arrays of all parts, one after another */
    double *reals;
    uint64_t *identities;
    cairn_bound *bounds;
    int *next_int; /* the first element of each that is not yet taken */
    double *next_real;
    uint64_t *next_identity;
    cairn_bound *next_bound;
    crn_arena memory;
} crn_island_split;

/* Whether the compliance of an island without bodies is better stored in sparse blocks, so many of them, than in one dense
 * patch. */
bool crn_sparse_pays(int contacts, size_t blocks);

void crn_island_split_release(crn_island_split *split);

/* guess, before: of the whole problem, or NULL. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_island_split_make(crn_island_split *split, const crn_islands *islands, const cairn_problem *problem,
                                   const double *guess, const double *before);

/* Write the solution of a part where it belongs in the solution of the whole. */
void crn_island_merge(const crn_islands *islands, const cairn_problem *problem, int group, const cairn_solution *part,
                      cairn_solution *whole);

#endif
