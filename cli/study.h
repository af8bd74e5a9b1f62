/* `cairn study`: one scene over a list of steps, integrators or values of a parameter, each run measured against a
 * reference.
 *
 * A study is a list of runs. Runs that differ in the step alone (or in the parameter alone, when no steps are asked for)
 * form a block: one table, one curve, one observed order. The error of a run is the norm of its final state minus the
 * reference's: the truth stored with a built-in study, the last frame of a run file, or a fine run, which is then one
 * more run of the list. Runs share nothing, so that any number of them go on at the same time with the same results.
 */
#ifndef CLI_STUDY_H
#define CLI_STUDY_H

#include "cli.h"
#include "options.h"

#include <stdatomic.h>

enum
{
    CRN_STUDY_QUANTITIES = 8, /* at most */
    CRN_STUDY_FINER = 8,      /* a fine run's step is the smallest step over this */
};

/* --------------------------------------------------------------------------------------------- built-in studies */

/* One component of the true final state at a time. */
typedef struct crn_study_truth
{
    double until; /* s */
    const char *body, *field;
    double value;
} crn_study_truth;

/* Whether a run looks for events within its steps. First-order schemes never do. */
typedef enum crn_study_events
{
    CRN_EVENTS_SCENE = 0, /* as the scene says */
    CRN_EVENTS_ON,
    CRN_EVENTS_OFF,
} crn_study_events;

/* One row of a paper's table: the study's quantities in their order, NAN where the paper has none. */
typedef struct crn_study_paper
{
    const char *integrator;
    crn_study_events events;
    double h;
    double values[3];
} crn_study_paper;

/* Lists are texts as on the command line. */
typedef struct crn_study_entry
{
    const char *name, *scene;
    double until;            /* s; 0: as the scene says */
    const char *integrators; /* those of them that the library knows are run */
    const char *steps, *quantities;
    const char *events;            /* NULL: as the scene says */
    const char *vary;              /* NULL, or a parameter whose last values tend to the truth: then no steps */
    const crn_study_truth *truths; /* NULL: a fine run is the reference */
    int truth_count;
    const char *truth_source;
    const crn_study_paper *papers;
    int paper_count;
    const char *paper_source;
} crn_study_entry;

int crn_study_entry_count(void);
const crn_study_entry *crn_study_entry_at(int index);
const crn_study_entry *crn_study_entry_find(const char *name); /* NULL when there is none */

/* ------------------------------------------------------------------------------------------------- what is asked */

typedef struct crn_study_options
{
    const char *steps, *vary, *integrator, *reference, *quantity, *stabilisation, *events; /* NULL: the default */
    double until;                                                                          /* NAN: the default */
    double at_error; /* NAN: no costs are wanted */
    crn_text_list set;
    const char *output; /* NULL: no picture */
    int jobs;           /* 0: as many as there are processors */
    bool work, time, json, list, quiet;
} crn_study_options;

typedef enum crn_measure
{
    CRN_MEASURE_POSITION = 0, /* 2-norm over the positions of all dynamic bodies */
    CRN_MEASURE_VELOCITY,     /* 2-norm over their linear and angular velocities */
    CRN_MEASURE_ORIENTATION,  /* 2-norm over the angles between their orientations, rad */
    CRN_MEASURE_ENERGY,       /* total energy */
    CRN_MEASURE_COMPONENT,    /* BODY.x, ... */
    CRN_MEASURE_DISTANCE,     /* distance(A,B) of two centres */
    CRN_MEASURE_THETA,        /* theta(A,B,L) = distance^2 - L^2, signed; its truth is 0 */
} crn_measure;

typedef struct crn_study_quantity
{
    crn_measure kind;
    char text[64];
    int body, other; /* index in the model; -1: the world's origin */
    int component;
    double length;
} crn_study_quantity;

/* The state at the end of a run, or of a reference: NAN where that is not known. */
typedef struct crn_study_state
{
    cairn_body_state *bodies; /* all of the model */
    double energy;            /* J */
} crn_study_state;

/* One run: what it is, then what came of it. */
typedef struct crn_study_run
{
    cairn_integrator integrator;
    crn_study_events events;
    int value; /* index of the parameter's value; -1: none is varied */
    double h;
    int reference; /* index of the fine run that is its reference; -1: the stored one */
    int64_t planned;

    const char *status; /* "done", "missed-tolerance", "failed" */
    int exit_status;
    char message[256]; /* why it failed */
    crn_study_state end;
    int64_t steps, lcps, iterations;
    int64_t event_count;
    double joint_error;                  /* at the end */
    double penetration, residual;        /* the largest */
    double wall;                         /* s */
    double errors[CRN_STUDY_QUANTITIES]; /* signed for theta; NAN: unknown */
    double ratios[CRN_STUDY_QUANTITIES]; /* error of the row before over this one; NAN: none */
    const crn_study_paper *paper;        /* NULL: none */
    double paper_ratios[CRN_STUDY_QUANTITIES];
} crn_study_run;

/* Order by least squares in log-log, over the rows where it is clean: `first` to `last` of those given. Where no three
 * rows in a row are, all usable ones serve, and the order is a rough one. */
typedef struct crn_study_fit
{
    double order; /* NAN: too few rows */
    int first, last;
    bool rough;
} crn_study_fit;

typedef struct crn_study_block
{
    cairn_integrator integrator;
    crn_study_events events;
    int value;        /* -1: none is varied, or the rows are the values */
    int first, count; /* runs */
    crn_study_fit fits[CRN_STUDY_QUANTITIES];
    double cost_lcps, cost_wall; /* to reach the error that was asked for; NAN: unknown */
    bool cost_extrapolated;
} crn_study_block;

typedef enum crn_reference_kind
{
    CRN_REFERENCE_FINE = 0,
    CRN_REFERENCE_TRUTH,
    CRN_REFERENCE_FILE,
} crn_reference_kind;

typedef struct crn_study
{
    const crn_study_options *options;
    const crn_study_entry *entry; /* NULL: the argument is a scene */
    const char *scene_name;
    cairn_context *context;
    cairn_scene *scene; /* for names and the title */
    double until;
    cairn_integrator *integrators;
    int integrator_count;
    crn_study_events events[2]; /* each second-order scheme is run with each of these */
    int events_count;
    double *steps; /* falling */
    int step_count;
    bool steps_given;   /* otherwise, with a parameter varied, the rows are its values */
    char *parameter;    /* NULL: none is varied */
    char **assignments; /* "parameter=value" */
    double *values;     /* as numbers; NAN where the text is an expression */
    int value_count;
    crn_study_quantity quantities[CRN_STUDY_QUANTITIES];
    int quantity_count;
    crn_reference_kind reference_kind;
    bool fine_given; /* fine runs by this integrator, otherwise by each block's own */
    cairn_integrator fine_integrator;
    crn_study_state reference; /* truth or file */
    crn_study_block *blocks;
    int block_count;
    crn_study_run *runs; /* rows, block by block, then the fine runs */
    int row_count, run_count;
    int jobs;
    double wall;
} crn_study;

/* ------------------------------------------------------------------------------------------------------- parts */

/* "0.1", "1e-3", "2^-5" or "1/64". */
bool crn_study_number(const char *text, double *out);
/* Numbers with commas between, each also a range: "a:b" halves (or doubles) from a as far as b, "a:b:n" is n numbers at
 * equal ratios. All must be positive. The caller frees *out. Exit status, after a sentence that names the option. */
int crn_study_numbers(const char *option, const char *text, double **out, int *count);
/* The one step of a study that takes no more: *h stays as it is where none is given. Exit status, after a sentence. */
int crn_study_one_step(const char *study, const char *text, double *h);
/* The text up to the next comma outside of brackets; *rest is what follows it, NULL at the end. The caller frees it. */
char *crn_study_item(const char *text, const char **rest);

/* Exit status, after a sentence. */
int crn_study_quantity_parse(const cairn_model *model, const char *text, crn_study_quantity *out);
/* Its value in a state, where it has one: NAN for norms. */
double crn_study_quantity_value(const crn_study_quantity *quantity, const cairn_model *model,
                                const crn_study_state *state);
/* Its error. Components that the reference does not know are left out of norms; NAN when it knows none. `size`: the
 * magnitude of what was compared, for the level of rounding. */
double crn_study_quantity_error(const crn_study_quantity *quantity, const cairn_model *model,
                                const crn_study_state *state, const crn_study_state *reference, double *size);
const char *crn_study_quantity_unit(const crn_study_quantity *quantity);

/* A state of which nothing is known. False when memory ran out. */
bool crn_study_state_create(const cairn_model *model, crn_study_state *out);
/* What the entry's truth says at a time. False when it says nothing of that time. */
bool crn_study_state_truth(const crn_study_entry *entry, const cairn_model *model, double until,
                           crn_study_state *state);
/* The frame of a run file at a time. Exit status, after a sentence. */
int crn_study_state_file(const char *path, const cairn_model *model, double until, crn_study_state *state);

/* The values of --vary, which the scene is read with; then all other lists, which need the scene. Exit status, after a
 * sentence. */
int crn_study_read_values(crn_study *study);
int crn_study_read_lists(crn_study *study);

/* Everything before the first run: all that can be wrong with the input is found here. Exit status. */
int crn_study_plan(crn_study *study, const char *argument);
void crn_study_free(crn_study *study);

/* Settings of one run. */
cairn_settings crn_study_settings(const crn_study *study, const cairn_scene *scene, const crn_study_run *run);
/* Scene of one run; exit status. With `keep` the messages stay in the context. */
int crn_study_load(const crn_study *study, cairn_context *context, int value, bool keep, cairn_scene **out);
/* Do one run; adds its steps to *done as it goes. */
void crn_study_run_one(const crn_study *study, crn_study_run *run, atomic_llong *done);
/* Do all runs. False when memory ran out before the first. */
bool crn_study_run_all(crn_study *study);

crn_study_fit crn_study_fit_order(const double *h, const double *error, int count, double floor);
/* Errors, ratios, orders and costs, once the runs are done. False when memory ran out. */
bool crn_study_evaluate(crn_study *study);
/* The exit status of the whole. */
int crn_study_verdict(const crn_study *study);

void crn_study_print_text(const crn_study *study);
void crn_study_print_json(const crn_study *study);
/* "2^-5" for powers of two, otherwise the shortest decimal. */
void crn_study_step_text(double h, char *text, size_t size);
/* "trapezoid", or "trapezoid, events off, mu = 0.3". */
void crn_study_block_name(const crn_study *study, const crn_study_block *block, char *text, size_t size);
/* What the reference is, in words. */
void crn_study_reference_text(const crn_study *study, char *text, size_t size);

/* Exit status. */
int crn_study_draw(const crn_study *study);

/* An option that is given and changes what is run or shown, other than those allowed (up to NULL); NULL: there is none. */
const char *crn_study_given(const crn_study_options *options, const char *const *allowed);

#endif
