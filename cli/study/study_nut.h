/* The study `brazil-nut` (Anitescu 2006, section 10.2, Figure 10.6): how many shakes bring the large disk to the top.
 *
 * A shake ends when the box is highest: then the disks lie on its floor, since it has just pushed them up, and have a free
 * surface. The large disk is on top when its highest point lies above those of 95 % of the small ones.
 */
#ifndef CLI_STUDY_STUDY_NUT_H
#define CLI_STUDY_STUDY_NUT_H

#include "cli/study/study.h"

#define CLI_NUT_NAME "brazil-nut"
#define CLI_NUT_TOP  0.95

/* What is seen when the box is highest. */
typedef struct cli_nut_shake
{
    double time;   /* s */
    double passed; /* share of the small disks whose highest point is below that of the large one */
    double height; /* m, of the highest point of the large disk above the floor */
} cli_nut_shake;

typedef struct cli_nut_run
{
    double seed;
    const char *status; /* "done", "missed-tolerance", "failed" */
    char message[256];  /* why it failed */
    cli_nut_shake *shakes;
    int shake_count;
    int top; /* the first shake that ends with the large disk on top, from 1; 0: none */
    int64_t steps, problems, iterations;
    double residual, penetration, lift_off; /* the largest */
    double wall;                            /* s */
} cli_nut_run;

typedef struct cli_nut_study
{
    const cli_study_options *options;
    const char *title;
    double until, h;
    cli_nut_run *runs;
    int count, jobs;
    double wall;
    char *record; /* run file of the first run's shakes, for the picture; NULL: none */
} cli_nut_study;

/* Run, print and draw it. Exit status. */
int cli_study_nut(const cli_study_options *options);

void cli_nut_print_text(const cli_nut_study *study);
void cli_nut_print_json(const cli_nut_study *study);

#endif
