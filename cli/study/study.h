/* `cairn study`: one scene over a list of steps, integrators or values of a parameter, each run measured against a
 * reference.
 *
 * A study is a list of runs. Runs that differ in the step alone (or in the parameter alone, when no steps are asked for)
 * form a block: one table, one curve, one observed order. The error of a run is the norm of its final state minus the
 * reference's: the truth stored with a built-in study, the last frame of a run file, or a fine run, which is then one
 * more run of the list. Runs share no data, so results do not depend on how many run in parallel.
 */
#ifndef CLI_STUDY_STUDY_H
#define CLI_STUDY_STUDY_H

#include "cli/common/cli.h"
#include "cli/common/options.h"
#include "cli/common/settings.h"

#include <stdatomic.h>

enum
{
    CLI_STUDY_QUANTITIES = 8, /* at most */
    CLI_STUDY_FINER = 8,      /* a fine run's step is the smallest step over this */
};

/* --------------------------------------------------------------------------------------------- built-in studies */

/* One component of the true final state at a time. */
typedef struct cli_study_truth
{
    double until; /* s */
    const char *body, *field;
    double value;
} cli_study_truth;

/* Whether a run looks for events within its steps. First-order schemes never do. */
typedef enum cli_study_events
{
    CLI_EVENTS_SCENE = 0, /* as the scene says */
    CLI_EVENTS_ON,
    CLI_EVENTS_OFF,
} cli_study_events;

/* One row of a paper's table: the study's quantities in their order, NAN where the paper has none. */
typedef struct cli_study_paper
{
    const char *integrator;
    cli_study_events events;
    double h;
    double values[3];
} cli_study_paper;

/* Lists are texts as on the command line. */
typedef struct cli_study_entry
{
    const char *name, *scene;
    double until;            /* s; 0: as the scene says */
    const char *integrators; /* names that the library does not know are skipped */
    const char *steps, *quantities;
    const char *events;            /* NULL: as the scene says */
    const char *vary;              /* NULL, or a parameter whose last values tend to the truth: then no steps */
    const cli_study_truth *truths; /* NULL: a fine run is the reference */
    int truth_count;
    const char *truth_source;
    const cli_study_paper *papers;
    int paper_count;
    const char *paper_source;
} cli_study_entry;

int cli_study_entry_count(void);
const cli_study_entry *cli_study_entry_at(int index);
const cli_study_entry *cli_study_entry_find(const char *name); /* NULL when there is none */

/* ------------------------------------------------------------------------------------------------- what is asked */

typedef struct cli_study_options
{
    const char *steps, *vary, *integrator, *reference, *quantity, *events; /* NULL: the default */
    cli_settings settings;
    double until;    /* NAN: the default */
    double at_error; /* NAN: no costs are wanted */
    cli_text_list set;
    const char *output; /* NULL: no picture */
    int jobs;           /* 0: as many as there are processors */
    bool work, time, json, list, quiet;
} cli_study_options;

typedef enum cli_measure
{
    CLI_MEASURE_POSITION = 0, /* 2-norm over the positions of all dynamic bodies */
    CLI_MEASURE_VELOCITY,     /* 2-norm over their linear and angular velocities */
    CLI_MEASURE_ORIENTATION,  /* 2-norm over the angles between their orientations, rad */
    CLI_MEASURE_ENERGY,       /* total energy */
    CLI_MEASURE_COMPONENT,    /* BODY.x, ... */
    CLI_MEASURE_DISTANCE,     /* distance(A,B) of two centres */
    CLI_MEASURE_THETA,        /* theta(A,B,L) = distance^2 - L^2, signed; its truth is 0 */
    CLI_MEASURE_NAMED,        /* any other quantity of one number: elbow.angle */
} cli_measure;

typedef struct cli_study_quantity
{
    cli_measure kind;
    char text[64];
    int body, other; /* index in the model; -1: the world's origin */
    int component;
    double length;
    const char *unit; /* of a named quantity */
    int place;        /* of a named quantity: in the list of those that were asked for */
} cli_study_quantity;

/* The state at the end of a run, or of a reference: NAN where that is not known. */
typedef struct cli_study_state
{
    cairn_body_state *bodies; /* all of the model */
    int body_count;
    double energy; /* J */
    double named[CLI_STUDY_QUANTITIES];
} cli_study_state;

/* One run: what it is, then its results. */
typedef struct cli_study_run
{
    cairn_integrator integrator;
    cli_study_events events;
    int value; /* index of the parameter's value; -1: none is varied */
    double h;
    int reference; /* index of the fine run that is its reference; -1: the stored one */
    int64_t planned;

    const char *status; /* "done", "missed-tolerance", "failed" */
    int exit_status;
    char message[256]; /* why it failed */
    cli_study_state end;
    int64_t steps, lcps, iterations;
    int64_t event_count;
    double joint_error;                  /* at the end */
    double penetration, residual;        /* the largest */
    double wall;                         /* s */
    double errors[CLI_STUDY_QUANTITIES]; /* signed for theta; NAN: unknown */
    double ratios[CLI_STUDY_QUANTITIES]; /* error of the row before over this one; NAN: none */
    const cli_study_paper *paper;        /* NULL: none */
    double paper_ratios[CLI_STUDY_QUANTITIES];
} cli_study_run;

/* Order by least squares in log-log, over the rows where it is clean: `first` to `last` of those given. Without three
 * such rows in succession, all usable rows are fitted and the order is rough. */
typedef struct cli_study_fit
{
    double order; /* NAN: too few rows */
    int first, last;
    bool rough;
} cli_study_fit;

typedef struct cli_study_block
{
    cairn_integrator integrator;
    cli_study_events events;
    int value;        /* -1: none is varied, or the rows are the values */
    int first, count; /* runs */
    cli_study_fit fits[CLI_STUDY_QUANTITIES];
    double cost_lcps, cost_wall; /* to reach the error that was asked for; NAN: unknown */
    bool cost_extrapolated;
} cli_study_block;

typedef enum cli_reference_kind
{
    CLI_REFERENCE_FINE = 0,
    CLI_REFERENCE_TRUTH,
    CLI_REFERENCE_FILE,
} cli_reference_kind;

typedef struct cli_study
{
    const cli_study_options *options;
    const cli_study_entry *entry; /* NULL: the argument is a scene */
    const char *scene_name;
    cairn_context *context;
    cairn_scene *scene; /* for names and the title */
    double until;
    cairn_integrator *integrators;
    int integrator_count;
    cli_study_events events[2]; /* each second-order scheme is run with each of these */
    int events_count;
    double *steps; /* falling */
    int step_count;
    bool steps_given;   /* otherwise, with a parameter varied, the rows are its values */
    char *parameter;    /* NULL: none is varied */
    char **assignments; /* "parameter=value" */
    double *values;     /* as numbers; NAN where the text is an expression */
    int value_count;
    cli_study_quantity quantities[CLI_STUDY_QUANTITIES];
    int quantity_count;
    cli_reference_kind reference_kind;
    bool fine_given; /* fine runs by this integrator, otherwise by each block's own */
    cairn_integrator fine_integrator;
    cli_study_state reference; /* truth or file */
    cli_study_block *blocks;
    int block_count;
    cli_study_run *runs; /* rows, block by block, then the fine runs */
    int row_count, run_count;
    int jobs;
    double wall;
} cli_study;

/* ------------------------------------------------------------------------------------------------------- parts */

/* "0.1", "1e-3", "2^-5" or "1/64". */
bool cli_study_number(const char *text, double *out);
/* Numbers separated by commas; each may be a range: "a:b" halves (or doubles) from a as far as b, "a:b:n" is n numbers at
 * equal ratios. All must be positive. The caller frees *out. Exit status, after a sentence that names the option. */
int cli_study_numbers(const char *option, const char *text, double **out, int *count);
/* The step of a study that takes a single one; *h is unchanged when none is given. Exit status, after a sentence. */
int cli_study_one_step(const char *study, const char *text, double *h);
/* The text up to the next comma outside of brackets; *rest is what follows it, NULL at the end. The caller frees it. */
char *cli_study_item(const char *text, const char **rest);

/* Exit status, after a sentence. */
int cli_study_quantity_parse(const cairn_model *model, const char *text, cli_study_quantity *out);
/* Its value in a state, where it has one: NAN for norms. */
double cli_study_quantity_value(const cli_study_quantity *quantity, const cairn_model *model,
                                const cli_study_state *state);
/* Its error. Components that the reference does not know are left out of norms; NAN when it knows none. `size`: the
 * magnitude of what was compared, for the level of rounding. */
double cli_study_quantity_error(const cli_study_quantity *quantity, const cairn_model *model,
                                const cli_study_state *state, const cli_study_state *reference, double *size);
/* The angle of the turn from one orientation to the other, rad; signed in the plane. */
double cli_study_turn(int dimension, const cairn_body_state *a, const cairn_body_state *b);
const char *cli_study_quantity_unit(const cli_study_quantity *quantity);

/* A state of which nothing is known. The caller frees its bodies. */
cli_study_state cli_study_state_create(const cairn_model *model);
/* The entry's truth at a time. False when it has none for that time. */
bool cli_study_state_truth(const cli_study_entry *entry, const cairn_model *model, double until,
                           cli_study_state *state);
/* The frame of a run file at the study's end time. Exit status, after a sentence. */
int cli_study_state_file(const char *path, const cairn_model *model, const cli_study *study, cli_study_state *state);

/* The values of --vary, which the scene is read with; then all other lists, which need the scene. Exit status, after a
 * sentence. */
int cli_study_read_values(cli_study *study);
int cli_study_read_lists(cli_study *study);

/* Everything before the first run. All errors in the input are found here. Exit status. */
int cli_study_plan(cli_study *study, const char *argument);
void cli_study_free(cli_study *study);

/* Settings of one run. */
cairn_settings cli_study_settings(const cli_study *study, const cairn_scene *scene, const cli_study_run *run);
/* Scene of one run; exit status. With `keep` the messages stay in the context. */
int cli_study_load(const cli_study *study, cairn_context *context, int value, bool keep, cairn_scene **out);
/* Do one run; adds its steps to *done while it runs. */
void cli_study_run_one(const cli_study *study, cli_study_run *run, atomic_llong *done);
/* Do all runs. */
void cli_study_run_all(cli_study *study);

cli_study_fit cli_study_fit_order(const double *h, const double *error, int count, double floor);
/* Errors, ratios, orders and costs, once the runs are done. */
void cli_study_evaluate(cli_study *study);
/* The exit status of the whole. */
int cli_study_verdict(const cli_study *study);

void cli_study_print_text(const cli_study *study);
void cli_study_print_json(const cli_study *study);
/* "2^-5" for powers of two, otherwise the shortest decimal. */
void cli_study_step_text(double h, char *text, size_t size);
/* "trapezoid", or "trapezoid, events off, mu = 0.3". */
void cli_study_block_name(const cli_study *study, const cli_study_block *block, char *text, size_t size);
/* Whether a paper has numbers for a block. */
bool cli_study_has_papers(const cli_study *study, const cli_study_block *block);
/* What the reference is, in words. */
void cli_study_reference_text(const cli_study *study, char *text, size_t size);

/* Exit status. */
int cli_study_draw(const cli_study *study);

/* An option that is given and changes what is run or shown, other than those allowed (up to NULL); NULL: there is none. */
const char *cli_study_given(const cli_study_options *options, const char *const *allowed);

#endif
