/* The study `silo`: how the stress of grains saturates with depth.
 *
 * H. A. Janssen (1895) balanced a slice of the grains between two walls that are D apart. Its weight is carried by the slice below and by
 * friction at the walls, mu K sigma each, K the ratio of horizontal to vertical stress:
 *
 *     d sigma/dz = w - 2 mu K/D sigma ,     sigma = w lambda (1 - exp(-z/lambda)) ,     lambda = D/(2 mu K)
 *
 * with w the weight per area. The floor sinks, so that friction is mobilised. Stresses and fractions of 16 slabs are averaged over the
 * time after that. K and w are measured; the stress above the floor is compared with Janssen's, and the depth lambda that fits the whole
 * profile with D/(2 mu K).
 */
#include "cli/run/run.h"
#include "cli/study/sweep.h"

#include "cairn/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SLABS = 16,
    EVERY = 20, /* steps between two measurements */
};

static const double SETTLES = 5.0; /* s: until the walls carry what they can */
static const double ENDS = 12.0;   /* s */
static const double G = 9.81;

enum
{
    FRICTION,
    FRACTION,
    RATIO,
    BOTTOM,
    JANSSEN,
    WEIGHT,
    DEPTH,
    THEORY,
};

static const cli_column COLUMNS[] = {
    {"wall_friction", "mu", 'f', 6, 2, NULL},
    {"fraction", "fraction", 'f', 8, 3, NULL},
    {"stress_ratio", "K", 'f', 6, 3, NULL},
    {"lowest_stress", "lowest/(N/m)", 'f', 12, 1, "above the floor"},
    {"janssen_stress", "Janssen/(N/m)", 'f', 13, 1, "Janssen"},
    {"weight_stress", "weight/(N/m)", 'f', 12, 1, NULL},
    {"saturation_depth", "depth/m", 'f', 8, 2, NULL},
    {"janssen_depth", "D/(2 mu K)", 'f', 10, 2, NULL},
    {0},
};

/* Means over time, from the lowest slab on. */
typedef struct profile
{
    double vertical[SLABS], horizontal[SLABS], fraction[SLABS];
    double D, slab; /* m: the width, the height of a slab */
    int count;
} profile;

static cairn_status add_slab(cairn_context *context, const cairn_simulation *simulation, int k, profile *p)
{
    static const char *const names[] = {"stress.yy", "stress.xx", "fraction"};
    double *to[] = {&p->vertical[k], &p->horizontal[k], &p->fraction[k]};
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < 3 && !status; ++i)
    {
        char name[40];
        double value = NAN;
        cairn_quantity quantity;
        snprintf(name, sizeof name, "slab%d.%s", k, names[i]);
        status = cairn_quantity_find(context, cairn_simulation_model(simulation), name, &quantity);
        status = status ? status : cairn_quantity_value(simulation, &quantity, &value);
        *to[i] += value;
    }
    return status;
}

/* Sums of squares between the profile and Janssen's with a depth; z is counted from where the grains end. */
static double misfit(const profile *p, double w, double top, double depth)
{
    double sum = 0;
    for (int k = 1; k < SLABS; ++k)
    {
        double z = top - (k + 0.5) * p->slab, off = p->vertical[k] - w * depth * (1 - exp(-z / depth));
        sum += z > 0 ? off * off : 0;
    }
    return sum;
}

/* The depth of the least misfit, by ever finer steps. */
static double fit(const profile *p, double w, double top)
{
    double best = p->D, step = 1.3;
    for (int round = 0; round < 40; ++round)
    {
        double smaller = best / step, larger = best * step;
        if (misfit(p, w, top, smaller) < misfit(p, w, top, best))
            best = smaller;
        else if (misfit(p, w, top, larger) < misfit(p, w, top, best))
            best = larger;
        else
            step = sqrt(step);
    }
    return best;
}

static void measure(profile *p, double mu, double out[])
{
    double fraction = 0, solid = 0, vertical = 0, horizontal = 0;
    for (int k = 0; k < SLABS; ++k)
    {
        p->vertical[k] /= p->count;
        p->horizontal[k] /= p->count;
        p->fraction[k] /= p->count;
        solid += p->fraction[k] * p->slab;
        if (k == 0 || k >= SLABS - 3)
            continue; /* the floor's own layer, and the surface */
        fraction += p->fraction[k] / (SLABS - 4);
        vertical += p->vertical[k];
        horizontal += p->horizontal[k];
    }
    double w = fraction * G, top = solid / fraction;
    out[FRICTION] = mu;
    out[FRACTION] = fraction;
    out[RATIO] = horizontal / vertical;
    out[DEPTH] = fit(p, w, top);
    out[THEORY] = p->D / (2 * mu * out[RATIO]);
    out[BOTTOM] = p->vertical[0];
    out[JANSSEN] = w * out[THEORY] * (1 - exp(-top / out[THEORY]));
    out[WEIGHT] = w * top;
}

/* -------------------------------------------------------------------------------------------------------- running */

static cairn_status follow(const cli_sweep *sweep, cli_sweep_run *run, cairn_context *context,
                           cairn_simulation *simulation, atomic_llong *done, profile *p)
{
    cairn_status status = CAIRN_OK;
    int64_t steps = cli_run_plan_steps(sweep->until, sweep->h).steps;
    for (int64_t i = 1; i <= steps && !status; ++i)
    {
        status = cli_sweep_step(run, simulation, done);
        if (status || i % EVERY != 0 || (double)i * sweep->h < fmin(SETTLES, 0.5 * sweep->until))
            continue;
        for (int k = 0; k < SLABS && !status; ++k)
            status = add_slab(context, simulation, k, p);
        ++p->count;
    }
    return status;
}

static cairn_status run_one(const cli_sweep *sweep, cli_sweep_run *run, cairn_context *context, atomic_llong *done)
{
    cairn_scene *scene;
    cairn_simulation *simulation = NULL;
    profile p = {0};
    cairn_status status = cli_sweep_load_value(sweep, run->value, context, true, &scene) ? CAIRN_INVALID : CAIRN_OK;
    if (!status)
    {
        const cairn_model *model = cairn_scene_model(scene);
        cairn_settings settings = cairn_scene_settings(scene);
        settings.step = sweep->h;
        cairn_statistic_options slab = cairn_model_statistic_options(model, cairn_model_find_statistic(model, "slab0"));
        p.D = slab.region.size[0];
        p.slab = slab.region.size[1];
        status = cairn_simulation_create(context, model, &settings, &simulation);
    }
    status = status ? status : follow(sweep, run, context, simulation, done, &p);
    if (!status)
        measure(&p, run->value, run->numbers);
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
    for (int i = 0; i < sweep->rows && !result; ++i)
        if (!(sweep->runs[i].value > 0))
            result = cli_wrong("option --vary: wall: smooth walls carry nothing; the friction must be greater than 0");
    cairn_scene_destroy(scene);
    return result;
}

int cli_study_silo(const cli_study_options *options)
{
    cli_sweep sweep = {
        .options = options,
        .name = CLI_SILO_NAME,
        .title = cairn_builtin_find(CLI_SILO_NAME)->title,
        .note = "  K: horizontal over vertical stress; lowest: the vertical stress above the floor; Janssen: with "
                "this K;\n"
                "  weight: between smooth walls; depth: of saturation, fitted to the whole profile; "
                "D/(2 mu K): Janssen's",
        .allowed = (const char *const[]){"steps", "vary", "until", "set", NULL},
        .refusal = "the study '" CLI_SILO_NAME "' takes --vary wall=LIST, --set, --steps H and --until",
        .parameter = "wall",
        .values = "0.2,0.3,0.5",
        .variation = "the friction of the walls alone, as in wall=0.2,0.4; --set changes the others",
        .block_count = 1,
        .columns = COLUMNS,
        .chart = {.title = "Saturation of the stress in a silo",
                  .x_label = "friction of the walls",
                  .y_label = "vertical stress (N/m)"},
        .plan = plan,
        .run = run_one};
    return cli_sweep_perform(&sweep);
}
