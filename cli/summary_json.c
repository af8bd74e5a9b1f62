/* The summary of a run as one JSON object. */
#include "json.h"
#include "run.h"

#include <stdio.h>

static void put_settings(crn_json *json, const crn_run_state *run)
{
    const cairn_settings *settings = &run->settings;
    char law[64];
    cairn_law_name(settings->law, law, sizeof law);
    crn_json_open(json, "settings", '{');
    crn_json_number(json, "step", settings->step);
    crn_json_number(json, "until", run->until);
    crn_json_text(json, "integrator", cairn_integrator_name(settings->integrator));
    crn_json_text(json, "law", law);
    crn_json_text(json, "stabilisation", cairn_stabilisation_name(settings->stabilisation));
    crn_json_text(json, "solver", cairn_solver_kind_name(settings->solver.kind));
    crn_json_text(json, "forces", cairn_forces_name(settings->solver.forces));
    crn_json_text(json, "jacobian", cairn_jacobian_name(settings->jacobian));
    crn_json_text(json, "mass", cairn_mass_name(settings->mass));
    crn_json_bool(json, "events", settings->events);
    crn_json_bool(json, "reduction", settings->reduction);
    crn_json_text(json, "impact", cairn_impact_name(settings->impact));
    crn_json_number(json, "event_floor", settings->event_floor);
    crn_json_text(json, "initial", cairn_initial_name(settings->initial));
    crn_json_number(json, "tolerance", settings->error_tolerance);
    crn_json_number(json, "solver_tolerance", settings->solver.tolerance);
    crn_json_integer(json, "max_iterations", settings->solver.max_iterations);
    crn_json_number(json, "time_limit", settings->solver.time_limit);
    crn_json_integer(json, "threads", settings->solver.threads);
    crn_json_number(json, "contact_tolerance", settings->contact_tolerance);
    crn_json_number(json, "restitution_threshold", settings->restitution_threshold);
    crn_json_number(json, "push_out_speed", settings->push_out_speed);
    crn_json_number(json, "projection_tolerance", settings->projection_tolerance);
    crn_json_bool(json, "audit", settings->audit);
    crn_json_open(json, "allow", '[');
    for (int kind = 0; kind < CAIRN_VIOLATION_KINDS; ++kind)
    {
        if (settings->allow >> kind & 1u)
        {
            crn_json_text(json, NULL, cairn_violation_name((cairn_violation_kind)kind));
        }
    }
    crn_json_close(json, ']');
    crn_json_close(json, '}');
}

static void put_bodies(crn_json *json, const crn_run_state *run)
{
    const cairn_model *model = cairn_simulation_model(run->simulation);
    int dimension = cairn_model_dimension(model);
    crn_json_open(json, "bodies", '{');
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        cairn_body_state state = cairn_simulation_body(run->simulation, body);
        crn_json_open(json, cairn_model_body_name(model, body), '{');
        crn_json_numbers(json, "position", state.position, dimension);
        crn_json_numbers(json, "orientation", state.orientation, 4);
        crn_json_numbers(json, "velocity", state.velocity, dimension);
        if (dimension == 2)
        {
            crn_json_number(json, "angle", state.angle);
            crn_json_number(json, "angular_velocity", state.angular_velocity[2]);
        }
        else
        {
            crn_json_numbers(json, "angular_velocity", state.angular_velocity, 3);
        }
        crn_json_close(json, '}');
    }
    crn_json_close(json, '}');
}

static void put_spring_work(crn_json *json, const crn_run_state *run, double total)
{
    const cairn_model *model = cairn_simulation_model(run->simulation);
    crn_json_open(json, "springs", '{');
    crn_json_number(json, "total", total);
    crn_json_open(json, "by_name", '{');
    for (int i = 0; i < cairn_model_spring_count(model); ++i)
    {
        crn_json_number(json, cairn_model_spring_name(model, i), cairn_simulation_spring_work(run->simulation, i));
    }
    crn_json_close(json, '}');
    crn_json_close(json, '}');
}

static void put_energy(crn_json *json, const crn_run_state *run)
{
    cairn_energy energy = cairn_simulation_energy(run->simulation);
    crn_json_open(json, "energy", '{');
    crn_json_number(json, "kinetic", energy.kinetic);
    crn_json_number(json, "potential", energy.potential);
    crn_json_number(json, "elastic", energy.elastic);
    crn_json_number(json, "total", energy.total);
    crn_json_number(json, "balance_error", energy.balance_error);
    crn_json_open(json, "work", '{');
    crn_json_number(json, "gravity", energy.work_gravity);
    put_spring_work(json, run, energy.work_springs);
    crn_json_number(json, "dampers", energy.work_dampers);
    crn_json_number(json, "forces", energy.work_forces);
    crn_json_number(json, "gyroscopic", energy.work_gyroscopic);
    crn_json_number(json, "joints", energy.work_joints);
    crn_json_number(json, "contact_normal", energy.work_contact_normal);
    crn_json_number(json, "friction", energy.work_friction);
    crn_json_number(json, "systems", energy.work_systems);
    crn_json_number(json, "driven", energy.work_driven);
    crn_json_close(json, '}');
    crn_json_number(json, "integration", energy.integration);
    crn_json_number(json, "push_out", energy.push_out);
    crn_json_number(json, "projection", energy.projection);
    crn_json_close(json, '}');
}

static void put_tally(crn_json *json, const crn_run_tally *tally)
{
    crn_json_open(json, "worst", '{');
    crn_json_number(json, "residual", tally->residual);
    crn_json_number(json, "residual_time", tally->residual_time);
    crn_json_number(json, "penetration", tally->penetration);
    crn_json_number(json, "push_out_speed", tally->push_out_speed);
    crn_json_number(json, "joint_error", tally->joint_error);
    crn_json_number(json, "lift_off", tally->lift_off);
    crn_json_close(json, '}');
    crn_json_open(json, "solver", '{');
    crn_json_integer(json, "problems", tally->problems);
    crn_json_integer(json, "iterations", tally->iterations);
    crn_json_integer(json, "fallbacks", tally->fallbacks);
    crn_json_integer(json, "missed", tally->missed);
    crn_json_integer(json, "out_of_time", tally->out_of_time);
    crn_json_integer(json, "projection_missed", tally->projection_missed);
    crn_json_integer(json, "overlaps_held", tally->held);
    crn_json_integer(json, "refactorisations", tally->refactorisations);
    crn_json_open(json, "islands", '{');
    crn_json_integer(json, "max", tally->islands_max);
    crn_json_integer(json, "largest", tally->largest_island);
    crn_json_close(json, '}');
    crn_json_open(json, "forces", '{');
    crn_json_integer(json, "null_space", tally->null_space);
    crn_json_integer(json, "velocity_null_space", tally->velocity_null_space);
    crn_json_integer(json, "steps_not_unique", tally->redundant);
    crn_json_integer(json, "steps_not_chosen", tally->unchosen);
    crn_json_integer(json, "steps_not_examined", tally->unexamined);
    crn_json_close(json, '}');
    if (tally->method)
    {
        crn_json_text(json, "method", tally->method);
    }
    else
    {
        crn_json_null(json, "method");
    }
    crn_json_close(json, '}');
    crn_json_open(json, "contacts", '{');
    crn_json_integer(json, "last", tally->contacts_last);
    crn_json_integer(json, "max", tally->contacts_max);
    crn_json_close(json, '}');
}

static void put_text_or_null(crn_json *json, const char *key, const char *text)
{
    if (text && *text)
    {
        crn_json_text(json, key, text);
    }
    else
    {
        crn_json_null(json, key);
    }
}

/* What the steps came to. */
static void put_motion(crn_json *json, const crn_run_state *run)
{
    crn_json_integer(json, "steps", run->tally.steps);
    crn_json_number(json, "time", cairn_simulation_time(run->simulation));
    crn_json_number(json, "wall_s", run->tally.wall);
    put_settings(json, run);
    put_bodies(json, run);
    put_energy(json, run);
    put_tally(json, &run->tally);
    crn_run_events_put(json, &run->tally.events, cairn_simulation_model(run->simulation));
    crn_run_physics_put(json, &run->tally.physics, run->simulation);
    if (run->problems.every)
    {
        crn_json_integer(json, "problems_saved", run->problems.saved);
    }
}

void crn_run_print_json(const crn_run_state *run)
{
    crn_json json = {.stream = stdout};
    crn_json_open(&json, NULL, '{');
    crn_json_text(&json, "status", run->status);
    put_text_or_null(&json, "error", run->exit_status ? crn_cli_first_error() : NULL);
    crn_json_text(&json, "scene", run->scene_name);
    crn_json_text(&json, "title", run->scene ? cairn_scene_title(run->scene) : "");
    crn_json_text(&json, "version", cairn_version());
    if (run->simulation)
    {
        put_motion(&json, run);
    }
    put_text_or_null(&json, "run_file", run->simulation ? run->options->output : NULL);
    crn_json_close(&json, '}');
}
