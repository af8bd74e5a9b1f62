/* The study `simple-shear`: the friction of a granular flow, mu(I).
 *
 * Discs at a fixed solid fraction are sheared in a periodic box. With V the area of the box and c the velocity of a disc relative to the
 * mean flow, the pressure tensor is
 *
 *     P_ij = 1/V ( sum over contacts f_i l_j + sum over discs m c_i c_j ) ,     l = (r_a + r_b + gap) n from b to a, f on a,
 *
 * averaged over time once the flow has settled. Then mu = -P_xy/P_yy, and the inertial number is I = rate sqrt(m/P_yy), m the mean mass of
 * a disc. Rigid grains have no other scale of time, so that each fraction has its own I. F. da Cruz et al. (Phys. Rev. E 72, 021309,
 * 2005) found mu = 0.25 + 1.1 I and a fraction of 0.81 - 0.3 I for discs of this friction and polydispersity, up to I = 0.2 or so.
 */
#include "cli/run/run.h"
#include "cli/study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BLOCKS = 5, /* parts of the time, whose means tell how accurate theirs is */
};

static const double SETTLES = 0.25; /* share of the time that is not counted */
static const double FIT[2] = {0.25, 1.1};

enum
{
    FRACTION,
    DILATED,
    INERTIAL,
    FRICTION,
    ERROR,
    FITTED,
    CONTACTS,
    PROFILE,
};

static const cli_column COLUMNS[] = {
    {"fraction", "fraction", 'f', 8, 3, NULL},
    {"fraction_fit", "0.81 - 0.3 I", 'f', 12, 3, NULL},
    {"inertial_number", "I", 'f', 8, 4, NULL},
    {"friction", "mu", 'f', 7, 3, "measured"},
    {"friction_error", "+-", 'f', 6, 3, NULL},
    {"friction_fit", "0.25 + 1.1 I", 'f', 12, 3, "0.25 + 1.1 I"},
    {"coordination", "contacts/disc", 'f', 13, 2, NULL},
    {"profile", "profile/rate", 'f', 12, 3, NULL},
    {0},
};

/* Sums over the steps of a part of the run. */
typedef struct sums
{
    double P[2][2], contacts, steps;
    double yy, yv; /* of the velocity profile */
} sums;

typedef struct flow
{
    cairn_simulation *simulation;
    const cairn_model *model;
    double size[3], rate, h;
    double *radius; /* per body */
} flow;

static double mass_of(double radius)
{
    return 4 * radius * radius; /* of the scene: 1 for a diameter of 1 */
}

static void add_contacts(const flow *f, sums *to)
{
    for (int i = 0; i < cairn_simulation_contact_count(f->simulation); ++i)
    {
        cairn_contact c = cairn_simulation_contact(f->simulation, i);
        int a = cairn_model_body_index(f->model, c.a), b = cairn_model_body_index(f->model, c.b);
        double branch = f->radius[a] + f->radius[b] + c.gap;
        to->contacts += c.impulse[0] > 0;
        for (int k = 0; k < 2; ++k)
            for (int j = 0; j < 2; ++j)
                to->P[k][j] +=
                    (c.impulse[0] * c.normal[k] + c.impulse[1] * c.tangent[0][k]) / f->h * branch * c.normal[j];
    }
}

/* The place of a disc in the box and its velocity there. */
static void add_discs(const flow *f, sums *to)
{
    for (int i = 0; i < cairn_model_body_count(f->model); ++i)
    {
        cairn_body_state at = cairn_simulation_body(f->simulation, cairn_model_body(f->model, i));
        double image = round(at.position[1] / f->size[1]), y = at.position[1] - image * f->size[1];
        double v = at.velocity[0] - image * f->size[1] * f->rate, c[2] = {v - f->rate * y, at.velocity[1]};
        to->yy += y * y;
        to->yv += y * v;
        for (int k = 0; k < 2; ++k)
            for (int j = 0; j < 2; ++j)
                to->P[k][j] += mass_of(f->radius[i]) * c[k] * c[j];
    }
}

static void measure(const flow *f, const sums parts[BLOCKS], double out[])
{
    sums all = {0};
    double mean = 0, square = 0, mass = 0, discs = cairn_model_body_count(f->model);
    for (int b = 0; b < BLOCKS; ++b)
    {
        double mu = -parts[b].P[0][1] / parts[b].P[1][1];
        mean += mu / BLOCKS;
        square += mu * mu / BLOCKS;
        all.P[0][1] += parts[b].P[0][1];
        all.P[1][1] += parts[b].P[1][1];
        all.contacts += parts[b].contacts;
        all.steps += parts[b].steps;
        all.yy += parts[b].yy;
        all.yv += parts[b].yv;
    }
    double area = 0;
    for (int i = 0; i < (int)discs; ++i)
    {
        mass += mass_of(f->radius[i]) / discs;
        area += acos(-1.0) * f->radius[i] * f->radius[i];
    }
    double P = all.P[1][1] / (all.steps * f->size[0] * f->size[1]);
    out[FRACTION] = area / (f->size[0] * f->size[1]);
    out[INERTIAL] = f->rate * sqrt(mass / P);
    out[FRICTION] = -all.P[0][1] / all.P[1][1];
    out[ERROR] = sqrt(fmax(0, square - mean * mean) / (BLOCKS - 1));
    out[DILATED] = 0.81 - 0.3 * out[INERTIAL];
    out[FITTED] = FIT[0] + FIT[1] * out[INERTIAL];
    out[CONTACTS] = 2 * all.contacts / (all.steps * discs);
    out[PROFILE] = all.yv / all.yy / f->rate;
}

/* -------------------------------------------------------------------------------------------------------- running */

static cairn_status open_flow(const cli_sweep *sweep, cairn_context *context, const cairn_scene *scene, flow *f)
{
    cairn_settings settings = cairn_scene_settings(scene);
    settings.step = sweep->h;
    f->h = sweep->h;
    f->model = cairn_scene_model(scene);
    cairn_model_periodic(f->model, f->size, &f->rate);
    f->radius = cli_allocate((size_t)cairn_model_body_count(f->model), sizeof *f->radius);
    for (int i = 0; i < cairn_model_shape_count(f->model); ++i)
    {
        cairn_shape_info info = cairn_model_shape_info(f->model, cairn_model_shape(f->model, i));
        f->radius[cairn_model_body_index(f->model, info.body)] = info.radius;
    }
    return cairn_simulation_create(context, f->model, &settings, &f->simulation);
}

static cairn_status run_one(const cli_sweep *sweep, cli_sweep_run *run, cairn_context *context, atomic_llong *done)
{
    flow f = {0};
    cairn_scene *scene;
    sums parts[BLOCKS];
    int64_t steps = cli_run_plan_steps(sweep->until, sweep->h).steps, first = (int64_t)(SETTLES * (double)steps);
    memset(parts, 0, sizeof parts);
    cairn_status status = cli_sweep_load_value(sweep, run->value, context, true, &scene) ? CAIRN_INVALID : CAIRN_OK;
    status = status ? status : open_flow(sweep, context, scene, &f);
    for (int64_t i = 0; i < steps && !status; ++i)
    {
        status = cli_sweep_step(run, f.simulation, done);
        if (status || i < first)
            continue;
        sums *to = &parts[(i - first) * BLOCKS / (steps - first)];
        add_contacts(&f, to);
        add_discs(&f, to);
        to->steps += 1;
    }
    if (!status)
        measure(&f, parts, run->numbers);
    free(f.radius);
    cairn_simulation_destroy(f.simulation);
    cairn_scene_destroy(scene);
    return status;
}

static int plan(cli_sweep *sweep, cairn_context *context)
{
    cairn_scene *scene;
    double size[3], rate = 0;
    int result = cli_sweep_load_value(sweep, sweep->runs[0].value, context, false, &scene);
    result = result ? result : cli_sweep_times(sweep, scene);
    if (!result)
        cairn_model_periodic(cairn_scene_model(scene), size, &rate);
    if (!result && rate == 0)
        result = cli_wrong("option --set: rate: a study of shear needs a rate other than 0");
    cairn_scene_destroy(scene);
    return result;
}

/* mu over I, from the slowest flow on. */
static int draw(const cli_sweep *sweep)
{
    const char *names[2] = {"measured", "0.25 + 1.1 I (da Cruz et al. 2005)"};
    double *numbers = cli_allocate(3 * (size_t)sweep->rows, sizeof *numbers);
    for (int i = 0; i < sweep->rows; ++i)
    {
        const cli_sweep_run *run = cli_sweep_row(sweep, 0, i);
        int at = 0; /* runs of a smaller I */
        for (int j = 0; j < sweep->rows; ++j)
        {
            double other = cli_sweep_row(sweep, 0, j)->numbers[INERTIAL], own = run->numbers[INERTIAL];
            at += other < own || (other == own && j < i);
        }
        numbers[at] = run->numbers[INERTIAL];
        numbers[sweep->rows + at] = run->numbers[FRICTION];
        numbers[2 * sweep->rows + at] = run->numbers[FITTED];
    }
    int result = cli_sweep_draw_curves(sweep->options->output, sweep->chart, names, 2, numbers, sweep->rows);
    free(numbers);
    return result;
}

int cli_study_shear(const cli_study_options *options)
{
    cli_sweep sweep = {.options = options,
                       .name = CLI_SHEAR_NAME,
                       .title = cairn_builtin_find(CLI_SHEAR_NAME)->title,
                       .note = "  mu: shear stress over pressure, and the error of its mean; I: inertial number; "
                               "profile: slope of the mean\n"
                               "  velocity; 0.25 + 1.1 I and 0.81 - 0.3 I: fits of da Cruz et al. 2005",
                       .allowed = (const char *const[]){"steps", "vary", "until", "set", NULL},
                       .refusal =
                           "the study '" CLI_SHEAR_NAME "' takes --vary fraction=LIST, --set, --steps H and --until",
                       .parameter = "fraction",
                       .values = "0.66,0.7,0.73,0.75,0.765,0.775",
                       .variation = "the fraction alone, as in fraction=0.7,0.75; --set changes the others",
                       .block_count = 1,
                       .columns = COLUMNS,
                       .chart = {.title = "Friction of sheared discs",
                                 .x_label = "inertial number I",
                                 .y_label = "effective friction mu"},
                       .plan = plan,
                       .run = run_one,
                       .draw = draw};
    return cli_sweep_perform(&sweep);
}
