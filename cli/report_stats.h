/* A recorded series in a few numbers. */
#ifndef CLI_REPORT_STATS_H
#define CLI_REPORT_STATS_H

#include "plot_run.h"

typedef struct crn_stats
{
    int64_t count; /* finite values, the initial frame left out; 0: there are none */
    double first, last;
    double least, most, mean, sum;
    double median, nine_tenths, ninety_nine; /* quantiles */
    int64_t most_frame;                      /* where the largest one is */
} crn_stats;

/* Of one series; a series that the run lacks has count 0. `first` and `last` are those of the run's ends. Exit status. */
int crn_stats_read(crn_plot_run *run, const char *series, crn_stats *out);

/* How many values lie above a limit. */
int crn_stats_above(crn_plot_run *run, const char *series, double limit, int64_t *out);

#endif
