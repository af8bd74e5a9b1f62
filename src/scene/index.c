#include "scene/index.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

crn_entry *crn_index_find(const crn_index *index, const char *name)
{
    int found = crn_name_table_find(&index->names, name);
    assert(found < (int)index->count);
    return found >= 0 ? &index->entries[found] : NULL;
}

bool crn_index_add(crn_index *index, crn_entry entry)
{
    assert(index->count == index->names.name_count);
    if (crn_reserve(&index->entries, &index->capacity, index->count + 1, sizeof entry) ||
        crn_name_table_add(&index->names, entry.name, (int)index->count))
        return false;
    index->entries[index->count++] = entry;
    return true;
}

void crn_index_free(crn_index *index)
{
    free(index->entries);
    crn_name_table_free(&index->names);
    *index = (crn_index){0};
}
