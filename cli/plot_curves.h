/* Charts of quantities over time, from runs to a picture. */
#ifndef CLI_PLOT_CURVES_H
#define CLI_PLOT_CURVES_H

#include "plot_options.h"

/* Exit status, after a sentence on stderr when it is not 0. */
int crn_plot_curves(crn_plot_run *runs, const crn_plot_options *options);

#endif
