/* A recorded series in a few numbers. */
#ifndef CLI_REPORT_REPORT_STATS_H
#define CLI_REPORT_REPORT_STATS_H

#include "cli/plot/plot_run.h"

typedef struct cli_stats
{
    int64_t count; /* finite values, the initial frame left out; 0: there are none */
    double first, last;
    double least, most, mean, sum;
    double median, nine_tenths, ninety_nine; /* quantiles */
    int64_t most_frame;                      /* where the largest one is */
} cli_stats;

/* Of one series; a series that the run lacks has count 0. `first` and `last` are those of the run's ends. Exit status. */
int cli_stats_read(cli_plot_run *run, const char *series, cli_stats *out);

/* How many values lie above a limit. */
int cli_stats_above(cli_plot_run *run, const char *series, double limit, int64_t *out);

#endif
