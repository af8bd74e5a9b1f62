/* Friction of joints that grows with their load: bounds that agree with the reactions of the same step. */
#ifndef CRN_STEP_FRICTION_BEARINGS_H
#define CRN_STEP_FRICTION_BEARINGS_H

#include "linalg/anderson.h"
#include "step/stage.h"

/* Scratch: the friction rows of a problem whose bounds depend on its solution. */
typedef struct crn_bearings
{
    int count;
    int *row;     /* indices among the assembly's bounded rows */
    double *x;    /* N s: their bounds, as the problem has them, */
    double *T;    /* and as its solution asks for */
    double *next; /* the bounds to try next */
    crn_anderson past;
} crn_bearings;

typedef cairn_status (*crn_solve_fn)(cairn_simulation *simulation, crn_stage *stage, cairn_solver_report *report);

/* Solve the problem of a stage by `solve`, again and again until its bounds agree with its solution. If they do not, the report
 * says so: outcome CAIRN_MISSED, and the relative difference in its certificate. */
cairn_status crn_solve_bearings(cairn_simulation *simulation, crn_stage *stage, crn_solve_fn solve,
                                cairn_solver_report *report);

#endif
