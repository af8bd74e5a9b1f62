/* Handles to places in dense arrays.
 *
 * Each kind of thing in a model (bodies, shapes, ...) is an array without holes, in the order of creation, which is what
 * loops want. A handle must survive the removal of others, so it names a slot instead: slot -> place in the array. A slot is
 * used again after its thing was removed, one generation later, and a handle of an earlier generation no longer fits.
 */
#ifndef CRN_MODEL_SLOTS_H
#define CRN_MODEL_SLOTS_H

#include "cairn/base.h"

typedef struct crn_slot
{
    int32_t index;       /* in use: place in the array; free: the next free slot plus 1, 0: none */
    uint16_t generation; /* how many things it has named before */
    bool used;
} crn_slot;

typedef struct crn_slots
{
    crn_slot *slot;
    size_t count, capacity;
    int32_t *of; /* per thing: its slot */
    size_t used, of_capacity;
    int32_t first_free; /* plus 1; 0: none */
} crn_slots;

/* Room for one more thing, so that the next crn_slots_add cannot fail. */
cairn_status crn_slots_reserve(crn_slots *slots);
/* A slot for a new thing at the end of the array; returns the slot. */
int32_t crn_slots_add(crn_slots *slots);
/* Free the slot of thing `index`; the things behind it move one place forward. */
void crn_slots_remove(crn_slots *slots, int index);
void crn_slots_free(crn_slots *slots);

/* Place of the thing that slot id - 1 of this generation names; -1: none. */
int crn_slots_index(const crn_slots *slots, int32_t id, uint16_t generation);

#endif
