/* `cairn run`: options over the scene's settings, then the loop, then the summary. */
#include "cli/run/run.h"
#include "cli/common/cli.h"
#include "cli/common/scene_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool apply_until(cli_run_state *run)
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

/* Settings, simulation and run file. Nothing is written before everything else has been checked. */
static int prepare(cli_run_state *run)
{
    run->settings = cairn_scene_settings(run->scene);
    run->until = cairn_scene_until(run->scene);
    bool named = cli_settings_apply(&run->options->settings, &run->settings);
    if (!apply_until(run) || !named)
        return CLI_EXIT_WRONG;
    cairn_status status = cairn_settings_check(run->context, &run->settings);
    if (!status && run->until / run->settings.step > 1e15)
        return cli_wrong("%g s in steps of %g s are more than 1e15 steps", run->until, run->settings.step);
    const cairn_model *model = cairn_scene_model(run->scene);
    status = status ? status : cairn_simulation_create(run->context, model, &run->settings, &run->simulation);
    cli_messages_print(run->context);
    int result = status ? cli_exit_status(status) : cli_run_state_load(run);
    result = result ? result : start_watch(run);
    if (!result && run->options->output)
    {
        cairn_recorder_options recorder = cairn_recorder_default();
        recorder.scene_name = run->scene_name;
        recorder.scene_text = cairn_scene_text(run->scene);
        recorder.every = run->options->every;
        recorder.watch = run->watch.watch;
        recorder.parameters = run->parameters;
        recorder.parameter_count = run->options->set.count;
        status = cairn_recorder_create(run->context, run->options->output, run->simulation, &recorder, &run->recorder);
    }
    cli_messages_print(run->context);
    if (status && !result)
        result = run->options->output ? cli_out_status(status, run->options->output) : cli_exit_status(status);
    return result ? result : cli_run_problems_start(&run->problems);
}

static void finish(cli_run_state *run)
{
    bool written = cli_run_state_save(run);
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
    if (!run->options->json && !run->options->quiet && !prints_watch(run->options))
        cli_run_print_text(run);
}

static int run_scene(void *data, int count, char **arguments)
{
    (void)count;
    const cli_run_options *options = data;
    const char *name = arguments[0];
    cli_run_state run = {.context = cli_context_create(), .options = options, .scene_name = name};
    run.problems = (cli_run_problems){.every = options->save_problems,
                                      .directory = options->problems_directory,
                                      .layout = options->problems_layout,
                                      .scene = name,
                                      .context = run.context};
    int result = cli_parameters_split(&options->set, &run.parameters);
    result = result ? result : cli_scene_load(run.context, name, &options->set, false, &run.scene);
    result = result ? result : prepare(&run);
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
    cli_run_watch_free(&run.watch);
    cli_parameters_free(run.parameters, options->set.count);
    cairn_simulation_destroy(run.simulation);
    cairn_scene_destroy(run.scene);
    cairn_context_destroy(run.context);
    return result;
}

int cli_command_run(int argc, char **argv)
{
    cli_run_options o = {.until = NAN, .every = 1};
    cli_option options[CLI_MOST_OPTIONS] = {
        {CLI_VALUE(TEXT, "output", 'o', &o.output, "FILE", "write a run file (HDF5); default: none")},
        {CLI_VALUE(NUMBER, "until", 't', &o.until, "T", "end time in s")},
        {CLI_VALUE(LIST, "set", 's', &o.set, "NAME=VALUE", "set a parameter of the scene; repeatable")},
        {CLI_VALUE(COUNT, "every", 0, &o.every, "N", "record every N-th step only")},
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
        {CLI_VALUE(LIST, "watch", 'w', &o.watch, "NAMES",
                   "print these quantities after every step, as a CSV table in place of the summary; separated by "
                   "commas, repeatable; 'cairn query SCENE quantities' lists them")},
        {CLI_VALUE(TEXT, "watch-file", 0, &o.watch_file, "FILE", "write that table to a file instead")},
        {CLI_FLAG("json", 0, &o.json, "print the summary as one JSON object")},
        {CLI_FLAG("quiet", 'q', &o.quiet, "no progress bar and no text summary")},
    };
    cli_settings_append(&o.settings, NULL, options);
    const cli_command command = {
        .usage = "run SCENE [options]",
        .text = "Simulate a scene: a file, or the built-in scene of that name. Options override the scene's "
                "simulation\nsettings. The summary goes to standard output, progress (on a terminal) and messages to "
                "standard error.\nA signal ends the run after the current step, with a complete run file.",
        .options = options,
        .least = 1,
        .most = 1,
        .work = run_scene,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
