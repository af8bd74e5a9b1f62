/* The picture `patch`: the forces over the elements of a compliant contact, at one time or several. In space a map of the
 * pressure with arrows of shear, in the plane a row of columns; filled dots stick, rings slip. */
#ifndef CLI_PLOT_PLOT_PATCH_H
#define CLI_PLOT_PLOT_PATCH_H

#include "cli/plot/plot_options.h"

/* One panel a time (`--at`, otherwise the last one) and run; of several patches the one that carries most. Exit status. */
int cli_plot_patch(cli_plot_run *runs, const cli_plot_options *options);

#endif
