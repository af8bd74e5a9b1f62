/* The inverses of the diagonal blocks of A. Every contact on a body needs a few products with the inverse of its block, so the
 * inverses of bodies are explicit; for blocks with many rows the factors are kept.
 *
 * In most bodies the first rows couple with no other row of their block (the translations, or all rows where the axes are
 * principal): only their diagonal is kept.
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
    double *right;          /* of the largest block's size */
    crn_arena memory;
} crn_inverses;

void crn_inverses_release(crn_inverses *inverses);

/* Invert the blocks of at most `most` rows; a zeroed struct is ready for this. *singular: the first block without an inverse,
 * whose values are then meaningless, or -1. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_inverses_make(crn_inverses *inverses, const cairn_problem *problem, int most, int *singular);

/* Whether a block is diagonal. */
bool crn_block_is_diagonal(int size, const double *block);

/* Whether the first three rows of a 6 x 6 block couple with no other. */
bool crn_block_is_apart(const double *block);

/* Whether A_ii is diagonal and positive. */
bool crn_inverses_is_positive(const crn_inverses *inverses, int i);

/* x += A_ii^-1 b. The problem must still exist. */
void crn_inverses_add(const crn_inverses *inverses, int i, const double *b, double *x);

/* x = A_ii^-1 b; x and b may be the same. */
void crn_inverses_apply(const crn_inverses *inverses, int i, const double *b, double *x);

/* The sum of b A_ii^-1 b' over the rows of B, `rows` in number. */
double crn_inverses_trace(const crn_inverses *inverses, int i, int rows, const double *B);

/* X = B (A_ii^-1)', row by row: A_ii^-1 b' for every row b of B. */
void crn_inverses_product(const crn_inverses *inverses, int i, int rows, const double *B, double *X);

#endif
