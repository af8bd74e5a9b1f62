/* Reading the events and violations of a run file: all items of a list at once, when they are first asked for. */
#include "base/memory.h"
#include "run/run_reader.h"

#include <assert.h>
#include <stdio.h>

/* Open the dataset of every field; *rows is the number of rows that all of them have. */
static cairn_status open_fields(cairn_run *run, int which, int64_t *rows)
{
    const crn_run_list *list = &crn_run_lists[which];
    int64_t frames = run->frames;
    cairn_status status = CAIRN_OK;
    run->frames = -1;
    for (int i = 0; i < list->field_count && !status; ++i)
    {
        char path[80];
        snprintf(path, sizeof path, "/%s", list->fields[i].path);
        status = crn_run_count_rows(run, path, 0, 0, 0, &run->lists[which].sets[i]);
    }
    *rows = run->frames;
    run->frames = frames;
    return status;
}

/* Find where the items of the last whole frame end. */
static cairn_status count_items(cairn_run *run, int which)
{
    crn_run_reader_list *list = &run->lists[which];
    int64_t range[2] = {0, 0};
    hsize_t last = (hsize_t)(run->frames - 1);
    if (run->frames > 0 && (!crn_run_read(run, list->start, H5T_NATIVE_INT64, last, 1, -1, &range[0]) ||
                            !crn_run_read(run, list->count, H5T_NATIVE_INT64, last, 1, -1, &range[1])))
        return crn_fail(run->context, CAIRN_IO, "run file '%s': the list of %s cannot be read", run->path,
                        crn_run_lists[which].group);
    list->item_count = range[0] + range[1];
    return CAIRN_OK;
}

cairn_status crn_run_index_list(cairn_run *run, int which)
{
    const crn_run_list *layout = &crn_run_lists[which];
    crn_run_reader_list *list = &run->lists[which];
    int64_t rows = 0;
    if (run->format_version < layout->first_version ||
        (layout->optional && H5Lexists(run->file, layout->group, H5P_DEFAULT) <= 0))
        return CAIRN_OK;
    char start[80], count[80];
    snprintf(start, sizeof start, "/%s/start", layout->group);
    snprintf(count, sizeof count, "/%s/count", layout->group);
    CRN_TRY(open_fields(run, which, &rows));
    CRN_TRY(crn_run_count_rows(run, start, 0, 0, 0, &list->start));
    CRN_TRY(crn_run_count_rows(run, count, 0, 0, 0, &list->count));
    CRN_TRY(crn_run_add_series(run, count + 1, count, "1", -1));
    CRN_TRY(crn_run_check_last(run, list->start, list->count, rows, start));
    CRN_TRY(count_items(run, which));
    assert(list->item_count >= 0);
    assert(list->item_count <= rows);
    return CAIRN_OK;
}

static cairn_status read_items(cairn_run *run, int which)
{
    const crn_run_list *list = &crn_run_lists[which];
    crn_run_reader_list *found = &run->lists[which];
    if (crn_reserve_all(&run->memory, CRN_ARRAY(found->bytes, (size_t)found->item_count * list->item_size),
                        CRN_ARRAY(run->values, found->item_count)))
        return crn_run_reader_full(run);
    for (int k = 0; k < list->field_count; ++k)
        if (!crn_run_read_items(run, &list->fields[k], found->sets[k], list->kinds, 0, (size_t)found->item_count,
                                list->item_size, found->bytes))
            return crn_run_unreadable(run, list->fields[k].path);
    found->is_read = true;
    return CAIRN_OK;
}

/* The items of a list, NULL when there are none. */
static cairn_status read_list(cairn_run *run, int which, const void **items, int64_t *count)
{
    crn_run_reader_list *list = &run->lists[which];
    if (list->item_count > 0 && !list->is_read)
    {
        crn_quiet before = crn_quiet_begin();
        cairn_status status = read_items(run, which);
        crn_quiet_end(before);
        if (status)
            return status;
    }
    *items = list->bytes;
    *count = list->item_count;
    return CAIRN_OK;
}

int64_t cairn_run_event_count(const cairn_run *run)
{
    return run->lists[CRN_RUN_EVENTS].item_count;
}

cairn_status cairn_run_read_events(cairn_run *run, const cairn_event **events, int64_t *count)
{
    if (!run || !events || !count)
    {
        return crn_fail(run ? run->context : NULL, CAIRN_INVALID,
                        "run file: the run or the place for the events is NULL");
    }
    const void *items = NULL;
    *count = 0;
    cairn_status status = read_list(run, CRN_RUN_EVENTS, &items, count);
    *events = items;
    return status;
}

cairn_status cairn_run_read_violations(cairn_run *run, const cairn_violation **violations, int64_t *count)
{
    const void *items = NULL;
    *count = 0;
    cairn_status status = read_list(run, CRN_RUN_VIOLATIONS, &items, count);
    *violations = items;
    return status;
}
