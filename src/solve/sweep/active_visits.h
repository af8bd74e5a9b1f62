/* Sweeps that visit only the contacts that are due.
 *
 * After a few sweeps most contacts of a large problem have converged, except in a few spots; further sweeps over all contacts are
 * mostly wasted. A contact needs another visit only when the bodies it touches have moved since the last one. With
 *
 *     moved_c    how far the velocities of cluster c have gone, felt at the contacts that pushed it (m/s)
 *     seen_e     moved_c when the contact of entry e of H was last visited
 *     due_j      the sum over its entries of moved_c - seen_e: about the error that contact j can have by now
 *
 * a contact is visited when due_j > theta. Smaller changes are not lost: they add up. A contact that carries nothing and parts at
 * speed u_n can wait until its bodies have moved that far. theta falls from a third of the present error to the tolerance by
 * factors of three, so that the largest errors are reduced first; when no contact is due any more, due_j is measured again. Visits
 * go by colours as in a sweep, and results are bit-identical for any number of threads.
 *
 * The contacts visited in one pass are nearly those of the next: a few passes look only at these before all are checked again.
 */
#ifndef CRN_SOLVE_SWEEP_ACTIVE_VISITS_H
#define CRN_SOLVE_SWEEP_ACTIVE_VISITS_H

#include "solve/sweep/gauss_seidel_sweep.h"

typedef struct crn_gs_due
{
    double *moved; /* per cluster */
    double *seen;  /* per entry of H, */
    double *share; /* the share of the entry's block in the contact's own response, */
    int *cluster;  /* and the block's cluster */
    int *busy;     /* contacts of the last whole pass, by colour: */
    int *busy_end; /* per colour: their end */
    bool *visited; /* per contact: in this pass */
    crn_arena memory;
} crn_gs_due;

/* Whether this applies: not where compliance couples contacts, whose velocities can change while their bodies do not move. */
bool crn_gs_due_applies(const crn_gs_run *run);

void crn_gs_due_release(crn_gs_due *due);

/* Visit until the relative error is at most the tolerance, progress becomes slow, `limit` sweeps' worth of visits are made, or it is late.
 * Sets the error and the number of sweeps these visits are worth. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_gs_due_iterate(crn_gs_due *due, const crn_gs_run *run, double tolerance, int limit, double *error,
                                int *sweeps);

#endif
