/* libyaml's events, composed into the tree of document.h.
 *
 * The composer keeps a stack of at most CRN_DOCUMENT_DEPTH open lists and mappings. An anchor becomes known when its node is
 * complete. An alias inside its own anchor is therefore unknown, and there are no cycles. The weight and the height of a node
 * are final when it is attached to its parent.
 */
#include "scene/document.h"

#include "base/memory.h"
#include "scene/encoding.h"
#include "scene/index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum
{
    CHUNK_BYTES = 64 * 1024,
    MAX_CHUNK_BYTES = 1024 * 1024 /* chunks double up to this: large ones go back to the system once they are freed */
};

typedef struct chunk
{
    struct chunk *next;
    size_t used, size;
    max_align_t bytes[];
} chunk;

struct crn_document
{
    chunk *chunks;
    const crn_node *root;
};

/* An open list or mapping. */
typedef struct level
{
    crn_node *node;
    const crn_node *key; /* mapping: the key whose value comes next */
    const char *anchor;
} level;

typedef struct composer
{
    cairn_context *context;
    const char *file;
    crn_document *document;
    level levels[CRN_DOCUMENT_DEPTH];
    int depth;
    crn_index anchor_names; /* id: number of the anchor, from 1 */
    const crn_node *anchors[CRN_DOCUMENT_KEYS];
    crn_joined joined;
    size_t next_shift; /* the first one that is not passed yet */
    int shift_line, shift_columns;
    int documents;
} composer;

/* --------------------------------------------------------------------------------------------------- memory */

void *crn_document_memory(crn_document *document, size_t size)
{
    assert(size > 0);
    size_t need = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    chunk *top = document->chunks;
    if (!top || top->size - top->used < need)
    {
        size_t room = top && 2 * top->size < MAX_CHUNK_BYTES ? 2 * top->size : top ? MAX_CHUNK_BYTES : CHUNK_BYTES;
        room = need > room ? need : room;
        chunk *made = calloc(1, sizeof *made + room);
        if (!made)
            return NULL;
        made->next = top;
        made->size = room;
        document->chunks = top = made;
    }
    void *memory = (char *)top->bytes + top->used;
    top->used += need;
    assert(top->used <= top->size);
    return memory;
}

static char *copy_bytes(crn_document *document, const void *bytes, size_t length)
{
    char *copy = crn_document_memory(document, length + 1);
    if (copy && length > 0)
        memcpy(copy, bytes, length);
    return copy;
}

void crn_document_destroy(crn_document *document)
{
    if (!document)
        return;
    while (document->chunks)
    {
        chunk *next = document->chunks->next;
        free(document->chunks);
        document->chunks = next;
    }
    free(document);
}

const crn_node *crn_document_root(const crn_document *document)
{
    return document->root;
}

const crn_node *crn_node_field(const crn_node *mapping, const char *name)
{
    if (!mapping || mapping->kind != CRN_MAPPING)
        return NULL;
    for (const crn_node *value = mapping->first; value; value = value->next)
        if (strcmp(value->key->text, name) == 0)
            return value;
    return NULL;
}

/* --------------------------------------------------------------------------------------------------- places */

/* Columns as in the file. Events come in the order of the text, so one pass over the shifts is enough. */
static int file_column(composer *c, int line, int column)
{
    assert(line >= 1);
    assert(column >= 1);
    assert(c->next_shift <= c->joined.shift_count);
    const crn_joined *joined = &c->joined;
    if (line != c->shift_line)
    {
        c->shift_line = line;
        c->shift_columns = 0;
    }
    while (c->next_shift < joined->shift_count)
    {
        const crn_shift *shift = &joined->shifts[c->next_shift];
        if (shift->line > line || (shift->line == line && shift->column >= column))
            break;
        c->shift_columns += shift->line == line ? CRN_SHIFT : 0;
        ++c->next_shift;
    }
    return column + c->shift_columns;
}

static void set_place(composer *c, crn_node *node, const yaml_mark_t *mark)
{
    node->line = (int)mark->line + 1;
    node->column = file_column(c, node->line, (int)mark->column + 1);
}

static cairn_status wrong(composer *c, const yaml_mark_t *mark, const char *sentence)
{
    int line = (int)mark->line + 1;
    return crn_fail_at(c->context, CAIRN_INVALID, c->file, line, file_column(c, line, (int)mark->column + 1), "%s",
                       sentence);
}

static cairn_status no_memory(composer *c)
{
    return crn_fail(c->context, CAIRN_NO_MEMORY, "%s: memory ran out", c->file);
}

/* ------------------------------------------------------------------------------------------------ the tree */

static cairn_status keep_anchor(composer *c, const char *name, const crn_node *node)
{
    assert(c->anchor_names.count <= CRN_DOCUMENT_KEYS);
    if (!name)
        return CAIRN_OK;
    size_t count = c->anchor_names.count;
    const crn_entry *known = crn_index_find(&c->anchor_names, name);
    if (!known && count == CRN_DOCUMENT_KEYS)
        return crn_fail_at(c->context, CAIRN_INVALID, c->file, node->line, node->column, "more than %d anchors",
                           (int)CRN_DOCUMENT_KEYS);
    if (!known && !crn_index_add(&c->anchor_names, (crn_entry){.name = name, .id = (int32_t)count + 1}))
        return no_memory(c);
    c->anchors[known ? known->id - 1 : (int32_t)count] = node;
    return CAIRN_OK;
}

/* Take a key of a mapping: a scalar. */
static cairn_status take_key(composer *c, level *top, const crn_node *key)
{
    assert(top->node->kind == CRN_MAPPING);
    assert(!top->key);
    if (key->kind != CRN_SCALAR)
        return crn_fail_at(c->context, CAIRN_INVALID, c->file, key->line, key->column,
                           "a field name must be a word, found %s", key->kind == CRN_LIST ? "a list" : "a mapping");
    if (top->node->count == CRN_DOCUMENT_KEYS)
        return crn_fail_at(c->context, CAIRN_INVALID, c->file, key->line, key->column,
                           "more than %d fields in one mapping", (int)CRN_DOCUMENT_KEYS);
    top->key = key;
    return CAIRN_OK;
}

/* Attach a complete node to the innermost open one, or make it the root. */
static cairn_status attach(composer *c, crn_node *node)
{
    assert(c->depth >= 0 && c->depth <= CRN_DOCUMENT_DEPTH);
    assert(node->weight >= 1);
    if (c->depth == 0)
    {
        c->document->root = node;
        return CAIRN_OK;
    }
    level *top = &c->levels[c->depth - 1];
    crn_node *parent = top->node;
    if (node->weight >= CRN_DOCUMENT_NODES - parent->weight)
        return crn_fail_at(c->context, CAIRN_INVALID, c->file, node->line, node->column,
                           "the file holds more than %d values, aliases written out", (int)CRN_DOCUMENT_NODES);
    if (c->depth + node->height > CRN_DOCUMENT_DEPTH)
        return crn_fail_at(c->context, CAIRN_INVALID, c->file, node->line, node->column,
                           "nested more than %d levels deep", (int)CRN_DOCUMENT_DEPTH);
    parent->weight += node->weight;
    if (parent->height < node->height + 1)
        parent->height = node->height + 1;
    if (parent->kind == CRN_MAPPING && !top->key)
        return take_key(c, top, node);
    node->key = top->key;
    top->key = NULL;
    if (!parent->last)
        parent->first = node;
    else
        parent->last->next = node;
    parent->last = node;
    ++parent->count;
    return CAIRN_OK;
}

/* By name, then by place. */
static int compare_keys(const void *a, const void *b)
{
    const crn_node *x = (*(crn_node *const *)a)->key, *y = (*(crn_node *const *)b)->key;
    int order = strcmp(x->text, y->text);
    if (order != 0)
        return order;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

/* A field given twice is an error: silently taking either would hide a mistake. It is only marked here, so that the
 * reader can report it among the others. */
static void mark_repeated(const crn_node *mapping)
{
    assert(mapping->kind == CRN_MAPPING);
    crn_node *values[CRN_DOCUMENT_KEYS];
    size_t count = 0;
    assert(mapping->count <= CRN_DOCUMENT_KEYS);
    for (crn_node *value = mapping->first; value; value = value->next)
        values[count++] = value;
    qsort(values, count, sizeof values[0], compare_keys);
    for (size_t i = 1; i < count; ++i)
    {
        const crn_node *before = values[i - 1];
        if (strcmp(before->key->text, values[i]->key->text) == 0)
            values[i]->repeated = before->repeated != 0 ? before->repeated : before->key->line;
    }
}

/* ---------------------------------------------------------------------------------------------- the events */

static crn_node *new_node(composer *c, const yaml_event_t *event, crn_node_kind kind)
{
    crn_node *node = crn_document_memory(c->document, sizeof *node);
    if (!node)
        return NULL;
    node->kind = kind;
    node->weight = 1;
    set_place(c, node, &event->start_mark);
    return node;
}

static cairn_status take_scalar(composer *c, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (event->data.scalar.tag)
        return wrong(c, &event->start_mark, "tags ('!name') have no meaning in a scene file");
    if (memchr(text, 0, length))
        return wrong(c, &event->start_mark, "a text with a NUL character in it");
    crn_node *node = new_node(c, event, CRN_SCALAR);
    char *copy = copy_bytes(c->document, text, length);
    if (!node || !copy)
        return no_memory(c);
    node->text = copy;
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->exact = node->plain && event->start_mark.line == event->end_mark.line;
    const char *name = (const char *)event->data.scalar.anchor;
    const char *kept = name ? copy_bytes(c->document, name, strlen(name)) : NULL;
    if (name && !kept)
        return no_memory(c);
    cairn_status status = attach(c, node);
    return status == CAIRN_OK ? keep_anchor(c, kept, node) : status;
}

static cairn_status open_level(composer *c, const yaml_event_t *event, crn_node_kind kind, const yaml_char_t *tag,
                               const yaml_char_t *name)
{
    assert(kind == CRN_LIST || kind == CRN_MAPPING);
    if (tag)
        return wrong(c, &event->start_mark, "tags ('!name') have no meaning in a scene file");
    if (c->depth == CRN_DOCUMENT_DEPTH)
        return wrong(c, &event->start_mark, "nested more than 64 levels deep");
    level *top = &c->levels[c->depth];
    *top = (level){.node = new_node(c, event, kind)};
    if (name)
        top->anchor = copy_bytes(c->document, name, strlen((const char *)name));
    if (!top->node || (name && !top->anchor))
        return no_memory(c);
    top->node->flow = kind == CRN_MAPPING && event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    ++c->depth;
    return CAIRN_OK;
}

static cairn_status close_level(composer *c)
{
    assert(c->depth > 0);
    level closed = c->levels[--c->depth];
    assert(!closed.key);
    if (closed.node->kind == CRN_MAPPING)
        mark_repeated(closed.node);
    cairn_status status = attach(c, closed.node);
    return status == CAIRN_OK ? keep_anchor(c, closed.anchor, closed.node) : status;
}

static const crn_node *find_anchor(const composer *c, const char *name)
{
    const crn_entry *known = crn_index_find(&c->anchor_names, name);
    return known ? c->anchors[known->id - 1] : NULL;
}

/* Problems found while the copy is attached refer to the alias; later ones to the place of the text. */
static cairn_status take_alias(composer *c, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    const crn_node *node = find_anchor(c, name);
    crn_node *copy = new_node(c, event, CRN_SCALAR);
    if (!copy)
        return no_memory(c);
    int line = copy->line, column = copy->column;
    if (!node)
        return crn_fail_at(c->context, CAIRN_INVALID, c->file, line, column,
                           "alias '*%.60s' names no anchor that is complete before it", name);
    *copy = *node;
    copy->next = NULL;
    copy->key = NULL;
    copy->repeated = 0;
    copy->line = line;
    copy->column = column;
    cairn_status status = attach(c, copy);
    copy->line = node->line;
    copy->column = node->column;
    return status;
}

static cairn_status take_event(composer *c, const yaml_event_t *event)
{
    switch (event->type)
    {
    case YAML_DOCUMENT_START_EVENT:
        if (++c->documents > 1)
            return wrong(c, &event->start_mark, "a second document starts here; a scene file holds one");
        return CAIRN_OK;
    case YAML_SCALAR_EVENT:
        return take_scalar(c, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_level(c, event, CRN_LIST, event->data.sequence_start.tag, event->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        return open_level(c, event, CRN_MAPPING, event->data.mapping_start.tag, event->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_level(c);
    case YAML_ALIAS_EVENT:
        return take_alias(c, event);
    default:
        return CAIRN_OK;
    }
}

/* Column of a tab that indents a line, from 1; 0: none. */
static int indenting_tab(const char *text, const char *end, int line)
{
    assert(text <= end);
    assert(line >= 1);
    for (; line > 1 && text; --line)
    {
        text = memchr(text, '\n', (size_t)(end - text));
        text = text ? text + 1 : NULL;
    }
    for (int column = 1; text && text < end; ++text, ++column)
        if (*text == '\t' || (*text != ' ' && *text != '-'))
            return *text == '\t' ? column : 0;
    return 0;
}

/* Report libyaml's own message, with its place. The usual cause is a tab, which libyaml does not mention. */
static cairn_status syntax_error(composer *c, const yaml_parser_t *parser, const char *text)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return no_memory(c);
    const char *problem = parser->problem ? parser->problem : "unreadable";
    if (parser->error == YAML_READER_ERROR)
    {
        int line, column;
        crn_text_place(text, parser->problem_offset, &line, &column);
        return crn_fail_at(c->context, CAIRN_INVALID, c->file, line, file_column(c, line, column), "%s", problem);
    }
    int line = (int)parser->problem_mark.line + 1;
    int tab = indenting_tab(text, (const char *)parser->input.string.end, line);
    if (tab > 0)
        return crn_fail_at(c->context, CAIRN_INVALID, c->file, line, tab, "tabs cannot indent in YAML; use spaces");
    int column = file_column(c, line, (int)parser->problem_mark.column + 1);
    if (!parser->context)
        return crn_fail_at(c->context, CAIRN_INVALID, c->file, line, column, "%s", problem);
    return crn_fail_at(c->context, CAIRN_INVALID, c->file, line, column, "%s (%s that starts at line %d)", problem,
                       parser->context, (int)parser->context_mark.line + 1);
}

static cairn_status compose(composer *c, const char *text, size_t length)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return no_memory(c);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    cairn_status status = CAIRN_OK;
    bool ended = false;
    while (status == CAIRN_OK && !ended)
    {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event))
        {
            status = syntax_error(c, &parser, text);
            break;
        }
        status = take_event(c, &event);
        ended = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (status == CAIRN_OK && !c->document->root)
        status = crn_fail_at(c->context, CAIRN_INVALID, c->file, 1, 1, "the file is empty");
    return status;
}

/* Check size and encoding before libyaml reads the text. */
static cairn_status check_bytes(cairn_context *context, const char *file, const char *text, size_t length)
{
    if (length > CRN_DOCUMENT_BYTES)
        return crn_fail_at(context, CAIRN_INVALID, file, 1, 1, "the file is larger than 64 MiB");
    int line, column;
    size_t fault = crn_excess_directive(text, length, CRN_DOCUMENT_DIRECTIVES);
    if (fault != length)
    {
        crn_text_place(text, fault, &line, &column);
        return crn_fail_at(context, CAIRN_INVALID, file, line, column, "more than %d directives ('%%...')",
                           (int)CRN_DOCUMENT_DIRECTIVES);
    }
    fault = crn_utf8_fault(text, length);
    if (fault == length)
        return CAIRN_OK;
    crn_text_place(text, fault, &line, &column);
    return crn_fail_at(context, CAIRN_INVALID, file, line, column, "the file is not UTF-8: byte 0x%02x",
                       (unsigned)(unsigned char)text[fault]);
}

cairn_status crn_document_parse(cairn_context *context, const char *file, const char *text, size_t length,
                                crn_document **out)
{
    *out = NULL;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    {
        text += 3;
        length -= 3;
    }
    cairn_status status = check_bytes(context, file, text, length);
    if (status != CAIRN_OK)
        return status;
    composer c = {.context = context, .file = file, .document = calloc(1, sizeof *c.document)};
    if (!c.document || !crn_join_surrogates(text, length, &c.joined))
        status = no_memory(&c);
    else if (c.joined.text)
        status = compose(&c, c.joined.text, c.joined.length);
    else
        status = compose(&c, text, length);
    crn_joined_free(&c.joined);
    crn_index_free(&c.anchor_names);
    if (status == CAIRN_OK)
        *out = c.document;
    else
        crn_document_destroy(c.document);
    return status;
}
