/* The tool `cairn`: one function a command, exit statuses, and how it speaks on standard error. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <cairn/cairn.h>

#include "plot.h"

enum
{
    CRN_EXIT_DONE = 0,
    CRN_EXIT_FAILED = 1, /* the run failed or missed its tolerance, or a result could not be written */
    CRN_EXIT_WRONG = 2,  /* the input is wrong: an option, a scene, a run file */
    CRN_EXIT_SIGNAL = 128,
};

/* argv[0] is the command's name. Each returns the exit status. */
int crn_cli_run(int argc, char **argv);
int crn_cli_check(int argc, char **argv);
int crn_cli_examples(int argc, char **argv);
int crn_cli_export(int argc, char **argv);
int crn_cli_figures(int argc, char **argv);
int crn_cli_report(int argc, char **argv);
int crn_cli_schema(int argc, char **argv);
int crn_cli_study(int argc, char **argv);
int crn_cli_solve(int argc, char **argv);
int crn_cli_compare(int argc, char **argv);
int crn_cli_query(int argc, char **argv);
int crn_cli_view(int argc, char **argv);

/* One sentence on standard error, after "cairn: ". */
void crn_cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The first sentence that this thread said by either of these functions; "" when none. */
const char *crn_cli_first_error(void);

/* All messages of a context on standard error: file:line:column: text, or cairn: text. Clears them. */
void crn_cli_print_messages(cairn_context *context);

/* The exit status for a call that failed: wrong input or a failure. */
int crn_cli_exit_status(cairn_status status);

/* The name nearest to `text` among `count` names (name(data, i)), or NULL when none is near. */
const char *crn_cli_nearest(const char *text, int count, const char *(*name)(const void *data, int index),
                            const void *data);

#endif
