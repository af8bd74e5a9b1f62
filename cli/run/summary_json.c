/* The summary of a run as one JSON object. */
#include "cairn/ranks.h"
#include "cli/common/assembly.h"
#include "cli/common/json.h"
#include "cli/run/run.h"
#include "cli/run/summary_populations.h"
#include "cli/run/summary_ranks.h"

#include <stdio.h>

static void put_settings(cli_json *json, const cli_run_state *run)
{
    cli_json_open(json, "settings", '{');
    cli_json_number(json, "until", run->until);
    cli_settings_json(json, &run->settings);
    cli_json_close(json, '}');
}

static void put_bodies(cli_json *json, const cli_run_state *run)
{
    const cairn_model *model = cairn_simulation_model(run->simulation);
    int dimension = cairn_model_dimension(model);
    cli_json_open(json, "bodies", '{');
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        cairn_body_state state = cairn_simulation_body(run->simulation, body);
        cli_json_open(json, cairn_model_body_name(model, body), '{');
        cli_json_numbers(json, "position", state.position, dimension);
        cli_json_numbers(json, "orientation", state.orientation, 4);
        cli_json_numbers(json, "velocity", state.velocity, dimension);
        if (dimension == 2)
        {
            cli_json_number(json, "angle", state.angle);
            cli_json_number(json, "angular_velocity", state.angular_velocity[2]);
        }
        else
        {
            cli_json_numbers(json, "angular_velocity", state.angular_velocity, 3);
        }
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}

static void put_spring_work(cli_json *json, const cli_run_state *run, double total)
{
    const cairn_model *model = cairn_simulation_model(run->simulation);
    cli_json_open(json, "springs", '{');
    cli_json_number(json, "total", total);
    cli_json_open(json, "by_name", '{');
    for (int i = 0; i < cairn_model_spring_count(model); ++i)
        cli_json_number(json, cairn_model_spring_name(model, cairn_model_spring(model, i)),
                        cairn_simulation_spring_work(run->simulation,
                                                     cairn_model_spring(cairn_simulation_model(run->simulation), i)));
    cli_json_close(json, '}');
    cli_json_close(json, '}');
}

static void put_energy(cli_json *json, const cli_run_state *run)
{
    cairn_energy energy = cairn_simulation_energy(run->simulation);
    cli_json_open(json, "energy", '{');
    cli_json_number(json, "kinetic", energy.kinetic);
    cli_json_number(json, "potential", energy.potential);
    cli_json_number(json, "elastic", energy.elastic);
    cli_json_number(json, "total", energy.total);
    cli_json_number(json, "balance_error", energy.balance_error);
    cli_json_open(json, "work", '{');
    cli_json_number(json, "gravity", energy.work_gravity);
    put_spring_work(json, run, energy.work_springs);
    cli_json_number(json, "dampers", energy.work_dampers);
    cli_json_number(json, "forces", energy.work_forces);
    cli_json_number(json, "gyroscopic", energy.work_gyroscopic);
    cli_json_number(json, "joints", energy.work_joints);
    cli_json_number(json, "contact_normal", energy.work_contact_normal);
    cli_json_number(json, "friction", energy.work_friction);
    cli_json_number(json, "systems", energy.work_systems);
    cli_json_number(json, "driven", energy.work_driven);
    cli_json_close(json, '}');
    cli_json_number(json, "integration", energy.integration);
    cli_json_number(json, "push_out", energy.push_out);
    cli_json_number(json, "projection", energy.projection);
    cli_json_number(json, "added", energy.added);
    cli_json_close(json, '}');
}

static void put_tally(cli_json *json, const cli_run_tally *tally)
{
    cli_json_open(json, "worst", '{');
    cli_json_number(json, "residual", tally->residual);
    cli_json_number(json, "residual_time", tally->residual_time);
    cli_json_number(json, "penetration", tally->penetration);
    cli_json_number(json, "push_out_speed", tally->push_out_speed);
    cli_json_number(json, "joint_error", tally->joint_error);
    cli_json_number(json, "lift_off", tally->lift_off);
    cli_json_close(json, '}');
    cli_json_open(json, "solver", '{');
    cli_json_integer(json, "problems", tally->problems);
    cli_json_integer(json, "iterations", tally->iterations);
    cli_json_integer(json, "fallbacks", tally->fallbacks);
    cli_json_integer(json, "missed", tally->missed);
    cli_json_integer(json, "limited", tally->limited);
    cli_json_integer(json, "out_of_time", tally->out_of_time);
    cli_json_integer(json, "projection_missed", tally->projection_missed);
    cli_json_integer(json, "overlaps_held", tally->held);
    cli_json_integer(json, "refactorisations", tally->refactorisations);
    cli_json_open(json, "islands", '{');
    cli_json_integer(json, "max", tally->islands_max);
    cli_json_integer(json, "largest", tally->largest_island);
    cli_json_close(json, '}');
    cli_json_open(json, "forces", '{');
    cli_json_integer(json, "null_space", tally->null_space);
    cli_json_integer(json, "velocity_null_space", tally->velocity_null_space);
    cli_json_integer(json, "steps_not_unique", tally->redundant);
    cli_json_integer(json, "steps_not_chosen", tally->unchosen);
    cli_json_integer(json, "steps_not_examined", tally->unexamined);
    cli_json_integer(json, "rows_not_examined", tally->unexamined_rows);
    cli_json_close(json, '}');
    cli_json_text(json, "method", tally->method);
    cli_json_close(json, '}');
    cli_json_open(json, "contacts", '{');
    cli_json_integer(json, "last", tally->contacts_last);
    cli_json_integer(json, "max", tally->contacts_max);
    cli_json_close(json, '}');
}

/* Results of the steps. */
static void put_motion(cli_json *json, const cli_run_state *run)
{
    cli_json_integer(json, "steps", run->tally.steps);
    cli_json_number(json, "time", cairn_simulation_time(run->simulation));
    cli_json_number(json, "wall_s", run->tally.wall);
    put_settings(json, run);
    cli_assembly_put(json, cairn_simulation_assembly(run->simulation), cairn_simulation_model(run->simulation));
    put_bodies(json, run);
    cli_run_populations_put(json, run->simulation);
    cli_run_joints_put(json, &run->tally.joints, run->simulation);
    cli_run_watch_put(json, &run->watch);
    put_energy(json, run);
    put_tally(json, &run->tally);
    cli_run_ranks_put(json, run->simulation);
    cli_run_events_put(json, &run->tally.events, cairn_simulation_model(run->simulation));
    cli_run_physics_put(json, &run->tally.physics, run->simulation);
    if (run->problems.every)
        cli_json_integer(json, "problems_saved", run->problems.saved);
}

void cli_run_print_json(const cli_run_state *run)
{
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "status", run->status);
    cli_json_text(&json, "error", run->exit_status && *cli_first_error() ? cli_first_error() : NULL);
    cli_json_text(&json, "scene", run->scene_name);
    cli_json_text(&json, "title", run->scene ? cairn_scene_title(run->scene) : "");
    cli_json_text(&json, "version", cairn_version());
    if (run->simulation)
        put_motion(&json, run);
    cli_json_text(&json, "run_file", run->simulation ? cli_run_file(run) : NULL);
    cli_json_close(&json, '}');
}
