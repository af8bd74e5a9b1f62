/* Signals that end long work in an orderly way. */
#ifndef CLI_COMMON_SIGNALS_H
#define CLI_COMMON_SIGNALS_H

#include <stdbool.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP is only noted; a second signal of the same kind ends the program at once.
 * Signals that the parent ignores (nohup) stay ignored. */
void cli_signals_watch(void);
/* The signal received since then; 0: none. */
int cli_signals_caught(void);

/* From now on SIGUSR1 asks for a checkpoint. The second tells whether it has asked since the last call. */
void cli_signals_watch_asking(void);
bool cli_signals_asked(void);

/* The exit status of work that ended: 128 + N after signal N, otherwise the given one. */
int cli_signals_status(int status);

#endif
