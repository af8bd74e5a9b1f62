/* `cairn run --save-problems N`: every N-th step's one-step problem as a file, in FCLIB's layout or Cairn's own. */
#ifndef CLI_RUN_RUN_PROBLEMS_H
#define CLI_RUN_RUN_PROBLEMS_H

#include <cairn/cairn.h>

typedef struct cli_run_problems
{
    int every;             /* 0: none */
    const char *directory; /* made when it is not there; NULL: the current one */
    const char *layout;    /* "global" or "local" */
    const char *scene;     /* for the names and titles of the files */
    cairn_context *context;
    int64_t saved, empty; /* files written; problems without contacts, which are not */
} cli_run_problems;

/* Make the directory. The exit status: 0 when steps may begin. */
int cli_run_problems_start(cli_run_problems *problems);

/* Save the problem of the step just made when its turn has come. False after a message. */
bool cli_run_problems_add(cli_run_problems *problems, const cairn_simulation *simulation);

#endif
