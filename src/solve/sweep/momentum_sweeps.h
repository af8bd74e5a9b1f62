/* Sweeps over the compact view with momentum (solve/compact/momentum.c), before the sweeps over blocks.
 *
 * From a cold start a large problem takes hundreds of sweeps, most of them to carry loads across it. In the compact view a visit costs a tenth, and with
 * momentum a sweep gains several times as much. What is left then is local: a few contacts that begin to slide, which visits to those that
 * are due (active_visits.h) and extrapolated sweeps (gauss_seidel_anderson.h) finish.
 *
 * Sweeps are taken in rounds that become longer. After a round the residual of every contact is judged in the view. The rounds end when the
 * worst meets the tolerance, or, each time their number has doubled, when what they have gained leaves no hope of that: as where contacts wander between
 * sticking and sliding in regular lattices of spheres with much friction, or where the loads of redundant contacts of boxes do. The impulses with the smallest
 * residual are the result.
 */
#ifndef CRN_SOLVE_SWEEP_MOMENTUM_SWEEPS_H
#define CRN_SOLVE_SWEEP_MOMENTUM_SWEEPS_H

#include "solve/sweep/gauss_seidel_sweep.h"
#include "solve/sweep/rigid_view.h"

typedef struct crn_gs_momentum
{
    crn_rigid_view view;
    crn_compact *sweeps;
    double *free; /* velocities without contacts */
    double (*best)[3];
    crn_arena memory;
} crn_gs_momentum;

void crn_gs_momentum_release(crn_gs_momentum *momentum);

/* Sweep from the impulses of the run, which become the best that were found: those that the run had, if none were better. Their velocities are left to the
 * caller. *sweeps: how many were taken, at most `limit`; 0: the problem has no compact view. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_gs_momentum_iterate(crn_gs_momentum *momentum, const crn_gs_run *run, double tolerance, int limit,
                                     int *sweeps);

#endif
