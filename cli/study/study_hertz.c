/* The study `hertz-mindlin`: a ball pressed and sheared on a plane. The errors of its patch of n x n elements against the closed
 * forms of Hertz and of Cattaneo and Mindlin, under refinement.
 */
#include "cli/run/run.h"
#include "cli/study/hertz.h"
#include "cli/study/sweep.h"

#include <math.h>
#include <stdio.h>

enum
{
    BLOCKS = 2, /* Poisson's ratios */
};

static const double YOUNG = 1e9; /* N/m^2 */
static const double POISSON[BLOCKS] = {0.0, 0.3};
static const char *const HEADINGS[BLOCKS] = {
    "Poisson's ratio 0", "Poisson's ratio 0.3, where Mindlin's solution is not exact: shear may point across the pull"};

static const cli_column COLUMNS[] = {
    {"poisson", NULL, 'g', 0, 0, NULL},
    {"n", "n", 'g', 4, 4, NULL},
    {"approach_error", "approach", 'e', 9, 2, "approach"},
    {"pressure_error", "pressure", 'e', 9, 2, "pressure"},
    {"shift_error", "shift", 'e', 9, 2, "shift"},
    {"shear_error", "shear", 'e', 9, 2, "shear"},
    {"loaded_radius", "loaded/a", 'f', 8, 3, NULL},
    {"stick_radius", "stuck/a", 'f', 7, 3, NULL},
    {"stick_radius_mindlin", "c/a", 'f', 7, 3, NULL},
    {0},
};

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

/* Errors are relative; those of pressure and shear are the force that acts in the wrong place, sum |f_i - f(r_i)|, over the whole
 * force. Radii are those of circles as large as the loaded and the sticking elements. */
static void measure(const cairn_simulation *simulation, double h, double rho, double nu, double out[])
{
    const cairn_model *model = cairn_simulation_model(simulation);
    cairn_body_state ball = cairn_simulation_body(simulation, cairn_model_find_body(model, "ball"));
    double P, Q, mu, radius = 0, area = rho * rho, pi = acos(-1.0), pressed = 0, stuck = 0;
    for (int i = 0; i < cairn_model_shape_count(model); ++i)
        radius = fmax(radius, cairn_model_shape_info(model, cairn_model_shape(model, i)).radius);
    sum_forces(simulation, h, &P, &Q, &mu);
    cli_hertz theory = cli_hertz_of(P, Q, mu, radius, YOUNG, nu);
    out[1] = fabs((radius - ball.position[2]) / theory.approach - 1);
    out[3] = fabs(ball.position[0] / theory.shift - 1);
    for (int i = 0; i < cairn_simulation_contact_count(simulation); ++i)
    {
        cairn_contact c = cairn_simulation_contact(simulation, i);
        double x = c.offset[0], y = c.offset[1], normal = c.impulse[0] / h;
        double along = fabs(c.impulse[1] * c.tangent[0][0] + c.impulse[2] * c.tangent[1][0]) / h;
        out[2] += fabs(normal - area * cli_hertz_mean(&theory, cli_hertz_pressure, x, y, rho)) / P;
        out[4] += fabs(along - area * cli_hertz_mean(&theory, cli_hertz_shear, x, y, rho)) / Q;
        bool loaded = normal > 1e-9 * P;
        pressed += loaded ? area : 0;
        stuck += loaded && hypot(c.impulse[1], c.impulse[2]) / h < (1 - 1e-6) * mu * normal ? area : 0;
    }
    out[5] = sqrt(pressed / pi) / theory.a;
    out[6] = sqrt(stuck / pi) / theory.a;
    out[7] = theory.c / theory.a;
}

/* -------------------------------------------------------------------------------------------------------- running */

static int load(const cli_sweep_run *run, cairn_context *context, bool keep, cairn_scene **out)
{
    char n[32], young[32], nu[32];
    snprintf(n, sizeof n, "n=%g", run->value);
    snprintf(young, sizeof young, "young=%g", YOUNG);
    snprintf(nu, sizeof nu, "nu=%g", POISSON[run->block]);
    const cli_text_list set = {.items = (const char *[]){n, young}, .count = 2};
    return cli_sweep_load(context, CLI_HERTZ_NAME, &set, nu, keep, out);
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

static cairn_status run_one(const cli_sweep *sweep, cli_sweep_run *run, cairn_context *context, atomic_llong *done)
{
    cairn_scene *scene;
    cairn_simulation *simulation = NULL;
    cairn_status status = load(run, context, true, &scene) ? CAIRN_INVALID : CAIRN_OK;
    if (!status)
    {
        cairn_settings settings = cairn_scene_settings(scene);
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
    }
    int64_t steps = cli_run_plan_steps(sweep->until, sweep->h).steps;
    for (int64_t i = 0; i < steps && !status; ++i)
        status = cli_sweep_step(run, simulation, done);
    run->numbers[0] = POISSON[run->block];
    run->numbers[1] = run->value;
    if (!status)
        measure(simulation, sweep->h, spacing(simulation), POISSON[run->block], run->numbers + 1);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    return status;
}

static int plan(cli_sweep *sweep, cairn_context *context)
{
    int result = CLI_EXIT_DONE;
    for (int i = 0; i < sweep->count && !result; ++i)
    {
        double n = sweep->runs[i].value;
        cairn_scene *scene;
        if (fmod(n, 2) != 1 || n < 3)
            return cli_wrong("option --vary: n: expected odd whole numbers from 3 on, found %g", n);
        result = load(&sweep->runs[i], context, false, &scene);
        result = result ? result : cli_sweep_times(sweep, scene);
        cairn_scene_destroy(scene);
    }
    return result;
}

int cli_study_hertz(const cli_study_options *options)
{
    cli_sweep sweep = {.options = options,
                       .name = CLI_HERTZ_NAME,
                       .title = cairn_builtin_find(CLI_HERTZ_NAME)->title,
                       .note = "  patches of n x n elements; errors relative to the closed forms; of pressure and "
                               "shear: the force in the wrong\n"
                               "  place over the whole; radii of the loaded and of the sticking elements, as circles "
                               "of their area, over the\n"
                               "  contact radius a; c: Mindlin's radius of sticking",
                       .allowed = (const char *const[]){"vary", NULL},
                       .refusal = "the study '" CLI_HERTZ_NAME "' takes --vary n=LIST alone",
                       .parameter = "n",
                       .values = "5,7,9,11,13",
                       .variation = "n alone, the elements across the patch, as in n=5,7,9",
                       .block_count = BLOCKS,
                       .headings = HEADINGS,
                       .columns = COLUMNS,
                       .chart = {.title = "Ball pressed and sheared: distance from Hertz and Mindlin",
                                 .x_label = "elements across the patch",
                                 .y_label = "relative error"},
                       .plan = plan,
                       .run = run_one};
    return cli_sweep_perform(&sweep);
}
