/* Slots: the indirection from handles to places in dense arrays.
 *
 * Each kind of thing in a model (bodies, shapes, ...) is an array without holes in the order of creation, as loops want
 * it. A handle must survive the removal of other things, so it names a slot, and the slot holds the place in the array. A
 * slot is reused after its thing was removed, with the next generation; a handle of an earlier generation is then
 * rejected. Until something is removed, slot i names thing i, and nothing is listed.
 */
#ifndef CRN_MODEL_SLOTS_H
#define CRN_MODEL_SLOTS_H

#include "cairn/base.h"

#include <assert.h>

typedef struct crn_slot
{
    int32_t index;       /* in use: place in the array; free: the next free slot plus 1, 0: none */
    uint16_t generation; /* number of things that it named before */
    bool used;
} crn_slot;

typedef struct crn_slots
{
    crn_slot *slot; /* NULL: nothing was removed yet */
    size_t count, capacity;
    int32_t *of; /* per thing: its slot; NULL likewise */
    size_t used, of_capacity;
    int32_t first_free; /* plus 1; 0: none */
    void **data;        /* per slot: the user's pointer; those behind data_count are NULL */
    size_t data_count;
} crn_slots;

/* Reserve memory for more things, so that as many calls of crn_slots_add cannot fail. */
cairn_status crn_slots_reserve(crn_slots *slots, size_t more);
/* Assign a slot to a new thing at the end of the array; returns the slot. */
int32_t crn_slots_add(crn_slots *slots);
/* The same, and the slot is the one after all others, never a reused one. */
int32_t crn_slots_append(crn_slots *slots);
/* Take back what was added last and nobody knows of yet. */
void crn_slots_undo(crn_slots *slots);
/* List the slots, so that crn_slots_remove may be called. CAIRN_NO_MEMORY leaves them as they are. */
cairn_status crn_slots_list(crn_slots *slots);
/* Free the slot of thing `index`; the things behind it move one place forward. */
void crn_slots_remove(crn_slots *slots, int index);
void crn_slots_free(crn_slots *slots);

/* A slot; and that of a thing. */
static inline crn_slot crn_slots_at(const crn_slots *slots, int32_t at)
{
    assert(at >= 0 && (size_t)at < slots->count);
    return slots->slot ? slots->slot[at] : (crn_slot){.index = at, .used = true};
}
static inline int32_t crn_slots_of(const crn_slots *slots, int index)
{
    assert(index >= 0 && (size_t)index < slots->used);
    return slots->of ? slots->of[index] : index;
}

/* The user's pointer of thing `index`, NULL until it is set. Memory is taken once one is set. */
void *crn_slots_data(const crn_slots *slots, int index);
cairn_status crn_slots_set_data(crn_slots *slots, int index, void *data);

/* The place of the thing named by slot id - 1 in this generation; -1: none. */
int crn_slots_index(const crn_slots *slots, int32_t id, uint16_t generation);

#endif
