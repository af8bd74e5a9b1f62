/* Four balls at a time: a new place and margin, if nothing else is to be done. */
#include "collide/collide.h"

#include "collide/broad/broad.h"
#include "math/lanes.h"
#include "math/vec.h"

#include <string.h>

static_assert(sizeof(crn_pose) == 3 * sizeof(lanes), "a pose is three rows");

/* A member of four sites. */
#define FOUR(s, member) ((lanes){(s)[0].member, (s)[1].member, (s)[2].member, (s)[3].member})

/* crn_norm3 of four travels. Returns false where rounding asks for more care. */
INLINE lane_bits travel_of(const crn_reach *reach, const crn_site site[LANES], lanes *size)
{
    const double *t[LANES];
    const lanes zero = {0.0};
    lanes x[3];
    for (int l = 0; l < LANES; ++l)
        t[l] = reach->travel[site[l].body];
    UNROLL
    for (int k = 0; k < 3; ++k)
        x[k] = (lanes){t[0][k], t[1][k], t[2][k], t[3][k]};
    lanes square = lanes_dot(x, x);
    *size = lanes_root(square);
    return (lanes_size(x[0]) + lanes_size(x[1]) + lanes_size(x[2]) == zero) |
           ((square > 1e-280 - zero) & (square < 1e280 - zero));
}

/* Whether balls are well inside their fat bounds (is_ball_settled in broad.c). */
INLINE lane_bits are_settled(const crn_bounds fat[LANES], const lanes c[3], lanes radius, lanes margin)
{
    lanes low[LANES],
        high[LANES]; /* x, y, z of the lower corner and x of the upper; z of the lower one and the upper corner */
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        low[l] = *(const loose_lanes *)fat[l].lower;
        high[l] = *(const loose_lanes *)(fat[l].lower + 2);
    }
    lanes_transpose(low);
    lanes_transpose(high);
    lanes size = 2.0 * (radius + margin), most = size + CRN_FAT_LOOSE * (CRN_FAT_PAD * size + margin);
    lanes slop = 1e-12 * (lanes_size(c[0]) + lanes_size(c[1]) + lanes_size(c[2]) + size), reach = 0.5 * size + slop;
    lane_bits settled = ~(lane_bits){0};
    UNROLL
    for (int k = 0; k < 3; ++k)
        settled &= (c[k] - reach >= low[k]) & (c[k] + reach <= high[1 + k]) & (high[1 + k] - low[k] <= most);
    return settled;
}

INLINE bool are_set(lane_bits is)
{
    return (is[0] & is[1] & is[2] & is[3]) != 0;
}

INLINE bool place_four(const crn_sites *sites, const crn_broad *broad, int first, const crn_pose *poses,
                       const crn_reach *reach, double k)
{
    crn_site *site = &sites->site[first];
    lanes c[LANES], travel, sum = {0.0}, margin;
    bool central = site[0].central & site[1].central & site[2].central & site[3].central;
    if (!central || (site[0].placed & site[1].placed & site[2].placed & site[3].placed) >= 0)
        return false;
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        const loose_lanes *pose = (const loose_lanes *)poses[site[l].body].x;
        c[l] = pose[0];
        sum += pose[0] + pose[1] + pose[2];
    }
    lanes_transpose(c);
    lane_bits ordinary = (sum - sum == (lanes){0.0}) & travel_of(reach, site, &travel);
    UNROLL
    for (int l = 0; l < LANES; ++l)
        margin[l] = reach->margin[site[l].body];
    margin += k * travel;
    ordinary &= are_settled(&broad->fat[first], c, FOUR(site, radius), margin);
    for (int l = 0; l < LANES; ++l)
    {
        memcpy(site[l].centre, poses[site[l].body].x, sizeof site[l].centre);
        site[l].margin = margin[l];
    }
    return are_set(ordinary);
}

WIDE static bool place_four_wide(const crn_sites *sites, const crn_broad *broad, int first, const crn_pose *poses,
                                 const crn_reach *reach, double k)
{
    return place_four(sites, broad, first, poses, reach, k);
}

bool crn_place_balls(const crn_sites *sites, const crn_broad *broad, int first, const crn_pose *poses,
                     const crn_reach *reach, double k)
{
    return HAS_WIDE ? place_four_wide(sites, broad, first, poses, reach, k)
                    : place_four(sites, broad, first, poses, reach, k);
}
