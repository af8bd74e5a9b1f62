/* Single contacts of two boxes: the closest points of boxes apart, and two crossing edges.
 *
 * The closest points of two convex polyhedra apart can be taken at a vertex of one of them, or inside one edge of each.
 * The edges of the best separating axis come first. The direction m between two points proves them closest when the boxes are
 * separated along m by their distance. Otherwise the 16 corners are tried, clamped to the other box in its own frame, and if
 * that proves nothing either, all 144 pairs of edges except those whose projections on m are already too far apart. A later
 * candidate must be better by more than rounding, so the name of the contact is stable.
 *
 * Points d apart at coordinates of the size S are known to eps S, so that m is known to eps S / d, and the separation along it to
 * eps S^2 / d: a difference of that size disproves nothing.
 */
#include "collide/shapes/box.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

static const double BETTER = 1.0 - 1e-10; /* factor of the squared distance */
static const double PROOF = 4e-11;        /* of the distance: a smaller difference is no improvement */
static const double ROUNDED = 4e-16;      /* of the square of the size over the distance: likewise */

/* In the frame of the pair's first box. */
typedef struct closest
{
    double squared;
    double point_a[3], point_b[3];
    unsigned feature;
} closest;

static void offer(closest *best, const double point_a[3], const double point_b[3], unsigned feature)
{
    double arm[3];
    crn_sub3(point_a, point_b, arm);
    double squared = crn_dot3(arm, arm);
    if (squared < BETTER * best->squared)
    {
        best->squared = squared;
        memcpy(best->point_a, point_a, sizeof best->point_a);
        memcpy(best->point_b, point_b, sizeof best->point_b);
        best->feature = feature;
    }
}

static void clamp(const double half[3], const double x[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
    {
        double y = x[k] < half[k] ? x[k] : half[k];
        out[k] = y > -half[k] ? y : -half[k];
    }
}

/* From the frame of the second box to that of the first. */
static void to_first(const crn_box_pair *p, const double x[3], double out[3])
{
    crn_rotate3(p->C, x, out);
    crn_add3(p->t, out, out);
}

static void offer_corners(const crn_box_pair *p, closest *best)
{
    double vertex[3], other[3], arm[3], x[3];
    for (int corner = 0; corner < 8; ++corner)
    {
        crn_box_own_corner(p->a->half, corner, vertex);
        crn_sub3(vertex, p->t, arm);
        crn_unrotate3(p->C, arm, x);
        clamp(p->b->half, x, x);
        to_first(p, x, other);
        offer(best, vertex, other, crn_box_feature_corner(false, corner));
    }
    for (int corner = 0; corner < 8; ++corner)
    {
        crn_box_own_corner(p->b->half, corner, x);
        to_first(p, x, vertex);
        clamp(p->a->half, vertex, other);
        offer(best, other, vertex, crn_box_feature_corner(true, corner));
    }
}

static double shadow(const double half[3], const double m[3])
{
    return half[0] * fabs(m[0]) + half[1] * fabs(m[1]) + half[2] * fabs(m[2]);
}

/* Whether the boxes are separated by the distance of the points found, along the line between them. */
static bool is_proved(const crn_box_pair *p, const closest *best)
{
    double m[3], of_b[3], distance = sqrt(best->squared);
    if (!isfinite(distance))
        return false; /* nothing has been found yet */
    if (!(distance > 0.0))
        return true;
    crn_sub3(best->point_b, best->point_a, m);
    crn_unrotate3(p->C, m, of_b);
    double apart = (crn_dot3(m, p->t) - shadow(p->a->half, m) - shadow(p->b->half, of_b)) / distance;
    double size = p->a->half[0] + p->a->half[1] + p->a->half[2] + p->b->half[0] + p->b->half[1] + p->b->half[2];
    return distance - apart <= PROOF * distance + ROUNDED * size * size / distance;
}

/* An edge in the frame of the first box: the points middle + s half, -1 <= s <= 1. */
typedef struct edge_line
{
    double middle[3], half[3];
    int edge;
} edge_line;

/* The nearest points of two lines are at s = over[0] / d and t = over[1] / d. Returns d; 0 where they are parallel. */
static double nearest_on_lines(const edge_line *a, const edge_line *b, double over[2])
{
    const double *u = a->half, *v = b->half;
    double arm[3];
    crn_sub3(b->middle, a->middle, arm);
    double uu = crn_dot3(u, u), vv = crn_dot3(v, v), uv = crn_dot3(u, v);
    double determinant = uu * vv - uv * uv, au = crn_dot3(arm, u), av = crn_dot3(arm, v);
    over[0] = au * vv - av * uv;
    over[1] = au * uv - av * uu;
    return determinant <= 1e-12 * uu * vv ? 0.0 : determinant;
}

/* An edge of the first or of the second box. */
static edge_line line_of(const crn_box_pair *p, bool of_b, int edge)
{
    assert(edge >= 0 && edge < 12);
    int axis = edge / 4;
    double x[3], y[3] = {0, 0, 0};
    edge_line line = {.edge = edge};
    const double *size = of_b ? p->b->half : p->a->half;
    crn_box_own_corner(size, crn_box_edge_corner(edge), x);
    x[axis] = 0.0;
    y[axis] = size[axis];
    if (of_b)
    {
        to_first(p, x, line.middle);
        crn_rotate3(p->C, y, line.half);
        return line;
    }
    memcpy(line.middle, x, sizeof x);
    memcpy(line.half, y, sizeof y);
    return line;
}

/* Points between the ends of both edges: the ends are corners, which were tried before. A quotient is below 1 exactly where its numerator
 * is smaller, so most pairs are ruled out without one. */
static void offer_edges(const edge_line *a, const edge_line *b, closest *best)
{
    double x[3], y[3], over[2], d = nearest_on_lines(a, b, over);
    if (!(fabs(over[0]) < d && fabs(over[1]) < d))
        return;
    crn_madd3(a->middle, over[0] / d, a->half, x);
    crn_madd3(b->middle, over[1] / d, b->half, y);
    offer(best, x, y, crn_box_feature_edges(a->edge, b->edge));
}

/* The extreme coordinate of each edge along m: the highest for the sign 1, the lowest for -1; m in the box's own frame. */
static void edge_shadows(const double half[3], double centre, const double m[3], double sign, double out[12])
{
    assert(fabs(sign) == 1.0);
    for (int edge = 0; edge < 12; ++edge)
    {
        int corner = crn_box_edge_corner(edge);
        out[edge] = centre;
        for (int k = 0; k < 3; ++k)
        {
            double along = half[k] * m[k];
            out[edge] += k == edge / 4 ? sign * fabs(along) : corner >> k & 1 ? along : -along;
        }
    }
}

/* All pairs of edges. Along the direction m between the best points so far, as along any other, two edges are at least as
 * far apart as their projections, which excludes most pairs. */
static void offer_all_edges(const crn_box_pair *p, closest *best)
{
    double lowest[12], highest[12], m[3], of_b[3], distance = sqrt(best->squared);
    crn_sub3(best->point_b, best->point_a, m);
    crn_scale3(1.0 / distance, m, m);
    crn_unrotate3(p->C, m, of_b);
    edge_shadows(p->b->half, crn_dot3(m, p->t), of_b, -1.0, lowest);
    edge_shadows(p->a->half, 0.0, m, 1.0, highest);
    edge_line of_second[12];
    unsigned made = 0; /* bit j: of_second[j] is there */
    for (int i = 0; i < 12; ++i)
    {
        edge_line of_first = line_of(p, false, i);
        for (int j = 0; j < 12; ++j)
        {
            if (lowest[j] - highest[i] > distance)
                continue;
            if (!(made >> j & 1u))
                of_second[j] = line_of(p, true, j);
            made |= 1u << j;
            offer_edges(&of_first, &of_second[j], best);
        }
    }
}

/* The edges, one of each box, that belong to a cross product of axes: those furthest along it. */
static void supporting_edges(const crn_box_pair *p, const crn_box_axis *axis, int *edge_a, int *edge_b)
{
    assert(axis->i >= 0 && axis->i < 3 && axis->j >= 0 && axis->j < 3);
    int i = axis->i, i1 = (i + 1) % 3, i2 = (i + 2) % 3, corner_a = 0, corner_b = 0;
    double n[3] = {0, 0, 0}, of_b[3];
    n[i1] = -axis->sign * p->C[3 * i2 + axis->j];
    n[i2] = axis->sign * p->C[3 * i1 + axis->j];
    crn_unrotate3(p->C, n, of_b);
    for (int k = 0; k < 3; ++k)
    {
        corner_a |= n[k] >= 0.0 ? 1 << k : 0;
        corner_b |= of_b[k] <= 0.0 ? 1 << k : 0;
    }
    *edge_a = crn_box_edge(corner_a, corner_a ^ 1 << i);
    *edge_b = crn_box_edge(corner_b, corner_b ^ 1 << axis->j);
}

static void offer_supporting(const crn_box_pair *p, const crn_box_axis *edges, closest *best)
{
    int edge_a, edge_b;
    supporting_edges(p, edges, &edge_a, &edge_b);
    edge_line a = line_of(p, false, edge_a), b = line_of(p, true, edge_b);
    offer_edges(&a, &b, best);
}

void crn_box_closest(const crn_box_pair *p, const crn_box_axis *edges, crn_manifold *out)
{
    closest best = {.squared = INFINITY};
    double normal[3], world[3];
    if (edges && isfinite(edges->separation))
        offer_supporting(p, edges, &best);
    if (!is_proved(p, &best))
    {
        offer_corners(p, &best);
        if (!is_proved(p, &best))
            offer_all_edges(p, &best);
    }
    double distance = sqrt(best.squared);
    if (!(distance > 0.0))
        return; /* only numbers that are not finite get here: the boxes are known to be apart */
    crn_sub3(best.point_a, best.point_b, normal);
    crn_scale3(1.0 / distance, normal, normal);
    crn_rotate3(p->a->R, normal, normal);
    crn_box_to_world(p, best.point_a, world);
    crn_manifold_add(out, distance, normal, world, best.feature);
}

void crn_box_edges(const crn_box_pair *pair, const crn_box_axis *axis, crn_manifold *out)
{
    assert(axis->separation <= 0.0 || isfinite(axis->separation));
    double n[3], u[3], w[3], p[3], over[2], world[3];
    int edge_a, edge_b;
    crn_axis_of(pair->a, axis->i, u);
    crn_axis_of(pair->b, axis->j, w);
    crn_cross3(u, w, n);
    crn_scale3(-axis->sign / crn_norm3(n), n, n);
    supporting_edges(pair, axis, &edge_a, &edge_b);
    edge_line a = line_of(pair, false, edge_a), b = line_of(pair, true, edge_b);
    double d = nearest_on_lines(&a, &b, over), s = d > 0.0 ? over[0] / d : 0.0;
    crn_madd3(a.middle, fmax(-1.0, fmin(1.0, s)), a.half, p);
    crn_box_to_world(pair, p, world);
    crn_manifold_add(out, axis->separation, n, world, crn_box_feature_edges(edge_a, edge_b));
}
