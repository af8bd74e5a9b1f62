/* Charts of quantities over time, from runs to a picture. */
#ifndef CLI_PLOT_PLOT_CURVES_H
#define CLI_PLOT_PLOT_CURVES_H

#include "cli/plot/plot_options.h"

/* Exit status, after a sentence on stderr when it is not 0. */
int cli_plot_curves(cli_plot_run *runs, const cli_plot_options *options);

#endif
