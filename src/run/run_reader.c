/* Reading run files: the public functions. */
#include "run/run_reader.h"
#include "run/run_driver.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t BLOCK_BYTES = (size_t)1 << 20; /* body states are read in blocks of frames of about this size */

void cairn_run_close(cairn_run *run)
{
    if (!run)
        return;
    crn_quiet before = crn_quiet_begin();
    crn_run_driver_close(run->file, run->driver);
    crn_quiet_end(before);
    crn_run_store_close(run->store);
    crn_arena_release(&run->memory);
    free(run);
}

cairn_status crn_run_reader_full(const cairn_run *run)
{
    return crn_fail(run->context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", run->path);
}

cairn_status crn_run_unreadable(const cairn_run *run, const char *what)
{
    return crn_fail(run->context, CAIRN_IO, "run file '%s': %s cannot be read", run->path, what);
}

static cairn_run *new_run(cairn_context *context, const char *path)
{
    cairn_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->context = context;
    run->file = run->driver = H5I_INVALID_HID;
    run->path = crn_arena_text(&run->memory, path);
    if (!run->path)
    {
        cairn_run_close(run);
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
    return crn_run_get_names(run->file, "/parameters/names", &run->memory, &run->parameter_names) &&
           crn_run_get_names(run->file, "/parameters/values", &run->memory, &run->parameter_values) &&
           run->parameter_values.count == run->parameter_names.count;
}

/* The names count the bodies: without them every contact would seem to refer to a body that does not exist. */
static bool lacks_body_names(const cairn_run *run)
{
    return H5Lexists(run->file, "/bodies", H5P_DEFAULT) > 0 && run->body_names.count == 0;
}

/* Files that do not say have everything. */
static unsigned read_left_out(const cairn_run *run)
{
    char text[64] = "";
    unsigned groups = 0;
    (void)crn_run_get_text_attribute(run->file, "left_out", text, sizeof text);
    for (int i = 0; i < CRN_RUN_GROUPS; ++i)
        groups |= strstr(text, crn_run_groups[i]) ? 1U << i : 0;
    return groups;
}

static cairn_status read_description(cairn_run *run)
{
    char name[1024] = "";
    run->left_out = read_left_out(run);
    bool good = crn_run_get_int_attribute(run->file, "dimension", &run->dimension) &&
                (run->dimension == 2 || run->dimension == 3) &&
                crn_run_get_text_attribute(run->file, "scene_name", name, sizeof name) &&
                crn_run_get_names(run->file, "/bodies/names", &run->memory, &run->body_names) && read_parameters(run);
    if (good && lacks_body_names(run))
        return crn_run_missing(run, "/bodies/names");
    run->scene_name = crn_arena_text(&run->memory, name);
    run->scene_text = crn_run_get_text(run->file, "/scene", &run->memory);
    run->status = crn_run_get_text(run->file, "/status", &run->memory);
    return good && run->scene_name && run->scene_text && run->status
               ? CAIRN_OK
               : crn_fail(run->context, CAIRN_INVALID, "run file '%s' is damaged: its description cannot be read",
                          run->path);
}

static cairn_status open_parts(cairn_run *run)
{
    CRN_TRY(crn_run_open_file(run));
    CRN_TRY(check_format(run));
    CRN_TRY(read_description(run));
    return crn_run_read_index(run);
}

static cairn_status open_once(cairn_context *context, const char *path, bool cut, cairn_run **out)
{
    cairn_run *run = new_run(context, path);
    if (!run)
        return crn_fail(context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", path);
    run->cut = cut;
    crn_quiet before = crn_quiet_begin();
    cairn_status status = open_parts(run);
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
    CRN_TRY(open_once(context, path, true, &run));
    run->status = crn_arena_text(&run->memory, "cut-short");
    cairn_status status = run->status ? CAIRN_OK : crn_run_reader_full(run);
    if (!status && run->frames == 0)
    {
        status = crn_fail(context, CAIRN_INVALID,
                          "run file '%s' is damaged: it has been cut short before its first frame", path);
    }
    if (status)
        cairn_run_close(run);
    else
        *out = run;
    return status;
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
    return run->body_names.count;
}

static const char *text_at(const crn_run_texts *texts, int index)
{
    return index >= 0 && index < texts->count ? texts->first + (size_t)index * texts->stride : "";
}

const char *cairn_run_body_name(const cairn_run *run, int body)
{
    return text_at(&run->body_names, body);
}

double cairn_run_body_mass(const cairn_run *run, int body)
{
    return run->body_mass && body >= 0 && body < run->body_names.count ? run->body_mass[body] : NAN;
}

double cairn_run_body_radius(const cairn_run *run, int body)
{
    return run->body_radius && body >= 0 && body < run->body_names.count ? run->body_radius[body] : NAN;
}

bool cairn_run_has(const cairn_run *run, cairn_record group)
{
    return !(run->left_out & (unsigned)group);
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
    return run->parameter_names.count;
}

cairn_parameter cairn_run_parameter(const cairn_run *run, int index)
{
    return (cairn_parameter){text_at(&run->parameter_names, index), text_at(&run->parameter_values, index)};
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

/* One part of the vectors of a column, or their magnitude. */
static bool read_part(cairn_run *run, hid_t dataset, const crn_run_reader_series *series, double *values)
{
    size_t frames = (size_t)run->frames;
    double *all = malloc(3 * frames * sizeof *all);
    bool good = all && crn_run_read_rows(dataset, H5T_NATIVE_DOUBLE, 0, frames, series->column, all);
    for (size_t i = 0; i < frames && good; ++i)
    {
        const double *v = all + 3 * i;
        values[i] = series->part < 3 ? v[series->part] : hypot(hypot(v[0], v[1]), v[2]);
    }
    free(all);
    return good;
}

static bool read_series(cairn_run *run, const crn_run_reader_series *series, double *values)
{
    assert(run->frames > 0);
    assert(series->column >= -1);
    assert(series && values);
    if (series->is_sensor)
        return crn_run_read_sensor_at_frames(run, series->column, values);
    hid_t dataset = H5Dopen2(run->file, series->path, H5P_DEFAULT);
    bool good = dataset >= 0 && (series->part >= 0 ? read_part(run, dataset, series, values)
                                                   : crn_run_read_rows(dataset, H5T_NATIVE_DOUBLE, 0,
                                                                       (hsize_t)run->frames, series->column, values));
    if (dataset >= 0)
        H5Dclose(dataset);
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
    return good ? CAIRN_OK : crn_run_unreadable(run, name);
}

/* Number of frames per block: about BLOCK_BYTES of the widest field. */
static int64_t block_frames(const cairn_run *run)
{
    assert(run->body_names.count > 0);
    size_t frames = BLOCK_BYTES / (4 * sizeof(double) * (size_t)run->body_names.count);
    return frames > 0 ? (int64_t)frames : 1;
}

/* Read the block that holds a frame, unless it is loaded already. */
static cairn_status load_block(cairn_run *run, int64_t frame)
{
    assert(frame >= 0 && frame < run->frames);
    if (frame >= run->block_first && frame < run->block_first + run->block_count)
        return CAIRN_OK;
    int64_t size = block_frames(run);
    int64_t first = frame / size * size;
    int64_t count = run->frames - first < size ? run->frames - first : size;
    run->block_count = 0;
    for (int i = 0; i < run->body_fields; ++i)
    {
        size_t bytes = crn_run_field_size(&crn_run_body_fields[i]) * (size_t)run->body_names.count;
        size_t numbers = bytes / sizeof(double) * (size_t)count;
        if (crn_reserve_all(&run->memory, CRN_ARRAY(run->block[i], numbers)))
            return crn_run_reader_full(run);
        if (!crn_run_read(run, run->body_sets[i], H5T_NATIVE_DOUBLE, (hsize_t)first, (hsize_t)count, -1, run->block[i]))
            return crn_run_unreadable(run, crn_run_body_fields[i].path);
    }
    assert(frame >= first && frame < first + count);
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
    if (!run || (!states && run->body_names.count > 0))
    {
        return crn_fail(run ? run->context : NULL, CAIRN_INVALID,
                        "run file: the run or the place for the states is NULL");
    }
    cairn_status status = check_frame(run, frame);
    if (status || run->body_names.count == 0)
        return status;
    crn_quiet before = crn_quiet_begin();
    status = load_block(run, frame);
    crn_quiet_end(before);
    for (int i = 0; i < run->body_names.count && !status && run->body_fields < CRN_RUN_BODY_FIELDS; ++i)
        for (int k = 0; k < 3; ++k)
            states[i].velocity[k] = states[i].angular_velocity[k] = NAN;
    for (int k = 0; k < run->body_fields && !status; ++k)
    {
        const crn_run_field *field = &crn_run_body_fields[k];
        size_t size = crn_run_field_size(field);
        size_t row = size / sizeof(double) * (size_t)run->body_names.count;
        const double *source = run->block[k] + (size_t)(frame - run->block_first) * row;
        for (int i = 0; i < run->body_names.count; ++i)
            memcpy((char *)&states[i] + field->offset, source + (size_t)i * (size / sizeof(double)), size);
    }
    return status;
}

bool crn_run_read_items(cairn_run *run, const crn_run_field *field, hid_t dataset, int kinds, int64_t start,
                        size_t count, size_t item_size, void *items)
{
    assert(start >= 0);
    assert(field->offset + crn_run_field_size(field) <= item_size);
    if (!crn_run_read(run, dataset, crn_run_memory_type(field->type), (hsize_t)start, (hsize_t)count, -1, run->values))
        return false;
    bool good = true;
    for (size_t i = 0; i < count && good; ++i)
    {
        good = crn_run_field_load(field, run->body_names.count, kinds,
                                  (const char *)run->values + i * crn_run_field_size(field),
                                  (char *)items + i * item_size);
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
        return crn_run_unreadable(run, "a frame's list of contacts");
    if (crn_reserve_all(&run->memory, CRN_ARRAY(run->contacts, found), CRN_ARRAY(run->values, 6 * found)))
        return crn_run_reader_full(run);
    for (int64_t i = 0; i < found; ++i)
        run->contacts[i] = (cairn_contact){.patch = -1, .element = -1};
    for (int k = 0; k < run->contact_fields && found > 0; ++k)
        if (!crn_run_read_items(run, &crn_run_contact_fields[k], run->contact_sets[k], 0, start, (size_t)found,
                                sizeof(cairn_contact), run->contacts))
            return crn_run_unreadable(run, crn_run_contact_fields[k].path);
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
    if (status || run->contact_fields == 0)
        return status;
    crn_quiet before = crn_quiet_begin();
    status = read_contacts(run, frame, count);
    crn_quiet_end(before);
    *contacts = *count > 0 ? run->contacts : NULL;
    return status;
}
