/* Time to a measured error of 1e-4 on heaps of spheres of growing size, in microseconds a contact: flat for a method whose
 * number of iterations does not grow. Each figure is the median over the moments of a heap. */
#include "bench.h"
#include "cli/plot/plot_chart.h"
#include "contest.h"
#include "growth_warm.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SIZES = 5,
    LIMIT_FACTOR = 60, /* calls may be this many times as long as in the contest */
    WIDTH = 560,
    HEIGHT = 380
};

static const int CONTACTS[SIZES] = {1000, 3000, 10000, 30000, 100000};
static const double TARGET = 1e-4;
static const char *const TITLES[HEAP_SHAPES] = {"heaps of spheres", "mounds of spheres, eight layers",
                                                "beds of spheres between walls, eight layers"};
static const char *const NAMES[HEAP_SHAPES] = {"heaps", "mounds", "beds"};

typedef struct growth
{
    heap_shape shape;
    int count;                                  /* sizes */
    int contacts[SIZES];                        /* as they came out */
    contest_result result[SIZES][CONTEST_MOST]; /* by own solver; 0 stands for auto */
    int warm_count;
    warm_result warm[SIZES][WARM_STRETCHES];
} growth;

static int by_time(const void *a, const void *b)
{
    const contest_result *x = a;
    const contest_result *y = b;
    double s = x->end == CONTEST_MET ? x->seconds : INFINITY;
    double t = y->end == CONTEST_MET ? y->seconds : INFINITY;
    return (s > t) - (s < t);
}

/* One solver on the moments of a heap: the result of median time, failures last. */
static contest_result measure_solver(bench_run *run, int solver, cairn_problem *const *problems)
{
    contest_result results[HEAP_MOMENTS];
    contest_rules rules = {TARGET, LIMIT_FACTOR * run->limit};
    for (int i = 0; i < HEAP_MOMENTS; ++i)
    {
        peer_form form = {.problem = problems[i]};
        results[i] = contest_run(solver, &form, &rules);
    }
    qsort(results, HEAP_MOMENTS, sizeof *results, by_time);
    return results[HEAP_MOMENTS / 2];
}

static bool measure_size(bench_run *run, growth *g, int wanted)
{
    cairn_context *context = cairn_context_create();
    cairn_problem *problems[HEAP_MOMENTS];
    bool there = true;
    for (int i = 0; i < HEAP_MOMENTS; ++i)
    {
        problems[i] = heaps_get(context, run->problems, g->shape, wanted, i);
        there = there && problems[i];
    }
    for (int k = 0; k < contest_own_count() && there; ++k)
    {
        /* who ran out of time on a smaller heap is not asked again */
        bool hopeless = g->count > 0 && g->result[g->count - 1][k].end != CONTEST_MET;
        g->result[g->count][k] = hopeless ? g->result[g->count - 1][k] : measure_solver(run, k, problems);
    }
    if (there)
        g->contacts[g->count++] = problems[HEAP_MOMENTS / 2]->contact_count;
    for (int i = 0; i < HEAP_MOMENTS; ++i)
        cairn_problem_destroy(problems[i]);
    cairn_context_destroy(context);
    return there;
}

static void print_size(const growth *g, int size)
{
    static const char *const ENDS[] = {"", "not met", "time up", "crash"};
    printf("  %8d", g->contacts[size]);
    for (int k = 0; k < contest_own_count(); ++k)
    {
        const contest_result *result = &g->result[size][k];
        if (result->end == CONTEST_MET)
            printf(" %9.2f (%4d)", 1e6 * result->seconds / g->contacts[size], result->iterations);
        else
            printf(" %16s", ENDS[result->end]);
    }
    printf("\n");
    fflush(stdout);
}

static void write_json(FILE *out, const growth *g)
{
    fprintf(out, "[");
    for (int i = 0; i < g->count; ++i)
    {
        fprintf(out, "%s\n    {\"contacts\": %d", i ? "," : "", g->contacts[i]);
        for (int k = 0; k < contest_own_count(); ++k)
        {
            const contest_result *result = &g->result[i][k];
            if (result->end == CONTEST_MET)
            {
                fprintf(out, ", \"%s\": {\"us_a_contact\": %.4g, \"iterations\": %d, \"certificate\": %.3g}",
                        contest_name(k), 1e6 * result->seconds / g->contacts[i], result->iterations,
                        result->error.certificate);
            }
            else
            {
                fprintf(out, ", \"%s\": null", contest_name(k));
            }
        }
        fprintf(out, "}");
    }
    fprintf(out, "\n  ]");
}

static void write_warm(FILE *out, const growth *g)
{
    static const char *const STRETCHES[WARM_STRETCHES] = {"landing", "after"};
    fprintf(out, "[");
    for (int i = 0; i < g->warm_count; ++i)
    {
        fprintf(out, "%s\n    {", i ? "," : "");
        for (int k = 0; k < WARM_STRETCHES; ++k)
        {
            const warm_result *w = &g->warm[i][k];
            fprintf(out, "%s\"%s\": {\"contacts\": %d, \"us_a_contact\": %.4g, \"sweeps\": %.4g, \"missed\": %d}",
                    k ? ", " : "", STRETCHES[k], w->contacts, w->us_a_contact, w->sweeps, w->missed);
        }
        fprintf(out, "}");
    }
    fprintf(out, "\n  ]");
}

static int make_curves(const growth *g, cli_curve *curves, double *points)
{
    int count = 0;
    for (int k = 0; k < contest_own_count(); ++k)
    {
        double *x = points + 2 * SIZES * (size_t)count;
        int length = 0;
        for (int i = 0; i < g->count; ++i)
        {
            if (g->result[i][k].end == CONTEST_MET)
            {
                x[length] = g->contacts[i];
                x[SIZES + length++] = 1e6 * g->result[i][k].seconds / g->contacts[i];
            }
        }
        if (length > 0)
        {
            curves[count] = (cli_curve){.name = contest_name(k), .x = x, .y = x + SIZES, .count = length};
            curves[count].colour = count;
            curves[count++].mark = CLI_MARK_DISC;
        }
    }
    return count;
}

static bool draw(const growth *g, const char *path)
{
    cli_curve curves[CONTEST_MOST];
    double points[2 * SIZES * CONTEST_MOST];
    cli_drawing drawing;
    cli_chart chart = {.title = TITLES[g->shape],
                       .x_label = "contacts",
                       .y_label = "us a contact to 1e-4",
                       .curves = curves,
                       .curve_count = make_curves(g, curves, points),
                       .legend = true,
                       .log = true,
                       .log_x = true};
    bool drawn = cli_drawing_open(&drawing, path, WIDTH, HEIGHT) == 0;
    if (drawn)
        cli_chart_draw(&drawing.canvas, &chart);
    return drawn && cli_drawing_close(&drawing) == 0;
}

static void print_head(heap_shape shape)
{
    printf("\nGrowth: us a contact (iterations) to a measured error of %g, %s\n  %8s", TARGET, TITLES[shape],
           "contacts");
    for (int k = 0; k < contest_own_count(); ++k)
        printf(" %16s", contest_name(k));
    printf("\n");
}

static void grow(bench_run *run, growth *g)
{
    static const char *const FILES[HEAP_SHAPES] = {"growth-heap.svg", "growth-mound.svg", "growth-bed.svg"};
    int sizes = run->quick ? 1 : SIZES;
    print_head(g->shape);
    for (int i = 0; i < sizes; ++i)
    {
        if (!measure_size(run, g, CONTACTS[i]))
        {
            bench_wrong(run, "a heap could not be made");
            break;
        }
        print_size(g, i);
        if (g->result[i][0].end != CONTEST_MET)
            bench_wrong(run, "auto on a heap");
    }
    if (run->figures)
    {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", run->figures, FILES[g->shape]);
        if (!draw(g, path))
            bench_wrong(run, path);
    }
}

static void print_warm(const warm_result w[WARM_STRETCHES])
{
    for (int k = 0; k < WARM_STRETCHES; ++k)
        printf("  %8d %8.2f %8.1f %6d", w[k].contacts, w[k].us_a_contact, w[k].sweeps, w[k].missed);
    printf("\n");
    fflush(stdout);
}

/* The same in a simulation, each step from the impulses of the one before. */
static void grow_warm(bench_run *run, growth *g)
{
    printf("\nWarm starts, gauss-seidel to a certificate of %g in a simulation, %s: landing, then after it\n", TARGET,
           TITLES[g->shape]);
    for (int k = 0; k < WARM_STRETCHES; ++k)
        printf("  %8s %8s %8s %6s", "contacts", "us each", "sweeps", "missed");
    printf("\n");
    int sizes = run->quick ? 1 : SIZES;
    while (g->warm_count < sizes)
    {
        warm_result *w = g->warm[g->warm_count];
        if (!growth_warm(g->shape, CONTACTS[g->warm_count], TARGET, LIMIT_FACTOR * run->limit, w))
        {
            bench_wrong(run, "a heap could not be simulated");
            return;
        }
        print_warm(w);
        g->warm_count++;
    }
}

void bench_growth(bench_run *run)
{
    if (run->json)
        fprintf(run->json, "{\"target\": %g", TARGET);
    int shapes = run->quick ? 1 : HEAP_SHAPES;
    for (int shape = 0; shape < shapes; ++shape)
    {
        growth g = {.shape = (heap_shape)shape};
        grow(run, &g);
        grow_warm(run, &g);
        if (run->json)
        {
            fprintf(run->json, ",\n   \"%s\": ", NAMES[shape]);
            write_json(run->json, &g);
            fprintf(run->json, ",\n   \"%s_warm\": ", NAMES[shape]);
            write_warm(run->json, &g);
        }
    }
    if (run->json)
        fprintf(run->json, "}");
}
