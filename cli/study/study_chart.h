/* Charts of studies as files. */
#ifndef CLI_STUDY_STUDY_CHART_H
#define CLI_STUDY_STUDY_CHART_H

#include "cli/plot/plot_chart.h"

/* Curves over common x values, both axes logarithmic: the numbers are x, then each curve's y, `rows` values each. The chart's
 * titles and labels are kept. Exit status. */
int cli_study_draw_curves(const char *path, cli_chart chart, const char *const *names, int count, const double *numbers,
                          int rows);

#endif
