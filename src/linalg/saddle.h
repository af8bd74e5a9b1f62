/* Sparse factorisation of the saddle matrix
 *
 *     K = [ A  -G' ]      A positive definite (not always symmetric), R_c >= 0 diagonal
 *         [ G  R_c ]
 *
 * by dense blocks in an order that eliminates bodies before joints (fill-reducing within: CAMD). Where A is positive
 * definite no pivot is needed: every principal minor of it is positive, and the joints' pivots are those of the Schur
 * complement R_c + G A^-1 G', positive semidefinite. A joint pivot that vanishes belongs to a row that depends on
 * those before it (proof of Theorem 2.1, Anitescu & Potra 2002): its row and column are zero, so the row is dropped and its
 * multiplier set to 0.
 */
#ifndef CRN_LINALG_SADDLE_H
#define CRN_LINALG_SADDLE_H

#include "base/context.h"
#include "cairn/problem.h"

typedef struct crn_saddle crn_saddle;

crn_saddle *crn_saddle_create(void);
void crn_saddle_destroy(crn_saddle *saddle);

/* Set a deadline: later factorisations give up, with CAIRN_NUMERIC and no message, when they are late or the next dense part
 * would make them late. 0 (the default): none.
 * work: what is left of a budget in multiplications, which factorisations reduce. They give up in the same way where it does not
 * suffice: the first one already where it does not for CRN_SADDLE_FEWEST of them, since methods need that many. NULL: none. */
#define CRN_SADDLE_FEWEST 12
void crn_saddle_limit(crn_saddle *saddle, double deadline, double *work);
/* Whether the last factorisation gave up. */
bool crn_saddle_gave_up(const crn_saddle *saddle);

/* Find the pattern for a problem. Returns in *work about how many multiplications a factorisation takes. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_saddle_predict(crn_saddle *saddle, const cairn_problem *problem, double *work);

/* Factorise for a problem. The ordering and symbolic work are redone only when the pattern changed.
 * CAIRN_NUMERIC with a message when a pivot of A is not positive. */
cairn_status crn_saddle_factorise(crn_saddle *saddle, cairn_context *context, const cairn_problem *problem);

/* The same for an A that need not be definite, only regular: rows are exchanged for larger pivots among the bodies that
 * are eliminated together. CAIRN_NUMERIC when these do not help. */
cairn_status crn_saddle_factorise_any(crn_saddle *saddle, cairn_context *context, const cairn_problem *problem);

/* Redundant joint rows found by the last factorisation. */
int crn_saddle_dropped_rows(const crn_saddle *saddle);

/* Whether row `row` of joint item `item` is one of these. */
bool crn_saddle_drops(const crn_saddle *saddle, int item, int row);

/* The pivots of the last factorisation in the order of elimination, as many as K has rows; 0 where a row was dropped. */
void crn_saddle_pivots(const crn_saddle *saddle, double *pivot);

/* Solve K (v, c) = (f, g) in place: v of length n, c of length joint_rows; c may be NULL when there are no joints.
 * No refinement. */
void crn_saddle_solve(const crn_saddle *saddle, double *v, double *c);

/* The same for `count` right-hand sides, one after the other in V and in C. C NULL: their joint rows are zero, and no c is wanted.
 * CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_saddle_solve_many(crn_saddle *saddle, int count, double *V, double *C);

/* Solve A v = f in place, as if there were no joints. */
void crn_saddle_solve_free(const crn_saddle *saddle, double *v);

#endif
