#include "profile.h"

#include "bench.h"
#include "cli/plot/plot_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    WIDTH = 620,
    HEIGHT = 400
};

static double seconds_of(const contest_result *result)
{
    return result->end == CONTEST_MET ? result->seconds + result->assembly : INFINITY;
}

/* The time of a solver; one of the peer's that comes in a form for the plane too has the better of both. */
static double time_of(const standing *s, int target, int solver)
{
    double seconds = seconds_of(&s->result[target][solver]);
    for (int k = contest_own_count(); k < contest_count() && solver >= contest_own_count(); ++k)
    {
        char planar[40];
        snprintf(planar, sizeof planar, "planar-%s", contest_name(solver));
        if (strcmp(contest_name(k), planar) == 0)
            seconds = fmin(seconds, seconds_of(&s->result[target][k]));
    }
    return seconds;
}

/* The quickest of all on a problem; infinite when none solved it. */
static double best_of(const standing *s, int target)
{
    double best = INFINITY;
    for (int k = 0; k < contest_count(); ++k)
        best = fmin(best, seconds_of(&s->result[target][k]));
    return best;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The curve of one solver as a staircase: its factors in order, up to the patience of the contest, above which calls were cut
 * off. x and y have room for 2 (problems + 1) points. The number of points. */
static int make_curve(const standings *all, int target, int solver, double *x, double *y)
{
    int solved = 0;
    for (int i = 0; i < all->count; ++i)
    {
        double best = best_of(&all->of[i], target);
        double factor = time_of(&all->of[i], target, solver) / best;
        if (isfinite(best) && factor <= all->patience)
            x[solved++] = factor;
    }
    qsort(x, (size_t)solved, sizeof *x, ascending);
    for (int i = solved - 1; i >= 0; --i)
    {
        x[2 * i + 1] = x[2 * i + 2] = x[i];
        y[2 * i + 1] = (double)i / all->count;
        y[2 * i + 2] = (i + 1.0) / all->count;
    }
    x[0] = 1;
    y[0] = 0;
    x[2 * solved + 1] = all->patience;
    y[2 * solved + 1] = (double)solved / all->count;
    return 2 * solved + 2;
}

/* Whether a solver has a curve of its own: those for the plane do not. */
static bool takes_part(const standings *all, int target, int solver)
{
    int taken = 0;
    for (int i = 0; i < all->count; ++i)
        taken += all->of[i].result[target][solver].end < CONTEST_NOT_TAKEN;
    return 2 * taken > all->count;
}

static int make_curves(const standings *all, int target, cli_curve *curves, char names[][40], double *points)
{
    int count = 0;
    size_t room = 2 * (size_t)all->count + 2;
    for (int k = 0; k < contest_count(); ++k)
    {
        bool own = k < contest_own_count();
        if (!takes_part(all, target, k))
            continue;
        double *x = points + 2 * room * (size_t)count;
        snprintf(names[count], sizeof names[count], "%s%s", own ? "" : "Siconos ", contest_name(k));
        curves[count] = (cli_curve){.name = names[count], .x = x, .y = x + room};
        curves[count].count = make_curve(all, target, k, x, x + room);
        curves[count].colour = own ? k : k - contest_own_count();
        curves[count].dash = own ? CLI_SOLID : CLI_DASHED;
        ++count;
    }
    return count;
}

bool profile_draw(const standings *all, int target, const char *path)
{
    cli_curve curves[CONTEST_MOST];
    char names[CONTEST_MOST][40], title[96];
    double *points = bench_memory((size_t)CONTEST_MOST * 4 * ((size_t)all->count + 1), sizeof *points);
    cli_drawing drawing;
    snprintf(title, sizeof title, "%d problems, measured error %g", all->count, CONTEST_TARGET[target]);
    cli_chart chart = {.title = title,
                       .x_label = "time over that of the quickest solver",
                       .y_label = "share of problems solved",
                       .curves = curves,
                       .curve_count = make_curves(all, target, curves, names, points),
                       .legend = true,
                       .log_x = true,
                       .has_xlim = true,
                       .has_ylim = true,
                       .xlim = {1, all->patience},
                       .ylim = {0, 1}};
    bool drawn = cli_drawing_open(&drawing, path, WIDTH, HEIGHT) == 0;
    if (drawn)
        cli_chart_draw(&drawing.canvas, &chart);
    drawn = drawn && cli_drawing_close(&drawing) == 0;
    free(points);
    return drawn;
}
