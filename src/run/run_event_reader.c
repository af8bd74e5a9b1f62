/* Reading the events of a run file: all of them at once, when they are first asked for. */
#include "base/memory.h"
#include "run/run_reader.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rows every dataset of events has. */
static cairn_status open_fields(cairn_run *run, int64_t *rows)
{
    int64_t frames = run->frames;
    cairn_status status = CAIRN_OK;
    run->frames = -1;
    for (int i = 0; i < CRN_RUN_EVENT_FIELDS && !status; ++i)
    {
        char path[80];
        snprintf(path, sizeof path, "/%s", crn_run_event_fields[i].path);
        status = crn_run_count_rows(run, path, 0, 0, 0, &run->event_sets[i]);
    }
    *rows = run->frames;
    run->frames = frames;
    return status;
}

/* Where the events of the last whole frame end. */
static cairn_status count_events(cairn_run *run)
{
    int64_t start = 0;
    int64_t count = 0;
    hsize_t last = (hsize_t)(run->frames - 1);
    if (run->frames > 0 && (!crn_run_read(run, run->event_start, H5T_NATIVE_INT64, last, 1, -1, &start) ||
                            !crn_run_read(run, run->event_count, H5T_NATIVE_INT64, last, 1, -1, &count)))
        return crn_fail(run->context, CAIRN_IO, "run file '%s': the list of events cannot be read", run->path);
    run->events = start + count;
    return CAIRN_OK;
}

cairn_status crn_run_index_events(cairn_run *run)
{
    int64_t rows = 0;
    cairn_status status = open_fields(run, &rows);
    status = status ? status : crn_run_count_rows(run, "/events/start", 0, 0, 0, &run->event_start);
    status = status ? status : crn_run_count_rows(run, "/events/count", 0, 0, 0, &run->event_count);
    status = status ? status : crn_run_add_series(run, "events/count", "/events/count", "1", -1);
    status = status ? status : crn_run_check_last(run, run->event_start, run->event_count, rows, "/events/start");
    status = status ? status : count_events(run);
    assert(status || (run->events >= 0 && run->events <= rows));
    return status;
}

/* A number stored as INT32 into its place; false when no event can have it. */
static bool take_whole(const cairn_run *run, size_t offset, int32_t whole, cairn_event *event)
{
    bool is_body = whole >= -1 && whole < run->body_count;
    switch (offset)
    {
    case offsetof(cairn_event, kind):
        event->kind = (cairn_event_kind)whole;
        return whole >= 0 && whole < CAIRN_EVENT_KINDS;
    case offsetof(cairn_event, a):
        event->a.id = is_body ? whole + 1 : 0;
        return is_body;
    case offsetof(cairn_event, b):
        event->b.id = is_body ? whole + 1 : 0;
        return is_body;
    default:
        assert(offset == offsetof(cairn_event, energy_grew));
        event->energy_grew = whole != 0;
        return true;
    }
}

static bool read_field(cairn_run *run, int k, cairn_event *events)
{
    const crn_run_field *field = &crn_run_event_fields[k];
    size_t size = crn_run_type_size(field->type);
    assert((size_t)run->events * size <= run->values_capacity * sizeof(double));
    if (!crn_run_read(run, run->event_sets[k], crn_run_memory_type(field->type), 0, (hsize_t)run->events, -1,
                      run->values))
        return false;
    bool good = true;
    for (size_t i = 0; i < (size_t)run->events; ++i)
    {
        const char *source = (const char *)run->values + i * size;
        if (field->type != CRN_RUN_INT32)
        {
            memcpy((char *)&events[i] + field->offset, source, size);
            continue;
        }
        int32_t whole;
        memcpy(&whole, source, sizeof whole);
        good = take_whole(run, field->offset, whole, &events[i]) && good;
    }
    return good;
}

static cairn_status read_events(cairn_run *run)
{
    cairn_event *events = calloc((size_t)run->events, sizeof *events);
    if (!events || crn_reserve(&run->values, &run->values_capacity, (size_t)run->events, sizeof(double)))
    {
        free(events);
        return crn_fail(run->context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", run->path);
    }
    for (int k = 0; k < CRN_RUN_EVENT_FIELDS; ++k)
    {
        if (!read_field(run, k, events))
        {
            free(events);
            return crn_fail(run->context, CAIRN_IO, "run file '%s': %s cannot be read", run->path,
                            crn_run_event_fields[k].path);
        }
    }
    run->event_list = events;
    return CAIRN_OK;
}

int64_t cairn_run_event_count(const cairn_run *run)
{
    return run->events;
}

cairn_status cairn_run_read_events(cairn_run *run, const cairn_event **events, int64_t *count)
{
    if (!run || !events || !count)
    {
        return crn_fail(run ? run->context : NULL, CAIRN_INVALID,
                        "run file: the run or the place for the events is NULL");
    }
    *events = NULL;
    *count = 0;
    if (run->events > 0 && !run->event_list)
    {
        crn_quiet before = crn_quiet_begin();
        cairn_status status = read_events(run);
        crn_quiet_end(before);
        if (status)
            return status;
    }
    *events = run->event_list;
    *count = run->events;
    return CAIRN_OK;
}
