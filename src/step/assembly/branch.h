/* Whether a mechanism keeps its branch on its way to the assembly. */
#ifndef CRN_STEP_ASSEMBLY_BRANCH_H
#define CRN_STEP_ASSEMBLY_BRANCH_H

#include "base/memory.h"
#include "cairn/problem.h"

typedef struct crn_branch
{
    crn_arena memory;
    bool unknown;         /* too many equations, or their number changed */
    bool seen;            /* there is a place before this one */
    int rows, columns;    /* equations that are not zero; unknowns that they contain */
    int changes;          /* changes of sign so far */
    int *column;          /* per block of bodies: its first column plus 1; 0: none */
    double *now, *before; /* rows x columns: the equations here and at the place before, unit rows */
    double *product;      /* rows x rows */
    int *order;
} crn_branch;

/* Look at the equations of the next place on the way: the first `items` items of G. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_branch_look(crn_branch *branch, const cairn_problem *problem, int items);
/* The number of singular positions passed so far; -1: unknown, for too many equations, or redundant ones at the place seen last. */
int crn_branch_changes(crn_branch *branch);

#endif
