/* Rows of the study `impacts`: what is run, what is measured, and what is true.
 *
 * A row is one scene under one scheme. Most rows are a single run whose numbers are compared with a closed form. Where a
 * closed form is met only in the limit the row runs the scene with h, h/2, ... h/32 and its number is the observed order.
 * The error of an event depends on where in a step it falls, which changes from h to h without a pattern. Only the
 * envelope has an order: the largest error over h, h/2 and h/4 compared with the largest over h/8, h/16 and h/32.
 * The truths (impacts_truth.c) do not use the library: they are formulas, quadratures and bisections.
 */
#ifndef CLI_STUDY_IMPACTS_H
#define CLI_STUDY_IMPACTS_H

#include "cli/common/cli.h"

#include <stdatomic.h>

enum
{
    CLI_IMPACT_PARAMETERS = 8, /* at most, as all below */
    CLI_IMPACT_NUMBERS = 32,
    CLI_IMPACT_EVENTS = 256, /* kept one by one */
};

typedef struct cli_impact_parameter
{
    const char *name; /* NULL: none */
    double value;
} cli_impact_parameter;

/* Numbers of a run and the true ones; NAN where the truth is not known. */
typedef struct cli_impact_numbers
{
    double truth[CLI_IMPACT_NUMBERS], value[CLI_IMPACT_NUMBERS];
    int count;
} cli_impact_numbers;

/* What happened in a run, for the measures that need more than the state at its end. */
typedef struct cli_impact_course
{
    const cairn_simulation *simulation; /* at the end */
    double until;
    double energy_above;  /* J: largest rise above the initial energy; negative: it only fell */
    double energy_growth; /* J: largest growth of the energy in a step */
    cairn_event events[CLI_IMPACT_EVENTS];
    int event_count; /* of those kept */
} cli_impact_course;

typedef enum cli_impact_kind
{
    CLI_IMPACT_VALUE = 0,  /* the numbers of one run, each within the tolerance of its truth */
    CLI_IMPACT_BOUND,      /* the numbers of one run exceed 0 by no more than the tolerance */
    CLI_IMPACT_ORDER,      /* order of the errors over four steps: at least 2, less the tolerance */
    CLI_IMPACT_RICHARDSON, /* order of the numbers' differences over four steps, without a truth: likewise */
    CLI_IMPACT_AGREE,      /* three steps with each of the three stabilisations: order of their differences: likewise */
} cli_impact_kind;

typedef struct cli_impact_row cli_impact_row;
typedef void cli_impact_measure(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out);

struct cli_impact_row
{
    const char *what; /* the case, as printed */
    const char *scene;
    cli_impact_parameter set[CLI_IMPACT_PARAMETERS];
    cairn_integrator integrator;
    double step, until; /* s */
    bool events_off;
    const char *stabilisation; /* NULL: as the scene says */
    cli_impact_kind kind;
    const char *quantity; /* names of the numbers */
    cli_impact_measure *measure;
    double order;     /* 0: 2 */
    double tolerance; /* in units of the numbers; of an order: how far it may be below */
};

/* All rows. The caller frees them. */
cli_impact_row *cli_impact_rows(int *count);

/* Number of steps h, h/2, ... that a row is run with, and of variants per step. */
int cli_impact_steps(const cli_impact_row *row);
int cli_impact_variants(const cli_impact_row *row);

/* A parameter that the row sets in the scene; it must exist. */
double cli_impact_value(const cli_impact_row *row, const char *name);

/* Results of one run. */
typedef struct cli_impact_run
{
    cli_impact_numbers numbers;
    int64_t steps, events, violations;
    bool failed;       /* or missed the tolerance of a step */
    char message[256]; /* why */
} cli_impact_run;

/* Do run `index` of a row; adds its steps to *done. It shares nothing with others. */
void cli_impact_run_one(const cli_impact_row *row, int index, cli_impact_run *run, atomic_llong *done);

/* Results of a row. */
typedef struct cli_impact_verdict
{
    double truth, value; /* of an order: what it should be, and the one observed; otherwise NAN */
    double error;        /* largest over the numbers; of an order: at the smallest step */
    int64_t events;      /* of the first run */
    int64_t violations;  /* of all runs */
    bool off;
    const char *message; /* NULL, or why a run failed */
} cli_impact_verdict;

cli_impact_verdict cli_impact_judge(const cli_impact_row *row, const cli_impact_run *runs);

/* ---------------------------------------------------------------------------------------------------- measures */

cli_impact_measure cli_impact_flight;      /* y and vy of a ball that falls on a floor and bounces once */
cli_impact_measure cli_impact_kink;        /* a point that slides into an incline */
cli_impact_measure cli_impact_cradle;      /* velocities of three balls */
cli_impact_measure cli_impact_edge;        /* body `b` in free flight from an edge, plane or space */
cli_impact_measure cli_impact_tip_time;    /* when a box's rear corner comes off the table */
cli_impact_measure cli_impact_box_flight;  /* the box that flies off (impacts_box.c) */
cli_impact_measure cli_impact_bobs;        /* positions of two bobs, no truth */
cli_impact_measure cli_impact_growth;      /* energy above that of the start, and its rise in a step */
cli_impact_measure cli_impact_stuck;       /* energy that a rod loses whose tip sticks at once */
cli_impact_measure cli_impact_rod_end;     /* state of the rod, no truth */
cli_impact_measure cli_impact_rests;       /* body `b`: heights of its ends are 0 */
cli_impact_measure cli_impact_lifted;      /* a ball on a plate that has started */
cli_impact_measure cli_impact_bounces;     /* times of all impacts on a vibrating plate */
cli_impact_measure cli_impact_roll_time;   /* when a sphere begins to roll */
cli_impact_measure cli_impact_transitions; /* how many events there are: one */
cli_impact_measure cli_impact_slip_time;   /* when a block slips on a shaken plate */
cli_impact_measure cli_impact_slip_end;    /* where it then is, and how fast */
cli_impact_measure cli_impact_leave_time;  /* when a point leaves a circle */
cli_impact_measure cli_impact_leave_end;   /* where it then flies */

#endif
