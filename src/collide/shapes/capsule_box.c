/* A capsule against a box: every third pair of a heap of mixed shapes.
 *
 * The touches are those of crn_touch_convex for a line and a box (convex/convex_pair.c), which also says why they are chosen so. Here they
 * are computed in the box's frame, where nothing needs a search: the box is |x_k| <= h_k, and the axis of the capsule is
 *
 *     p(t) = c + t u ,   |t| <= l ,     nearest to the box at t_0, with the arm s m from the box, |m| = 1 (convex/line_box.c).
 *
 * - The face that m points at most is that of the largest |m_k|. Its own separation is sigma c_k - l |u_k| - h_k, sigma = sign m_k. If
 *   that is the distance s, both ends of the stretch over the face are touches with the face's normal. The stretch is the interval of t with
 *   |p_i| <= h_i for the two other axes, and an end of it is named by the capsule's end or by the edge of the face that it crosses.
 * - Otherwise the nearest points are a touch, and so is what lies beside them: ends of the stretch over the face or, where there are none,
 *   over the edge that is most nearly parallel to the axis, x_i = sign(m_i) h_i for the axes i other than the edge's. An end there has a
 *   normal of its own, the arm from the edge.
 * - Where the axis meets the box there is no m, and crn_touch_convex does the work.
 */
#include "collide/convex/convex.h"

#include "math/vec.h"

#include <assert.h>

static const double SAME = 1e-9;      /* of the thickness: tolerance for an axis over a face */
static const double BESIDE = 0.1;     /* likewise: least distance of other touches from the nearest points */
static const double CLIP_SLOP = 1e-7; /* likewise: a face is enlarged by this much, ... */
static const double ROUNDING = 1e-13; /* ... and by this much of the extent */
static const double ALIKE = 0.9;      /* cosine of the largest angle to a face or edge that may add touches */

typedef struct pair
{
    const crn_placed *a, *b;
    crn_box_line line;
    double m[3];
    double thickness, slop;
    crn_manifold *out;
} pair;

/* A part of the capsule's axis, and the names of its ends. */
typedef struct stretch
{
    double t[2];
    unsigned feature[2];
} stretch;

/* Add the touch of the axis at t with a gap of the cores along n, which is in the box's frame; false when it does not lie beside the
 * nearest points. */
static bool add(const pair *p, double core_gap, const double n[3], double t, unsigned feature, const crn_beside *beside)
{
    double gap = core_gap - p->a->radius, x[3], normal[3], point_a[3];
    for (int k = 0; k < 3; ++k)
        x[k] = p->line.c[k] + t * p->line.u[k] - p->a->radius * n[k];
    if (!crn_is_beside(beside, gap, x))
        return false;
    if (!(gap <= p->out->limit))
        return true;
    while (feature >= 0x8000u && crn_manifold_has(p->out, feature))
        feature = crn_next_crossing(feature);
    crn_rotate3(p->b->R, n, normal);
    crn_rotate3(p->b->R, x, point_a);
    crn_add3(point_a, p->b->centre, point_a);
    crn_manifold_add(p->out, gap, normal, point_a, feature);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------- faces */

/* The edge of the face (axis, side) where it meets the face (other, beyond), both sides 0 or 1. */
static unsigned edge_of(int axis, int side, int other, int beyond)
{
    unsigned corner = (unsigned)side << axis | (unsigned)beyond << other;
    return crn_edge_number(corner, corner | 1u << (3 - axis - other));
}

/* The stretch over the face (axis, side); false when there is none. */
static bool over_face(const pair *p, int axis, int side, stretch *out)
{
    const crn_box_line *line = &p->line;
    *out = (stretch){{-line->l, line->l}, {0, 1}};
    for (int k = 1; k < 3; ++k)
    {
        int other = axis + k < 3 ? axis + k : axis + k - 3;
        double most = line->half[other] + p->slop;
        for (int beyond = 0; beyond < 2; ++beyond)
        {
            double c = beyond ? line->c[other] : -line->c[other], u = beyond ? line->u[other] : -line->u[other];
            double height[2] = {c + out->t[0] * u - most, c + out->t[1] * u - most};
            if (height[0] <= 0.0 && height[1] <= 0.0)
                continue;
            if (height[0] > 0.0 && height[1] > 0.0)
                return false;
            int end = height[1] > 0.0;
            out->t[end] = out->t[0] + (out->t[1] - out->t[0]) * (height[0] / (height[0] - height[1]));
            out->feature[end] = crn_crossing_feature(crn_edge_number(0, 1), edge_of(axis, side, other, beyond));
        }
    }
    return true;
}

/* Add the ends of the stretch over a face, if one of them is as near as `reach`: all, or those beside the nearest points. */
static bool touch_face(const pair *p, int axis, int side, double reach, const crn_beside *beside)
{
    const crn_box_line *line = &p->line;
    stretch over;
    double sigma = side ? 1.0 : -1.0, gap[2], n[3] = {0.0, 0.0, 0.0};
    if (!over_face(p, axis, side, &over))
        return false;
    for (int k = 0; k < 2; ++k)
        gap[k] = sigma * (line->c[axis] + over.t[k] * line->u[axis]) - line->half[axis];
    if (!(gap[0] <= reach || gap[1] <= reach))
        return false;
    n[axis] = sigma;
    bool first = add(p, gap[0], n, over.t[0], over.feature[0], beside);
    return add(p, gap[1], n, over.t[1], over.feature[1], beside) || first;
}

/* ----------------------------------------------------------------------------------------------------------- edges */

/* The edge that is most nearly parallel to the capsule's axis, on the side of m; where m tells no side, on that of the nearest point. */
typedef struct edge
{
    int axis;
    double corner[3]; /* its lower end */
    unsigned name;    /* of that */
} edge;

static edge edge_along(const crn_box_line *line, const double m[3])
{
    const double *u = line->u;
    edge out = {.axis = fabs(u[1]) > fabs(u[0]) ? 1 : 0};
    out.axis = fabs(u[2]) > fabs(u[out.axis]) ? 2 : out.axis;
    for (int k = 0; k < 3; ++k)
    {
        double side = m[k] != 0.0 ? m[k] : line->c[k] + line->t * u[k];
        bool up = k != out.axis && side >= 0.0;
        out.corner[k] = up ? line->half[k] : -line->half[k];
        out.name |= up ? 1u << k : 0u;
    }
    return out;
}

/* The stretch that the capsule's axis and an edge share, by their places along u; false when there is none. */
static bool over_edge(const crn_box_line *line, const edge *e, stretch *out)
{
    double along = line->u[e->axis], lower = crn_dot3(e->corner, line->u) - crn_dot3(line->c, line->u);
    double upper = lower + 2.0 * line->half[e->axis] * along;
    unsigned low = crn_corner_feature((int)e->name, true), high = low | 1u << e->axis;
    *out = (stretch){{-line->l, line->l}, {0, 1}};
    double near = along < 0.0 ? upper : lower, far = along < 0.0 ? lower : upper;
    if (near > out->t[0])
        out->t[0] = near, out->feature[0] = along < 0.0 ? high : low;
    if (far < out->t[1])
        out->t[1] = far, out->feature[1] = along < 0.0 ? low : high;
    return out->t[0] < out->t[1];
}

/* An arm that leads away from both faces that meet at the edge ends at no nearer point of the box. */
static bool is_edge_nearest(const edge *e, const double arm[3])
{
    bool nearest = true;
    for (int k = 0; k < 3; ++k)
        nearest = nearest && (k == e->axis || arm[k] * e->corner[k] >= 0.0);
    return nearest;
}

static void touch_edge(const pair *p, const crn_beside *beside)
{
    const crn_box_line *line = &p->line;
    const edge e = edge_along(line, p->m);
    stretch over;
    if (!over_edge(line, &e, &over))
        return;
    for (int end = 0; end < 2; ++end)
    {
        double arm[3];
        for (int k = 0; k < 3; ++k)
            arm[k] = k == e.axis ? 0.0 : line->c[k] + over.t[end] * line->u[k] - e.corner[k];
        double distance = crn_norm3(arm);
        if (crn_dot3(arm, p->m) > ALIKE * distance && is_edge_nearest(&e, arm))
        {
            crn_scale3(1.0 / distance, arm, arm);
            add(p, distance, arm, over.t[end], over.feature[end], beside);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* The touch of the nearest points, and what lies beside it: of the face, or else of an edge. */
static void touch_nearest(const pair *p, int axis, int side)
{
    const crn_box_line *line = &p->line;
    crn_beside beside = {.gap = line->s - p->a->radius, .apart = BESIDE * p->thickness};
    for (int k = 0; k < 3; ++k)
        beside.point_a[k] = line->c[k] + line->t * line->u[k] - p->a->radius * p->m[k];
    add(p, line->s, p->m, line->t, CRN_FEATURE_NEAR, NULL);
    if (!(fabs(p->m[axis]) > ALIKE) || !touch_face(p, axis, side, INFINITY, &beside))
        touch_edge(p, &beside);
}

void crn_touch_capsule_box(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(b->radius == 0.0);
    pair p = {.a = a, .b = b, .out = out};
    double d[3], extent = a->half[2] + crn_norm3(b->half);
    crn_sub3(a->centre, b->centre, d);
    crn_line_in_box(a, b, d, &p.line);
    if (!(p.line.s > CRN_CROSSING * extent))
    {
        crn_touch_convex(a, b, out);
        return;
    }
    if (p.line.s > out->limit + a->radius)
    {
        out->apart = p.line.s - a->radius;
        return;
    }
    crn_scale3(1.0 / p.line.s, p.line.e, p.m);
    p.thickness = crn_thickness(b) < a->radius ? crn_thickness(b) : a->radius;
    p.slop = CLIP_SLOP * p.thickness + ROUNDING * extent;
    int axis = fabs(p.m[1]) > fabs(p.m[0]) ? 1 : 0;
    axis = fabs(p.m[2]) > fabs(p.m[axis]) ? 2 : axis;
    int side = p.m[axis] >= 0.0;
    double own = (side ? p.line.c[axis] : -p.line.c[axis]) - p.line.l * fabs(p.line.u[axis]) - b->half[axis];
    double bias = SAME * p.thickness;
    if (!(own >= p.line.s - bias && touch_face(&p, axis, side, p.line.s + bias, NULL)))
        touch_nearest(&p, axis, side);
}
