/* Reading run files: the public face. */
#include "run/run_reader.h"
#include "base/memory.h"
#include "run/run_driver.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const size_t BLOCK_BYTES = (size_t)1 << 20; /* body states are read in blocks of frames of about this size */

static void close_dataset(hid_t dataset)
{
    if (dataset >= 0)
        H5Dclose(dataset);
}

void cairn_run_close(cairn_run *run)
{
    if (!run)
        return;
    crn_quiet before = crn_quiet_begin();
    for (int i = 0; i < CRN_RUN_BODY_FIELDS; ++i)
    {
        close_dataset(run->body_sets[i]);
        free(run->block[i]);
    }
    for (int i = 0; i < CRN_RUN_CONTACT_FIELDS; ++i)
        close_dataset(run->contact_sets[i]);
    for (int i = 0; i < CRN_RUN_EVENT_FIELDS; ++i)
        close_dataset(run->event_sets[i]);
    for (int i = 0; i < CRN_RUN_VIOLATION_FIELDS; ++i)
        close_dataset(run->violation_sets[i]);
    close_dataset(run->violation_start);
    close_dataset(run->violation_count);
    close_dataset(run->event_start);
    close_dataset(run->event_count);
    close_dataset(run->contact_start);
    close_dataset(run->contact_count);
    crn_run_driver_close(run->file, run->driver);
    crn_quiet_end(before);
    crn_run_store_close(run->store);
    for (size_t i = 0; i < run->series_count; ++i)
    {
        free(run->series[i].name);
        free(run->series[i].path);
    }
    free(run->series);
    free(run->contacts);
    free(run->event_list);
    free(run->violation_list);
    free(run->parameter_names);
    free(run->parameter_values);
    free(run->values);
    free(run->status);
    free(run->scene_text);
    free(run->scene_name);
    free(run->body_names);
    free(run->path);
    free(run);
}

static cairn_run *new_run(cairn_context *context, const char *path)
{
    cairn_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->context = context;
    run->file = run->driver = run->contact_start = run->contact_count = H5I_INVALID_HID;
    run->event_start = run->event_count = run->violation_start = run->violation_count = H5I_INVALID_HID;
    for (int i = 0; i < CRN_RUN_VIOLATION_FIELDS; ++i)
        run->violation_sets[i] = H5I_INVALID_HID;
    for (int i = 0; i < CRN_RUN_EVENT_FIELDS; ++i)
        run->event_sets[i] = H5I_INVALID_HID;
    for (int i = 0; i < CRN_RUN_BODY_FIELDS; ++i)
        run->body_sets[i] = H5I_INVALID_HID;
    for (int i = 0; i < CRN_RUN_CONTACT_FIELDS; ++i)
        run->contact_sets[i] = H5I_INVALID_HID;
    run->path = crn_copy_text(path);
    if (!run->path)
    {
        free(run);
        return NULL;
    }
    return run;
}

static cairn_status check_format(cairn_run *run)
{
    char format[32] = "";
    int version = 0;
    if (!crn_run_get_text_attribute(run->file, "format", format, sizeof format) ||
        strcmp(format, CRN_RUN_FORMAT) != 0 || !crn_run_get_int_attribute(run->file, "format_version", &version) ||
        version < 1)
    {
        return crn_fail(run->context, CAIRN_INVALID, "'%s' is not a run file: it is HDF5, but not of format '%s'",
                        run->path, CRN_RUN_FORMAT);
    }
    if (version > CRN_RUN_FORMAT_VERSION)
    {
        return crn_fail(run->context, CAIRN_INVALID,
                        "run file '%s' has format version %d; this Cairn (%s) reads versions up to %d", run->path,
                        version, cairn_version(), CRN_RUN_FORMAT_VERSION);
    }
    run->format_version = version;
    return CAIRN_OK;
}

static bool read_parameters(cairn_run *run)
{
    int values;
    return crn_run_get_names(run->file, "/parameters/names", &run->parameter_names, &run->name_stride,
                             &run->parameter_count) &&
           crn_run_get_names(run->file, "/parameters/values", &run->parameter_values, &run->value_stride, &values) &&
           values == run->parameter_count;
}

/* Without their names the bodies could not be counted, and every contact would seem to be of bodies that are not there. */
static bool lacks_body_names(const cairn_run *run)
{
    return H5Lexists(run->file, "/bodies", H5P_DEFAULT) > 0 && run->body_count == 0;
}

static cairn_status read_description(cairn_run *run)
{
    char name[1024] = "";
    bool good = crn_run_get_int_attribute(run->file, "dimension", &run->dimension) &&
                (run->dimension == 2 || run->dimension == 3) &&
                crn_run_get_text_attribute(run->file, "scene_name", name, sizeof name) &&
                crn_run_get_names(run->file, "/bodies/names", &run->body_names, &run->body_stride, &run->body_count) &&
                read_parameters(run);
    if (good && lacks_body_names(run))
        return crn_run_missing(run, "/bodies/names");
    run->scene_name = crn_copy_text(name);
    run->scene_text = crn_run_get_text(run->file, "/scene");
    run->status = crn_run_get_text(run->file, "/status");
    return good && run->scene_name && run->scene_text && run->status
               ? CAIRN_OK
               : crn_fail(run->context, CAIRN_INVALID, "run file '%s' is damaged: its description cannot be read",
                          run->path);
}

static cairn_status open_once(cairn_context *context, const char *path, bool cut, cairn_run **out)
{
    cairn_run *run = new_run(context, path);
    if (!run)
        return crn_fail(context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", path);
    run->cut = cut;
    crn_quiet before = crn_quiet_begin();
    cairn_status status = crn_run_open_file(run);
    status = status ? status : check_format(run);
    status = status ? status : read_description(run);
    status = status ? status : crn_run_read_index(run);
    crn_quiet_end(before);
    if (status)
    {
        cairn_run_close(run);
        return status;
    }
    *out = run;
    return CAIRN_OK;
}

cairn_status cairn_run_open(cairn_context *context, const char *path, cairn_run **out)
{
    if (!path || !out)
        return crn_fail(context, CAIRN_INVALID, "run file: the path or the place for the run is NULL");
    *out = NULL;
    cairn_status status = CAIRN_INVALID;
    for (int i = 0; status && crn_run_wait_for_writer(i); ++i)
        status = open_once(NULL, path, false, out);
    if (status)
        return open_once(context, path, false, out);
    (*out)->context = context;
    return CAIRN_OK;
}

cairn_status cairn_run_open_cut(cairn_context *context, const char *path, cairn_run **out)
{
    if (!path || !out)
        return crn_fail(context, CAIRN_INVALID, "run file: the path or the place for the run is NULL");
    *out = NULL;
    cairn_run *run;
    cairn_status status = open_once(context, path, true, &run);
    if (status)
        return status;
    free(run->status);
    run->status = crn_copy_text("cut-short");
    if (!run->status || run->frames == 0)
    {
        status = run->status ? CAIRN_INVALID : CAIRN_NO_MEMORY;
        crn_fail(context, status, "run file '%s' is damaged: it has been cut short before its first frame", path);
        cairn_run_close(run);
        return status;
    }
    *out = run;
    return CAIRN_OK;
}

int cairn_run_dimension(const cairn_run *run)
{
    return run->dimension;
}

int64_t cairn_run_frame_count(const cairn_run *run)
{
    return run->frames;
}

int cairn_run_body_count(const cairn_run *run)
{
    return run->body_count;
}

const char *cairn_run_body_name(const cairn_run *run, int body)
{
    return body >= 0 && body < run->body_count ? run->body_names + (size_t)body * run->body_stride : "";
}

const char *cairn_run_status(const cairn_run *run)
{
    return run->status;
}

const char *cairn_run_scene_text(const cairn_run *run)
{
    return run->scene_text;
}

const char *cairn_run_scene_name(const cairn_run *run)
{
    return run->scene_name;
}

int cairn_run_parameter_count(const cairn_run *run)
{
    return run->parameter_count;
}

cairn_parameter cairn_run_parameter(const cairn_run *run, int index)
{
    if (index < 0 || index >= run->parameter_count)
        return (cairn_parameter){"", ""};
    return (cairn_parameter){run->parameter_names + (size_t)index * run->name_stride,
                             run->parameter_values + (size_t)index * run->value_stride};
}

int cairn_run_series_count(const cairn_run *run)
{
    return (int)run->series_count;
}

const char *cairn_run_series_name(const cairn_run *run, int index)
{
    return index >= 0 && (size_t)index < run->series_count ? run->series[index].name : "";
}

const char *cairn_run_series_unit(const cairn_run *run, int index)
{
    return index >= 0 && (size_t)index < run->series_count ? run->series[index].unit : "";
}

static cairn_status unreadable(const cairn_run *run, const char *what)
{
    return crn_fail(run->context, CAIRN_IO, "run file '%s': %s cannot be read", run->path, what);
}

static bool read_series(cairn_run *run, const crn_run_reader_series *series, double *values)
{
    assert(series && values);
    hid_t dataset = H5Dopen2(run->file, series->path, H5P_DEFAULT);
    bool good =
        dataset >= 0 && crn_run_read_rows(dataset, H5T_NATIVE_DOUBLE, 0, (hsize_t)run->frames, series->column, values);
    close_dataset(dataset);
    return good;
}

cairn_status cairn_run_read_series(cairn_run *run, const char *name, double *values)
{
    if (!run || !name || !values)
    {
        return crn_fail(run ? run->context : NULL, CAIRN_INVALID,
                        "run file: the run, the name or the place for the values is NULL");
    }
    size_t index = 0;
    while (index < run->series_count && strcmp(run->series[index].name, name) != 0)
        ++index;
    if (index == run->series_count)
        return crn_fail(run->context, CAIRN_INVALID, "run file '%s' has no series '%s'", run->path, name);
    if (run->frames == 0)
        return CAIRN_OK;
    crn_quiet before = crn_quiet_begin();
    bool good = read_series(run, &run->series[index], values);
    for (int i = 0; !good && crn_run_try_again(run, i); ++i)
        good = read_series(run, &run->series[index], values);
    crn_quiet_end(before);
    return good ? CAIRN_OK : unreadable(run, name);
}

static size_t field_size(const crn_run_field *field)
{
    return sizeof(double) * (size_t)(field->width > 0 ? field->width : 1);
}

/* Frames of a block: about BLOCK_BYTES of the widest field. */
static int64_t block_frames(const cairn_run *run)
{
    size_t frames = BLOCK_BYTES / (4 * sizeof(double) * (size_t)run->body_count);
    return frames > 0 ? (int64_t)frames : 1;
}

/* Read the block that holds a frame, unless it is there already. */
static cairn_status load_block(cairn_run *run, int64_t frame)
{
    assert(frame >= 0 && frame < run->frames);
    if (frame >= run->block_first && frame < run->block_first + run->block_count)
        return CAIRN_OK;
    int64_t size = block_frames(run);
    int64_t first = frame / size * size;
    int64_t count = run->frames - first < size ? run->frames - first : size;
    run->block_count = 0;
    for (int i = 0; i < CRN_RUN_BODY_FIELDS; ++i)
    {
        size_t bytes = field_size(&crn_run_body_fields[i]) * (size_t)run->body_count;
        size_t numbers = bytes / sizeof(double) * (size_t)count;
        if (crn_reserve(&run->block[i], &run->block_capacity[i], numbers, sizeof(double)))
            return crn_fail(run->context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", run->path);
        if (!crn_run_read(run, run->body_sets[i], H5T_NATIVE_DOUBLE, (hsize_t)first, (hsize_t)count, -1, run->block[i]))
            return unreadable(run, crn_run_body_fields[i].path);
    }
    run->block_first = first;
    run->block_count = count;
    return CAIRN_OK;
}

static cairn_status check_frame(const cairn_run *run, int64_t frame)
{
    return frame >= 0 && frame < run->frames
               ? CAIRN_OK
               : crn_fail(run->context, CAIRN_INVALID, "run file '%s' has no frame %lld; it has %lld", run->path,
                          (long long)frame, (long long)run->frames);
}

cairn_status cairn_run_read_frame(cairn_run *run, int64_t frame, cairn_body_state *states)
{
    if (!run || (!states && run->body_count > 0))
    {
        return crn_fail(run ? run->context : NULL, CAIRN_INVALID,
                        "run file: the run or the place for the states is NULL");
    }
    cairn_status status = check_frame(run, frame);
    if (status || run->body_count == 0)
        return status;
    crn_quiet before = crn_quiet_begin();
    status = load_block(run, frame);
    crn_quiet_end(before);
    for (int k = 0; k < CRN_RUN_BODY_FIELDS && !status; ++k)
    {
        const crn_run_field *field = &crn_run_body_fields[k];
        size_t size = field_size(field);
        size_t row = size / sizeof(double) * (size_t)run->body_count;
        const double *source = run->block[k] + (size_t)(frame - run->block_first) * row;
        for (int i = 0; i < run->body_count; ++i)
            memcpy((char *)&states[i] + field->offset, source + (size_t)i * (size / sizeof(double)), size);
    }
    return status;
}

/* A body by its index in the file; the null body for -1. An index the file does not have makes the contact invalid. */
static bool body_of(const cairn_run *run, int32_t index, cairn_body *body)
{
    bool good = index >= -1 && index < run->body_count;
    body->id = good ? index + 1 : 0;
    return good;
}

/* Read one field of `count` contacts from row `start` on into run->contacts. */
static bool read_contact_field(cairn_run *run, int k, int64_t start, size_t count)
{
    const crn_run_field *field = &crn_run_contact_fields[k];
    size_t size = field->type == CRN_RUN_INT32 ? sizeof(int32_t) : field_size(field);
    assert(count * size <= run->values_capacity * sizeof(double));
    if (!crn_run_read(run, run->contact_sets[k], crn_run_memory_type(field->type), (hsize_t)start, (hsize_t)count, -1,
                      run->values))
        return false;
    bool good = true;
    for (size_t i = 0; i < count; ++i)
    {
        char *target = (char *)&run->contacts[i] + field->offset;
        const char *source = (const char *)run->values + i * size;
        if (field->type != CRN_RUN_INT32)
        {
            memcpy(target, source, size);
            continue;
        }
        int32_t index;
        memcpy(&index, source, sizeof index);
        if (k < CRN_RUN_RIGID_FIELDS)
        {
            good = body_of(run, index, (cairn_body *)(void *)target) && good;
        }
        else
        {
            good = index >= -1 && good;
            memcpy(target, &index, sizeof index);
        }
    }
    return good;
}

static cairn_status read_contacts(cairn_run *run, int64_t frame, int *count)
{
    assert(frame >= 0 && frame < run->frames);
    int64_t start;
    int64_t found;
    hsize_t extents[3] = {0};
    if (!crn_run_read(run, run->contact_start, H5T_NATIVE_INT64, (hsize_t)frame, 1, -1, &start) ||
        !crn_run_read(run, run->contact_count, H5T_NATIVE_INT64, (hsize_t)frame, 1, -1, &found) ||
        crn_run_extents(run->contact_sets[0], extents) != 1 || start < 0 || found < 0 || found > INT32_MAX / 128 ||
        start > (int64_t)extents[0] - found)
        return unreadable(run, "a frame's list of contacts");
    if (crn_reserve(&run->contacts, &run->contacts_capacity, (size_t)found, sizeof *run->contacts) ||
        crn_reserve(&run->values, &run->values_capacity, 6 * (size_t)found, sizeof(double)))
        return crn_fail(run->context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", run->path);
    for (int64_t i = 0; i < found; ++i)
        run->contacts[i] = (cairn_contact){.patch = -1, .element = -1};
    for (int k = 0; k < run->contact_fields && found > 0; ++k)
        if (!read_contact_field(run, k, start, (size_t)found))
            return unreadable(run, crn_run_contact_fields[k].path);
    *count = (int)found;
    return CAIRN_OK;
}

cairn_status cairn_run_read_contacts(cairn_run *run, int64_t frame, const cairn_contact **contacts, int *count)
{
    if (!run || !contacts || !count)
    {
        return crn_fail(run ? run->context : NULL, CAIRN_INVALID,
                        "run file: the run or the place for the contacts is NULL");
    }
    *contacts = NULL;
    *count = 0;
    cairn_status status = check_frame(run, frame);
    if (status)
        return status;
    crn_quiet before = crn_quiet_begin();
    status = read_contacts(run, frame, count);
    crn_quiet_end(before);
    *contacts = *count > 0 ? run->contacts : NULL;
    return status;
}
