/* The pattern of A + H'g H, and where asked of G'g G too: a block matrix with an entry for every pair of blocks that A or an item
 * of these block rows couples, whatever the values. It stays the same while the same bodies touch, and with it the
 * fill-reducing order that crn_saddle keeps. */
#ifndef CRN_LINALG_COUPLED_H
#define CRN_LINALG_COUPLED_H

#include "base/memory.h"
#include "cairn/problem.h"

typedef struct crn_coupled
{
    cairn_block_matrix matrix;
    int values; /* of the matrix */
    int *next;  /* work, per block */
    crn_arena memory;
} crn_coupled;

void crn_coupled_release(crn_coupled *coupled);

/* Lay the matrix out. joints: with the pairs of G. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_coupled_arrange(crn_coupled *coupled, const cairn_problem *problem, bool joints);

/* The values of block (i, column), which the pattern has. */
double *crn_coupled_at(const cairn_block_matrix *A, int i, int column);

#endif
