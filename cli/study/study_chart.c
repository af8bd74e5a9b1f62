#include "cli/study/study_chart.h"
#include "cli/common/cli.h"

#include <stdlib.h>

int cli_study_draw_curves(const char *path, cli_chart chart, const char *const *names, int count, const double *numbers,
                          int rows)
{
    cli_curve *curves = cli_allocate((size_t)count, sizeof *curves);
    for (int i = 0; i < count; ++i)
    {
        curves[i] = (cli_curve){.name = names[i],
                                .x = numbers,
                                .y = numbers + (1 + i) * rows,
                                .count = rows,
                                .colour = i,
                                .dash = (cli_dash)(i % CLI_DASH_COUNT),
                                .mark = CLI_MARK_DISC};
    }
    chart.curves = curves;
    chart.curve_count = count;
    chart.legend = chart.log = chart.log_x = true;
    int status = cli_chart_write(&chart, path, 640, 440);
    free(curves);
    return status;
}
