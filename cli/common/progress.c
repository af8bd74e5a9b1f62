#include "cli/common/progress.h"

#include <inttypes.h>
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

/* A bar of what is done, and the seconds that are left. */
static void fill_bar(const cli_progress *progress, int64_t done, double now, char bar[BAR_WIDTH + 1], double *part,
                     double *left)
{
    *part = progress->steps > 0 ? (double)done / (double)progress->steps : 1;
    *part = *part > 1 ? 1 : *part;
    for (int i = 0; i < BAR_WIDTH; ++i)
        bar[i] = i < (int)(*part * BAR_WIDTH) ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    *left = *part > 0 ? (now - progress->started) * (1 - *part) / *part : 0;
}

/* Whether it is time to draw again. */
static bool due(cli_progress *progress, double now)
{
    if (!progress->active || now - progress->last < 0.1)
        return false;
    progress->last = now;
    progress->drawn = true;
    return true;
}

void cli_progress_update(cli_progress *progress, const cairn_step_report *report)
{
    double now = progress->active ? cli_wall_time() : 0, part, left;
    char bar[BAR_WIDTH + 1];
    if (!due(progress, now))
        return;
    fill_bar(progress, report->step, now, bar, &part, &left);
    fprintf(stderr,
            "\r[%s] %3.0f%%  step %" PRId64 "/%" PRId64 "  t %.4g/%.4g s  contacts %d  residual %.1e  ETA %.0f s\033[K",
            bar, 100 * part, report->step, progress->steps, report->time, progress->until, report->contacts,
            report->solver.certificate.relative, left);
    fflush(stderr);
}

void cli_progress_count(cli_progress *progress, int64_t done, const char *what)
{
    double now = progress->active ? cli_wall_time() : 0, part, left;
    char bar[BAR_WIDTH + 1];
    if (!due(progress, now))
        return;
    fill_bar(progress, done, now, bar, &part, &left);
    fprintf(stderr, "\r[%s] %3.0f%%  %" PRId64 "/%" PRId64 " %s  ETA %.0f s\033[K", bar, 100 * part, done,
            progress->steps, what, left);
    fflush(stderr);
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->drawn)
    {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
