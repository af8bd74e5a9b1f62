/* Reading FCLIB's layout. The vectors are read first: their lengths determine the sizes of the matrices, so that no number in the
 * file can make us allocate more memory than the file justifies. */
#include "base/memory.h"
#include "problem/fclib_file.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct source
{
    cairn_context *context;
    const char *path;
    hid_t file;
    const char *root; /* "fclib_local" or "fclib_global" */
    size_t size;      /* bytes of the whole file */
} source;

/* A plain list in memory. */
typedef struct list
{
    int length;
    int *index;
    double *real;
} list;

enum
{
    LONGEST_PATH = 64
};

static bool has(hid_t file, const char *name)
{
    H5L_info_t link;
    return H5Lexists(file, name, H5P_DEFAULT) > 0 && H5Lget_info(file, name, &link, H5P_DEFAULT) >= 0 &&
           link.type == H5L_TYPE_HARD;
}

/* True when every part of the path is an object of this file: no symbolic link, no link to another file. */
static bool has_path(const source *from, const char *path)
{
    char part[LONGEST_PATH];
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/'))
    {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (!has(from->file, part))
            return false;
    }
    return has(from->file, path);
}

bool crn_fclib_is(hid_t file)
{
    return has(file, "fclib_local") || has(file, "fclib_global") || has(file, "fclib_global_rolling");
}

/* Number of values of a dataset of that class; -1 when it is compressed, external or larger than the file. */
static int set_length(const source *from, hid_t set, H5T_class_t class)
{
    hid_t type = H5Dget_type(set);
    hid_t space = H5Dget_space(set);
    hid_t plist = H5Dget_create_plist(set);
    hssize_t points = H5Sget_simple_extent_ndims(space) <= 1 ? H5Sget_simple_extent_npoints(space) : -1;
    H5D_layout_t layout = H5Pget_layout(plist);
    bool plain = H5Tget_class(type) == class && H5Tget_size(type) <= 8 &&
                 (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT) && H5Pget_external_count(plist) == 0;
    plain = plain && points >= 0 && points < INT_MAX && (size_t)points <= from->size / H5Tget_size(type);
    H5Pclose(plist);
    H5Sclose(space);
    H5Tclose(type);
    return plain ? (int)points : -1;
}

/* Read the list at root/group/name. */
static cairn_status read_list(const source *from, const char *group, const char *name, bool real, list *out)
{
    char path[LONGEST_PATH];
    snprintf(path, sizeof path, "%s/%s%s%s", from->root, group, group[0] ? "/" : "", name);
    hid_t set = has_path(from, path) ? H5Dopen2(from->file, path, H5P_DEFAULT) : -1;
    int length = set >= 0 ? set_length(from, set, real ? H5T_FLOAT : H5T_INTEGER) : -1;
    void *data = length >= 0 ? calloc((size_t)length + 1, real ? sizeof(double) : sizeof(int)) : NULL;
    hid_t type = real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT;
    bool done = data && (length == 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    *out = (list){.length = length, .index = real ? NULL : data, .real = real ? data : NULL};
    if (length >= 0 && !data)
        return crn_fail(from->context, CAIRN_NO_MEMORY, "memory ran out while reading '%s'", from->path);
    return done ? CAIRN_OK
                : crn_fail(from->context, CAIRN_INVALID, "'%s': '%s' is missing, or not a plain list of %s", from->path,
                           path, real ? "real numbers" : "whole numbers");
}

static cairn_status read_integer(const source *from, const char *group, const char *name, int *value)
{
    list one = {0};
    cairn_status status = read_list(from, group, name, false, &one);
    if (!status && one.length != 1)
    {
        status = crn_fail(from->context, CAIRN_INVALID, "'%s': '%s/%s/%s' has %d numbers instead of one", from->path,
                          from->root, group, name, one.length);
    }
    *value = status ? 0 : one.index[0];
    free(one.index);
    return status;
}

/* A vector of the group `vectors`; length -1: any. */
static cairn_status read_vector(const source *from, const char *name, int length, double **out, int *found)
{
    list values = {0};
    cairn_status status = read_list(from, "vectors", name, true, &values);
    *out = values.real;
    if (!status && length >= 0 && values.length != length)
    {
        status = crn_fail(from->context, CAIRN_INVALID, "'%s': '%s/vectors/%s' has %d numbers instead of %d",
                          from->path, from->root, name, values.length, length);
    }
    if (found)
        *found = values.length;
    return status;
}

/* The arrays of a matrix group, as stored. */
typedef struct stored
{
    int nz, m, n;
    list p, i, x;
} stored;

static void release(stored *matrix)
{
    free(matrix->p.index);
    free(matrix->i.index);
    free(matrix->x.real);
}

static cairn_status read_stored(const source *from, const char *group, stored *matrix)
{
    CRN_TRY(read_integer(from, group, "nz", &matrix->nz));
    CRN_TRY(read_integer(from, group, "m", &matrix->m));
    CRN_TRY(read_integer(from, group, "n", &matrix->n));
    CRN_TRY(read_list(from, group, "p", false, &matrix->p));
    CRN_TRY(read_list(from, group, "i", false, &matrix->i));
    return read_list(from, group, "x", true, &matrix->x);
}

/* Find the line (row or column) of every entry of compressed storage; false when p does not rise within the list of entries. */
static bool spread(const stored *matrix, int lines, int *line_of)
{
    assert(matrix->nz < 0);
    assert(lines < matrix->p.length);
    const int *p = matrix->p.index;
    bool good = p[0] == 0;
    for (int line = 0; line < lines && good; ++line)
    {
        good = p[line] <= p[line + 1] && p[line + 1] <= matrix->i.length;
        for (int e = p[line]; e < p[line + 1] && good; ++e)
            line_of[e] = line;
    }
    return good;
}

static bool in_range(const int *index, int count, int limit)
{
    bool good = true;
    for (int e = 0; e < count && good; ++e)
        good = index[e] >= 0 && index[e] < limit;
    return good;
}

/* Number of entries; -1 when the lists are too short for it. */
static int count_entries(const stored *matrix)
{
    int lines = matrix->nz == -1 ? matrix->n : matrix->m;
    int shorter = matrix->i.length < matrix->x.length ? matrix->i.length : matrix->x.length;
    if (matrix->nz >= 0)
        return matrix->nz <= shorter && matrix->nz <= matrix->p.length ? matrix->nz : -1;
    if (matrix->nz < -2 || matrix->p.length <= lines)
        return -1;
    int last = matrix->p.index[lines];
    return last >= 0 && last <= shorter ? last : -1;
}

/* 0: done, 1: the lists contradict each other, 2: memory ran out */
static int assemble(stored *matrix, crn_sparse *out)
{
    int count = count_entries(matrix);
    int *line_of = calloc((size_t)(matrix->i.length > 0 ? matrix->i.length : 0) + 1, sizeof(int));
    bool columns = matrix->nz == -1;
    bool good = count >= 0;
    if (line_of && good && matrix->nz < 0)
        good = spread(matrix, columns ? matrix->n : matrix->m, line_of);
    const int *row = matrix->nz >= 0 || columns ? matrix->i.index : line_of;
    const int *column = matrix->nz >= 0 ? matrix->p.index : columns ? line_of : matrix->i.index;
    good = good && line_of && in_range(row, count, matrix->m) && in_range(column, count, matrix->n);
    bool made = good && crn_sparse_open(out, matrix->m, matrix->n, count, row, column, matrix->x.real);
    int result = made ? 0 : line_of && !good ? 1 : 2;
    free(line_of);
    return result;
}

/* Read a matrix of m x n; n -1: any number of columns. */
static cairn_status read_matrix(const source *from, const char *group, int m, int n, crn_sparse *out)
{
    stored matrix = {0};
    cairn_status status = read_stored(from, group, &matrix);
    if (!status && (matrix.m != m || matrix.n < 0 || (n >= 0 && matrix.n != n)))
    {
        status = crn_fail(from->context, CAIRN_INVALID, "'%s': '%s/%s' is %d x %d, the vectors ask for %d x %d",
                          from->path, from->root, group, matrix.m, matrix.n, m, n);
    }
    int result = status ? 0 : assemble(&matrix, out);
    if (result)
    {
        status = result == 1
                     ? crn_fail(from->context, CAIRN_INVALID,
                                "'%s': the lists p, i and x of '%s/%s' do not fit its m, n and nz", from->path,
                                from->root, group)
                     : crn_fail(from->context, CAIRN_NO_MEMORY, "memory ran out while reading '%s'", from->path);
    }
    release(&matrix);
    return status;
}

/* Read the transpose of a matrix of m x n. */
static cairn_status read_transposed(const source *from, const char *group, int m, int n, crn_sparse *out)
{
    crn_sparse matrix = {0};
    cairn_status status = read_matrix(from, group, m, n, &matrix);
    if (!status && !crn_sparse_transpose(&matrix, out))
        status = crn_fail(from->context, CAIRN_NO_MEMORY, "memory ran out while reading '%s'", from->path);
    crn_sparse_close(&matrix);
    return status;
}

static bool empty_matrix(crn_sparse *matrix, int m, int n)
{
    return crn_sparse_open(matrix, m, n, 0, NULL, NULL, NULL);
}

static cairn_status read_local(const source *from, crn_fclib_data *data)
{
    char path[LONGEST_PATH];
    int rows = data->dim * data->contacts;
    cairn_status status = read_vector(from, "q", rows, &data->w, NULL);
    status = status ? status : read_matrix(from, "W", rows, rows, &data->W);
    snprintf(path, sizeof path, "%s/V", from->root);
    int columns = 0;
    if (!status && has(from->file, path))
        status = read_integer(from, "V", "n", &columns);
    if (!status && columns != 0)
    {
        return crn_fail(
            from->context, CAIRN_UNSUPPORTED,
            "'%s': a local problem with bilateral constraints (V has %d columns) is not supported; a global "
            "one is",
            from->path, columns);
    }
    data->f = calloc(1, sizeof(double));
    data->b = calloc(1, sizeof(double));
    bool ready = empty_matrix(&data->M, 0, 0) && empty_matrix(&data->H, rows, 0) && empty_matrix(&data->G, 0, 0) &&
                 data->f && data->b && (status || crn_fclib_order(data));
    return status || ready ? status
                           : crn_fail(from->context, CAIRN_NO_MEMORY, "memory ran out while reading '%s'", from->path);
}

/* G has as many columns as b has numbers. */
static cairn_status read_joints(const source *from, crn_fclib_data *data)
{
    char path[LONGEST_PATH];
    snprintf(path, sizeof path, "%s/G", from->root);
    if (has(from->file, path))
    {
        CRN_TRY(read_vector(from, "b", -1, &data->b, &data->joint_rows));
        return read_transposed(from, "G", data->n, data->joint_rows, &data->G);
    }
    data->b = calloc(1, sizeof(double));
    return data->b && empty_matrix(&data->G, 0, data->n)
               ? CAIRN_OK
               : crn_fail(from->context, CAIRN_NO_MEMORY, "memory ran out while reading '%s'", from->path);
}

static cairn_status read_global(const source *from, crn_fclib_data *data)
{
    int rows = data->dim * data->contacts;
    cairn_status status = read_vector(from, "w", rows, &data->w, NULL);
    status = status ? status : read_vector(from, "f", -1, &data->f, &data->n);
    if (!status && data->n == 0)
        status = crn_fail(from->context, CAIRN_INVALID, "'%s': a global problem without unknowns", from->path);
    status = status ? status : read_matrix(from, "M", data->n, data->n, &data->M);
    status = status ? status : read_transposed(from, "H", data->n, rows, &data->H);
    status = status ? status : read_joints(from, data);
    if (!status && !(crn_sparse_mirror(&data->M) && empty_matrix(&data->W, 0, 0)))
        status = crn_fail(from->context, CAIRN_NO_MEMORY, "memory ran out while reading '%s'", from->path);
    return status;
}

static void release_data(crn_fclib_data *data)
{
    crn_sparse_close(&data->M);
    crn_sparse_close(&data->H);
    crn_sparse_close(&data->G);
    crn_sparse_close(&data->W);
    free(data->f);
    free(data->w);
    free(data->b);
    free(data->mu);
    free(data->order);
}

cairn_status crn_fclib_read(cairn_context *context, const char *path, hid_t file, size_t size, cairn_problem *problem)
{
    assert(crn_fclib_is(file));
    bool local = has(file, "fclib_local");
    source from = {context, path, file, local ? "fclib_local" : "fclib_global", size};
    if (!local && !has(file, "fclib_global"))
        return crn_fail(context, CAIRN_UNSUPPORTED, "'%s': problems with rolling friction are not supported", path);
    crn_fclib_data data = {0};
    cairn_status status = read_integer(&from, "", "spacedim", &data.dim);
    if (!status && data.dim != 2 && data.dim != 3)
        status = crn_fail(context, CAIRN_INVALID, "'%s': spacedim is %d where 2 or 3 is expected", path, data.dim);
    status = status ? status : read_vector(&from, "mu", -1, &data.mu, &data.contacts);
    if (!status && data.contacts > INT_MAX / 4)
        status = crn_fail(context, CAIRN_UNSUPPORTED, "'%s': %d contacts are too many", path, data.contacts);
    status = status ? status : local ? read_local(&from, &data) : read_global(&from, &data);
    status = status ? status : crn_fclib_form(context, path, &data, problem);
    release_data(&data);
    return status;
}
