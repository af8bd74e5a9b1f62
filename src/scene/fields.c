/* Reading by table: every field of a mapping is looked up by name, checked for its place (dimension, selector), read by
 * its kind into the record, and at the end every required field must have been there. */
#include "scene/fields.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const crn_field *find_field(const crn_object *object, const char *name)
{
    for (int i = 0; i < object->count; ++i)
        if (strcmp(object->fields[i].name, name) == 0)
            return &object->fields[i];
    return NULL;
}

/* Whether a field has a place in this dimension and beside this word of the selector. */
static bool belongs(const crn_reader *reader, const crn_field *field, int word)
{
    bool here = field->dimension == 0 || reader->dimension == 0 || field->dimension == reader->dimension;
    return here && (field->only == 0 || word < 0 || (field->only & (1 << word)) != 0);
}

static void unknown_field(crn_reader *reader, const crn_object *object, const crn_node *key, int word)
{
    char allowed[512] = "";
    cairn_suggestion near = {.word = key->text};
    if (reader->problem_count == CRN_PROBLEMS)
    {
        ++reader->unsaid;
        return;
    }
    for (int i = 0; i < object->count; ++i)
    {
        const crn_field *field = &object->fields[i];
        if (!belongs(reader, field, word))
            continue;
        size_t length = strlen(allowed);
        cairn_suggestion_offer(&near, field->name);
        snprintf(allowed + length, sizeof allowed - length, "%s%s", length == 0 ? "" : ", ", field->name);
    }
    const char *where = reader->where ? reader->where : "the scene";
    crn_clip name = crn_clip_text(key->text);
    const char *kept = reader->where;
    reader->where = NULL;
    crn_problem_at(reader, key, "unknown field '%s' in %s%s%s allowed: %s", name.text, where, near.hint,
                   near.hint[0] ? "" : ";", allowed);
    reader->where = kept;
}

/* "'circle' or 'sphere'": the words of the selector that a mask stands for. */
static void list_mask(const crn_field *selector, int mask, char *out, size_t size)
{
    int left = 0;
    out[0] = '\0';
    for (int i = 0; i < selector->word_count; ++i)
        left += (mask & (1 << i)) != 0 ? 1 : 0;
    for (int i = 0; i < selector->word_count; ++i)
    {
        if ((mask & (1 << i)) == 0)
            continue;
        size_t length = strlen(out);
        left--;
        snprintf(out + length, size - length, "%s'%s'",
                 length == 0 ? ""
                 : left == 0 ? " or "
                             : ", ",
                 selector->words[i].text);
    }
}

/* A field in the wrong place gets a sentence of its own. */
static bool check_place(crn_reader *reader, const crn_object *object, const crn_field *field, const crn_node *key,
                        int word)
{
    if (field->dimension != 0 && reader->dimension != 0 && field->dimension != reader->dimension)
        return crn_problem_at(reader, key, "exists only in %s, and this scene's dimension is %d%s%s",
                              field->dimension == 2 ? "the plane" : "space", reader->dimension,
                              field->instead ? "; instead: " : "", field->instead ? field->instead : "");
    if (belongs(reader, field, word))
        return true;
    const crn_field *selector = find_field(object, object->selector);
    char list[256];
    list_mask(selector, field->only, list, sizeof list);
    return crn_problem_at(reader, key, "belongs to %s %s, and the %s here is '%s'", selector->name, list,
                          selector->name, selector->words[word].text);
}

static bool read_value(crn_reader *reader, const crn_field *field, const crn_node *node, void *slot)
{
    switch (field->kind)
    {
    case CRN_FIELD_TEXT:
        return crn_read_text(reader, node, &((crn_text *)slot)->text);
    case CRN_FIELD_NAME:
        return crn_read_name(reader, node, &((crn_text *)slot)->text);
    case CRN_FIELD_WORD:
        return crn_read_word(reader, node, field->words, field->word_count, &((crn_choice *)slot)->index);
    case CRN_FIELD_FLAG:
        return crn_read_flag(reader, node, &((crn_flag *)slot)->value);
    case CRN_FIELD_NUMBER:
        return crn_read_number(reader, node, field->range, &((crn_number *)slot)->value);
    case CRN_FIELD_INTEGER:
        return crn_read_integer(reader, node, field->range, &((crn_number *)slot)->value);
    case CRN_FIELD_VECTOR:
        return crn_read_vector(reader, node, ((crn_vector *)slot)->value);
    case CRN_FIELD_VECTORS:
        return crn_read_vectors(reader, node, slot);
    case CRN_FIELD_NAMES:
        return crn_read_names(reader, node, slot);
    case CRN_FIELD_FORMULA:
        return crn_read_formula(reader, node, &((crn_formula *)slot)->text);
    case CRN_FIELD_FORMULAS:
        return crn_read_formulas(reader, node, ((crn_formulas *)slot)->text);
    default:
        return true;
    }
}

/* Every value in a record starts with its node. */
static void set_node(void *slot, const crn_node *node)
{
    memcpy(slot, &node, sizeof(const crn_node *));
}

static void read_field(crn_reader *reader, const crn_object *object, const crn_node *value, int word, void *record)
{
    const crn_field *field = find_field(object, value->key->text);
    if (!field)
    {
        unknown_field(reader, object, value->key, word);
        return;
    }
    reader->field = field->name;
    void *slot = (char *)record + field->offset;
    if (value->repeated != 0)
        crn_problem_at(reader, value->key, "is given twice, first at line %d", value->repeated);
    else if (check_place(reader, object, field, value->key, word) && read_value(reader, field, value, slot))
        set_node(slot, value);
    reader->field = NULL;
}

/* The word of the selector, read without complaint; -1: unknown. Not given, it is the first word, unless required. */
static int selected_word(const crn_object *object, const crn_node *node)
{
    if (!object->selector)
        return -1;
    const crn_field *selector = find_field(object, object->selector);
    const crn_node *value = crn_node_field(node, object->selector);
    assert(selector && selector->kind == CRN_FIELD_WORD);
    if (!value)
        return selector->required == 0 ? 0 : -1;
    for (int i = 0; value->kind == CRN_SCALAR && i < selector->word_count; ++i)
        if (strcmp(selector->words[i].text, value->text) == 0)
            return i;
    return -1;
}

static void check_required(crn_reader *reader, const crn_object *object, const crn_node *node, int word)
{
    for (int i = 0; i < object->count; ++i)
    {
        const crn_field *field = &object->fields[i];
        bool wanted = field->required == CRN_ALWAYS || (word >= 0 && (field->required & (1 << word)) != 0);
        if (wanted && belongs(reader, field, word) && !crn_node_field(node, field->name))
            crn_problem_at(reader, node, "missing field '%s'", field->name);
    }
}

bool crn_read_object(crn_reader *reader, const crn_object *object, const crn_node *node, void *record)
{
    int before = crn_problem_total(reader);
    const char *outer = reader->field;
    reader->field = NULL;
    memset(record, 0, object->record_size);
    if (node->kind != CRN_MAPPING)
    {
        crn_problem_at(reader, node, "expected a mapping of fields, found %s", crn_describe(node).text);
        reader->field = outer;
        return false;
    }
    int word = selected_word(object, node);
    for (const crn_node *value = node->first; value; value = value->next)
        read_field(reader, object, value, word, record);
    check_required(reader, object, node, word);
    reader->field = outer;
    return crn_problem_total(reader) == before;
}
