/* From data to the polyline that is drawn: mapped to the page, thinned to what the eye can see, cut at the frame. */
#ifndef CLI_PLOT_PLOT_TRACE_H
#define CLI_PLOT_PLOT_TRACE_H

#include "cli/draw/draw.h"
#include "cli/draw/scale.h"

#include <stdint.h>

/* Pieces of a line, separated by points whose x is NaN. */
typedef struct cli_trace
{
    cli_point *points;
    int64_t count, capacity;
} cli_trace;

/* A value that is NaN (or not positive on a logarithmic scale) breaks the line. A segment
 * between two points that are both far above or below the frame (by more than its height) is left out: a scheme that
 * blows up with changing sign would otherwise paint the whole frame. */
void cli_trace_make(cli_trace *trace, const double *x, const double *y, int64_t count, const cli_scale *x_scale,
                    const cli_scale *y_scale);
void cli_trace_free(cli_trace *trace);

/* Draw it; a piece of a single point becomes a dot. */
void cli_trace_draw(cli_canvas *canvas, const cli_trace *trace, cli_style style);

/* How many of its segments and dots meet the rectangle. */
int64_t cli_trace_hits(const cli_trace *trace, cli_rect rect);

/* The part of a segment inside the rectangle (Liang and Barsky); false when there is none. */
bool cli_clip_segment(cli_rect rect, cli_point *a, cli_point *b);

#endif
