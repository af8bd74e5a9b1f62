/* The contact manifold of a reference face and the incident part of the other shape, a face or a straight line, which is
 * clipped by the sides of the reference face (box_clip.c does the same for boxes). The clipped part is convex and its
 * corners are its extreme points, so no touch is implied by others.
 *
 * Features: a corner of a or b has its own name. A crossing of two edges has a hash of the names of their four ends, or
 * the next free number when two crossings of a pair have the same hash. Features do not depend on which shape is the
 * reference.
 */
#include "collide/convex/convex.h"
#include "collide/shapes/clip.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    CLIP_ROOM = 2 * CRN_FACE_ROOM
};
static_assert((int)CLIP_ROOM <= (int)CRN_CLIP_ROOM, "the scratch of clip.c holds every polygon");

static const double CLIP_SLOP = 1e-7; /* of the thickness: the reference face is enlarged by this much */
static const double ROUNDING = 1e-13; /* of the extent: added to that slop */
static const double ASIDE = 0.04;     /* of the thickness: how far two nearly parallel lines may be apart sideways */

/* The clipped incident face. Its sides are numbered from 0, those of the reference face from CRN_FACE_ROOM. */
typedef struct clip_polygon
{
    crn_clip_point points[CLIP_ROOM];
    int count;
} clip_polygon;

/* The mean half-width of a face: 2 area / perimeter. */
static double half_width(const crn_face *face)
{
    double area = 0.0, perimeter = 0.0;
    for (int k = 0; k < face->count; ++k)
    {
        double side[3], arm[3], cross[3];
        crn_sub3(face->corner[k + 1 < face->count ? k + 1 : 0].x, face->corner[k].x, side);
        crn_sub3(face->corner[k].x, face->corner[0].x, arm);
        crn_cross3(arm, side, cross);
        area += 0.5 * crn_dot3(cross, face->n);
        perimeter += crn_norm3(side);
    }
    return perimeter > 0.0 ? 2.0 * fabs(area) / perimeter : 0.0;
}

static void clip_by_sides(const crn_face *reference, const crn_face *incident, double slop, clip_polygon *polygon)
{
    assert(reference->count > 2);
    crn_clip_line lines[CRN_FACE_ROOM];
    /* a line or a point has no width, and no edge that could be flush */
    double band = incident->count > 2 ? crn_clip_band(half_width(reference), half_width(incident)) : 0.0;
    for (int k = 0; k < reference->count; ++k)
    {
        const double *from = reference->corner[k].x;
        const double *to = reference->corner[k + 1 < reference->count ? k + 1 : 0].x;
        double along[3], *n = lines[k].n;
        crn_sub3(to, from, along);
        crn_cross3(along, reference->n, n);
        crn_scale3(1.0 / crn_norm3(n), n, n);
        lines[k].offset = crn_dot3(n, from) + slop;
        lines[k].band = band;
        lines[k].is_done = false;
    }
    polygon->count = crn_clip_by_all(polygon->points, polygon->count, CLIP_ROOM, lines, reference->count, CRN_FACE_ROOM,
                                     incident->n);
}

/* ---------------------------------------------------------------------------------------------------------- names */

/* The corner where sides k and l of a face meet. */
static int meeting(const crn_face *face, int k, int l)
{
    assert(k >= 0 && k < face->count && l >= 0 && l < face->count);
    int corner = (k + 1) % face->count == l ? l : k;
    return face->corner[corner].name < 0 ? 0 : face->corner[corner].name;
}

/* A number for the edge after corner k, the same for both faces that share the edge. */
static unsigned edge_number(const crn_face *face, int k)
{
    assert(k >= 0 && k < face->count);
    return crn_edge_number((unsigned)face->corner[k].name, (unsigned)face->corner[(k + 1) % face->count].name);
}

static unsigned name_of(const crn_clip_point *point, const crn_face *reference, const crn_face *incident, bool flipped)
{
    bool in = point->in >= CRN_FACE_ROOM, out = point->out >= CRN_FACE_ROOM;
    if (!in && !out)
        return crn_corner_feature(meeting(incident, point->in, point->out), !flipped);
    if (in && out)
        return crn_corner_feature(meeting(reference, point->in - CRN_FACE_ROOM, point->out - CRN_FACE_ROOM), flipped);
    unsigned i = edge_number(incident, in ? point->out : point->in);
    unsigned r = edge_number(reference, (in ? point->in : point->out) - CRN_FACE_ROOM);
    return flipped ? crn_crossing_feature(i, r) : crn_crossing_feature(r, i);
}

/* Whether the manifold has the feature already; *same: at the same point. */
static bool is_taken(const crn_manifold *out, unsigned feature, const double point_a[3], double slop, bool *same)
{
    for (int i = 0; i < out->count; ++i)
    {
        if (out->touches[i].feature == feature)
        {
            double arm[3];
            crn_sub3(out->touches[i].point_a, point_a, arm);
            *same = crn_norm3(arm) <= 4.0 * slop;
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------------------- touches */

/* Add a touch by the gap of the cores and the point on a's core, relative to b's centre; false when it does not lie
 * beside the nearest points. */
static bool add_touch(const crn_pair_view *v, double core_gap, const double n[3], const double core_a[3],
                      unsigned feature, double slop, const crn_beside *nearest, crn_manifold *out)
{
    double point_a[3], gap = core_gap - v->a->radius - v->b->radius;
    bool same = false;
    crn_madd3(core_a, -v->a->radius, n, point_a);
    crn_add3(point_a, v->b->centre, point_a);
    if (!crn_is_beside(nearest, gap, point_a))
        return false;
    while (is_taken(out, feature, point_a, slop, &same))
    {
        if (same || feature < 0x8000u)
            return true;
        feature = crn_next_crossing(feature);
    }
    crn_manifold_add(out, gap, n, point_a, feature);
    return true;
}

/* Shift a face of a from a's centre to coordinates relative to b's centre; `face` may be `out`. */
static void shift(const crn_pair_view *v, const crn_face *face, crn_face *out)
{
    out->count = face->count;
    memmove(out->n, face->n, sizeof out->n);
    for (int i = 0; i < face->count; ++i)
    {
        crn_add3(face->corner[i].x, v->d, out->corner[i].x);
        out->corner[i].name = face->corner[i].name;
    }
}

bool crn_face_clip(const crn_pair_view *v, const crn_face *own, bool flipped, double reach, const crn_beside *nearest,
                   crn_manifold *out)
{
    assert(own->count > 2 && crn_is_unit3(own->n));
    crn_face shifted, incident;
    const crn_face *reference = flipped ? own : &shifted;
    clip_polygon polygon;
    double m[3], n[3], gaps[CLIP_ROOM], least = INFINITY;
    double slop = CLIP_SLOP * fmin(crn_thickness(v->a), crn_thickness(v->b)) + ROUNDING * v->size;
    crn_scale3(-1.0, own->n, m);
    crn_core_face(flipped ? v->a : v->b, m, &incident);
    shift(v, flipped ? &incident : own, flipped ? &incident : &shifted);
    polygon.count = incident.count;
    for (int i = 0; i < incident.count; ++i)
    {
        memcpy(polygon.points[i].x, incident.corner[i].x, sizeof polygon.points[i].x);
        polygon.points[i].in = i > 0 ? i - 1 : incident.count - 1;
        polygon.points[i].out = i;
    }
    clip_by_sides(reference, &incident, slop, &polygon);
    for (int i = 0; i < polygon.count; ++i)
    {
        double arm[3];
        crn_sub3(polygon.points[i].x, reference->corner[0].x, arm);
        gaps[i] = crn_dot3(arm, reference->n);
        least = fmin(least, gaps[i]);
    }
    if (!(least <= reach))
        return false;
    bool any = false;
    memcpy(n, flipped ? reference->n : m, sizeof n);
    for (int i = 0; i < polygon.count; ++i)
    {
        double core_a[3];
        crn_madd3(polygon.points[i].x, flipped ? 0.0 : -gaps[i], reference->n, core_a);
        any |= add_touch(v, gaps[i], n, core_a, name_of(&polygon.points[i], reference, &incident, flipped), slop,
                         nearest, out);
    }
    return any;
}

/* ----------------------------------------------------------------------------------------------------------- lines */

/* The point of a straight face with the coordinate `along` on the direction u. */
static void at_place(const crn_face *line, const double u[3], double along, double out[3])
{
    assert(line->count == 2);
    double p = crn_dot3(line->corner[0].x, u), q = crn_dot3(line->corner[1].x, u), piece[3];
    crn_sub3(line->corner[1].x, line->corner[0].x, piece);
    crn_madd3(line->corner[0].x, (along - p) / (q - p), piece, out);
}

/* The lower or upper end of the stretch that two lines share along u, and the feature of the corner there. */
static double common_end(const crn_face *a, const crn_face *b, const double u[3], bool upper, unsigned *feature)
{
    assert(a->count == 2 && b->count == 2);
    const crn_face *faces[2] = {a, b};
    double end = upper ? INFINITY : -INFINITY;
    for (int f = 0; f < 2; ++f)
    {
        double p = crn_dot3(faces[f]->corner[0].x, u), q = crn_dot3(faces[f]->corner[1].x, u);
        int corner = (p > q) == upper ? 0 : 1;
        double at = corner == 0 ? p : q;
        if (upper ? at < end : at > end)
        {
            end = at;
            *feature = crn_corner_feature(faces[f]->corner[corner].name, f == 1);
        }
    }
    return end;
}

bool crn_line_clip(const crn_pair_view *v, const double n[3], const crn_face *of_a, const crn_face *of_b,
                   crn_manifold *out)
{
    assert(crn_is_unit3(n));
    crn_face a;
    double u[3], x_a[2][3], gap[2], ends[2];
    unsigned feature[2] = {0, 0};
    if (of_a->count != 2 || of_b->count != 2)
        return false;
    shift(v, of_a, &a);
    crn_sub3(a.corner[1].x, a.corner[0].x, u);
    crn_scale3(1.0 / crn_norm3(u), u, u);
    double thickness = fmin(crn_thickness(v->a), crn_thickness(v->b));
    ends[0] = common_end(&a, of_b, u, false, &feature[0]);
    ends[1] = common_end(&a, of_b, u, true, &feature[1]);
    if (!(ends[1] - ends[0] > thickness))
        return false;
    for (int k = 0; k < 2; ++k)
    {
        double x_b[3], arm[3];
        at_place(&a, u, ends[k], x_a[k]);
        at_place(of_b, u, ends[k], x_b);
        crn_sub3(x_a[k], x_b, arm);
        gap[k] = crn_dot3(arm, n);
        crn_madd3(arm, -gap[k], n, arm);
        if (!(crn_norm3(arm) <= ASIDE * thickness))
            return false;
    }
    for (int k = 0; k < 2; ++k)
        add_touch(v, gap[k], n, x_a[k], feature[k], 0.0, NULL, out);
    return true;
}

/* The edge of a box that is most nearly parallel to u, on the side of n; relative to its centre. Returns its axis. */
static int box_edge(const crn_placed *box, const double u[3], const double n[3], crn_face *edge)
{
    double m[3], along[3];
    crn_unrotate3(box->R, u, m);
    int k = fabs(m[1]) > fabs(m[0]) ? 1 : 0;
    k = fabs(m[2]) > fabs(m[k]) ? 2 : k;
    edge->count = 2;
    for (int end = 0; end < 2; ++end)
    {
        for (int i = 0; i < 3; ++i)
            along[i] = n[i] + (end ? 2.0 : -2.0) * box->R[3 * i + k];
        crn_core_support(box, along, &edge->corner[end]);
    }
    return k;
}

/* Whether an arm from an edge of a box along axis k leads away from both faces that meet there, so that no other point is nearer. */
static bool is_edge_nearest(const crn_placed *box, int k, const double corner[3], const double arm[3])
{
    double m[3], x[3];
    crn_unrotate3(box->R, arm, m);
    crn_unrotate3(box->R, corner, x);
    int i = (k + 1) % 3, j = (k + 2) % 3;
    return m[i] * x[i] >= 0.0 && m[j] * x[j] >= 0.0;
}

void crn_edge_beside(const crn_pair_view *v, const double n[3], const crn_beside *beside, crn_manifold *out)
{
    static const double ALIKE = 0.9; /* cosine of the largest angle to the normal of the nearest points */
    crn_face line, edge;
    double against[3], u[3], w[3], ends[2];
    unsigned feature[2] = {0, 0};
    crn_scale3(-1.0, n, against);
    crn_core_face(v->a, against, &line);
    assert(line.count == 2);
    shift(v, &line, &line);
    crn_sub3(line.corner[1].x, line.corner[0].x, u);
    crn_scale3(1.0 / crn_norm3(u), u, u);
    int axis = box_edge(v->b, u, n, &edge);
    crn_axis_of(v->b, axis, w);
    for (int k = 0; k < 2; ++k)
        ends[k] = common_end(&line, &edge, u, k == 1, &feature[k]);
    for (int k = 0; k < 2 && ends[0] < ends[1]; ++k)
    {
        double x[3], arm[3];
        at_place(&line, u, ends[k], x);
        crn_sub3(x, edge.corner[0].x, arm);
        crn_madd3(arm, -crn_dot3(arm, w), w, arm);
        double distance = crn_norm3(arm);
        if (crn_dot3(arm, n) > ALIKE * distance && is_edge_nearest(v->b, axis, edge.corner[0].x, arm))
        {
            crn_scale3(1.0 / distance, arm, arm);
            add_touch(v, distance, arm, x, feature[k], 0.0, beside, out);
        }
    }
}
