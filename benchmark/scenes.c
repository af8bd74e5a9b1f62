/* Whole steps: from the state to the next, certificate included. The stack is the one of the Lemke table; the built-in
 * scenes run as their files say. A step that is not certified within its tolerance counts as a wrong answer. */
#include "bench.h"
#include "boxes.h"

#include <stdlib.h>
#include <string.h>

static const char *const SCENES[] = {"box-stack",
                                     "two-bodies-damper-100",
                                     "two-bodies-heavy-1e8",
                                     "two-bars-damper-1000",
                                     "two-bars-mu-0.2",
                                     "cube-drop-corner",
                                     "lintel",
                                     "bouncing-balls"};

typedef struct bench_steps
{
    int count;
    double median; /* s a step */
    double total;  /* s */
    double worst;  /* certificate */
    int missed;
    long long pivots;
    int contacts; /* most in a step */
} bench_steps;

static bool run_steps(cairn_simulation *simulation, int count, bench_steps *out)
{
    double *times = bench_memory((size_t)count, sizeof *times);
    *out = (bench_steps){0};
    bool fine = true;
    while (fine && out->count < count)
    {
        double start = bench_now();
        fine = !cairn_simulation_step(simulation);
        times[out->count] = bench_now() - start;
        const cairn_step_report *report = cairn_simulation_report(simulation);
        if (fine)
        {
            out->total += times[out->count];
            out->count += 1;
            out->missed += report->solver.outcome != CAIRN_SOLVED;
            out->pivots += report->solver.iterations;
            out->contacts = report->contacts > out->contacts ? report->contacts : out->contacts;
            double relative = report->solver.certificate.relative;
            out->worst = relative <= out->worst ? out->worst : relative;
        }
    }
    out->median = out->count ? bench_median(times, out->count) : 0;
    free(times);
    return fine;
}

static void print_steps(bench_run *run, const char *name, const bench_steps *steps, bool fine)
{
    if (!fine || steps->missed)
        bench_wrong(run, name);
    double mean = steps->count ? 1e6 * steps->total / steps->count : 0;
    double pivots = steps->count ? (double)steps->pivots / steps->count : 0;
    printf("  %-32s %6d %9d %10.1f %10.1f %8.1f %9.1e\n", name, steps->count, steps->contacts, 1e6 * steps->median,
           mean, pivots, steps->worst);
    if (run->json)
    {
        fprintf(run->json, "%s    {\"scene\": \"%s\", \"steps\": %d, \"contacts\": %d, \"median_us\": %.3f, ",
                strcmp(name, "stack of 10 cubes") ? ",\n" : "", name, steps->count, steps->contacts,
                1e6 * steps->median);
        fprintf(run->json, "\"mean_us\": %.3f, \"pivots\": %.2f, \"certificate\": %.3e, \"missed\": %d}", mean, pivots,
                steps->worst, steps->missed);
    }
}

static void run_model(bench_run *run, const char *name, cairn_context *context, const cairn_model *model,
                      const cairn_settings *settings, int count)
{
    cairn_simulation *simulation = NULL;
    bench_steps steps = {0};
    bool fine = !cairn_simulation_create(context, model, settings, &simulation) &&
                run_steps(simulation, run->quick ? 5 : count, &steps);
    print_steps(run, name, &steps, fine);
    if (!fine)
        fprintf(stderr, "  %s\n", cairn_context_last_message(context));
    cairn_simulation_destroy(simulation);
}

static void run_stack(bench_run *run)
{
    cairn_context *context = cairn_context_create();
    cairn_model *model = bench_towers(context, 10, 10);
    cairn_settings settings = cairn_settings_default();
    settings.law = (cairn_law){CAIRN_LAW_PYRAMID, 4};
    run_model(run, "stack of 10 cubes", context, model, &settings, 200);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
}

static void run_builtin(bench_run *run, const char *name)
{
    const cairn_builtin *builtin = cairn_builtin_find(name);
    if (!builtin)
    {
        printf("  %-32s not built in\n", name);
        return;
    }
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    if (cairn_scene_parse(context, name, builtin->text, builtin->length, NULL, 0, &scene))
    {
        bench_wrong(run, name);
    }
    else
    {
        cairn_settings settings = cairn_scene_settings(scene);
        int count = (int)(cairn_scene_until(scene) / settings.step + 0.5);
        run_model(run, name, context, cairn_scene_model(scene), &settings, count);
    }
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

void bench_scenes(bench_run *run)
{
    printf("\nWhole steps: us a step, pivots a step, worst certificate\n");
    printf("  %-32s %6s %9s %10s %10s %8s %9s\n", "", "steps", "contacts", "median", "mean", "pivots", "worst");
    if (run->json)
        fprintf(run->json, "[\n");
    run_stack(run);
    for (size_t i = 0; i < sizeof SCENES / sizeof SCENES[0]; ++i)
        run_builtin(run, SCENES[i]);
    if (run->json)
        fprintf(run->json, "\n  ]");
}
