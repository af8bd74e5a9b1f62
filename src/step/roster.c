#include "step/roster.h"

#include <assert.h>
#include <stdlib.h>

static const crn_slots *slots_of(const cairn_model *model, int kind)
{
    const crn_slots *slots[] = {[CRN_ROSTER_BODIES] = &model->body_slots,
                                [CRN_ROSTER_SHAPES] = &model->shape_slots,
                                [CRN_ROSTER_JOINTS] = &model->joint_slots,
                                [CRN_ROSTER_SPRINGS] = &model->spring_slots,
                                [CRN_ROSTER_FORCES] = &model->force_slots};
    assert(kind >= 0 && kind < CRN_ROSTER_KINDS);
    return slots[kind];
}

static crn_roster_entry entry_in(const crn_slots *slots, size_t i)
{
    int32_t at = crn_slots_of(slots, (int)i);
    return (crn_roster_entry){at + 1, crn_slots_at(slots, at).generation};
}

static crn_roster_entry entry_of(const crn_roster *roster, int kind, int i)
{
    return roster->entry[kind] ? roster->entry[kind][i] : (crn_roster_entry){i + 1, roster->generation[kind]};
}

/* Whether numbers and generations need not be listed. */
static bool is_simple(const crn_slots *slots)
{
    for (size_t i = 0; slots->slot && i < slots->used; ++i)
        if (slots->of[i] != (int32_t)i || slots->slot[i].generation != slots->slot[0].generation)
            return false;
    return true;
}

cairn_status crn_roster_take(const cairn_model *model, crn_roster *roster)
{
    *roster = (crn_roster){.count = {0}};
    for (int kind = 0; kind < CRN_ROSTER_KINDS; ++kind)
    {
        const crn_slots *slots = slots_of(model, kind);
        roster->count[kind] = (int)slots->used;
        roster->generation[kind] = slots->used > 0 ? entry_in(slots, 0).generation : 0;
        if (is_simple(slots))
            continue;
        crn_roster_entry *entry = calloc(slots->used + 1, sizeof *entry);
        if (!entry)
            return CAIRN_NO_MEMORY;
        for (size_t i = 0; i < slots->used; ++i)
            entry[i] = entry_in(slots, i);
        roster->entry[kind] = entry;
    }
    return CAIRN_OK;
}

void crn_roster_free(crn_roster *roster)
{
    for (int kind = 0; kind < CRN_ROSTER_KINDS; ++kind)
        free(roster->entry[kind]);
    *roster = (crn_roster){.count = {0}};
}

cairn_status crn_moves_find(const cairn_model *model, const crn_roster *roster, crn_moves *moves)
{
    *moves = (crn_moves){.to = {NULL}};
    for (int kind = 0; kind < CRN_ROSTER_KINDS; ++kind)
    {
        const crn_slots *slots = slots_of(model, kind);
        moves->to[kind] = calloc((size_t)roster->count[kind] + 1, sizeof(int));
        moves->is_new[kind] = malloc((slots->used + 1) * sizeof(bool));
        if (!moves->to[kind] || !moves->is_new[kind])
            return CAIRN_NO_MEMORY;
        for (size_t i = 0; i < slots->used; ++i)
            moves->is_new[kind][i] = true;
        int last = -1;
        for (int i = 0; i < roster->count[kind]; ++i)
        {
            const crn_roster_entry old = entry_of(roster, kind, i);
            int now = crn_slots_index(slots, old.id, old.generation);
            assert(now < 0 || now > last); /* the remaining things keep their order */
            moves->to[kind][i] = now;
            if (now >= 0)
                moves->is_new[kind][last = now] = false;
        }
    }
    return CAIRN_OK;
}

void crn_moves_free(crn_moves *moves)
{
    for (int kind = 0; kind < CRN_ROSTER_KINDS; ++kind)
    {
        free(moves->to[kind]);
        free(moves->is_new[kind]);
    }
}
