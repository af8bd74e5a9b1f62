/* The inverses of the diagonal blocks of A. Every contact on a body asks for a few products with that of its block, so those
 * of bodies are explicit; of blocks with many rows the factors are kept.
 *
 * Rows that nothing else of their block couples with stand first in most bodies (a translation, or all of them where the axes
 * are principal): of these the diagonal alone is kept.
 */
#ifndef CRN_LINALG_INVERSES_H
#define CRN_LINALG_INVERSES_H

#include "base/memory.h"
#include "cairn/problem.h"

enum
{
    CRN_MOST_INVERTED = 8 /* rows */
};

typedef struct crn_inverses
{
    double *value;          /* row-major blocks, one after the other */
    int *start;             /* each block's */
    int *lead;              /* each block: its first rows that couple with no other */
    int *order;             /* each row: of its block's factors */
    const int *block_start; /* the problem's */
    double *work;           /* of the largest block's size, squared */
    crn_arena memory;
} crn_inverses;

void crn_inverses_release(crn_inverses *inverses);

/* Of the blocks of at most `most` rows; a zeroed struct is ready for this. *singular: the first that has no inverse, whose values
 * are then without meaning, or -1. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_inverses_make(crn_inverses *inverses, const cairn_problem *problem, int most, int *singular);

/* Nothing off the diagonal of a block. */
bool crn_block_is_diagonal(int size, const double *block);

/* A_ii is a diagonal of positive numbers. */
bool crn_inverses_is_positive(const crn_inverses *inverses, int i);

/* x += A_ii^-1 b. The problem is still there. */
void crn_inverses_add(const crn_inverses *inverses, int i, const double *b, double *x);

/* The sum of b A_ii^-1 b' over the rows of B, `rows` in number. */
double crn_inverses_trace(const crn_inverses *inverses, int i, int rows, const double *B);

/* X = B (A_ii^-1)', row by row: A_ii^-1 b' for every row b of B. */
void crn_inverses_product(const crn_inverses *inverses, int i, int rows, const double *B, double *X);

#endif
