/* A progress bar on standard error, if that is a terminal; otherwise nothing is printed. */
#ifndef CLI_COMMON_PROGRESS_H
#define CLI_COMMON_PROGRESS_H

#include <cairn/simulation.h>

typedef struct cli_progress
{
    bool active;
    bool drawn;
    int64_t steps; /* in total */
    double until;  /* s */
    double started, last;
} cli_progress;

double cli_wall_time(void); /* s, monotonic */

cli_progress cli_progress_start(bool wanted, int64_t steps, double until);
/* Draws ten times a second at most. */
void cli_progress_update(cli_progress *progress, const cairn_step_report *report);
/* The same for work that is not counted in steps: "12/60 frames". */
void cli_progress_count(cli_progress *progress, int64_t done, const char *what);
/* Their parts: whether a tenth of a second has passed since the last drawing, and the bar with a text behind it. */
bool cli_progress_due(cli_progress *progress);
void cli_progress_draw(cli_progress *progress, double done, const char *text);
/* Clear the line. */
void cli_progress_end(cli_progress *progress);

#endif
