/* The options of `cairn run` over a scene's settings. */
#include "cli/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One sentence when the value of an option was not understood. */
static bool accept(bool good, const char *option, const char *expected, const char *found)
{
    if (!good)
        cli_error("option --%s: expected %s, found '%s'", option, expected, found);
    return good;
}

static bool parse_switch(const char *text, bool *out)
{
    bool on = !strcmp(text, "on");
    if (on || !strcmp(text, "off"))
    {
        *out = on;
        return true;
    }
    return false;
}

/* Names from the command line over those of the scene; one sentence for each that is unknown. */
static bool apply_names(const cli_run_options *o, cairn_settings *s)
{
    char laws[128];
    snprintf(
        laws, sizeof laws,
        "frictionless, box, cone, convex cone, lagged, pyramid(m) or convex pyramid(m) with m even and from 4 to %d",
        CAIRN_MAX_DIRECTIONS);
    const bool good[] = {
        accept(!o->integrator || cairn_integrator_parse(o->integrator, &s->integrator), "integrator",
               "euler, stiff, trapezoid, trapezoid2 or stiff2", o->integrator),
        accept(!o->law || cairn_law_parse(o->law, &s->law), "law", laws, o->law),
        accept(!o->stabilisation || cairn_stabilisation_parse(o->stabilisation, &s->stabilisation), "stabilisation",
               "none, gap or project", o->stabilisation),
        accept(!o->solver || cairn_solver_kind_parse(o->solver, &s->solver.kind), "solver",
               "auto, lemke, gauss-seidel, apgd, admm, interior-point, newton or smoothing", o->solver),
        accept(!o->forces || cairn_forces_parse(o->forces, &s->solver.forces), "forces",
               "auto, any, minimum-norm, minimum-energy or maximum-energy", o->forces),
        accept(!o->events || parse_switch(o->events, &s->events), "events", "on or off", o->events),
        accept(!o->reduction || parse_switch(o->reduction, &s->reduction), "reduction", "on or off", o->reduction),
        accept(!o->impact || cairn_impact_parse(o->impact, &s->impact), "impact", "poisson, newton or poisson-friction",
               o->impact),
        accept(!o->jacobian || cairn_jacobian_parse(o->jacobian, &s->jacobian), "jacobian", "exact or linear",
               o->jacobian),
        accept(!o->audit || parse_switch(o->audit, &s->audit), "audit", "on or off", o->audit),
        cli_run_physics_allow(o->allow, &s->allow),
        accept(!o->initial || cairn_initial_parse(o->initial, &s->initial), "initial", "refuse, project or keep",
               o->initial),
    };
    bool all = true;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i)
        all = all && good[i];
    return all;
}

bool cli_run_apply_options(const cli_run_options *options, cairn_settings *settings)
{
    if (!isnan(options->step))
        settings->step = options->step;
    if (!isnan(options->tolerance))
        settings->error_tolerance = options->tolerance;
    if (!isnan(options->solver_tolerance))
        settings->solver.tolerance = options->solver_tolerance;
    if (!isnan(options->time_limit))
        settings->solver.time_limit = options->time_limit;
    if (options->threads > 0)
        settings->solver.threads = options->threads;
    return apply_names(options, settings);
}
