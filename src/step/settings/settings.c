/* Values, defaults and checks of settings, driven by their table. */
#include "step/settings/settings.h"

#include "base/context.h"
#include "base/memory.h"
#include "model/periodic.h"
#include "solve/auto/laws.h"
#include "step/schemes/scheme.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------- values */

double cairn_setting_value(const cairn_setting *setting, const cairn_settings *settings)
{
    assert(setting->offset < sizeof *settings);
    const char *field = (const char *)settings + setting->offset;
    switch (setting->type)
    {
    case CAIRN_SETTING_NUMBER:
        return *(const double *)(const void *)field;
    case CAIRN_SETTING_SWITCH:
        return *(const bool *)(const void *)field ? 1.0 : 0.0;
    case CAIRN_SETTING_LAW:
        return (double)((const cairn_law *)(const void *)field)->kind;
    case CAIRN_SETTING_WORDS:
        return (double)*(const uint32_t *)(const void *)field;
    case CAIRN_SETTING_COUNT:
    case CAIRN_SETTING_WORD:
        break;
    }
    int value; /* enumerations have the size of an int, which is checked below */
    memcpy(&value, field, sizeof value);
    return value;
}

static_assert(sizeof(cairn_integrator) == sizeof(int) && sizeof(cairn_solver_kind) == sizeof(int),
              "enumerations are stored as int");

void crn_setting_put(const cairn_setting *setting, double value, cairn_settings *settings)
{
    char *field = (char *)settings + setting->offset;
    assert(!isnan(value) && setting->offset < sizeof *settings);
    switch (setting->type)
    {
    case CAIRN_SETTING_NUMBER:
        *(double *)(void *)field = value;
        return;
    case CAIRN_SETTING_SWITCH:
        *(bool *)(void *)field = value != 0.0;
        return;
    case CAIRN_SETTING_LAW:
        *(cairn_law *)(void *)field = (cairn_law){.kind = (cairn_law_kind)value};
        return;
    case CAIRN_SETTING_WORDS:
        *(uint32_t *)(void *)field = (uint32_t)value;
        return;
    case CAIRN_SETTING_COUNT:
    case CAIRN_SETTING_WORD:
        break;
    }
    int whole = (int)value;
    assert(whole == value);
    memcpy(field, &whole, sizeof whole);
}

bool crn_setting_allows(const cairn_setting *setting, double value)
{
    assert(setting->least <= setting->most);
    bool whole = setting->type != CAIRN_SETTING_COUNT || value == floor(value);
    bool enough = setting->above ? value > setting->least : value >= setting->least;
    return whole && enough && value <= setting->most;
}

cairn_settings cairn_settings_default(void)
{
    cairn_settings settings = {.struct_size = sizeof settings, .solver = cairn_solver_default()};
    for (int i = 0; i < cairn_setting_count(); ++i)
        crn_setting_put(cairn_setting_at(i), cairn_setting_at(i)->preset, &settings);
    return settings;
}

/* ------------------------------------------------------------------------------------------------------ checks */

/* Check one field against its row. In C, 0 threads means 1. */
static cairn_status check_field(cairn_context *context, const cairn_setting *setting, const cairn_settings *s)
{
    char expected[512];
    double value = cairn_setting_value(setting, s);
    bool unset = setting->offset == offsetof(cairn_settings, solver.threads) && value == 0;
    if (crn_setting_is_number(setting) && !unset && !crn_setting_allows(setting, value))
    {
        cairn_setting_expects(setting, expected, sizeof expected);
        return crn_fail(context, CAIRN_INVALID, "%s: must be %s; found %g", setting->name, expected, value);
    }
    if (setting->type == CAIRN_SETTING_LAW ? crn_law_is_valid(s->law)
                                           : setting->type != CAIRN_SETTING_WORD || setting->word((int)value))
        return CAIRN_OK;
    crn_setting_list(setting, ", ", expected, sizeof expected);
    return crn_fail(context, CAIRN_INVALID, "%s: unknown value %d; allowed: %s", setting->name, (int)value, expected);
}

static bool estimates_error(const crn_scheme *scheme)
{
    return scheme->error != NULL;
}

/* Reject combinations of fields that are incompatible. */
static cairn_status check_pairs(cairn_context *context, const cairn_settings *s)
{
    const crn_scheme *scheme = crn_scheme_of(s->integrator);
    const crn_law_class *law = crn_law_class_of(s->law.kind);
    cairn_status status = CAIRN_OK;
    if (!scheme || !law)
        return CAIRN_OK; /* already reported */
    if (law->lifts_off && scheme->order >= 2)
    {
        status =
            crn_fail(context, CAIRN_INVALID,
                     "law: the convex laws let sliding contacts lift off, which a second-order scheme would take for "
                     "an event; use %s with them, found %s",
                     crn_list_first_order().text, scheme->name);
    }
    if (law->has_radius && scheme->order >= 2)
    {
        status = crn_fail(context, CAIRN_INVALID,
                          "law: lagged friction is bounded by the forces of the step before, which is right to first "
                          "order; use %s with it, found %s",
                          crn_list_first_order().text, scheme->name);
    }
    if (s->error_tolerance > 0 && (!scheme->error || !s->events))
    {
        status = crn_fail(context, CAIRN_INVALID,
                          "tolerance: only integrator %s with events on chooses its own steps; found %s%s",
                          crn_list_schemes(estimates_error).text, scheme->name, s->events ? "" : " with events off");
    }
    return status;
}

cairn_status crn_settings_check_box(cairn_context *context, const cairn_model *model, const cairn_settings *s)
{
    if (!crn_is_periodic(model))
        return CAIRN_OK;
    if (crn_is_second_order(s->integrator))
        return crn_fail(context, CAIRN_INVALID,
                        "integrator: a periodic box is taken by first-order schemes; use %s with it, found %s",
                        crn_list_first_order().text, crn_scheme_of(s->integrator)->name);
    if (s->stabilisation == CAIRN_STABILISE_PROJECT)
        return crn_fail(context, CAIRN_INVALID,
                        "stabilisation: positions in a periodic box cannot be projected; use gap");
    double shift = fabs(model->shear) * model->box[1] * s->step;
    if (shift > 0.5 * model->box[0])
        return crn_fail(
            context, CAIRN_INVALID,
            "periodic: shear: what is above moves %g m against what is below in a step of %g s, and half the "
            "box is %g m long; take a shorter step",
            shift, s->step, 0.5 * model->box[0]);
    return crn_box_check(context, model);
}

cairn_status cairn_settings_check(cairn_context *context, const cairn_settings *s)
{
    if (!s)
        return crn_fail(context, CAIRN_INVALID, "settings: they are NULL");
    CRN_TRY(crn_check_size(context, "settings", s->struct_size, sizeof *s));
    CRN_TRY(crn_check_size(context, "solver", s->solver.struct_size, sizeof s->solver));
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < cairn_setting_count(); ++i)
        status = check_field(context, cairn_setting_at(i), s) ? CAIRN_INVALID : status;
    return check_pairs(context, s) ? CAIRN_INVALID : status;
}
