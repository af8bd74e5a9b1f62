/* Force chains: the contact forces of one frame as lines, as wide and as dark as they are large. */
#ifndef CLI_PLOT_PLOT_CHAINS_H
#define CLI_PLOT_PLOT_CHAINS_H

#include "cli/plot/plot_panel.h"

/* Read the contacts of the panel's only frame into panel->chains. Exit status. */
int cli_chains_read(cli_panel *panel);
void cli_chains_draw(cli_canvas *canvas, const cli_panel *panel);
/* What the widths mean: "mean 1.2 N, largest 4.5 N". */
void cli_chains_caption(const cli_panel *panel, char *text, size_t size);

#endif
