/* The pattern of the saddle matrix K, its order and the pattern of its factors; kept while the blocks stay the same.
 *
 * Positions 0 .. size-1 are the permuted rows: order[k] is the row at position k (rows of A first, then joint rows),
 * position[] its inverse. Slots hold the upper triangle by columns, the diagonal included; a slot stands for the two
 * entries K(i, j) and K(j, i).
 */
#ifndef CRN_LINALG_SADDLE_PATTERN_H
#define CRN_LINALG_SADDLE_PATTERN_H

#include "cairn/problem.h"

typedef struct crn_saddle_pattern
{
    int n, size; /* rows of A; rows of K */
    int *order, *position;

    int slot_count;
    int *slot_start; /* size + 1 */
    int *slot_row;
    int *diagonal; /* the slot of each position's diagonal */

    int value_count; /* values of A, then of G */
    int *slot;       /* where each value goes */
    bool *in_upper;  /* K(i, j) with i <= j; else K(j, i) */

    int *parent;  /* elimination tree, -1 at a root */
    int *L_start; /* size + 1 */
    int *L_row;

    int *key; /* what the pattern was made from */
    int key_length;

    int *pair_row, *pair_column, *head, *next, *mark; /* work */
    size_t capacity[16];
} crn_saddle_pattern;

/* Make the pattern fit the problem; does nothing when the block structure is the one seen last. CAIRN_NO_MEMORY is the
 * only failure. */
cairn_status crn_saddle_pattern_update(crn_saddle_pattern *pattern, const cairn_problem *problem);
void crn_saddle_pattern_release(crn_saddle_pattern *pattern);

#endif
