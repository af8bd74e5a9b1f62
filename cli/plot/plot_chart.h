/* A chart: curves over one pair of axes, with a title and a legend. */
#ifndef CLI_PLOT_PLOT_CHART_H
#define CLI_PLOT_PLOT_CHART_H

#include "cli/draw/draw.h"

#include <stdint.h>

typedef enum cli_mark
{
    CLI_MARK_NONE = 0,
    CLI_MARK_DISC,
    CLI_MARK_RING,
} cli_mark;

typedef struct cli_curve
{
    const char *name; /* in the legend */
    const double *x, *y;
    int64_t count;
    int colour; /* index in the palette */
    cli_dash dash;
    cli_mark mark; /* at each point */
} cli_curve;

/* A slope triangle: from (x, y) on a curve, drawn a little below it, a factor `reach` along x and reach^slope along y. For
 * charts that are logarithmic both ways. */
typedef struct cli_slope
{
    double x, y, reach, slope;
} cli_slope;

typedef struct cli_chart
{
    const char *title, *x_label, *y_label; /* the title may be "" */
    const cli_curve *curves;
    int curve_count;
    bool legend;
    bool log;   /* logarithmic y axis */
    bool log_x; /* logarithmic x axis */
    const cli_slope *slopes;
    int slope_count;
    const double *events; /* places on the x axis, ascending, shown as small strokes upwards from it */
    int64_t event_count;
    const double *violations; /* likewise, shown as lines across the chart */
    int64_t violation_count;
    bool has_xlim, has_ylim; /* otherwise the data decide */
    double xlim[2], ylim[2];
} cli_chart;

void cli_chart_draw(cli_canvas *canvas, const cli_chart *chart);
/* As a picture file of so many points. Exit status. */
int cli_chart_write(const cli_chart *chart, const char *path, double width, double height);

#endif
