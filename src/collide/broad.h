/* The broad phase: which pairs of placed shapes may touch. */
#ifndef CRN_COLLIDE_BROAD_H
#define CRN_COLLIDE_BROAD_H

#include "collide/narrow.h"
#include "collide/sort.h"

typedef struct crn_broad
{
    crn_keyed *order; /* the bounded shapes along the sweep axis */
    size_t order_capacity;
    crn_keyed *pairs; /* key: shape a << 32 | shape b, a < b; sorted */
    size_t pair_capacity, pair_count;
    crn_keyed *work;
    size_t work_capacity;
} crn_broad;

/* Every pair of shapes whose bounds overlap and whose bodies may touch, once each, sorted by (a, b), a < b. */
cairn_status crn_broad_pairs(crn_broad *broad, const cairn_model *model, const crn_placed *placed, size_t count);
void crn_broad_free(crn_broad *broad);

#endif
