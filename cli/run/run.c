/* `cairn run`: options over the scene's settings, then the loop, then the summary. */
#include "cli/run/run.h"
#include "cli/common/cli.h"
#include "cli/common/out_file.h"
#include "cli/common/scene_source.h"
#include "cli/ranks/share.h"
#include "cli/run/run_limits.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* s of wall time between checkpoints where none is given. */
static const double CHECKPOINT_WALL = 600;

bool cli_run_until(cli_run_state *run)
{
    if (!isnan(run->options->until))
        run->until = run->options->until;
    if (!(run->until >= 0))
        return cli_error("option --until: expected a time of at least 0 s, found %g", run->until);
    return true;
}

/* Whether the table of --watch goes to standard output, in place of the summary. */
static bool prints_watch(const cli_run_options *options)
{
    return options->watch.count > 0 && !options->watch_file && !options->json && !options->quiet;
}

static int start_watch(cli_run_state *run)
{
    const cli_run_options *o = run->options;
    return cli_run_watch_start(&run->watch, run->context, run->scene, run->simulation, &o->watch,
                               prints_watch(o) ? "-" : o->watch_file);
}

cairn_recorder_options cli_run_recorder_options(const cli_run_state *run)
{
    const cli_run_options *o = run->options;
    cairn_recorder_options recorder = cairn_recorder_of(run->scene);
    recorder.scene_name = run->scene_name;
    cli_run_contents_apply(o, &recorder);
    recorder.watch = run->watch.watch;
    recorder.parameters = run->parameters;
    recorder.parameter_count = o->set.count;
    if (recorder.checkpoint_wall == 0)
        recorder.checkpoint_wall = CHECKPOINT_WALL;
    return recorder;
}

static int start_recording(cli_run_state *run)
{
    const cli_run_options *o = run->options;
    if (!o->output)
        return CLI_EXIT_DONE;
    cairn_recorder_options options = cli_run_recorder_options(run);
    cairn_status status = cairn_recorder_create(run->context, o->output, run->simulation, &options, &run->recorder);
    cli_messages_print(run->context);
    return status ? cli_out_status(status, o->output) : CLI_EXIT_DONE;
}

int cli_run_share(cli_run_state *run)
{
    if (cli_ranks_share() && run->settings.device == CAIRN_DEVICE_CPU && run->options->resume)
        return cli_wrong("the run was made with device cpu, which processes cannot share; resume it with one process");
    return cli_ranks_choose_device(&run->settings);
}

/* Settings, simulation and run file. Nothing is written before everything else has been checked. */
static int prepare(cli_run_state *run)
{
    run->settings = cairn_scene_settings(run->scene);
    run->until = cairn_scene_until(run->scene);
    bool named = cli_settings_apply(&run->options->settings, &run->settings);
    if (!cli_run_until(run) || !named)
        return CLI_EXIT_WRONG;
    cairn_status status = cairn_settings_check(run->context, &run->settings);
    if (!status && run->until / run->settings.step > 1e15)
        return cli_wrong("%g s in steps of %g s are more than 1e15 steps", run->until, run->settings.step);
    const cairn_model *model = cairn_scene_model(run->scene);
    int shared = status ? CLI_EXIT_DONE : cli_run_share(run);
    if (shared)
        return shared;
    status = status ? status : cairn_simulation_create(run->context, model, &run->settings, &run->simulation);
    cli_messages_print(run->context);
    int result = status ? cli_exit_status(status) : cli_run_from(run);
    result = result ? result : cli_run_state_load(run);
    result = result ? result : start_watch(run);
    result = result ? result : start_recording(run);
    return result ? result : cli_run_problems_start(&run->problems);
}

static void finish(cli_run_state *run)
{
    bool written = cli_run_limits_keep(run);
    written = cli_run_state_save(run) && written;
    written = cli_run_watch_finish(&run->watch) && written;
    written = !cairn_recorder_close(run->recorder, run->refused ? "failed" : run->status) && written;
    run->recorder = NULL;
    if (!written && run->exit_status <= CLI_EXIT_FAILED)
    {
        run->status = "failed";
        run->exit_status = CLI_EXIT_FAILED;
    }
    cli_messages_print(run->context);
    cli_run_physics_tell(&run->tally.physics, run->simulation);
    cli_run_limits_tell(run);
    if (!run->options->json && !run->options->quiet && !prints_watch(run->options))
        cli_run_print_text(run);
}

/* A scene from its beginning. */
static int load(cli_run_state *run)
{
    const cli_run_options *o = run->options;
    int result = cli_parameters_split(&o->set, &run->parameters);
    result = result ? result : cli_ranks_join(run->context);
    result = result ? result : cli_scene_load(run->context, run->scene_name, &o->set, false, &run->scene);
    return result ? result : prepare(run);
}

static void release(cli_run_state *run)
{
    cli_run_watch_free(&run->watch);
    cli_parameters_free(run->parameters, run->options->set.count);
    cairn_simulation_destroy(run->simulation);
    cairn_scene_destroy(run->scene);
    cairn_context_destroy(run->context);
    cli_memory_free(&run->memory);
}

static int run_scene(void *data, int count, char **arguments)
{
    const cli_run_options *options = data;
    if ((count == 0) == !options->resume)
        return count == 0 ? cli_wrong("an argument is missing: a scene, or a run file with --resume")
                          : cli_wrong("option --resume: the run file holds its scene; name no other");
    const char *name = count > 0 ? arguments[0] : options->resume;
    cli_run_state run = {
        .context = cli_context_create(), .options = options, .scene_name = name, .watch_names = options->watch};
    run.problems = (cli_run_problems){.every = options->save_problems,
                                      .directory = options->problems_directory,
                                      .layout = options->problems_layout,
                                      .scene = name,
                                      .context = run.context};
    int result = cli_run_limits_check(options);
    result = result ? result : cli_run_contents_check(options);
    result = result ? result : options->resume ? cli_run_resume(&run) : load(&run);
    run.exit_status = result;
    run.status = result == CLI_EXIT_WRONG ? "invalid" : "failed";
    if (!result)
    {
        cli_run_loop(&run);
        finish(&run);
    }
    if (options->json)
        cli_run_print_json(&run);
    result = run.exit_status;
    release(&run);
    return result;
}

int cli_command_run(int argc, char **argv)
{
    cli_run_options o = {.until = NAN, .compression = NAN};
    cli_option options[CLI_MOST_OPTIONS] = {
        {CLI_VALUE(TEXT, "output", 'o', &o.output, "FILE", "write a run file (HDF5); default: none")},
        {CLI_VALUE(NUMBER, "until", 't', &o.until, "T", "end time in s")},
        {CLI_VALUE(LIST, "set", 's', &o.set, "NAME=VALUE", "set a parameter of the scene; repeatable")},
        {CLI_VALUE(COUNT, "every", 0, &o.every, "N", "record every N-th step only")},
        {CLI_VALUE(NUMBER, "interval", 0, &o.interval, "T", "record a frame every T s of simulated time instead"),
         .least = DBL_MIN, .most = DBL_MAX, .expected = "a time above 0 s"},
        {CLI_VALUE(NAMES, "leave-out", 0, &o.leave_out, "GROUPS",
                   "leave contacts, velocities or joints out of the run file; separated by commas")},
        {CLI_VALUE(TEXT, "precision", 0, &o.precision, "WORD",
                   "single | double: of bodies, contacts and joints in the run file; default double")},
        {CLI_VALUE(NUMBER, "compression", 0, &o.compression, "N",
                   "compress large datasets of the run file, 0 (not) to 9; default 0"),
         .least = 0, .most = 9},
        {CLI_VALUE(COUNT, "save-problems", 0, &o.save_problems, "N",
                   "write the contact problem of every N-th step to a file")},
        {CLI_VALUE(TEXT, "problems-dir", 0, &o.problems_directory, "DIR",
                   "directory of these files; created when missing")},
        {CLI_VALUE(TEXT, "problems-layout", 0, &o.problems_layout, "NAME",
                   "global (M, H, f, w, mu) | local (W, q, mu), both FCLIB's | cairn, which stores "
                   "everything; default global")},
        {CLI_VALUE(TEXT, "save-state", 0, &o.save_state, "FILE", "write the state at the end, to continue from")},
        {CLI_VALUE(TEXT, "from-state", 0, &o.from_state, "FILE",
                   "continue from a state of the same scene and settings")},
        {CLI_VALUE(TEXT, "resume", 0, &o.resume, "RUN",
                   "continue the run of this file from its last checkpoint, in place of a scene")},
        {CLI_VALUE(TEXT, "from", 0, &o.from, "RUN[@T]",
                   "begin with the bodies where those of the same names are in this run file at time T; default: at "
                   "its end")},
        {CLI_VALUE(NUMBER, "checkpoint", 0, &o.checkpoint, "T", "write a checkpoint every T s of simulated time"),
         .least = DBL_MIN, .most = DBL_MAX, .expected = "a time above 0 s"},
        {CLI_VALUE(NUMBER, "checkpoint-wall", 0, &o.checkpoint_wall, "S",
                   "write a checkpoint every S s of wall time; default 600"),
         .least = DBL_MIN, .most = DBL_MAX, .expected = "a time above 0 s"},
        {CLI_VALUE(NUMBER, "wall-limit", 0, &o.wall_limit, "S",
                   "end after S s of wall time, with a checkpoint and exit status 3"),
         .least = DBL_MIN, .most = DBL_MAX, .expected = "a time above 0 s"},
        {CLI_VALUE(PARSED, "memory-limit", 0, &o.memory_limit, "BYTES",
                   "end when the process has needed that much memory, such as 500M or 8G, with a checkpoint and exit "
                   "status 3"),
         .parse = cli_run_limits_memory, .expected = "a number of bytes above 0, such as 500M or 8G"},
        {CLI_VALUE(LIST, "watch", 'w', &o.watch, "NAMES",
                   "print these quantities after every step, as a CSV table in place of the summary; separated by "
                   "commas, repeatable; 'cairn query SCENE quantities' lists them")},
        {CLI_VALUE(TEXT, "watch-file", 0, &o.watch_file, "FILE", "write that table to a file instead")},
        {CLI_FLAG("json", 0, &o.json, "print the summary as one JSON object")},
        {CLI_FLAG("quiet", 'q', &o.quiet, "no progress bar and no text summary")},
    };
    cli_settings_append(&o.settings, NULL, options);
    const cli_command command = {
        .usage = "run SCENE | --resume RUN [options]",
        .text =
            "Simulate a scene: a file, or the built-in scene of that name. Options override the scene's "
            "simulation\nsettings. The summary goes to standard output, progress (on a terminal) and messages to "
            "standard error.\nA signal ends the run after the current step, with a complete run file and a checkpoint "
            "to --resume from.\nSIGUSR1 writes a checkpoint, and the run goes on.",
        .options = options,
        .most = 1,
        .work = run_scene,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
