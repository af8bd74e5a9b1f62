/* From a simulation's state to rows: the contents of one frame of a run file.
 *
 * Contacts are flattened: a frame's contacts are rows start .. start + count - 1 of every contacts/ dataset.
 */
#include "model/model.h"
#include "run/run_recorder.h"
#include "step/simulation.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cairn_status crn_run_recorder_full(const cairn_recorder *recorder)
{
    return crn_fail(recorder->context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", recorder->path);
}

cairn_status crn_run_add_column(cairn_recorder *recorder, const char *path, const char *unit, const char *description,
                                crn_run_type type, int items, int width)
{
    if (crn_reserve_all(&recorder->memory, CRN_ARRAY(recorder->columns, recorder->column_count + 1)))
        return crn_run_recorder_full(recorder);
    crn_run_column *column = &recorder->columns[recorder->column_count++];
    *column = (crn_run_column){.unit = unit, .description = description, .type = type, .bulk = recorder->bulk};
    int length = snprintf(column->path, sizeof column->path, "/%s", path);
    assert(length > 0 && (size_t)length < sizeof column->path);
    (void)length;
    column->row_size = crn_run_type_size(type);
    int axes[2] = {items, width};
    for (int i = 0; i < 2; ++i)
    {
        if (axes[i] > 0)
        {
            column->extent[column->rank++] = axes[i];
            column->row_size *= (size_t)axes[i];
        }
    }
    return CAIRN_OK;
}

cairn_status crn_run_add_field(cairn_recorder *recorder, const crn_run_field *field, int items)
{
    bool pair = field->width == 6;
    assert(!pair || items == 0);
    return crn_run_add_column(recorder, field->path, field->unit, field->description, field->type, pair ? 2 : items,
                              pair ? 3 : field->width);
}

static cairn_status add_series(cairn_recorder *recorder)
{
    for (int i = 0; i < crn_run_series_total; ++i)
    {
        const crn_run_series *series = &crn_run_series_table[i];
        CRN_TRY(crn_run_add_column(recorder, series->name, series->unit, series->description,
                                   crn_run_series_type(series), 0, 0));
    }
    assert(!strcmp(recorder->columns[0].path, "/time"));
    return CAIRN_OK;
}

static cairn_status add_bodies(cairn_recorder *recorder, int bodies)
{
    recorder->first_body = bodies > 0 ? (int)recorder->column_count : -1;
    for (int i = 0; i < crn_run_body_fields_of(recorder->leave_out) && bodies > 0; ++i)
        CRN_TRY(crn_run_add_field(recorder, &crn_run_body_fields[i], bodies));
    return CAIRN_OK;
}

static cairn_status add_named(cairn_recorder *recorder, const cairn_model *model)
{
    recorder->first_named = (int)recorder->column_count;
    for (int i = 0; i < CRN_RUN_NAMED; ++i)
    {
        const crn_run_named *named = &crn_run_named_table[i];
        int count = crn_run_group_count(model, named->group);
        char path[64];
        snprintf(path, sizeof path, "%s/%s", named->group, named->quantity);
        if (count > 0)
            CRN_TRY(crn_run_add_column(recorder, path, named->unit, named->description, CRN_RUN_DOUBLE, count, 0));
    }
    int joints = recorder->leave_out & CAIRN_RECORD_JOINTS ? 0 : cairn_model_joint_count(model);
    recorder->first_impulse = joints > 0 ? (int)recorder->column_count : -1;
    if (joints == 0)
        return CAIRN_OK;
    return crn_run_add_column(recorder, "joints/impulse", "N s",
                              "impulse of each row of the joint in the step, unused rows 0 (N m s where a row is an "
                              "angle)",
                              CRN_RUN_DOUBLE, joints, 6);
}

/* Coordinates of all systems together. */
static int system_width(const cairn_model *model)
{
    int width = 0;
    for (size_t i = 0; i < model->system_count; ++i)
        width += model->systems[i].options.n;
    return width;
}

static cairn_status add_systems(cairn_recorder *recorder, int width)
{
    recorder->first_system = width > 0 ? (int)recorder->column_count : -1;
    if (width == 0)
        return CAIRN_OK;
    CRN_TRY(crn_run_add_column(recorder, "systems/q", "user",
                               "coordinates of all user's systems, one system after another", CRN_RUN_DOUBLE, width,
                               0));
    return crn_run_add_column(recorder, "systems/v", "user", "velocities, in the same order", CRN_RUN_DOUBLE, width, 0);
}

static bool is_compliant(const cairn_model *model)
{
    for (size_t i = 0; i < model->material_count; ++i)
        if (model->materials[i].patch.elements > 0)
            return true;
    return false;
}

static cairn_status add_contacts(cairn_recorder *recorder, bool compliant)
{
    recorder->first_contact = recorder->leave_out & CAIRN_RECORD_CONTACTS ? -1 : (int)recorder->column_count;
    if (recorder->first_contact < 0)
        return CAIRN_OK;
    recorder->contact_fields = compliant ? CRN_RUN_CONTACT_FIELDS : CRN_RUN_RIGID_FIELDS;
    CRN_TRY(crn_run_add_column(recorder, "contacts/start", "1",
                               "row of the frame's first contact in the other datasets of this group", CRN_RUN_INT64, 0,
                               0));
    for (int i = 0; i < recorder->contact_fields; ++i)
        CRN_TRY(crn_run_add_field(recorder, &crn_run_contact_fields[i], 0));
    return CAIRN_OK;
}

cairn_status crn_run_columns_create(cairn_recorder *recorder)
{
    const cairn_model *model = cairn_simulation_model(recorder->simulation);
    CRN_TRY(add_series(recorder));
    recorder->bulk = true;
    CRN_TRY(add_bodies(recorder, cairn_model_body_count(model)));
    CRN_TRY(add_named(recorder, model));
    CRN_TRY(crn_run_add_joints(recorder, model));
    CRN_TRY(add_systems(recorder, system_width(model)));
    CRN_TRY(add_contacts(recorder, is_compliant(model)));
    recorder->bulk = false;
    for (int i = 0; i < CRN_RUN_LISTS; ++i)
        CRN_TRY(crn_run_add_list(recorder, i));
    return crn_run_add_sensors(recorder);
}

/* So many rows, one after another. */
static void *new_rows(cairn_recorder *recorder, int index, size_t count)
{
    assert(index >= 0 && (size_t)index < recorder->column_count);
    crn_run_column *column = &recorder->columns[index];
    size_t size = count * column->row_size;
    if (crn_reserve_all(&recorder->memory, CRN_ARRAY(column->data, column->used + size)))
        return NULL;
    void *row = column->data + column->used;
    column->used += size;
    recorder->pending += size;
    return row;
}

void *crn_run_new_row(cairn_recorder *recorder, int index)
{
    return new_rows(recorder, index, 1);
}

bool crn_run_append_item(cairn_recorder *recorder, int first_column, const crn_run_field *fields, int count,
                         const void *item)
{
    for (int k = 0; k < count; ++k)
    {
        void *row = crn_run_new_row(recorder, first_column + k);
        if (!row)
            return false;
        assert(recorder->columns[first_column + k].row_size == crn_run_field_size(&fields[k]));
        crn_run_field_store(&fields[k], cairn_simulation_model(recorder->simulation), item, row);
    }
    return true;
}

static bool append_series(cairn_recorder *recorder, const cairn_step_report *report)
{
    assert(recorder->column_count >= (size_t)crn_run_series_total);
    for (int i = 0; i < crn_run_series_total; ++i)
    {
        void *row = crn_run_new_row(recorder, i);
        if (!row)
            return false;
        crn_run_series_value(&crn_run_series_table[i], report, row);
    }
    return true;
}

/* The fields of bodies first to first + count - 1. */
static void fill_bodies(const cairn_recorder *recorder, int first, int count, char *const *rows)
{
    const cairn_model *model = cairn_simulation_model(recorder->simulation);
    int fields = crn_run_body_fields_of(recorder->leave_out);
    for (int i = 0; i < count; ++i)
    {
        cairn_body_state state = cairn_simulation_body(recorder->simulation, cairn_model_body(model, first + i));
        for (int k = 0; k < fields; ++k)
        {
            const crn_run_field *field = &crn_run_body_fields[k];
            crn_run_field_store(field, model, &state, rows[k] + (size_t)i * crn_run_field_size(field));
        }
    }
}

/* The rows of many bodies go to the file a part at a time. */
static cairn_status append_many_bodies(cairn_recorder *recorder, int bodies)
{
    int fields = crn_run_body_fields_of(recorder->leave_out), first = recorder->first_body;
    char *rows[CRN_RUN_BODY_FIELDS];
    size_t size = 0;
    for (int k = 0; k < fields; ++k)
        size += CRN_RUN_TOGETHER * crn_run_field_size(&crn_run_body_fields[k]);
    char *part = malloc(size);
    if (!part)
        return crn_run_recorder_full(recorder);
    for (int k = 0; k < fields; ++k)
        rows[k] = k == 0 ? part : rows[k - 1] + CRN_RUN_TOGETHER * crn_run_field_size(&crn_run_body_fields[k - 1]);
    cairn_status status = crn_run_file_begin_rows(recorder, first, fields);
    for (int i = 0; i < bodies && !status; i += CRN_RUN_TOGETHER)
    {
        int count = bodies - i < CRN_RUN_TOGETHER ? bodies - i : CRN_RUN_TOGETHER;
        fill_bodies(recorder, i, count, rows);
        for (int k = 0; k < fields && !status; ++k)
            status = crn_run_file_put_part(recorder, first + k, i, count, rows[k]);
    }
    free(part);
    if (!status)
        crn_run_file_end_rows(recorder, first, fields);
    return status;
}

static cairn_status append_bodies(cairn_recorder *recorder, const cairn_model *model)
{
    int bodies = cairn_model_body_count(model);
    int fields = crn_run_body_fields_of(recorder->leave_out);
    char *rows[CRN_RUN_BODY_FIELDS];
    size_t size = 0;
    for (int k = 0; k < fields && bodies > 0; ++k)
        size += recorder->columns[recorder->first_body + k].row_size;
    if (size > CRN_RUN_PENDING && recorder->compression == 0) /* such a frame is flushed by itself */
        return append_many_bodies(recorder, bodies);
    for (int k = 0; k < fields && bodies > 0; ++k)
    {
        rows[k] = crn_run_new_row(recorder, recorder->first_body + k);
        if (!rows[k])
            return crn_run_recorder_full(recorder);
    }
    fill_bodies(recorder, 0, bodies, rows);
    return CAIRN_OK;
}

static bool append_named(cairn_recorder *recorder, const cairn_model *model)
{
    int index = recorder->first_named;
    for (int k = 0; k < CRN_RUN_NAMED; ++k)
    {
        const crn_run_named *named = &crn_run_named_table[k];
        int count = crn_run_group_count(model, named->group);
        double *row = count > 0 ? crn_run_new_row(recorder, index++) : NULL;
        if (count > 0 && !row)
            return false;
        for (int i = 0; i < count; ++i)
            row[i] = named->value(recorder->simulation, i);
    }
    return true;
}

static bool append_impulses(cairn_recorder *recorder, const cairn_model *model)
{
    int count = recorder->first_impulse < 0 ? 0 : cairn_model_joint_count(model);
    double(*row)[6] = count > 0 ? crn_run_new_row(recorder, recorder->first_impulse) : NULL;
    for (int i = 0; i < count && row; ++i)
    {
        int rows = cairn_simulation_joint_impulse(recorder->simulation, cairn_model_joint(model, i), row[i]);
        assert(rows >= 0 && rows <= 6);
        for (int k = rows; k < 6; ++k)
            row[i][k] = 0;
    }
    return count == 0 || row;
}

static bool append_systems(cairn_recorder *recorder, const cairn_model *model)
{
    if (recorder->first_system < 0)
        return true;
    double *q_row = crn_run_new_row(recorder, recorder->first_system);
    double *v_row = crn_run_new_row(recorder, recorder->first_system + 1);
    if (!q_row || !v_row)
        return false;
    size_t start = 0;
    for (size_t i = 0; i < model->system_count; ++i)
    {
        const double *q;
        const double *v;
        size_t n = (size_t)model->systems[i].options.n;
        cairn_simulation_system(recorder->simulation, cairn_model_system(model, (int)i), &q, &v);
        memcpy(q_row + start, q, n * sizeof(double));
        memcpy(v_row + start, v, n * sizeof(double));
        start += n;
    }
    assert((int)start == recorder->columns[recorder->first_system].extent[0]);
    return true;
}

/* Contacts first to first + count - 1. */
static bool append_some_contacts(cairn_recorder *recorder, int first, int count)
{
    const cairn_model *model = cairn_simulation_model(recorder->simulation);
    char *rows[CRN_RUN_CONTACT_FIELDS];
    for (int k = 0; k < recorder->contact_fields; ++k)
    {
        rows[k] = new_rows(recorder, recorder->first_contact + 1 + k, (size_t)count);
        if (!rows[k])
            return false;
    }
    for (int i = 0; i < count; ++i)
    {
        cairn_contact contact = cairn_simulation_contact(recorder->simulation, first + i);
        for (int k = 0; k < recorder->contact_fields; ++k)
        {
            const crn_run_field *field = &crn_run_contact_fields[k];
            crn_run_field_store(field, model, &contact, rows[k] + (size_t)i * crn_run_field_size(field));
        }
    }
    recorder->contacts += count;
    return true;
}

static cairn_status append_contacts(cairn_recorder *recorder, int count)
{
    const int together = 4096;
    assert(count >= 0);
    if (recorder->first_contact < 0)
        return CAIRN_OK;
    int64_t *start = crn_run_new_row(recorder, recorder->first_contact);
    if (!start)
        return crn_run_recorder_full(recorder);
    *start = recorder->contacts;
    for (int i = 0; i < count; i += together)
    {
        if (!append_some_contacts(recorder, i, count - i < together ? count - i : together))
            return crn_run_recorder_full(recorder);
        CRN_TRY(crn_run_file_relieve(recorder));
    }
    return CAIRN_OK;
}

cairn_status crn_run_columns_append(cairn_recorder *recorder)
{
    const cairn_simulation *simulation = recorder->simulation;
    const cairn_model *model = cairn_simulation_model(simulation);
    const cairn_step_report *last = cairn_simulation_report(simulation);
    /* Before the first step the report holds the violations, but neither time nor energy. */
    cairn_step_report report = {.projection_met = true, .solver.certificate.worst_contact = -1};
    report.penetration = last->penetration;
    report.joint_error = last->joint_error;
    if (last->step > 0)
        report = *last;
    report.time = cairn_simulation_time(simulation);
    report.energy = cairn_simulation_energy(simulation);
    report.contacts = cairn_simulation_contact_count(simulation);
    bool good = append_series(recorder, &report);
    if (good)
        CRN_TRY(append_bodies(recorder, model));
    good = good && append_named(recorder, model) && append_impulses(recorder, model) &&
           crn_run_append_joints(recorder, model) && append_systems(recorder, model);
    if (good)
        CRN_TRY(append_contacts(recorder, report.contacts));
    for (int i = 0; i < CRN_RUN_LISTS && good; ++i)
        good = crn_run_append_range(recorder, &recorder->lists[i]);
    if (cairn_watch_count(recorder->watch) > 0)
        good = good && crn_run_append_range(recorder, &recorder->samples);
    if (!good)
        return crn_run_recorder_full(recorder);
    ++recorder->frames;
    assert(recorder->columns[0].written + (int64_t)(recorder->columns[0].used / sizeof(double)) == recorder->frames);
    return CAIRN_OK;
}
