/* The summary of a run for people: aligned tables on standard output. */
#include "cli/common/assembly.h"

#include "cli/run/run.h"
#include "cli/run/summary_populations.h"
#include "cli/run/summary_ranks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOST_BODIES = 20,
    NAME_WIDTH = 12,
};

static const double PUSHED = 0.01; /* m/s: below this it is negligible drift */

static int name_width(const cairn_model *model, int count)
{
    int width = NAME_WIDTH;
    for (int i = 0; i < count; ++i)
    {
        int length = (int)strlen(cairn_model_body_name(model, cairn_model_body(model, i)));
        width = length > width ? length : width;
    }
    return width;
}

static void print_head(int width, const char *const *titles, int count)
{
    printf("\n  %-*s", width, "body");
    for (int i = 0; i < count; ++i)
        printf(" %14s", titles[i]);
    putchar('\n');
}

static void print_row(int width, const char *name, const double *values, int count)
{
    printf("  %-*s", width, name);
    for (int i = 0; i < count; ++i)
        printf(" %14.6g", values[i]);
    putchar('\n');
}

static void print_planar(const cli_run_state *run, int width, cairn_body body)
{
    cairn_body_state s = cairn_simulation_body(run->simulation, body);
    double row[] = {s.position[0], s.position[1], s.angle, s.velocity[0], s.velocity[1], s.angular_velocity[2]};
    print_row(width, cairn_model_body_name(cairn_simulation_model(run->simulation), body), row, 6);
}

static void print_spatial(const cli_run_state *run, int width, cairn_body body)
{
    cairn_body_state s = cairn_simulation_body(run->simulation, body);
    double row[] = {s.position[0], s.position[1],         s.position[2],         s.velocity[0],        s.velocity[1],
                    s.velocity[2], s.angular_velocity[0], s.angular_velocity[1], s.angular_velocity[2]};
    print_row(width, cairn_model_body_name(cairn_simulation_model(run->simulation), body), row, 9);
}

static void print_bodies(const cli_run_state *run)
{
    static const char *const PLANAR[] = {"x [m]", "y [m]", "angle [rad]", "vx [m/s]", "vy [m/s]", "omega [rad/s]"};
    static const char *const SPATIAL[] = {"x [m]",    "y [m]",          "z [m]",          "vx [m/s]",      "vy [m/s]",
                                          "vz [m/s]", "omega1 [rad/s]", "omega2 [rad/s]", "omega3 [rad/s]"};
    const cairn_model *model = cairn_simulation_model(run->simulation);
    bool planar = cairn_model_dimension(model) == 2;
    int count = cairn_model_body_count(model);
    int shown = count > MOST_BODIES ? MOST_BODIES : count;
    int width = name_width(model, shown);
    print_head(width, planar ? PLANAR : SPATIAL, planar ? 6 : 9);
    for (int i = 0; i < shown; ++i)
        (planar ? print_planar : print_spatial)(run, width, cairn_model_body(model, i));
    if (shown < count)
        printf("  ... and %d more; --json prints all\n", count - shown);
}

static void print_energy(const cairn_energy *e)
{
    printf("\n  energy [J]    kinetic %.6g   potential %.6g   elastic %.6g   total %.6g   balance error %.1e\n",
           e->kinetic, e->potential, e->elastic, e->total, e->balance_error);
    printf("  work [J]      gravity %.6g   springs %.6g   dampers %.6g   forces %.6g   joints %.6g\n", e->work_gravity,
           e->work_springs, e->work_dampers, e->work_forces, e->work_joints);
    printf("                contacts %.6g   friction %.6g   gyroscopic %.6g   driven %.6g   integration %.6g\n",
           e->work_contact_normal, e->work_friction, e->work_gyroscopic, e->work_driven, e->integration);
    if (e->added != 0)
        printf("                grains that came and left %.6g\n", e->added);
}

static const char *chosen_forces(cairn_forces forces)
{
    switch (forces)
    {
    case CAIRN_FORCES_MINIMUM_ENERGY:
        return "solution of minimum energy returned";
    case CAIRN_FORCES_MAXIMUM_ENERGY:
        return "solution of maximum energy returned";
    default:
        return "weighted minimum-norm solution returned";
    }
}

/* Uniqueness of the forces; nothing is printed when they are unique. */
static void print_forces(const cli_run_state *run)
{
    const cli_run_tally *tally = &run->tally;
    if (tally->null_space > 0)
    {
        bool all = tally->unchosen == 0;
        char since[48] = "";
        if (tally->null_space_step > 1)
            snprintf(since, sizeof since, " at t = %.6g s", (double)tally->null_space_step * run->settings.step);
        printf("  forces        %s forces are not unique (null space %d%s): %s%s\n",
               tally->contacts_max > 0 ? "contact" : "joint", tally->null_space, since,
               chosen_forces(run->settings.solver.forces), all ? "" : ", but not in all steps");
    }
    if (tally->velocity_null_space > 0)
    {
        printf("                velocities are not unique either (%d of it): %s\n", tally->velocity_null_space,
               run->settings.solver.forces == CAIRN_FORCES_AUTO ? "--forces minimum-norm chooses among them, too"
                                                                : "they are chosen with the forces");
    }
    if (tally->unexamined > 0)
        printf("%s%" PRId64 " steps had islands whose forces were not examined: up to %d rows\n",
               tally->null_space > 0 ? "                " : "  forces        ", tally->unexamined,
               tally->unexamined_rows);
}

void cli_run_print_text(const cli_run_state *run)
{
    const cli_run_tally *tally = &run->tally;
    const char *title = cairn_scene_title(run->scene);
    char law[64];
    cairn_law_name(run->settings.law, law, sizeof law);
    printf("%s%s%s\n", run->scene_name, *title ? ": " : "", title);
    printf("  %s: %" PRId64 " steps of %g s to t = %.9g s in %.3g s of wall time\n", run->status, tally->steps,
           run->settings.step, cairn_simulation_time(run->simulation), tally->wall);
    printf("  integrator %s, law %s, stabilisation %s, solver %s, accuracy %s\n",
           cairn_integrator_name(run->settings.integrator), law, cairn_stabilisation_name(run->settings.stabilisation),
           cairn_solver_kind_name(run->settings.solver.kind), cairn_accuracy_name(run->settings.accuracy));
    cli_assembly_print(cairn_simulation_assembly(run->simulation), cairn_simulation_model(run->simulation), false);
    print_bodies(run);
    cli_run_joints_print(&tally->joints, run->simulation);
    cli_run_watch_print(&run->watch);
    cairn_energy energy = cairn_simulation_energy(run->simulation);
    print_energy(&energy);
    printf("\n  worst         residual %.2e at t = %.6g s   penetration %.2e m   joint error %.2e\n", tally->residual,
           tally->residual_time, tally->penetration, tally->joint_error);
    if (cairn_law_lifts_off(run->settings.law.kind) && !isnan(tally->lift_off))
    {
        printf("  lift-off      %.2e m at most at a sliding contact, inherent in the convex law: h mu |u_t|\n",
               tally->lift_off);
    }
    printf("  solver        %" PRId64 " problems, %" PRId64 " iterations, %" PRId64 " fallbacks, %" PRId64
           " steps missed the tolerance\n",
           tally->problems, tally->iterations, tally->fallbacks, tally->missed);
    cli_run_ranks_print(run->simulation);
    bool is_exact = run->settings.accuracy == CAIRN_ACCURACY_EXACT;
    if (run->settings.device != CAIRN_DEVICE_CPU && is_exact)
        printf("  device        %s: sweeps until a step meets the tolerance; %" PRId64
               " steps were left to the processor's solvers\n",
               cairn_device_name(run->settings.device), tally->fallbacks);
    else if (run->settings.device != CAIRN_DEVICE_CPU)
        printf("  device        %s: %d sweeps per step; what they left is certified, the worst residual is above\n",
               cairn_device_name(run->settings.device), run->settings.sweeps);
    else if (tally->limited > 0)
    {
        printf("  accuracy      %s: islands were left at the end of its budget in %" PRId64
               " steps; the worst residual above is "
               "what they left\n",
               cairn_accuracy_name(run->settings.accuracy), tally->limited);
    }
    if (tally->out_of_time > 0)
        printf("  time limit    ended the search in %" PRId64 " steps\n", tally->out_of_time);
    if (tally->push_out_speed >= PUSHED)
    {
        printf("  push-out      overlapping bodies were pushed apart at up to %.3g m/s, which added %.3g J\n",
               tally->push_out_speed, energy.push_out);
    }
    if (tally->projection_missed > 0)
        printf("  projection    missed its tolerance in %" PRId64 " steps\n", tally->projection_missed);
    if (tally->held > 0)
        printf("  overlaps      were held where bodies are wedged, in %" PRId64 " steps\n", tally->held);
    printf("  contacts      %d in the last step, %d at most; up to %d islands, the largest of %d contacts\n",
           tally->contacts_last, tally->contacts_max, tally->islands_max, tally->largest_island);
    print_forces(run);
    cli_run_populations_print(run->simulation);
    cli_run_events_print(&tally->events, &run->settings);
    cli_run_physics_print(&tally->physics, tally->steps, run->simulation);
    if (cli_run_file(run))
        printf("  run file      %s\n", cli_run_file(run));
}
