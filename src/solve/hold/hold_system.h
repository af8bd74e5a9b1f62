/* The linear system of bodies that contacts hold in place (hold.c):
 *
 *     [ A + H'g H   -G' ] [ v ]   [ f ]
 *     [ G           R_c ] [ c ] = [ b ]          g: one penalty per row of H, 0 in rows that hold nothing
 *
 * Its leading block couples the bodies that share a contact, whether or not that contact holds (linalg/coupled.h). Where it couples none, as of a
 * mechanism that touches only what does not move, and joints form trees, these are eliminated limb by limb.
 */
#ifndef CRN_SOLVE_HOLD_HOLD_SYSTEM_H
#define CRN_SOLVE_HOLD_HOLD_SYSTEM_H

#include "linalg/coupled.h"
#include "linalg/forest/forest.h"
#include "linalg/saddle.h"

typedef struct crn_hold_system
{
    cairn_problem aux; /* only its A, G and R_c matter */
    crn_saddle *saddle;
    crn_coupled coupled; /* A + H'g H */
    crn_forest forest;
    bool by_limbs; /* the forest has the factors, not the saddle */
    double *v, *c; /* of the right-hand side that comes with the forest's factors */
    crn_arena memory;
} crn_hold_system;

/* False when memory ran out. A zeroed struct is ready for this. */
bool crn_hold_system_open(crn_hold_system *system);
void crn_hold_system_close(crn_hold_system *system);

/* Lay the system out for a problem. limbs: joints may be eliminated limb by limb, which rounds differently. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_hold_system_arrange(crn_hold_system *system, const cairn_problem *problem, bool limbs);

/* Fill in the values and factorise. held: per item of H, how many of its first rows hold (none where negative); penalty: per item, that of those rows.
 * CAIRN_NUMERIC without a message where a pivot is not positive. */
cairn_status crn_hold_system_factorise(crn_hold_system *system, const cairn_problem *problem, const int *held,
                                       const double *penalty);

/* (v, c) becomes the solution for the right-hand side (v, c). */
void crn_hold_system_solve(crn_hold_system *system, double *v, double *c);

#endif
