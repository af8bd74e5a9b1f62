/* Pictures of the bodies: successive positions in one panel a run, or one panel a time. */
#ifndef CLI_PLOT_POSITIONS_H
#define CLI_PLOT_POSITIONS_H

#include "plot_options.h"

/* Exit status, after a sentence on stderr when it is not 0. */
int crn_plot_positions(crn_plot_run *runs, const crn_plot_options *options);
int crn_plot_frames(crn_plot_run *runs, const crn_plot_options *options);

#endif
