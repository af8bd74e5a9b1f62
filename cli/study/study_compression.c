/* The study `compression`: balls under an isotropic stress until they jam.
 *
 * Without friction, N balls that bear forces and three plates have 3 N + 3 degrees of freedom, and each contact takes one. A jammed packing
 * of rigid balls at a prescribed stress is isostatic: the forces are determined, so that there are as many contacts as degrees of freedom
 * (C. F. Moukarzel, Phys. Rev. Lett. 81, 1634, 1998), 6 contacts per ball far from walls, and its fraction is that of random close packing,
 * 0.64 (O'Hern et al., Phys. Rev. E 68, 011306, 2003). With friction packings jam at fewer contacts, down to 4, and lower fractions, 0.55
 * to 0.6 (L. E. Silbert, Soft Matter 6, 2918, 2010).
 *
 * First the balls are compressed at the scene's step. Then steps of 1 s at accuracy `exact`, in which inertia hardly matters, lead to
 * rest. Walls order the balls beside them: the fraction is measured in the core.
 */
#include "cli/run/run.h"
#include "cli/study/sweep.h"

#include "cairn/quantity.h"
#include "cairn/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ENDS = 30.0;   /* s: of the compression */
static const double PATIENCE = 60; /* steps to rest, at most */
static const double LONG = 1.0;    /* s: each of them */
static const double STILL = 1e-9;  /* m: per step: the plates stand */

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
    {"fraction", "fraction", 'f', 8, 3, "solid fraction of the core"},
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

/* The same state in a simulation that solves exactly. */
static cairn_status go_over(cairn_context *context, cairn_simulation **simulation)
{
    cairn_state *state = NULL;
    cairn_simulation *exact = NULL;
    cairn_settings settings = *cairn_simulation_settings(*simulation);
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    settings.step = LONG;
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

static cairn_status come_to_rest(cli_sweep_run *run, cairn_context *context, cairn_simulation **simulation,
                                 atomic_llong *done)
{
    cairn_status status = go_over(context, simulation);
    double before = status ? 0 : places(context, *simulation);
    run->numbers[LEFT] = INFINITY;
    for (int i = 0; i < PATIENCE && !status && run->numbers[LEFT] > STILL; ++i)
    {
        status = cli_sweep_step(run, *simulation, done);
        double now = places(context, *simulation);
        run->numbers[LEFT] = fabs(now - before);
        before = now;
    }
    return status;
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
    status = status ? status : come_to_rest(run, context, &simulation, done);
    if (!status)
        measure(context, simulation, run->value, run->numbers);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
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
        .values = "1e-6,0.1,0.3,0.6",
        .variation = "the friction alone, as in mu=0.1,0.3 (1e-6 stands for none); --set changes the others",
        .block_count = 1,
        .columns = COLUMNS,
        .chart = {.title = "Balls compressed until they jam", .x_label = "friction", .y_label = "solid fraction"},
        .plan = plan,
        .run = run_one};
    return cli_sweep_perform(&sweep);
}
