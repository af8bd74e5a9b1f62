/* The projection of positions onto the constraints (Anitescu & Potra 2002, eq. 46). */
#ifndef CRN_STEP_PROJECT_H
#define CRN_STEP_PROJECT_H

#include "step/stage.h"

/* The projection has its own problem and solver, so that those of the step remain readable. Both exist only while something uses
 * them. */
typedef struct crn_projection
{
    crn_stage stage;
    double *q;             /* scratch: the unprojected positions */
    double *spring_target; /* three per spring: the stretch that the projection keeps */
    bool springs_free;     /* an initial state is being projected: springs may change their stretch */
} crn_projection;

/* Open the projection's stage unless it is open, and release it unless steps use it. In simulation.c. */
cairn_status crn_projection_open(cairn_simulation *simulation);
void crn_projection_release(cairn_simulation *simulation);

/* On entry q holds the unprojected positions, on return the projected ones. */
cairn_status crn_project(cairn_simulation *simulation, double h);

#endif
