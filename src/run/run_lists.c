/* Events and violations in a run file: the tables of their fields, and recording. See crn_run_list. */
#include "base/memory.h"
#include "run/run_recorder.h"

#include <assert.h>
#include <stdio.h>

#define EVENT(path, unit, text, member, type)                                                                          \
    {                                                                                                                  \
        "events/" path, unit, text, offsetof(cairn_event, member), type, 0                                             \
    }
#define VIOLATION(path, unit, text, member, type)                                                                      \
    {                                                                                                                  \
        "violations/" path, unit, text, offsetof(cairn_violation, member), type, 0                                     \
    }

static const crn_run_field event_fields[] = {
    EVENT("time", "s", "time of the event", time, CRN_RUN_DOUBLE),
    EVENT("kind", "1", "kind of the event, an index into the attribute 'names'", kind, CRN_RUN_KIND),
    EVENT("contact", "1", "identity of the contact; 0: none", contact, CRN_RUN_UINT64),
    EVENT("body_a", "1", "first body of the contact, an index into bodies/names; -1: none", a, CRN_RUN_BODY),
    EVENT("body_b", "1", "second body of the contact, an index into bodies/names; -1: none", b, CRN_RUN_BODY),
    EVENT("speed", "m/s", "normal velocity before a collision, negative", speed, CRN_RUN_DOUBLE),
    EVENT("impulse", "N s", "normal impulse of a collision", impulse, CRN_RUN_DOUBLE),
    EVENT("energy_grew", "1", "1: a collision whose restitution was reduced, because it would have created energy",
          energy_grew, CRN_RUN_FLAG),
};

static const crn_run_field violation_fields[] = {
    VIOLATION("time", "s", "time of the violation, the end of its part of a step", time, CRN_RUN_DOUBLE),
    VIOLATION("kind", "1", "kind of the violation, an index into the attribute 'names'", kind, CRN_RUN_KIND),
    VIOLATION("body_a", "1", "body it was found at, an index into bodies/names; -1: none", a, CRN_RUN_BODY),
    VIOLATION("body_b", "1", "the other body, an index into bodies/names; -1: none", b, CRN_RUN_BODY),
    VIOLATION("contact", "1", "identity of the contact; 0: none", contact, CRN_RUN_UINT64),
    VIOLATION("size", "by kind", "size, in the unit of its kind", size, CRN_RUN_DOUBLE),
    VIOLATION("allowance", "by kind", "what rounding, the solver and the discretisation explain", allowance,
              CRN_RUN_DOUBLE),
};

_Static_assert(sizeof(cairn_event_kind) == sizeof(int32_t), "kinds are copied as 32-bit integers");
_Static_assert(sizeof(cairn_violation_kind) == sizeof(int32_t), "kinds are copied as 32-bit integers");

static const char *event_name(int kind)
{
    return cairn_event_name((cairn_event_kind)kind);
}

static const char *violation_name(int kind)
{
    return cairn_violation_name((cairn_violation_kind)kind);
}

static void get_event(const cairn_simulation *simulation, int index, void *item)
{
    *(cairn_event *)item = cairn_simulation_event(simulation, index);
}

static void get_violation(const cairn_simulation *simulation, int index, void *item)
{
    *(cairn_violation *)item = cairn_simulation_violation(simulation, index);
}

#define FIELDS(table) .field_count = (int)(sizeof(table) / sizeof((table)[0])), .fields = (table)

const crn_run_list crn_run_lists[CRN_RUN_LISTS] = {
    [CRN_RUN_EVENTS] = {.group = "events",
                        .first_version = 2,
                        .item_size = sizeof(cairn_event),
                        FIELDS(event_fields),
                        .kinds = CAIRN_EVENT_KINDS,
                        .kind_name = event_name,
                        .count = cairn_simulation_event_count,
                        .get = get_event},
    /* Files written before the physics was audited have no such group. */
    [CRN_RUN_VIOLATIONS] = {.group = "violations",
                            .first_version = 1,
                            .optional = true,
                            .item_size = sizeof(cairn_violation),
                            FIELDS(violation_fields),
                            .kinds = CAIRN_VIOLATION_KINDS,
                            .kind_name = violation_name,
                            .count = cairn_simulation_violation_count,
                            .get = get_violation},
};

cairn_status crn_run_add_list(cairn_recorder *recorder, int which)
{
    const crn_run_list *list = &crn_run_lists[which];
    assert(list->field_count <= CRN_RUN_LIST_FIELDS);
    char path[64];
    recorder->lists[which].first_column = (int)recorder->column_count;
    snprintf(path, sizeof path, "%s/start", list->group);
    CRN_TRY(crn_run_add_column(recorder, path, "1", "row of the frame's first item in the other datasets of this group",
                               CRN_RUN_INT64, 0, 0));
    snprintf(path, sizeof path, "%s/count", list->group);
    CRN_TRY(crn_run_add_column(recorder, path, "1", "items since the frame before", CRN_RUN_INT64, 0, 0));
    for (int i = 0; i < list->field_count; ++i)
        CRN_TRY(crn_run_add_field(recorder, &list->fields[i], 0));
    return CAIRN_OK;
}

cairn_status crn_run_append_list(cairn_recorder *recorder, int which)
{
    assert(which >= 0 && which < CRN_RUN_LISTS);
    const crn_run_list *list = &crn_run_lists[which];
    for (int i = 0; i < list->count(recorder->simulation); ++i)
    {
        crn_run_item item;
        list->get(recorder->simulation, i, &item);
        if (!crn_run_append_item(recorder, recorder->lists[which].first_column + 2, list->fields, list->field_count,
                                 &item))
            return crn_run_recorder_full(recorder);
        ++recorder->lists[which].recorded;
    }
    return CAIRN_OK;
}

bool crn_run_append_range(cairn_recorder *recorder, crn_run_recorded_list *list)
{
    assert(list->recorded >= list->of_frames);
    int64_t *start = crn_run_new_row(recorder, list->first_column);
    int64_t *count = crn_run_new_row(recorder, list->first_column + 1);
    if (!start || !count)
        return false;
    *start = list->of_frames;
    *count = list->recorded - list->of_frames;
    list->of_frames = list->recorded;
    return true;
}
