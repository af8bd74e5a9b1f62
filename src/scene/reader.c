#include "scene/reader.h"
#include "scene/files.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------- messages */

static void keep_problem(crn_reader *reader, int line, int column, char *text)
{
    if (!text)
    {
        reader->no_memory = true;
        return;
    }
    assert(reader->problem_count < CRN_PROBLEMS);
    int order = reader->problem_count;
    reader->problems[reader->problem_count++] = (crn_problem){line, column, order, text};
}

static void add_problem(crn_reader *reader, int line, int column, const char *format, va_list arguments)
{
    if (reader->problem_count == CRN_PROBLEMS)
    {
        ++reader->unsaid;
        return;
    }
    char *sentence = NULL, *text = NULL;
    if (vasprintf(&sentence, format, arguments) < 0)
        sentence = NULL;
    bool where = reader->where, field = reader->field;
    int length = !sentence ? -1
                           : asprintf(&text, "%s%s%s%s%s", where ? reader->where : "", where ? ": " : "",
                                      field ? reader->field : "", field ? ": " : "", sentence);
    free(sentence);
    keep_problem(reader, line, column, length < 0 ? NULL : text);
}

bool crn_problem_at(crn_reader *reader, const crn_node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_problem(reader, node->line, node->column, format, arguments);
    va_end(arguments);
    return false;
}

bool crn_problem_inside(crn_reader *reader, const crn_node *node, int columns, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_problem(reader, node->line, node->column + columns, format, arguments);
    va_end(arguments);
    return false;
}

void *crn_reader_memory(crn_reader *reader, size_t size)
{
    void *memory = crn_document_memory(reader->document, size);
    reader->no_memory = reader->no_memory || !memory;
    return memory;
}

bool crn_gave_up(const crn_reader *reader)
{
    return reader->unsaid >= CRN_UNSAID;
}

int crn_problem_total(const crn_reader *reader)
{
    return reader->problem_count + reader->unsaid + (reader->no_memory ? 1 : 0);
}

/* A field of a mapping, or of a mapping within it. */
static const crn_node *find_field(const crn_node *element, const char *name)
{
    const crn_node *found = crn_node_field(element, name);
    for (const crn_node *inner = element->first; inner && !found; inner = inner->next)
        found = inner->kind == CRN_MAPPING ? crn_node_field(inner, name) : NULL;
    return found;
}

/* The model's messages look like "body 'left': mass: must be ...": their place is that of the field, if it is given. */
static const crn_node *place_of(const crn_node *element, const char *message)
{
    char name[32];
    const char *after = strstr(message, "': ");
    const char *word = after ? after + 3 : message;
    size_t length = strcspn(word, ":");
    if (word[length] != ':' || length >= sizeof name)
        return element;
    memcpy(name, word, length);
    name[length] = '\0';
    const crn_node *field = find_field(element, name);
    return field ? field : element;
}

bool crn_pass_on(crn_reader *reader, const crn_node *element, cairn_status status)
{
    assert(status == CAIRN_OK || reader->scratch);
    if (status == CAIRN_OK)
        return true;
    reader->no_memory = reader->no_memory || status == CAIRN_NO_MEMORY;
    const char *where = reader->where, *field = reader->field;
    reader->where = reader->field = NULL;
    int count = cairn_context_message_count(reader->scratch);
    for (int i = 0; i < count; ++i)
    {
        const char *text = cairn_context_message(reader->scratch, i).text;
        crn_problem_at(reader, place_of(element, text), "%s", text);
    }
    if (count == 0)
        crn_problem_at(reader, element, "%s", cairn_status_text(status));
    reader->where = where;
    reader->field = field;
    cairn_context_clear(reader->scratch);
    return false;
}

static int compare_problems(const void *a, const void *b)
{
    const crn_problem *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return x->order - y->order;
}

cairn_status crn_reader_tell(crn_reader *reader)
{
    assert(reader->problem_count <= CRN_PROBLEMS);
    assert(reader->unsaid == 0 || reader->problem_count == CRN_PROBLEMS);
    qsort(reader->problems, (size_t)reader->problem_count, sizeof reader->problems[0], compare_problems);
    for (int i = 0; i < reader->problem_count; ++i)
    {
        const crn_problem *problem = &reader->problems[i];
        crn_fail_at(reader->context, CAIRN_INVALID, problem->line > 0 ? reader->file : NULL, problem->line,
                    problem->column, "%s", problem->text);
    }
    if (crn_gave_up(reader))
        crn_fail(reader->context, CAIRN_INVALID, "%s: %d more problems are not listed, and the rest was not read",
                 reader->file, reader->unsaid);
    else if (reader->unsaid > 0)
        crn_fail(reader->context, CAIRN_INVALID, "%s: %d more problems are not listed", reader->file, reader->unsaid);
    if (reader->no_memory)
        return crn_fail(reader->context, CAIRN_NO_MEMORY, "%s: memory ran out", reader->file);
    return reader->problem_count > 0 ? CAIRN_INVALID : CAIRN_OK;
}

void crn_reader_free(crn_reader *reader)
{
    for (int i = 0; i < reader->problem_count; ++i)
        free(reader->problems[i].text);
    free(reader->parameters);
    crn_index *const names[] = {&reader->materials, &reader->bodies, &reader->groups,       &reader->joints,
                                &reader->springs,   &reader->forces, &reader->sensor_names, &reader->statistics};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        crn_index_free(names[i]);
    crn_files_free(reader);
    cairn_context_destroy(reader->scratch);
}

/* ------------------------------------------------------------------------------------------ words for things */

crn_clip crn_clip_text(const char *text)
{
    crn_clip clip;
    size_t length = strlen(text), room = sizeof clip.text - 4;
    if (length <= room)
    {
        memcpy(clip.text, text, length + 1);
    }
    else
    {
        while (room > 0 && ((unsigned char)text[room] & 0xc0) == 0x80)
            room--;
        memcpy(clip.text, text, room);
        memcpy(clip.text + room, "...", 4);
    }
    for (char *at = clip.text; *at != '\0'; ++at)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = ' ';
    return clip;
}

bool crn_is_number_like(const char *text)
{
    const char *at = text;
    if (*at == '+' || *at == '-')
        ++at;
    if (!isdigit((unsigned char)at[0]) && !(at[0] == '.' && isdigit((unsigned char)at[1])))
        return false;
    return at[strspn(at, "0123456789.eE+-")] == '\0';
}

crn_found crn_describe(const crn_node *node)
{
    assert(node->count >= 0);
    crn_found found;
    if (node->kind == CRN_MAPPING)
        snprintf(found.text, sizeof found.text, "a mapping");
    else if (node->kind == CRN_LIST && node->count == 0)
        snprintf(found.text, sizeof found.text, "an empty list");
    else if (node->kind == CRN_LIST)
        snprintf(found.text, sizeof found.text, "a list of %d", node->count);
    else if (node->plain && (node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0))
        snprintf(found.text, sizeof found.text, "nothing");
    else if (node->plain && crn_is_number_like(node->text))
        snprintf(found.text, sizeof found.text, "%s", crn_clip_text(node->text).text);
    else
        snprintf(found.text, sizeof found.text, "'%s'", crn_clip_text(node->text).text);
    return found;
}

crn_found crn_element_name(const char *noun, const crn_node *element, int number)
{
    assert(number >= 1);
    crn_found found;
    const crn_node *name = crn_node_field(element, "name");
    if (name && name->kind == CRN_SCALAR && name->text[0] != '\0')
        snprintf(found.text, sizeof found.text, "%s '%s'", noun, crn_clip_text(name->text).text);
    else
        snprintf(found.text, sizeof found.text, "%s %d", noun, number);
    return found;
}
