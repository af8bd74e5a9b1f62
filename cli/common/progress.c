#include "cli/common/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
    BAR_WIDTH = 24
};

double cli_wall_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

cli_progress cli_progress_start(bool wanted, int64_t steps, double until)
{
    const char *terminal = getenv("TERM");
    bool dumb = terminal && !strcmp(terminal, "dumb");
    double now = cli_wall_time();
    return (cli_progress){.active = wanted && isatty(STDERR_FILENO) && !dumb,
                          .steps = steps,
                          .until = until,
                          .started = now,
                          .last = now};
}

bool cli_progress_due(cli_progress *progress)
{
    double now = progress->active ? cli_wall_time() : 0;
    if (!progress->active || now - progress->last < 0.1)
        return false;
    progress->last = now;
    return true;
}

void cli_progress_draw(cli_progress *progress, double done, const char *text)
{
    char bar[BAR_WIDTH + 1];
    double part = progress->steps > 0 ? fmin(done / (double)progress->steps, 1) : 1;
    double left = part > 0 ? (progress->last - progress->started) * (1 - part) / part : 0;
    for (int i = 0; i < BAR_WIDTH; ++i)
        bar[i] = i < (int)(part * BAR_WIDTH) ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3.0f%%  %s  ETA %.0f s\033[K", bar, 100 * part, text, left);
    fflush(stderr);
    progress->drawn = true;
}

void cli_progress_update(cli_progress *progress, const cairn_step_report *report)
{
    char text[160];
    if (!cli_progress_due(progress))
        return;
    snprintf(text, sizeof text, "step %" PRId64 "/%" PRId64 "  t %.4g/%.4g s  contacts %d  residual %.1e", report->step,
             progress->steps, report->time, progress->until, report->contacts, report->solver.certificate.relative);
    cli_progress_draw(progress, (double)report->step, text);
}

void cli_progress_count(cli_progress *progress, int64_t done, const char *what)
{
    char text[160];
    if (!cli_progress_due(progress))
        return;
    snprintf(text, sizeof text, "%" PRId64 "/%" PRId64 " %s", done, progress->steps, what);
    cli_progress_draw(progress, (double)done, text);
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->drawn)
    {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
