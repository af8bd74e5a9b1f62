#include "run/run_hdf5.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Larger texts are refused: no name and no scene is that large. */
static const size_t LARGEST_TEXT = (size_t)1 << 28;
static const size_t LARGEST_COMPACT = 256; /* bytes; smaller texts are stored in the header of their dataset */

crn_quiet crn_quiet_begin(void)
{
    crn_quiet before = {0};
    H5Eget_auto2(H5E_DEFAULT, &before.function, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

void crn_quiet_end(crn_quiet before)
{
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, before.function, before.data);
}

hid_t crn_run_access(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && (H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0 ||
                        H5Pset_file_locking(access, false, true) < 0))
    {
        H5Pclose(access);
        return H5I_INVALID_HID;
    }
    return access;
}

hid_t crn_run_memory_type(crn_run_type type)
{
    switch (type)
    {
    case CRN_RUN_DOUBLE:
        return H5T_NATIVE_DOUBLE;
    case CRN_RUN_INT64:
        return H5T_NATIVE_INT64;
    case CRN_RUN_UINT64:
        return H5T_NATIVE_UINT64;
    default:
        return H5T_NATIVE_INT32;
    }
}

hid_t crn_run_file_type(crn_run_type type, bool single)
{
    switch (type)
    {
    case CRN_RUN_DOUBLE:
        return single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    case CRN_RUN_INT64:
        return H5T_STD_I64LE;
    case CRN_RUN_UINT64:
        return H5T_STD_U64LE;
    default:
        return H5T_STD_I32LE;
    }
}

/* A UTF-8 string type of a fixed size, ended by 0. */
static hid_t text_type(size_t size)
{
    assert(size > 0);
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, size) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0))
    {
        H5Tclose(type);
        return H5I_INVALID_HID;
    }
    return type;
}

static bool put_attribute(hid_t object, const char *name, hid_t file_type, hid_t memory_type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, memory_type, value) >= 0;
    if (attribute >= 0)
        good = H5Aclose(attribute) >= 0 && good;
    H5Sclose(space);
    return good;
}

bool crn_run_put_text_attribute(hid_t object, const char *name, const char *text)
{
    hid_t type = text_type(strlen(text) + 1);
    bool good = type >= 0 && put_attribute(object, name, type, type, text);
    H5Tclose(type);
    return good;
}

bool crn_run_put_number_attribute(hid_t object, const char *name, double number)
{
    return put_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &number);
}

bool crn_run_put_int_attribute(hid_t object, const char *name, int number)
{
    return put_attribute(object, name, H5T_STD_I32LE, H5T_NATIVE_INT, &number);
}

/* Create a dataset of fixed-size strings and write it, unless there is no data; the space may be scalar. Small ones are stored in the dataset's header:
 * the status word has to be metadata, because only metadata is changed in a transaction. */
static bool put_strings(hid_t file, const char *path, hid_t space, size_t size, const char *data,
                        const char *description)
{
    hid_t type = text_type(size);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (data && size * (size_t)H5Sget_simple_extent_npoints(space) <= LARGEST_COMPACT)
        H5Pset_layout(creation, H5D_COMPACT);
    hid_t dataset = H5Dcreate2(file, path, type, space, links, creation, H5P_DEFAULT);
    bool good = dataset >= 0 && (!data || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0) &&
                crn_run_put_text_attribute(dataset, "unit", "text") &&
                crn_run_put_text_attribute(dataset, "description", description);
    if (dataset >= 0)
        good = H5Dclose(dataset) >= 0 && good;
    H5Pclose(creation);
    H5Pclose(links);
    H5Tclose(type);
    return good;
}

bool crn_run_put_text(hid_t file, const char *path, const char *text, size_t size, const char *description)
{
    size_t length = strlen(text) + 1;
    size = size > length ? size : length;
    char *padded = calloc(size, 1);
    if (!padded)
        return false;
    memcpy(padded, text, length);
    hid_t space = H5Screate(H5S_SCALAR);
    bool good = put_strings(file, path, space, size, padded, description);
    H5Sclose(space);
    free(padded);
    return good;
}

bool crn_run_put_names(hid_t file, const char *path, const char *const *names, int count, const char *description)
{
    assert(count > 0);
    size_t size = 1;
    for (int i = 0; i < count; ++i)
    {
        size_t length = strlen(names[i]) + 1;
        size = length > size ? length : size;
    }
    char *table = calloc((size_t)count, size);
    if (!table)
        return false;
    for (int i = 0; i < count; ++i)
        memcpy(table + (size_t)i * size, names[i], strlen(names[i]));
    bool good = crn_run_put_table(file, path, table, size, count, description);
    free(table);
    return good;
}

bool crn_run_put_table(hid_t file, const char *path, const char *table, size_t size, int count, const char *description)
{
    hid_t space = H5Screate_simple(1, (hsize_t[]){(hsize_t)count}, NULL);
    bool good = put_strings(file, path, space, size, table, description);
    H5Sclose(space);
    return good;
}

bool crn_run_put_numbers(hid_t file, const char *path, const double *numbers, int count, const char *unit,
                         const char *description)
{
    assert(count > 0);
    hid_t space = H5Screate_simple(1, (hsize_t[]){(hsize_t)count}, NULL);
    hid_t dataset = H5Dcreate2(file, path, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = dataset >= 0 &&
                (!numbers || H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0) &&
                crn_run_put_text_attribute(dataset, "unit", unit) &&
                crn_run_put_text_attribute(dataset, "description", description);
    if (dataset >= 0)
        good = H5Dclose(dataset) >= 0 && good;
    H5Sclose(space);
    return good;
}

bool crn_run_replace_text(hid_t file, const char *path, const char *text)
{
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    if (dataset < 0)
        return false;
    hid_t type = H5Dget_type(dataset);
    size_t size = H5Tget_size(type);
    char *padded = size ? calloc(size, 1) : NULL;
    bool good = false;
    if (padded)
    {
        size_t length = strlen(text);
        memcpy(padded, text, length < size ? length : size - 1);
        good = H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded) >= 0;
    }
    free(padded);
    H5Tclose(type);
    return H5Dclose(dataset) >= 0 && good;
}

/* Read a dataset of fixed-size strings, each with a 0 behind it. */
static bool read_strings(hid_t dataset, crn_arena *memory, crn_run_texts *out)
{
    hid_t type = H5Dget_type(dataset);
    hid_t space = H5Dget_space(dataset);
    size_t size = H5Tget_size(type);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    bool fits = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && size > 0 && size < LARGEST_TEXT &&
                points >= 0 && (size_t)points < LARGEST_TEXT / (size + 1);
    char *first = NULL;
    fits = fits && crn_reserve_all(memory, CRN_ARRAY(first, (size_t)points * (size + 1) + 1)) == CAIRN_OK;
    hid_t wider = fits ? text_type(size + 1) : H5I_INVALID_HID;
    bool good = wider >= 0 && H5Tset_cset(wider, H5Tget_cset(type)) >= 0 &&
                H5Dread(dataset, wider, H5S_ALL, H5S_ALL, H5P_DEFAULT, first) >= 0;
    if (wider >= 0)
        H5Tclose(wider);
    H5Sclose(space);
    H5Tclose(type);
    if (good)
        *out = (crn_run_texts){first, size + 1, (int)points};
    return good;
}

char *crn_run_get_text(hid_t file, const char *path, crn_arena *memory)
{
    crn_run_texts text = {0};
    return crn_run_get_names(file, path, memory, &text) && text.count == 1 ? text.first : NULL;
}

bool crn_run_get_names(hid_t file, const char *path, crn_arena *memory, crn_run_texts *names)
{
    *names = (crn_run_texts){0};
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0)
        return true;
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    bool good = dataset >= 0 && read_strings(dataset, memory, names);
    if (dataset >= 0)
        H5Dclose(dataset);
    return good;
}

bool crn_run_get_int_attribute(hid_t object, const char *name, int *number)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return false;
    hid_t space = H5Aget_space(attribute);
    bool good = H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, H5T_NATIVE_INT, number) >= 0;
    H5Sclose(space);
    H5Aclose(attribute);
    return good;
}

bool crn_run_get_text_attribute(hid_t object, const char *name, char *text, size_t size)
{
    assert(size > 0);
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return false;
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    bool good = false;
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && H5Sget_simple_extent_npoints(space) == 1)
    {
        hid_t wanted = text_type(size);
        H5Tset_cset(wanted, H5Tget_cset(type));
        good = wanted >= 0 && H5Aread(attribute, wanted, text) >= 0;
        text[size - 1] = '\0';
        H5Tclose(wanted);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return good;
}

int crn_run_extents(hid_t dataset, hsize_t extents[3])
{
    hid_t space = H5Dget_space(dataset);
    int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 1 || rank > 3 || H5Sget_simple_extent_dims(space, extents, NULL) != rank)
        rank = 0;
    H5Sclose(space);
    return rank;
}

/* Select rows, and one index of the second axis when column >= 0. *memory is the matching space in memory. */
static hid_t select_rows(hid_t dataset, hsize_t start, hsize_t count, int column, hid_t *memory)
{
    assert(column >= -1);
    hsize_t extents[3];
    int rank = crn_run_extents(dataset, extents);
    *memory = H5I_INVALID_HID;
    if (rank == 0)
        return H5I_INVALID_HID;
    hsize_t first[3] = {start, 0, 0};
    hsize_t shape[3] = {count, rank > 1 ? extents[1] : 1, rank > 2 ? extents[2] : 1};
    if (column >= 0 && rank > 1)
    {
        first[1] = (hsize_t)column;
        shape[1] = 1;
    }
    hid_t space = H5Dget_space(dataset);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, shape, NULL) < 0 || H5Sselect_valid(space) <= 0)
    {
        H5Sclose(space);
        return H5I_INVALID_HID;
    }
    *memory = H5Screate_simple(rank, shape, NULL);
    return space;
}

bool crn_run_write_rows(hid_t dataset, hid_t type, hsize_t start, hsize_t count, const void *data)
{
    assert(data || count == 0);
    hid_t memory;
    hid_t space = select_rows(dataset, start, count, -1, &memory);
    if (space < 0)
        return false;
    bool good = memory >= 0 && H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, data) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return good;
}

bool crn_run_write_part(hid_t dataset, hid_t type, hsize_t row, hsize_t first, hsize_t count, const void *data)
{
    hsize_t start[3] = {row, first}, size[3] = {0};
    hid_t space = H5Dget_space(dataset);
    int rank = space >= 0 ? H5Sget_simple_extent_dims(space, size, NULL) : -1;
    size[0] = 1;
    size[1] = count;
    hid_t memory = rank >= 2 ? H5Screate_simple(rank, size, NULL) : -1;
    bool good = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, data) >= 0;
    if (memory >= 0)
        H5Sclose(memory);
    if (space >= 0)
        H5Sclose(space);
    return good;
}

bool crn_run_read_rows(hid_t dataset, hid_t type, hsize_t start, hsize_t count, int column, void *data)
{
    assert(data || count == 0);
    hid_t memory;
    hid_t space = select_rows(dataset, start, count, column, &memory);
    if (space < 0)
        return false;
    bool good = memory >= 0 && H5Dread(dataset, type, memory, space, H5P_DEFAULT, data) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return good;
}
