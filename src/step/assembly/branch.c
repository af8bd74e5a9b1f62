/* Branches of a mechanism meet at singular positions, where its equations become dependent. With G the gradients of n independent
 * equations, in any norm, the determinant of
 *
 *     G(q_k) G(q_k+1)'
 *
 * is positive for places that are close to each other, and its sign changes if a singular position lies between: the
 * orientation of the rows turns over there. Equations that are redundant are dependent everywhere, so this says nothing about them.
 */
#include "step/assembly/branch.h"

#include "linalg/blocks.h"
#include "linalg/dense.h"
#include "linalg/lu.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double DEPENDENT = 1e-9; /* pivot of G G' with unit rows */

enum
{
    MOST_ROWS = 200 /* the work grows with their cube */
};

/* Number the unknowns that the rows contain. */
static cairn_status number_columns(crn_branch *branch, const cairn_problem *problem, int items)
{
    const cairn_block_rows *G = &problem->G;
    CRN_TRY(crn_reserve_all(&branch->memory, CRN_ARRAY(branch->column, problem->block_count)));
    for (int e = 0; e < G->entry_start[items]; ++e)
    {
        int block = G->block[e];
        if (branch->column[block] > 0)
            continue;
        branch->column[block] = branch->columns + 1;
        branch->columns += problem->block_start[block + 1] - problem->block_start[block];
    }
    size_t size = (size_t)MOST_ROWS * (size_t)branch->columns;
    return crn_reserve_all(&branch->memory, CRN_ARRAY(branch->now, size), CRN_ARRAY(branch->before, size),
                           CRN_ARRAY(branch->product, MOST_ROWS * MOST_ROWS), CRN_ARRAY(branch->order, MOST_ROWS));
}

/* A row as a dense one of length 1 in the norm of the diagonal of A. Returns false if it is zero. */
static bool spread(const crn_branch *branch, const cairn_problem *problem, int item, int row, double *out)
{
    const cairn_block_rows *G = &problem->G;
    memset(out, 0, (size_t)branch->columns * sizeof(double));
    for (int e = G->entry_start[item]; e < G->entry_start[item + 1]; ++e)
    {
        int width = problem->block_start[G->block[e] + 1] - problem->block_start[G->block[e]];
        const double *A = crn_diagonal_block(&problem->A, G->block[e]);
        const double *g = G->value + G->value_start[e] + row * width;
        for (int k = 0; k < width; ++k)
            out[branch->column[G->block[e]] - 1 + k] = g[k] / sqrt(A[k * width + k]);
    }
    double length = sqrt(crn_dense_dot(branch->columns, out, out));
    for (int k = 0; k < branch->columns && length > 0; ++k)
        out[k] /= length;
    return length > 0;
}

/* Fill in the rows of this place. Returns false if there are too many. */
static bool fill(crn_branch *branch, const cairn_problem *problem, int items, int *rows)
{
    const cairn_block_rows *G = &problem->G;
    *rows = 0;
    for (int item = 0; item < items; ++item)
        for (int row = 0; row < G->row_start[item + 1] - G->row_start[item]; ++row)
        {
            if (*rows == MOST_ROWS)
                return false;
            *rows += spread(branch, problem, item, row, branch->now + (ptrdiff_t)*rows * branch->columns);
        }
    return true;
}

/* The sign of det(X Y') with rows of X and Y; 0 where a pivot is below the floor. */
static int sign_of(crn_branch *branch, const double *x, const double *y, double floor)
{
    int n = branch->rows, sign = 1;
    double *W = branch->product;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            W[i * n + j] =
                crn_dense_dot(branch->columns, x + (ptrdiff_t)i * branch->columns, y + (ptrdiff_t)j * branch->columns);
    if (!crn_lu_factorise(n, W, n, branch->order, floor))
        return 0;
    for (int i = 0; i < n; ++i)
        sign = W[i * n + i] < 0 ? -sign : sign;
    for (int i = 0; i < n; ++i) /* parity of the permutation: sort it by exchanges */
        for (; branch->order[i] != i; sign = -sign)
        {
            int other = branch->order[i];
            branch->order[i] = branch->order[other];
            branch->order[other] = other;
        }
    return sign;
}

cairn_status crn_branch_look(crn_branch *branch, const cairn_problem *problem, int items)
{
    int rows = 0;
    if (items == 0 || branch->unknown)
        return CAIRN_OK;
    if (branch->columns == 0)
        CRN_TRY(number_columns(branch, problem, items));
    bool fits = fill(branch, problem, items, &rows);
    branch->unknown = !fits || (branch->seen && rows != branch->rows);
    branch->rows = rows;
    if (branch->unknown)
        return CAIRN_OK;
    if (branch->seen && sign_of(branch, branch->before, branch->now, 0.0) < 0)
        branch->changes += 1;
    double *last = branch->before;
    branch->before = branch->now;
    branch->now = last;
    branch->seen = true;
    return CAIRN_OK;
}

int crn_branch_changes(crn_branch *branch)
{
    bool regular = branch->seen && sign_of(branch, branch->before, branch->before, DEPENDENT) != 0;
    return branch->unknown || (branch->rows > 0 && !regular) ? -1 : branch->changes;
}
