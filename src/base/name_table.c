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
static size_t slot_of(const crn_name_table *table, const char *name)
{
    assert(table->slot_count > 0 && (table->slot_count & (table->slot_count - 1)) == 0);
    size_t mask = table->slot_count - 1;
    size_t at = home_of(name, mask);
    while (table->names[at] && strcmp(table->names[at], name) != 0)
        at = (at + 1) & mask;
    return at;
}

int crn_name_table_find(const crn_name_table *table, const char *name)
{
    if (table->slot_count == 0)
        return -1;
    size_t at = slot_of(table, name);
    return table->names[at] ? table->indices[at] : -1;
}

static void set(crn_name_table *table, size_t at, const char *name, int index)
{
    table->names[at] = name;
    table->indices[at] = index;
}

static cairn_status grow(crn_name_table *table)
{
    size_t count = table->slot_count ? 2 * table->slot_count : 16;
    const char **names = calloc(count, sizeof *names + sizeof *table->indices);
    if (!names)
        return CAIRN_NO_MEMORY;
    crn_name_table larger = {names, (int *)(void *)(names + count), count, table->name_count};
    for (size_t i = 0; i < table->slot_count; ++i)
        if (table->names[i])
            set(&larger, slot_of(&larger, table->names[i]), table->names[i], table->indices[i]);
    free(table->names);
    *table = larger;
    return CAIRN_OK;
}

cairn_status crn_name_table_add(crn_name_table *table, const char *name, int index)
{
    assert(index >= 0);
    if (4 * (table->name_count + 1) > 3 * table->slot_count && grow(table) != CAIRN_OK)
        return CAIRN_NO_MEMORY;
    size_t at = slot_of(table, name);
    assert(!table->names[at]);
    set(table, at, name, index);
    table->name_count += 1;
    assert(4 * table->name_count <= 3 * table->slot_count);
    return CAIRN_OK;
}

/* A name behind the gap that probing would no longer find is moved into it and leaves the next gap. */
void crn_name_table_remove(crn_name_table *table, const char *name)
{
    assert(table->name_count > 0);
    size_t mask = table->slot_count - 1;
    size_t gap = slot_of(table, name);
    assert(table->names[gap]);
    for (size_t at = (gap + 1) & mask; table->names[at]; at = (at + 1) & mask)
    {
        size_t home = home_of(table->names[at], mask);
        if (((at - home) & mask) >= ((at - gap) & mask))
        {
            set(table, gap, table->names[at], table->indices[at]);
            gap = at;
        }
    }
    set(table, gap, NULL, 0);
    table->name_count -= 1;
}

void crn_name_table_free(crn_name_table *table)
{
    free(table->names);
    *table = (crn_name_table){0};
}
