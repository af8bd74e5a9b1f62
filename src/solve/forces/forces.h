/* Which forces, where a problem has many: see docs/forces.md.
 *
 * After a problem is solved its active set (active.h) tells whether the forces are unique. Where they are not, those of least
 * weighted norm (least_norm.h) are taken, or those that leave the bodies least or most energy, and the certificate judges
 * them like any other solution; where it refuses them the solver's own stay.
 *
 * Under the exact laws other forces may mean other velocities. Without being asked only those that keep the velocities are
 * compared. With other velocities come other directions of slip; these are then renewed until they stay: the answer solves the
 * problem itself, and its forces are the chosen ones for its own directions.
 */
#ifndef CRN_SOLVE_FORCES_FORCES_H
#define CRN_SOLVE_FORCES_FORCES_H

#include "solve/auto/attempt.h"
#include "solve/forces/least_norm.h"

typedef struct crn_forces
{
    crn_active active;
    crn_least_norm least;
    double *mass;   /* contacts */
    double *before; /* contact rows */
    size_t capacity[2];
} crn_forces;

bool crn_forces_open(crn_forces *forces);
void crn_forces_close(crn_forces *forces);

/* Examine the best solution of an attempt, and choose. Null spaces are told in the attempt's report. CAIRN_NO_MEMORY is the
 * only failure. *vague: the velocities are too rough to tell the null space; better ones would. */
cairn_status crn_forces_choose(crn_forces *forces, crn_attempt *attempt, cairn_forces wish, bool *vague);

#endif
