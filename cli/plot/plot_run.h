/* A run as `cairn plot` reads it, and a table of quantities over its frames. */
#ifndef CLI_PLOT_PLOT_RUN_H
#define CLI_PLOT_PLOT_RUN_H

#include "cairn/run.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_plot_run
{
    cairn_context *context;
    cairn_run *run;
    const char *path;
    char name[128]; /* file name without folder and extension */
    int dimension;
    int body_count;
    int64_t frame_count;
    bool cut;                 /* the file is not whole */
    double *time;             /* frame_count */
    cairn_body_state *states; /* body_count: room for one frame */
} cli_plot_run;

/* Which frames: those with from <= time <= to, each `every`-th of them. */
typedef struct cli_selection
{
    double from, to;
    int64_t every;
} cli_selection;

/* Exit status 0, 1 or 2, after a sentence on stderr. */
int cli_plot_run_open(cli_plot_run *run, const char *path);
/* Also opens a truncated file; the second prints a sentence if it was. */
int cli_plot_run_open_cut(cli_plot_run *run, const char *path);
void cli_plot_run_tell_cut(const cli_plot_run *run);
void cli_plot_run_close(cli_plot_run *run);

/* -1 when there is none. */
int cli_plot_run_find_body(const cli_plot_run *run, const char *name, size_t length);

/* Whether the run recorded a series of this name. */
bool cli_plot_run_has_series(const cli_plot_run *run, const char *name);

/* The first frame of the selection and the one after its last (frames are in order of time). */
void cli_plot_run_span(const cli_plot_run *run, const cli_selection *selection, int64_t *begin, int64_t *end);

/* Read a frame into run->states; exit status. */
int cli_plot_run_read(cli_plot_run *run, int64_t frame);

/* Print the context's messages on stderr and return the exit status that fits. */
int cli_plot_report(const cairn_context *context, cairn_status status);
int cli_plot_no_memory(void);

#endif
