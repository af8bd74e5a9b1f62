#include "model/handles.h"

#include <assert.h>

cairn_status crn_enlist(cairn_model *model, crn_slots *slots, crn_name_table *names, const char *name)
{
    assert(!names == !name);
    if (crn_slots_reserve(slots, 1))
        return CAIRN_NO_MEMORY;
    int32_t at = crn_slots_add(slots);
    if (names && crn_name_table_add(names, name, at))
    {
        crn_slots_undo(slots);
        return CAIRN_NO_MEMORY;
    }
    model->revision += 1;
    return CAIRN_OK;
}

void crn_delist(cairn_model *model, crn_slots *slots, crn_name_table *names, const char *name, int index)
{
    assert(index >= 0 && (size_t)index < slots->used);
    if (names)
        crn_name_table_remove(names, name);
    crn_slots_remove(slots, index);
    model->revision += 1;
}

int crn_find_name(const crn_slots *slots, const crn_name_table *names, const char *name)
{
    int at = name ? crn_name_table_find(names, name) : -1;
    assert(at < (int)slots->count && (at < 0 || crn_slots_at(slots, at).used));
    return at < 0 ? -1 : crn_slots_at(slots, at).index;
}

cairn_status crn_check_options(const cairn_model *model, const char *kind, size_t found, size_t expected)
{
    return crn_check_size(model->context, kind, found, expected);
}

cairn_status crn_fail_handle(const cairn_model *model, const char *kind, int32_t id, uint16_t number)
{
    if (id == 0)
        return crn_fail(model->context, CAIRN_INVALID, "%s: the handle is null", kind);
    if (!crn_is_of_model(model, number))
        return crn_fail(model->context, CAIRN_INVALID, "%s: the handle belongs to another model", kind);
    return crn_fail(model->context, CAIRN_INVALID,
                    "%s: the handle names nothing in the model; it was removed, or never there", kind);
}
