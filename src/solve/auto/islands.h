/* Islands: the parts of a one-step problem that nothing couples.
 *
 * The nodes of the graph are the blocks of A, the joints and the items of H (contacts and bounded rows), numbered in this
 * order. Nodes are coupled by off-diagonal blocks of A, by the entries of joints and items, by compliance (patches, blocks of W), and by
 * bounds that are multiples of another item's impulse. Fixed bodies are no blocks and couple nothing. The islands are the connected
 * components. Components of blocks alone, bodies in free flight, form one further group, since they need only one solve with A.
 *
 * Groups are numbered by their first node, the group of free bodies last; members ascend. So the numbering depends only on the
 * pattern of the problem.
 */
#ifndef CRN_SOLVE_AUTO_ISLANDS_H
#define CRN_SOLVE_AUTO_ISLANDS_H

#include "base/memory.h"
#include "cairn/problem.h"

/* The members of all groups: those of group k are member[start[k]] .. member[start[k + 1] - 1]. */
typedef struct crn_members
{
    int *start;
    int *member;
} crn_members;

typedef struct crn_islands
{
    int count;       /* islands: each has a joint or an item of H */
    int group_count; /* islands, and the group of free bodies where there is one */
    int *group;      /* per node */
    int *component;  /* per node; every body in free flight is a component of its own */
    int component_count;
    crn_members blocks, joints, contacts, patches;
    int *order; /* groups: the largest first, then by decreasing size to within a factor of two */
    int *parent;
    bool *held;       /* per root: its component has a joint or a contact */
    int *pattern;     /* the numbers of nodes and the entries that couple them, by which islands are known again */
    int pattern_size; /* 0: not known */
    int found;        /* `count` of this pattern */
    crn_arena memory;
} crn_islands;

void crn_islands_release(crn_islands *islands);

/* Find the islands of a valid problem by union-find, or know them again where its pattern is that of the last time. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_islands_find(crn_islands *islands, const cairn_problem *problem);

int crn_members_count(const crn_members *members, int group);

/* A rough measure of what a group costs: its blocks, joints and items of H. */
int crn_islands_weight(const crn_islands *islands, int group);

#endif
