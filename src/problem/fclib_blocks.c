/* From sparse matrices to the blocks of a one-step problem.
 *
 * A file does not tell where a body begins. Its unknowns are cut at multiples of 6 (bodies in space), 3 (bodies in the plane,
 * or nodes) or 1, whichever divides n, wherever M has no entry that crosses the cut. A piece of more than MOST_ROWS rows is a
 * structure rather than a body: it is cut at every multiple, and its blocks are coupled by blocks beside the diagonal.
 * W of a local problem is cut into patches in the same way, or kept in sparse blocks, one block row per contact.
 */
#include "base/memory.h"
#include "problem/fclib_file.h"
#include "solve/auto/island_split.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_ROWS = 48
};

static cairn_status no_memory(cairn_context *context, const char *path)
{
    return crn_fail(context, CAIRN_NO_MEMORY, "memory ran out while reading '%s'", path);
}

/* cut[k] (k = 1 .. pieces) true when no entry joins rows before k * unit with rows from there on. NULL: no memory. */
static bool *find_cuts(const crn_sparse *matrix, int unit)
{
    int pieces = matrix->m / unit;
    assert(matrix->m == matrix->n && matrix->m == pieces * unit);
    bool *cut = calloc((size_t)pieces + 1, sizeof(bool));
    int *reach = calloc((size_t)pieces + 1, sizeof(int)); /* per piece: the last piece it is coupled with */
    for (int i = 0; i < matrix->m && cut && reach; ++i)
    {
        for (int e = matrix->start[i]; e < matrix->start[i + 1]; ++e)
        {
            int a = i / unit;
            int b = matrix->column[e] / unit;
            int low = a < b ? a : b;
            int high = a < b ? b : a;
            reach[low] = high > reach[low] ? high : reach[low];
        }
    }
    int furthest = 0;
    for (int k = 0; k < pieces && cut && reach; ++k)
    {
        furthest = reach[k] > furthest ? reach[k] : furthest;
        cut[k + 1] = furthest <= k;
    }
    if (!reach)
    {
        free(cut);
        cut = NULL;
    }
    free(reach);
    return cut;
}

static int choose_unit(int n, int dim)
{
    assert(dim == 2 || dim == 3);
    return n % 6 == 0 && dim == 3 ? 6 : n % 3 == 0 ? 3 : 1;
}

/* Set block_start and block_count. */
static bool choose_blocks(const crn_fclib_data *data, cairn_problem *problem)
{
    int unit = choose_unit(data->n, data->dim);
    bool *cut = find_cuts(&data->M, unit);
    int *start = calloc((size_t)data->n / (size_t)unit + 1, sizeof(int));
    problem->block_start = start;
    int blocks = 0;
    for (int k = 1; k <= data->n / unit && cut && start; ++k)
    {
        if (cut[k] && k * unit - start[blocks] <= MOST_ROWS)
            start[++blocks] = k * unit;
        else if (cut[k])
            for (int row = start[blocks] + unit; row <= k * unit; row += unit)
                start[++blocks] = row;
    }
    assert(!cut || !start || start[blocks] == data->n);
    problem->block_count = blocks;
    problem->n = data->n;
    bool done = cut && start;
    free(cut);
    return done;
}

/* Block entries of lists of rows: item i has rows row_start[i] .. row_start[i+1]-1 of the matrix. */
typedef struct builder
{
    const crn_sparse *matrix;
    const crn_sparse *partner; /* NULL, or a matrix whose entries are to have blocks too, of zeros */
    int items;
    const int *row_start;
    const int *block_start;
    const int *block_of; /* per column */
    bool diagonal;       /* item i always has block i */
    int *mark;           /* per block: 1 + the last item that touches it */
    int *touched;        /* blocks of the current item, ascending */
} builder;

typedef struct block_entries
{
    int *start; /* items + 1 */
    int *block;
    int *value_start;
    double *value;
} block_entries;

static int by_size(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Append the blocks of a matrix that an item touches to the `count` in from->touched; returns their number. */
static int touch_in(const builder *from, const crn_sparse *matrix, int item, int count)
{
    for (int e = matrix->start[from->row_start[item]]; e < matrix->start[from->row_start[item + 1]]; ++e)
    {
        int block = from->block_of[matrix->column[e]];
        if (from->mark[block] != item + 1)
        {
            from->mark[block] = item + 1;
            from->touched[count++] = block;
        }
    }
    return count;
}

/* List the blocks that an item touches in from->touched; returns their number. */
static int touch(const builder *from, int item)
{
    assert(item >= 0 && item < from->items);
    assert(from->row_start[item] <= from->row_start[item + 1]);
    int count = 0;
    if (from->diagonal)
    {
        from->mark[item] = item + 1;
        from->touched[count++] = item;
    }
    count = touch_in(from, from->matrix, item, count);
    count = from->partner ? touch_in(from, from->partner, item, count) : count;
    qsort(from->touched, (size_t)count, sizeof(int), by_size);
    return count;
}

static int width(const builder *from, int block)
{
    assert(from->block_start[block] < from->block_start[block + 1]);
    return from->block_start[block + 1] - from->block_start[block];
}

/* Count the entries and values; false when there are more than an int can count. */
static bool count_entries(const builder *from, size_t *entries, size_t *values)
{
    *entries = *values = 0;
    for (int i = 0; i < from->items; ++i)
    {
        int count = touch(from, i);
        for (int k = 0; k < count; ++k)
            *values += (size_t)(from->row_start[i + 1] - from->row_start[i]) * (size_t)width(from, from->touched[k]);
        *entries += (size_t)count;
    }
    return *entries < INT_MAX && *values < INT_MAX;
}

/* Copy the values of one item, whose entries are first .. last - 1 in ascending order of blocks. */
static void fill_item(const builder *from, int item, const block_entries *out, int first, int last)
{
    for (int row = from->row_start[item]; row < from->row_start[item + 1]; ++row)
    {
        int entry = first;
        for (int e = from->matrix->start[row]; e < from->matrix->start[row + 1]; ++e)
        {
            int column = from->matrix->column[e];
            int block = from->block_of[column];
            while (entry < last && out->block[entry] != block)
                ++entry;
            assert(entry < last);
            size_t place =
                (size_t)out->value_start[entry] + (size_t)(row - from->row_start[item]) * (size_t)width(from, block);
            out->value[place + (size_t)(column - from->block_start[block])] = from->matrix->value[e];
        }
    }
}

static void fill(const builder *from, const block_entries *out)
{
    int entry = 0;
    for (int i = 0; i < from->items; ++i)
    {
        int count = touch(from, i);
        out->start[i] = entry;
        for (int k = 0; k < count; ++k, ++entry)
        {
            int rows = from->row_start[i + 1] - from->row_start[i];
            out->block[entry] = from->touched[k];
            out->value_start[entry + 1] = out->value_start[entry] + rows * width(from, from->touched[k]);
        }
        fill_item(from, i, out, entry - count, entry);
    }
    out->start[from->items] = entry;
}

static cairn_status build(cairn_context *context, const char *path, builder *from, int blocks, block_entries *out)
{
    size_t entries = 0;
    size_t values = 0;
    *out = (block_entries){0};
    from->mark = calloc((size_t)blocks + 1, sizeof(int));
    from->touched = calloc((size_t)blocks + 1, sizeof(int));
    cairn_status status = from->mark && from->touched ? CAIRN_OK : no_memory(context, path);
    if (!status && !count_entries(from, &entries, &values))
        status = crn_fail(context, CAIRN_UNSUPPORTED, "'%s': the problem has more than %d numbers", path, INT_MAX);
    if (!status)
    {
        *out = (block_entries){calloc((size_t)from->items + 1, sizeof(int)), calloc(entries + 1, sizeof(int)),
                               calloc(entries + 1, sizeof(int)), calloc(values + 1, sizeof(double))};
        memset(from->mark, 0, (size_t)blocks * sizeof(int));
        status = out->start && out->block && out->value_start && out->value ? CAIRN_OK : no_memory(context, path);
    }
    if (!status)
        fill(from, out);
    free(from->mark);
    free(from->touched);
    return status;
}

/* Build block rows of `each` scalar rows per item. */
static cairn_status form_rows(cairn_context *context, const char *path, const crn_sparse *matrix, int items, int each,
                              const int *block_of, const cairn_problem *problem, cairn_block_rows *rows)
{
    assert(each > 0);
    assert(matrix->m == items * each);
    rows->item_count = items;
    rows->row_start = calloc((size_t)items + 1, sizeof(int));
    if (!rows->row_start)
        return no_memory(context, path);
    for (int i = 0; i <= items; ++i)
        rows->row_start[i] = i * each;
    builder from = {.matrix = matrix,
                    .items = items,
                    .row_start = rows->row_start,
                    .block_start = problem->block_start,
                    .block_of = block_of};
    block_entries made;
    cairn_status status = build(context, path, &from, problem->block_count, &made);
    rows->entry_start = made.start;
    rows->block = made.block;
    rows->value_start = made.value_start;
    rows->value = made.value;
    return status;
}

static cairn_status form_matrix(cairn_context *context, const char *path, const crn_sparse *M, const int *block_of,
                                cairn_problem *problem)
{
    assert(M->m == problem->n);
    assert(M->n == problem->n);
    builder from = {.matrix = M,
                    .items = problem->block_count,
                    .row_start = problem->block_start,
                    .block_start = problem->block_start,
                    .block_of = block_of,
                    .diagonal = true};
    block_entries made;
    cairn_status status = build(context, path, &from, problem->block_count, &made);
    problem->A = (cairn_block_matrix){.block_count = problem->block_count,
                                      .block_start = problem->block_start,
                                      .row_start = made.start,
                                      .column = made.block,
                                      .value_start = made.value_start,
                                      .value = made.value};
    return status;
}

/* Cut W into patches, the islands; returns false when memory ran out. */
static bool choose_patches(const crn_fclib_data *data, cairn_problem *problem)
{
    bool local = data->n == 0 && data->contacts > 0;
    bool *cut = local ? find_cuts(&data->W, data->dim) : NULL;
    problem->patch_start = calloc((size_t)data->contacts + 1, sizeof(int));
    problem->R_start = calloc((size_t)data->contacts + 1, sizeof(int));
    bool done = (!local || cut) && problem->patch_start && problem->R_start;
    for (int j = 1; j <= data->contacts && local && done; ++j)
        if (cut[j])
            problem->patch_start[++problem->patch_count] = j;
    free(cut);
    return done;
}

/* Place the values of the patches; returns their number. */
static size_t place_values(const cairn_problem *problem)
{
    size_t values = 0;
    for (int k = 0; k < problem->patch_count; ++k)
    {
        size_t rows = (size_t)(problem->patch_start[k + 1] - problem->patch_start[k]) * (size_t)problem->dim;
        values += rows * rows;
        problem->R_start[k + 1] = values < INT_MAX ? (int)values : INT_MAX;
    }
    return values;
}

static void fill_patches(const crn_sparse *W, const cairn_problem *problem)
{
    for (int k = 0; k < problem->patch_count; ++k)
    {
        int first = problem->patch_start[k] * problem->dim;
        int last = problem->patch_start[k + 1] * problem->dim;
        double *R = problem->R + problem->R_start[k];
        for (int i = first; i < last; ++i)
        {
            for (int e = W->start[i]; e < W->start[i + 1]; ++e)
            {
                assert(W->column[e] >= first && W->column[e] < last);
                R[(size_t)(i - first) * (size_t)(last - first) + (size_t)(W->column[e] - first)] = W->value[e];
            }
        }
    }
}

/* Whether an island is large, and its W sparse. */
static bool is_sparse(const cairn_problem *problem)
{
    bool found = false;
    for (int k = 0; k < problem->patch_count && !found; ++k)
    {
        int first = problem->patch_start[k], last = problem->patch_start[k + 1];
        found = crn_sparse_pays(last - first, (size_t)(problem->W.row_start[last] - problem->W.row_start[first]));
    }
    return found;
}

static void free_sparse(cairn_problem *problem)
{
    free(problem->W.row_start);
    free(problem->W.column);
    free(problem->W.value_start);
    free(problem->W.value);
    problem->W = (cairn_block_matrix){0};
}

/* W in sparse blocks, with a partner for each: the pattern is that of W + W'. */
static cairn_status form_sparse(cairn_context *context, const char *path, const crn_fclib_data *data,
                                cairn_problem *problem)
{
    crn_sparse transposed = {0};
    int *contact_of = calloc((size_t)data->W.m + 1, sizeof(int));
    cairn_status status =
        contact_of && crn_sparse_transpose(&data->W, &transposed) ? CAIRN_OK : no_memory(context, path);
    for (int i = 0; i < data->W.m && !status; ++i)
        contact_of[i] = i / data->dim;
    builder from = {.matrix = &data->W,
                    .partner = &transposed,
                    .items = data->contacts,
                    .row_start = problem->H.row_start,
                    .block_start = problem->H.row_start,
                    .block_of = contact_of,
                    .diagonal = true};
    block_entries made = {0};
    status = status ? status : build(context, path, &from, data->contacts, &made);
    problem->W = (cairn_block_matrix){.block_count = data->contacts,
                                      .block_start = problem->H.row_start,
                                      .row_start = made.start,
                                      .column = made.block,
                                      .value_start = made.value_start,
                                      .value = made.value};
    crn_sparse_close(&transposed);
    free(contact_of);
    return status;
}

/* W of a local problem: in sparse blocks where these pay for an island, or in dense patches, one per island. */
static cairn_status form_compliance(cairn_context *context, const char *path, const crn_fclib_data *data,
                                    cairn_problem *problem)
{
    if (!choose_patches(data, problem))
        return no_memory(context, path);
    if (problem->patch_count > 0)
        CRN_TRY(form_sparse(context, path, data, problem));
    if (is_sparse(problem))
        problem->patch_count = 0;
    else
        free_sparse(problem);
    size_t values = place_values(problem) + 1;
    if (values >= INT_MAX)
        return crn_fail(context, CAIRN_UNSUPPORTED, "'%s': W has a block of more than %d numbers", path, INT_MAX);
    problem->R = calloc(values, sizeof(double));
    if (!problem->R)
        return no_memory(context, path);
    fill_patches(&data->W, problem);
    return CAIRN_OK;
}

/* Move the vectors to the problem, with its signs, and set everything that does not depend on a matrix. */
static cairn_status form_vectors(cairn_context *context, const char *path, crn_fclib_data *data, cairn_problem *problem)
{
    assert(data->dim == 2 || data->dim == 3);
    problem->dim = data->dim;
    problem->law = (cairn_law){CAIRN_LAW_CONE, 0};
    problem->contact_count = data->contacts;
    problem->joint_rows = data->joint_rows;
    problem->p = data->f;
    problem->w = data->w;
    problem->b = data->b;
    problem->mu = data->mu;
    data->f = data->w = data->b = data->mu = NULL;
    for (int i = 0; i < data->joint_rows; ++i)
        problem->b[i] = -problem->b[i];
    problem->R_c = calloc((size_t)data->joint_rows + 1, sizeof(double));
    problem->identity = calloc((size_t)data->contacts + 1, sizeof(uint64_t));
    for (int j = 0; j < data->contacts && problem->identity; ++j)
        problem->identity[j] = (uint64_t)(data->order ? data->order[j] : j) + 1;
    return problem->R_c && problem->identity ? CAIRN_OK : no_memory(context, path);
}

cairn_status crn_fclib_form(cairn_context *context, const char *path, crn_fclib_data *data, cairn_problem *problem)
{
    cairn_status status = form_vectors(context, path, data, problem);
    status = status || choose_blocks(data, problem) ? status : no_memory(context, path);
    int *block_of = calloc((size_t)data->n + 1, sizeof(int));
    status = status || block_of ? status : no_memory(context, path);
    for (int k = 0; k < problem->block_count && !status; ++k)
        for (int i = problem->block_start[k]; i < problem->block_start[k + 1]; ++i)
            block_of[i] = k;
    status = status ? status : form_matrix(context, path, &data->M, block_of, problem);
    status = status ? status : form_rows(context, path, &data->G, data->joint_rows, 1, block_of, problem, &problem->G);
    status =
        status ? status : form_rows(context, path, &data->H, data->contacts, data->dim, block_of, problem, &problem->H);
    free(block_of);
    return status ? status : form_compliance(context, path, data, problem);
}
