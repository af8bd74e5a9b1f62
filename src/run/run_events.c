/* Events in a run file: one row an event in every events/ dataset, flattened like contacts.
 *
 * A frame's events are rows start .. start + count - 1. They are those since the frame before, also of steps that were not
 * recorded themselves, so that none is lost.
 */
#include "run/run_recorder.h"

#include <assert.h>
#include <string.h>

cairn_status crn_run_add_events(cairn_recorder *recorder)
{
    recorder->first_event = (int)recorder->column_count;
    cairn_status status =
        crn_run_add_column(recorder, "events/start", "1",
                           "row of the frame's first event in the other datasets of this group", CRN_RUN_INT64, 0, 0);
    status = status ? status
                    : crn_run_add_column(recorder, "events/count", "1", "events since the frame before", CRN_RUN_INT64,
                                         0, 0);
    for (int i = 0; i < CRN_RUN_EVENT_FIELDS && !status; ++i)
    {
        const crn_run_field *field = &crn_run_event_fields[i];
        status = crn_run_add_column(recorder, field->path, field->unit, field->description, field->type, 0, 0);
    }
    return status;
}

/* What is stored as INT32. */
static int32_t whole_of(const cairn_model *model, const cairn_event *event, size_t offset)
{
    switch (offset)
    {
    case offsetof(cairn_event, kind):
        return (int32_t)event->kind;
    case offsetof(cairn_event, a):
        return cairn_model_body_index(model, event->a);
    case offsetof(cairn_event, b):
        return cairn_model_body_index(model, event->b);
    default:
        assert(offset == offsetof(cairn_event, energy_grew));
        return event->energy_grew;
    }
}

static bool append_event(cairn_recorder *recorder, const cairn_event *event)
{
    assert((int)event->kind >= 0 && event->kind < CAIRN_EVENT_KINDS);
    for (int k = 0; k < CRN_RUN_EVENT_FIELDS; ++k)
    {
        const crn_run_field *field = &crn_run_event_fields[k];
        void *row = crn_run_new_row(recorder, recorder->first_event + 2 + k);
        if (!row)
            return false;
        if (field->type == CRN_RUN_INT32)
        {
            int32_t whole = whole_of(cairn_simulation_model(recorder->simulation), event, field->offset);
            memcpy(row, &whole, sizeof whole);
        }
        else
        {
            memcpy(row, (const char *)event + field->offset, crn_run_type_size(field->type));
        }
    }
    ++recorder->events;
    return true;
}

cairn_status crn_run_append_events(cairn_recorder *recorder)
{
    for (int i = 0; i < cairn_simulation_event_count(recorder->simulation); ++i)
    {
        cairn_event event = cairn_simulation_event(recorder->simulation, i);
        if (!append_event(recorder, &event))
            return crn_fail(recorder->context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", recorder->path);
    }
    return CAIRN_OK;
}

bool crn_run_append_event_range(cairn_recorder *recorder)
{
    int64_t *start = crn_run_new_row(recorder, recorder->first_event);
    int64_t *count = crn_run_new_row(recorder, recorder->first_event + 1);
    if (!start || !count)
        return false;
    *start = recorder->events_of_frames;
    *count = recorder->events - recorder->events_of_frames;
    recorder->events_of_frames = recorder->events;
    return true;
}
