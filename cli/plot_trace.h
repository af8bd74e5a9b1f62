/* From data to the polyline that is drawn: mapped to the page, thinned to what the eye can see, cut at the frame. */
#ifndef CLI_PLOT_TRACE_H
#define CLI_PLOT_TRACE_H

#include "draw.h"
#include "plot_scale.h"

#include <stdint.h>

/* Pieces of a line, separated by points whose x is NaN. */
typedef struct crn_trace
{
    crn_point *points;
    int64_t count, capacity;
} crn_trace;

/* False when memory ran out. A value that is NaN (or not positive on a logarithmic scale) breaks the line. A segment
 * between two points that are both far above or below the frame (by more than its height) is left out: a scheme that
 * blows up with changing sign would otherwise paint the whole frame. */
bool crn_trace_make(crn_trace *trace, const double *x, const double *y, int64_t count, const crn_scale *x_scale,
                    const crn_scale *y_scale);
void crn_trace_free(crn_trace *trace);

/* Draw it; a piece of a single point becomes a dot. */
void crn_trace_draw(crn_canvas *canvas, const crn_trace *trace, crn_style style);

/* How many of its segments and dots meet the rectangle. */
int64_t crn_trace_hits(const crn_trace *trace, crn_rect rect);

/* The part of a segment inside the rectangle (Liang and Barsky); false when there is none. */
bool crn_clip_segment(crn_rect rect, crn_point *a, crn_point *b);

#endif
