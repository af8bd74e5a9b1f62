/* The viewer's server: the page, the header and the frames of what is shown, on one address of this machine. */
#ifndef CLI_VIEW_VIEW_SERVER_H
#define CLI_VIEW_VIEW_SERVER_H

#include "cli/view/view_live.h"
#include "cli/view/view_run.h"

#include <sys/stat.h>

typedef struct cli_view_server_options
{
    const char *address; /* in numbers; default 127.0.0.1 */
    int port;            /* 0: a free one */
    bool open;           /* a browser */
    bool json;           /* the address as one JSON object */
} cli_view_server_options;

/* What is shown: a run file, a simulation, or the start page, on which users choose what to simulate. */
typedef struct cli_view_shown
{
    const char *path;  /* of the run */
    struct stat seen;  /* its file, when it was last opened to look again */
    cli_view_run *run; /* NULL: live */
    cli_view_live *live;
    bool forces; /* the page opens with the forces of the contacts shown */
    const cli_run_options
        *start; /* the start page: options of the scenes that are chosen; then `live` is NULL or one of them */
} cli_view_shown;

/* Serve until a signal comes. Exit status. */
int cli_view_serve(const cli_view_server_options *options, cli_view_shown *shown);

#endif
