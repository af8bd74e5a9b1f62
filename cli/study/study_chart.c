#include "cli/study/study_chart.h"

#include "cli/plot/plot_run.h"

#include <stdlib.h>

int cli_study_draw_chart(const char *path, const cli_chart *chart)
{
    cli_drawing drawing;
    int status = cli_drawing_open(&drawing, path, 640, 440);
    if (status)
        return status;
    if (cli_chart_draw(&drawing.canvas, chart))
        return cli_drawing_close(&drawing);
    cli_drawing_abandon(&drawing);
    return cli_plot_no_memory();
}

int cli_study_draw_curves(const char *path, cli_chart chart, const char *const *names, int count, const double *numbers,
                          int rows)
{
    cli_curve *curves = calloc((size_t)count, sizeof *curves);
    if (!curves)
        return cli_plot_no_memory();
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
    int status = cli_study_draw_chart(path, &chart);
    free(curves);
    return status;
}
