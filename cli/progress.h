/* A progress bar on standard error, when that is a terminal; otherwise nothing at all. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <cairn/simulation.h>

typedef struct crn_progress
{
    bool active;
    bool drawn;
    int64_t steps; /* in all */
    double until;  /* s */
    double started, last;
} crn_progress;

double crn_wall_time(void); /* s, monotonic */

crn_progress crn_progress_start(bool wanted, int64_t steps, double until);
/* Draws ten times a second at most. */
void crn_progress_update(crn_progress *progress, const cairn_step_report *report);
/* The same for work counted by something else than steps: "12/60 pictures". */
void crn_progress_count(crn_progress *progress, int64_t done, const char *what);
/* Wipe the line. */
void crn_progress_end(crn_progress *progress);

#endif
