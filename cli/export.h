/* What `cairn export` makes of a run. Each returns the exit status, after a sentence where it is not 0. */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "plot_run.h"

/* Tables: all into a directory, or one into a file that ends in .csv, - for standard output. NULL: RUN-csv; all tables. */
int crn_export_csv(const crn_plot_run *run, const char *output, const char *table);

/* Time series for ParaView in a directory: bodies.pvd, contacts.pvd, links.pvd and a file a frame of each. */
int crn_export_vtk(crn_plot_run *run, const char *directory, const crn_selection *selection, bool quiet);

#endif
