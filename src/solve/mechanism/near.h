/* A mechanism whose bounded rows have been decided: each is held at the rate 0, as an equation beside those of the joint between the same
 * bodies, or its impulse is at a bound, and known. What is left has joints and contacts only:
 *
 *     held        B_j v + R_j z_j = - w_j,   z_j one of the joint impulses
 *     at a bound  p + B_j' z_j in place of p
 *
 * so a tree stays a tree. near.problem is that problem; its contacts are those of the original, in the same order.
 */
#ifndef CRN_SOLVE_MECHANISM_NEAR_H
#define CRN_SOLVE_MECHANISM_NEAR_H

#include "base/memory.h"
#include "cairn/solver.h"

/* What was decided about a bounded row. */
typedef enum crn_row_side
{
    CRN_AT_LO = -1,
    CRN_HELD = 0,
    CRN_AT_HI = 1
} crn_row_side;

typedef struct crn_near
{
    cairn_problem problem;
    cairn_solution solution; /* of it; v is the caller's */
    crn_row_side *side;      /* per item of the original's H */
    int *next;               /* per item: the next bounded row of the same joint; -1: none */
    int *place;              /* per item: its row of G where it is held, its number where it is a contact */
    bool repeats; /* a joint has several rigid held rows, whose small compliance is about the impulses found before */
    int *first;   /* per joint: its first bounded row; -1: none */
    int *joint_start, *joint; /* the joints of each body */
    double *compliance;       /* per item: R of a bounded row, */
    double *mobility;         /* its inverse mass without joints, */
    double *stiffness, *pull; /* and what a central path adds to it: B v + (R + stiffness) z = pull - w */
    crn_arena memory;
} crn_near;

void crn_near_release(crn_near *near);

/* Whether the bounds of all bounded rows are impulses and their compliance is their own. */
bool crn_near_applies(const cairn_problem *problem);

/* Find the joint of each bounded row. *fits: each has one. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_near_arrange(crn_near *near, const cairn_problem *problem, bool *fits);

/* near->problem from the sides; `held` rows of one joint that repeat each other get a small compliance. The impulses of contacts are
 * those of the solution, v its array. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_near_make(crn_near *near, const cairn_problem *problem, const cairn_solution *solution);

/* The impulse of bounded row j, from near->solution. */
double crn_near_impulse(const crn_near *near, const cairn_problem *problem, int j);

/* near->solution from the original's, and c and r of the original from near->solution. */
void crn_near_take(crn_near *near, const cairn_problem *problem, const cairn_solution *solution);
void crn_near_give(const crn_near *near, const cairn_problem *problem, cairn_solution *solution);

#endif
