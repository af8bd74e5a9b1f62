/* Islands: the parts of a one-step problem that nothing couples.
 *
 * The nodes of the graph are the blocks of A, the joints and the contacts, numbered in this order. An off-diagonal block of A
 * couples two blocks, a joint or a contact couples itself with the blocks it touches, a compliant patch its contacts, a bounded
 * row itself with the item that its bounds are multiples of. What
 * is fixed is no block and couples nothing. The islands are the connected components; those of blocks alone, bodies in
 * free flight, are put together as one group, since one solve with A is all they need.
 *
 * Groups are numbered by their first node, the free one last; members ascend. So the numbering depends on the problem's
 * pattern alone.
 */
#ifndef CRN_SOLVE_AUTO_ISLANDS_H
#define CRN_SOLVE_AUTO_ISLANDS_H

#include "cairn/problem.h"

/* The members of all groups: those of group k are member[start[k]] .. member[start[k + 1] - 1]. */
typedef struct crn_members
{
    int *start;
    int *member;
    size_t capacity[2];
} crn_members;

typedef struct crn_islands
{
    int count;       /* islands: each has a joint or a contact */
    int group_count; /* the same, and one more where blocks are free */
    int *group;      /* a node: its group */
    int *component;  /* a node: its component, where each of those in free flight counts by itself */
    int component_count;
    crn_members blocks, joints, contacts, patches;
    int *order; /* groups, the largest first, the others by size to within a factor of two */
    int *parent;
    bool *held; /* a root: its component has a joint or a contact */
    size_t capacity[5];
} crn_islands;

void crn_islands_release(crn_islands *islands);

/* In time that is linear but for the logarithm of union-find. The problem must be valid. CAIRN_NO_MEMORY is the only
 * failure. */
cairn_status crn_islands_find(crn_islands *islands, const cairn_problem *problem);

int crn_members_count(const crn_members *members, int group);

/* What a group costs, roughly: its blocks, joints and contacts. */
int crn_islands_weight(const crn_islands *islands, int group);

#endif
