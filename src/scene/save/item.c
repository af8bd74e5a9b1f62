#include "scene/save/item.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SEPARATOR = 0x1f,
    ELEMENT = 0x1e,
    LINE = 120 /* the longest line of an item in braces */
};

/* ------------------------------------------------------------------------------------------------------- collecting */

void crn_section(crn_saver *saver, const char *name)
{
    assert(!saver->item);
    saver->section = name;
}

void crn_item_begin(crn_saver *saver)
{
    assert(!saver->item);
    saver->text = NULL;
    saver->depth = 0;
    saver->item = open_memstream(&saver->text, &saver->length);
    saver->no_memory = saver->no_memory || !saver->item;
}

void crn_field_begin(crn_saver *saver, const char *name)
{
    if (!saver->item)
        return;
    if (saver->depth == 0)
        fputc(SEPARATOR, saver->item);
    else if (saver->begun[saver->depth - 1])
        fputs(", ", saver->item);
    if (saver->depth > 0)
        saver->begun[saver->depth - 1] = true;
    crn_write_text(saver->item, name);
    fputs(": ", saver->item);
}

void crn_open(crn_saver *saver, char bracket)
{
    assert(saver->depth < CRN_ITEM_DEPTH);
    if (saver->item)
        fputc(bracket, saver->item);
    saver->begun[saver->depth++] = false;
}

void crn_close(crn_saver *saver, char bracket)
{
    assert(saver->depth > 0);
    if (saver->item)
        fputc(bracket, saver->item);
    --saver->depth;
}

void crn_element_begin(crn_saver *saver, bool own_line)
{
    assert(saver->depth > 0);
    if (!saver->item)
        return;
    if (saver->begun[saver->depth - 1])
        fputs(", ", saver->item);
    if (own_line)
        fputc(ELEMENT, saver->item);
    saver->begun[saver->depth - 1] = true;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

/* The length of the item in braces. */
static size_t length_of(const crn_saver *saver)
{
    size_t marks = 0, fields = 0;
    for (size_t i = 0; i < saver->length; ++i)
    {
        marks += saver->text[i] == SEPARATOR || saver->text[i] == ELEMENT;
        fields += saver->text[i] == SEPARATOR;
    }
    return strlen("  - {}") + saver->length - marks + 2 * (fields - 1);
}

static void write_short(const crn_saver *saver)
{
    fputs("  - {", saver->out);
    for (size_t i = 1; i < saver->length; ++i)
        if (saver->text[i] == SEPARATOR)
            fputs(", ", saver->out);
        else if (saver->text[i] != ELEMENT)
            fputc(saver->text[i], saver->out);
    fputs("}\n", saver->out);
}

/* A field on its line, the elements of its list on lines of their own: "shapes: [?{..}, ?{..}]", where ? is ELEMENT. */
static void write_field(const crn_saver *saver, const char *field, size_t length)
{
    const char *at = memchr(field, ELEMENT, length), *end = field + length;
    if (!at || length + strlen("    ") <= LINE)
    {
        for (const char *c = field; c < end; ++c)
            if (*c != ELEMENT)
                fputc(*c, saver->out);
        fputc('\n', saver->out);
        return;
    }
    fprintf(saver->out, "%.*s\n", (int)(at - field - 2), field); /* without " [" */
    while (at)
    {
        const char *next = memchr(at + 1, ELEMENT, (size_t)(end - at - 1));
        const char *stop = next ? next - 2 : end - 1; /* without ", " or "]" */
        fprintf(saver->out, "      - %.*s\n", (int)(stop - at - 1), at + 1);
        at = next;
    }
}

static void write_long(const crn_saver *saver)
{
    const char *at = saver->text, *end = saver->text + saver->length;
    for (const char *lead = "  - "; at; lead = "    ")
    {
        const char *next = memchr(at + 1, SEPARATOR, (size_t)(end - at - 1));
        fputs(lead, saver->out);
        write_field(saver, at + 1, (size_t)((next ? next : end) - at - 1));
        at = next;
    }
}

void crn_item_end(crn_saver *saver)
{
    assert(saver->depth == 0);
    if (!saver->item)
        return;
    bool good = !ferror(saver->item);
    good = fclose(saver->item) == 0 && good && saver->text;
    saver->item = NULL;
    saver->no_memory = saver->no_memory || !good;
    if (good)
    {
        assert(saver->length > 0 && saver->text[0] == SEPARATOR);
        if (saver->section)
            fprintf(saver->out, "%s:\n", saver->section);
        saver->section = NULL;
        (length_of(saver) <= LINE ? write_short : write_long)(saver);
    }
    free(saver->text);
    saver->text = NULL;
}

/* ----------------------------------------------------------------------------------------------------------- values */

void crn_put_number(crn_saver *saver, double value)
{
    if (saver->item)
        crn_write_number(saver->item, value);
}

void crn_put_text(crn_saver *saver, const char *text)
{
    if (saver->item)
        crn_write_text(saver->item, text);
}

void crn_put_expression(crn_saver *saver, const char *text)
{
    if (saver->item)
        crn_write_expression(saver->item, text);
}

void crn_put_numbers(crn_saver *saver, const double *values, int count)
{
    crn_open(saver, '[');
    for (int i = 0; i < count; ++i)
    {
        crn_element_begin(saver, false);
        crn_put_number(saver, values[i]);
    }
    crn_close(saver, ']');
}

void crn_field_number(crn_saver *saver, const char *name, double value, double standard)
{
    if (value == standard)
        return;
    crn_field_begin(saver, name);
    crn_put_number(saver, value);
}

void crn_field_text(crn_saver *saver, const char *name, const char *text)
{
    crn_field_begin(saver, name);
    crn_put_text(saver, text);
}

void crn_field_flag(crn_saver *saver, const char *name, bool value)
{
    if (!value)
        return;
    crn_field_begin(saver, name);
    if (saver->item)
        fputs("true", saver->item);
}

void crn_field_numbers(crn_saver *saver, const char *name, const double *values, const double *standard, int count)
{
    if (memcmp(values, standard, (size_t)count * sizeof *values) == 0)
        return;
    crn_field_begin(saver, name);
    crn_put_numbers(saver, values, count);
}

void crn_field_points(crn_saver *saver, const char *name, const double *points, int count, int dimension, int stride)
{
    crn_field_begin(saver, name);
    crn_open(saver, '[');
    for (int i = 0; i < count; ++i)
    {
        crn_element_begin(saver, false);
        crn_put_numbers(saver, points + (ptrdiff_t)i * stride, dimension);
    }
    crn_close(saver, ']');
}

void crn_cannot_say(crn_saver *saver, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    crn_fail(saver->model->context, CAIRN_INVALID, "save: %s", text);
    saver->failed = true;
}
