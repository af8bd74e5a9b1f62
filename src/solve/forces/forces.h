/* Chooses among the forces of a problem that has many solutions: see docs/forces.md.
 *
 * After a problem is solved its active set (active.h) tells whether the forces are unique. Where they are not, those of least
 * weighted norm (least_norm.h) are chosen, or those that leave the bodies least or most energy. The certificate judges them
 * like any other solution; where it refuses them, the solver's own forces stay.
 *
 * Under the exact laws other forces may cause other velocities. By default only forces that keep the velocities are compared.
 * Where the caller's wish changes velocities, the directions of slip change too; they are updated until they settle, so that
 * the answer solves the problem itself and its forces are the chosen ones for its own directions.
 *
 * Islands of up to 48 rows, and those of up to 1500 whose velocities may change, have dense matrices. In all others only forces
 * that keep the velocities are compared, by the sparse balance of forces (kept.c, balance.h); by default where that takes less
 * work than the solution took.
 */
#ifndef CRN_SOLVE_FORCES_FORCES_H
#define CRN_SOLVE_FORCES_FORCES_H

#include "solve/auto/attempt.h"
#include "solve/forces/least_norm.h"

typedef struct crn_forces
{
    crn_active active;
    crn_least_norm least;
    double *mass;   /* per contact: its effective mass */
    double *before; /* impulses of the previous turn */
    double *x0;     /* per variable: that of the solution */
    double *blunt;  /* n: velocities before they are sharpened */
    crn_arena memory;
} crn_forces;

/* Of a scaled row: below this it depends on the others. */
#define CRN_DEPENDENT 1e-10

bool crn_forces_open(crn_forces *forces);
void crn_forces_close(crn_forces *forces);

/* Examine the best solution of an attempt, report its null spaces, and replace its forces by the chosen ones. *vague: the
 * velocities are too inaccurate to tell the null space; better ones would. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_forces_choose(crn_forces *forces, crn_attempt *attempt, cairn_forces wish, bool *vague);

/* Whether the forces of a problem are chosen among those that keep its velocities, so that nothing but forces depends on the choice. */
bool crn_forces_keep_velocities(const cairn_problem *problem, cairn_forces wish);

/* Whether to examine a large island takes more work than its solution took, by what the blocks of A alone take. */
bool crn_forces_is_dear(const crn_attempt *attempt);

/* The same for a full matrix of `rows` rows. */
bool crn_forces_is_dear_in_full(const crn_attempt *attempt, int rows);

/* The variables x of a solution, moved into their pieces where rounding left them outside. */
void crn_forces_of(const crn_active *active, const cairn_problem *problem, const cairn_solution *solution, double *x);

/* What the variables x leave of the impulses of a solution becomes part of the offset, so that x stands for all of it: impulses of contacts that count as
 * open, and those across the slip. */
void crn_forces_hold_rest(crn_active *active, const cairn_problem *problem, const cairn_solution *solution,
                          const double *x);

/* Examine an island of any size whose active set is found, and choose among the forces that keep all velocities. */
cairn_status crn_forces_choose_kept(crn_forces *forces, crn_attempt *attempt, cairn_forces wish);

#endif
