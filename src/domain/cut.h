/* Where the curve is cut, so that all ranks have as much work as each other. */
#ifndef CRN_DOMAIN_CUT_H
#define CRN_DOMAIN_CUT_H

#include "cairn/ranks.h"
#include "domain/curve.h"

#include <stddef.h>

/* A body's place on the curve, and its work. */
typedef struct crn_weight
{
    uint64_t key;
    int64_t work; /* at least 0 */
} crn_weight;

/* Collective: write cut[0] to cut[ranks], equal on all ranks, for the bodies of all of them; `weight` is sorted and `sum` (count + 1 numbers) and
 * `below` (7 per rank) are overwritten. The k-th cut is the last one with no more than k shares of the work before it. No rank sees
 * the bodies of another: per level of the curve, seven sums per cut are reduced. */
void crn_curve_cut(cairn_ranks *ranks, const crn_curve *curve, crn_weight *weight, size_t count, int64_t *sum,
                   int64_t *below, uint64_t *cut);

#endif
