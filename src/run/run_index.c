/* The contents of a run file: the list of series, and the number of whole frames.
 *
 * A frame counts when every dataset has it and its contacts lie within the contact datasets. The number of frames is the
 * length of /time, unless the file was damaged or is read while its writer commits.
 */
#include "run/run_reader.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

cairn_status crn_run_missing(const cairn_run *run, const char *path)
{
    return crn_fail(run->context, CAIRN_INVALID, "'%s' is not a whole run file: dataset '%s' is missing or misshapen",
                    run->path, path);
}

cairn_status crn_run_count_rows(cairn_run *run, const char *path, int rank, hsize_t second, hsize_t third, hid_t *keep)
{
    assert(rank >= 0 && rank <= 3);
    hsize_t extents[3] = {0};
    hid_t dataset = H5Dopen2(run->file, path, H5P_DEFAULT);
    if (dataset < 0)
        return crn_run_missing(run, path);
    bool fits = crn_run_extents(dataset, extents) == rank + 1 && (rank < 1 || extents[1] == second) &&
                (rank < 2 || extents[2] == third) && extents[0] <= INT64_MAX / 1024;
    if (fits && run->cut)
        extents[0] = crn_run_rows_there(run, dataset, extents);
    if (keep && fits)
        *keep = dataset;
    else
        H5Dclose(dataset);
    if (!fits)
        return crn_run_missing(run, path);
    if (run->frames < 0 || (int64_t)extents[0] < run->frames)
        run->frames = (int64_t)extents[0];
    return CAIRN_OK;
}

cairn_status crn_run_add_series(cairn_run *run, const char *name, const char *path, const char *unit, int column)
{
    assert(name && path && column >= -1);
    if (crn_reserve_all(&run->memory, CRN_ARRAY(run->series, run->series_count + 1)))
        return crn_run_reader_full(run);
    crn_run_reader_series *series = &run->series[run->series_count++];
    *series = (crn_run_reader_series){.name = crn_arena_text(&run->memory, name),
                                      .path = crn_arena_text(&run->memory, path),
                                      .unit = unit,
                                      .column = column,
                                      .part = -1};
    return series->name && series->path ? CAIRN_OK : crn_run_reader_full(run);
}

static cairn_status index_reports(cairn_run *run)
{
    for (int i = 0; i < crn_run_series_of_version(run->format_version); ++i)
    {
        const crn_run_series *series = &crn_run_series_table[i];
        char path[80];
        snprintf(path, sizeof path, "/%s", series->name);
        CRN_TRY(crn_run_count_rows(run, path, 0, 0, 0, strcmp(path, "/contacts/count") ? NULL : &run->contact_count));
        CRN_TRY(crn_run_add_series(run, series->name, path, series->unit, -1));
    }
    return CAIRN_OK;
}

/* Read the unit of each spring's stretch. Files of older versions do not tell: there it is metres. */
static cairn_status read_units(cairn_run *run, int count, crn_run_texts *units)
{
    bool good = crn_run_get_names(run->file, "/springs/units", &run->memory, units);
    return good && (units->count == 0 || units->count == count) ? CAIRN_OK : crn_run_missing(run, "/springs/units");
}

static const char *stretch_unit(const crn_run_texts *units, int i)
{
    return i < units->count && !strcmp(units->first + (size_t)i * units->stride, "rad") ? "rad" : "m";
}

/* List one series per spring, joint or force: springs/work/NAME. */
static cairn_status index_named(cairn_run *run, const crn_run_named *named)
{
    char path[80];
    crn_run_texts names, units = {0};
    snprintf(path, sizeof path, "/%s/names", named->group);
    if (H5Lexists(run->file, named->group, H5P_DEFAULT) <= 0)
        return CAIRN_OK;
    if (!crn_run_get_names(run->file, path, &run->memory, &names) || names.count == 0)
        return crn_run_missing(run, path);
    snprintf(path, sizeof path, "/%s/%s", named->group, named->quantity);
    CRN_TRY(crn_run_count_rows(run, path, 1, (hsize_t)names.count, 0, NULL));
    bool stretch = !strcmp(named->quantity, "stretch");
    if (stretch)
        CRN_TRY(read_units(run, names.count, &units));
    size_t size = names.stride + sizeof path;
    char *name = NULL;
    if (crn_reserve_all(&run->memory, CRN_ARRAY(name, size)))
        return crn_run_reader_full(run);
    for (int i = 0; i < names.count; ++i)
    {
        snprintf(name, size, "%s/%s", path + 1, names.first + (size_t)i * names.stride);
        CRN_TRY(crn_run_add_series(run, name, path, stretch ? stretch_unit(&units, i) : named->unit, i));
    }
    return CAIRN_OK;
}

static cairn_status index_joint_impulses(cairn_run *run)
{
    int joints = 0;
    for (size_t i = 0; i < run->series_count; ++i)
        joints += !strcmp(run->series[i].path, "/joints/work");
    return joints > 0 && !(run->left_out & CAIRN_RECORD_JOINTS)
               ? crn_run_count_rows(run, "/joints/impulse", 2, (hsize_t)joints, 6, NULL)
               : CAIRN_OK;
}

/* A number per body that does not change; NULL where the file lacks it, or it is not one. */
static double *read_of_bodies(cairn_run *run, const char *path)
{
    hsize_t extents[3] = {0}, count = (hsize_t)run->body_names.count;
    double *numbers = NULL;
    if (H5Lexists(run->file, path, H5P_DEFAULT) <= 0)
        return NULL;
    hid_t dataset = H5Dopen2(run->file, path, H5P_DEFAULT);
    bool good = dataset >= 0 && crn_run_extents(dataset, extents) == 1 && extents[0] == count &&
                !crn_reserve_all(&run->memory, CRN_ARRAY(numbers, count)) &&
                crn_run_read_rows(dataset, H5T_NATIVE_DOUBLE, 0, count, -1, numbers);
    if (dataset >= 0)
        H5Dclose(dataset);
    return good ? numbers : NULL;
}

static cairn_status index_bodies(cairn_run *run)
{
    if (run->body_names.count == 0)
        return CAIRN_OK;
    run->body_mass = read_of_bodies(run, "bodies/mass");
    run->body_radius = read_of_bodies(run, "bodies/radius");
    run->body_fields = crn_run_body_fields_of(run->left_out);
    for (int i = 0; i < run->body_fields; ++i)
    {
        const crn_run_field *field = &crn_run_body_fields[i];
        char path[80];
        snprintf(path, sizeof path, "/%s", field->path);
        CRN_TRY(crn_run_count_rows(run, path, field->width > 0 ? 2 : 1, (hsize_t)run->body_names.count,
                                   (hsize_t)field->width, &run->body_sets[i]));
    }
    return CAIRN_OK;
}

/* Open the contact datasets; *rows is the number of rows that all of them have. */
static cairn_status index_contacts(cairn_run *run, int64_t *rows)
{
    int64_t frames = run->frames;
    cairn_status status = CAIRN_OK;
    run->frames = -1;
    bool compliant = H5Lexists(run->file, crn_run_contact_fields[CRN_RUN_RIGID_FIELDS].path, H5P_DEFAULT) > 0;
    run->contact_fields = compliant ? CRN_RUN_CONTACT_FIELDS : CRN_RUN_RIGID_FIELDS;
    for (int i = 0; i < run->contact_fields && !status; ++i)
    {
        const crn_run_field *field = &crn_run_contact_fields[i];
        char path[80];
        snprintf(path, sizeof path, "/%s", field->path);
        bool pair = field->width == 6;
        int rank = pair ? 2 : field->width > 0;
        status = crn_run_count_rows(run, path, rank, (hsize_t)(pair ? 2 : field->width), 3, &run->contact_sets[i]);
    }
    *rows = run->frames;
    run->frames = frames;
    return status ? status : crn_run_count_rows(run, "/contacts/start", 0, 0, 0, &run->contact_start);
}

cairn_status crn_run_check_last(cairn_run *run, hid_t start_set, hid_t count_set, int64_t rows, const char *path)
{
    assert(rows >= 0);
    while (run->frames > 0)
    {
        int64_t start;
        int64_t count;
        hsize_t last = (hsize_t)(run->frames - 1);
        if (!crn_run_read(run, start_set, H5T_NATIVE_INT64, last, 1, -1, &start) ||
            !crn_run_read(run, count_set, H5T_NATIVE_INT64, last, 1, -1, &count))
            return crn_run_missing(run, path);
        if (start >= 0 && count >= 0 && start <= rows && count <= rows - start)
            break;
        --run->frames;
    }
    return CAIRN_OK;
}

cairn_status crn_run_read_index(cairn_run *run)
{
    int64_t rows = 0;
    run->frames = -1;
    CRN_TRY(index_reports(run));
    CRN_TRY(index_bodies(run));
    for (int i = 0; i < CRN_RUN_NAMED; ++i)
        CRN_TRY(index_named(run, &crn_run_named_table[i]));
    CRN_TRY(index_joint_impulses(run));
    CRN_TRY(crn_run_index_joints(run));
    if (!(run->left_out & CAIRN_RECORD_CONTACTS))
    {
        CRN_TRY(index_contacts(run, &rows));
        CRN_TRY(crn_run_check_last(run, run->contact_start, run->contact_count, rows, "/contacts/start"));
    }
    for (int i = 0; i < CRN_RUN_LISTS; ++i)
        CRN_TRY(crn_run_index_list(run, i));
    CRN_TRY(crn_run_index_sensors(run));
    assert(run->frames >= 0);
    return CAIRN_OK;
}
