/* Between the steps of a run: checkpoints that are due or asked for by a signal, and the limits that end a run. */
#ifndef CLI_RUN_RUN_LIMITS_H
#define CLI_RUN_RUN_LIMITS_H

#include "cli/run/run.h"

/* Whether the options fit together; the exit status, after a sentence. */
int cli_run_limits_check(const cli_run_options *options);

/* Whether a checkpoint is due or asked for. */
bool cli_run_limits_wants_checkpoint(cli_run_state *run);
/* After a step: write a checkpoint when it is due and no steps are under way, and note a limit that was reached. False after a sentence. */
bool cli_run_limits_step(cli_run_state *run);

/* At the start, and at the end before the run file is closed: a checkpoint where one may be wanted. False after a sentence. */
bool cli_run_limits_keep(cli_run_state *run);

/* Say how an interrupted run can be continued. */
void cli_run_limits_tell(const cli_run_state *run);

/* "500M", "8G": a number of bytes; for a row of options. */
bool cli_run_limits_memory(const char *text, void *bytes);

#endif
