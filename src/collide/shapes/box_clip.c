/* The contact manifold of two box faces: the incident face is clipped by the sides of the reference face (I. Sutherland,
 * G. Hodgman, Reentrant polygon clipping, CACM 17, 1974), and each point has its own gap along the reference normal. In
 * the reference box's frame a side is a plane of constant coordinate.
 *
 * Every point is identified by the two lines that meet in it: sides of the incident face 0..3, of the reference face
 * 4..7. Two incident sides are a corner of the incident box, two reference sides a corner of the reference box, one of
 * each a crossing of two edges. These names do not depend on which box is the reference.
 */
#include "collide/shapes/box.h"
#include "collide/shapes/clip.h"

#include "math/vec.h"

#include <assert.h>

enum
{
    CLIP_CAPACITY = 16,
    SECOND = 0x400 /* added to the feature of a second point of the same name; those of boxes are smaller */
};

/* The reference face is enlarged by this fraction of the smaller box's thickness, so that edges flush to rounding stay as
 * they are; the band of clip.h is for those that tremble. */
static const double CLIP_SLOP = 1e-7;
static const double ROUNDING = 1e-13; /* of the coordinates: added to that slop */

typedef struct clip_polygon
{
    crn_clip_point points[CLIP_CAPACITY];
    int count;
    int axis; /* of the incident face */
} clip_polygon;

/* The face of the incident box that faces the reference face most directly, in the reference box's frame. */
static void incident_face(const crn_box_pair *p, const crn_box_axis *axis, int corners[4], clip_polygon *polygon)
{
    const double *row = p->C + 3 * axis->i, *k = p->K + 3 * axis->i, *half = p->b->half;
    int other = k[1] > k[0] ? 1 : 0;
    other = k[2] > k[other] ? 2 : other;
    crn_box_face(other, axis->sign * row[other] < 0.0, corners);
    polygon->count = 4;
    polygon->axis = other;
    for (int i = 0; i < 4; ++i)
    {
        double local[3];
        crn_box_own_corner(half, corners[i], local);
        crn_rotate3(p->C, local, polygon->points[i].x);
        crn_add3(p->t, polygon->points[i].x, polygon->points[i].x);
        polygon->points[i].in = (i + 3) % 4;
        polygon->points[i].out = i;
    }
}

/* The mean half-width of a box's face of this axis. */
static double half_width(const double half[3], int axis)
{
    double g = half[(axis + 1) % 3], h = half[(axis + 2) % 3];
    return g + h > 0.0 ? 2.0 * g * h / (g + h) : 0.0;
}

/* Clip by the four sides of the reference face; side k joins its corners k and k + 1. */
static void clip_by_sides(const crn_box_pair *p, int axis, double slop, clip_polygon *polygon)
{
    assert(axis >= 0 && axis < 3 && slop >= 0.0);
    static const int other[4] = {2, 1, 2, 1}; /* the side's axis after the face's own */
    static const double sign[4] = {-1.0, 1.0, 1.0, -1.0};
    crn_clip_line lines[4];
    int facing = polygon->axis;
    double m[3] = {p->C[facing], p->C[3 + facing], p->C[6 + facing]};
    double band = crn_clip_band(half_width(p->a->half, axis), half_width(p->b->half, facing));
    for (int k = 0; k < 4; ++k)
    {
        int side = (axis + other[k]) % 3;
        lines[k] = (crn_clip_line){.offset = p->a->half[side] + slop, .band = band};
        lines[k].n[side] = sign[k];
    }
    polygon->count = crn_clip_by_all(polygon->points, polygon->count, CLIP_CAPACITY, lines, 4, 4, m);
}

/* The corner of a face where its sides k and l meet. */
static int meeting(const int corners[4], int k, int l)
{
    assert((k + 1) % 4 == l || (l + 1) % 4 == k);
    return (k + 1) % 4 == l ? corners[l] : corners[k];
}

static unsigned feature_of(const crn_clip_point *point, const int on_reference[4], const int on_incident[4],
                           bool flipped)
{
    assert(point->in >= 0 && point->in < 8 && point->out >= 0 && point->out < 8);
    int in = point->in, out = point->out;
    if (in < 4 && out < 4)
        return crn_box_feature_corner(!flipped, meeting(on_incident, in, out));
    if (in >= 4 && out >= 4)
        return crn_box_feature_corner(flipped, meeting(on_reference, in - 4, out - 4));
    int i = in < 4 ? in : out, r = (in < 4 ? out : in) - 4;
    int edge_i = crn_box_edge(on_incident[i], on_incident[(i + 1) % 4]);
    int edge_r = crn_box_edge(on_reference[r], on_reference[(r + 1) % 4]);
    return flipped ? crn_box_feature_edges(edge_i, edge_r) : crn_box_feature_edges(edge_r, edge_i);
}

bool crn_box_clip(const crn_box_pair *p, const crn_box_axis *axis, bool flipped, double reach,
                  const crn_beside *nearest, crn_manifold *out)
{
    assert(axis->i >= 0 && axis->i < 3 && fabs(axis->sign) == 1.0);
    int on_reference[4], on_incident[4], i = axis->i;
    double gaps[CLIP_CAPACITY], least = INFINITY, n[3], normal[3];
    clip_polygon polygon;
    double slop = CLIP_SLOP * crn_box_size(p->a, p->b) + ROUNDING * crn_norm3(p->a->centre);
    incident_face(p, axis, on_incident, &polygon);
    clip_by_sides(p, i, slop, &polygon);
    crn_box_face(i, axis->sign > 0.0, on_reference);
    for (int k = 0; k < polygon.count; ++k)
    {
        gaps[k] = axis->sign * polygon.points[k].x[i] - p->a->half[i];
        least = gaps[k] < least ? gaps[k] : least;
    }
    if (!(least <= reach))
        return false;
    bool any = false;
    crn_axis_of(p->a, i, n);
    crn_scale3(flipped ? axis->sign : -axis->sign, n, normal);
    for (int k = 0; k < polygon.count; ++k)
    {
        if (gaps[k] <= out->limit || nearest)
        {
            double *x = polygon.points[k].x, world[3];
            /* the witness point on a: on the reference face or on the incident one */
            x[i] = flipped ? x[i] : axis->sign * p->a->half[i];
            crn_box_to_world(p, x, world);
            unsigned feature = feature_of(&polygon.points[k], on_reference, on_incident, flipped);
            /* corners that slid onto a line may leave two points on the same two lines */
            while (!nearest && crn_manifold_has(out, feature))
                feature += SECOND;
            if (!nearest || (crn_is_beside(nearest, gaps[k], world) && !crn_manifold_has(out, feature)))
            {
                crn_manifold_add(out, gaps[k], normal, world, feature);
                any = true;
            }
        }
    }
    return any || !nearest;
}
