/* Conversion of settings from and to text, and the sentences that describe which values a setting accepts. */
#include "base/context.h"
#include "base/expression.h"
#include "base/number_text.h"
#include "step/settings/settings.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- sentences */

/* A text that grows up to the end of its buffer. */
typedef struct line
{
    char *text;
    size_t size, used;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = out->used < out->size ? vsnprintf(out->text + out->used, out->size - out->used, format, arguments) : 0;
    va_end(arguments);
    out->used += length > 0 ? (size_t)length : 0;
}

static int word_count(const cairn_setting *setting)
{
    int count = 0;
    while (setting->word && setting->word(count))
        ++count;
    return count;
}

/* "a, b or c". The words of a law without (m) come first, so that the explanation of m follows the words that have one. */
static void add_words(line *out, const cairn_setting *setting, const char *last)
{
    int count = word_count(setting), said = 0;
    bool laws = setting->type == CAIRN_SETTING_LAW;
    for (int pass = 0; pass < (laws ? 2 : 1); ++pass)
    {
        for (int i = 0; i < count; ++i)
        {
            const char *word = setting->word(i);
            if (laws && (strchr(word, '(') != NULL) != (pass == 1))
                continue;
            add(out, "%s%s", said == 0 ? "" : said == count - 1 ? last : ", ", word);
            ++said;
        }
    }
    if (laws)
        add(out, " with an even m from 4 to %d", CAIRN_MAX_DIRECTIONS);
}

void crn_setting_list(const cairn_setting *setting, const char *last, char *text, size_t size)
{
    line out = {text, size, 0};
    add_words(&out, setting, last);
}

bool crn_setting_is_number(const cairn_setting *setting)
{
    return setting->type == CAIRN_SETTING_NUMBER || setting->type == CAIRN_SETTING_COUNT;
}

void cairn_setting_range(const cairn_setting *setting, char *text, size_t size)
{
    bool bounded = setting->most < (setting->type == CAIRN_SETTING_COUNT ? INT_MAX : DBL_MAX);
    line out = {text, size, 0};
    add(&out, "%s", "");
    if (!crn_setting_is_number(setting))
        return;
    if (setting->above)
        add(&out, bounded ? "greater than %g and at most %g" : "greater than %g", setting->least, setting->most);
    else
        add(&out, bounded ? "from %g to %g" : "%g or more", setting->least, setting->most);
}

void cairn_setting_expects(const cairn_setting *setting, char *text, size_t size)
{
    line out = {text, size, 0};
    char range[64];
    cairn_setting_range(setting, range, sizeof range);
    if (crn_setting_is_number(setting))
    {
        add(&out, "%s%s%s, %s", setting->noun, *setting->unit ? " in " : "", setting->unit, range);
        return;
    }
    if (setting->type == CAIRN_SETTING_SWITCH)
    {
        add(&out, "%s", "on or off");
        return;
    }
    bool several = setting->type == CAIRN_SETTING_WORDS;
    add(&out, several ? "%s (" : "%s", setting->noun);
    add_words(&out, setting, several ? ", " : " or ");
    add(&out, "%s", several ? ")" : "");
}

/* ------------------------------------------------------------------------------------------------------- text */

/* A number, or a constant expression as in scene files. */
static bool parse_number(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end != text && !*end)
        return isfinite(*out);
    crn_expression_error error;
    crn_expression *expression = crn_expression_compile(text, NULL, 0, NULL, 0, &error);
    *out = expression ? crn_expression_evaluate(expression, NULL) : NAN;
    crn_expression_destroy(expression);
    return isfinite(*out);
}

/* The index of the word of `length` bytes; -1 if it is unknown. */
static int find_word(const cairn_setting *setting, const char *text, size_t length)
{
    for (int i = 0; setting->word(i); ++i)
        if (strlen(setting->word(i)) == length && strncmp(setting->word(i), text, length) == 0)
            return i;
    return -1;
}

/* Words separated by commas, as bits; an empty text sets none. *text moves to the first unknown word. */
static bool parse_words(const cairn_setting *setting, const char **text, double *out)
{
    uint32_t bits = 0;
    for (bool more = **text; more;)
    {
        size_t length = strcspn(*text, ",");
        int index = find_word(setting, *text, length);
        if (index < 0)
            return false;
        assert(index < 32);
        bits |= UINT32_C(1) << index;
        more = (*text)[length];
        *text += length + (more ? 1 : 0);
    }
    *out = bits;
    return true;
}

static bool parse_value(const cairn_setting *setting, const char **text, double *out)
{
    if (crn_setting_is_number(setting))
        return parse_number(*text, out) && crn_setting_allows(setting, *out);
    if (setting->type == CAIRN_SETTING_WORDS)
        return parse_words(setting, text, out);
    *out = find_word(setting, *text, strlen(*text));
    return *out >= 0;
}

cairn_suggestion crn_setting_suggest(const cairn_setting *setting, const char *word)
{
    cairn_suggestion near = {.word = word};
    for (int i = 0; setting->word && setting->word(i); ++i)
    {
        char name[64];
        const char *given = setting->word(i);
        int length = (int)strcspn(given, "(");
        snprintf(name, sizeof name, "%.*s%s", length, given, given[length] ? "(8)" : ""); /* for the m of a law */
        cairn_suggestion_offer(&near, name);
    }
    return near;
}

cairn_status cairn_settings_set(cairn_context *context, cairn_settings *settings, const char *name, const char *text)
{
    if (!settings || !name || !text)
        return crn_fail(context, CAIRN_INVALID, "settings: the settings, the name or the text is NULL");
    const cairn_setting *setting = cairn_setting_find(name);
    if (!setting)
        return crn_fail(context, CAIRN_INVALID, "settings: there is no setting '%s'", name);
    double value = 0;
    bool law = setting->type == CAIRN_SETTING_LAW;
    void *field = (char *)settings + setting->offset;
    if (law ? cairn_law_parse(text, field) : parse_value(setting, &text, &value))
    {
        if (!law)
            crn_setting_put(setting, value, settings);
        return CAIRN_OK;
    }
    char expected[512], found[128];
    size_t length = setting->type == CAIRN_SETTING_WORDS ? strcspn(text, ",") : strlen(text);
    cairn_setting_expects(setting, expected, sizeof expected);
    snprintf(found, sizeof found, "%.*s", (int)(length < 100 ? length : 100), text);
    return crn_fail(context, CAIRN_INVALID, "%s: expected %s, found '%s'%s", setting->name, expected, found,
                    crn_setting_suggest(setting, found).hint);
}

bool cairn_settings_get(const cairn_settings *settings, const char *name, char *text, size_t size)
{
    const cairn_setting *setting = cairn_setting_find(name);
    line out = {text, size, 0};
    if (size > 0)
        text[0] = '\0';
    if (!settings || !setting)
        return false;
    double value = cairn_setting_value(setting, settings);
    if (crn_setting_is_number(setting))
        snprintf(text, size, "%s", crn_number_text(value).text);
    else if (setting->type == CAIRN_SETTING_LAW)
        cairn_law_name(*(const cairn_law *)(const void *)((const char *)settings + setting->offset), text, size);
    else if (setting->type != CAIRN_SETTING_WORDS)
        add(&out, "%s", setting->word((int)value) ? setting->word((int)value) : "unknown");
    for (int i = 0; setting->type == CAIRN_SETTING_WORDS && setting->word(i); ++i)
        if ((uint32_t)value >> i & 1u)
            add(&out, "%s%s", out.used > 0 ? "," : "", setting->word(i));
    return true;
}
