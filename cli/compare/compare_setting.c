/* A setting of `cairn compare`: name=value pairs with commas between, over the scene's own settings. */
#include "cli/compare/compare.h"
#include "cli/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool set_integrator(const char *text, cairn_settings *s)
{
    return cairn_integrator_parse(text, &s->integrator);
}

static bool set_law(const char *text, cairn_settings *s)
{
    return cairn_law_parse(text, &s->law);
}

static bool set_stabilisation(const char *text, cairn_settings *s)
{
    return cairn_stabilisation_parse(text, &s->stabilisation);
}

static bool set_solver(const char *text, cairn_settings *s)
{
    return cairn_solver_kind_parse(text, &s->solver.kind);
}

static bool set_jacobian(const char *text, cairn_settings *s)
{
    return cairn_jacobian_parse(text, &s->jacobian);
}

static bool set_impact(const char *text, cairn_settings *s)
{
    return cairn_impact_parse(text, &s->impact);
}

static bool set_initial(const char *text, cairn_settings *s)
{
    return cairn_initial_parse(text, &s->initial);
}

static bool set_forces(const char *text, cairn_settings *s)
{
    return cairn_forces_parse(text, &s->solver.forces);
}

static bool set_events(const char *text, cairn_settings *s)
{
    s->events = !strcmp(text, "on");
    return s->events || !strcmp(text, "off");
}

static bool set_reduction(const char *text, cairn_settings *s)
{
    s->reduction = !strcmp(text, "on");
    return s->reduction || !strcmp(text, "off");
}

static bool set_step(const char *text, cairn_settings *s)
{
    return cli_study_number(text, &s->step) && s->step > 0;
}

static bool set_tolerance(const char *text, cairn_settings *s)
{
    return cli_study_number(text, &s->solver.tolerance) && s->solver.tolerance > 0;
}

static bool set_iterations(const char *text, cairn_settings *s)
{
    double value;
    bool good = cli_study_number(text, &value) && value >= 0 && value <= 1e9 && value == floor(value);
    s->solver.max_iterations = good ? (int)value : 0;
    return good;
}

static bool set_time_limit(const char *text, cairn_settings *s)
{
    return cli_study_number(text, &s->solver.time_limit) && s->solver.time_limit >= 0;
}

static bool set_threads(const char *text, cairn_settings *s)
{
    double value;
    bool good = cli_study_number(text, &value) && value >= 1 && value <= CAIRN_MAX_THREADS && value == floor(value);
    s->solver.threads = good ? (int)value : 1;
    return good;
}

static const struct
{
    const char *name;
    bool (*set)(const char *text, cairn_settings *settings);
    const char *expected;
} FIELDS[] = {
    {"integrator", set_integrator, "euler, stiff, trapezoid, trapezoid2 or stiff2"},
    {"law", set_law, "a law such as frictionless, pyramid(8), box, cone, convex pyramid(8), convex cone or lagged"},
    {"stabilisation", set_stabilisation, "none, gap or project"},
    {"solver", set_solver, "auto, lemke or another solver"},
    {"forces", set_forces, "auto, any, minimum-norm, minimum-energy or maximum-energy"},
    {"step", set_step, "a time above 0 s"},
    {"solver-tolerance", set_tolerance, "a number above 0"},
    {"max-iterations", set_iterations, "a whole number"},
    {"time-limit", set_time_limit, "a time of 0 s (none) or more"},
    {"threads", set_threads, "a whole number from 1 on"},
    {"events", set_events, "on or off"},
    {"reduction", set_reduction, "on or off"},
    {"impact", set_impact, "poisson, newton or poisson-friction"},
    {"jacobian", set_jacobian, "exact or linear"},
    {"initial", set_initial, "refuse, project or keep"},
};
enum
{
    FIELD_COUNT = (int)(sizeof FIELDS / sizeof FIELDS[0])
};

static int find_field(const char *name)
{
    for (int i = 0; i < FIELD_COUNT; ++i)
        if (!strcmp(FIELDS[i].name, name))
            return i;
    cairn_suggestion near = {.word = name};
    for (int i = 0; i < FIELD_COUNT; ++i)
        cairn_suggestion_offer(&near, FIELDS[i].name);
    cli_error("option --with: unknown setting '%s'%s", name, near.hint);
    return -1;
}

/* One "name=value"; the text is cut in two. */
static int apply_pair(char *text, cairn_settings *settings)
{
    char *sign = strchr(text, '=');
    if (!sign || sign == text || !sign[1])
    {
        cli_error("option --with: expected name=value, or 'scene' for the scene's own settings, found '%s'", text);
        return CLI_EXIT_WRONG;
    }
    *sign = '\0';
    int field = find_field(text);
    if (field >= 0 && !FIELDS[field].set(sign + 1, settings))
    {
        cli_error("option --with: %s: expected %s, found '%s'", text, FIELDS[field].expected, sign + 1);
        field = -1;
    }
    return field < 0 ? CLI_EXIT_WRONG : CLI_EXIT_DONE;
}

int cli_compare_apply(const char *text, cairn_settings *settings)
{
    int result = CLI_EXIT_DONE;
    for (const char *rest = strcmp(text, "scene") != 0 ? text : NULL; rest && !result;)
    {
        char *item = cli_study_item(rest, &rest);
        if (!item)
        {
            cli_error("memory ran out");
            return CLI_EXIT_FAILED;
        }
        result = apply_pair(item, settings);
        free(item);
    }
    return result;
}
