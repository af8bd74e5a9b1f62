/* Corners, edges and faces of a placed box, their numbering, and two boxes in the frame of one of them.
 *
 *     corner 0..7    bit k is set where the corner lies on the positive side of axis k
 *     edge   0..11   4 * axis + 2 bits: the sides of the two other axes, the lower axis first
 *     face           axis and side; its corners are (- -) (+ -) (+ +) (- +) in the two axes after it
 */
#ifndef CRN_COLLIDE_SHAPES_BOX_H
#define CRN_COLLIDE_SHAPES_BOX_H

#include "collide/narrow.h"

#include <assert.h>

/* Two boxes in the frame of the first: the axes of the second are the columns of C and its centre is t, so dot products
 * of axes are entries of C. */
typedef struct crn_box_pair
{
    const crn_placed *a, *b;
    double C[9], K[9]; /* K = |C| */
    double t[3];
} crn_box_pair;

/* A direction along which two boxes are compared, from the first to the second. */
typedef struct crn_box_axis
{
    double separation; /* m, of the two boxes along it; negative: overlap */
    double sign;       /* 1 or -1: of the face's axis, or of a_i x b_j */
    int i, j;          /* face of a box: axis i; edges: axis i of the first, j of the second */
} crn_box_axis;

/* A corner in the box's own frame, and in the world. */
static inline void crn_box_own_corner(const double half[3], int corner, double out[3])
{
    assert(corner >= 0 && corner < 8);
    for (int k = 0; k < 3; ++k)
        out[k] = corner >> k & 1 ? half[k] : -half[k];
}
void crn_box_corner(const crn_placed *box, int corner, double out[3]);
/* The edge between two corners that differ in one bit. */
int crn_box_edge(int corner, int other);
/* The end of an edge on the negative side; the other end has the bit of the axis set. */
int crn_box_edge_corner(int edge);
/* Half the smallest thickness of two boxes: the length that tolerances scale with. */
double crn_box_size(const crn_placed *a, const crn_placed *b);

/* Two boxes, and the same two in the frame of the second. */
void crn_box_view(const crn_placed *a, const crn_placed *b, crn_box_pair *out);
void crn_box_swap(const crn_box_pair *pair, crn_box_pair *out);
/* From the first box's frame to the world. */
void crn_box_to_world(const crn_box_pair *pair, const double local[3], double out[3]);

/* Features of a pair of boxes; they do not depend on which box is the reference. */
unsigned crn_box_feature_corner(bool of_b, int corner);
unsigned crn_box_feature_edges(int edge_a, int edge_b);

/* box_clip.c: add the manifold of a face of the pair's first box, the reference, and the facing face of the second: all
 * of it, or only what lies beside the nearest points. False, and nothing added, when no gap is at most `reach`, or
 * nothing lies beside. `flipped`: the reference is b of the touches. */
bool crn_box_clip(const crn_box_pair *pair, const crn_box_axis *axis, bool flipped, double reach,
                  const crn_beside *nearest, crn_manifold *out);

/* box_closest.c: the single contact of two boxes apart, by their closest points. `edges`: the best cross product of edges
 * where it is known, which is tried first; otherwise NULL. */
void crn_box_closest(const crn_box_pair *pair, const crn_box_axis *edges, crn_manifold *out);
/* box_closest.c: the single contact of two crossing edges. */
void crn_box_edges(const crn_box_pair *pair, const crn_box_axis *axis, crn_manifold *out);

#endif
