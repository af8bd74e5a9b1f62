/* Loading a one-step problem.
 *
 * The file is read whole before HDF5 opens it, so that a file that shrinks meanwhile does no harm. Nothing in it is trusted:
 * every length is checked against the arrays before it (problem_file.h), starts must not decrease from 0 on, no dataset may
 * claim more bytes than the file has, and finally cairn_problem_is_valid checks the whole problem.
 */
#include "base/context.h"
#include "base/file.h"
#include "base/hdf5_image.h"
#include "problem/fclib_file.h"
#include "problem/problem_file.h"
#include "solve/auto/laws.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static cairn_status get_text(const crn_problem_source *from, const char *name, char *text, size_t size)
{
    hid_t attribute = H5Aopen(from->file, name, H5P_DEFAULT);
    hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    bool fits = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                H5Tget_size(type) < size && H5Sget_simple_extent_npoints(space) == 1;
    memset(text, 0, size);
    bool done = fits && H5Aread(attribute, type, text) >= 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return done ? CAIRN_OK
                : crn_fail(from->context, CAIRN_INVALID, "'%s': attribute '%s' is not a text of fixed length below %zu",
                           from->path, name, size);
}

static cairn_status get_integer(const crn_problem_source *from, const char *name, int *value)
{
    hid_t attribute = H5Aopen(from->file, name, H5P_DEFAULT);
    hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    bool done = type >= 0 && H5Tequal(type, H5T_STD_I32LE) > 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Aread(attribute, H5T_NATIVE_INT, value) >= 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return done ? CAIRN_OK
                : crn_fail(from->context, CAIRN_INVALID, "'%s': attribute '%s' is not one 32-bit integer", from->path,
                           name);
}

static cairn_status get_law(const crn_problem_source *from, cairn_law *law)
{
    char text[32];
    cairn_status status = get_text(from, "law", text, sizeof text);
    for (int i = 0; !status && crn_law_word(i); ++i)
    {
        if (strcmp(text, crn_law_class_of((cairn_law_kind)i)->name) == 0)
        {
            law->kind = (cairn_law_kind)i;
            return get_integer(from, "directions", &law->directions);
        }
    }
    return status ? status : crn_fail(from->context, CAIRN_INVALID, "'%s': unknown law '%s'", from->path, text);
}

static cairn_status get_head(const crn_problem_source *from, cairn_problem *problem)
{
    char format[32];
    int version = 0;
    cairn_status status = get_text(from, "format", format, sizeof format);
    if (!status && strcmp(format, CRN_PROBLEM_FORMAT) != 0)
    {
        return crn_fail(from->context, CAIRN_INVALID, "'%s': format '%s' where '%s' is expected", from->path, format,
                        CRN_PROBLEM_FORMAT);
    }
    status = status ? status : get_integer(from, "version", &version);
    if (!status && (version < 1 || version > CRN_PROBLEM_VERSION))
    {
        return crn_fail(from->context, CAIRN_INVALID, "'%s': version %d, this library reads versions 1 to %d",
                        from->path, version, CRN_PROBLEM_VERSION);
    }
    status = status ? status : get_integer(from, "dim", &problem->dim);
    if (!status && problem->dim != 2 && problem->dim != 3)
    {
        return crn_fail(from->context, CAIRN_INVALID, "'%s': dim is %d where 2 or 3 is expected", from->path,
                        problem->dim);
    }
    return status ? status : get_law(from, &problem->law);
}

/* Get the length of a dataset. False when it has another type, is compressed or external, or is larger than the file. */
static bool set_length(const crn_problem_source *from, hid_t set, crn_element type, size_t *length)
{
    hid_t found = H5Dget_type(set);
    hid_t space = H5Dget_space(set);
    hid_t plist = H5Dget_create_plist(set);
    hsize_t extent = 0;
    bool plain = H5Tequal(found, crn_file_type(type)) > 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                 H5Sget_simple_extent_dims(space, &extent, NULL) == 1 && H5Pget_layout(plist) != H5D_CHUNKED &&
                 H5Pget_layout(plist) != H5D_VIRTUAL && H5Pget_external_count(plist) == 0;
    H5Pclose(plist);
    H5Sclose(space);
    H5Tclose(found);
    *length = (size_t)extent;
    return plain && extent < INT_MAX && extent <= from->size / crn_element_size(type);
}

/* True when the path leads to an object of this file: no symbolic link, no link to another file. */
static bool is_own(const crn_problem_source *from, const char *path)
{
    const char group[2] = {path[0], '\0'}; /* names of groups have one letter */
    H5L_info_t link;
    if (strchr(path, '/') && (H5Lget_info(from->file, group, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD))
        return false;
    return H5Lget_info(from->file, path, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

cairn_status crn_get_array(const crn_problem_source *from, const crn_problem_array *array, void *into, size_t *length)
{
    hid_t set = is_own(from, array->path) ? H5Dopen2(from->file, array->path, H5P_DEFAULT) : -1;
    if (set < 0 || !set_length(from, set, array->type, length))
    {
        H5Dclose(set);
        return crn_fail(from->context, CAIRN_INVALID, "'%s': '%s' is missing, or not a plain list of its type",
                        from->path, array->path);
    }
    /* One more than needed, so that no pointer is NULL and R_start has room for its end, like the other starts. */
    void *data = calloc(*length + 1, crn_element_size(array->type));
    memcpy((char *)into + array->offset, &data, sizeof data);
    bool done =
        data && (*length == 0 || H5Dread(set, crn_memory_type(array->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    if (!data)
        return crn_fail(from->context, CAIRN_NO_MEMORY, "memory ran out while reading '%s'", from->path);
    return done ? CAIRN_OK
                : crn_fail(from->context, CAIRN_INVALID, "'%s': '%s' cannot be read", from->path, array->path);
}

/* Starts begin with 0 and never decrease; only the patches may leave out the first contacts. */
static bool are_starts(const crn_problem_array *array, const int *starts, size_t length)
{
    bool patches = array == &CRN_PROBLEM_ARRAYS[CRN_R_PATCH_START];
    if (length < 1 || starts[0] < 0 || (starts[0] > 0 && !patches))
        return false;
    for (size_t i = 1; i < length; ++i)
        if (starts[i] < starts[i - 1])
            return false;
    return true;
}

static cairn_status check_array(const crn_problem_source *from, const crn_problem_array *array,
                                const cairn_problem *problem, const size_t *length, size_t own)
{
    if (array->of >= CRN_FIRST_OPTIONAL && !crn_array_data(problem, &CRN_PROBLEM_ARRAYS[array->of]))
    {
        return crn_fail(from->context, CAIRN_INVALID, "'%s': '%s' is given without '%s'", from->path, array->path,
                        CRN_PROBLEM_ARRAYS[array->of].path);
    }
    if (array->starts && !are_starts(array, crn_array_data(problem, array), own))
    {
        return crn_fail(from->context, CAIRN_INVALID, "'%s': '%s' must begin with 0 and never decrease", from->path,
                        array->path);
    }
    if (array->length != CRN_FREE && own != crn_ruled_length(problem, length, array))
    {
        return crn_fail(from->context, CAIRN_INVALID, "'%s': '%s' has %zu entries where '%s' asks for %zu", from->path,
                        array->path, own, CRN_PROBLEM_ARRAYS[array->of].path, crn_ruled_length(problem, length, array));
    }
    return CAIRN_OK;
}

static void set_counts(cairn_problem *problem, const size_t *length)
{
    assert(length[CRN_BLOCK_START] >= 1);
    assert(length[CRN_G_ROW_START] >= 1);
    assert(length[CRN_H_FRICTION] + 1 == length[CRN_H_ROW_START]);
    problem->block_count = (int)length[CRN_BLOCK_START] - 1;
    problem->n = (int)length[CRN_P];
    problem->A.block_count = problem->block_count;
    problem->A.block_start = problem->block_start;
    problem->G.item_count = (int)length[CRN_G_ROW_START] - 1;
    problem->joint_rows = (int)length[CRN_G_BIAS];
    problem->H.item_count = (int)length[CRN_H_FRICTION];
    problem->contact_count = (int)length[CRN_H_FRICTION];
    problem->patch_count = (int)length[CRN_R_START];
    problem->W.block_count = problem->W.row_start ? problem->contact_count : 0;
    problem->W.block_start = problem->H.row_start;
}

/* Check what the rules of lengths do not cover, before any value is used. */
static cairn_status check_sizes(const crn_problem_source *from, cairn_problem *problem, const size_t *length)
{
    assert(problem->dim == 2 || problem->dim == 3);
    if (length[CRN_H_BIAS] != (size_t)problem->contact_count * (size_t)problem->dim)
    {
        return crn_fail(from->context, CAIRN_INVALID, "'%s': %zu contact rows for %d contacts of %d rows", from->path,
                        length[CRN_H_BIAS], problem->contact_count, problem->dim);
    }
    if (problem->patch_start[problem->patch_count] > problem->contact_count)
    {
        return crn_fail(from->context, CAIRN_INVALID, "'%s': 'R/patch_start' goes beyond the %d contacts", from->path,
                        problem->contact_count);
    }
    for (int k = 0; k < problem->patch_count; ++k)
        if (problem->R_start[k] < 0 || crn_patch_end(problem, k) > length[CRN_R_VALUE])
            return crn_fail(from->context, CAIRN_INVALID, "'%s': patch %d lies outside 'R/value'", from->path, k);
    problem->R_start[problem->patch_count] = (int)length[CRN_R_VALUE];
    return CAIRN_OK;
}

static cairn_status get_problem(const crn_problem_source *from, cairn_problem *problem)
{
    size_t length[CRN_ARRAY_COUNT] = {0};
    cairn_status status = get_head(from, problem);
    for (int i = 0; !status && i < CRN_ARRAY_COUNT; ++i)
    {
        if (i >= CRN_FIRST_OPTIONAL && H5Lexists(from->file, CRN_PROBLEM_ARRAYS[i].path, H5P_DEFAULT) <= 0)
            continue;
        status = crn_get_array(from, &CRN_PROBLEM_ARRAYS[i], problem, &length[i]);
        status = status ? status : check_array(from, &CRN_PROBLEM_ARRAYS[i], problem, length, length[i]);
    }
    if (status)
        return status;
    set_counts(problem, length);
    status = check_sizes(from, problem, length);
    return status ? status : crn_bounds_load(from, problem);
}

/* HDF5's printing must be off. */
static cairn_status load_image(cairn_context *context, const char *path, char *bytes, size_t size,
                               cairn_problem *problem)
{
    if (crn_image_is_damaged((const unsigned char *)bytes, size))
        return crn_fail(context, CAIRN_INVALID, "'%s' is damaged: its checksum does not match", path);
    crn_problem_source from = {context, path, size ? crn_image_open(bytes, size) : -1, size};
    if (from.file < 0)
        return crn_fail(context, CAIRN_INVALID, "'%s' is not an HDF5 file, or a damaged one", path);
    cairn_status status =
        crn_fclib_is(from.file) ? crn_fclib_read(context, path, from.file, size, problem) : get_problem(&from, problem);
    H5Fclose(from.file);
    return status;
}

cairn_status cairn_problem_load(cairn_context *context, const char *path, cairn_problem **out)
{
    if (!path || !out)
        return crn_fail(context, CAIRN_INVALID, "loading a problem needs a path and a place to put it");
    *out = NULL;
    char *bytes = NULL;
    size_t size = 0;
    cairn_status status = crn_file_read(context, path, CRN_FILE_REGULAR, SIZE_MAX, &bytes, &size);
    if (status)
        return status;
    cairn_problem *problem = calloc(1, sizeof *problem);
    status = problem ? CAIRN_OK : crn_fail(context, CAIRN_NO_MEMORY, "memory ran out while reading '%s'", path);
    if (!status)
    {
        H5E_BEGIN_TRY
        {
            status = load_image(context, path, bytes, size, problem);
        }
        H5E_END_TRY
    }
    free(bytes);
    if (!status && !cairn_problem_is_valid(context, problem))
        status = crn_fail(context, CAIRN_INVALID, "'%s' holds no valid one-step problem", path);
    if (status)
    {
        cairn_problem_destroy(problem);
        return status;
    }
    *out = problem;
    return CAIRN_OK;
}

void cairn_problem_destroy(cairn_problem *problem)
{
    if (!problem)
        return;
    for (int i = 0; i < CRN_ARRAY_COUNT; ++i)
        free((void *)crn_array_data(problem, &CRN_PROBLEM_ARRAYS[i]));
    free(problem->bound);
    free(problem);
}
