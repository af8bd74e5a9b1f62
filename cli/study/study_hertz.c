/* Running the pressed and sheared ball with finer and finer patches, and the table of its errors. */
#include "cli/study/study_hertz.h"
#include "cli/common/cli.h"

#include "cli/common/json.h"
#include "cli/common/pool.h"
#include "cli/common/progress.h"
#include "cli/common/scene_source.h"
#include "cli/plot/plot_run.h"
#include "cli/run/run.h"
#include "cli/study/hertz.h"
#include "cli/study/study_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ERRORS = 4, /* approach, pressure, shift, shear */
    BLOCKS = 2, /* Poisson's ratios */
};

static const double YOUNG = 1e9; /* N/m^2 */
static const double POISSON[BLOCKS] = {0.0, 0.3};
static const char *const ERROR[ERRORS] = {"approach", "pressure", "shift", "shear"};

/* One run: what it is, then what came of it. Errors are relative; of pressure and shear they are the force that acts in the
 * wrong place, sum |f_i - f(r_i)|, over the whole force. */
typedef struct run
{
    double nu;
    int n;
    double errors[ERRORS];
    double pressed, stuck; /* radii of circles as large as the loaded and the sticking elements, over a */
    double theory;         /* c/a */
    double residual, wall;
    bool missed, failed;
    char message[256];
} run;

typedef struct study
{
    const cli_study_options *options;
    run *runs; /* block by block */
    int rows, count, jobs;
    int64_t steps;
    double wall;
} study;

/* ------------------------------------------------------------------------------------------------------ measuring */

/* Forces of the last step on the ball: their sum, and the friction of the contacts. */
static void sum_forces(const cairn_simulation *simulation, double h, double *P, double *Q, double *mu)
{
    *P = *Q = *mu = 0;
    for (int i = 0; i < cairn_simulation_contact_count(simulation); ++i)
    {
        cairn_contact c = cairn_simulation_contact(simulation, i);
        *P += c.impulse[0] / h;
        *Q += fabs(c.impulse[1] * c.tangent[0][0] + c.impulse[2] * c.tangent[1][0]) / h;
        *mu = c.friction;
    }
}

static void measure(const cairn_simulation *simulation, double h, double rho, run *r)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    cairn_body_state ball = cairn_simulation_body(simulation, cairn_model_find_body(model, "ball"));
    double P, Q, mu, radius = 0, area = rho * rho, pi = acos(-1.0), pressed = 0, stuck = 0;
    for (int i = 0; i < cairn_model_shape_count(model); ++i)
        radius = fmax(radius, cairn_model_shape_info(model, cairn_model_shape(model, i)).radius);
    sum_forces(simulation, h, &P, &Q, &mu);
    cli_hertz theory = cli_hertz_of(P, Q, mu, radius, YOUNG, r->nu);
    r->errors[0] = fabs((radius - ball.position[2]) / theory.approach - 1);
    r->errors[2] = fabs(ball.position[0] / theory.shift - 1);
    for (int i = 0; i < cairn_simulation_contact_count(simulation); ++i)
    {
        cairn_contact c = cairn_simulation_contact(simulation, i);
        double x = c.offset[0], y = c.offset[1], normal = c.impulse[0] / h;
        double along = fabs(c.impulse[1] * c.tangent[0][0] + c.impulse[2] * c.tangent[1][0]) / h;
        r->errors[1] += fabs(normal - area * cli_hertz_mean(&theory, cli_hertz_pressure, x, y, rho)) / P;
        r->errors[3] += fabs(along - area * cli_hertz_mean(&theory, cli_hertz_shear, x, y, rho)) / Q;
        bool loaded = normal > 1e-9 * P;
        pressed += loaded ? area : 0;
        stuck += loaded && hypot(c.impulse[1], c.impulse[2]) / h < (1 - 1e-6) * mu * normal ? area : 0;
    }
    r->pressed = sqrt(pressed / pi) / theory.a;
    r->stuck = sqrt(stuck / pi) / theory.a;
    r->theory = theory.c / theory.a;
}

/* -------------------------------------------------------------------------------------------------------- running */

static int load(const run *r, cairn_context *context, bool keep, cairn_scene **out)
{
    char n[32], young[32], nu[32];
    snprintf(n, sizeof n, "n=%d", r->n);
    snprintf(young, sizeof young, "young=%g", YOUNG);
    snprintf(nu, sizeof nu, "nu=%g", r->nu);
    const char *items[] = {n, young, nu};
    cli_text_list set = {.items = items, .count = 3};
    return cli_load_scene(context, CLI_HERTZ_NAME, &set, keep, out);
}

/* The side of an element, from the places of two neighbours; 0 for a lone one. */
static double spacing(const cairn_simulation *simulation)
{
    double least = INFINITY, first = 0;
    for (int i = 0; i < cairn_simulation_contact_count(simulation); ++i)
    {
        double x = cairn_simulation_contact(simulation, i).offset[0];
        first = i == 0 ? x : first;
        least = x != first ? fmin(least, fabs(x - first)) : least;
    }
    return isfinite(least) ? least : 0;
}

static cairn_status start_and_go(const study *s, run *r, cairn_context *context, atomic_llong *done)
{
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    cairn_status status = load(r, context, true, &scene) ? CAIRN_INVALID : CAIRN_OK;
    if (!status)
    {
        cairn_settings settings = cairn_scene_settings(scene);
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
    }
    for (int64_t i = 0; i < s->steps && !status; ++i)
    {
        status = cairn_simulation_step(simulation);
        const cairn_step_report *report = cairn_simulation_report(simulation);
        r->residual = fmax(r->residual, report->solver.certificate.relative);
        r->missed |= report->solver.outcome != CAIRN_SOLVED;
        atomic_fetch_add(done, 1);
    }
    if (!status)
        measure(simulation, cairn_scene_settings(scene).step, spacing(simulation), r);
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
    (void)index;
    const study *s = data;
    return s->steps;
}

/* ------------------------------------------------------------------------------------------------------- printing */

static const char *title(void)
{
    return cairn_builtin_find(CLI_HERTZ_NAME)->title;
}

static void print_text(const study *s)
{
    printf("%s: %s\n", CLI_HERTZ_NAME, title());
    printf("  errors relative to the closed forms; of pressure and shear: the force in the wrong place over the whole\n"
           "  radii of the loaded and of the sticking elements, as circles of their area, over the contact radius a\n");
    for (int b = 0; b < BLOCKS; ++b)
    {
        printf("\n  Poisson's ratio %g%s\n", POISSON[b],
               POISSON[b] == 0.0 ? "" : ", where Mindlin's solution is not exact: shear may point across the pull");
        printf("    n x n");
        for (int e = 0; e < ERRORS; ++e)
            printf("  %9s", ERROR[e]);
        printf("  loaded/a  stuck/a  (c/a)    residual  wall [s]\n");
        for (int i = 0; i < s->rows; ++i)
        {
            const run *r = &s->runs[b * s->rows + i];
            printf("    %2d x %-2d", r->n, r->n);
            for (int e = 0; e < ERRORS; ++e)
                printf("%s%9.2e", e ? "  " : " ", r->errors[e]);
            printf("  %8.3f  %7.3f  (%.3f)  %8.1e  %8.3g%s\n", r->pressed, r->stuck, r->theory, r->residual, r->wall,
                   r->missed ? "  missed-tolerance" : "");
        }
    }
}

static void put_run(cli_json *json, const run *r)
{
    cli_json_open(json, NULL, '{');
    cli_json_number(json, "poisson", r->nu);
    cli_json_integer(json, "n", r->n);
    for (int e = 0; e < ERRORS; ++e)
    {
        char key[32];
        snprintf(key, sizeof key, "%s_error", ERROR[e]);
        cli_json_number(json, key, r->errors[e]);
    }
    cli_json_number(json, "loaded_radius", r->pressed);
    cli_json_number(json, "stick_radius", r->stuck);
    cli_json_number(json, "stick_radius_mindlin", r->theory);
    cli_json_number(json, "residual", r->residual);
    cli_json_bool(json, "missed", r->missed);
    cli_json_number(json, "wall_s", r->wall);
    cli_json_close(json, '}');
}

static void print_json(const study *s)
{
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "study", CLI_HERTZ_NAME);
    cli_json_text(&json, "title", title());
    cli_json_open(&json, "rows", '[');
    for (int i = 0; i < s->count; ++i)
        put_run(&json, &s->runs[i]);
    cli_json_close(&json, ']');
    cli_json_integer(&json, "jobs", s->jobs);
    cli_json_number(&json, "wall_s", s->wall);
    cli_json_close(&json, '}');
    putchar('\n');
}

/* Errors over n, of the first Poisson's ratio. */
static int draw(const study *s)
{
    double *numbers = cli_allocate((size_t)(1 + ERRORS) * (size_t)s->rows, sizeof *numbers);
    for (int i = 0; i < s->rows; ++i)
    {
        numbers[i] = s->runs[i].n;
        for (int e = 0; e < ERRORS; ++e)
            numbers[(1 + e) * s->rows + i] = s->runs[i].errors[e];
    }
    const cli_chart chart = {.title = "Ball pressed and sheared: distance from Hertz and Mindlin",
                             .x_label = "elements across the patch",
                             .y_label = "relative error"};
    int status = cli_study_draw_curves(s->options->output, chart, ERROR, ERRORS, numbers, s->rows);
    free(numbers);
    return status;
}

/* ------------------------------------------------------------------------------------------------------- the study */

static int read_values(study *s)
{
    static const char NAME[] = "n=";
    const char *text = s->options->vary ? s->options->vary : "n=5,7,9,11,13";
    double *values;
    if (strncmp(text, NAME, sizeof NAME - 1) != 0)
        return cli_wrong("option --vary: this study varies n alone, the elements across the patch, as in n=5,7,9");
    int result = cli_study_numbers("vary", text + sizeof NAME - 1, &values, &s->rows);
    for (int i = 0; i < s->rows && !result; ++i)
        if (values[i] != floor(values[i]) || fmod(values[i], 2) != 1 || values[i] < 3)
            result = cli_wrong("option --vary: n: expected odd whole numbers from 3 on, found %g", values[i]);
    s->runs = result ? NULL : cli_allocate((size_t)(BLOCKS * s->rows), sizeof *s->runs);
    s->count = s->runs ? BLOCKS * s->rows : 0;
    for (int i = 0; i < s->count; ++i)
    {
        s->runs[i].n = (int)values[i % s->rows];
        s->runs[i].nu = POISSON[i / s->rows];
    }
    free(values);
    return result;
}

static int plan(study *s, cairn_context *context)
{
    const char *unfit = cli_study_given(s->options, (const char *const[]){"vary", NULL});
    if (unfit)
        return cli_wrong("option --%s: the study '%s' takes --vary n=LIST alone", unfit, CLI_HERTZ_NAME);
    int result = read_values(s);
    for (int i = 0; i < s->count && !result; ++i)
    {
        cairn_scene *scene = NULL;
        result = load(&s->runs[i], context, false, &scene);
        s->steps = result ? 0 : cli_run_plan_steps(cairn_scene_until(scene), cairn_scene_settings(scene).step).steps;
        cairn_scene_destroy(scene);
    }
    return result;
}

static int finish(study *s)
{
    int result = CLI_EXIT_DONE;
    for (int i = 0; i < s->count; ++i)
    {
        const run *r = &s->runs[i];
        if (r->failed)
            cli_error("n = %d: %s", r->n, r->message);
        result = r->failed || r->missed ? CLI_EXIT_FAILED : result;
    }
    int drawn = s->options->output ? draw(s) : CLI_EXIT_DONE;
    (s->options->json ? print_json : print_text)(s);
    return drawn ? drawn : result;
}

int cli_study_hertz(const cli_study_options *options)
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
    free(s.runs);
    cairn_context_destroy(context);
    return result;
}
