/* Sweeps that visit only the contacts that are due.
 *
 * After a few sweeps most contacts of a large problem have settled, and a few spots have not; a sweep over all of them then works
 * for a few. A contact needs another visit only when the bodies it touches have moved since the last one. With
 *
 *     moved_c    how far the velocities of cluster c have gone, felt at the contacts that pushed it (m/s)
 *     seen_e     moved_c when the contact of entry e of H was last visited
 *     due_j      the sum over its entries of moved_c - seen_e: about the error that contact j can have by now
 *
 * a contact is visited when due_j > theta. What stays below is not lost: it adds up. A contact that carries nothing
 * and parts at speed u_n can wait until its bodies have gone that far. theta falls from a third of the present error to the
 * tolerance in steps of three, so that the largest errors are worked off first; when nobody is due any more, due_j
 * is measured afresh. Visits go by colours as in a sweep, with the same bits for any number of threads.
 *
 * The contacts visited in one pass are nearly those of the next: a few passes look at these alone before all are asked again.
 */
#ifndef CRN_SOLVE_SWEEP_ACTIVE_VISITS_H
#define CRN_SOLVE_SWEEP_ACTIVE_VISITS_H

#include "solve/sweep/gauss_seidel_sweep.h"

typedef struct crn_gs_due
{
    double *moved; /* each cluster */
    double *seen;  /* each entry of H, */
    double *share; /* what part of the contact's own response is that of the entry's block, */
    int *cluster;  /* and the block's cluster */
    int *busy;     /* contacts of the last whole pass, by colour: */
    int *busy_end; /* each colour: their end */
    bool *visited; /* each contact: in this pass */
    crn_arena memory;
} crn_gs_due;

/* Whether the sweeps can go this way: not where compliance couples contacts, whose velocities then change without their bodies. */
bool crn_gs_due_applies(const crn_gs_run *run);

void crn_gs_due_release(crn_gs_due *due);

/* Visit until the relative error is at most the tolerance, progress becomes slow, `limit` sweeps' worth of visits are made, or it is late.
 * Sets the error and the number of sweeps these visits are worth. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_gs_due_iterate(crn_gs_due *due, const crn_gs_run *run, double tolerance, int limit, double *error,
                                int *sweeps);

#endif
