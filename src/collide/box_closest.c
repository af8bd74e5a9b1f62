/* Lone contacts of two boxes: the closest points of boxes apart, and two crossing edges.
 *
 * The closest points of two convex polyhedra that are apart can be taken at a vertex of one of them, or inside one edge
 * of each. Both are tried: 16 corners against the other box (clamping in its frame) and 144 pairs of edges, but for those whose
 * shadows on one direction are already too far apart.
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

/* How far each edge goes along m, or along -m for the sign -1. */
static void edge_shadows(const crn_placed *box, const double m[3], double sign, double out[12])
{
    double along[3], centre = crn_dot3(box->centre, m);
    crn_unrotate3(box->R, m, along);
    for (int edge = 0; edge < 12; ++edge)
    {
        int corner = crn_box_edge_corner(edge);
        out[edge] = centre;
        for (int k = 0; k < 3; ++k)
        {
            double half = box->half[k] * along[k];
            out[edge] += k == edge / 4 ? sign * fabs(half) : corner >> k & 1 ? half : -half;
        }
    }
}

/* Edges, when corners have been tried: along the direction m between the best corner and its foot, as along any other, two
 * edges are at least as far apart as their shadows. That leaves few of the 144 pairs. */
static void offer_edges(closest *best, const crn_placed *a, const crn_placed *b)
{
    double lowest[12], highest[12], m[3], distance = sqrt(best->squared);
    crn_sub3(best->point_b, best->point_a, m);
    crn_scale3(distance > 0.0 ? 1.0 / distance : 0.0, m, m);
    edge_shadows(b, m, -1.0, lowest);
    edge_shadows(a, m, 1.0, highest);
    double least = INFINITY, most = -INFINITY, q[12][3], v[12][3];
    for (int k = 0; k < 12; ++k)
    {
        least = fmin(least, lowest[k]);
        most = fmax(most, highest[k]);
    }
    for (int j = 0; j < 12; ++j)
    {
        if (!(lowest[j] - most > distance))
        {
            edge_line(b, j, q[j], v[j]);
        }
    }
    for (int i = 0; i < 12; ++i)
    {
        if (least - highest[i] > distance)
        {
            continue;
        }
        double p[3], u[3], s, t;
        edge_line(a, i, p, u);
        for (int j = 0; j < 12; ++j)
        {
            /* ends are corners, and those were tried */
            if (!(lowest[j] - highest[i] > distance) && nearest_on_lines(p, u, q[j], v[j], &s, &t) && fabs(s) < 1.0 &&
                fabs(t) < 1.0)
            {
                double point_a[3], point_b[3];
                crn_madd3(p, s, u, point_a);
                crn_madd3(q[j], t, v[j], point_b);
                offer(best, point_a, point_b, crn_box_feature_edges(i, j));
            }
        }
    }
}

/* How far the box goes along m. */
static double furthest(const crn_placed *box, const double m[3], double sign)
{
    double corner[3], along[3];
    crn_scale3(sign, m, along);
    crn_box_corner(box, crn_box_support(box, along), corner);
    return crn_dot3(corner, m);
}

/* A direction m from a to b and a distance that the closest points do not exceed: from the corner that looks at b. */
static double first_guess(const crn_placed *a, const crn_placed *b, double m[3])
{
    double corner[3], foot[3];
    crn_sub3(b->centre, a->centre, m);
    crn_box_corner(a, crn_box_support(a, m), corner);
    clamp(b, corner, foot);
    crn_sub3(foot, corner, m);
    double distance = crn_norm3(m);
    crn_scale3(distance > 0.0 ? 1.0 / distance : 0.0, m, m);
    return distance;
}

void crn_box_closest(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    closest best = {.squared = INFINITY};
    double m[3], most = first_guess(a, b, m), low = furthest(b, m, -1.0), high = furthest(a, m, 1.0);
    most *= 1.0 + 1e-9;
    for (int corner = 0; corner < 8; ++corner)
    {
        double vertex[3], other[3];
        crn_box_corner(a, corner, vertex);
        if (!(low - crn_dot3(vertex, m) > most)) /* else its shadow alone is too far from b's */
        {
            clamp(b, vertex, other);
            offer(&best, vertex, other, crn_box_feature_corner(false, corner));
        }
    }
    for (int corner = 0; corner < 8; ++corner)
    {
        double vertex[3], other[3];
        crn_box_corner(b, corner, vertex);
        if (!(crn_dot3(vertex, m) - high > most))
        {
            clamp(a, vertex, other);
            offer(&best, other, vertex, crn_box_feature_corner(true, corner));
        }
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
