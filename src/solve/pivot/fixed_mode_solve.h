/* Solves a one-step problem with the mode of every contact fixed: a linear system instead of a complementarity problem.
 *
 *     open    r = 0
 *     stick   u = 0
 *     slip    u_n = 0, r_t = friction * r_n       with the friction vector given, |friction| = mu
 *
 * and the mode of every bounded row:
 *
 *     between   s = 0
 *     at lo     z = lo, at hi  z = hi             a multiple of the other item's impulse where the bounds are multiples
 *
 * While the solution stays feasible it solves the problem itself: this is the basis of Potra et al. 2006, section 7.5, in terms
 * of contacts.
 */
#ifndef CRN_SOLVE_PIVOT_FIXED_MODE_SOLVE_H
#define CRN_SOLVE_PIVOT_FIXED_MODE_SOLVE_H

#include "cairn/solver.h"

typedef enum crn_mode
{
    CRN_MODE_OPEN = 0,
    CRN_MODE_STICK,
    CRN_MODE_SLIP,
    CRN_MODE_BETWEEN,
    CRN_MODE_AT_LO,
    CRN_MODE_AT_HI,
} crn_mode;

typedef struct crn_hold
{
    crn_mode mode;
    double friction[2];
} crn_hold;

/* hold: per contact or bounded row a mode of its kind; the bound that a row is held at must be finite. *regular false: the
 * modes do not determine the impulses (redundant contacts), and the solution is not set. The solution's arrays belong to the
 * solver and are valid until its next call. */
cairn_status crn_solver_hold(cairn_solver *solver, const cairn_problem *problem, const crn_hold *hold,
                             cairn_solution *solution, bool *regular);

#endif
