/* Quantities in words, for legends and axes: "kinetic energy" rather than energy/kinetic. */
#ifndef CLI_PLOT_PLOT_WORDS_H
#define CLI_PLOT_PLOT_WORDS_H

#include "cli/plot/plot_quantity.h"

/* A series of the run file by its name there: "kinetic energy" for energy/kinetic. */
void cli_series_words(const char *name, char *out, size_t size);
/* What it is, without the body that has it: "kinetic energy", "velocity in x". */
void cli_quantity_kind_words(const cli_quantity *quantity, char *out, size_t size);
/* With the body: "velocity in x of bar". What has no words stays as it was typed. */
void cli_quantity_words(const cli_plot_run *run, const cli_quantity *quantity, char *out, size_t size);

#endif
