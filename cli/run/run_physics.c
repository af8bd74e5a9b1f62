#include "cli/run/run_physics.h"

#include "cli/common/cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOST_PRINTED = 5
};

void cli_run_physics_add(cli_run_physics *physics, const cairn_simulation *simulation)
{
    cairn_physics_report report = cairn_simulation_report(simulation)->physics;
    physics->count += report.violations;
    physics->forbidden += report.forbidden;
    physics->audited += report.audited;
    for (int i = 0; i < cairn_simulation_violation_count(simulation) && physics->listed < CLI_MOST_VIOLATIONS; ++i)
        physics->list[physics->listed++] = cairn_simulation_violation(simulation, i);
}

void cli_violation_text(const cairn_violation *violation, const cairn_model *model, char *text, size_t size)
{
    int used = snprintf(text, size, "%s %.3g %s at t = %.6g s", cairn_violation_name(violation->kind), violation->size,
                        cairn_violation_unit(violation->kind), violation->time);
    const cairn_body body[2] = {violation->a, violation->b};
    for (int side = 0; side < 2 && used > 0 && (size_t)used < size; ++side)
    {
        if (body[side].id > 0)
        {
            used += snprintf(text + used, size - (size_t)used, "%s'%s'", side ? " and " : ", ",
                             cairn_model_body_name(model, body[side]));
        }
    }
}

static double ratio_of(const cairn_violation *violation)
{
    double ratio = violation->size / violation->allowance;
    return isnan(ratio) ? INFINITY : ratio;
}

/* The worst violation of all kinds, relative to its allowance. */
static cairn_violation worst_of(const cairn_audit_totals *totals)
{
    const cairn_violation *worst = NULL;
    for (int kind = 0; kind < CAIRN_VIOLATION_KINDS; ++kind)
    {
        const cairn_violation *other = &totals->worst[kind];
        bool found = totals->count[kind] > 0;
        worst = found && (!worst || ratio_of(other) > ratio_of(worst)) ? other : worst;
    }
    return worst ? *worst : (cairn_violation){.kind = CAIRN_VIOLATION_NOT_FINITE};
}

static void say_worst(const cli_run_physics *physics, const cairn_simulation *simulation, char *text, size_t size)
{
    cairn_audit_totals totals = cairn_simulation_audit(simulation);
    cairn_violation worst = worst_of(&totals);
    char what[256];
    cli_violation_text(&worst, cairn_simulation_model(simulation), what, sizeof what);
    snprintf(text, size, "%" PRId64 " violation%s%s, worst: %s", physics->count, physics->count == 1 ? "" : "s",
             physics->forbidden == 0 ? " of kinds that are allowed" : "", what);
}

/* On a device not every step is audited. */
static void say_share(const cli_run_physics *physics, int64_t steps, char *text, size_t size)
{
    text[0] = '\0';
    if (physics->audited < steps)
        snprintf(text, size, "; %" PRId64 " of %" PRId64 " steps audited", physics->audited, steps);
}

void cli_run_physics_print(const cli_run_physics *physics, int64_t steps, const cairn_simulation *simulation)
{
    if (!cairn_simulation_settings(simulation)->audit)
    {
        printf("  physics       not checked\n");
        return;
    }
    char text[512] = "no violation", share[64];
    if (physics->count > 0)
        say_worst(physics, simulation, text, sizeof text);
    say_share(physics, steps, share, sizeof share);
    printf("  physics       %s%s\n", text, share);
    for (int i = 0; i < physics->listed && i < MOST_PRINTED; ++i)
    {
        const cairn_violation *violation = &physics->list[i];
        cli_violation_text(violation, cairn_simulation_model(simulation), text, sizeof text);
        printf("                %s (allowed %.1e)\n", text, violation->allowance);
    }
    if (physics->count > MOST_PRINTED)
        printf("                ... and %" PRId64 " more\n", physics->count - MOST_PRINTED);
}

void cli_run_physics_tell(const cli_run_physics *physics, const cairn_simulation *simulation)
{
    char text[512];
    if (physics->forbidden > 0)
    {
        say_worst(physics, simulation, text, sizeof text);
        cli_error("the physics of the run is violated: %s", text);
    }
}

static void put_violation(cli_json *json, const char *key, const cairn_violation *violation, const cairn_model *model)
{
    cli_json_open(json, key, '{');
    cli_json_text(json, "kind", cairn_violation_name(violation->kind));
    cli_json_number(json, "time", violation->time);
    cli_json_number(json, "size", violation->size);
    cli_json_number(json, "allowance", violation->allowance);
    cli_json_text(json, "unit", cairn_violation_unit(violation->kind));
    cli_json_open(json, "bodies", '[');
    const cairn_body body[2] = {violation->a, violation->b};
    for (int side = 0; side < 2; ++side)
        if (body[side].id > 0)
            cli_json_text(json, NULL, cairn_model_body_name(model, body[side]));
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}

void cli_run_physics_put(cli_json *json, const cli_run_physics *physics, const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    cairn_audit_totals totals = cairn_simulation_audit(simulation);
    cli_json_open(json, "physics", '{');
    cli_json_bool(json, "checked", cairn_simulation_settings(simulation)->audit);
    cli_json_integer(json, "audited_steps", physics->audited);
    cli_json_integer(json, "violations", physics->count);
    cli_json_integer(json, "forbidden", physics->forbidden);
    cli_json_open(json, "counts", '{');
    for (int kind = 0; kind < CAIRN_VIOLATION_KINDS; ++kind)
        cli_json_integer(json, cairn_violation_name((cairn_violation_kind)kind), totals.count[kind]);
    cli_json_close(json, '}');
    if (physics->count > 0)
    {
        cairn_violation worst = worst_of(&totals);
        put_violation(json, "worst", &worst, model);
    }
    cli_json_open(json, "list", '[');
    for (int i = 0; i < physics->listed; ++i)
        put_violation(json, NULL, &physics->list[i], model);
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}
