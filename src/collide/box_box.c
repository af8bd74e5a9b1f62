/* Box against box, by separating axes (S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH 1996, section 5).
 *
 * Along a unit n two boxes are apart by s(n) = n (c_b - c_a) - sum_k h_k |n a_k| - sum_k h_k |n b_k|, never more than
 * their distance. The largest s over the 6 face normals and 9 cross products of edges is positive if and only if the
 * boxes are apart; otherwise -s is the least depth, and n the way out.
 *
 * The choice of the axis, made so that it does not flicker when a box lies flat on another:
 * 1. a face of a, then a face of b, if its s is within a bias of the largest one, and if its clipped manifold has a
 *    point as near as that. For boxes apart, such a point proves that the face gives their distance but for the bias:
 *    s <= distance <= gap of any pair of points;
 * 2. boxes apart: the closest points (an edge, a corner);
 * 3. boxes overlapping: the two edges of the best cross product. A face that is best never comes here: the shortest way
 *    out moves the lowest corner of the other box onto the face itself, not beside it, and the facing face has it.
 */
#include "collide/box.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

static const double FACE_BIAS = 1e-3; /* of the smaller box's thickness */
static const double APART = 1e-8;     /* the same: below, closest points give no direction */
static const double PARALLEL = 1e-6;  /* sine of the angle below which two edges give no axis */

/* Whether the boxes are further apart than the limit along one of the 15 axes, for sure: most pairs of the broad phase are. All
 * in a's frame, where b's axes are the columns of C and its centre is t; cross products keep their length, sin(a_i, b_j) <= 1. */
static bool is_far(const crn_placed *a, const crn_placed *b, double limit)
{
    double C[9], K[9], arm[3], t[3];
    const double *g = a->half, *h = b->half;
    crn_sub3(b->centre, a->centre, arm);
    crn_unrotate3(a->R, arm, t);
    for (int ij = 0; ij < 9; ++ij)
    {
        int i = ij / 3, j = ij % 3;
        C[ij] = a->R[i] * b->R[j] + a->R[3 + i] * b->R[3 + j] + a->R[6 + i] * b->R[6 + j];
        K[ij] = fabs(C[ij]);
    }
    limit += 1e-9 * (g[0] + g[1] + g[2] + h[0] + h[1] + h[2]);
    for (int k = 0; k < 3; ++k)
    {
        double of_a = fabs(t[k]) - g[k] - h[0] * K[3 * k] - h[1] * K[3 * k + 1] - h[2] * K[3 * k + 2];
        double of_b = fabs(t[0] * C[k] + t[1] * C[3 + k] + t[2] * C[6 + k]) - h[k] - g[0] * K[k] - g[1] * K[3 + k] -
                      g[2] * K[6 + k];
        if (of_a > limit || of_b > limit)
        {
            return true;
        }
    }
    for (int ij = 0; ij < 9; ++ij)
    {
        int i = ij / 3, j = ij % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        double apart = fabs(t[i2] * C[3 * i1 + j] - t[i1] * C[3 * i2 + j]) - g[i1] * K[3 * i2 + j] -
                       g[i2] * K[3 * i1 + j] - h[j1] * K[3 * i + j2] - h[j2] * K[3 * i + j1];
        if (apart > limit)
        {
            return true;
        }
    }
    return false;
}

/* Half the length of the box's shadow on the direction n. */
static double shadow(const crn_placed *box, const double n[3])
{
    double local[3];
    crn_unrotate3(box->R, n, local);
    return box->half[0] * fabs(local[0]) + box->half[1] * fabs(local[1]) + box->half[2] * fabs(local[2]);
}

/* Turn n from a to b and fill in the separation along it. */
static void measure(const crn_placed *a, const crn_placed *b, crn_box_axis *axis)
{
    double arm[3];
    crn_sub3(b->centre, a->centre, arm);
    double along = crn_dot3(axis->n, arm);
    if (along < 0.0)
    {
        crn_scale3(-1.0, axis->n, axis->n);
        along = -along;
    }
    axis->separation = along - shadow(a, axis->n) - shadow(b, axis->n);
}

/* The best of a's face normals. */
static crn_box_axis best_face(const crn_placed *a, const crn_placed *b)
{
    crn_box_axis best = {.separation = -INFINITY};
    for (int i = 0; i < 3; ++i)
    {
        crn_box_axis axis = {.i = i, .j = -1};
        crn_box_axis_of(a, i, axis.n);
        measure(a, b, &axis);
        best = axis.separation > best.separation ? axis : best;
    }
    return best;
}

/* The best cross product of edges; separation -infinity where all edges are parallel to each other. */
static crn_box_axis best_edges(const crn_placed *a, const crn_placed *b)
{
    crn_box_axis best = {.separation = -INFINITY};
    for (int ij = 0; ij < 9; ++ij)
    {
        crn_box_axis axis = {.i = ij / 3, .j = ij % 3};
        double u[3], v[3];
        crn_box_axis_of(a, axis.i, u);
        crn_box_axis_of(b, axis.j, v);
        crn_cross3(u, v, axis.n);
        double length = crn_norm3(axis.n);
        if (length > PARALLEL)
        {
            crn_scale3(1.0 / length, axis.n, axis.n);
            measure(a, b, &axis);
            best = axis.separation > best.separation ? axis : best;
        }
    }
    return best;
}

void crn_touch_boxes(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(a->kind == CAIRN_BOX && b->kind == CAIRN_BOX);
    if (is_far(a, b, out->limit))
    {
        return;
    }
    crn_box_axis face_a = best_face(a, b), face_b = best_face(b, a), edges = best_edges(a, b);
    double largest = fmax(edges.separation, fmax(face_a.separation, face_b.separation));
    double size = crn_box_size(a, b), bias = FACE_BIAS * size;
    if (largest > out->limit)
    {
        return;
    }
    double reach = fmax(largest, 0.0) + bias;
    if (face_a.separation >= largest - bias && crn_box_clip(a, b, &face_a, false, reach, out))
    {
        return;
    }
    if (face_b.separation >= largest - bias && crn_box_clip(b, a, &face_b, true, reach, out))
    {
        return;
    }
    if (largest > APART * size)
    {
        crn_box_closest(a, b, out);
    }
    else if (isfinite(edges.separation))
    {
        crn_box_edges(a, b, &edges, out);
    }
}
