/* `cairn compare`: one scene under several settings, one run after another, each measured against the first.
 *
 * A run keeps the positions of all bodies at the end of each step (of every few steps in long runs), so that the distance
 * between two runs is known over time, and not only at the end.
 */
#ifndef CLI_COMPARE_COMPARE_H
#define CLI_COMPARE_COMPARE_H

#include "cli/common/cli.h"
#include "cli/common/options.h"
#include "cli/common/settings.h"

typedef struct cli_compare_options
{
    cli_text_list with, set;
    double until;          /* NAN: as the scene says */
    cli_settings settings; /* of all runs, where --with has none */
    const char *output;    /* NULL: no picture */
    bool json, quiet;
} cli_compare_options;

/* Where the bodies were. */
typedef struct cli_compare_track
{
    int64_t count, capacity; /* frames */
    double *time;            /* s, ascending */
    double *position;        /* three per body, frame after frame */
} cli_compare_track;

typedef struct cli_compare_run
{
    const char *text; /* the setting as typed */
    cairn_settings settings;
    const char *status; /* "done", "missed-tolerance", "failed" */
    int exit_status;
    char message[256]; /* why it failed */
    int64_t steps, missed, problems, iterations, fallbacks;
    int contacts_max;
    double residual, penetration, joint_error; /* the largest */
    double lift_off; /* m: largest gap opened at a sliding contact under load; NAN: a scheme that is not measured */
    double energy;   /* J, at the end */
    double wall;     /* s */
    cli_compare_track track;
    cairn_body_state *end; /* per body */

    double *distance;       /* m, per frame: the largest distance of a body from its position in the first run */
    double position, angle; /* m and rad: the largest of a body at the end; NAN when it or the first run failed */
    int worst;              /* the body of the largest distance at the end; -1: none */
    double largest, largest_time;
} cli_compare_run;

typedef struct cli_compare
{
    const cli_compare_options *options;
    const char *scene_name;
    cairn_context *context;
    cairn_scene *scene;
    double until;
    int body_count;
    cli_compare_run *runs;
    int count;
} cli_compare;

/* Put "law=cone,step=0.01" over settings; "scene" leaves them as they are. Exit status, after a sentence. */
int cli_compare_apply(const char *text, cairn_settings *settings);

/* Do one run. */
void cli_compare_run_one(const cli_compare *compare, cli_compare_run *run);

/* The distances of a run from the first. */
void cli_compare_measure(const cli_compare *compare, cli_compare_run *run);

void cli_compare_print_text(const cli_compare *compare);
void cli_compare_print_json(const cli_compare *compare);
/* Exit status. */
int cli_compare_draw(const cli_compare *compare);

#endif
