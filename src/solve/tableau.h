/* The tableau of Lemke's method: x_B = rhs - T x_N for a basis B of the columns of
 *
 *     [ I  -M  -d ] (w, z, z_0) = q.
 *
 * Variables are numbered z: 0 .. n-1, w: n .. 2n-1, z_0: 2n. Only the columns of nonbasic variables are kept, so T is
 * n x (n + 1), row-major. B^-1, which the lexicographic rule compares, is read out of it: the column of a nonbasic w_j
 * is B^-1 e_j, and for a basic w_j it is a unit vector.
 */
#ifndef CRN_SOLVE_TABLEAU_H
#define CRN_SOLVE_TABLEAU_H

#include "cairn/base.h"

typedef struct crn_tableau
{
    int n;
    const double *M, *q;
    double *cover; /* d */
    double *T;     /* n x (n + 1) */
    double *rhs;   /* n */
    int *basic;    /* variable of each row */
    int *nonbasic; /* variable of each column */
    int *place;    /* of each variable: its row, or -1 - its column */

    double *column; /* work: the pivot's column */
    int *support;   /* work: where the pivot's row is not zero */
    double *target; /* work: a column of [I -M -d] */

    double *lu;        /* rebuilding: B_JJ (see tableau.c), */
    double *solved;    /* N_J and what it becomes, n + 2 columns with q the last, */
    int *lu_row;       /* the order of the pivots, */
    int *dense_rows;   /* J, */
    int *dense_places; /* and the tableau's rows of the basic z */
    size_t capacity[14];
} crn_tableau;

/* Start at the basis of all w. `cover` is copied; NULL: all ones. M and q must outlive the tableau's use. */
cairn_status crn_tableau_start(crn_tableau *tableau, int n, const double *M, const double *q, const double *cover);
void crn_tableau_release(crn_tableau *tableau);

/* Exchange the basic variable of `row` with the nonbasic one of `column`. */
void crn_tableau_pivot(crn_tableau *tableau, int row, int column);

/* Entry (row, j) of B^-1. */
double crn_tableau_inverse(const crn_tableau *tableau, int row, int j);

/* How far the basic solution and the given column are from solving their equations with the original M, relative to
 * the size of their terms. */
double crn_tableau_drift(crn_tableau *tableau, int column);

/* Recompute T and rhs from M and the basis. False when the basis is singular in working precision (T is then as it
 * was); memory that ran out counts as that too. */
bool crn_tableau_rebuild(crn_tableau *tableau);

#endif
