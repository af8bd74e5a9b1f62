/* Contacts in the order in which they are visited.
 *
 * Sweeps go colour by colour, and neighbours in a colour are strangers in the problem's own order: beyond some thousand contacts each
 * visit waits for memory. A copy whose contacts stand in the order of visits is read from front to back.
 *
 * Greedy colours do not change by it: in that order a contact comes after all those of lower colours, among which it has met one of
 * each, and those of its own colour touch nothing of it. So it takes the same colour again, visits come in the same order, and every
 * number is what it was.
 */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_PACK_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_PACK_H

#include "base/memory.h"
#include "cairn/problem.h"

typedef struct crn_gs_pack
{
    cairn_problem problem; /* H, w, mu, radius and bound are its own; the rest is the given problem's */
    int *order;            /* each of its contacts: which one of the given problem it is */
    int *place;            /* each contact of the given problem: where it stands; only with bounded rows */
    double *r;             /* dim * contact_count */
    cairn_bound *bound;
    crn_arena memory;
} crn_gs_pack;

void crn_gs_pack_release(crn_gs_pack *pack);

/* Whether it is worth it, and can be done: the contacts of a patch stand together. */
bool crn_gs_pack_applies(const cairn_problem *problem);

/* The problem in the given order, and r. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_gs_pack_make(crn_gs_pack *pack, const cairn_problem *problem, const int *order, const double *r);

/* r as the given problem counts. */
void crn_gs_pack_give(const crn_gs_pack *pack, double *r);

#endif
