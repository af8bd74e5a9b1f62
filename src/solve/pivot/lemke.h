/* Lemke's complementary pivoting on a dense linear complementarity problem
 *
 *     w = M z + q,   0 <= w  _|_  z >= 0.
 *
 * It knows nothing of contacts. The caller scales the data so that entries of M are O(1).
 */
#ifndef CRN_SOLVE_PIVOT_LEMKE_H
#define CRN_SOLVE_PIVOT_LEMKE_H

#include "cairn/base.h"

typedef struct crn_lemke crn_lemke; /* workspace, kept warm between solves */

typedef enum crn_lemke_outcome
{
    CRN_LEMKE_SOLVED = 0, /* the artificial variable left: a complementary basis */
    CRN_LEMKE_RAY,        /* no row blocks: a secondary ray */
    CRN_LEMKE_LIMIT,      /* too many pivots, or too late */
} crn_lemke_outcome;

typedef struct crn_lemke_report
{
    crn_lemke_outcome outcome;
    int pivots;
    int refactorisations; /* times the tableau was rebuilt from M and the basis */
} crn_lemke_report;

crn_lemke *crn_lemke_create(void);
void crn_lemke_destroy(crn_lemke *lemke);

/* M: n x n row-major; cover: the covering vector d > 0, or NULL for all ones; deadline 0: none. z (n) is the basic solution:
 * >= 0, and 0 where z_i is not basic; basic (n) tells which z_i are. After a ray or a limit, z is that of the last almost
 * complementary basis. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_lemke_solve(crn_lemke *lemke, int n, const double *M, const double *q, const double *cover,
                             int max_pivots, double deadline, double *z, bool *basic, crn_lemke_report *report);

#endif
