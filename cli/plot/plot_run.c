/* Opening runs and reading frames. */
#include "cli/plot/plot_run.h"
#include "cli/common/cli.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_plot_report(const cairn_context *context, cairn_status status)
{
    int count = cairn_context_message_count(context);
    if (count == 0)
        cli_error("%s", cairn_status_text(status));
    for (int i = 0; i < count; ++i)
        cli_error("%s", cairn_context_message(context, i).text);
    return status == CAIRN_INVALID || status == CAIRN_IO || status == CAIRN_UNSUPPORTED ? 2 : 1;
}

int cli_plot_no_memory(void)
{
    return cli_fail("memory ran out");
}

static void name_run(cli_plot_run *run)
{
    const char *slash = strrchr(run->path, '/');
    snprintf(run->name, sizeof run->name, "%s", !slash ? run->path : slash + 1);
    char *dot = strrchr(run->name, '.');
    if (dot && dot != run->name)
        *dot = '\0';
}

static int read_times(cli_plot_run *run)
{
    run->time = cli_allocate((size_t)run->frame_count + 1, sizeof *run->time);
    run->states = cli_allocate((size_t)run->body_count + 1, sizeof *run->states);
    if (run->frame_count == 0)
        return 0;
    cairn_status status = cairn_run_read_series(run->run, "time", run->time);
    return status == CAIRN_OK ? 0 : cli_plot_report(run->context, status);
}

/* Open a truncated file. */
static bool open_cut(cli_plot_run *run, const char *path)
{
    if (cairn_run_open_cut(NULL, path, &run->run) != CAIRN_OK)
        return false;
    cairn_run_close(run->run);
    cairn_context_clear(run->context);
    run->cut = cairn_run_open_cut(run->context, path, &run->run) == CAIRN_OK;
    return run->cut;
}

void cli_plot_run_tell_cut(const cli_plot_run *run)
{
    if (run->cut && run->frame_count == 1)
        cli_error("run '%s' is truncated; its first frame is used", run->path);
    else if (run->cut)
        cli_error("run '%s' is truncated; its first %lld frames are used", run->path, (long long)run->frame_count);
}

static int open_run(cli_plot_run *run, const char *path, bool cut)
{
    *run = (cli_plot_run){.path = path};
    run->context = cli_context_create();
    cairn_status status = cairn_run_open(run->context, path, &run->run);
    if (status == CAIRN_INVALID && cut && open_cut(run, path))
        status = CAIRN_OK;
    if (status != CAIRN_OK)
    {
        run->run = NULL;
        return cli_plot_report(run->context, status);
    }
    name_run(run);
    run->dimension = cairn_run_dimension(run->run);
    run->body_count = cairn_run_body_count(run->run);
    run->frame_count = cairn_run_frame_count(run->run);
    assert(run->body_count >= 0 && run->frame_count >= 0);
    return read_times(run);
}

int cli_plot_run_open(cli_plot_run *run, const char *path)
{
    return open_run(run, path, false);
}

int cli_plot_run_open_cut(cli_plot_run *run, const char *path)
{
    return open_run(run, path, true);
}

void cli_plot_run_close(cli_plot_run *run)
{
    if (run->run)
        cairn_run_close(run->run);
    if (run->context)
        cairn_context_destroy(run->context);
    free(run->time);
    free(run->states);
    *run = (cli_plot_run){0};
}

int cli_plot_run_find_body(const cli_plot_run *run, const char *name, size_t length)
{
    for (int i = 0; i < run->body_count; ++i)
    {
        const char *candidate = cairn_run_body_name(run->run, i);
        if (strlen(candidate) == length && memcmp(candidate, name, length) == 0)
            return i;
    }
    return -1;
}

bool cli_plot_run_has_series(const cli_plot_run *run, const char *name)
{
    for (int i = 0; i < cairn_run_series_count(run->run); ++i)
        if (strcmp(cairn_run_series_name(run->run, i), name) == 0)
            return true;
    return false;
}

void cli_plot_run_span(const cli_plot_run *run, const cli_selection *selection, int64_t *begin, int64_t *end)
{
    *begin = 0;
    while (*begin < run->frame_count && !(run->time[*begin] >= selection->from))
        ++*begin;
    *end = *begin;
    while (*end < run->frame_count && run->time[*end] <= selection->to)
        ++*end;
    assert(*begin <= *end && *end <= run->frame_count);
}

int cli_plot_run_read(cli_plot_run *run, int64_t frame)
{
    assert(frame >= 0 && frame < run->frame_count);
    cairn_status status = cairn_run_read_frame(run->run, frame, run->states);
    return status == CAIRN_OK ? 0 : cli_plot_report(run->context, status);
}
