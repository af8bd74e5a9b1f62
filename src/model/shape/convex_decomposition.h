/* A simple polygon cut into convex pieces along diagonals. */
#ifndef CRN_MODEL_SHAPE_CONVEX_DECOMPOSITION_H
#define CRN_MODEL_SHAPE_CONVEX_DECOMPOSITION_H

#include "base/memory.h"

#include <stdbool.h>

/* Pieces of a polygon of n corners: piece p has the corners index[begin[p]] to index[begin[p + 1] - 1], counter-clockwise. */
typedef struct crn_pieces
{
    int count;
    int *begin;
    int *index;
    crn_arena memory; /* begin, index */
} crn_pieces;

/* Twice the signed area of a polygon: positive when counter-clockwise. */
double crn_polygon_twice_area(const double *vertices, int count);
/* Whether it turns to the same side at every corner, once around in total. */
bool crn_polygon_is_convex(const double *vertices, int count);
/* Whether two sides (from corner *i and *j to the next) meet that should not, or a corner lies on the line of its two
 * neighbours (*i is the corner, *j is -1). */
bool crn_polygon_is_crossed(const double *vertices, int count, int *i, int *j);

/* Cut a simple, counter-clockwise polygon into pieces, which the caller frees whatever the status. CAIRN_NO_MEMORY, or
 * CAIRN_NUMERIC when rounding leaves no ear to cut. */
cairn_status crn_pieces_cut(const double *vertices, int count, crn_pieces *out);
void crn_pieces_free(crn_pieces *pieces);

#endif
