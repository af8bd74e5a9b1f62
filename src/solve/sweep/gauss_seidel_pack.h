/* A copy of a problem with its contacts in the order of visits.
 *
 * Sweeps go colour by colour, and successive contacts of a colour are far apart in the problem's own order: beyond a few thousand
 * contacts each visit waits for memory. The copy is read from front to back.
 *
 * Its greedy colours are the same. In the new order a contact comes after all contacts of lower colours, one of each of which it
 * meets, and contacts of its own colour share nothing with it. So it gets the same colour again, the order of visits stays, and the
 * results are bit-identical.
 */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_PACK_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_PACK_H

#include "base/memory.h"
#include "cairn/problem.h"

typedef struct crn_gs_pack
{
    cairn_problem problem; /* H, w, mu, radius and bound are its own; the rest is the given problem's */
    int *order;            /* per contact: its index in the given problem */
    int *place;            /* per contact of the given problem: its index here; only with bounded rows */
    double *r;             /* dim * contact_count */
    cairn_bound *bound;
    crn_arena memory;
} crn_gs_pack;

void crn_gs_pack_release(crn_gs_pack *pack);

/* Whether packing pays off and is possible: the contacts of a patch must stay together. */
bool crn_gs_pack_applies(const cairn_problem *problem);

/* Copy the problem and r in the given order. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_gs_pack_make(crn_gs_pack *pack, const cairn_problem *problem, const int *order, const double *r);

/* Copy r back to the order of the given problem. */
void crn_gs_pack_give(const crn_gs_pack *pack, double *r);

#endif
