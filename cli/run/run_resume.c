/* `--resume RUN`: everything that the command line and the scene file said comes from the run file and its checkpoint.
 * `--from RUN@T`: the bodies of a scene begin where bodies of the same names are in a run of another scene. */
#include "cairn/checkpoint.h"

#include "cli/common/cli.h"
#include "cli/ranks/share.h"
#include "cli/run/run.h"
#include "cli/run/run_limits.h"
#include "cli/run/run_note.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- resume */

/* Results must not depend on where a run was interrupted, so that only what changes none may be given. */
static int check_options(const cli_run_options *o)
{
    const struct
    {
        bool given;
        const char *option;
    } refused[] = {{o->output, "output"},
                   {o->set.count > 0, "set"},
                   {o->every > 0, "every"},
                   {o->interval > 0, "interval"},
                   {o->leave_out.count > 0, "leave-out"},
                   {o->precision, "precision"},
                   {!isnan(o->compression), "compression"},
                   {o->save_problems > 0, "save-problems"},
                   {o->from_state, "from-state"},
                   {o->from, "from"},
                   {o->watch.count > 0, "watch"},
                   {o->watch_file, "watch-file"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
        if (refused[i].given)
            return cli_wrong("option --%s: a resumed run goes on as it began; only its end, its threads, checkpoints "
                             "and limits may be given",
                             refused[i].option);
    for (int i = 0; i < cairn_setting_count(); ++i)
        if (o->settings.given[i] && strcmp(cairn_setting_at(i)->name, "threads") != 0)
            return cli_wrong("setting '%s': a resumed run keeps its settings; only the number of threads may differ",
                             cairn_setting_at(i)->name);
    return CLI_EXIT_DONE;
}

/* Scene and settings of the run file. */
static cairn_status load_run(cli_run_state *run)
{
    cairn_run *file;
    cairn_status status = cairn_run_open(run->context, run->options->resume, &file);
    if (status)
        return status;
    const char *name = cairn_run_scene_name(file);
    run->scene_name = strcpy(cli_memory_take(&run->memory, strlen(name) + 1, 1), name);
    status = cairn_run_scene(file, &run->scene);
    status = status ? status : cairn_run_settings(file, &run->settings);
    cairn_run_close(file);
    return status;
}

static int start_simulation(cli_run_state *run, const cairn_checkpoint *checkpoint)
{
    size_t size;
    const void *note = cairn_checkpoint_note(checkpoint, &size);
    run->until = cairn_scene_until(run->scene);
    if (note && !cli_run_note_plan(note, size, run))
        return cli_wrong("checkpoint '%s' was written by another version of Cairn", cairn_checkpoint_path(checkpoint));
    if (!cli_settings_apply(&run->options->settings, &run->settings) || !cli_run_until(run))
        return CLI_EXIT_WRONG;
    double time = cairn_state_time(cairn_checkpoint_state(checkpoint));
    if (time > run->until)
        return cli_wrong("option --until: the run is at t = %.9g s already, after %.9g s", time, run->until);
    int shared = cli_run_share(run);
    if (shared)
        return shared;
    cairn_status status =
        cairn_simulation_create(run->context, cairn_scene_model(run->scene), &run->settings, &run->simulation);
    if (status)
        return cli_exit_status(status);
    return cli_run_watch_start(&run->watch, run->context, run->scene, run->simulation, &run->watch_names, NULL);
}

static int resume_from(cli_run_state *run, const cairn_checkpoint *checkpoint)
{
    int result = start_simulation(run, checkpoint);
    if (result)
        return result;
    cairn_recorder_options options = cli_run_recorder_options(run);
    cairn_status status = cairn_recorder_resume(run->context, run->options->resume, checkpoint, run->simulation,
                                                &options, &run->recorder);
    if (status)
        return cli_exit_status(status);
    size_t size;
    const void *note = cairn_checkpoint_note(checkpoint, &size);
    if (note)
        cli_run_note_unpack(note, run);
    run->wall_before = run->tally.wall;
    run->resumed = run->has_checkpoint = true;
    return CLI_EXIT_DONE;
}

int cli_run_resume(cli_run_state *run)
{
    int result = check_options(run->options);
    if (result)
        return result;
    cairn_checkpoint *checkpoint = NULL;
    result = cli_ranks_join(run->context);
    if (result)
        return result;
    cairn_status status = cairn_checkpoint_open(run->context, run->options->resume, &checkpoint);
    status = status ? status : load_run(run);
    if (status == CAIRN_IO && !checkpoint)
        status = CAIRN_INVALID; /* a path without a run or a checkpoint is wrong input */
    result = status ? cli_exit_status(status) : resume_from(run, checkpoint);
    cairn_checkpoint_close(checkpoint);
    cli_messages_print(run->context);
    return result;
}

/* -------------------------------------------------------------------------------------------------- start states */

/* "RUN@T" in two: the path, for the caller to free, and the time; INFINITY when there is none. */
static char *split(const char *text, double *time)
{
    const char *at = strrchr(text, '@');
    char *end = NULL;
    *time = at ? strtod(at + 1, &end) : INFINITY;
    bool timed = at && end != at + 1 && *end == '\0' && isfinite(*time);
    if (!timed)
        *time = INFINITY;
    return cli_text("%.*s", timed ? (int)(at - text) : (int)strlen(text), text);
}

static cairn_status place_bodies(cli_run_state *run, cairn_run *file, const char *path, double time)
{
    int64_t frame = cairn_run_frame_count(file) - 1;
    int placed;
    cairn_status status = isfinite(time) ? cairn_run_frame_at(file, time, &frame) : CAIRN_OK;
    double *times = cli_allocate((size_t)cairn_run_frame_count(file), sizeof *times);
    status = status ? status : cairn_run_read_series(file, "time", times);
    if (!status && frame < 0)
        status = cli_error("run file '%s' has no frame", path) ? CAIRN_OK : CAIRN_INVALID;
    double last = frame >= 0 ? times[cairn_run_frame_count(file) - 1] : 0, step = run->settings.step;
    if (!status && isfinite(time) && (time < times[0] - step || time > last + step))
    {
        cli_error("option --from: '%s' goes from t = %.9g s to %.9g s, and has no frame at %.9g s", path, times[0],
                  last, time);
        status = CAIRN_INVALID;
    }
    free(times);
    return status ? status : cairn_run_place(file, frame, run->simulation, &placed);
}

int cli_run_from(cli_run_state *run)
{
    if (!run->options->from)
        return CLI_EXIT_DONE;
    double time;
    char *path = split(run->options->from, &time);
    cairn_run *file;
    cairn_status status = cairn_run_open(run->context, path, &file);
    int result = status ? CLI_EXIT_WRONG : CLI_EXIT_DONE;
    if (!status)
    {
        result = cli_exit_status(place_bodies(run, file, path, time));
        cairn_run_close(file);
    }
    free(path);
    cli_messages_print(run->context);
    return result;
}
