/* The basis of Lemke's method and its inverse.
 *
 *     w - M z - d z_0 = q,   n rows;   variables z: 0 .. n-1,  w: n .. 2n-1,  z_0: 2n
 *
 * n variables are basic. Basic w cost nothing, since their columns are unit vectors. Let k be the number of basic z
 * (z_0 counts as one) and J the k rows whose w is not basic. All of B^-1 follows from the k x k inverse
 *
 *     C = B_J^-1,      B_J = -[M d] in the rows J and the columns of the basic z,
 *
 * which is kept explicitly. A pivot is a rank-one change of C that may border it or strip it of a row and a column:
 * O(k^2), where a tableau takes O(n^2). In contact problems k is a fifth to a third of n, and M is sparse.
 */
#ifndef CRN_SOLVE_PIVOT_LEMKE_BASIS_H
#define CRN_SOLVE_PIVOT_LEMKE_BASIS_H

#include "base/memory.h"

typedef struct crn_basis
{
    int n, k;
    const double *M, *q;
    double *cover; /* d */

    int *start, *index; /* M by rows, without its zeros */
    double *value;

    double *C;           /* k x k, rows n apart: row a belongs to variable[a], column b to row[b] */
    int *variable, *row; /* the basic z, and J */
    int *slot_of_z;      /* n + 1 (z_0 last): a, or -1 when not basic */
    int *slot_of_row;    /* n: b, or -1 when w is basic */

    double *x_z, *x_w; /* values of the basic variables: by slot; by row, 0 in J */
    double *y_z, *y_w; /* the entering column B^-1 N_e, in the same way */

    double *target, *residual, *pivot_row; /* work */
    int *support;
    double *lu;
    int *lu_row;
    crn_arena memory;
} crn_basis;

/* Start with all w basic. `cover` is copied; NULL: all ones. M and q must outlive the basis' use. */
cairn_status crn_basis_start(crn_basis *basis, int n, const double *M, const double *q, const double *cover);
void crn_basis_release(crn_basis *basis);

bool crn_basis_holds(const crn_basis *basis, int variable);

/* Value and entry in the entering column of a basic variable. */
double crn_basis_value(const crn_basis *basis, int variable);
double crn_basis_entry(const crn_basis *basis, int variable);

/* Entry of B^-1 in the row of a basic variable and the column j. */
double crn_basis_inverse(const crn_basis *basis, int variable, int j);

/* Compute the entering column of a variable that is not basic, corrected with the original M when C has drifted.
 * Returns how far it was from its equations before that, relative to its size. */
double crn_basis_enter(crn_basis *basis, int variable);

/* Let the variable whose column was computed last take the place of `leaving`. */
void crn_basis_pivot(crn_basis *basis, int entering, int leaving);

/* Recompute the values from q; returns how far they were from their equations. */
double crn_basis_refresh(crn_basis *basis);

/* Recompute C from M, and the values. False when the basis is singular in working precision or memory ran out; then
 * nothing has changed. */
bool crn_basis_rebuild(crn_basis *basis);

#endif
