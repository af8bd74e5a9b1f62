#include "progress.h"

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

double crn_wall_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

crn_progress crn_progress_start(bool wanted, int64_t steps, double until)
{
    const char *terminal = getenv("TERM");
    bool dumb = terminal && !strcmp(terminal, "dumb");
    double now = crn_wall_time();
    return (crn_progress){.active = wanted && isatty(STDERR_FILENO) && !dumb,
                          .steps = steps,
                          .until = until,
                          .started = now,
                          .last = now};
}

static void draw(const crn_progress *progress, const cairn_step_report *report, double now)
{
    double part = progress->steps > 0 ? (double)report->step / (double)progress->steps : 1;
    part = part > 1 ? 1 : part;
    char bar[BAR_WIDTH + 1];
    for (int i = 0; i < BAR_WIDTH; ++i)
    {
        bar[i] = i < (int)(part * BAR_WIDTH) ? '#' : '.';
    }
    bar[BAR_WIDTH] = '\0';
    double left = part > 0 ? (now - progress->started) * (1 - part) / part : 0;
    fprintf(stderr,
            "\r[%s] %3.0f%%  step %" PRId64 "/%" PRId64 "  t %.4g/%.4g s  contacts %d  residual %.1e  ETA %.0f s\033[K",
            bar, 100 * part, report->step, progress->steps, report->time, progress->until, report->contacts,
            report->solver.certificate.relative, left);
    fflush(stderr);
}

void crn_progress_update(crn_progress *progress, const cairn_step_report *report)
{
    if (!progress->active)
    {
        return;
    }
    double now = crn_wall_time();
    if (now - progress->last >= 0.1)
    {
        draw(progress, report, now);
        progress->last = now;
        progress->drawn = true;
    }
}

void crn_progress_end(crn_progress *progress)
{
    if (progress->drawn)
    {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
