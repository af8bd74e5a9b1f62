/* Contact filters: each named group becomes a bit, in the order in which bodies name them. Bit 0 is the group `default`, to which
 * bodies belong that name no group. */
#include "scene/build/build.h"

#include <assert.h>
#include <string.h>

enum
{
    GROUPS = 64 /* bits, including that of the default group */
};

static bool is_name(const crn_node *node)
{
    return node->kind == CRN_SCALAR && node->text[0] != '\0';
}

static void note(crn_reader *reader, const char *name, int line)
{
    if (!crn_index_find(&reader->groups, name))
    {
        crn_entry entry = {.name = name, .id = (int32_t)reader->groups.count + 1, .line = line};
        reader->no_memory = !crn_index_add(&reader->groups, entry) || reader->no_memory;
    }
}

void crn_note_groups(crn_reader *reader, const crn_node *body)
{
    note(reader, "default", 0);
    const crn_node *groups = body->kind == CRN_MAPPING ? crn_node_field(body, "groups") : NULL;
    for (const crn_node *item = groups && groups->kind == CRN_LIST ? groups->first : NULL; item; item = item->next)
        if (is_name(item))
            note(reader, item->text, item->line);
}

/* The bits of a list of names. */
static uint64_t read_names(crn_reader *reader, const crn_node *list, const char *field)
{
    assert(!reader->field);
    uint64_t bits = 0;
    reader->field = field;
    if (list->kind != CRN_LIST)
        crn_problem_at(reader, list, "expected a list of names of groups, found %s", crn_describe(list).text);
    for (const crn_node *item = list->kind == CRN_LIST ? list->first : NULL; item; item = item->next)
    {
        const char *name;
        if (!is_name(item))
            crn_problem_at(reader, item, "expected the name of a group, found %s", crn_describe(item).text);
        else if (crn_read_name(reader, item, &name))
        {
            const crn_entry *entry = crn_find(reader, &reader->groups, "group", item);
            if (entry && entry->id > GROUPS)
                crn_problem_at(reader, item, "group '%s' is one too many: a scene has at most %d",
                               crn_clip_text(name).text, GROUPS - 1);
            bits |= entry && entry->id <= GROUPS ? UINT64_C(1) << (entry->id - 1) : 0;
        }
    }
    reader->field = NULL;
    return bits;
}

void crn_read_groups(crn_reader *reader, const crn_node *groups, const crn_node *collides_with, uint64_t *own,
                     uint64_t *wanted)
{
    assert(!reader->field);
    if (groups)
    {
        *own = read_names(reader, groups, "groups");
        if (groups->kind == CRN_LIST && groups->count == 0)
        {
            reader->field = "groups";
            crn_problem_at(reader, groups, "must name a group; 'collides_with: []' touches nothing");
            reader->field = NULL;
        }
    }
    if (collides_with)
        *wanted = read_names(reader, collides_with, "collides_with");
}
