/* Box against box, by separating axes (S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH 1996, section 5).
 *
 * Along a unit n two boxes are separated by s(n) = n (c_b - c_a) - sum_k h_k |n a_k| - sum_k h_k |n b_k|, which never
 * exceeds their distance. The largest s over the 6 face normals and 9 cross products of edges is positive if and only if
 * the boxes are apart; otherwise -s is the least depth, and n the way out. Everything is computed in a's frame, where b's
 * axes are the columns of C and its centre is t: |a_i b_j| is an entry of |C|, and a_i x b_j has two entries of C as its
 * components.
 *
 * The axis is chosen so that it does not flicker while one box lies flat on another:
 * 1. A face of a, then a face of b, if its s is within a bias of the largest s and its clipped manifold has a point as near as that.
 *     For boxes apart, such a point proves that the face gives their distance up to the bias: s <= distance <= gap of any two points.
 * 2. Boxes apart: the closest points (an edge, a corner), and what the best face has beside them. An edge that crosses the border
 *     of a face may land on it with its other end in the next step.
 * 3. Boxes overlapping: the two edges of the best cross product, and likewise. A best face never gets here: the shortest way out
 *     moves the lowest corner of the other box onto the face itself, and the facing face has that corner.
 */
#include "collide/shapes/box.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

static const double FACE_BIAS = 1e-3; /* of the smaller box's thickness */
static const double APART = 1e-8;     /* likewise: below this, closest points give no direction */
static const double BESIDE = 0.1;     /* likewise: least distance of other touches from the closest points */
static const double ALIKE = 0.9;      /* cosine of the largest angle to a face that may add touches */
static const double PARALLEL = 1e-6;  /* sine of the angle below which two edges give no axis */

static double larger(double x, double y)
{
    return x > y ? x : y;
}

static void offer(crn_box_axis *best, double separation, double along, int i, int j)
{
    if (separation > best->separation)
        *best = (crn_box_axis){separation, along < 0.0 ? -1.0 : 1.0, i, j};
}

/* The best face normals of a and of b; the latter in b's frame. */
static void best_faces(const crn_box_pair *p, crn_box_axis *of_a, crn_box_axis *of_b)
{
    const double *g = p->a->half, *h = p->b->half, *t = p->t, *C = p->C, *K = p->K;
    of_a->separation = of_b->separation = -INFINITY;
    for (int k = 0; k < 3; ++k)
    {
        double along = t[0] * C[k] + t[1] * C[3 + k] + t[2] * C[6 + k];
        offer(of_a, fabs(t[k]) - g[k] - h[0] * K[3 * k] - h[1] * K[3 * k + 1] - h[2] * K[3 * k + 2], t[k], k, -1);
        offer(of_b, fabs(along) - h[k] - g[0] * K[k] - g[1] * K[3 + k] - g[2] * K[6 + k], -along, k, -1);
    }
}

/* The best cross product of edges; separation -infinity where all edges are parallel. False: one of them separates the
 * boxes by more than `limit`. */
static bool best_edges(const crn_box_pair *p, double limit, crn_box_axis *best)
{
    const double *g = p->a->half, *h = p->b->half, *t = p->t, *C = p->C, *K = p->K;
    static const int next[5] = {0, 1, 2, 0, 1};
    best->separation = -INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        int i1 = next[i + 1], i2 = next[i + 2];
        for (int j = 0; j < 3; ++j)
        {
            int j1 = next[j + 1], j2 = next[j + 2];
            double c1 = C[3 * i1 + j], c2 = C[3 * i2 + j], along = t[i2] * c1 - t[i1] * c2;
            double apart = fabs(along) - g[i1] * K[3 * i2 + j] - g[i2] * K[3 * i1 + j] - h[j1] * K[3 * i + j2] -
                           h[j2] * K[3 * i + j1];
            double length = sqrt(c1 * c1 + c2 * c2);
            if (length > PARALLEL)
                offer(best, apart / length, along, i, j);
        }
        if (best->separation > limit)
            return false;
    }
    return true;
}

/* Clip by the best face of the first box or of the second. */
static bool clip(const crn_box_pair *p, const crn_box_axis *face, bool second, double reach, const crn_beside *nearest,
                 crn_manifold *out)
{
    crn_box_pair swapped;
    if (second)
        crn_box_swap(p, &swapped);
    return crn_box_clip(second ? &swapped : p, face, second, reach, nearest, out);
}

/* Add the touches of a face beside the single touch; false when it has none. */
static bool touch_beside(const crn_box_pair *p, const crn_box_axis *face, bool second, double size, crn_manifold *out)
{
    assert(out->count == 1 && size > 0.0);
    const crn_touch *lone = &out->touches[0];
    crn_beside beside = {.gap = lone->gap, .apart = BESIDE * size};
    double n[3];
    memcpy(beside.point_a, lone->point_a, sizeof beside.point_a);
    crn_axis_of(second ? p->b : p->a, face->i, n);
    double cosine = (second ? face->sign : -face->sign) * crn_dot3(n, lone->normal);
    return cosine > ALIKE && clip(p, face, second, INFINITY, &beside, out);
}

void crn_touch_boxes(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_box(a->kind) && crn_is_box(b->kind) && out->count == 0);
    crn_box_pair p;
    crn_box_axis face[2], edges;
    crn_box_view(a, b, &p);
    best_faces(&p, &face[0], &face[1]);
    double largest = larger(face[0].separation, face[1].separation);
    if (largest > out->limit || !best_edges(&p, out->limit, &edges))
    {
        out->apart = largest > out->limit ? largest : edges.separation;
        return;
    }
    largest = larger(largest, edges.separation);
    double size = crn_box_size(a, b), bias = FACE_BIAS * size, reach = larger(largest, 0.0) + bias;
    for (int k = 0; k < 2; ++k)
        if (face[k].separation >= largest - bias && clip(&p, &face[k], k == 1, reach, NULL, out))
            return;
    if (largest > APART * size)
        crn_box_closest(&p, &edges, out);
    else if (isfinite(edges.separation))
        crn_box_edges(&p, &edges, out);
    bool better = face[1].separation > face[0].separation;
    if (out->count == 1 && !touch_beside(&p, &face[better], better, size, out))
        touch_beside(&p, &face[!better], !better, size, out);
}
