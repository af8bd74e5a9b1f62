/* Numbers that left the range of double precision: a scheme that is unstable at this step drives them there, and what it
 * says then, a residual of 0 among it, means nothing.
 */
#include "cli/common/cli.h"
#include "cli/run/run.h"

#include <inttypes.h>
#include <math.h>

static double size_of(const double v[3])
{
    return hypot(hypot(v[0], v[1]), v[2]);
}

/* The largest magnitude in a body's state; NAN when a component is NaN. */
static double extent_of(const cairn_simulation *simulation, cairn_body body)
{
    cairn_body_state s = cairn_simulation_body(simulation, body);
    double place = size_of(s.position), speed = size_of(s.velocity), spin = size_of(s.angular_velocity);
    return isnan(place + speed + spin) ? NAN : fmax(place, fmax(speed, spin));
}

/* The first body without a state, else the one that went furthest. */
static const char *culprit(const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    cairn_body worst = {0};
    double largest = -1;
    for (int i = 0; i < cairn_model_body_count(model) && !isnan(largest); ++i)
    {
        double extent = extent_of(simulation, cairn_model_body(model, i));
        if (!(extent <= largest))
        {
            largest = extent;
            worst = cairn_model_body(model, i);
        }
    }
    return worst.id ? cairn_model_body_name(model, worst) : NULL;
}

static bool is_finite_energy(const cairn_energy *e)
{
    return isfinite(e->total) && isfinite(e->balance_error) && isfinite(e->integration);
}

bool cli_run_is_finite(const cli_run_state *run)
{
    const cairn_step_report *report = cairn_simulation_report(run->simulation);
    if (is_finite_energy(&report->energy) && isfinite(report->solver.certificate.relative) &&
        isfinite(report->penetration) && isfinite(report->joint_error))
        return true;
    const char *body = culprit(run->simulation);
    return cli_error("step %" PRId64 " to t = %.9g s: the energies are no longer finite%s%s%s; a smaller --step, or "
                     "another --integrator, may keep the motion stable",
                     report->step, report->time, body ? "; body '" : "", body ? body : "",
                     body ? "' has gone furthest" : "");
}
