#include "model/slots.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

cairn_status crn_slots_reserve(crn_slots *slots, size_t more)
{
    if (!slots->slot)
        return CAIRN_OK;
    return crn_reserve(&slots->slot, &slots->capacity, slots->count + more, sizeof *slots->slot) ||
                   crn_reserve(&slots->of, &slots->of_capacity, slots->used + more, sizeof *slots->of)
               ? CAIRN_NO_MEMORY
               : CAIRN_OK;
}

static void use(crn_slots *slots, int32_t at)
{
    assert(!slots->slot[at].used && slots->used < slots->of_capacity);
    slots->slot[at].index = (int32_t)slots->used;
    slots->slot[at].used = true;
    if ((size_t)at < slots->data_count)
        slots->data[at] = NULL;
    slots->of[slots->used++] = at;
}

int32_t crn_slots_add(crn_slots *slots)
{
    int32_t at = slots->first_free - 1;
    if (at < 0)
        return crn_slots_append(slots);
    slots->first_free = slots->slot[at].index;
    use(slots, at);
    return at;
}

int32_t crn_slots_append(crn_slots *slots)
{
    int32_t at = (int32_t)slots->count++;
    if (!slots->slot)
    {
        slots->used = slots->count;
        return at;
    }
    assert(slots->count <= slots->capacity);
    slots->slot[at] = (crn_slot){0};
    use(slots, at);
    return at;
}

void crn_slots_undo(crn_slots *slots)
{
    assert(slots->used > 0);
    if (slots->slot)
        crn_slots_remove(slots, (int)slots->used - 1);
    else
        slots->count = slots->used = slots->used - 1;
}

cairn_status crn_slots_list(crn_slots *slots)
{
    crn_slots listed = *slots;
    if (slots->slot)
        return CAIRN_OK;
    if (crn_reserve(&listed.slot, &listed.capacity, slots->count, sizeof *slots->slot) ||
        crn_reserve(&listed.of, &listed.of_capacity, slots->count, sizeof *slots->of))
    {
        free(listed.slot);
        return CAIRN_NO_MEMORY;
    }
    for (int32_t i = 0; i < (int32_t)slots->count; ++i)
    {
        listed.slot[i] = (crn_slot){.index = i, .used = true};
        listed.of[i] = i;
    }
    *slots = listed;
    return CAIRN_OK;
}

void crn_slots_remove(crn_slots *slots, int index)
{
    assert(slots->slot && index >= 0 && (size_t)index < slots->used);
    int32_t at = slots->of[index];
    crn_slot *gone = &slots->slot[at];
    assert(gone->used && gone->index == index);
    gone->used = false;
    if (gone->generation < UINT16_MAX) /* a slot that has run out of generations stays empty */
    {
        gone->generation += 1;
        gone->index = slots->first_free;
        slots->first_free = at + 1;
    }
    slots->used -= 1;
    memmove(slots->of + index, slots->of + index + 1, (slots->used - (size_t)index) * sizeof *slots->of);
    for (size_t i = (size_t)index; i < slots->used; ++i)
        slots->slot[slots->of[i]].index = (int32_t)i;
}

void crn_slots_free(crn_slots *slots)
{
    free(slots->slot);
    free(slots->of);
    free(slots->data);
    *slots = (crn_slots){0};
}

void *crn_slots_data(const crn_slots *slots, int index)
{
    size_t at = (size_t)crn_slots_of(slots, index);
    return at < slots->data_count ? slots->data[at] : NULL;
}

cairn_status crn_slots_set_data(crn_slots *slots, int index, void *data)
{
    CRN_TRY(crn_reserve(&slots->data, &slots->data_count, slots->count, sizeof *slots->data));
    slots->data[crn_slots_of(slots, index)] = data;
    return CAIRN_OK;
}

int crn_slots_index(const crn_slots *slots, int32_t id, uint16_t generation)
{
    if (id < 1 || (size_t)id > slots->count)
        return -1;
    const crn_slot slot = crn_slots_at(slots, id - 1);
    assert(!slot.used || crn_slots_of(slots, slot.index) == id - 1);
    return slot.used && slot.generation == generation ? slot.index : -1;
}
