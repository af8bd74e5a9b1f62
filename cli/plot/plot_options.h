/* The command line of `cairn plot`. */
#ifndef CLI_PLOT_PLOT_OPTIONS_H
#define CLI_PLOT_PLOT_OPTIONS_H

#include "cli/draw/view.h"
#include "cli/plot/plot_run.h"

#include <stdio.h>

typedef struct cli_plot_options
{
    const char *output;
    const char *title;    /* NULL: none given */
    double width, height; /* points; 0: the picture decides */
    cli_selection selection;
    bool every_given;
    const char *x; /* quantity along x; NULL: time */
    bool log;
    char **legend; /* names; NULL: none given */
    int legend_count;
    bool has_xlim, has_ylim;
    double xlim[2], ylim[2];
    cli_view_kind view;
    double *at; /* s: the frames to draw; NULL: some */
    int at_count;
    char **mark; /* names of bodies to be seen; NULL: none given */
    int mark_count;
    bool list, json, help;
    const char **runs, **quantities; /* the arguments, sorted into the two kinds */
    int run_count, quantity_count;
    char *legend_text, *mark_text;
} cli_plot_options;

/* Exit status 0, or 2 (wrong) or 1 (no memory) after a sentence on stderr. */
int cli_plot_options_parse(int argc, char **argv, cli_plot_options *out);
void cli_plot_options_free(cli_plot_options *options);

void cli_plot_usage(FILE *stream);

#endif
