#include "import/xml.h"

#include <assert.h>
#include <expat.h>
#include <limits.h>
#include <string.h>

typedef struct builder
{
    cairn_context *context;
    crn_arena *memory;
    XML_Parser parser;
    const char *file;
    crn_xml *root, *open;
    int count;
    cairn_status status;
} builder;

static int line_of(const builder *b)
{
    XML_Size line = XML_GetCurrentLineNumber(b->parser);
    return line < INT_MAX ? (int)line : INT_MAX;
}

static int column_of(const builder *b)
{
    XML_Size column = XML_GetCurrentColumnNumber(b->parser);
    return column < INT_MAX - 1 ? (int)column + 1 : INT_MAX;
}

static void stop(builder *b, cairn_status status, const char *sentence)
{
    if (b->status == CAIRN_OK)
        b->status = crn_fail_at(b->context, status, b->file, line_of(b), column_of(b), "%s", sentence);
    XML_StopParser(b->parser, XML_FALSE);
}

static crn_xml *new_element(builder *b, const char *name)
{
    crn_xml *element = NULL;
    if (crn_reserve_all(b->memory, CRN_ARRAY(element, 1)))
        return NULL;
    *element = (crn_xml){.name = crn_arena_text(b->memory, name),
                         .file = b->file,
                         .line = line_of(b),
                         .column = column_of(b),
                         .depth = b->open ? b->open->depth + 1 : 1,
                         .parent = b->open};
    return element->name ? element : NULL;
}

/* Attributes keep their order, so that what is listed in the end follows the file. */
static bool add_attributes(builder *b, crn_xml *element, const char **pairs)
{
    crn_xml_attribute **end = &element->attributes;
    for (; pairs[0]; pairs += 2)
    {
        crn_xml_attribute *made = NULL;
        if (crn_reserve_all(b->memory, CRN_ARRAY(made, 1)))
            return false;
        made->name = crn_arena_text(b->memory, pairs[0]);
        made->value = crn_arena_text(b->memory, pairs[1]);
        if (!made->name || !made->value)
            return false;
        *end = made;
        end = &made->next;
    }
    return true;
}

static void hang_in(builder *b, crn_xml *element)
{
    crn_xml *parent = b->open;
    if (!parent)
        b->root = element;
    else if (parent->last)
        parent->last->next = element;
    else
        parent->first = element;
    if (parent)
        parent->last = element;
    b->open = element;
}

static void XMLCALL start_element(void *data, const char *name, const char **attributes)
{
    builder *b = data;
    if (b->status)
        return;
    if (b->open && b->open->depth == CRN_XML_DEPTH)
        stop(b, CAIRN_INVALID, "elements are nested more than 128 deep");
    else if (++b->count > CRN_XML_ELEMENTS)
        stop(b, CAIRN_INVALID, "the file has more than 1048576 elements");
    else
    {
        crn_xml *element = new_element(b, name);
        if (!element || !add_attributes(b, element, attributes))
            stop(b, CAIRN_NO_MEMORY, "memory ran out");
        else
            hang_in(b, element);
    }
}

static void XMLCALL end_element(void *data, const char *name)
{
    builder *b = data;
    if (b->status)
        return;
    assert(b->open && !strcmp(b->open->name, name));
    (void)name;
    b->open = b->open->parent;
}

static void XMLCALL declare_entity(void *data, const char *name, int is_parameter, const char *value, int value_length,
                                   const char *base, const char *system, const char *public, const char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)value_length, (void)base, (void)system, (void)public;
    (void)notation;
    stop(data, CAIRN_INVALID, "entity declarations are not accepted; write the text out where it is used");
}

static cairn_status run_parser(builder *b, const char *text, size_t length)
{
    XML_SetUserData(b->parser, b);
    XML_SetElementHandler(b->parser, start_element, end_element);
    XML_SetEntityDeclHandler(b->parser, declare_entity);
    enum XML_Status result = XML_Parse(b->parser, text, (int)length, XML_TRUE);
    if (b->status == CAIRN_OK && result != XML_STATUS_OK)
    {
        enum XML_Error error = XML_GetErrorCode(b->parser);
        b->status = crn_fail_at(b->context, error == XML_ERROR_NO_MEMORY ? CAIRN_NO_MEMORY : CAIRN_INVALID, b->file,
                                line_of(b), column_of(b), "the XML is malformed: %s", XML_ErrorString(error));
    }
    return b->status;
}

cairn_status crn_xml_parse(cairn_context *context, crn_arena *memory, const char *file, const char *text, size_t length,
                           crn_xml **root)
{
    *root = NULL;
    if (length > CRN_XML_BYTES)
        return crn_fail_at(context, CAIRN_INVALID, file, 0, 0, "the file is larger than %d bytes", CRN_XML_BYTES);
    builder b = {.context = context, .memory = memory, .file = file, .parser = XML_ParserCreate(NULL)};
    if (!b.parser)
        return crn_fail(context, CAIRN_NO_MEMORY, "%s: memory ran out", file);
    cairn_status status = run_parser(&b, text, length);
    XML_ParserFree(b.parser);
    assert(status || (b.root && !b.open));
    *root = status ? NULL : b.root;
    return status;
}

static crn_xml_attribute *find(const crn_xml *element, const char *name)
{
    for (crn_xml_attribute *a = element->attributes; a; a = a->next)
        if (!strcmp(a->name, name))
            return a;
    return NULL;
}

const char *crn_xml_get(crn_xml *element, const char *name)
{
    crn_xml_attribute *found = find(element, name);
    if (found)
        found->used = true;
    return found ? found->value : NULL;
}

const char *crn_xml_peek(const crn_xml *element, const char *name)
{
    const crn_xml_attribute *found = find(element, name);
    return found ? found->value : NULL;
}

static crn_xml *named(crn_xml *from, const char *name)
{
    while (from && strcmp(from->name, name) != 0)
        from = from->next;
    if (from)
        from->used = true;
    return from;
}

crn_xml *crn_xml_child(crn_xml *element, const char *name)
{
    return named(element->first, name);
}

crn_xml *crn_xml_again(crn_xml *element)
{
    return named(element->next, element->name);
}

void crn_xml_use_all(crn_xml *element)
{
    element->used = true;
    for (crn_xml_attribute *a = element->attributes; a; a = a->next)
        a->used = true;
    for (crn_xml *child = element->first; child; child = child->next)
        crn_xml_use_all(child);
}
