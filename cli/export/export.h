/* What `cairn export` makes of a run. Each returns the exit status, after a sentence where it is not 0. */
#ifndef CLI_EXPORT_EXPORT_H
#define CLI_EXPORT_EXPORT_H

#include "cli/common/options.h"
#include "cli/plot/plot_run.h"

/* Tables: all into a directory, or one into a file that ends in .csv, - for standard output. NULL: RUN-csv; all tables. */
int cli_export_csv(const cli_plot_run *run, const char *output, const char *table);

/* Time series for ParaView in a directory: bodies.pvd, contacts.pvd, links.pvd and a file per frame of each; with `instances` also instances.pvd. */
int cli_export_vtk(cli_plot_run *run, const char *directory, const cli_selection *selection, bool instances,
                   bool quiet);

typedef enum cli_export_format
{
    CLI_EXPORT_SCENE,
    CLI_EXPORT_URDF,
    CLI_EXPORT_MJCF
} cli_export_format;

/* A scene, or that of a run, as a scene file with everything written out, or as a robot; - for standard output. What a format cannot say
 * is told on standard error. */
int cli_export_model(const char *argument, const cli_text_list *set, cli_export_format format, const char *path);

#endif
