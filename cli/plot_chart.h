/* A chart: curves over one pair of axes, with a title and a legend. */
#ifndef CLI_PLOT_CHART_H
#define CLI_PLOT_CHART_H

#include "draw.h"

#include <stdint.h>

typedef enum crn_mark
{
    CRN_MARK_NONE = 0,
    CRN_MARK_DISC,
    CRN_MARK_RING,
} crn_mark;

typedef struct crn_curve
{
    const char *name; /* in the legend */
    const double *x, *y;
    int64_t count;
    int colour; /* index in the palette */
    crn_dash dash;
    crn_mark mark; /* at each point */
} crn_curve;

/* A slope triangle: from (x, y) on a curve, drawn a little below it, a factor `reach` along x and reach^slope along y. For
 * charts that are logarithmic both ways. */
typedef struct crn_slope
{
    double x, y, reach, slope;
} crn_slope;

typedef struct crn_chart
{
    const char *title, *x_label, *y_label; /* the title may be "" */
    const crn_curve *curves;
    int curve_count;
    bool legend;
    bool log;   /* logarithmic y axis */
    bool log_x; /* logarithmic x axis */
    const crn_slope *slopes;
    int slope_count;
    const double *events; /* places on the x axis, ascending, shown as small strokes upwards from it */
    int64_t event_count;
    const double *violations; /* likewise, shown as lines across the chart */
    int64_t violation_count;
    bool has_xlim, has_ylim; /* otherwise the data decide */
    double xlim[2], ylim[2];
} crn_chart;

/* False when memory ran out. */
bool crn_chart_draw(crn_canvas *canvas, const crn_chart *chart);

#endif
