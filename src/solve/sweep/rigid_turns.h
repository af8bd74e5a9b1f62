/* How bodies are turned, from the rows of their contacts.
 *
 * Contact by contact, M = -[arm]x R is known (rigid_view.h), arm and R are not. With a = arm / |arm|, a'M = 0 and M x = 0 for x = R'a, and |M|^2 = 2 |arm|^2.
 * For y normal to x, a x (M y) = |arm| R y. So one contact gives R but for the sign s of a:
 *
 *     R = s (z_1 y_1' + z_2 y_2') + (z_1 x z_2) x' ,    z_k = a x (M y_k) / |arm| ,    y_1, y_2, x right-handed:
 *
 * two rotations, half a turn about x apart. That of the largest M is taken for each body. The other contacts of the body tell which of the two it is: -M R' is
 * skew for all of them, or the rows are not those of rigid contacts. Where both are, either will do.
 */
#ifndef CRN_SOLVE_SWEEP_RIGID_TURNS_H
#define CRN_SOLVE_SWEEP_RIGID_TURNS_H

#include "base/memory.h"

typedef struct crn_rigid_turn
{
    double most;         /* |M|^2, the largest; 0: no contact turns the body */
    double at[9];        /* that M */
    double turn[2][9];   /* row-major */
    double deviation[2]; /* the largest symmetric part of M R', by each of the two */
} crn_rigid_turn;

typedef struct crn_rigid_turns
{
    crn_rigid_turn *body;
} crn_rigid_turns;

/* Three passes over all M of a body: offer them, then settle on two rotations, then test them. */
void crn_rigid_turn_offer(crn_rigid_turn *turn, const double M[9]);
void crn_rigid_turn_settle(crn_rigid_turn *turn);
void crn_rigid_turn_test(crn_rigid_turn *turn, const double M[9]);

/* The better of the two; NULL: neither is one. */
const double *crn_rigid_turn_of(const crn_rigid_turn *turn);

/* The arm, from M and R. */
void crn_rigid_arm(const double M[9], const double R[9], double arm[3]);

#endif
