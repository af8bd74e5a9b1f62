/* `cairn report`: a run summed up on a page. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "plot_scene.h"

#include <stdio.h>

typedef struct crn_report
{
    crn_plot_run run;
    crn_plot_scene scene;
    const char *directory;
    const char *title;
    const char *no_viewer; /* why there is none; NULL: viewer.html is there */
    FILE *page;
} crn_report;

/* Draw the pictures into the directory. Exit status. */
int crn_report_draw(crn_report *report);

/* Sections of the page. Exit status: of reading the run. */
int crn_report_summary(crn_report *report);
int crn_report_certificate(crn_report *report);
int crn_report_physics(crn_report *report);
int crn_report_energy(crn_report *report);
int crn_report_events(crn_report *report);
int crn_report_contacts(crn_report *report);
int crn_report_solver(crn_report *report);
void crn_report_pictures(crn_report *report);

#endif
