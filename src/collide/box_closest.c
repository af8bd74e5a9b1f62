/* Lone contacts of two boxes: the closest points of boxes apart, and two crossing edges.
 *
 * The closest points of two convex polyhedra that are apart can be taken at a vertex of one of them, or inside one edge
 * of each. Both are tried in full: 16 corners against the other box (clamping in its frame) and 144 pairs of edges.
 * Corners come first and a later candidate must be better by more than rounding, so the name of the contact is stable.
 */
#include "collide/box.h"

#include "math/vec.h"

#include <string.h>

static const double BETTER = 1.0 - 1e-10; /* factor of the squared distance */

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

/* The point of the box nearest to x. */
static void clamp(const crn_placed *box, const double x[3], double out[3])
{
    double arm[3], local[3];
    crn_sub3(x, box->centre, arm);
    crn_unrotate3(box->R, arm, local);
    for (int k = 0; k < 3; ++k)
    {
        local[k] = fmax(-box->half[k], fmin(box->half[k], local[k]));
    }
    crn_rotate3(box->R, local, out);
    crn_add3(box->centre, out, out);
}

/* Parameters s, t in [-1, 1] of the nearest points p + s u and q + t v of two lines; false when they are parallel. */
static bool nearest_on_lines(const double p[3], const double u[3], const double q[3], const double v[3], double *s,
                             double *t)
{
    double arm[3];
    crn_sub3(q, p, arm);
    double uu = crn_dot3(u, u), vv = crn_dot3(v, v), uv = crn_dot3(u, v);
    double determinant = uu * vv - uv * uv;
    if (determinant <= 1e-12 * uu * vv)
    {
        return false;
    }
    double au = crn_dot3(arm, u), av = crn_dot3(arm, v);
    *s = (au * vv - av * uv) / determinant;
    *t = (au * uv - av * uu) / determinant;
    return true;
}

/* Middle and half vector of an edge. */
static void edge_line(const crn_placed *box, int edge, double middle[3], double half[3])
{
    int axis = edge / 4;
    crn_box_axis_of(box, axis, half);
    crn_scale3(box->half[axis], half, half);
    crn_box_corner(box, crn_box_edge_corner(edge), middle);
    crn_add3(middle, half, middle);
}

/* Edges, and corners were tried before: along the direction m between the best corner and its foot, or any other, two edges
 * are at least as far apart as their shadows. That leaves few of the 144 pairs. */
static void offer_edges(closest *best, const crn_placed *a, const crn_placed *b)
{
    double q[12][3], v[12][3], lowest[12], m[3], distance = sqrt(best->squared);
    crn_sub3(best->point_b, best->point_a, m);
    crn_scale3(distance > 0.0 ? 1.0 / distance : 0.0, m, m);
    for (int j = 0; j < 12; ++j)
    {
        edge_line(b, j, q[j], v[j]);
        lowest[j] = crn_dot3(q[j], m) - fabs(crn_dot3(v[j], m));
    }
    for (int i = 0; i < 12; ++i)
    {
        double p[3], u[3], s, t;
        edge_line(a, i, p, u);
        double highest = crn_dot3(p, m) + fabs(crn_dot3(u, m));
        for (int j = 0; j < 12; ++j)
        {
            /* ends are corners, and those were tried */
            bool far = lowest[j] - highest > distance;
            if (!far && nearest_on_lines(p, u, q[j], v[j], &s, &t) && fabs(s) < 1.0 && fabs(t) < 1.0)
            {
                double point_a[3], point_b[3];
                crn_madd3(p, s, u, point_a);
                crn_madd3(q[j], t, v[j], point_b);
                offer(best, point_a, point_b, crn_box_feature_edges(i, j));
            }
        }
    }
}

void crn_box_closest(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    closest best = {.squared = INFINITY};
    for (int corner = 0; corner < 8; ++corner)
    {
        double vertex[3], other[3];
        crn_box_corner(a, corner, vertex);
        clamp(b, vertex, other);
        offer(&best, vertex, other, crn_box_feature_corner(false, corner));
    }
    for (int corner = 0; corner < 8; ++corner)
    {
        double vertex[3], other[3];
        crn_box_corner(b, corner, vertex);
        clamp(a, vertex, other);
        offer(&best, other, vertex, crn_box_feature_corner(true, corner));
    }
    offer_edges(&best, a, b);
    double normal[3], distance = sqrt(best.squared);
    if (!(distance > 0.0))
    {
        return; /* only numbers that are not finite come here: the boxes are known to be apart */
    }
    crn_sub3(best.point_a, best.point_b, normal);
    crn_scale3(1.0 / distance, normal, normal);
    crn_manifold_add(out, distance, normal, best.point_a, best.feature);
}

/* The edge along `axis` of the box that lies furthest along n. */
static int supporting_edge(const crn_placed *box, int axis, const double n[3])
{
    int corner = crn_box_support(box, n);
    return crn_box_edge(corner, corner ^ 1 << axis);
}

void crn_box_edges(const crn_placed *a, const crn_placed *b, const crn_box_axis *axis, crn_manifold *out)
{
    double normal[3], p[3], u[3], q[3], v[3], s = 0.0, t = 0.0, point_a[3];
    crn_scale3(-1.0, axis->n, normal);
    int edge_a = supporting_edge(a, axis->i, axis->n), edge_b = supporting_edge(b, axis->j, normal);
    edge_line(a, edge_a, p, u);
    edge_line(b, edge_b, q, v);
    nearest_on_lines(p, u, q, v, &s, &t);
    crn_madd3(p, fmax(-1.0, fmin(1.0, s)), u, point_a);
    crn_manifold_add(out, axis->separation, normal, point_a, crn_box_feature_edges(edge_a, edge_b));
}
