/* Corners, edges and faces of a placed box, and how they are numbered.
 *
 *     corner 0..7    bit k is set where the corner lies on the positive side of axis k
 *     edge   0..11   4 * axis + 2 bits: the sides of the two other axes, the lower axis first
 *     face           axis and side; its corners go round as (- -) (+ -) (+ +) (- +) in the axes after it
 */
#ifndef CRN_COLLIDE_BOX_H
#define CRN_COLLIDE_BOX_H

#include "collide/narrow.h"

/* A direction along which two boxes are compared: unit, pointing from the first box to the second. */
typedef struct crn_box_axis
{
    double n[3];
    double separation; /* m, of the two boxes along n; negative: overlap */
    int i, j;          /* face of a box: axis i; edges: axis i of the first, j of the second */
} crn_box_axis;

void crn_box_axis_of(const crn_placed *box, int axis, double out[3]);
void crn_box_corner(const crn_placed *box, int corner, double out[3]);
/* The corner furthest along n. */
int crn_box_support(const crn_placed *box, const double n[3]);
/* The four corners of a face. */
void crn_box_face(int axis, bool positive, int corners[4]);
/* The edge between two corners that differ in one bit. */
int crn_box_edge(int corner, int other);
/* One end of an edge, the negative one; the other has the bit of the axis set. */
int crn_box_edge_corner(int edge);
/* Half the smallest thickness of two boxes: the length that tolerances scale with. */
double crn_box_size(const crn_placed *a, const crn_placed *b);

/* Numbers of the features of a pair of boxes, whichever of them is the reference. */
unsigned crn_box_feature_corner(bool of_b, int corner);
unsigned crn_box_feature_edges(int edge_a, int edge_b);

/* box_clip.c: the manifold of a face of `reference` along axis->n and the face of `incident` that looks at it. False,
 * and nothing added, when no point of it has a gap of at most `reach`. `flipped`: the reference is the pair's b. */
bool crn_box_clip(const crn_placed *reference, const crn_placed *incident, const crn_box_axis *axis, bool flipped,
                  double reach, crn_manifold *out);

/* box_closest.c: the one contact of two boxes apart by their closest points. */
void crn_box_closest(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* box_closest.c: the one contact of two crossing edges. */
void crn_box_edges(const crn_placed *a, const crn_placed *b, const crn_box_axis *axis, crn_manifold *out);

#endif
