/* On which side of a segment a vertex is, remembered from one state to the next.
 *
 * A segment has no inside, so a pose alone does not distinguish a vertex above the segment from one that has just passed
 * through it. What distinguishes them is where the vertex came from. For every vertex near a segment in the last state,
 * the memory holds its position in the segment's frame and its side. In a new pose the vertex is on the same side unless
 * it went round an end:
 *
 *     from (p, y) to (p', y') with y y' < 0 it crossed the segment's line at p* = p + (p' - p) |y| / (|y| + |y'|),
 *     through the segment if 0 <= p* <= length, and beyond its end otherwise.
 *
 * A vertex that passed through keeps its side and has a negative gap. A vertex that arrives over the joint of a chain has
 * the side that it had on the previous piece, since all pieces of a chain have the same sense of direction.
 */
#ifndef CRN_COLLIDE_SHAPES_SIDES_H
#define CRN_COLLIDE_SHAPES_SIDES_H

#include "collide/narrow.h"

/* One vertex near one segment. Side 0 is to the right of the segment's direction, side 1 to the left. */
typedef struct crn_side
{
    uint64_t identity; /* that of the contact of the two */
    int body[2];
    double place;  /* m along the segment, from its first vertex */
    double height; /* m over its line, positive on side 0 */
    int side;
    bool inside; /* over the segment itself, not beyond its ends */
    bool
        carried; /* just beyond an end where a chain goes on, having come from there: the side is still that of the chain */
} crn_side;

/* Sorted by identity. */
typedef struct crn_sides
{
    crn_side *side;
    size_t count, capacity;
} crn_sides;

/* The sides of a pair that may be surfaces. `uncut`: a vertex passed through the segment and on past its end, so touches
 * must not be clipped there. */
typedef struct crn_thin
{
    const crn_placed *a;
    int allowed_a, allowed_b; /* bit i: side i */
    bool uncut;
} crn_thin;

/* A pair with a segment, and what is known about it. */
typedef struct crn_thin_pair
{
    const cairn_model *model;
    const crn_placed *placed; /* of all shapes */
    int a, b;                 /* shapes, a < b */
    int shape_bits;           /* of an identity */
    const crn_sides *memory;  /* NULL: none */
    bool settles;             /* the pose is an accepted state: a vertex past an end is free */
    const double *down; /* breaks the tie for a vertex exactly on a segment that it was never near before; NULL: none */
} crn_thin_pair;

bool crn_is_thin(const crn_placed *a, const crn_placed *b);
/* Decide the sides of all vertices of the pair, append them to `out`, and derive the allowed sides of its touches. */
cairn_status crn_sides_decide(const crn_thin_pair *pair, crn_sides *out, crn_thin *thin);

cairn_status crn_sides_copy(const crn_sides *from, crn_sides *to);
/* Forget a body that was moved by the user. */
void crn_sides_forget(crn_sides *sides, int body);
void crn_sides_free(crn_sides *sides);

#endif
