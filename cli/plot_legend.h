/* The legend of a picture: a column of samples and names. */
#ifndef CLI_PLOT_LEGEND_H
#define CLI_PLOT_LEGEND_H

#include "plot_trace.h"

typedef struct crn_legend_entry
{
    const char *name;
    crn_style style; /* of the line; a swatch when it has a fill */
} crn_legend_entry;

typedef struct crn_legend
{
    crn_legend_entry *entries;
    int count;
} crn_legend;

/* Width and height it needs. */
crn_point crn_legend_size(const crn_legend *legend);

/* The corner of `area` where the fewest traces run; *hits says how many do. */
crn_rect crn_legend_corner(const crn_legend *legend, crn_rect area, const crn_trace *traces, int trace_count,
                           int64_t *hits);

void crn_legend_draw(crn_canvas *canvas, const crn_legend *legend, crn_rect place, bool framed);

#endif
