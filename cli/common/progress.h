/* A progress bar on standard error, when that is a terminal; otherwise nothing at all. */
#ifndef CLI_COMMON_PROGRESS_H
#define CLI_COMMON_PROGRESS_H

#include <cairn/simulation.h>

typedef struct cli_progress
{
    bool active;
    bool drawn;
    int64_t steps; /* in all */
    double until;  /* s */
    double started, last;
} cli_progress;

double cli_wall_time(void); /* s, monotonic */

cli_progress cli_progress_start(bool wanted, int64_t steps, double until);
/* Draws ten times a second at most. */
void cli_progress_update(cli_progress *progress, const cairn_step_report *report);
/* The same for work counted by something else than steps: "12/60 pictures". */
void cli_progress_count(cli_progress *progress, int64_t done, const char *what);
/* Wipe the line. */
void cli_progress_end(cli_progress *progress);

#endif
