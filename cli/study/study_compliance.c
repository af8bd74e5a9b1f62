/* The study `ellipse-compliance` (Song et al. 2004, section 6, Figure 5): as the compliance goes to 0, motion and summed
 * contact forces tend to those of the rigid body (Theorem 6).
 *
 * All runs take the same steps; the reference is the rigid run. The distance of two motions is the largest one at any time.
 * Forces differ by a lot for a few steps where one run begins to slide earlier than another, so their distance is the mean
 * over time.
 */
#include "cli/run/run.h"
#include "cli/study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MEASURES = 4, /* position, angle, normal force, friction force */
    TRACE = 5,    /* x, y, angle, normal force, friction force at a step */
};

/* Column 0 is eps; each measure is followed by its rate. */
static const cli_column COLUMNS[] = {
    {"eps", "eps [m2/N]", 'g', 10, 3, NULL},    {"position", "position [m]", 'e', 13, 4, "position [m]"},
    {"position_rate", "rate", 'f', 6, 2, NULL}, {"angle", "angle [rad]", 'e', 13, 4, "angle [rad]"},
    {"angle_rate", "rate", 'f', 6, 2, NULL},    {"normal", "normal [N]", 'e', 13, 4, "normal [N]"},
    {"normal_rate", "rate", 'f', 6, 2, NULL},   {"friction", "friction [N]", 'e', 13, 4, "friction [N]"},
    {"friction_rate", "rate", 'f', 6, 2, NULL}, {0},
};

static const char RIGID[] = "ellipse-rigid", COMPLIANT[] = "ellipse-compliant-1e-10", BODY[] = "ellipse";

/* -------------------------------------------------------------------------------------------------------- running */

/* The scene of a run: rigid for eps = 0, which has no patch and so takes neither n nor rho. */
static int load(const cli_sweep *sweep, cairn_context *context, double eps, bool keep, cairn_scene **out)
{
    const cli_text_list *given = &sweep->options->set;
    char value[64];
    if (eps > 0)
    {
        snprintf(value, sizeof value, "eps=%.17g", eps);
        return cli_sweep_load(context, COMPLIANT, given, value, keep, out);
    }
    const char **items = cli_allocate((size_t)given->count, sizeof *items);
    cli_text_list set = {.items = items};
    for (int i = 0; i < given->count; ++i)
        if (strncmp(given->items[i], "n=", 2) != 0 && strncmp(given->items[i], "rho=", 4) != 0)
            items[set.count++] = given->items[i];
    int result = cli_sweep_load(context, RIGID, &set, NULL, keep, out);
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

static cairn_status run_one(const cli_sweep *sweep, cli_sweep_run *run, cairn_context *context, atomic_llong *done)
{
    cairn_scene *scene;
    cairn_simulation *simulation = NULL;
    cairn_status status = load(sweep, context, run->value, true, &scene) ? CAIRN_INVALID : CAIRN_OK;
    int64_t steps = cli_run_plan_steps(sweep->until, sweep->h).steps;
    double(*trace)[TRACE] = cli_sweep_keep(run, ((size_t)steps + 1) * sizeof *trace);
    if (!status)
    {
        cairn_settings settings = cairn_scene_settings(scene);
        settings.step = sweep->h;
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
    }
    for (int64_t i = 0; i < steps && !status; ++i)
    {
        status = cli_sweep_step(run, simulation, done);
        note(simulation, cairn_model_find_body(cairn_scene_model(scene), BODY), sweep->h, trace[i]);
    }
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    return status;
}

/* Distances from the rigid run, and their observed orders in eps. */
static void measure(const cli_sweep *sweep, cli_sweep_run *run)
{
    const cli_sweep_run *rigid = &sweep->runs[0];
    const double(*a)[TRACE] = run->data, (*b)[TRACE] = rigid->data;
    int64_t steps = run->failed || rigid->failed ? 0 : cli_run_plan_steps(sweep->until, sweep->h).steps;
    double distance[MEASURES] = {0};
    for (int64_t i = 0; i < steps; ++i)
    {
        distance[0] = fmax(distance[0], hypot(a[i][0] - b[i][0], a[i][1] - b[i][1]));
        distance[1] = fmax(distance[1], fabs(a[i][2] - b[i][2]));
        distance[2] += fabs(a[i][3] - b[i][3]) / (double)steps;
        distance[3] += fabs(a[i][4] - b[i][4]) / (double)steps;
    }
    run->numbers[0] = run->value;
    for (int m = 0; m < MEASURES; ++m)
    {
        double *number = &run->numbers[1 + 2 * m], before = run > rigid + 1 ? run[-1].numbers[1 + 2 * m] : NAN;
        number[0] = distance[m];
        number[1] = isnan(before) ? NAN : log(before / distance[m]) / log(run[-1].value / run->value);
    }
}

/* -------------------------------------------------------------------------------------------------------- the study */

/* All scenes are loaded, so that a wrong one is found before the first run. */
static int plan(cli_sweep *sweep, cairn_context *context)
{
    int result = CLI_EXIT_DONE;
    for (int i = sweep->count - 1; i >= 0 && !result; --i)
    {
        cairn_scene *scene;
        result = load(sweep, context, sweep->runs[i].value, false, &scene);
        result = result || i > 0 ? result : cli_sweep_times(sweep, scene);
        cairn_scene_destroy(scene);
    }
    snprintf(
        sweep->note, sizeof sweep->note,
        "  distance of each run from the rigid one in steps of %g s to t = %g s: positions and angles the largest at "
        "any time,\n  summed contact forces the mean over time; rate: order in eps",
        sweep->h, sweep->until);
    return result;
}

static void put_json(const cli_sweep *sweep, cli_json *json)
{
    cli_json_number(json, "step", sweep->h);
    cli_json_number(json, "until", sweep->until);
    cli_sweep_put_rows(sweep, json, 1, sweep->rows);
}

int cli_study_compliance(const cli_study_options *options)
{
    cli_sweep sweep = {.options = options,
                       .name = CLI_COMPLIANCE_NAME,
                       .title = CLI_COMPLIANCE_TITLE,
                       .allowed = (const char *const[]){"steps", "vary", "until", "set", NULL},
                       .refusal =
                           "the study '" CLI_COMPLIANCE_NAME "' takes --vary eps=LIST, --set, --steps H and --until",
                       .parameter = "eps",
                       .values = "1e-9,1e-10,1e-11",
                       .variation = "eps alone, as in eps=1e-9,1e-10,1e-11; --set changes the others",
                       .references = 1,
                       .block_count = 1,
                       .columns = COLUMNS,
                       .chart = {.title = CLI_COMPLIANCE_TITLE,
                                 .x_label = "compliance eps (m²/N)",
                                 .y_label = "distance from the rigid run"},
                       .plan = plan,
                       .run = run_one,
                       .measure = measure,
                       .put_json = put_json};
    return cli_sweep_perform(&sweep);
}
