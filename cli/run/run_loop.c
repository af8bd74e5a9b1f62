/* The loop of `cairn run`: steps until the end, a failure or a signal.
 *
 * The number of steps to T is T/h when that is whole to within rounding; otherwise a shorter last step ends at T.
 */
#include "cli/common/cli.h"
#include "cli/common/progress.h"
#include "cli/common/signals.h"
#include "cli/run/run.h"
#include "cli/run/run_limits.h"
#include "cli/study/lift_off.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum
{
    MOST_TOGETHER = 1000 /* steps without a look at signals */
};

cli_run_plan cli_run_plan_steps(double until, double h)
{
    double ratio = until / h;
    double whole = round(ratio);
    if (fabs(ratio - whole) <= 1e-9 * fmax(1, ratio))
        return (cli_run_plan){.steps = (int64_t)whole};
    double full = floor(ratio);
    return (cli_run_plan){.steps = (int64_t)full, .last = until - full * h};
}

static void count_forces(cli_run_tally *tally, const cairn_solver_report *solver)
{
    int all = solver->null_space, fast = solver->velocity_null_space;
    if (all > tally->null_space)
    {
        tally->null_space = all;
        tally->null_space_step = tally->steps;
    }
    tally->velocity_null_space = fast > tally->velocity_null_space ? fast : tally->velocity_null_space;
    tally->redundant += all > 0;
    tally->unchosen += all > 0 && !solver->chosen_forces;
    tally->unexamined += solver->unexamined > 0;
    if (solver->unexamined_rows > tally->unexamined_rows)
        tally->unexamined_rows = solver->unexamined_rows;
}

static void count_step(cli_run_tally *tally, const cairn_step_report *report)
{
    double residual = report->solver.certificate.relative;
    ++tally->steps;
    tally->missed += report->solver.outcome == CAIRN_MISSED || report->solver.outcome == CAIRN_FAILED;
    tally->limited += report->solver.outcome == CAIRN_LIMITED;
    tally->out_of_time += report->solver.out_of_time;
    tally->projection_missed += !report->projection_met;
    tally->held += report->held_overlaps > 0;
    tally->problems += report->problems;
    tally->iterations += report->solver.iterations;
    tally->fallbacks += report->solver.fallbacks;
    tally->refactorisations += report->solver.refactorisations;
    if (!(residual <= tally->residual))
    {
        tally->residual = residual;
        tally->residual_time = report->time;
    }
    tally->penetration = fmax(tally->penetration, report->penetration);
    tally->push_out_speed = fmax(tally->push_out_speed, report->push_out_speed);
    tally->joint_error = fmax(tally->joint_error, report->joint_error);
    tally->contacts_last = report->contacts;
    tally->contacts_max = report->contacts > tally->contacts_max ? report->contacts : tally->contacts_max;
    int islands = report->solver.islands, largest = report->solver.largest_island;
    tally->islands_max = islands > tally->islands_max ? islands : tally->islands_max;
    tally->largest_island = largest > tally->largest_island ? largest : tally->largest_island;
    count_forces(tally, &report->solver);
    tally->method = report->solver.method;
}

/* Steps up to the next sample of a sensor, at most `most`. */
static int64_t steps_to_sample(const cli_run_state *run, int64_t most)
{
    int64_t step = cairn_simulation_report(run->simulation)->step;
    for (int i = 0; i < cairn_scene_sensor_count(run->scene); ++i)
    {
        int64_t every = cairn_scene_sensor(run->scene, i).every, left = every > 0 ? every - step % every : most;
        most = left < most ? left : most;
    }
    return most;
}

/* How many steps are taken together: on a device, up to the next recorded frame or sample, if nobody wants to see what lies between. The batches of a
 * run that is resumed are those of the whole run. Steps to a tolerance are counted one by one, since a batch would not tell how many of them missed it. Under the device ranks, drives of joints see the state of every step. */
static int batch_of(const cli_run_state *run, int64_t left)
{
    const cli_run_options *o = run->options;
    int64_t most = run->recorder ? steps_to_sample(run, cairn_recorder_steps_to_frame(run->recorder)) : MOST_TOGETHER;
    bool has_joints = cairn_model_joint_count(cairn_simulation_model(run->simulation)) > 0;
    bool alone = run->settings.device == CAIRN_DEVICE_CPU || run->settings.accuracy == CAIRN_ACCURACY_EXACT ||
                 run->watch_names.count > 0 || o->save_problems > 0 ||
                 (run->settings.device == CAIRN_DEVICE_RANKS && has_joints);
    return alone ? 1 : (int)(left < most ? left : most);
}

/* Steps of the settings' length, or one of another. */
static cairn_status take_steps(cli_run_state *run, int steps, double last)
{
    if (last > 0)
        return cairn_simulation_step_by(run->simulation, last);
    if (run->ahead == 0)
        return cairn_simulation_steps(run->simulation, steps);
    run->ahead = 0;
    return cairn_simulation_finish_steps(run->simulation);
}

/* Let the device take the next batch while the state at hand is recorded, unless somebody wants the device or the last batch meanwhile. left: steps that
 * are still to come, of which `whole` are of the settings' length. False after a message when it failed. */
static bool begin_next(cli_run_state *run, int64_t left, int64_t whole)
{
    int next = whole > 0 ? batch_of(run, whole) : 0;
    bool is_busy = cli_signals_caught() || run->limit || cli_run_limits_wants_checkpoint(run);
    if (run->settings.device != CAIRN_DEVICE_GPU || !run->recorder || next == 0 || next >= left || is_busy)
        return true;
    if (cairn_recorder_prepare(run->recorder, run->simulation) || cairn_simulation_begin_steps(run->simulation, next))
        return false;
    run->ahead = next;
    return true;
}

/* One step, or several on a device, counted and recorded. left, whole: what is to come after them. False after a message when it failed. */
static bool advance(cli_run_state *run, int steps, double last, int64_t left, int64_t whole)
{
    cairn_status status = take_steps(run, steps, last);
    if (status)
    {
        cli_messages_print(run->context); /* the cause first */
        run->refused = cli_exit_status(status) == CLI_EXIT_WRONG;
        return cli_error("step %" PRId64 " from t = %.9g s failed: %s", run->tally.steps + 1,
                         cairn_simulation_time(run->simulation), cairn_status_text(status));
    }
    count_step(&run->tally, cairn_simulation_report(run->simulation));
    run->tally.steps += steps - 1;
    bool told = run->options->json || cairn_law_lifts_off(run->settings.law.kind); /* all contacts are asked for it */
    double lift_off = told ? cli_lift_off(run->simulation, last > 0 ? last : run->settings.step) : NAN;
    run->tally.lift_off = isnan(lift_off) ? NAN : fmax(run->tally.lift_off, lift_off);
    cli_run_events_add(&run->tally.events, run->simulation);
    cli_run_physics_add(&run->tally.physics, run->simulation);
    cli_run_joints_add(&run->tally.joints, run->simulation);
    bool watched = cli_run_watch_add(&run->watch, run->simulation);
    bool saved = cli_run_problems_add(&run->problems, run->simulation);
    bool finite = cli_run_is_finite(run), begun = !finite || begin_next(run, left, whole);
    bool recorded = begun && (!run->recorder || !cairn_recorder_write(run->recorder));
    run->unusable = !recorded || !finite;
    return finite && recorded && saved && watched;
}

static void tell_missed(const cli_run_state *run)
{
    const cli_run_tally *tally = &run->tally;
    cli_error("%" PRId64 " of %" PRId64 " steps missed the solver's tolerance of %g: the worst residual is %.2e, at "
              "t = %.6g s",
              tally->missed, tally->steps, run->settings.solver.tolerance, tally->residual, tally->residual_time);
}

static void judge(cli_run_state *run, bool good)
{
    if (!good)
    {
        run->status = run->refused ? "invalid" : "failed";
        run->exit_status = run->refused ? CLI_EXIT_WRONG : CLI_EXIT_FAILED;
    }
    else if (cli_signals_caught())
    {
        run->status = "interrupted";
        run->exit_status = cli_signals_status(CLI_EXIT_DONE);
    }
    else if (run->limit)
    {
        run->status = "interrupted";
        run->exit_status = CLI_EXIT_LIMIT;
    }
    else if (run->tally.missed > 0 || run->tally.projection_missed > 0)
    {
        tell_missed(run);
        run->status = "missed-tolerance";
        run->exit_status = CLI_EXIT_FAILED;
    }
    else if (run->tally.physics.forbidden > 0)
    {
        run->status = "violated-physics";
        run->exit_status = CLI_EXIT_FAILED;
    }
    else
    {
        run->status = "done";
        run->exit_status = CLI_EXIT_DONE;
    }
}

/* What the start of a run adds to its tally. A resumed run has it already. */
static bool count_start(cli_run_state *run)
{
    const cairn_step_report *start = cairn_simulation_report(run->simulation);
    run->tally.penetration = start->penetration;
    run->tally.joint_error = start->joint_error;
    cli_run_physics_add(&run->tally.physics, run->simulation);
    cli_run_joints_add(&run->tally.joints, run->simulation);
    return cli_run_watch_add(&run->watch, run->simulation);
}

void cli_run_loop(cli_run_state *run)
{
    cli_run_plan plan = cli_run_plan_rest(cairn_simulation_time(run->simulation), run->until, run->settings.step);
    int64_t total = plan.steps + (plan.last > 0);
    cli_progress progress = cli_progress_start(!run->options->quiet, total, run->until);
    run->started = progress.started;
    cli_signals_watch();
    cli_signals_watch_asking();
    bool good = run->resumed || (count_start(run) && cli_run_limits_keep(run));
    int batch;
    for (int64_t i = 0; i < total && good && (run->ahead > 0 || (!cli_signals_caught() && !run->limit)); i += batch)
    {
        batch = run->ahead > 0 ? run->ahead : i < plan.steps ? batch_of(run, plan.steps - i) : 1;
        if (i + batch == total)
            cairn_simulation_audit_next(run->simulation);
        good = advance(run, batch, i < plan.steps ? 0 : plan.last, total - i - batch, plan.steps - i - batch);
        good = good && cli_run_limits_step(run);
        cli_progress_update(&progress, cairn_simulation_report(run->simulation));
    }
    cli_progress_end(&progress);
    if (cairn_simulation_time(run->simulation) >= run->until * (1 - 1e-9))
        run->limit = NULL; /* it came with the last step */
    run->tally.wall = cli_run_wall(run);
    judge(run, good);
}
