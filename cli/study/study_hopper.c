/* The study `hopper`: the flow out of a hopper over the width of its opening.
 *
 * Beverloo's law (Chem. Eng. Sci. 15, 260, 1961) says that the mass that leaves in a second is
 *
 *     W = C rho sqrt(g) (D - k d)^(5/2) ,
 *
 * D the opening, d the diameter of the grains, rho the bulk density, k about 1.4 for spheres: grains fall freely from an arch over the
 * opening, in which those nearest to its rim take no part. The flow is the slope of the mass below the opening over time while the
 * share that has left goes from FROM to TO, and the exponent that of the least squares fit through all openings.
 */
#include "cli/run/run.h"
#include "cli/study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double K = 1.4, FROM = 0.1, TO = 0.6;

enum
{
    OPENING,
    WIDTH,
    FLOW,
    LEFT,
    SCALED,
    EXPONENT,
};

static const cli_column COLUMNS[] = {
    {"opening", "opening [m]", 'f', 11, 4, NULL},
    {"width", "D/d", 'f', 6, 2, NULL},
    {"flow", "flow [kg/s]", 'f', 11, 4, NULL},
    {"left", "left [%]", 'f', 8, 1, NULL},
    {"scaled_flow", "W/(rho_s sqrt(g) (D - 1.4 d)^2.5)", 'f', 10, 3, NULL},
    {"exponent", "exponent", 'f', 8, 3, NULL},
    {0},
};

/* A straight line through points by least squares. */
typedef struct line
{
    double n, x, y, xx, xy;
} line;

static void add_point(line *l, double x, double y)
{
    l->n += 1;
    l->x += x;
    l->y += y;
    l->xx += x * x;
    l->xy += x * y;
}

static double slope_of(const line *l)
{
    return l->n < 2 ? NAN : (l->n * l->xy - l->x * l->y) / (l->n * l->xx - l->x * l->x);
}

typedef struct flow
{
    cairn_simulation *simulation;
    const cairn_model *model;
    double *mass; /* kg, per body; 0: no grain */
    double total, diameter;
} flow;

static double mass_below(const flow *f)
{
    double sum = 0;
    for (int i = 0; i < cairn_model_body_count(f->model); ++i)
        if (f->mass[i] > 0 && cairn_simulation_body(f->simulation, cairn_model_body(f->model, i)).position[2] < 0)
            sum += f->mass[i];
    return sum;
}

/* -------------------------------------------------------------------------------------------------------- running */

/* Grains are the spheres of the scene, of the density 2500. */
static cairn_status open_flow(const cli_sweep *sweep, cairn_context *context, const cairn_scene *scene, flow *f)
{
    cairn_settings settings = cairn_scene_settings(scene);
    double grains = 0;
    settings.step = sweep->h;
    f->model = cairn_scene_model(scene);
    f->mass = cli_allocate((size_t)cairn_model_body_count(f->model), sizeof *f->mass);
    for (int i = 0; i < cairn_model_shape_count(f->model); ++i)
    {
        cairn_shape_info info = cairn_model_shape_info(f->model, cairn_model_shape(f->model, i));
        if (info.kind != CAIRN_SPHERE)
            continue;
        double mass = 2500 * 4.0 / 3.0 * acos(-1.0) * pow(info.radius, 3);
        f->mass[cairn_model_body_index(f->model, info.body)] = mass;
        f->total += mass;
        f->diameter += 2 * info.radius;
        grains += 1;
    }
    f->diameter /= grains;
    return cairn_simulation_create(context, f->model, &settings, &f->simulation);
}

static cairn_status run_one(const cli_sweep *sweep, cli_sweep_run *run, cairn_context *context, atomic_llong *done)
{
    flow f = {0};
    line course = {0};
    cairn_scene *scene;
    double below = 0;
    int64_t steps = cli_run_plan_steps(sweep->until, sweep->h).steps;
    cairn_status status = cli_sweep_load_value(sweep, run->value, context, true, &scene) ? CAIRN_INVALID : CAIRN_OK;
    status = status ? status : open_flow(sweep, context, scene, &f);
    for (int64_t i = 0; i < steps && !status && below < TO * f.total; ++i)
    {
        status = cli_sweep_step(run, f.simulation, done);
        below = status ? 0 : mass_below(&f);
        if (!status && below > FROM * f.total)
            add_point(&course, cairn_simulation_time(f.simulation), below);
    }
    if (!status)
    {
        double *out = run->numbers, free = run->value - K * f.diameter;
        out[OPENING] = run->value;
        out[WIDTH] = run->value / f.diameter;
        out[FLOW] = slope_of(&course);
        out[LEFT] = 100 * below / f.total;
        out[SCALED] = out[FLOW] / (2500 * sqrt(9.81) * pow(free, 2.5));
    }
    free(f.mass);
    cairn_simulation_destroy(f.simulation);
    cairn_scene_destroy(scene);
    return status;
}

/* The exponent of all openings up to each. */
static void measure(const cli_sweep *sweep, cli_sweep_run *run)
{
    line fit = {0};
    for (int i = 0; i < sweep->rows; ++i)
    {
        const cli_sweep_run *other = cli_sweep_row(sweep, 0, i);
        double width = other->numbers[OPENING] * (1 - K / other->numbers[WIDTH]);
        if (!other->failed && other->numbers[FLOW] > 0 && other->value <= run->value)
            add_point(&fit, log(width), log(other->numbers[FLOW]));
    }
    run->numbers[EXPONENT] = slope_of(&fit);
}

static int plan(cli_sweep *sweep, cairn_context *context)
{
    cairn_scene *scene;
    int result = cli_sweep_load_value(sweep, sweep->runs[0].value, context, false, &scene);
    result = result ? result : cli_sweep_times(sweep, scene);
    cairn_scene_destroy(scene);
    return result;
}

/* The flow over D - k d, and Beverloo's law through its middle. */
static int draw(const cli_sweep *sweep)
{
    const char *names[2] = {"measured", "(D - 1.4 d)^2.5"};
    double *numbers = cli_allocate(3 * (size_t)sweep->rows, sizeof *numbers), middle = 0;
    for (int i = 0; i < sweep->rows; ++i)
        middle += log(cli_sweep_row(sweep, 0, i)->numbers[SCALED]) / sweep->rows;
    for (int i = 0; i < sweep->rows; ++i)
    {
        const double *from = cli_sweep_row(sweep, 0, i)->numbers;
        numbers[i] = from[OPENING] * (1 - K / from[WIDTH]);
        numbers[sweep->rows + i] = from[FLOW];
        numbers[2 * sweep->rows + i] = exp(middle) * from[FLOW] / from[SCALED];
    }
    int result = cli_sweep_draw_curves(sweep->options->output, sweep->chart, names, 2, numbers, sweep->rows);
    free(numbers);
    return result;
}

int cli_study_hopper(const cli_study_options *options)
{
    cli_sweep sweep = {.options = options,
                       .name = CLI_HOPPER_NAME,
                       .title = cairn_builtin_find(CLI_HOPPER_NAME)->title,
                       .note = "  flow: of mass through the opening, while a tenth to six tenths of it leave; "
                               "exponent: of D - 1.4 d, over all\n"
                               "  openings up to this one; Beverloo et al. 1961: 2.5",
                       .allowed = (const char *const[]){"steps", "vary", "until", "set", NULL},
                       .refusal =
                           "the study '" CLI_HOPPER_NAME "' takes --vary opening=LIST, --set, --steps H and --until",
                       .parameter = "opening",
                       .values = "0.045,0.055,0.065,0.075",
                       .variation = "the opening alone, as in opening=0.05,0.06; --set changes the others",
                       .block_count = 1,
                       .columns = COLUMNS,
                       .chart = {.title = "Flow out of a hopper", .x_label = "D - 1.4 d [m]", .y_label = "flow [kg/s]"},
                       .plan = plan,
                       .run = run_one,
                       .measure = measure,
                       .draw = draw};
    return cli_sweep_perform(&sweep);
}
