/* `--save-state` and `--from-state`: the end of a run as a file, and a run that continues from one.
 *
 * The file holds the bytes of a cairn_state (cairn/state.h), nothing else. A continued run takes the steps that the uninterrupted
 * run would have taken from there, with the same bits, as long as scene, parameters and settings are the same. */
#include "cairn/state.h"

#include "cli/common/cli.h"
#include "cli/common/out_file.h"
#include "cli/run/run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of a file, for the caller to free; NULL after a sentence. */
static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rbe");
    unsigned char *bytes = NULL;
    size_t capacity = 0;
    bool good = stream;
    errno = stream ? 0 : errno;
    *size = 0;
    while (good && !feof(stream))
    {
        if (*size == capacity)
        {
            capacity = capacity ? 2 * capacity : 1 << 16;
            bytes = cli_resize(bytes, capacity, 1);
        }
        *size += fread(bytes + *size, 1, capacity - *size, stream);
        good = !ferror(stream);
    }
    if (!good)
    {
        cli_error("'%s' cannot be read: %s", path, errno ? strerror(errno) : "a read failed");
        free(bytes);
        bytes = NULL;
    }
    if (stream)
        fclose(stream);
    return bytes;
}

/* Whether the state can be written at the end, found out before the first step. */
static bool can_save(const char *path)
{
    cli_out_file file;
    bool good = !path || cli_out_open(&file, path);
    if (path && good)
        cli_out_abandon(&file);
    return good;
}

int cli_run_state_load(cli_run_state *run)
{
    const char *path = run->options->from_state;
    if (!can_save(run->options->save_state))
        return CLI_EXIT_WRONG;
    if (!path)
        return CLI_EXIT_DONE;
    size_t size;
    unsigned char *bytes = read_file(path, &size);
    if (!bytes)
        return CLI_EXIT_WRONG;
    cairn_state *state = NULL;
    cairn_status status = cairn_state_from_bytes(run->context, bytes, size, &state);
    status = status ? status : cairn_simulation_restore(run->simulation, state);
    cairn_state_destroy(state);
    free(bytes);
    cli_messages_print(run->context);
    if (status)
    {
        cli_error("'%s' is not a state to continue from", path);
        return cli_exit_status(status);
    }
    double time = cairn_simulation_time(run->simulation);
    if (time > run->until)
        return cli_wrong("'%s' is at t = %.9g s, after the end of the run at %.9g s; give a later --until", path, time,
                         run->until);
    return CLI_EXIT_DONE;
}

bool cli_run_state_save(cli_run_state *run)
{
    const char *path = run->options->save_state;
    if (!path)
        return true;
    cairn_state *state;
    if (cairn_simulation_save(run->simulation, &state))
        return false;
    size_t size;
    const void *bytes = cairn_state_bytes(state, &size);
    cli_out_file file;
    bool good = cli_out_open(&file, path);
    if (good)
    {
        fwrite(bytes, 1, size, file.stream);
        good = cli_out_finish(&file);
    }
    cairn_state_destroy(state);
    return good;
}

cli_run_plan cli_run_plan_rest(double time, double until, double h)
{
    cli_run_plan plan = cli_run_plan_steps(until, h);
    double done = round(time / h);
    bool on_grid = fabs(time / h - done) <= 1e-9 * fmax(1, done) && done <= (double)plan.steps;
    if (!on_grid)
        return cli_run_plan_steps(until - time, h);
    plan.steps -= (int64_t)done;
    return plan;
}
