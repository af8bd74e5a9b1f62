/* Elements and attributes as text, and notes. */
#include "export/robot_writer.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

enum
{
    SENTENCE = 512
};

void crn_writer_note(crn_writer *w, const char *format, ...)
{
    char sentence[SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    cairn_import_notes *notes = w->notes;
    char *text = crn_arena_text(&notes->memory, sentence);
    if (!text || crn_reserve_all(&notes->memory, CRN_ARRAY(notes->items, notes->count + 1)))
        w->status = CAIRN_NO_MEMORY;
    else
        notes->items[notes->count++] = (cairn_message){.text = text};
}

static void end_tag(crn_writer *w)
{
    fputs(w->tag_is_open ? ">\n" : "", w->out);
    w->tag_is_open = false;
}

void crn_element_open(crn_writer *w, const char *name)
{
    assert(w->depth < CRN_WRITER_LEVELS);
    end_tag(w);
    fprintf(w->out, "%*s<%s", 2 * w->depth, "", name);
    w->open[w->depth++] = name;
    w->tag_is_open = true;
}

void crn_element_close(crn_writer *w)
{
    assert(w->depth > 0);
    const char *name = w->open[--w->depth];
    if (w->tag_is_open)
        fputs("/>\n", w->out);
    else
        fprintf(w->out, "%*s</%s>\n", 2 * w->depth, "", name);
    w->tag_is_open = false;
}

void crn_attribute_text(crn_writer *w, const char *name, const char *text)
{
    assert(w->tag_is_open);
    fprintf(w->out, " %s=\"", name);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; ++at)
        if (*at == '"' || *at == '<' || *at == '>' || *at == '&' || (*at < ' ' && strchr("\t\n\r", *at)))
            fprintf(w->out, "&#%u;", (unsigned)*at);
        else
            fputc(*at < ' ' ? '?' : *at, w->out); /* XML has no way to write other control characters */
    fputc('"', w->out);
}

void crn_attribute_numbers(crn_writer *w, const char *name, const double *values, int count)
{
    assert(w->tag_is_open);
    fprintf(w->out, " %s=\"", name);
    for (int i = 0; i < count; ++i)
    {
        fputs(i > 0 ? " " : "", w->out);
        crn_write_number(w->out, values[i]);
    }
    fputc('"', w->out);
}

void crn_attribute_number(crn_writer *w, const char *name, double value)
{
    crn_attribute_numbers(w, name, &value, 1);
}

void crn_attribute_amount(crn_writer *w, const char *name, double value)
{
    if (value != 0)
        crn_attribute_number(w, name, value);
}
