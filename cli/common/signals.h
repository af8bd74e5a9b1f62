/* Long work that ends in good order when it is interrupted. */
#ifndef CLI_COMMON_SIGNALS_H
#define CLI_COMMON_SIGNALS_H

/* From now on SIGINT, SIGTERM and SIGHUP are noted once; a second one of the same kind ends the program at once. What a
 * parent chose to ignore (nohup) stays ignored. */
void cli_signals_watch(void);
/* The signal that came since, 0: none. */
int cli_signals_caught(void);

/* The exit status of work that ended: 128 + N after signal N, otherwise the given one. */
int cli_signals_status(int status);

#endif
