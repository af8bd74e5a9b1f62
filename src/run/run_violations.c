/* Violations of the physics in a run file: one row a violation in every violations/ dataset, as events have them. Files from
 * before there was a certificate of the physics have no such group, and are read as if nothing had been found. */
#include "run/run_reader.h"
#include "run/run_recorder.h"

#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const crn_run_field crn_run_violation_fields[CRN_RUN_VIOLATION_FIELDS] = {
    {"violations/time", "s", "time of the violation, the end of its part of a step", offsetof(cairn_violation, time),
     CRN_RUN_DOUBLE, 0},
    {"violations/kind", "1", "kind of the violation, an index into the attribute 'names'",
     offsetof(cairn_violation, kind), CRN_RUN_INT32, 0},
    {"violations/body_a", "1", "body it was found at, an index into bodies/names; -1: none",
     offsetof(cairn_violation, a), CRN_RUN_INT32, 0},
    {"violations/body_b", "1", "the other body, an index into bodies/names; -1: none", offsetof(cairn_violation, b),
     CRN_RUN_INT32, 0},
    {"violations/contact", "1", "identity of the contact; 0: none", offsetof(cairn_violation, contact), CRN_RUN_UINT64,
     0},
    {"violations/size", "by kind", "size, in the unit of its kind", offsetof(cairn_violation, size), CRN_RUN_DOUBLE, 0},
    {"violations/allowance", "by kind", "what rounding, the solver and the discretisation explain",
     offsetof(cairn_violation, allowance), CRN_RUN_DOUBLE, 0},
};

/* ---------------------------------------------------------------------------------------------------- recording */

cairn_status crn_run_add_violations(cairn_recorder *recorder)
{
    recorder->first_violation = (int)recorder->column_count;
    cairn_status status = crn_run_add_column(recorder, "violations/start", "1",
                                             "row of the frame's first violation in the other datasets of this group",
                                             CRN_RUN_INT64, 0, 0);
    status = status ? status
                    : crn_run_add_column(recorder, "violations/count", "1", "violations listed since the frame before",
                                         CRN_RUN_INT64, 0, 0);
    for (int i = 0; i < CRN_RUN_VIOLATION_FIELDS && !status; ++i)
    {
        const crn_run_field *field = &crn_run_violation_fields[i];
        status = crn_run_add_column(recorder, field->path, field->unit, field->description, field->type, 0, 0);
    }
    return status;
}

/* What is stored as INT32. */
static int32_t whole_of(const cairn_model *model, const cairn_violation *violation, size_t offset)
{
    switch (offset)
    {
    case offsetof(cairn_violation, kind):
        return (int32_t)violation->kind;
    case offsetof(cairn_violation, a):
        return cairn_model_body_index(model, violation->a);
    default:
        assert(offset == offsetof(cairn_violation, b));
        return cairn_model_body_index(model, violation->b);
    }
}

static bool append_violation(cairn_recorder *recorder, const cairn_violation *violation)
{
    assert((int)violation->kind >= 0);
    for (int k = 0; k < CRN_RUN_VIOLATION_FIELDS; ++k)
    {
        const crn_run_field *field = &crn_run_violation_fields[k];
        void *row = crn_run_new_row(recorder, recorder->first_violation + 2 + k);
        if (!row)
            return false;
        if (field->type == CRN_RUN_INT32)
        {
            int32_t whole = whole_of(cairn_simulation_model(recorder->simulation), violation, field->offset);
            memcpy(row, &whole, sizeof whole);
        }
        else
        {
            memcpy(row, (const char *)violation + field->offset, crn_run_type_size(field->type));
        }
    }
    ++recorder->violations;
    return true;
}

cairn_status crn_run_append_violations(cairn_recorder *recorder)
{
    for (int i = 0; i < cairn_simulation_violation_count(recorder->simulation); ++i)
    {
        cairn_violation violation = cairn_simulation_violation(recorder->simulation, i);
        if (!append_violation(recorder, &violation))
            return crn_fail(recorder->context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", recorder->path);
    }
    return CAIRN_OK;
}

bool crn_run_append_violation_range(cairn_recorder *recorder)
{
    int64_t *start = crn_run_new_row(recorder, recorder->first_violation);
    int64_t *count = crn_run_new_row(recorder, recorder->first_violation + 1);
    if (!start || !count)
        return false;
    *start = recorder->violations_of_frames;
    *count = recorder->violations - recorder->violations_of_frames;
    recorder->violations_of_frames = recorder->violations;
    return true;
}

/* ------------------------------------------------------------------------------------------------------ reading */

/* Where the violations of the last whole frame end. */
static cairn_status count_violations(cairn_run *run)
{
    int64_t start = 0;
    int64_t count = 0;
    hsize_t last = (hsize_t)(run->frames - 1);
    if (run->frames > 0 && (!crn_run_read(run, run->violation_start, H5T_NATIVE_INT64, last, 1, -1, &start) ||
                            !crn_run_read(run, run->violation_count, H5T_NATIVE_INT64, last, 1, -1, &count)))
        return crn_fail(run->context, CAIRN_IO, "run file '%s': the list of violations cannot be read", run->path);
    run->violations = start + count;
    return CAIRN_OK;
}

cairn_status crn_run_index_violations(cairn_run *run)
{
    int64_t frames = run->frames, rows;
    cairn_status status = CAIRN_OK;
    if (!(H5Lexists(run->file, "/violations", H5P_DEFAULT) > 0))
        return CAIRN_OK;
    run->frames = -1;
    for (int i = 0; i < CRN_RUN_VIOLATION_FIELDS && !status; ++i)
    {
        char path[80];
        snprintf(path, sizeof path, "/%s", crn_run_violation_fields[i].path);
        status = crn_run_count_rows(run, path, 0, 0, 0, &run->violation_sets[i]);
    }
    rows = run->frames;
    run->frames = frames;
    status = status ? status : crn_run_count_rows(run, "/violations/start", 0, 0, 0, &run->violation_start);
    status = status ? status : crn_run_count_rows(run, "/violations/count", 0, 0, 0, &run->violation_count);
    status = status ? status : crn_run_add_series(run, "violations/count", "/violations/count", "1", -1);
    status = status ? status
                    : crn_run_check_last(run, run->violation_start, run->violation_count, rows, "/violations/start");
    return status ? status : count_violations(run);
}

/* A number stored as INT32 into its place; false when no violation can have it. */
static bool take_whole(const cairn_run *run, size_t offset, int32_t whole, cairn_violation *violation)
{
    bool is_body = whole >= -1 && whole < run->body_count;
    switch (offset)
    {
    case offsetof(cairn_violation, kind):
        violation->kind = (cairn_violation_kind)whole;
        return whole >= 0 && whole < CAIRN_VIOLATION_KINDS;
    case offsetof(cairn_violation, a):
        violation->a.id = is_body ? whole + 1 : 0;
        return is_body;
    default:
        assert(offset == offsetof(cairn_violation, b));
        violation->b.id = is_body ? whole + 1 : 0;
        return is_body;
    }
}

static bool read_field(cairn_run *run, int k, cairn_violation *violations)
{
    const crn_run_field *field = &crn_run_violation_fields[k];
    size_t size = crn_run_type_size(field->type);
    if (!crn_run_read(run, run->violation_sets[k], crn_run_memory_type(field->type), 0, (hsize_t)run->violations, -1,
                      run->values))
        return false;
    bool good = true;
    for (size_t i = 0; i < (size_t)run->violations; ++i)
    {
        const char *source = (const char *)run->values + i * size;
        if (field->type != CRN_RUN_INT32)
        {
            memcpy((char *)&violations[i] + field->offset, source, size);
            continue;
        }
        int32_t whole;
        memcpy(&whole, source, sizeof whole);
        good = take_whole(run, field->offset, whole, &violations[i]) && good;
    }
    return good;
}

static cairn_status read_violations(cairn_run *run)
{
    cairn_violation *violations = calloc((size_t)run->violations, sizeof *violations);
    if (!violations || crn_reserve(&run->values, &run->values_capacity, (size_t)run->violations, sizeof(double)))
    {
        free(violations);
        return crn_fail(run->context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", run->path);
    }
    for (int k = 0; k < CRN_RUN_VIOLATION_FIELDS; ++k)
    {
        if (!read_field(run, k, violations))
        {
            free(violations);
            return crn_fail(run->context, CAIRN_IO, "run file '%s': %s cannot be read", run->path,
                            crn_run_violation_fields[k].path);
        }
    }
    run->violation_list = violations;
    return CAIRN_OK;
}

cairn_status cairn_run_read_violations(cairn_run *run, const cairn_violation **violations, int64_t *count)
{
    *violations = NULL;
    *count = 0;
    if (run->violations > 0 && !run->violation_list)
    {
        crn_quiet before = crn_quiet_begin();
        cairn_status status = read_violations(run);
        crn_quiet_end(before);
        if (status)
            return status;
    }
    *violations = run->violation_list;
    *count = run->violations;
    return CAIRN_OK;
}
