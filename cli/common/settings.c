#include "cli/common/settings.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------- options */

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    assert(used + strlen(more) < size);
    snprintf(text + used, size - used, "%s", more);
}

static const char *argument_of(cairn_setting_type type)
{
    switch (type)
    {
    case CAIRN_SETTING_NUMBER:
        return "X";
    case CAIRN_SETTING_COUNT:
        return "N";
    case CAIRN_SETTING_SWITCH:
        return "on|off";
    case CAIRN_SETTING_WORDS:
        return "KIND[,KIND]";
    case CAIRN_SETTING_WORD:
    case CAIRN_SETTING_LAW:
        break;
    }
    return "NAME";
}

/* "exact | linear; trapezoidal schemes: how springs ..." */
static void write_help(const cairn_setting *setting, char *text, size_t size)
{
    bool words = setting->type == CAIRN_SETTING_WORD || setting->type == CAIRN_SETTING_LAW;
    text[0] = '\0';
    for (int i = 0; words && setting->word(i); ++i)
    {
        append(text, size, i > 0 ? " | " : "");
        append(text, size, setting->word(i));
    }
    append(text, size, setting->unit);
    append(text, size, *text && *setting->applies ? "; " : "");
    append(text, size, setting->applies);
    append(text, size, *text ? ": " : "");
    append(text, size, setting->summary);
}

static bool is_listed(const char *name, const char *const *list)
{
    for (; list && *list; ++list)
        if (!strcmp(*list, name))
            return true;
    return false;
}

static cli_option option_of(cli_settings *settings, int index)
{
    const cairn_setting *setting = cairn_setting_at(index);
    char *name = settings->name[index];
    snprintf(name, sizeof settings->name[index], "%s", setting->name);
    for (char *at = name; *at; ++at)
        *at = *at == '_' ? '-' : *at;
    write_help(setting, settings->help[index], sizeof settings->help[index]);
    return (cli_option){
        CLI_VALUE(TEXT, name, 0, &settings->given[index], argument_of(setting->type), settings->help[index])};
}

void cli_settings_append(cli_settings *settings, const char *const *leave_out, cli_option *options)
{
    int count = 0;
    assert(cairn_setting_count() <= CLI_MOST_SETTINGS);
    while (options[count].name)
        ++count;
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        assert(count < CLI_MOST_OPTIONS - 1);
        if (!is_listed(cairn_setting_at(i)->name, leave_out))
            options[count++] = option_of(settings, i);
    }
    options[count] = (cli_option){0};
}

bool cli_setting_set(const cairn_setting *setting, const char *where, const char *text, cairn_settings *settings)
{
    cairn_context *context = cli_context_create();
    bool good = !cairn_settings_set(context, settings, setting->name, text);
    const char *message = good ? NULL : cairn_context_last_message(context);
    if (message && strlen(message) > strlen(setting->name)) /* it begins with the setting's name */
        cli_error("%s%s", where, message + strlen(setting->name));
    cairn_context_destroy(context);
    return good;
}

bool cli_settings_apply(const cli_settings *given, cairn_settings *settings)
{
    bool good = true;
    uint32_t allowed = settings->allow;
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        char where[64];
        snprintf(where, sizeof where, "option --%s", given->name[i]);
        good = (!given->given[i] || cli_setting_set(cairn_setting_at(i), where, given->given[i], settings)) && good;
    }
    settings->allow |= allowed; /* what the scene allows stays allowed */
    return good;
}

/* -------------------------------------------------------------------------------------------------------- JSON */

static void put_words(cli_json *json, const char *key, const cairn_setting *setting, uint32_t bits)
{
    cli_json_open(json, key, '[');
    for (int i = 0; setting->word(i); ++i)
        if (bits >> i & 1u)
            cli_json_text(json, NULL, setting->word(i));
    cli_json_close(json, ']');
}

void cli_settings_json(cli_json *json, const cairn_settings *settings)
{
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        const cairn_setting *setting = cairn_setting_at(i);
        double value = cairn_setting_value(setting, settings);
        char text[256];
        cairn_settings_get(settings, setting->name, text, sizeof text);
        if (setting->type == CAIRN_SETTING_NUMBER)
            cli_json_number(json, setting->name, value);
        else if (setting->type == CAIRN_SETTING_COUNT)
            cli_json_integer(json, setting->name, (int64_t)value);
        else if (setting->type == CAIRN_SETTING_SWITCH)
            cli_json_bool(json, setting->name, value != 0);
        else if (setting->type == CAIRN_SETTING_WORDS)
            put_words(json, setting->name, setting, (uint32_t)value);
        else
            cli_json_text(json, setting->name, text);
    }
}

/* ------------------------------------------------------------------------------------------------------ schema */

/* "m, 0 or more; second-order schemes: contacts ... Default: 1e-9." */
static void describe(const cairn_setting *setting, char *text, size_t size)
{
    char range[64], preset[64];
    cairn_settings defaults = cairn_settings_default();
    cairn_setting_range(setting, range, sizeof range);
    cairn_settings_get(&defaults, setting->name, preset, sizeof preset);
    const char *unit = setting->type == CAIRN_SETTING_COUNT ? "whole number" : setting->unit;
    snprintf(text, size, "%s%s%s", unit, *unit ? ", " : "", range);
    append(text, size, *text && *setting->applies ? "; " : "");
    append(text, size, setting->applies);
    append(text, size, *text ? ": " : "");
    append(text, size, setting->summary);
    for (int i = 0; setting->type == CAIRN_SETTING_LAW && setting->word(i); ++i)
    {
        append(text, size, i > 0 ? "`, `" : ": `");
        append(text, size, setting->word(i));
        append(text, size, setting->word(i + 1) ? "" : "`");
    }
    append(text, size, *setting->detail ? ". " : "");
    append(text, size, setting->detail);
    append(text, size, text[strlen(text) - 1] == '.' ? " Default: " : ". Default: ");
    bool word = setting->type == CAIRN_SETTING_WORD || setting->type == CAIRN_SETTING_LAW;
    bool on = setting->type == CAIRN_SETTING_SWITCH;
    append(text, size, word ? "`" : "");
    append(text, size, on ? (setting->preset != 0 ? "true" : "false") : *preset ? preset : "none");
    append(text, size, word ? "`." : ".");
    text[0] = (char)(*setting->unit ? text[0] : toupper((unsigned char)text[0]));
}

/* "^(cone|pyramid\([0-9]+\))$" */
static void put_pattern(cli_json *json, const cairn_setting *setting)
{
    char pattern[256] = "^(";
    for (int i = 0; setting->word(i); ++i)
    {
        const char *word = setting->word(i), *open = strchr(word, '(');
        char plain[64];
        snprintf(plain, sizeof plain, "%s%.*s%s", i > 0 ? "|" : "", open ? (int)(open - word) : (int)strlen(word), word,
                 open ? "\\([0-9]+\\)" : "");
        append(pattern, sizeof pattern, plain);
    }
    append(pattern, sizeof pattern, ")$");
    cli_json_text(json, "pattern", pattern);
}

static void put_type(cli_json *json, const cairn_setting *setting)
{
    switch (setting->type)
    {
    case CAIRN_SETTING_NUMBER:
    case CAIRN_SETTING_COUNT:
        cli_json_text(json, "$ref", "#/$defs/number");
        return;
    case CAIRN_SETTING_SWITCH:
        cli_json_text(json, "type", "boolean");
        return;
    case CAIRN_SETTING_LAW:
        cli_json_text(json, "type", "string");
        put_pattern(json, setting);
        return;
    case CAIRN_SETTING_WORD:
        put_words(json, "enum", setting, UINT32_MAX);
        return;
    case CAIRN_SETTING_WORDS:
        cli_json_text(json, "type", "array");
        cli_json_open(json, "items", '{');
        put_words(json, "enum", setting, UINT32_MAX);
        cli_json_close(json, '}');
        return;
    }
}

void cli_settings_schema(cli_json *json)
{
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        const cairn_setting *setting = cairn_setting_at(i);
        char text[1024];
        describe(setting, text, sizeof text);
        cli_json_open(json, setting->name, '{');
        put_type(json, setting);
        cli_json_text(json, "description", text);
        cli_json_close(json, '}');
    }
}
