#include "base/name_table.h"

#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static size_t home_of(const char *name, size_t mask)
{
    return (size_t)crn_hash(name, strlen(name)) & mask;
}

/* The slot of a name, or the free slot where it would go. */
static crn_name_slot *slot_of(crn_name_slot *slots, size_t count, const char *name)
{
    assert(count > 0 && (count & (count - 1)) == 0);
    size_t mask = count - 1;
    size_t at = home_of(name, mask);
    while (slots[at].name && strcmp(slots[at].name, name) != 0)
        at = (at + 1) & mask;
    return &slots[at];
}

int crn_name_table_find(const crn_name_table *table, const char *name)
{
    if (table->slot_count == 0)
        return -1;
    const crn_name_slot *slot = slot_of(table->slots, table->slot_count, name);
    return slot->name ? slot->index : -1;
}

static cairn_status grow(crn_name_table *table)
{
    size_t count = table->slot_count ? 2 * table->slot_count : 16;
    crn_name_slot *slots = calloc(count, sizeof *slots);
    if (!slots)
        return CAIRN_NO_MEMORY;
    for (size_t i = 0; i < table->slot_count; ++i)
        if (table->slots[i].name)
            *slot_of(slots, count, table->slots[i].name) = table->slots[i];
    free(table->slots);
    table->slots = slots;
    table->slot_count = count;
    return CAIRN_OK;
}

cairn_status crn_name_table_add(crn_name_table *table, const char *name, int index)
{
    assert(index >= 0);
    if (4 * (table->name_count + 1) > 3 * table->slot_count && grow(table) != CAIRN_OK)
        return CAIRN_NO_MEMORY;
    crn_name_slot *slot = slot_of(table->slots, table->slot_count, name);
    assert(!slot->name);
    *slot = (crn_name_slot){name, index};
    table->name_count += 1;
    assert(4 * table->name_count <= 3 * table->slot_count);
    return CAIRN_OK;
}

/* A name behind the gap that probing would no longer find is moved into it and leaves the next gap. */
void crn_name_table_remove(crn_name_table *table, const char *name)
{
    assert(table->name_count > 0);
    size_t mask = table->slot_count - 1;
    size_t gap = (size_t)(slot_of(table->slots, table->slot_count, name) - table->slots);
    assert(table->slots[gap].name);
    for (size_t at = (gap + 1) & mask; table->slots[at].name; at = (at + 1) & mask)
    {
        size_t home = home_of(table->slots[at].name, mask);
        if (((at - home) & mask) >= ((at - gap) & mask))
        {
            table->slots[gap] = table->slots[at];
            gap = at;
        }
    }
    table->slots[gap] = (crn_name_slot){0};
    table->name_count -= 1;
}

void crn_name_table_free(crn_name_table *table)
{
    free(table->slots);
    *table = (crn_name_table){0};
}
