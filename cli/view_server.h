/* The viewer's server: the page, the header and the frames of what is shown, on one address of this machine. */
#ifndef CLI_VIEW_SERVER_H
#define CLI_VIEW_SERVER_H

#include "view_live.h"
#include "view_run.h"

#include <sys/stat.h>

typedef struct crn_view_server_options
{
    const char *address; /* in numbers; default 127.0.0.1 */
    int port;            /* 0: a free one */
    bool open;           /* a browser */
    bool json;           /* the address as one JSON object */
} crn_view_server_options;

/* What is shown: a run file, or a simulation. */
typedef struct crn_view_shown
{
    const char *path;  /* of the run */
    struct stat seen;  /* its file, when it was last opened to look again */
    crn_view_run *run; /* NULL: live */
    crn_view_live *live;
} crn_view_shown;

/* Serve until a signal comes. Exit status. */
int crn_view_serve(const crn_view_server_options *options, crn_view_shown *shown);

#endif
