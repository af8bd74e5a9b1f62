#include "linalg/compliance.h"

#include "linalg/blocks.h"

#include <assert.h>

bool crn_has_compliance(const cairn_problem *problem)
{
    return problem->patch_count > 0 || problem->W.block_count > 0;
}

/* The patch of a contact; -1: it has none. */
static int find_patch(const cairn_problem *problem, int contact)
{
    assert(contact >= 0 && contact < problem->contact_count);
    const int *start = problem->patch_start;
    int low = 0, high = problem->patch_count;
    if (high == 0 || contact < start[0] || contact >= start[high])
        return -1;
    while (high - low > 1)
    {
        int middle = low + (high - low) / 2;
        low = start[middle] <= contact ? middle : low;
        high = start[middle] <= contact ? high : middle;
    }
    assert(start[low] <= contact && contact < start[low + 1]);
    return low;
}

const double *crn_compliance_block(const cairn_problem *problem, int i, int j, int *stride)
{
    assert(j >= 0 && j < problem->contact_count);
    int dim = problem->dim;
    if (problem->W.block_count > 0)
    {
        int e = crn_matrix_find(&problem->W, i, j);
        *stride = dim;
        return e < 0 ? NULL : problem->W.value + problem->W.value_start[e];
    }
    int k = find_patch(problem, i);
    if (k < 0 || j < problem->patch_start[k] || j >= problem->patch_start[k + 1])
        return NULL;
    int first = problem->patch_start[k];
    *stride = dim * (problem->patch_start[k + 1] - first);
    return problem->R + problem->R_start[k] + (size_t)(dim * (i - first)) * (size_t)*stride +
           (size_t)(dim * (j - first));
}

/* out += B, a dense piece of a matrix whose rows are `stride` apart */
static void add_piece(int rows, int columns, const double *value, size_t stride, double *out)
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            out[(size_t)i * stride + (size_t)j] += value[(size_t)i * (size_t)columns + (size_t)j];
}

void crn_compliance_add_dense(const cairn_problem *problem, double *W)
{
    size_t dim = (size_t)problem->dim, all = dim * (size_t)problem->contact_count;
    const cairn_block_matrix *sparse = &problem->W;
    for (int k = 0; k < problem->patch_count; ++k)
    {
        size_t first = (size_t)problem->patch_start[k] * dim;
        int rows = problem->patch_start[k + 1] * problem->dim - (int)first;
        add_piece(rows, rows, problem->R + problem->R_start[k], all, W + first * (all + 1));
    }
    for (int i = 0; i < sparse->block_count; ++i)
        for (int e = sparse->row_start[i]; e < sparse->row_start[i + 1]; ++e)
            add_piece(problem->dim, problem->dim, sparse->value + sparse->value_start[e], all,
                      W + (size_t)i * dim * all + (size_t)sparse->column[e] * dim);
}

void crn_compliance_add(const cairn_problem *problem, const double *r, long double *y)
{
    assert(problem->patch_count >= 0 && (problem->dim == 2 || problem->dim == 3));
    assert(problem->W.block_count == 0 || problem->patch_count == 0);
    crn_matrix_add(&problem->W, problem->W.block_start, r, y);
    for (int k = 0; k < problem->patch_count; ++k)
    {
        int first = problem->patch_start[k] * problem->dim;
        int rows = problem->patch_start[k + 1] * problem->dim - first;
        crn_block_add(rows, rows, problem->R + problem->R_start[k], 1.0, r + first, y + first);
    }
}
