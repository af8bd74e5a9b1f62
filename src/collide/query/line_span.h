/* Where a line passes through a shape. */
#ifndef CRN_COLLIDE_QUERY_LINE_SPAN_H
#define CRN_COLLIDE_QUERY_LINE_SPAN_H

#include "collide/narrow.h"

/* The points x + s n, low <= s <= high, lie in the shape (low or high infinite for half-planes and half-spaces); n is a
 * unit vector. False when the line misses it. */
bool crn_line_span(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high);

#endif
