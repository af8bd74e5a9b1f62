/* Stepping by the wall clock, and the users' commands.
 *
 * While it plays, simulated time follows wall time times the speed; where steps take longer than that, simulated time
 * slows down. The steps are those of `cairn run`: the speed of display never changes the results.
 *
 * A dragged body is pulled by a spring that would hold the body's weight with a stretch of a fiftieth of the scene's size, critically
 * damped: k = m w^2, c = 2 m w, w^2 = 50 g / size.
 */
#include "cli/view/view_live.h"
#include "cli/common/cli.h"
#include "cli/common/progress.h"
#include "cli/common/scene_source.h"
#include "cli/ranks/share.h"
#include "cli/view/view_added.h"
#include "cli/view/view_joints.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_DEBT = 0.1; /* s of wall time that may be caught up with */
static const double EARTH = 9.81;
static const double MOST_TOGETHER = 1000; /* steps of a device */

static double length3(const double v[3])
{
    return hypot(hypot(v[0], v[1]), v[2]);
}

/* m: no point of the shape is farther from its body's origin; 0 for shapes without end. */
static double extent(const cairn_shape_info *shape, int dimension)
{
    double most = shape->radius + 0.5 * shape->length + shape->height + 0.5 * length3(shape->size);
    most = fmax(most, length3(shape->radii));
    for (int i = 0; i < shape->vertex_count; ++i)
    {
        double v[3] = {0};
        memcpy(v, shape->vertices + (size_t)(dimension * i), (size_t)dimension * sizeof(double));
        most = fmax(most, length3(v));
    }
    return most + length3(shape->position);
}

/* The largest side of the box around all bodies that move; where none has a shape, that of the mechanism. */
static double size_of(const cli_view_live *live)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
    for (int i = 0; i < cairn_model_shape_count(live->model); ++i)
    {
        cairn_shape_info shape = cairn_model_shape_info(live->model, cairn_model_shape(live->model, i));
        if (cairn_model_body_kind(live->model, shape.body) != CAIRN_DYNAMIC)
            continue;
        double reach = extent(&shape, cairn_model_dimension(live->model));
        cairn_body_state state = cairn_simulation_body(live->simulation, shape.body);
        for (int k = 0; k < cairn_model_dimension(live->model); ++k)
        {
            low[k] = fmin(low[k], state.position[k] - reach);
            high[k] = fmax(high[k], state.position[k] + reach);
        }
    }
    for (int k = 0; k < 3; ++k)
        size = fmax(size, high[k] - low[k]);
    if (!(size > 0))
    {
        cli_mechanism mechanism;
        cli_mechanism_open(&mechanism, live->model);
        size = mechanism.size;
        cli_mechanism_close(&mechanism);
    }
    return isfinite(size) && size > 0 ? size : 1.0;
}

void cli_view_live_sample(cli_view_live *live)
{
    cli_view_sample_open(&live->sample, live->model, NULL, cairn_model_body_count(live->model), live->most);
}

/* There is nothing left to show: as where memory runs out, the tool ends. */
static void give_up(cli_view_live *live, cairn_status status)
{
    cli_messages_print(live->context);
    exit(cli_exit_status(status));
}

static cairn_status restart(cli_view_live *live)
{
    cairn_simulation *fresh;
    bool is_first = !live->simulation;
    cli_view_free_drives(live);
    cli_view_remove_added(live);
    cli_view_live_sample(live);
    if (live->is_shared)
    {
        cairn_simulation_destroy(live->simulation);
        live->simulation = NULL;
    }
    cairn_status status = cairn_simulation_create(live->context, live->model, &live->settings, &fresh);
    if (status && live->is_shared && !is_first)
        give_up(live, status);
    if (!status)
    {
        cairn_simulation_destroy(live->simulation);
        live->simulation = fresh;
        live->step = 0;
        live->debt = 0;
        live->grabbed = false;
        live->friction = NAN;
        cairn_model_gravity(live->model, live->gravity);
        live->error[0] = '\0';
        ++live->frames;
        ++live->versions;
    }
    return status;
}

int cli_view_live_open(cli_view_live *live, const char *scene, const cli_run_options *options, int most)
{
    *live = (cli_view_live){.name = scene, .playing = true, .speed = 1, .friction = NAN, .most = most};
    live->context = cli_context_create();
    live->is_shared = cli_ranks_share();
    int result = cli_ranks_join(live->context);
    result = result ? result : cli_scene_load(live->context, scene, &options->set, false, &live->scene);
    if (!result)
    {
        live->model = cairn_scene_model(live->scene);
        live->settings = cairn_scene_settings(live->scene);
        live->states =
            cli_allocate((size_t)cairn_model_body_count(live->model) + CLI_VIEW_MOST_ADDED + 1, sizeof *live->states);
        result = cli_settings_apply(&options->settings, &live->settings) ? CLI_EXIT_DONE : CLI_EXIT_WRONG;
    }
    result = result ? result : cli_ranks_choose_device(&live->settings);
    if (!result)
    {
        cairn_status status = restart(live);
        cli_messages_print(live->context);
        result = cli_exit_status(status);
    }
    if (result)
    {
        cli_view_live_close(live);
        return result;
    }
    live->size = size_of(live);
    return CLI_EXIT_DONE;
}

void cli_view_live_close(cli_view_live *live)
{
    cairn_simulation_destroy(live->simulation);
    cairn_scene_destroy(live->scene);
    cairn_context_destroy(live->context);
    cli_view_sample_close(&live->sample);
    free(live->states);
    free(live->contacts);
    *live = (cli_view_live){0};
}

static void fail(cli_view_live *live, cairn_status status)
{
    const char *why = cairn_context_last_message(live->context);
    snprintf(live->error, sizeof live->error, "Step %" PRId64 " from t = %.9g s failed: %s", live->step + 1,
             cairn_simulation_time(live->simulation), why[0] ? why : cairn_status_text(status));
    cairn_context_clear(live->context);
    live->playing = false;
    ++live->versions;
}

static bool take_steps(cli_view_live *live, int count)
{
    double begin = cli_wall_time();
    cairn_status status = cairn_simulation_steps(live->simulation, count);
    if (status)
    {
        fail(live, status);
        return false;
    }
    cairn_context_clear(live->context);
    double taken = (cli_wall_time() - begin) / count;
    live->wall_per_step += (live->step == 0 ? 1.0 : 0.1) * (taken - live->wall_per_step);
    live->step += count;
    ++live->frames;
    live->error[0] = '\0';
    return true;
}

/* A device takes all steps that are due, as far as the budget allows, before its state is read back. */
static int batch_of(const cli_view_live *live, double budget)
{
    if (live->settings.device == CAIRN_DEVICE_CPU)
        return 1;
    double due = live->debt / live->settings.step, can = live->step > 0 ? budget / live->wall_per_step : 1;
    return (int)fmax(1, floor(fmin(due, fmin(can, MOST_TOGETHER))));
}

void cli_view_live_advance(cli_view_live *live, double now, double budget)
{
    double h = live->settings.step, elapsed = fmin(now - live->wall, MOST_DEBT);
    live->wall = now;
    if (!live->playing || !(elapsed > 0))
        return;
    live->debt += live->speed * elapsed;
    while (live->debt >= h)
    {
        int count = batch_of(live, budget);
        if (!take_steps(live, count))
            break;
        live->debt -= count * h;
        if (cli_wall_time() - now > budget)
        {
            live->debt = fmin(live->debt, h); /* too slow to keep up: the rest is dropped */
            break;
        }
    }
}

/* Pull the grabbed body towards the target. */
static cairn_status pull(cli_view_live *live)
{
    cairn_body body = cairn_model_body(live->model, live->body);
    double m = cairn_model_body_mass(live->model, body);
    double w = sqrt(50 * fmax(length3(live->gravity), EARTH) / live->size);
    return cairn_simulation_pull(live->simulation, body, live->point, live->target, m * w * w, 2 * m * w);
}

static cairn_status grab(cli_view_live *live, const cli_view_command *command)
{
    live->body = live->sample.body[command->body];
    memcpy(live->point, command->point, sizeof live->point);
    memcpy(live->target, command->target, sizeof live->target);
    cairn_status status = pull(live);
    live->grabbed = !status;
    return status;
}

static cairn_status do_as_told(cli_view_live *live, const cli_view_command *command)
{
    switch (command->ask)
    {
    case CLI_ASK_PLAY:
    case CLI_ASK_PAUSE:
        live->playing = command->ask == CLI_ASK_PLAY;
        live->debt = 0;
        return CAIRN_OK;
    case CLI_ASK_STEP:
        live->playing = false;
        take_steps(live, 1);
        return CAIRN_OK;
    case CLI_ASK_RESET:
        return restart(live);
    case CLI_ASK_SPEED:
        live->speed = command->value;
        return CAIRN_OK;
    case CLI_ASK_GRAVITY:
        memcpy(live->gravity, command->vector, sizeof live->gravity);
        return cairn_simulation_set_gravity(live->simulation, live->gravity);
    case CLI_ASK_FRICTION:
        live->friction = command->value;
        return cairn_simulation_set_friction(live->simulation, live->friction);
    case CLI_ASK_GRAB:
        return grab(live, command);
    case CLI_ASK_DRAG:
        memcpy(live->target, command->target, sizeof live->target);
        return live->grabbed ? pull(live) : CAIRN_OK;
    case CLI_ASK_RELEASE:
        live->grabbed = false;
        cairn_simulation_let_go(live->simulation);
        return CAIRN_OK;
    case CLI_ASK_DRIVE: /* by cli_view_drive */
    case CLI_ASK_BALL:  /* by cli_view_add */
    case CLI_ASK_BOX:
    case CLI_ASK_ACK:
        break;
    }
    return CAIRN_OK;
}

bool cli_view_live_obey(cli_view_live *live, const cli_view_command *command, char *error, size_t size)
{
    cairn_status status = CAIRN_INVALID;
    ++live->versions;
    if (command->ask == CLI_ASK_GRAB && command->body >= live->sample.count)
    {
        snprintf(error, size, "there is no body %d; the scene has %d", command->body, live->sample.count);
        return false;
    }
    error[0] = '\0';
    if (command->ask == CLI_ASK_DRIVE)
        status = cli_view_drive(live, command, error, size);
    else if (command->ask == CLI_ASK_BALL || command->ask == CLI_ASK_BOX)
        status = cli_view_add(live, command, error, size);
    else
        status = do_as_told(live, command);
    if (status && !error[0])
    {
        const char *why = cairn_context_last_message(live->context);
        snprintf(error, size, "%s", why[0] ? why : cairn_status_text(status));
        cairn_context_clear(live->context);
    }
    return !status;
}
