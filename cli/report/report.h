/* `cairn report`: a run summed up on a page. */
#ifndef CLI_REPORT_REPORT_H
#define CLI_REPORT_REPORT_H

#include "cli/plot/plot_scene.h"

#include <stdio.h>

typedef struct cli_report
{
    cli_plot_run run;
    cli_plot_scene scene;
    const char *directory;
    const char *title;
    const char *no_viewer; /* why there is none; NULL: viewer.html is there */
    FILE *page;
} cli_report;

/* Draw the pictures into the directory. Exit status. */
int cli_report_draw(cli_report *report);

/* Sections of the page. Exit status: of reading the run. */
int cli_report_summary(cli_report *report);
int cli_report_certificate(cli_report *report);
int cli_report_physics(cli_report *report);
int cli_report_energy(cli_report *report);
int cli_report_events(cli_report *report);
int cli_report_joints(cli_report *report);
int cli_report_contacts(cli_report *report);
int cli_report_solver(cli_report *report);
void cli_report_pictures(cli_report *report);

/* The names of two bodies with a comma between; the world has none. */
void cli_report_bodies(cli_report *report, cairn_body a, cairn_body b);

#endif
