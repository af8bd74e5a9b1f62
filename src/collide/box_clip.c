/* The contact manifold of two box faces: the incident face clipped by the sides of the reference face (I. Sutherland,
 * G. Hodgman, Reentrant polygon clipping, CACM 17, 1974), each point with its own gap along the reference normal.
 *
 * Every point is known by the two lines that meet in it: sides of the incident face 0..3, of the reference face 4..7.
 * Two incident sides are a corner of the incident box, two reference sides a corner of the reference box, one of each a
 * crossing of two edges. These names do not depend on which box is the reference.
 */
#include "collide/box.h"
#include "collide/clip.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    CLIP_CAPACITY = 16
};

/* Faces are clipped this much too large (of the smaller box's thickness), so that flush edges keep their corners. */
static const double CLIP_SLOP = 1e-7;
static const double ROUNDING = 1e-13; /* of the coordinates: added to that slop */

typedef struct clip_polygon
{
    crn_clip_point points[CLIP_CAPACITY];
    int count;
} clip_polygon;

/* The face of the incident box that looks most against n. */
static void incident_face(const crn_placed *incident, const double n[3], int corners[4], clip_polygon *polygon)
{
    double local[3];
    crn_unrotate3(incident->R, n, local);
    int axis = fabs(local[1]) > fabs(local[0]) ? 1 : 0;
    axis = fabs(local[2]) > fabs(local[axis]) ? 2 : axis;
    crn_box_face(axis, local[axis] < 0.0, corners);
    polygon->count = 4;
    for (int i = 0; i < 4; ++i)
    {
        crn_box_corner(incident, corners[i], polygon->points[i].x);
        polygon->points[i].in = (i + 3) % 4;
        polygon->points[i].out = i;
    }
}

/* Clip by the four sides of the reference face; side k joins its corners k and k + 1. */
static void clip_by_sides(const crn_placed *reference, int axis, double slop, clip_polygon *polygon)
{
    static const int other[4] = {2, 1, 2, 1}; /* the side's axis after the face's own */
    static const double sign[4] = {-1.0, 1.0, 1.0, -1.0};
    for (int k = 0; k < 4; ++k)
    {
        double n[3];
        int side = (axis + other[k]) % 3;
        crn_box_axis_of(reference, side, n);
        crn_scale3(sign[k], n, n);
        clip_polygon before = *polygon;
        double offset = crn_dot3(n, reference->centre) + reference->half[side] + slop;
        polygon->count = crn_clip_by(before.points, before.count, n, offset, 4 + k, polygon->points, CLIP_CAPACITY);
    }
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
    int in = point->in, out = point->out;
    if (in < 4 && out < 4)
    {
        return crn_box_feature_corner(!flipped, meeting(on_incident, in, out));
    }
    if (in >= 4 && out >= 4)
    {
        return crn_box_feature_corner(flipped, meeting(on_reference, in - 4, out - 4));
    }
    int i = in < 4 ? in : out, r = (in < 4 ? out : in) - 4;
    int edge_i = crn_box_edge(on_incident[i], on_incident[(i + 1) % 4]);
    int edge_r = crn_box_edge(on_reference[r], on_reference[(r + 1) % 4]);
    return flipped ? crn_box_feature_edges(edge_i, edge_r) : crn_box_feature_edges(edge_r, edge_i);
}

bool crn_box_clip(const crn_placed *reference, const crn_placed *incident, const crn_box_axis *axis, bool flipped,
                  double reach, crn_manifold *out)
{
    double own[3], gaps[CLIP_CAPACITY], least = INFINITY;
    int on_reference[4], on_incident[4];
    clip_polygon polygon;
    incident_face(incident, axis->n, on_incident, &polygon);
    double slop = CLIP_SLOP * crn_box_size(reference, incident) + ROUNDING * crn_norm3(reference->centre);
    clip_by_sides(reference, axis->i, slop, &polygon);
    crn_box_axis_of(reference, axis->i, own);
    crn_box_face(axis->i, crn_dot3(own, axis->n) > 0.0, on_reference);
    double height = crn_dot3(axis->n, reference->centre) + reference->half[axis->i];
    for (int k = 0; k < polygon.count; ++k)
    {
        gaps[k] = crn_dot3(axis->n, polygon.points[k].x) - height;
        least = fmin(least, gaps[k]);
    }
    if (!(least <= reach))
    {
        return false;
    }
    double normal[3];
    crn_scale3(flipped ? 1.0 : -1.0, axis->n, normal);
    for (int k = 0; k < polygon.count; ++k)
    {
        double witness[3];
        crn_madd3(polygon.points[k].x, -gaps[k], axis->n, witness);
        crn_manifold_add(out, gaps[k], normal, flipped ? polygon.points[k].x : witness,
                         feature_of(&polygon.points[k], on_reference, on_incident, flipped));
    }
    return true;
}
