/* A chart: curves over one pair of axes, with a title and a legend. */
#ifndef CLI_PLOT_CHART_H
#define CLI_PLOT_CHART_H

#include "draw.h"

#include <stdint.h>

typedef struct crn_curve
{
    const char *name; /* in the legend */
    const double *x, *y;
    int64_t count;
    int colour; /* index in the palette */
    crn_dash dash;
} crn_curve;

typedef struct crn_chart
{
    const char *title, *x_label, *y_label; /* the title may be "" */
    const crn_curve *curves;
    int curve_count;
    bool legend;
    bool log;                /* logarithmic y axis */
    bool has_xlim, has_ylim; /* otherwise the data decide */
    double xlim[2], ylim[2];
} crn_chart;

/* False when memory ran out. */
bool crn_chart_draw(crn_canvas *canvas, const crn_chart *chart);

#endif
