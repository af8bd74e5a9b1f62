/* The polygons that bound friction in space under pyramid(m) and box (docs/laws.md), as sweeps, certificate and rest see them.
 *
 * In the tangents t1, t2 of a contact (math/tangents.h), |r_t . out_k| <= apothem mu r_n for the normals out_k of m sides. The number of
 * sides is even, and opposite ones are parallel, so that one of each pair is enough:
 *
 *     pyramid(m)     corners at the angles 2 pi k / m, at mu r_n; sides in between them, at cos(pi/m) mu r_n
 *     box            sides at the angles 0 and pi/2, at mu r_n
 *
 * Both are regular. A point in the sector of a side, between the rays through its two ends, has its projection on that side: no other
 * needs a look. It is the side whose normal the point lies farthest along. In coordinates d along that normal and l along the side,
 *
 *     P(d, l) = (clip(d, apothem), clip(l, half))
 *
 * for points within the polygon, too, since they have |l| <= half |d| / apothem.
 */
#ifndef CRN_SOLVE_COMPACT_POLYGON_H
#define CRN_SOLVE_COMPACT_POLYGON_H

#include "cairn/problem.h"

typedef struct crn_compact_polygon
{
    int pairs;            /* of opposite sides */
    double apothem, half; /* distance of the sides from the middle, and half of their length; per mu r_n */
    double out[CAIRN_MAX_DIRECTIONS / 2][2]; /* unit normals of the first half of the sides, by their angles */
} crn_compact_polygon;

/* Whether a law has such a polygon, in space. */
static inline bool crn_compact_has_polygon(cairn_law_kind law)
{
    return law == CAIRN_LAW_PYRAMID || law == CAIRN_LAW_BOX;
}

void crn_compact_polygon_of(cairn_law law, crn_compact_polygon *out);

/* The least mu r_n with which friction may be x, a world vector across the normal n. */
double crn_compact_polygon_size(const crn_compact_polygon *polygon, const double n[3], const double x[3]);

#endif
