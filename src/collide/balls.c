#include "collide/balls.h"

#include "collide/contact_lanes.h"

#include <assert.h>

static_assert(offsetof(crn_site, radius) == 3 * sizeof(double) && offsetof(crn_site, centre) == 0,
              "a ball's centre and radius are four numbers");
static_assert(sizeof(crn_ball_touch) == 3 * sizeof(lanes), "a touch is three rows");

/* The two balls of four pairs: x, y, z and the radius. */
typedef struct ball_lanes
{
    const crn_site *a[LANES], *b[LANES];
    lanes at_a[4], at_b[4];
} ball_lanes;

INLINE void load_balls(const crn_sites *sites, const crn_shape_pair *pair, ball_lanes *out)
{
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        out->a[l] = &sites->site[pair[l].a];
        out->b[l] = &sites->site[pair[l].b];
        out->at_a[l] = *(const loose_lanes *)out->a[l]->centre;
        out->at_b[l] = *(const loose_lanes *)out->b[l]->centre;
    }
    lanes_transpose(out->at_a);
    lanes_transpose(out->at_b);
}

INLINE lanes margins_of(const crn_site *const site[LANES])
{
    return (lanes){site[0]->margin, site[1]->margin, site[2]->margin, site[3]->margin};
}

/* A last group of fewer than four is filled up with the last pair. */
static void fill_up(crn_shape_pair *pair, int count)
{
    for (int i = count; i % LANES != 0; ++i)
        pair[i] = pair[count - 1];
}

/* ------------------------------------------------------------------------------------------------------------ near */

/* crn_balls_near; a half-space has an infinite radius. */
INLINE lane_bits are_far(const crn_sites *sites, const crn_shape_pair *pair)
{
    ball_lanes p;
    lanes arm[3];
    load_balls(sites, pair, &p);
    lanes reach = p.at_a[3] + margins_of(p.a) + (p.at_b[3] + margins_of(p.b));
    UNROLL
    for (int k = 0; k < 3; ++k)
        arm[k] = p.at_a[k] - p.at_b[k];
    return lanes_dot(arm, arm) > reach * reach * (1.0 + 1e-9);
}

/* Keep those of four pairs that are not far, from place `kept` on. */
INLINE int keep_near(lane_bits far, crn_shape_pair *pair, int first, int count, int kept)
{
    UNROLL
    for (int l = 0; l < count; ++l)
    {
        pair[kept] = pair[first + l];
        kept += 1 + (int)far[l];
    }
    return kept;
}

INLINE int sift(const crn_sites *sites, crn_shape_pair *pair, int count)
{
    int kept = 0, i = 0;
    for (; i + LANES <= count; i += LANES)
        kept = keep_near(are_far(sites, pair + i), pair, i, LANES, kept);
    return i < count ? keep_near(are_far(sites, pair + i), pair, i, count - i, kept) : kept;
}

WIDE static int sift_wide(const crn_sites *sites, crn_shape_pair *pair, int count)
{
    return sift(sites, pair, count);
}

int crn_balls_sift(const crn_sites *sites, crn_shape_pair *pair, int count)
{
    assert(count >= 0 && count <= CRN_BALLS);
    fill_up(pair, count);
    return HAS_WIDE ? sift_wide(sites, pair, count) : sift(sites, pair, count);
}

/* ----------------------------------------------------------------------------------------------------------- touch */

/* As crn_touch_balls does it. */
INLINE void meet_four(const crn_sites *sites, const crn_shape_pair *pair, crn_ball_touch touch[LANES])
{
    ball_lanes p;
    const lanes zero = {0.0};
    lanes n[3], out[12], one = 1.0 - zero;
    load_balls(sites, pair, &p);
    UNROLL
    for (int k = 0; k < 3; ++k)
        n[k] = p.at_a[k] - p.at_b[k];
    lanes square = lanes_dot(n, n), distance = lanes_root(square), both = p.at_a[3] + p.at_b[3];
    lanes gap = distance - p.at_a[3] - p.at_b[3], inverse = 1.0 / distance;
    lane_bits ordinary = (square > 1e-280 - zero) & (square < 1e280 - zero) & (both > zero) & (both < INFINITY - zero) &
                         (distance > 1e-14 * both);
    out[0] = gap;
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        out[1 + k] = inverse * n[k];
        out[4 + k] = p.at_a[k] + -p.at_a[3] * out[1 + k];
        out[7 + k] = out[4 + k] + -gap * out[1 + k];
    }
    out[10] = lanes_choose(ordinary, one, zero);
    out[11] = one;
    UNROLL
    for (int row = 0; row < 3; ++row)
    {
        lanes_transpose(out + 4 * row);
        UNROLL
        for (int l = 0; l < LANES; ++l)
            *(loose_lanes *)((double *)&touch[l] + 4 * row) = out[4 * row + l];
    }
}

INLINE void meet(const crn_sites *sites, const crn_shape_pair *pair, int count, crn_ball_touch *touch)
{
    for (int i = 0; i < count; i += LANES)
        meet_four(sites, pair + i, touch + i);
}

WIDE static void meet_wide(const crn_sites *sites, const crn_shape_pair *pair, int count, crn_ball_touch *touch)
{
    meet(sites, pair, count, touch);
}

void crn_balls_meet(const crn_sites *sites, crn_shape_pair *pair, int count, crn_ball_touch *touch)
{
    assert(count >= 0 && count <= CRN_BALLS);
    fill_up(pair, count);
    if (HAS_WIDE)
        meet_wide(sites, pair, count, touch);
    else
        meet(sites, pair, count, touch);
}
