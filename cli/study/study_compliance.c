/* Running the compliant ellipse beside the rigid one, and the table of their distances. */
#include "cli/study/study_compliance.h"
#include "cli/common/cli.h"

#include "cli/common/json.h"
#include "cli/common/pool.h"
#include "cli/common/progress.h"
#include "cli/common/scene_source.h"
#include "cli/plot/plot_run.h"
#include "cli/run/run.h"
#include "cli/study/study_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MEASURES = 4, /* position, angle, normal force, friction force */
    TRACE = 5,    /* x, y, angle, normal force, friction force at a step */
};

static const char RIGID[] = "ellipse-rigid", COMPLIANT[] = "ellipse-compliant-1e-10", BODY[] = "ellipse";
static const char *const MEASURE[MEASURES] = {"position [m]", "angle [rad]", "normal [N]", "friction [N]"};
static const char *const KEY[MEASURES] = {"position", "angle", "normal", "friction"};

/* A run: the first is the rigid one. */
typedef struct run
{
    double eps;             /* 0: rigid */
    double (*trace)[TRACE]; /* a step */
    int64_t steps;
    double distance[MEASURES]; /* from the rigid run */
    double residual, wall;
    bool missed, failed;
    char message[256];
} run;

typedef struct study
{
    const cli_study_options *options;
    run *runs;
    int count;
    double h, until, wall;
    int jobs;
} study;

/* -------------------------------------------------------------------------------------------------------- running */

static int load(const study *s, cairn_context *context, const run *r, bool keep, cairn_scene **out)
{
    const cli_text_list *given = &s->options->set;
    char value[64];
    snprintf(value, sizeof value, "eps=%.17g", r->eps);
    const char **items = cli_allocate((size_t)given->count + 1, sizeof *items);
    if (!items)
        return CLI_EXIT_FAILED;
    cli_text_list set = {.items = items, .count = 0};
    for (int i = 0; i < given->count; ++i)
    {
        /* the rigid scene has no patch */
        bool patch = !strncmp(given->items[i], "n=", 2) || !strncmp(given->items[i], "rho=", 4);
        if (r->eps > 0 || !patch)
            items[set.count++] = given->items[i];
    }
    if (r->eps > 0)
        items[set.count++] = value;
    int result = cli_load_scene(context, r->eps > 0 ? COMPLIANT : RIGID, &set, keep, out);
    free((void *)items);
    return result;
}

/* State and summed forces on the ellipse after a step. */
static void note(const cairn_simulation *simulation, cairn_body body, double h, double out[TRACE])
{
    cairn_body_state state = cairn_simulation_body(simulation, body);
    double force[2] = {0, 0};
    for (int i = 0; i < cairn_simulation_contact_count(simulation); ++i)
    {
        cairn_contact c = cairn_simulation_contact(simulation, i);
        double sign = c.a.id == body.id ? 1 : -1;
        for (int k = 0; k < 2; ++k)
            force[k] += sign * (c.impulse[0] * c.normal[k] + c.impulse[1] * c.tangent[0][k]) / h;
    }
    memcpy(out, (double[TRACE]){state.position[0], state.position[1], state.angle, force[1], force[0]},
           TRACE * sizeof(double));
}

static cairn_status go(const study *s, run *r, cairn_simulation *simulation, atomic_llong *done)
{
    cairn_body body = cairn_model_find_body(cairn_simulation_model(simulation), BODY);
    cairn_status status = CAIRN_OK;
    for (int64_t i = 0; i < r->steps && !status; ++i)
    {
        status = cairn_simulation_step(simulation);
        const cairn_step_report *report = cairn_simulation_report(simulation);
        r->residual = fmax(r->residual, report->solver.certificate.relative);
        r->missed |= report->solver.outcome != CAIRN_SOLVED;
        note(simulation, body, s->h, r->trace[i]);
        atomic_fetch_add(done, 1);
    }
    return status;
}

static cairn_status start_and_go(const study *s, run *r, cairn_context *context, atomic_llong *done)
{
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    cairn_status status = load(s, context, r, true, &scene) ? CAIRN_INVALID : CAIRN_OK;
    r->trace = cli_allocate((size_t)(r->steps + 1), sizeof *r->trace);
    if (!status)
    {
        cairn_settings settings = cairn_scene_settings(scene);
        settings.step = s->h;
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
    }
    status = status ? status : go(s, r, simulation, done);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    return status;
}

static void run_index(void *data, int index, atomic_llong *done)
{
    study *s = data;
    run *r = &s->runs[index];
    double started = cli_wall_time();
    cairn_context *context = cli_context_create();
    cairn_status status = start_and_go(s, r, context, done);
    if (status)
    {
        const char *text = cairn_context_last_message(context);
        r->failed = true;
        snprintf(r->message, sizeof r->message, "%s", *text ? text : cairn_status_text(status));
    }
    cairn_context_destroy(context);
    r->wall = cli_wall_time() - started;
}

static int64_t planned(const void *data, int index)
{
    const study *s = data;
    return s->runs[index].steps;
}

/* ------------------------------------------------------------------------------------------------------ measuring */

static void measure(const study *s, run *r)
{
    const run *rigid = &s->runs[0];
    for (int64_t i = 0; i < r->steps && !r->failed && !rigid->failed; ++i)
    {
        const double *a = r->trace[i], *b = rigid->trace[i];
        r->distance[0] = fmax(r->distance[0], hypot(a[0] - b[0], a[1] - b[1]));
        r->distance[1] = fmax(r->distance[1], fabs(a[2] - b[2]));
        r->distance[2] += fabs(a[3] - b[3]) / (double)r->steps;
        r->distance[3] += fabs(a[4] - b[4]) / (double)r->steps;
    }
}

/* Observed order in eps between a run and the one before it; NAN for the first. */
static double rate(const study *s, int index, int m)
{
    const run *r = &s->runs[index], *before = r - 1;
    return index > 1 ? log(before->distance[m] / r->distance[m]) / log(before->eps / r->eps) : NAN;
}

/* ------------------------------------------------------------------------------------------------------- printing */

static void print_text(const study *s)
{
    printf("%s: %s\n", CLI_COMPLIANCE_NAME, CLI_COMPLIANCE_TITLE);
    printf("  distance of each run from the rigid one in steps of %g s to t = %g s: positions and angles the largest "
           "at any "
           "time,\n  summed contact forces the mean over time; rate: order in eps\n\n",
           s->h, s->until);
    printf("    eps [m2/N]");
    for (int m = 0; m < MEASURES; ++m)
        printf("  %13s    rate", MEASURE[m]);
    printf("  residual  wall [s]\n");
    for (int i = 1; i < s->count; ++i)
    {
        const run *r = &s->runs[i];
        printf("    %10.3g", r->eps);
        for (int m = 0; m < MEASURES; ++m)
        {
            char text[16] = "-";
            if (i > 1)
                snprintf(text, sizeof text, "%.2f", rate(s, i, m));
            printf("  %13.4e  %6s", r->distance[m], text);
        }
        printf("  %8.1e  %8.3g%s\n", r->residual, r->wall, r->missed ? "  missed-tolerance" : "");
    }
}

static void print_json(const study *s)
{
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "study", CLI_COMPLIANCE_NAME);
    cli_json_text(&json, "title", CLI_COMPLIANCE_TITLE);
    cli_json_number(&json, "step", s->h);
    cli_json_number(&json, "until", s->until);
    cli_json_open(&json, "rows", '[');
    for (int i = 1; i < s->count; ++i)
    {
        const run *r = &s->runs[i];
        cli_json_open(&json, NULL, '{');
        cli_json_number(&json, "eps", r->eps);
        for (int m = 0; m < MEASURES; ++m)
        {
            char key[32];
            cli_json_number(&json, KEY[m], r->distance[m]);
            snprintf(key, sizeof key, "%s_rate", KEY[m]);
            cli_json_number(&json, key, rate(s, i, m));
        }
        cli_json_number(&json, "residual", r->residual);
        cli_json_bool(&json, "missed", r->missed);
        cli_json_number(&json, "wall_s", r->wall);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_integer(&json, "jobs", s->jobs);
    cli_json_number(&json, "wall_s", s->wall);
    cli_json_close(&json, '}');
    putchar('\n');
}

static int draw(const study *s)
{
    int rows = s->count - 1;
    double *numbers = cli_allocate((size_t)(1 + MEASURES) * (size_t)rows, sizeof *numbers);
    for (int i = 0; i < rows; ++i)
    {
        numbers[i] = s->runs[i + 1].eps;
        for (int m = 0; m < MEASURES; ++m)
            numbers[(1 + m) * rows + i] = s->runs[i + 1].distance[m];
    }
    const cli_chart chart = {
        .title = CLI_COMPLIANCE_TITLE, .x_label = "compliance eps (m²/N)", .y_label = "distance from the rigid run"};
    int status = cli_study_draw_curves(s->options->output, chart, MEASURE, MEASURES, numbers, rows);
    free(numbers);
    return status;
}

/* ------------------------------------------------------------------------------------------------------- the study */

/* The values of eps, falling, after the rigid run. */
static int read_values(study *s)
{
    static const char NAME[] = "eps=";
    const char *text = s->options->vary ? s->options->vary : "eps=1e-9,1e-10,1e-11";
    double *values;
    int count;
    if (strncmp(text, NAME, sizeof NAME - 1) != 0)
    {
        return cli_wrong(
            "option --vary: this study varies eps alone, as in eps=1e-9,1e-10,1e-11; --set changes the others");
    }
    int result = cli_study_numbers("vary", text + sizeof NAME - 1, &values, &count);
    if (result)
        return result;
    s->runs = cli_allocate((size_t)count + 1, sizeof *s->runs);
    s->count = count + 1;
    for (int i = 1; i < s->count; ++i)
        s->runs[i].eps = values[i - 1];
    free(values);
    return CLI_EXIT_DONE;
}

static int plan(study *s, cairn_context *context)
{
    static const char *const ALLOWED[] = {"steps", "vary", "until", "set", NULL};
    const char *unfit = cli_study_given(s->options, ALLOWED);
    cairn_scene *scene = NULL;
    if (unfit)
    {
        return cli_wrong("option --%s: the study '%s' takes --vary eps=LIST, --set, --steps H and --until", unfit,
                         CLI_COMPLIANCE_NAME);
    }
    int result = read_values(s);
    for (int i = s->count - 1; i >= 0 && !result; --i) /* the rigid scene stays loaded */
    {
        cairn_scene_destroy(scene);
        scene = NULL;
        result = load(s, context, &s->runs[i], false, &scene);
    }
    if (!result)
    {
        s->h = cairn_scene_settings(scene).step;
        result = cli_study_one_step(CLI_COMPLIANCE_NAME, s->options->steps, &s->h);
        s->until = isnan(s->options->until) ? cairn_scene_until(scene) : s->options->until;
    }
    cairn_scene_destroy(scene);
    if (!result && !(s->until >= s->h))
        result = cli_wrong("option --until: expected a time of at least one step, %g s, found %g", s->h, s->until);
    for (int i = 0; i < s->count && !result; ++i)
        s->runs[i].steps = cli_run_plan_steps(s->until, s->h).steps;
    return result;
}

static int finish(study *s)
{
    int result = CLI_EXIT_DONE;
    for (int i = 0; i < s->count; ++i)
    {
        run *r = &s->runs[i];
        measure(s, r);
        if (r->failed)
            cli_error("eps = %g: %s", r->eps, r->message);
        result = r->failed || r->missed ? CLI_EXIT_FAILED : result;
    }
    int drawn = s->options->output ? draw(s) : CLI_EXIT_DONE;
    (s->options->json ? print_json : print_text)(s);
    return drawn ? drawn : result;
}

int cli_study_compliance(const cli_study_options *options)
{
    study s = {.options = options};
    cairn_context *context = cli_context_create();
    int result = plan(&s, context);
    if (!result)
    {
        double started = cli_wall_time();
        const cli_pool_work work = {.count = s.count, .planned = planned, .run = run_index, .data = &s};
        s.jobs = cli_pool_threads(options->jobs, s.count);
        cli_pool_run(&work, s.jobs, options->quiet);
        s.wall = cli_wall_time() - started;
    }
    result = result ? result : finish(&s);
    for (int i = 0; i < s.count; ++i)
        free(s.runs[i].trace);
    free(s.runs);
    cairn_context_destroy(context);
    return result;
}
