#include "cli/run/run_limits.h"

#include "cli/common/cli.h"
#include "cli/common/progress.h"
#include "cli/common/signals.h"
#include "cli/run/run_note.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

const char *cli_run_file(const cli_run_state *run)
{
    return run->options->resume ? run->options->resume : run->options->output;
}

double cli_run_wall(const cli_run_state *run)
{
    return run->wall_before + (run->started > 0 ? cli_wall_time() - run->started : 0);
}

bool cli_run_limits_memory(const char *text, void *bytes)
{
    static const char UNITS[] = "kMGT";
    char *end;
    double number = strtod(text, &end);
    const char *unit = *end ? strchr(UNITS, *end) : NULL;
    if (end == text || !(number > 0) || !isfinite(number) || (*end && (!unit || end[1])))
        return false;
    *(double *)bytes = unit ? number * pow(1024, (double)(unit - UNITS + 1)) : number;
    return true;
}

int cli_run_limits_check(const cli_run_options *options)
{
    bool file = options->output || options->resume;
    if (options->checkpoint > 0 && !file)
        return cli_wrong("option --checkpoint: checkpoints stand beside a run file; name one with -o");
    if (options->checkpoint_wall > 0 && !file)
        return cli_wrong("option --checkpoint-wall: checkpoints stand beside a run file; name one with -o");
    return CLI_EXIT_DONE;
}

/* Bytes: the most memory that the process has had. */
static double most_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return (double)usage.ru_maxrss;
#else
    return 1024 * (double)usage.ru_maxrss;
#endif
}

static bool checkpoint(cli_run_state *run)
{
    size_t size;
    void *note = cli_run_note_pack(run, &size);
    cairn_status status = cairn_recorder_checkpoint(run->recorder, run->simulation, note, size);
    free(note);
    cli_messages_print(run->context);
    run->has_checkpoint = run->has_checkpoint || !status;
    run->unusable = run->unusable || status; /* it is not tried again at the end */
    return status == CAIRN_OK;
}

bool cli_run_limits_step(cli_run_state *run)
{
    const cli_run_options *o = run->options;
    if (o->wall_limit > 0 && cli_wall_time() - run->started >= o->wall_limit)
        run->limit = "wall time";
    else if (o->memory_limit > 0 && most_memory() >= o->memory_limit)
        run->limit = "memory";
    if (!cli_run_limits_wants_checkpoint(run) || run->ahead > 0)
        return true;
    run->asked = false;
    return checkpoint(run);
}

bool cli_run_limits_wants_checkpoint(cli_run_state *run)
{
    run->asked = cli_signals_asked() || run->asked; /* which forgets the question */
    return run->recorder && (run->asked || cairn_recorder_checkpoint_due(run->recorder));
}

bool cli_run_limits_keep(cli_run_state *run)
{
    const cli_run_options *o = run->options;
    cairn_recording said = cairn_scene_recording(run->scene);
    bool wanted = run->has_checkpoint || run->limit || cli_signals_caught() || o->checkpoint > 0 ||
                  o->checkpoint_wall > 0 || o->wall_limit > 0 || o->memory_limit > 0 || said.checkpoint_interval > 0 ||
                  said.checkpoint_wall > 0;
    if (!run->recorder || !wanted || run->unusable)
        return true;
    return checkpoint(run);
}

void cli_run_limits_tell(const cli_run_state *run)
{
    const char *file = cli_run_file(run);
    double time = cairn_simulation_time(run->simulation);
    if (run->limit && !file)
        cli_error("the limit on %s ended the run at t = %.9g s", run->limit, time);
    else if (run->limit)
        cli_error("the limit on %s ended the run at t = %.9g s; 'cairn run --resume %s' continues it", run->limit, time,
                  file);
    else if (cli_signals_caught() && file && run->has_checkpoint)
        cli_error("a signal ended the run at t = %.9g s; 'cairn run --resume %s' continues it", time, file);
}
