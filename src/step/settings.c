/* Settings: names, defaults and one validator with a plain sentence for each field. */
#include "base/context.h"
#include "cairn/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const INTEGRATORS[] = {
    [CAIRN_INTEGRATOR_EULER] = "euler",         [CAIRN_INTEGRATOR_STIFF] = "stiff",
    [CAIRN_INTEGRATOR_TRAPEZOID] = "trapezoid", [CAIRN_INTEGRATOR_TRAPEZOID2] = "trapezoid2",
    [CAIRN_INTEGRATOR_STIFF2] = "stiff2",
};
static const char *const STABILISATIONS[] = {
    [CAIRN_STABILISE_NONE] = "none", [CAIRN_STABILISE_GAP] = "gap", [CAIRN_STABILISE_PROJECT] = "project"};
static const char *const JACOBIANS[] = {[CAIRN_JACOBIAN_EXACT] = "exact", [CAIRN_JACOBIAN_LINEAR] = "linear"};
static const char *const MASSES[] = {[CAIRN_MASS_MEAN] = "mean", [CAIRN_MASS_START] = "start"};
static const char *const IMPACTS[] = {[CAIRN_IMPACT_POISSON] = "poisson",
                                      [CAIRN_IMPACT_NEWTON] = "newton",
                                      [CAIRN_IMPACT_POISSON_FRICTION] = "poisson-friction"};
static const char *const INITIALS[] = {
    [CAIRN_INITIAL_REFUSE] = "refuse", [CAIRN_INITIAL_PROJECT] = "project", [CAIRN_INITIAL_KEEP] = "keep"};
static const char *const SOLVERS[] = {
    [CAIRN_SOLVER_AUTO] = "auto",
    [CAIRN_SOLVER_LEMKE] = "lemke",
    [CAIRN_SOLVER_GAUSS_SEIDEL] = "gauss-seidel",
    [CAIRN_SOLVER_APGD] = "apgd",
    [CAIRN_SOLVER_ADMM] = "admm",
    [CAIRN_SOLVER_INTERIOR_POINT] = "interior-point",
    [CAIRN_SOLVER_NEWTON] = "newton",
    [CAIRN_SOLVER_SMOOTHING] = "smoothing",
};

static const char *const FORCES[] = {
    [CAIRN_FORCES_AUTO] = "auto",
    [CAIRN_FORCES_ANY] = "any",
    [CAIRN_FORCES_MINIMUM_NORM] = "minimum-norm",
    [CAIRN_FORCES_MINIMUM_ENERGY] = "minimum-energy",
    [CAIRN_FORCES_MAXIMUM_ENERGY] = "maximum-energy",
};

static const int INTEGRATOR_COUNT = sizeof INTEGRATORS / sizeof INTEGRATORS[0];
static const int STABILISATION_COUNT = sizeof STABILISATIONS / sizeof STABILISATIONS[0];
static const int JACOBIAN_COUNT = sizeof JACOBIANS / sizeof JACOBIANS[0];
static const int MASS_COUNT = sizeof MASSES / sizeof MASSES[0];
static const int IMPACT_COUNT = sizeof IMPACTS / sizeof IMPACTS[0];
static const int INITIAL_COUNT = sizeof INITIALS / sizeof INITIALS[0];
static const int SOLVER_COUNT = sizeof SOLVERS / sizeof SOLVERS[0];
static const int FORCES_COUNT = sizeof FORCES / sizeof FORCES[0];

/* Index of a name in a table, -1 when it is not there. */
static int find(const char *text, const char *const *names, int count)
{
    for (int i = 0; text && i < count; ++i)
        if (strcmp(text, names[i]) == 0)
            return i;
    return -1;
}

static const char *name_of(int index, const char *const *names, int count)
{
    return index >= 0 && index < count ? names[index] : "unknown";
}

const char *cairn_integrator_name(cairn_integrator integrator)
{
    return name_of((int)integrator, INTEGRATORS, INTEGRATOR_COUNT);
}

bool cairn_integrator_parse(const char *text, cairn_integrator *out)
{
    int index = find(text, INTEGRATORS, INTEGRATOR_COUNT);
    if (index >= 0)
        *out = (cairn_integrator)index;
    return index >= 0;
}

const char *cairn_stabilisation_name(cairn_stabilisation stabilisation)
{
    return name_of((int)stabilisation, STABILISATIONS, STABILISATION_COUNT);
}

bool cairn_stabilisation_parse(const char *text, cairn_stabilisation *out)
{
    int index = find(text, STABILISATIONS, STABILISATION_COUNT);
    if (index >= 0)
        *out = (cairn_stabilisation)index;
    return index >= 0;
}

const char *cairn_mass_name(cairn_mass mass)
{
    return name_of((int)mass, MASSES, MASS_COUNT);
}

const char *cairn_jacobian_name(cairn_jacobian jacobian)
{
    return name_of((int)jacobian, JACOBIANS, JACOBIAN_COUNT);
}

bool cairn_jacobian_parse(const char *text, cairn_jacobian *out)
{
    int index = find(text, JACOBIANS, JACOBIAN_COUNT);
    if (index >= 0)
        *out = (cairn_jacobian)index;
    return index >= 0;
}

const char *cairn_impact_name(cairn_impact impact)
{
    return name_of((int)impact, IMPACTS, IMPACT_COUNT);
}

bool cairn_impact_parse(const char *text, cairn_impact *out)
{
    int index = find(text, IMPACTS, IMPACT_COUNT);
    if (index >= 0)
        *out = (cairn_impact)index;
    return index >= 0;
}

const char *cairn_initial_name(cairn_initial initial)
{
    return name_of((int)initial, INITIALS, INITIAL_COUNT);
}

bool cairn_initial_parse(const char *text, cairn_initial *out)
{
    int index = find(text, INITIALS, INITIAL_COUNT);
    if (index >= 0)
        *out = (cairn_initial)index;
    return index >= 0;
}

const char *cairn_solver_kind_name(cairn_solver_kind kind)
{
    return name_of((int)kind, SOLVERS, SOLVER_COUNT);
}

bool cairn_solver_kind_parse(const char *text, cairn_solver_kind *out)
{
    int index = find(text, SOLVERS, SOLVER_COUNT);
    if (index >= 0)
        *out = (cairn_solver_kind)index;
    return index >= 0;
}

const char *cairn_forces_name(cairn_forces forces)
{
    return name_of((int)forces, FORCES, FORCES_COUNT);
}

bool cairn_forces_parse(const char *text, cairn_forces *out)
{
    int index = find(text, FORCES, FORCES_COUNT);
    if (index >= 0)
        *out = (cairn_forces)index;
    return index >= 0;
}

/* Laws by name; those with directions end in pyramid(m). */
static const struct
{
    const char *name;
    cairn_law_kind kind;
    bool directions;
} LAWS[] = {
    {"frictionless", CAIRN_LAW_FRICTIONLESS, false},
    {"pyramid", CAIRN_LAW_PYRAMID, true},
    {"box", CAIRN_LAW_BOX, false},
    {"cone", CAIRN_LAW_CONE, false},
    {"convex pyramid", CAIRN_LAW_CONVEX_PYRAMID, true},
    {"convex cone", CAIRN_LAW_CONVEX_CONE, false},
    {"lagged", CAIRN_LAW_LAGGED, false},
};
static const int LAW_COUNT = sizeof LAWS / sizeof LAWS[0];

void cairn_law_name(cairn_law law, char *text, size_t size)
{
    for (int i = 0; i < LAW_COUNT; ++i)
    {
        if (LAWS[i].kind == law.kind && LAWS[i].directions)
        {
            snprintf(text, size, "%s(%d)", LAWS[i].name, law.directions);
            return;
        }
        if (LAWS[i].kind == law.kind)
        {
            snprintf(text, size, "%s", LAWS[i].name);
            return;
        }
    }
    snprintf(text, size, "unknown");
}

/* The m of "(m)", 0 when it is not an even number in range. */
static int parse_directions(const char *text)
{
    char *end;
    long m = text[0] == '(' ? strtol(text + 1, &end, 10) : 0;
    bool right = text[0] == '(' && strcmp(end, ")") == 0 && m >= 4 && m % 2 == 0 && m <= CAIRN_MAX_DIRECTIONS;
    return right ? (int)m : 0;
}

bool cairn_law_parse(const char *text, cairn_law *out)
{
    for (int i = 0; text && i < LAW_COUNT; ++i)
    {
        size_t length = strlen(LAWS[i].name);
        if (strncmp(text, LAWS[i].name, length) != 0)
            continue;
        int m = parse_directions(text + length);
        if (LAWS[i].directions ? m > 0 : text[length] == '\0')
        {
            *out = (cairn_law){LAWS[i].kind, m};
            return true;
        }
    }
    return false;
}

cairn_settings cairn_settings_default(void)
{
    return (cairn_settings){
        .struct_size = sizeof(cairn_settings),
        .step = 0.01,
        .integrator = CAIRN_INTEGRATOR_STIFF,
        .law = {CAIRN_LAW_CONE, 0},
        .stabilisation = CAIRN_STABILISE_GAP,
        .solver = cairn_solver_default(),
        .contact_tolerance = 1e-9,
        .events = true,
        .reduction = true,
        .event_floor = 1e-6,
        .restitution_threshold = 0.01,
        .push_out_speed = 1.0,
        .projection_tolerance = 1e-10,
        .audit = true,
    };
}

static bool law_is_valid(cairn_law law)
{
    for (int i = 0; i < LAW_COUNT; ++i)
    {
        if (LAWS[i].kind == law.kind)
        {
            bool even = law.directions >= 4 && law.directions % 2 == 0 && law.directions <= CAIRN_MAX_DIRECTIONS;
            return even || !LAWS[i].directions;
        }
    }
    return false;
}

static bool is_positive(double x)
{
    return isfinite(x) && x > 0;
}

static bool is_not_negative(double x)
{
    return isfinite(x) && x >= 0;
}

/* One sentence when a value has no name, with the names that are allowed. */
static cairn_status check_choice(cairn_context *context, const char *field, int value, const char *const *names,
                                 int count)
{
    if (value >= 0 && value < count)
        return CAIRN_OK;
    char allowed[128] = "";
    for (int i = 0, used = 0; i < count && used < (int)sizeof allowed; ++i)
        used += snprintf(allowed + used, sizeof allowed - (size_t)used, "%s%s", i > 0 ? ", " : "", names[i]);
    return crn_fail(context, CAIRN_INVALID, "%s: unknown value %d; allowed: %s", field, value, allowed);
}

static cairn_status check_choices(cairn_context *context, const cairn_settings *s)
{
    const cairn_status checks[] = {
        check_choice(context, "integrator", (int)s->integrator, INTEGRATORS, INTEGRATOR_COUNT),
        check_choice(context, "stabilisation", (int)s->stabilisation, STABILISATIONS, STABILISATION_COUNT),
        check_choice(context, "solver", (int)s->solver.kind, SOLVERS, SOLVER_COUNT),
        check_choice(context, "forces", (int)s->solver.forces, FORCES, FORCES_COUNT),
        check_choice(context, "jacobian", (int)s->jacobian, JACOBIANS, JACOBIAN_COUNT),
        check_choice(context, "mass", (int)s->mass, MASSES, MASS_COUNT),
        check_choice(context, "impact", (int)s->impact, IMPACTS, IMPACT_COUNT),
        check_choice(context, "initial", (int)s->initial, INITIALS, INITIAL_COUNT),
    };
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; ++i)
        status = status ? status : checks[i];
    return status;
}

cairn_status cairn_settings_check(cairn_context *context, const cairn_settings *s)
{
    if (!s)
        return crn_fail(context, CAIRN_INVALID, "settings: they are NULL");
    if (s->struct_size != sizeof *s)
        return crn_fail(context, CAIRN_INVALID, "settings: begin with cairn_settings_default()");
    cairn_status status = check_choices(context, s);
    if (!is_positive(s->step))
        status = crn_fail(context, CAIRN_INVALID, "step: must be a time greater than 0, found %g", s->step);
    if (!law_is_valid(s->law))
    {
        status = crn_fail(context, CAIRN_INVALID,
                          "law: allowed are frictionless, box, cone, convex cone, lagged, pyramid(m) and convex "
                          "pyramid(m) with even m from "
                          "4 to %d",
                          CAIRN_MAX_DIRECTIONS);
    }
    if (!is_positive(s->solver.tolerance))
    {
        status =
            crn_fail(context, CAIRN_INVALID, "solver_tolerance: must be greater than 0, found %g", s->solver.tolerance);
    }
    if (s->solver.max_iterations < 0)
    {
        status = crn_fail(context, CAIRN_INVALID, "max_iterations: must be 0 (automatic) or more, found %d",
                          s->solver.max_iterations);
    }
    if (!is_not_negative(s->solver.time_limit))
    {
        status = crn_fail(context, CAIRN_INVALID, "time_limit: must be a time of 0 (none) or more, found %g",
                          s->solver.time_limit);
    }
    if (s->solver.threads < 0 || s->solver.threads > CAIRN_MAX_THREADS)
    {
        status = crn_fail(context, CAIRN_INVALID, "threads: must be from 0 (one) to %d, found %d", CAIRN_MAX_THREADS,
                          s->solver.threads);
    }
    if (!is_not_negative(s->contact_tolerance))
    {
        status = crn_fail(context, CAIRN_INVALID, "contact_tolerance: must be a length of 0 or more, found %g",
                          s->contact_tolerance);
    }
    if (!(s->push_out_speed > 0))
    {
        status =
            crn_fail(context, CAIRN_INVALID, "push_out_speed: must be greater than 0, found %g", s->push_out_speed);
    }
    if (!is_not_negative(s->restitution_threshold))
    {
        status = crn_fail(context, CAIRN_INVALID, "restitution_threshold: must be a speed of 0 or more, found %g",
                          s->restitution_threshold);
    }
    bool convex = s->law.kind == CAIRN_LAW_CONVEX_PYRAMID || s->law.kind == CAIRN_LAW_CONVEX_CONE;
    if (convex && s->integrator >= CAIRN_INTEGRATOR_TRAPEZOID)
    {
        status =
            crn_fail(context, CAIRN_INVALID,
                     "law: the convex laws let sliding contacts lift off, which a second-order scheme would take for "
                     "an event; use euler or stiff with them, found %s",
                     cairn_integrator_name(s->integrator));
    }
    if (s->law.kind == CAIRN_LAW_LAGGED && s->integrator >= CAIRN_INTEGRATOR_TRAPEZOID)
    {
        status = crn_fail(context, CAIRN_INVALID,
                          "law: lagged friction is bounded by the forces of the step before, which is right to first "
                          "order; use euler or stiff with it, found %s",
                          cairn_integrator_name(s->integrator));
    }
    if (!isfinite(s->error_tolerance) || s->error_tolerance < 0)
    {
        status = crn_fail(context, CAIRN_INVALID, "error_tolerance: must be a length of 0 or more, found %g",
                          s->error_tolerance);
    }
    if (s->error_tolerance > 0 && (s->integrator != CAIRN_INTEGRATOR_STIFF2 || !s->events))
    {
        status = crn_fail(context, CAIRN_INVALID,
                          "error_tolerance: only integrator stiff2 with events on chooses its own steps; found %s%s",
                          cairn_integrator_name(s->integrator), s->events ? "" : " with events off");
    }
    if (!(s->event_floor > 0 && s->event_floor <= 1))
    {
        status = crn_fail(context, CAIRN_INVALID,
                          "event_floor: must be a share of the step, greater than 0 and at most 1, found %g",
                          s->event_floor);
    }
    if (!is_positive(s->projection_tolerance))
    {
        status = crn_fail(context, CAIRN_INVALID, "projection_tolerance: must be a length greater than 0, found %g",
                          s->projection_tolerance);
    }
    return status;
}
