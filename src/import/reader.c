#include "import/reader.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SENTENCE = 512
};

bool crn_import_problem(crn_import *import, const crn_xml *at, const char *format, ...)
{
    char sentence[SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (import->problem_count++ < CRN_IMPORT_PROBLEMS)
        crn_fail_at(import->context, CAIRN_INVALID, at ? at->file : import->file, at ? at->line : 0,
                    at ? at->column : 0, "%s", sentence);
    return false;
}

void crn_import_note(crn_import *import, const crn_xml *at, const char *format, ...)
{
    char sentence[SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    cairn_import_notes *notes = import->notes;
    char *text = crn_arena_text(&notes->memory, sentence), *file = crn_arena_text(&notes->memory, at->file);
    if (!text || !file || crn_reserve_all(&notes->memory, CRN_ARRAY(notes->items, notes->count + 1)))
    {
        import->no_memory = true;
        return;
    }
    notes->items[notes->count++] = (cairn_message){.file = file, .line = at->line, .column = at->column, .text = text};
}

bool crn_import_pass(crn_import *import, const crn_xml *at, cairn_status status)
{
    if (status == CAIRN_NO_MEMORY)
        import->no_memory = true;
    else if (status != CAIRN_OK)
        crn_import_problem(import, at, "%s", cairn_context_last_message(import->scratch));
    cairn_context_clear(import->scratch);
    return status == CAIRN_OK;
}

void crn_import_note_unused(crn_import *import, crn_xml *element)
{
    if (!element->used)
    {
        crn_import_note(import, element, "<%.80s> has no counterpart and is left out", element->name);
        return;
    }
    for (const crn_xml_attribute *a = element->attributes; a; a = a->next)
        if (!a->used)
            crn_import_note(import, element, "attribute '%.80s' of <%.80s> has no counterpart", a->name, element->name);
    for (crn_xml *child = element->first; child; child = child->next)
        crn_import_note_unused(import, child);
}

/* ----------------------------------------------------------------------------------------------------------- memory */

void *crn_import_allocate(crn_import *import, size_t size)
{
    char *made = NULL;
    if (crn_reserve_all(&import->memory, CRN_ARRAY(made, size)))
        import->no_memory = true;
    return made;
}

const char *crn_import_text(crn_import *import, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *made = length < 0 ? NULL : crn_import_allocate(import, (size_t)length + 1);
    if (made)
        vsnprintf(made, (size_t)length + 1, format, again);
    va_end(again);
    return made ? made : "";
}

/* ----------------------------------------------------------------------------------------------------------- values */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
}

/* The next number of a text. 1: one, 0: none is left, -1: something else. */
static int next_number(const crn_import *import, const char **text, double *out)
{
    while (is_blank(**text))
        ++*text;
    if (!**text)
        return 0;
    char *end;
    *out = strtod_l(*text, &end, import->plain);
    bool fine = end != *text && (!*end || is_blank(*end)) && isfinite(*out);
    *text = end;
    return fine ? 1 : -1;
}

int crn_import_list(crn_import *import, crn_xml *element, const char *name, double **out)
{
    const char *text = crn_xml_get(element, name), *at = text;
    double value, *list = NULL;
    int count = 0, kind = 0;
    *out = NULL;
    if (!text)
        return 0;
    while ((kind = next_number(import, &at, &value)) == 1)
    {
        if (crn_reserve_all(&import->memory, CRN_ARRAY(list, count + 1)))
        {
            import->no_memory = true;
            return 0;
        }
        list[count++] = value;
    }
    if (kind < 0)
    {
        crn_import_problem(import, element, "attribute '%s' of <%s>: expected numbers, found '%.60s'", name,
                           element->name, text);
        return 0;
    }
    *out = list;
    return count;
}

int crn_import_numbers(crn_import *import, crn_xml *element, const char *name, int least, int most, double *out)
{
    assert(least >= 1 && most >= least);
    if (!crn_xml_peek(element, name))
        return 0;
    double *list;
    int before = import->problem_count, count = crn_import_list(import, element, name, &list);
    if (import->problem_count != before || import->no_memory)
        return 0;
    if (count < least || count > most)
    {
        char range[32];
        if (least == most)
            snprintf(range, sizeof range, "%d", least);
        else
            snprintf(range, sizeof range, "%d to %d", least, most);
        crn_import_problem(import, element, "attribute '%s' of <%s>: expected %s number%s, found %d", name,
                           element->name, range, most > 1 ? "s" : "", count);
        return 0;
    }
    memcpy(out, list, (size_t)count * sizeof *out);
    return count;
}

bool crn_import_number(crn_import *import, crn_xml *element, const char *name, double *out)
{
    return crn_import_numbers(import, element, name, 1, 1, out) == 1;
}

bool crn_import_amount(crn_import *import, crn_xml *element, const char *name, double *out)
{
    double value;
    if (!crn_import_number(import, element, name, &value))
        return false;
    if (value < 0)
        return crn_import_problem(import, element, "attribute '%s' of <%s> must not be negative, found %g", name,
                                  element->name, value);
    *out = value;
    return true;
}

const char *crn_import_required(crn_import *import, crn_xml *element, const char *name)
{
    const char *value = crn_xml_get(element, name);
    if (!value || !*value)
        crn_import_problem(import, element, "<%.80s> needs the attribute '%s'", element->name, name);
    return value && *value ? value : NULL;
}
