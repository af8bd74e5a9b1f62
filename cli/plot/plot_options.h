/* The command line of `cairn plot`, and its pictures. */
#ifndef CLI_PLOT_PLOT_OPTIONS_H
#define CLI_PLOT_PLOT_OPTIONS_H

#include "cli/common/options.h"
#include "cli/draw/view.h"
#include "cli/plot/plot_run.h"

typedef struct cli_plot_options
{
    const char *output;
    const char *title;    /* NULL: none given */
    double width, height; /* points; 0: the picture decides */
    cli_selection selection;
    bool every_given;
    const char *x; /* quantity along x; NULL: time */
    bool log;
    cli_text_list legend; /* names; none given: count 0 */
    bool has_xlim, has_ylim;
    double xlim[2], ylim[2];
    cli_view_kind view;
    double *at; /* s: the times to show; NULL: some */
    int at_count;
    cli_text_list mark; /* names of bodies to be highlighted; none given: count 0 */
    bool list, json;
    const char **runs, **quantities; /* the arguments, sorted into the two kinds */
    int run_count, quantity_count;
} cli_plot_options;

/* Draw what the options ask for. Exit status. */
int cli_plot_draw(const cli_plot_options *options);

/* One picture each. Exit status, after a sentence on standard error when it is not 0. */
int cli_plot_curves(cli_plot_run *runs, const cli_plot_options *options); /* quantities over time */
int cli_plot_positions(cli_plot_run *runs,
                       const cli_plot_options *options);                  /* successive positions, one panel per run */
int cli_plot_chains(cli_plot_run *runs, const cli_plot_options *options); /* the same with force chains */
int cli_plot_frames(cli_plot_run *runs, const cli_plot_options *options); /* one panel per time, one row per run */
int cli_plot_patch(cli_plot_run *runs, const cli_plot_options *options);  /* forces over a compliant contact */

#endif
