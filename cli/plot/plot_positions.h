/* Pictures of the bodies: successive positions in one panel a run, or one panel a time. */
#ifndef CLI_PLOT_PLOT_POSITIONS_H
#define CLI_PLOT_PLOT_POSITIONS_H

#include "cli/plot/plot_options.h"

/* Exit status, after a sentence on stderr when it is not 0. */
int cli_plot_positions(cli_plot_run *runs, const cli_plot_options *options);
int cli_plot_frames(cli_plot_run *runs, const cli_plot_options *options);

#endif
