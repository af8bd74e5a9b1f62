/* Pairs of bodies that do not touch: a hash table with open addressing and linear probing, at most half full. Its size is
 * a power of two. In a free slot both indices are 0, which no pair has.
 */
#include "model/ignored.h"

#include "base/context.h"
#include "model/names.h"

#include <assert.h>
#include <stdlib.h>

static crn_ignore pair_of(int body_a, int body_b)
{
    assert(body_a >= 0 && body_b >= 0 && body_a != body_b);
    return (crn_ignore){body_a < body_b ? body_a : body_b, body_a < body_b ? body_b : body_a};
}

/* The slot that holds the pair, or the free one where it belongs. */
static size_t slot_of(const crn_ignore *slots, size_t slot_count, crn_ignore pair)
{
    uint64_t mixed = ((uint64_t)(uint32_t)pair.a << 32 | (uint32_t)pair.b) * 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(mixed >> 32) & (slot_count - 1);
    while (slots[slot].a != slots[slot].b && (slots[slot].a != pair.a || slots[slot].b != pair.b))
        slot = (slot + 1) & (slot_count - 1);
    return slot;
}

static bool grow(cairn_model *model)
{
    size_t wanted = model->ignored_slots == 0 ? 16 : 2 * model->ignored_slots;
    crn_ignore *slots = calloc(wanted, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < model->ignored_slots; ++i)
    {
        crn_ignore pair = model->ignored[i];
        if (pair.a != pair.b)
            slots[slot_of(slots, wanted, pair)] = pair;
    }
    free(model->ignored);
    model->ignored = slots;
    model->ignored_slots = wanted;
    return true;
}

cairn_status cairn_model_ignore_contact(cairn_model *model, cairn_body a, cairn_body b)
{
    if (!model)
        return CAIRN_INVALID;
    int i = crn_body_index(model, a);
    int j = crn_body_index(model, b);
    if (i < 0 || j < 0 || i == j)
        return crn_fail(model->context, CAIRN_INVALID, "ignore: needs two different bodies of the model");
    if (2 * (model->ignored_count + 1) > model->ignored_slots && !grow(model))
        return crn_fail(model->context, CAIRN_NO_MEMORY, "ignore: memory ran out");
    crn_ignore *slot = &model->ignored[slot_of(model->ignored, model->ignored_slots, pair_of(i, j))];
    model->ignored_count += slot->a == slot->b;
    *slot = pair_of(i, j);
    return CAIRN_OK;
}

bool crn_model_ignores(const cairn_model *model, int body_a, int body_b)
{
    if (model->ignored_count == 0)
        return false;
    size_t slot = slot_of(model->ignored, model->ignored_slots, pair_of(body_a, body_b));
    return model->ignored[slot].a != model->ignored[slot].b;
}
