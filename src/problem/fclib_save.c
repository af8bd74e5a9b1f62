/* Writing FCLIB's layout: global matrices as triplets and W as compressed rows, as the published files have them. */
#include "base/context.h"
#include "base/file.h"
#include "base/hdf5_image.h"
#include "base/memory.h"
#include "problem/fclib_file.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The data that the file is made from. */
typedef struct content
{
    const cairn_problem *problem;
    const cairn_fclib_options *options;
    const char *root;
    const double *W, *q; /* local */
    const double *b;     /* global: with FCLIB's sign */
    const int *order;    /* order[k]: the k-th contact of the file */
} content;

cairn_fclib_options cairn_fclib_default(void)
{
    return (cairn_fclib_options){.struct_size = sizeof(cairn_fclib_options), .layout = CAIRN_FCLIB_GLOBAL};
}

/* The compliance is given in sparse blocks, and so without bodies: there is nothing to eliminate. */
static bool is_sparse(const cairn_problem *problem)
{
    return problem->W.block_count > 0;
}

static bool put_group(hid_t file, const char *path)
{
    hid_t plist = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group =
        H5Pset_obj_track_times(plist, false) >= 0 ? H5Gcreate2(file, path, H5P_DEFAULT, plist, H5P_DEFAULT) : -1;
    H5Pclose(plist);
    return group >= 0 && H5Gclose(group) >= 0;
}

static bool put_set(hid_t file, const char *group, const char *name, hid_t file_type, hid_t type, hid_t space,
                    const void *data)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", group, name);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = H5Pset_obj_track_times(plist, false) >= 0
                    ? H5Dcreate2(file, path, file_type, space, H5P_DEFAULT, plist, H5P_DEFAULT)
                    : -1;
    bool empty = H5Sget_simple_extent_npoints(space) == 0;
    bool done = set >= 0 && (empty || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Pclose(plist);
    H5Sclose(space);
    return done;
}

static hid_t line(size_t length)
{
    hsize_t extent = length;
    return H5Screate_simple(1, &extent, NULL);
}

static bool put_reals(hid_t file, const char *group, const char *name, const double *values, size_t count)
{
    return put_set(file, group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, line(count), values);
}

static bool put_integers(hid_t file, const char *group, const char *name, const int *values, size_t count)
{
    return put_set(file, group, name, H5T_STD_I32LE, H5T_NATIVE_INT, line(count), values);
}

static bool put_integer(hid_t file, const char *group, const char *name, int value)
{
    return put_integers(file, group, name, &value, 1);
}

/* Write `each` values per contact, in the order of the file. */
static bool put_contacts(hid_t file, const char *group, const char *name, const content *what, const double *values,
                         int each)
{
    assert(each > 0);
    size_t contacts = (size_t)what->problem->contact_count;
    double *sorted = calloc(contacts * (size_t)each + 1, sizeof(double));
    for (size_t k = 0; k < contacts && sorted; ++k)
    {
        memcpy(sorted + k * (size_t)each, values + (size_t)what->order[k] * (size_t)each,
               (size_t)each * sizeof(double));
    }
    bool done = sorted && put_reals(file, group, name, sorted, contacts * (size_t)each);
    free(sorted);
    return done;
}

static bool put_text(hid_t file, const char *group, const char *name, const char *text)
{
    text = text ? text : "";
    hid_t type = H5Tcopy(H5T_C_S1);
    bool done =
        H5Tset_size(type, strlen(text) + 1) >= 0 && put_set(file, group, name, type, type, H5Screate(H5S_SCALAR), text);
    H5Tclose(type);
    return done;
}

/* The entries of a matrix; zeros are left out. */
typedef struct triplets
{
    int count;
    int *row, *column;
    double *value;
} triplets;

static bool triplets_open(triplets *list, size_t most)
{
    *list =
        (triplets){0, calloc(most + 1, sizeof(int)), calloc(most + 1, sizeof(int)), calloc(most + 1, sizeof(double))};
    return list->row && list->column && list->value;
}

static void triplets_close(triplets *list)
{
    free(list->row);
    free(list->column);
    free(list->value);
}

static void triplets_add(triplets *list, int row, int column, double value)
{
    assert(row >= 0);
    assert(column >= 0);
    assert(isfinite(value));
    if (value != 0.0)
    {
        list->row[list->count] = row;
        list->column[list->count] = column;
        list->value[list->count++] = value;
    }
}

/* Add a dense block whose first entry is at (row, column). */
static void triplets_add_block(triplets *list, int row, int column, int rows, int columns, const double *value,
                               bool transposed)
{
    for (int i = 0; i < rows; ++i)
    {
        for (int k = 0; k < columns; ++k)
        {
            int a = row + i;
            int b = column + k;
            triplets_add(list, transposed ? b : a, transposed ? a : b, value[(size_t)i * (size_t)columns + (size_t)k]);
        }
    }
}

static bool put_matrix(hid_t file, const char *root, const char *name, int m, int n, const triplets *list)
{
    char group[64];
    snprintf(group, sizeof group, "%s/%s", root, name);
    size_t count = (size_t)list->count;
    return put_group(file, group) && put_integer(file, group, "nzmax", list->count) &&
           put_integer(file, group, "m", m) && put_integer(file, group, "n", n) &&
           put_integer(file, group, "nz", list->count) && put_integers(file, group, "p", list->column, count) &&
           put_integers(file, group, "i", list->row, count) && put_reals(file, group, "x", list->value, count);
}

static bool put_mass(hid_t file, const content *what)
{
    const cairn_problem *problem = what->problem;
    const cairn_block_matrix *A = &problem->A;
    const int *start = problem->block_start;
    triplets list;
    bool done = triplets_open(&list, (size_t)A->value_start[A->row_start[problem->block_count]]);
    for (int i = 0; i < problem->block_count && done; ++i)
    {
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            int k = A->column[e];
            triplets_add_block(&list, start[i], start[k], start[i + 1] - start[i], start[k + 1] - start[k],
                               A->value + A->value_start[e], false);
        }
    }
    done = done && put_matrix(file, what->root, "M", problem->n, problem->n, &list);
    triplets_close(&list);
    return done;
}

/* Write block rows as the columns of a matrix with n rows. */
static bool put_rows(hid_t file, const content *what, const char *name, const cairn_block_rows *rows, int count)
{
    const int *start = what->problem->block_start;
    triplets list;
    size_t most = rows->item_count ? (size_t)rows->value_start[rows->entry_start[rows->item_count]] : 0;
    bool done = triplets_open(&list, most);
    for (int i = 0; i < rows->item_count && done; ++i)
    {
        for (int e = rows->entry_start[i]; e < rows->entry_start[i + 1]; ++e)
        {
            int k = rows->block[e];
            triplets_add_block(&list, rows->row_start[i], start[k], rows->row_start[i + 1] - rows->row_start[i],
                               start[k + 1] - start[k], rows->value + rows->value_start[e], true);
        }
    }
    done = done && put_matrix(file, what->root, name, what->problem->n, count, &list);
    triplets_close(&list);
    return done;
}

/* Write compressed rows. */
static bool put_compressed(hid_t file, const char *group, int rows, const int *start, const int *column,
                           const double *value)
{
    size_t count = (size_t)start[rows];
    return put_group(file, group) && put_integer(file, group, "nzmax", start[rows]) &&
           put_integer(file, group, "m", rows) && put_integer(file, group, "n", rows) &&
           put_integer(file, group, "nz", -2) && put_integers(file, group, "p", start, (size_t)rows + 1) &&
           put_integers(file, group, "i", column, count) && put_reals(file, group, "x", value, count);
}

/* W that is given in sparse blocks; place[j] is the place of contact j in the file. */
static bool put_sparse(hid_t file, const content *what, const char *group, const int *place)
{
    const cairn_block_matrix *W = &what->problem->W;
    int dim = what->problem->dim, rows = dim * W->block_count;
    triplets list;
    crn_sparse sorted = {0};
    bool done = triplets_open(&list, (size_t)W->value_start[W->row_start[W->block_count]]);
    for (int i = 0; i < W->block_count && done; ++i)
        for (int e = W->row_start[i]; e < W->row_start[i + 1]; ++e)
            triplets_add_block(&list, dim * place[i], dim * place[W->column[e]], dim, dim, W->value + W->value_start[e],
                               false);
    done = done && crn_sparse_open(&sorted, rows, rows, list.count, list.row, list.column, list.value) &&
           put_compressed(file, group, rows, sorted.start, sorted.column, sorted.value);
    crn_sparse_close(&sorted);
    triplets_close(&list);
    return done;
}

/* W in full. */
static bool put_dense(hid_t file, const content *what, const char *group)
{
    assert(what->W);
    int dim = what->problem->dim;
    int rows = dim * what->problem->contact_count;
    triplets list;
    int *start = calloc((size_t)rows + 1, sizeof(int));
    bool done = triplets_open(&list, (size_t)rows * (size_t)rows) && start;
    for (int i = 0; i < rows && done; ++i)
    {
        const double *row = what->W + (size_t)(what->order[i / dim] * dim + i % dim) * (size_t)rows;
        for (int k = 0; k < rows; ++k)
            triplets_add(&list, i, k, row[what->order[k / dim] * dim + k % dim]);
        start[i + 1] = list.count;
    }
    assert(!done || start[rows] == list.count);
    done = done && put_compressed(file, group, rows, start, list.column, list.value);
    free(start);
    triplets_close(&list);
    return done;
}

static bool put_delassus(hid_t file, const content *what)
{
    char group[64];
    snprintf(group, sizeof group, "%s/W", what->root);
    if (!is_sparse(what->problem))
        return put_dense(file, what, group);
    int *place = calloc((size_t)what->problem->contact_count, sizeof(int));
    for (int k = 0; k < what->problem->contact_count && place; ++k)
        place[what->order[k]] = k;
    bool done = place && put_sparse(file, what, group, place);
    free(place);
    return done;
}

static bool put_info(hid_t file, const content *what)
{
    char group[64];
    snprintf(group, sizeof group, "%s/info", what->root);
    return put_group(file, group) && put_text(file, group, "title", what->options->title) &&
           put_text(file, group, "description", what->options->description) && put_text(file, group, "math_info", "");
}

static bool put_solution(hid_t file, const content *what)
{
    const cairn_fclib_options *o = what->options;
    const cairn_problem *problem = what->problem;
    bool global = o->layout == CAIRN_FCLIB_GLOBAL;
    if (!o->r && !o->u && !(global && (o->v || o->l)))
        return true;
    bool done = put_group(file, "solution") &&
                (!o->r || put_contacts(file, "solution", "r", what, o->r, problem->dim)) &&
                (!o->u || put_contacts(file, "solution", "u", what, o->u, problem->dim));
    done = done && (!global || !o->v || put_reals(file, "solution", "v", o->v, (size_t)problem->n));
    return done && (!global || !o->l || problem->joint_rows == 0 ||
                    put_reals(file, "solution", "l", o->l, (size_t)problem->joint_rows));
}

static bool put_content(hid_t file, const void *data)
{
    const content *what = data;
    const cairn_problem *problem = what->problem;
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    bool global = what->options->layout == CAIRN_FCLIB_GLOBAL;
    char vectors[64];
    snprintf(vectors, sizeof vectors, "%s/vectors", what->root);
    bool done = put_group(file, what->root) && put_integer(file, what->root, "spacedim", problem->dim) &&
                put_info(file, what) && put_group(file, vectors) &&
                put_contacts(file, vectors, "mu", what, problem->mu, 1) && put_solution(file, what);
    if (!global)
        return done && put_contacts(file, vectors, "q", what, what->q, problem->dim) && put_delassus(file, what);
    done = done && put_mass(file, what) && put_rows(file, what, "H", &problem->H, (int)rows) &&
           put_reals(file, vectors, "f", problem->p, (size_t)problem->n) &&
           put_reals(file, vectors, "w", problem->w, rows);
    return done && (problem->joint_rows == 0 || (put_rows(file, what, "G", &problem->G, problem->joint_rows) &&
                                                 put_reals(file, vectors, "b", what->b, (size_t)problem->joint_rows)));
}

/* True when any number is not zero. */
static bool any(const double *x, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; ++i)
        found = x[i] != 0.0;
    return found;
}

static bool has_compliance(const cairn_problem *problem)
{
    bool found = any(problem->R_c, (size_t)problem->joint_rows);
    for (int k = 0; k < problem->patch_count && !found; ++k)
    {
        size_t rows = (size_t)(problem->patch_start[k + 1] - problem->patch_start[k]) * (size_t)problem->dim;
        found = any(problem->R + problem->R_start[k], rows * rows);
    }
    return found;
}

/* Count the bounded rows other than 0 <= z. The latter are contacts without friction and written as such. */
static int count_strange_rows(const cairn_problem *problem)
{
    int count = 0;
    for (int j = 0; problem->bound && j < problem->contact_count; ++j)
    {
        const cairn_bound *bound = &problem->bound[j];
        bool contact = bound->by < 0 && bound->lo == 0.0 && isinf(bound->hi);
        count += bound->is_row && !contact;
    }
    return count;
}

static cairn_status check_layout(cairn_context *context, const cairn_problem *problem, cairn_fclib_layout layout,
                                 const char *path)
{
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    int strange = count_strange_rows(problem);
    if (strange > 0)
    {
        return crn_fail(
            context, CAIRN_UNSUPPORTED,
            "'%s': FCLIB has no place for %d bounded row%s (motors, friction in joints); save the problem in "
            "Cairn's own format",
            path, strange, strange > 1 ? "s" : "");
    }
    if (layout == CAIRN_FCLIB_LOCAL && !is_sparse(problem) && rows * rows >= INT_MAX)
    {
        return crn_fail(context, CAIRN_UNSUPPORTED, "'%s': W of %d contacts is too large to be formed", path,
                        problem->contact_count);
    }
    if (layout == CAIRN_FCLIB_GLOBAL && problem->n == 0)
    {
        return crn_fail(context, CAIRN_UNSUPPORTED,
                        "'%s': a problem without bodies has no global layout; save it as local", path);
    }
    if (layout == CAIRN_FCLIB_GLOBAL && has_compliance(problem))
    {
        return crn_fail(context, CAIRN_UNSUPPORTED,
                        "'%s': the global layout has no place for compliance; save the problem as local", path);
    }
    return CAIRN_OK;
}

/* Build the image and write the file; `work` has room for W and q, or for b. */
static cairn_status save(cairn_context *context, content *what, double *work, const char *path)
{
    assert(cairn_problem_is_valid(NULL, what->problem));
    const cairn_problem *problem = what->problem;
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    cairn_status status = CAIRN_OK;
    if (what->options->layout == CAIRN_FCLIB_LOCAL)
    {
        what->q = work;
        what->W = is_sparse(problem) ? NULL : work + rows;
        status = cairn_problem_delassus(context, problem, is_sparse(problem) ? NULL : work + rows, work);
    }
    else
    {
        what->b = work;
        for (int i = 0; i < problem->joint_rows; ++i)
            work[i] = problem->b[i] != 0.0 ? -problem->b[i] : 0.0;
    }
    crn_image built = {0};
    if (!status && !crn_image_build(&built, CRN_IMAGE_SEALED, put_content, what))
        status = crn_fail(context, CAIRN_NO_MEMORY, "memory ran out while building '%s'", path);
    status = status ? status : crn_replace_file(context, path, built.bytes, built.size);
    free(built.bytes);
    return status;
}

typedef struct numbered
{
    uint64_t identity;
    int contact;
} numbered;

static int by_identity(const void *a, const void *b)
{
    const numbered *x = a;
    const numbered *y = b;
    return x->identity != y->identity ? (x->identity > y->identity ? 1 : -1)
                                      : (x->contact > y->contact) - (x->contact < y->contact);
}

/* The order of the contacts in the file; NULL when memory ran out. Contacts of a problem without bodies are sorted by identity,
 * because loading a local layout makes the identity the place in the file. */
static int *choose_order(const cairn_problem *problem)
{
    size_t contacts = (size_t)problem->contact_count;
    numbered *list = calloc(contacts + 1, sizeof(numbered));
    int *order = calloc(contacts + 1, sizeof(int));
    for (int j = 0; j < problem->contact_count && list && order; ++j)
        list[j] = (numbered){problem->n == 0 ? problem->identity[j] : 0, j};
    if (list && order)
        qsort(list, contacts, sizeof(numbered), by_identity);
    for (size_t k = 0; k < contacts && list && order; ++k)
        order[k] = list[k].contact;
    if (!list)
    {
        free(order);
        order = NULL;
    }
    free(list);
    return order;
}

cairn_status cairn_problem_save_fclib(cairn_context *context, const cairn_problem *problem, const char *path,
                                      const cairn_fclib_options *options)
{
    if (!problem || !path || !options)
        return crn_fail(context, CAIRN_INVALID, "saving a problem needs a problem, a path and options");
    CRN_TRY(crn_check_size(context, "fclib", options->struct_size, sizeof *options));
    if (!cairn_problem_is_valid(context, problem))
        return CAIRN_INVALID;
    cairn_status status = check_layout(context, problem, options->layout, path);
    if (status)
        return status;
    bool local = options->layout == CAIRN_FCLIB_LOCAL;
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    size_t columns = is_sparse(problem) ? 0 : rows;
    double *work = calloc((local ? rows * (columns + 1) : (size_t)problem->joint_rows) + 1, sizeof(double));
    int *order = choose_order(problem);
    content what = {
        .problem = problem, .options = options, .order = order, .root = local ? "fclib_local" : "fclib_global"};
    status = work && order ? save(context, &what, work, path)
                           : crn_fail(context, CAIRN_NO_MEMORY, "memory ran out while building '%s'", path);
    free(work);
    free(order);
    return status;
}
