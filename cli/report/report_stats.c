/* Quantiles are those of the sorted values: the smallest one that at least the given share of them does not exceed. */
#include "cli/report/report_stats.h"
#include "cli/common/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All frames of a series, NULL with status 0 when the run has none of that name or no frames. */
static int read_values(cli_plot_run *run, const char *series, double **out)
{
    *out = NULL;
    if (!cli_plot_run_has_series(run, series) || run->frame_count == 0)
        return 0;
    *out = cli_allocate((size_t)run->frame_count, sizeof **out);
    cairn_status status = cairn_run_read_series(run->run, series, *out);
    return status ? cli_plot_report(run->context, status) : 0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int64_t count, double share)
{
    int64_t index = (int64_t)ceil(share * (double)count) - 1;
    return sorted[index < 0 ? 0 : index];
}

static void add(cli_stats *s, double value, int64_t frame)
{
    s->least = s->count == 0 ? value : fmin(s->least, value);
    if (s->count == 0 || value > s->most)
    {
        s->most = value;
        s->most_frame = frame;
    }
    s->sum += value;
    ++s->count;
}

int cli_stats_read(cli_plot_run *run, const char *series, cli_stats *out)
{
    double *values;
    int status = read_values(run, series, &values);
    *out = (cli_stats){0};
    if (values && !status)
    {
        int64_t frames = run->frame_count;
        out->first = values[0];
        out->last = values[frames - 1];
        /* The initial frame has no step behind it, unless it is all there is. */
        for (int64_t i = frames > 1 ? 1 : 0, kept = 0; i < frames; ++i)
        {
            if (isfinite(values[i]))
            {
                add(out, values[i], i);
                values[kept++] = values[i];
            }
        }
        out->mean = out->count > 0 ? out->sum / (double)out->count : 0;
        qsort(values, (size_t)out->count, sizeof *values, compare);
        if (out->count > 0)
        {
            out->median = quantile(values, out->count, 0.5);
            out->nine_tenths = quantile(values, out->count, 0.9);
            out->ninety_nine = quantile(values, out->count, 0.99);
        }
    }
    free(values);
    return status;
}

int cli_stats_above(cli_plot_run *run, const char *series, double limit, int64_t *out)
{
    double *values;
    int status = read_values(run, series, &values);
    *out = 0;
    for (int64_t i = 0; values && !status && i < run->frame_count; ++i)
        *out += !(values[i] <= limit);
    free(values);
    return status;
}
