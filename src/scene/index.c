/* Open addressing with linear probing, at most half full; FNV-1a as the hash. */
#include "scene/index.h"

#include "base/hash.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash(const char *name)
{
    uint64_t h = crn_hash(name, strlen(name));
    return h ^ (h >> 32);
}

/* The slot that holds the name, or the free one where it belongs. */
static size_t slot_of(const crn_index *index, const char *name)
{
    assert(index->slot_count > index->count);
    size_t slot = (size_t)(hash(name) % index->slot_count);
    while (index->slots[slot] != 0 && strcmp(index->entries[index->slots[slot] - 1].name, name) != 0)
        slot = (slot + 1) % index->slot_count;
    return slot;
}

crn_entry *crn_index_find(const crn_index *index, const char *name)
{
    if (index->count == 0)
        return NULL;
    uint32_t number = index->slots[slot_of(index, name)];
    return number != 0 ? &index->entries[number - 1] : NULL;
}

static bool grow(crn_index *index)
{
    size_t wanted = index->slot_count == 0 ? 64 : 2 * index->slot_count;
    uint32_t *slots = calloc(wanted, sizeof *slots);
    if (!slots)
        return false;
    free(index->slots);
    index->slots = slots;
    index->slot_count = wanted;
    for (size_t i = 0; i < index->count; ++i)
        index->slots[slot_of(index, index->entries[i].name)] = (uint32_t)(i + 1);
    return true;
}

bool crn_index_add(crn_index *index, crn_entry entry)
{
    assert(entry.name && !crn_index_find(index, entry.name));
    if (crn_reserve(&index->entries, &index->capacity, index->count + 1, sizeof entry) != CAIRN_OK)
        return false;
    if (2 * (index->count + 1) > index->slot_count && !grow(index))
        return false;
    index->slots[slot_of(index, entry.name)] = (uint32_t)(index->count + 1);
    index->entries[index->count++] = entry;
    return true;
}

void crn_index_free(crn_index *index)
{
    free(index->entries);
    free(index->slots);
    *index = (crn_index){0};
}
