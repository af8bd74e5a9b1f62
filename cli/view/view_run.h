/* A run file as the viewer shows it: its header as JSON, and its frames in bytes. */
#ifndef CLI_VIEW_VIEW_RUN_H
#define CLI_VIEW_VIEW_RUN_H

#include "cli/plot/plot_scene.h"
#include "cli/view/view_bytes.h"
#include "cli/view/view_sample.h"

typedef struct cli_view_run
{
    cli_plot_run run;
    cli_plot_scene scene;
    double *h;              /* s: the step that led to each frame; NAN: none */
    double *contacts;       /* how many each frame has */
    double gravity;         /* m/s^2, size */
    int most;               /* bodies that a page gets, */
    cli_view_sample sample; /* and which */
    bool forces;            /* the page opens with the forces of the contacts shown */
} cli_view_run;

/* A page gets about `most` bodies. Exit status, after a sentence on standard error. */
int cli_view_run_open(cli_view_run *view, const char *path, int most);
void cli_view_run_close(cli_view_run *view);

/* Bytes of frames from ... end - 1; they are in the run. */
int64_t cli_view_run_bytes(const cli_view_run *view, int64_t from, int64_t end);

/* Append a frame. A message is left in view->run.context on failure. */
cairn_status cli_view_run_frame(cli_view_run *view, int64_t frame, cli_bytes *bytes);

/* The header; compression: "none" or "deflate". Status of the reading; that of the stream is its caller's to ask. */
cairn_status cli_view_run_header(cli_view_run *view, const char *compression, FILE *stream);

#endif
