/* The study `compression`: balls under an isotropic stress until they jam.
 *
 * Without friction, N balls that bear forces and three plates have 3 N + 3 degrees of freedom, and each contact takes one. A jammed packing
 * of rigid balls at a prescribed stress is isostatic: the forces are determined, so that there are as many contacts as degrees of freedom
 * (C. F. Moukarzel, Phys. Rev. Lett. 81, 1634, 1998), 6 contacts per ball far from walls, and its fraction is that of random close packing,
 * 0.64 (O'Hern et al., Phys. Rev. E 68, 011306, 2003). With friction packings jam at fewer contacts, down to 4, and lower fractions, 0.55
 * to 0.6 (L. E. Silbert, Soft Matter 6, 2918, 2010).
 *
 * First the balls are compressed at the scene's step. Then steps of 0.1 s with many sweeps, in which inertia matters less, lead to rest. Smooth
 * balls go on with steps of 1 s at accuracy `exact`, since which contacts bear forces is asked to the last one; forces with friction are not
 * unique, and exact ones would take minutes. Walls order the balls beside them: the fraction is measured in the core.
 */
#include "cli/run/run.h"
#include "cli/study/sweep.h"

#include "cairn/quantity.h"
#include "cairn/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ENDS = 30.0; /* s: of the compression */

/* How packings are led to rest. */
typedef struct resting
{
    cairn_accuracy accuracy;
    int sweeps;     /* at most; 0: as many as it takes */
    double h;       /* s */
    int most, calm; /* steps at most, and steps in a row in which the plates stand ... */
    double still;   /* m: ... to this */
} resting;

static const resting SWEPT = {CAIRN_ACCURACY_BALANCED, 2000, 0.1, 400, 20, 2e-6},
                     EXACT = {CAIRN_ACCURACY_EXACT, 0, 1.0, 100, 1, 1e-9};
static const double CLOSE = 0.64, LOOSE = 0.55; /* fractions of random close and loose packing */

enum
{
    FRICTION,
    FRACTION,
    NEIGHBOURS,
    COUNT,
    PRESSURE,
    LEFT,
};

static const cli_column COLUMNS[] = {
    {"friction", "mu", 'f', 6, 2, NULL},
    {"fraction", "fraction", 'f', 8, 3, NULL},
    {"neighbours", "neighbours", 'f', 10, 2, NULL},
    {"contacts_per_freedom", "contacts/(3 N + 3)", 'f', 18, 4, NULL},
    {"pressure", "pressure/p", 'f', 10, 3, NULL},
    {"motion", "last motion/m", 'e', 13, 1, NULL},
    {0},
};

static double read(cairn_context *context, const cairn_simulation *simulation, const char *name)
{
    cairn_quantity quantity;
    double value = NAN;
    if (!cairn_quantity_find(context, cairn_simulation_model(simulation), name, &quantity))
        cairn_quantity_value(simulation, &quantity, &value);
    return value;
}

/* m: the sum of the places of the three plates. */
static double places(cairn_context *context, const cairn_simulation *simulation)
{
    return read(context, simulation, "px.x") + read(context, simulation, "py.y") + read(context, simulation, "pz.z");
}

/* The plates, too, are dynamic bodies with neighbours, each with one freedom that matters. */
static void measure(cairn_context *context, const cairn_simulation *simulation, double mu, double out[])
{
    double bodies = read(context, simulation, "grains.bodies"), rattlers = read(context, simulation, "grains.rattlers");
    double held = bodies - round(rattlers * bodies) - 3;
    out[FRICTION] = mu;
    out[FRACTION] = read(context, simulation, "core.fraction");
    out[NEIGHBOURS] = read(context, simulation, "core.backbone");
    out[COUNT] = read(context, simulation, "grains.contacts") / (3 * held + 3);
    out[PRESSURE] = read(context, simulation, "core.pressure");
}

/* -------------------------------------------------------------------------------------------------------- running */

/* The same state in a simulation with the settings that lead to rest. */
static cairn_status go_over(const resting *way, cairn_context *context, cairn_simulation **simulation)
{
    cairn_state *state = NULL;
    cairn_simulation *exact = NULL;
    cairn_settings settings = *cairn_simulation_settings(*simulation);
    settings.accuracy = way->accuracy;
    settings.solver.max_iterations = way->sweeps;
    settings.step = way->h;
    cairn_status status = cairn_simulation_save(*simulation, &state);
    if (!status)
        status = cairn_simulation_create(context, cairn_simulation_model(*simulation), &settings, &exact);
    if (!status)
        status = cairn_simulation_restore(exact, state);
    cairn_state_destroy(state);
    cairn_simulation_destroy(status ? exact : *simulation);
    *simulation = status ? *simulation : exact;
    return status;
}

static cairn_status come_to_rest(const resting *way, cli_sweep_run *run, cairn_context *context,
                                 cairn_simulation **simulation, atomic_llong *done)
{
    cairn_status status = go_over(way, context, simulation);
    double before = status ? 0 : places(context, *simulation);
    for (int i = 0, calm = 0; i < way->most && !status && calm < way->calm; ++i)
    {
        status = cli_sweep_step(run, *simulation, done);
        double now = places(context, *simulation);
        run->numbers[LEFT] = fabs(now - before);
        calm = run->numbers[LEFT] <= way->still ? calm + 1 : 0;
        before = now;
    }
    return status;
}

/* Balls that bear nothing may still fly, and touch others: stop them, and take one more step. */
static cairn_status stop(cli_sweep_run *run, cairn_simulation *simulation, atomic_llong *done)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < cairn_model_body_count(model) && !status; ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        cairn_body_state state = cairn_simulation_body(simulation, body);
        if (cairn_model_body_kind(model, body) != CAIRN_DYNAMIC)
            continue;
        memset(state.velocity, 0, sizeof state.velocity);
        memset(state.angular_velocity, 0, sizeof state.angular_velocity);
        status = cairn_simulation_set_body(simulation, body, &state);
    }
    return status ? status : cli_sweep_step(run, simulation, done);
}

static cairn_status run_one(const cli_sweep *sweep, cli_sweep_run *run, cairn_context *context, atomic_llong *done)
{
    cairn_scene *scene;
    cairn_simulation *simulation = NULL;
    int64_t steps = cli_run_plan_steps(sweep->until, sweep->h).steps;
    cairn_status status = cli_sweep_load_value(sweep, run->value, context, true, &scene) ? CAIRN_INVALID : CAIRN_OK;
    if (!status)
    {
        cairn_settings settings = cairn_scene_settings(scene);
        settings.step = sweep->h;
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
    }
    for (int64_t i = 0; i < steps && !status; ++i)
        status = cli_sweep_step(run, simulation, done);
    status = status ? status : come_to_rest(&SWEPT, run, context, &simulation, done);
    if (!status && run->value == 0)
        status = come_to_rest(&EXACT, run, context, &simulation, done);
    if (!status && run->value == 0)
        status = stop(run, simulation, done);
    if (!status)
        measure(context, simulation, run->value, run->numbers);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    return status;
}

/* The fraction over the friction, between those of random close and loose packing. */
static int draw(const cli_sweep *sweep)
{
    double *x = cli_allocate(2 * (size_t)sweep->rows, sizeof *x), *y = x + sweep->rows;
    for (int i = 0; i < sweep->rows; ++i)
    {
        x[i] = cli_sweep_row(sweep, 0, i)->value;
        y[i] = cli_sweep_row(sweep, 0, i)->numbers[FRACTION];
    }
    const double ends[2] = {0, x[sweep->rows - 1]}, close[2] = {CLOSE, CLOSE}, loose[2] = {LOOSE, LOOSE};
    const cli_curve curves[] = {
        {.name = "solid fraction of the core", .x = x, .y = y, .count = sweep->rows, .mark = CLI_MARK_DISC},
        {.name = "random close packing, 0.64", .x = ends, .y = close, .count = 2, .colour = 1, .dash = CLI_DASHED},
        {.name = "random loose packing, 0.55", .x = ends, .y = loose, .count = 2, .colour = 2, .dash = CLI_DOTTED}};
    cli_chart chart = sweep->chart;
    chart.curves = curves;
    chart.curve_count = 3;
    chart.legend = true;
    int status = cli_chart_write(&chart, sweep->options->output, 640, 440);
    free(x);
    return status;
}

static int plan(cli_sweep *sweep, cairn_context *context)
{
    cairn_scene *scene;
    int result = cli_sweep_load_value(sweep, sweep->runs[0].value, context, false, &scene);
    result = result ? result : cli_sweep_times(sweep, scene);
    if (!result && isnan(sweep->options->until))
        sweep->until = ENDS;
    cairn_scene_destroy(scene);
    return result;
}

int cli_study_compression(const cli_study_options *options)
{
    cli_sweep sweep = {
        .options = options,
        .name = CLI_COMPRESSION_NAME,
        .title = cairn_builtin_find(CLI_COMPRESSION_NAME)->title,
        .note = "  neighbours: of a ball in the core that bears forces; contacts/(3 N + 3): 1 where the "
                "forces are determined\n"
                "  without friction, 2/3 the least with friction; last motion: of the plates in a step",
        .allowed = (const char *const[]){"steps", "vary", "until", "set", NULL},
        .refusal = "the study '" CLI_COMPRESSION_NAME "' takes --vary mu=LIST, --set, --steps H and --until",
        .parameter = "mu",
        .values = "0,0.1,0.3,1",
        .takes_zero = true,
        .variation = "the friction alone, as in mu=0,0.1,0.3; --set changes the others",
        .block_count = 1,
        .columns = COLUMNS,
        .chart = {.title = "Balls compressed until they jam", .x_label = "friction", .y_label = "solid fraction"},
        .plan = plan,
        .draw = draw,
        .run = run_one};
    return cli_sweep_perform(&sweep);
}
