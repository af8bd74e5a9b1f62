/* Pairs of bodies that do not touch: a hash table with open addressing and linear probing, at most half full. Its size is
 * a power of two. In a free slot both indices are 0, which no pair has.
 */
#include "model/ignored.h"

#include "base/context.h"
#include "model/handles.h"

#include <assert.h>
#include <stdlib.h>

static crn_ignore pair_of(int body_a, int body_b)
{
    assert(body_a >= 0 && body_b >= 0 && body_a != body_b);
    return (crn_ignore){.a = body_a < body_b ? body_a : body_b, .b = body_a < body_b ? body_b : body_a};
}

/* The slot that holds the pair, or the free one where it belongs. */
static size_t slot_of(const crn_ignore *slots, size_t slot_count, crn_ignore pair)
{
    assert(slot_count > 0 && (slot_count & (slot_count - 1)) == 0);
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

/* The entry of the pair, new or existing. NULL: memory ran out. */
static crn_ignore *entry_of(cairn_model *model, crn_ignore pair)
{
    if (2 * (model->ignored_count + 1) > model->ignored_slots && !grow(model))
        return NULL;
    crn_ignore *slot = &model->ignored[slot_of(model->ignored, model->ignored_slots, pair)];
    if (slot->a == slot->b)
    {
        *slot = pair;
        model->ignored_count += 1;
    }
    return slot;
}

cairn_status crn_model_ignore(cairn_model *model, int body_a, int body_b)
{
    crn_ignore *entry = entry_of(model, pair_of(body_a, body_b));
    if (!entry)
        return CAIRN_NO_MEMORY;
    entry->reasons += 1;
    model->revision += 1;
    return CAIRN_OK;
}

cairn_status cairn_model_ignore_contact(cairn_model *model, cairn_body a, cairn_body b)
{
    if (!model)
        return CAIRN_INVALID;
    int i = crn_body_index(model, a);
    int j = crn_body_index(model, b);
    if (i < 0 || j < 0 || i == j)
        return crn_fail(model->context, CAIRN_INVALID, "ignore: needs two different bodies of the model");
    return crn_model_ignore(model, i, j) ? crn_fail(model->context, CAIRN_NO_MEMORY, "ignore: memory ran out")
                                         : CAIRN_OK;
}

bool crn_model_ignores(const cairn_model *model, int body_a, int body_b)
{
    if (model->ignored_count == 0)
        return false;
    return model->ignored[slot_of(model->ignored, model->ignored_slots, pair_of(body_a, body_b))].reasons > 0;
}

void crn_model_unignore(cairn_model *model, int body_a, int body_b)
{
    assert(crn_model_ignores(model, body_a, body_b));
    model->ignored[slot_of(model->ignored, model->ignored_slots, pair_of(body_a, body_b))].reasons -= 1;
}

cairn_status crn_model_spare_ignored(const cairn_model *model, crn_ignore **room)
{
    *room = calloc(model->ignored_slots + 1, sizeof **room);
    return *room ? CAIRN_OK : CAIRN_NO_MEMORY;
}

void crn_model_drop_ignored(cairn_model *model, int body, crn_ignore *kept)
{
    assert(body >= 0 && (size_t)body < model->body_count);
    crn_ignore *old = model->ignored;
    model->ignored = kept;
    model->ignored_count = 0;
    for (size_t i = 0; i < model->ignored_slots; ++i)
    {
        crn_ignore pair = old[i];
        if (pair.reasons == 0 || pair.a == body || pair.b == body)
            continue;
        pair.a -= pair.a > body;
        pair.b -= pair.b > body;
        kept[slot_of(kept, model->ignored_slots, pair)] = pair;
        model->ignored_count += 1;
    }
    free(old);
}

bool crn_ignore_is_asked_for(const cairn_model *model, const crn_ignore *pair)
{
    int joints = 0;
    if (pair->reasons == 0)
        return false;
    assert(pair->a < pair->b && pair->b < (int)model->body_count);
    for (size_t i = 0; i < model->joint_count; ++i)
    {
        int a = model->joints[i].a.body, b = model->joints[i].b.body;
        joints += model->joints[i].parts && (a < b ? a : b) == pair->a && (a < b ? b : a) == pair->b;
    }
    return pair->reasons > joints;
}
