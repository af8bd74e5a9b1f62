/* The legend of a picture: a column of samples and names. */
#ifndef CLI_DRAW_LEGEND_H
#define CLI_DRAW_LEGEND_H

#include "cli/plot/plot_trace.h"

typedef struct cli_legend_entry
{
    const char *name;
    cli_style style; /* of the line; a swatch when it has a fill */
} cli_legend_entry;

typedef struct cli_legend
{
    cli_legend_entry *entries;
    int count;
} cli_legend;

/* Width and height it needs. */
cli_point cli_legend_size(const cli_legend *legend);

/* The corner of `area` where the fewest traces run; *hits says how many do. */
cli_rect cli_legend_corner(const cli_legend *legend, cli_rect area, const cli_trace *traces, int trace_count,
                           int64_t *hits);

void cli_legend_draw(cli_canvas *canvas, const cli_legend *legend, cli_rect place, bool framed);

#endif
