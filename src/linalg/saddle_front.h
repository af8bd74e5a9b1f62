/* The inside of a factorisation, shared by saddle.c (values in), saddle_front.c (elimination) and saddle_solve*.c (solutions). */
#ifndef CRN_LINALG_SADDLE_FRONT_H
#define CRN_LINALG_SADDLE_FRONT_H

#include "linalg/saddle.h"
#include "linalg/saddle_pattern.h"

/* Rows are those of K in the order of positions. */
struct crn_saddle
{
    crn_saddle_pattern pattern;
    bool any; /* pivots of any sign, rows exchanged within a front of bodies */
    int dropped;
    double deadline;    /* 0: none */
    double *work;       /* multiplications left; NULL: no limit */
    bool begun;         /* a factorisation has been paid for since the limit was set */
    bool gave_up;       /* because of a limit */
    double *values;     /* P and L' of each front */
    double *stack[2];   /* updates not yet taken up */
    double *inverse;    /* per row: 1 / pivot; 0 for a dropped row */
    double *terms;      /* per row: the sum of the sizes of the terms of its diagonal entry so far */
    double *compliance; /* per row: R_c of a joint row, else 0 */
    int *exchange;      /* per row: the pivot row of its front that it was exchanged with; itself when not `any` */
    double *solution;   /* work: a right-hand side in the order of positions */
    double *segment;    /* work: one front's part of it */
    double *many;       /* work: a group of right-hand sides in the order of positions */
    bool *live;         /* work: per front, whether its part of the group is not zero */
    crn_arena memory;
};

/* Add the updates of the front's children and eliminate its pivots. Returns -1, or the row whose pivot is not good
 * enough, with the pivot. */
int crn_saddle_front_factorise(crn_saddle *saddle, int s, double *pivot);

#endif
