/* The mapping `simulation`: the step, the end, and the settings that differ from their defaults; and sensors. */
#include "scene/save/save.h"

#include <math.h>
#include <string.h>

static void put_words(crn_saver *s, const char *words)
{
    fputc('[', s->out);
    for (const char *at = words; *at; ++at)
        fputs(*at == ',' ? ", " : (char[2]){*at, '\0'}, s->out);
    fputc(']', s->out);
}

static void put_setting(crn_saver *s, const cairn_setting *setting, const char *text)
{
    fprintf(s->out, ", %s: ", setting->name);
    if (setting->type == CAIRN_SETTING_SWITCH)
        fputs(strcmp(text, "on") == 0 ? "true" : "false", s->out);
    else if (setting->type == CAIRN_SETTING_WORDS)
        put_words(s, text);
    else
        crn_write_expression(s->out, text);
}

static void save_simulation(crn_saver *s, const cairn_settings *settings, double until)
{
    const cairn_settings standard = cairn_settings_default();
    fputs("simulation: {step: ", s->out);
    crn_write_number(s->out, settings->step);
    fputs(", until: ", s->out);
    crn_write_number(s->out, until);
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        const cairn_setting *setting = cairn_setting_at(i);
        char text[512], usual[512];
        cairn_settings_get(settings, setting->name, text, sizeof text);
        cairn_settings_get(&standard, setting->name, usual, sizeof usual);
        if (strcmp(setting->name, "step") != 0 && strcmp(text, usual) != 0)
            put_setting(s, setting, text);
    }
    fputs("}\n", s->out);
}

/* A field of `recording`, after the brace or a comma. */
static void put_recorded(crn_saver *s, const char *name, double value, double standard, int *fields)
{
    if (value == standard)
        return;
    fprintf(s->out, "%s%s: ", (*fields)++ ? ", " : "recording: {", name);
    crn_write_number(s->out, value);
}

/* Only what differs from the defaults, if anything does. */
static void save_recording(crn_saver *s, const cairn_recording *r)
{
    static const char *const GROUPS[] = {"contacts", "velocities", "joints"};
    int fields = 0, listed = 0;
    put_recorded(s, "every", r->every, 1, &fields);
    put_recorded(s, "interval", r->interval, 0, &fields);
    put_recorded(s, "compression", r->compression, 0, &fields);
    put_recorded(s, "checkpoint", r->checkpoint_interval, 0, &fields);
    put_recorded(s, "checkpoint_wall", r->checkpoint_wall, 0, &fields);
    if (r->single)
        fprintf(s->out, "%sprecision: single", fields++ ? ", " : "recording: {");
    if (r->leave_out)
        fprintf(s->out, "%sleave_out: ", fields++ ? ", " : "recording: {");
    for (int k = 0; k < 3; ++k)
        if (r->leave_out & 1U << k)
            fprintf(s->out, "%s%s", listed++ ? ", " : "[", GROUPS[k]);
    fprintf(s->out, "%s%s", listed ? "]" : "", fields ? "}\n" : "");
}

void crn_save_settings(crn_saver *s, const cairn_save_options *options)
{
    crn_section(s, "sensors");
    for (int i = 0; i < options->sensor_count; ++i)
    {
        crn_item_begin(s);
        crn_field_text(s, "name", options->sensors[i].name);
        crn_field_text(s, "type", "quantity");
        crn_field_text(s, "quantity", options->sensors[i].quantity);
        crn_field_number(s, "every", options->sensors[i].every, 1);
        crn_item_end(s);
    }
    if (options->recording)
        save_recording(s, options->recording);
    if (options->settings)
        save_simulation(s, options->settings, options->until);
}
