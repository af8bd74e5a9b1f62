/* A run: its options, its state and its results. */
#ifndef CLI_RUN_RUN_H
#define CLI_RUN_RUN_H

#include "cli/common/cli.h"
#include "cli/common/options.h"
#include "cli/common/settings.h"
#include "cli/run/run_events.h"
#include "cli/run/run_joints.h"
#include "cli/run/run_physics.h"
#include "cli/run/run_problems.h"
#include "cli/run/run_watch.h"

typedef struct cli_run_options
{
    const char *output; /* NULL: no run file */
    double until;       /* NAN: the scene's */
    cli_settings settings;
    cli_text_list set;
    int every;       /* 0: every step */
    double interval; /* s between frames; 0: `every` counts */
    cli_text_list leave_out;
    const char *precision; /* NULL: double */
    double compression;    /* NAN: not given */
    int save_problems;     /* 0: none */
    const char *problems_directory, *problems_layout;
    const char *save_state, *from_state; /* files; NULL: none */
    const char *resume, *from;           /* run files; NULL: none */
    double checkpoint, checkpoint_wall;  /* s of simulated and of wall time between checkpoints; 0: not given */
    double wall_limit, memory_limit;     /* s, bytes; 0: none */
    cli_text_list watch;
    const char *watch_file; /* NULL: standard output, in place of the text summary */
    bool json, quiet;
} cli_run_options;

/* Results of the steps. */
typedef struct cli_run_tally
{
    int64_t steps;
    int64_t missed;            /* steps whose certificate missed the tolerance */
    int64_t limited;           /* steps whose large islands were swept within a budget (setting accuracy) */
    int64_t out_of_time;       /* of these, steps that the time limit ended */
    int64_t projection_missed; /* steps whose projection missed its tolerance */
    int64_t held;              /* steps in which overlaps could not be pushed out and were held */
    int64_t problems;          /* one-step problems solved */
    int64_t iterations, fallbacks, refactorisations;
    double residual, residual_time; /* largest relative certificate, and when */
    double penetration, joint_error;
    double push_out_speed;
    double lift_off; /* m: largest gap opened at a sliding contact (lift_off.h); NAN: not measured */
    int contacts_last, contacts_max;
    int islands_max, largest_island;         /* islands of a step; contacts of the largest */
    int null_space, velocity_null_space;     /* most of a step */
    int64_t null_space_step;                 /* the first with the largest null space */
    int unexamined_rows;                     /* of the largest island whose forces were not examined */
    int64_t redundant, unchosen, unexamined; /* steps: forces not unique; of these not those asked for; not known */
    const char *method;                      /* of the last step; NULL: none */
    double wall;                             /* s */
    cli_run_events events;
    cli_run_physics physics;
    cli_run_joints joints;
} cli_run_tally;

typedef struct cli_run_state
{
    cairn_context *context;
    const cli_run_options *options;
    const char *scene_name;
    cairn_parameter *parameters; /* of --set */
    cli_memory memory;           /* of texts that a checkpoint held */
    cli_text_list watch_names;   /* of --watch, now or when the run began */
    cairn_scene *scene;
    cairn_settings settings;
    double until;
    cairn_simulation *simulation;
    cairn_recorder *recorder; /* NULL: no run file */
    cli_run_problems problems;
    cli_run_watch watch;
    cli_run_tally tally;
    /* "done", "missed-tolerance", "violated-physics", "failed", "interrupted", or "invalid" when the input is wrong */
    const char *status;
    bool refused;  /* a step could not be made because the input is wrong */
    bool unusable; /* the last step was not recorded or kept, or is not finite: there is nothing to continue from */
    bool resumed;  /* this run goes on with another one */
    bool has_checkpoint;
    bool asked;         /* somebody wants a checkpoint */
    int ahead;          /* steps that a device takes while the state before them is recorded; 0: none */
    const char *limit;  /* that ended the run; NULL: none */
    double started;     /* s of the clock */
    double wall_before; /* s that processes before this one took */
    int exit_status;
} cli_run_state;

/* Whole steps to an end time, and the length of a shorter last one (0: none). */
typedef struct cli_run_plan
{
    int64_t steps;
    double last;
} cli_run_plan;

cli_run_plan cli_run_plan_steps(double until, double h);
/* The part of that plan which is left at a time between; a plan of its own where the time is not on the grid of steps. */
cli_run_plan cli_run_plan_rest(double time, double until, double h);

/* --from-state: continue from the file instead of the initial state. The exit status, after a sentence; also when the file of
 * --save-state cannot be written. */
int cli_run_state_load(cli_run_state *run);
/* --save-state: the state at the end. False after a sentence. */
bool cli_run_state_save(cli_run_state *run);

/* --resume: scene, settings, simulation and recorder from a run file and its checkpoint. The exit status, after a sentence. */
int cli_run_resume(cli_run_state *run);
/* --from: bodies by name from a frame of another run. The exit status, after a sentence. */
int cli_run_from(cli_run_state *run);
/* Under mpirun, before the scene is loaded: its populations may be left to the other processes. The exit status, after a sentence. */
int cli_run_join(cli_run_state *run);
/* Let them share the simulation (device ranks). Likewise. */
int cli_run_share(cli_run_state *run);
/* --until over the end that is set; false after a sentence. */
bool cli_run_until(cli_run_state *run);
cairn_recorder_options cli_run_recorder_options(const cli_run_state *run);
/* Options of what a run file holds: the exit status, after a sentence; and what was given, over what the scene says. */
int cli_run_contents_check(const cli_run_options *options);
void cli_run_contents_apply(const cli_run_options *options, cairn_recorder_options *recorder);
/* The path of the run file; NULL: none. */
const char *cli_run_file(const cli_run_state *run);
/* s of wall time that the run has taken so far, in this process and in those before it. */
double cli_run_wall(const cli_run_state *run);

/* Step to the end, a failure or a signal; fills the tally, the status and the exit status. */
void cli_run_loop(cli_run_state *run);

/* Whether all numbers of the last step are finite; a sentence that names the step and a body where not. */
bool cli_run_is_finite(const cli_run_state *run);

void cli_run_print_text(const cli_run_state *run);
/* Also for a run that failed during preparation: what is known, and the error. */
void cli_run_print_json(const cli_run_state *run);

#endif
