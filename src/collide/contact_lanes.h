/* Four contacts at a time, one per lane. */
#ifndef CRN_COLLIDE_CONTACT_LANES_H
#define CRN_COLLIDE_CONTACT_LANES_H

#include "collide/collide.h"
#include "math/lanes.h"

#include <assert.h>
#include <string.h>

/* A member of four contacts. */
#define FOUR(c, member) ((lanes){(c)[0].member, (c)[1].member, (c)[2].member, (c)[3].member})

typedef struct crn_contact_lanes
{
    lanes n[4], point_a[4], point_b[4]; /* as in crn_contact; the last of the four is unused */
    lanes r[4];                         /* N s, world: impulse on body a; the last is unused */
} crn_contact_lanes;

/* Four numbers from each of four places: three that are wanted, and the next. */
INLINE void crn_lanes_of(const double *a, const double *b, const double *c, const double *d, lanes out[4])
{
    out[0] = *(const loose_lanes *)a;
    out[1] = *(const loose_lanes *)b;
    out[2] = *(const loose_lanes *)c;
    out[3] = *(const loose_lanes *)d;
    lanes_transpose(out);
}

INLINE void crn_contact_lanes_load(const crn_contact c[LANES], const double (*impulse)[3], crn_contact_lanes *out)
{
    static_assert(offsetof(crn_contact, normal) + sizeof(lanes) <= sizeof *c, "a number follows");
    static_assert(offsetof(crn_contact, point_a) + sizeof(lanes) <= sizeof *c, "a number follows");
    static_assert(offsetof(crn_contact, point_b) + sizeof(lanes) <= sizeof *c, "a number follows");
    crn_lanes_of(c[0].normal, c[1].normal, c[2].normal, c[3].normal, out->n);
    crn_lanes_of(c[0].point_a, c[1].point_a, c[2].point_a, c[3].point_a, out->point_a);
    crn_lanes_of(c[0].point_b, c[1].point_b, c[2].point_b, c[3].point_b, out->point_b);
    out->r[0] = *(const loose_lanes *)impulse[0];
    out->r[1] = *(const loose_lanes *)impulse[1];
    out->r[2] = *(const loose_lanes *)impulse[2];
    lanes last = *(const loose_lanes *)(impulse[2] + 2); /* nothing may follow the last impulse */
    out->r[3] = __builtin_shufflevector(last, last, 1, 2, 3, 0);
    lanes_transpose(out->r);
}

/* One to three contacts at the end of a list, filled up with copies of the first that carry nothing. */
static inline void crn_contact_lanes_fill(const crn_contact *from, const double (*impulse)[3], int count,
                                          crn_contact c[LANES], double r[LANES][3])
{
    assert(count > 0 && count < LANES);
    memset(r, 0, LANES * sizeof *r);
    for (int l = 0; l < LANES; ++l)
        c[l] = from[l < count ? l : 0];
    memcpy(r, impulse, (size_t)count * sizeof *r);
}

#endif
