#include "study_chart.h"

#include "plot_run.h"

#include <stdlib.h>

int crn_study_draw_chart(const char *path, const crn_chart *chart)
{
    crn_drawing drawing;
    int status = crn_drawing_open(&drawing, path, 640, 440);
    if (status)
    {
        return status;
    }
    if (crn_chart_draw(&drawing.canvas, chart))
    {
        return crn_drawing_close(&drawing);
    }
    crn_drawing_abandon(&drawing);
    return crn_plot_no_memory();
}

int crn_study_draw_curves(const char *path, crn_chart chart, const char *const *names, int count, const double *numbers,
                          int rows)
{
    crn_curve *curves = calloc((size_t)count, sizeof *curves);
    if (!curves)
    {
        return crn_plot_no_memory();
    }
    for (int i = 0; i < count; ++i)
    {
        curves[i] = (crn_curve){.name = names[i],
                                .x = numbers,
                                .y = numbers + (1 + i) * rows,
                                .count = rows,
                                .colour = i,
                                .dash = (crn_dash)(i % CRN_DASH_COUNT),
                                .mark = CRN_MARK_DISC};
    }
    chart.curves = curves;
    chart.curve_count = count;
    chart.legend = chart.log = chart.log_x = true;
    int status = crn_study_draw_chart(path, &chart);
    free(curves);
    return status;
}
