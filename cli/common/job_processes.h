/* Independent jobs, each in its own process, a few at a time, with one progress bar. For work on run files, which a process
 * reads and writes one at a time. */
#ifndef CLI_COMMON_JOB_PROCESSES_H
#define CLI_COMMON_JOB_PROCESSES_H

#include <stdbool.h>

typedef struct cli_jobs_work
{
    int count;
    int (*job)(void *data, int index); /* in a child: returns the exit status; its standard output goes nowhere */
    void *data;
    const char *what;     /* "figures", for the progress bar */
    const char *messages; /* directory for what the children say on standard error, a file N each; NULL: as usual */
} cli_jobs_work;

/* Do all jobs, the first ones first; status[i] is what job i returned, -1 when it was killed. `members` at a time;
 * 0: as many as processors. False when a signal came (the children are ended) or no process could be made. */
bool cli_jobs_run(const cli_jobs_work *work, int members, bool quiet, int *status);

/* Copy the messages of a job to standard error. */
void cli_jobs_tell(const cli_jobs_work *work, int index);

#endif
