/* Every index is checked before it is used, so that a damaged problem is refused instead of read out of range. The lengths of
 * the arrays themselves cannot be checked. */
#include "solve/auto/problem_check.h"

#include "base/context.h"
#include "base/memory.h"
#include "linalg/blocks.h"
#include "linalg/four_bodies.h"
#include "linalg/inverses.h"
#include "solve/auto/laws.h"

#include <assert.h>
#include <math.h>

enum
{
    LARGEST_BLOCK = 8 /* rows of the blocks that are checked to be positive definite */
};

/* 0 times a number is 0 unless the number is infinite or NaN. Four independent sums hide the latency of additions. */
bool crn_numbers_finite(const double *x, int count)
{
    assert(count >= 0);
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int i = 0;
    for (; i + 3 < count; i += 4)
    {
        sum[0] += 0.0 * x[i];
        sum[1] += 0.0 * x[i + 1];
        sum[2] += 0.0 * x[i + 2];
        sum[3] += 0.0 * x[i + 3];
    }
    for (; i < count; ++i)
        sum[0] += 0.0 * x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

static cairn_status check_numbers(cairn_context *context, const char *name, const double *x, int count)
{
    if (count > 0 && !x)
        return crn_fail(context, CAIRN_INVALID, "%s is missing", name);
    for (int i = crn_numbers_finite(x, count) ? count : 0; i < count; ++i)
        if (!isfinite(x[i]))
            return crn_fail(context, CAIRN_NUMERIC, "%s[%d] is %g, not a finite number", name, i, x[i]);
    return CAIRN_OK;
}

/* An index array that starts at `first` and never falls. */
static cairn_status check_ascending(cairn_context *context, const char *name, const int *start, int count, int first)
{
    assert(count >= 0);
    if (!start)
        return crn_fail(context, CAIRN_INVALID, "%s is missing", name);
    if (start[0] != first)
        return crn_fail(context, CAIRN_INVALID, "%s[0] is %d, not %d", name, start[0], first);
    for (int i = 0; i < count; ++i)
        if (start[i + 1] < start[i])
            return crn_fail(context, CAIRN_INVALID, "%s falls from %d to %d at %d", name, start[i], start[i + 1], i);
    return CAIRN_OK;
}

static cairn_status check_sizes(cairn_context *context, const cairn_problem *problem)
{
    if (problem->block_count < 0 || problem->n < 0 || problem->joint_rows < 0 || problem->contact_count < 0 ||
        problem->patch_count < 0)
        return crn_fail(context, CAIRN_INVALID, "a count is negative");
    if (problem->dim != 2 && problem->dim != 3)
        return crn_fail(context, CAIRN_INVALID, "dim is %d; it must be 2 or 3", problem->dim);
    if (problem->contact_count > INT32_MAX / 4)
        return crn_fail(context, CAIRN_INVALID, "%d contacts are too many", problem->contact_count);
    return CAIRN_OK;
}

static cairn_status check_law(cairn_context *context, cairn_law law)
{
    if (!crn_law_class_of(law.kind))
        return crn_fail(context, CAIRN_INVALID, "the law %d is unknown", (int)law.kind);
    if (!crn_law_is_valid(law))
    {
        return crn_fail(context, CAIRN_INVALID, "pyramid(%d): the directions must be even, 4 to %d", law.directions,
                        CAIRN_MAX_DIRECTIONS);
    }
    return CAIRN_OK;
}

static cairn_status check_blocks(cairn_context *context, const cairn_problem *problem)
{
    if (problem->block_count == 0)
        return problem->n == 0 ? CAIRN_OK : crn_fail(context, CAIRN_INVALID, "n is %d without blocks", problem->n);
    CRN_TRY(check_ascending(context, "block_start", problem->block_start, problem->block_count, 0));
    if (problem->block_start[problem->block_count] != problem->n)
    {
        return crn_fail(context, CAIRN_INVALID, "block_start ends at %d, not at n = %d",
                        problem->block_start[problem->block_count], problem->n);
    }
    return CAIRN_OK;
}

/* Row i of a block matrix: columns ascend, the diagonal is there, blocks have their sizes. */
static cairn_status check_matrix_row(cairn_context *context, const char *name, const cairn_block_matrix *A,
                                     const int *block_start, int i)
{
    assert(i >= 0 && i < A->block_count);
    int64_t rows = block_start[i + 1] - block_start[i];
    bool diagonal = false;
    for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
    {
        int j = A->column[e];
        if (j < 0 || j >= A->block_count || (e > A->row_start[i] && j <= A->column[e - 1]))
            return crn_fail(context, CAIRN_INVALID, "%s.column[%d] = %d is out of range or out of order", name, e, j);
        int64_t columns = block_start[j + 1] - block_start[j];
        if ((int64_t)A->value_start[e + 1] - A->value_start[e] != rows * columns)
        {
            return crn_fail(context, CAIRN_INVALID, "the values of block (%d, %d) of %s are not %d in number", i, j,
                            name, (int)(rows * columns));
        }
        diagonal = diagonal || j == i;
    }
    return diagonal ? CAIRN_OK : crn_fail(context, CAIRN_INVALID, "block row %d of %s has no diagonal block", i, name);
}

/* A matrix with one block row or more; the names are those of its arrays. */
static cairn_status check_matrix(cairn_context *context, const char *const name[4], const cairn_block_matrix *A,
                                 const int *block_start)
{
    assert(A->block_count > 0);
    CRN_TRY(check_ascending(context, name[1], A->row_start, A->block_count, 0));
    int entries = A->row_start[A->block_count];
    if (entries > 0 && !A->column)
        return crn_fail(context, CAIRN_INVALID, "%s.column is missing", name[0]);
    CRN_TRY(check_ascending(context, name[2], A->value_start, entries, 0));
    for (int i = 0; i < A->block_count; ++i)
        CRN_TRY(check_matrix_row(context, name[0], A, block_start, i));
    return check_numbers(context, name[3], A->value, A->value_start[entries]);
}

static cairn_status check_mass_matrix(cairn_context *context, const cairn_problem *problem)
{
    static const char *const NAME[] = {"A", "A.row_start", "A.value_start", "A.value"};
    if (problem->A.block_count != problem->block_count)
    {
        return crn_fail(context, CAIRN_INVALID, "A has %d blocks, the problem %d", problem->A.block_count,
                        problem->block_count);
    }
    return problem->block_count > 0 ? check_matrix(context, NAME, &problem->A, problem->block_start) : CAIRN_OK;
}

static cairn_status check_item(cairn_context *context, const cairn_problem *problem, const cairn_block_rows *B,
                               const char *name, int i)
{
    assert(i >= 0 && i < B->item_count);
    int64_t rows = B->row_start[i + 1] - B->row_start[i];
    for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
    {
        int j = B->block[e];
        if (j < 0 || j >= problem->block_count)
        {
            return crn_fail(context, CAIRN_INVALID, "%s.block[%d] = %d: there are %d blocks", name, e, j,
                            problem->block_count);
        }
        int64_t columns = problem->block_start[j + 1] - problem->block_start[j];
        if ((int64_t)B->value_start[e + 1] - B->value_start[e] != rows * columns)
        {
            return crn_fail(context, CAIRN_INVALID, "the values of entry %d of %s are not %d in number", e, name,
                            (int)(rows * columns));
        }
    }
    return CAIRN_OK;
}

static cairn_status check_rows(cairn_context *context, const cairn_problem *problem, const cairn_block_rows *B,
                               const char *name, int row_count)
{
    if (B->item_count < 0 || (B->item_count == 0 && row_count != 0))
        return crn_fail(context, CAIRN_INVALID, "%s has %d items for %d rows", name, B->item_count, row_count);
    if (B->item_count == 0)
        return CAIRN_OK;
    CRN_TRY(check_ascending(context, name, B->row_start, B->item_count, 0));
    CRN_TRY(check_ascending(context, name, B->entry_start, B->item_count, 0));
    if (B->row_start[B->item_count] != row_count)
        return crn_fail(context, CAIRN_INVALID, "%s has %d rows, not %d", name, B->row_start[B->item_count], row_count);
    int entries = B->entry_start[B->item_count];
    if (entries == 0)
        return CAIRN_OK;
    if (!B->block)
        return crn_fail(context, CAIRN_INVALID, "%s.block is missing", name);
    CRN_TRY(check_ascending(context, name, B->value_start, entries, 0));
    for (int i = 0; i < B->item_count; ++i)
        CRN_TRY(check_item(context, problem, B, name, i));
    return check_numbers(context, name, B->value, B->value_start[entries]);
}

static cairn_status check_not_negative(cairn_context *context, const char *name, const double *x, int count)
{
    CRN_TRY(check_numbers(context, name, x, count));
    for (int i = 0; i < count; ++i)
        if (x[i] < 0.0)
            return crn_fail(context, CAIRN_INVALID, "%s[%d] is %g; it must not be negative", name, i, x[i]);
    return CAIRN_OK;
}

/* Positive numbers, or none at all. */
static cairn_status check_weights(cairn_context *context, const char *name, const double *x, int count)
{
    if (!x)
        return CAIRN_OK;
    CRN_TRY(check_numbers(context, name, x, count));
    for (int i = 0; i < count; ++i)
        if (!(x[i] > 0.0))
            return crn_fail(context, CAIRN_INVALID, "%s[%d] is %g; it must be positive", name, i, x[i]);
    return CAIRN_OK;
}

static cairn_status check_contacts(cairn_context *context, const cairn_problem *problem)
{
    int count = problem->contact_count;
    if (problem->H.item_count != count)
        return crn_fail(context, CAIRN_INVALID, "H has %d items for %d contacts", problem->H.item_count, count);
    CRN_TRY(check_rows(context, problem, &problem->H, "H", problem->dim * count));
    for (int j = 0; j < count; ++j)
        if (problem->H.row_start[j + 1] != (j + 1) * problem->dim)
            return crn_fail(context, CAIRN_INVALID, "contact %d does not have %d rows in H", j, problem->dim);
    CRN_TRY(check_numbers(context, "w", problem->w, problem->dim * count));
    CRN_TRY(check_not_negative(context, "mu", problem->mu, count));
    CRN_TRY(check_weights(context, "weight", problem->weight, count));
    if (crn_law_of(problem)->has_radius)
        CRN_TRY(check_not_negative(context, "radius", problem->radius, count));
    if (count > 0 && !problem->identity)
        return crn_fail(context, CAIRN_INVALID, "identity is missing");
    return crn_problem_check_bounds(context, problem);
}

static cairn_status check_patches(cairn_context *context, const cairn_problem *problem)
{
    if (problem->patch_count == 0)
        return CAIRN_OK;
    if (!problem->patch_start || !problem->R_start)
        return crn_fail(context, CAIRN_INVALID, "patch_start or R_start is missing");
    int first = problem->patch_start[0] > 0 ? problem->patch_start[0] : 0;
    CRN_TRY(check_ascending(context, "patch_start", problem->patch_start, problem->patch_count, first));
    if (problem->patch_start[problem->patch_count] > problem->contact_count)
    {
        return crn_fail(context, CAIRN_INVALID, "patch_start ends at %d: there are %d contacts",
                        problem->patch_start[problem->patch_count], problem->contact_count);
    }
    for (int k = 0; k < problem->patch_count; ++k)
    {
        int64_t rows = (int64_t)problem->dim * (problem->patch_start[k + 1] - problem->patch_start[k]);
        if (problem->R_start[k] < 0 || !problem->R || rows * rows > INT32_MAX)
            return crn_fail(context, CAIRN_INVALID, "the compliance of patch %d is missing or too large", k);
        CRN_TRY(check_numbers(context, "R", problem->R + problem->R_start[k], (int)(rows * rows)));
    }
    return CAIRN_OK;
}

/* The sparse compliance: only in a problem without bodies, joints and patches; one block row per contact. */
static cairn_status check_sparse(cairn_context *context, const cairn_problem *problem)
{
    static const char *const NAME[] = {"W", "W.row_start", "W.value_start", "W.value"};
    const cairn_block_matrix *W = &problem->W;
    if (W->block_count == 0)
        return CAIRN_OK;
    if (W->block_count != problem->contact_count)
    {
        return crn_fail(context, CAIRN_INVALID, "W has %d block rows for %d contacts", W->block_count,
                        problem->contact_count);
    }
    if (problem->block_count > 0 || problem->G.item_count > 0 || problem->patch_count > 0)
        return crn_fail(context, CAIRN_INVALID, "W is given beside bodies, joints or patches");
    CRN_TRY(check_ascending(context, "W.block_start", W->block_start, W->block_count, 0));
    for (int j = 0; j < W->block_count; ++j)
        if (W->block_start[j + 1] != (j + 1) * problem->dim)
            return crn_fail(context, CAIRN_INVALID, "contact %d does not have %d rows in W", j, problem->dim);
    CRN_TRY(check_matrix(context, NAME, W, W->block_start));
    for (int i = 0; i < W->block_count; ++i)
        for (int e = W->row_start[i]; e < W->row_start[i + 1]; ++e)
            if (crn_matrix_find(W, W->column[e], i) < 0)
                return crn_fail(context, CAIRN_INVALID, "W has the block (%d, %d) without its partner (%d, %d)", i,
                                W->column[e], W->column[e], i);
    return CAIRN_OK;
}

cairn_status crn_problem_check(cairn_context *context, const cairn_problem *problem)
{
    if (!problem)
        return crn_fail(context, CAIRN_INVALID, "the problem is missing");
    CRN_TRY(check_sizes(context, problem));
    CRN_TRY(check_law(context, problem->law));
    CRN_TRY(check_blocks(context, problem));
    CRN_TRY(check_mass_matrix(context, problem));
    CRN_TRY(check_numbers(context, "p", problem->p, problem->n));
    CRN_TRY(check_weights(context, "length", problem->length, problem->n));
    CRN_TRY(check_rows(context, problem, &problem->G, "G", problem->joint_rows));
    CRN_TRY(check_not_negative(context, "R_c", problem->R_c, problem->joint_rows));
    CRN_TRY(check_numbers(context, "b", problem->b, problem->joint_rows));
    CRN_TRY(check_weights(context, "joint_weight", problem->joint_weight, problem->joint_rows));
    CRN_TRY(check_weights(context, "joint_length", problem->joint_length, problem->joint_rows));
    CRN_TRY(check_contacts(context, problem));
    CRN_TRY(check_patches(context, problem));
    return check_sparse(context, problem);
}

/* The first row that couples with one after it. */
static int first_coupled(const double *block, int size)
{
    for (int i = 0; i < size; ++i)
    {
        for (int j = i + 1; j < size; ++j)
            if (block[i * size + j] != 0.0 || block[j * size + i] != 0.0)
                return i;
    }
    return size;
}

/* The first row at which Cholesky's method meets a pivot that is not positive, which goes into *pivot; `size`: none. */
static int bad_pivot(const double *block, int size, double *pivot)
{
    assert(size <= LARGEST_BLOCK);
    double L[LARGEST_BLOCK][LARGEST_BLOCK];
    int first = crn_block_is_diagonal(size, block) ? size : first_coupled(block, size);
    for (int i = 0; i < first; ++i)
    {
        *pivot = block[i * (size + 1)];
        if (!(*pivot > 0.0))
            return i;
    }
    for (int i = first; i < size; ++i)
    {
        for (int j = first; j <= i; ++j)
        {
            double sum = 0.5 * (block[i * size + j] + block[j * size + i]);
            for (int k = first; k < j; ++k)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0.0))
            {
                *pivot = sum;
                return i;
            }
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    }
    return size;
}

/* Whether a body's block has three positive rows that couple with no other, then three whose symmetric part is positive definite. */
static bool is_body(int size, const double *A)
{
    if (size != 6)
        return false;
    bool apart = A[0] > 0.0 && A[7] > 0.0 && A[14] > 0.0 && crn_block_is_apart(A);
    double a = A[21], b = 0.5 * (A[22] + A[27]), c = 0.5 * (A[23] + A[33]);
    double d = A[28] - b * b / a, e = 0.5 * (A[29] + A[34]) - b * c / a;
    return apart && a > 0.0 && d > 0.0 && A[35] - c * c / a - e * e / d > 0.0;
}

cairn_status crn_problem_check_mass(cairn_context *context, const cairn_problem *problem, int i)
{
    assert(i >= 0 && i < problem->block_count);
    int first = problem->block_start[i];
    int size = problem->block_start[i + 1] - first;
    const double *block = crn_diagonal_block(&problem->A, i);
    double pivot = 0.0;
    if (is_body(size, block))
        return CAIRN_OK;
    int row = size <= LARGEST_BLOCK ? bad_pivot(block, size, &pivot) : size;
    return row == size
               ? CAIRN_OK
               : crn_fail(context, CAIRN_NUMERIC,
                          "the matrix A is not positive definite: row %d (block %d, its row %d) has the pivot %g",
                          first + row, i, row, pivot);
}

/* Whether blocks i to i + 3 are bodies in space with positive definite blocks. */
static bool are_four_bodies(const cairn_problem *problem, int i)
{
    const double *A[4];
    if (i + 4 > problem->block_count)
        return false;
    for (int l = 0; l < 4; ++l)
    {
        if (problem->block_start[i + l + 1] - problem->block_start[i + l] != 6)
            return false;
        A[l] = crn_diagonal_block(&problem->A, i + l);
    }
    return crn_four_bodies_are_definite(A);
}

cairn_status crn_problem_check_masses(cairn_context *context, const cairn_problem *problem)
{
    for (int i = 0; i < problem->block_count;)
    {
        bool four = are_four_bodies(problem, i);
        if (!four)
            CRN_TRY(crn_problem_check_mass(context, problem, i));
        i += four ? 4 : 1;
    }
    return CAIRN_OK;
}

bool cairn_problem_is_valid(cairn_context *context, const cairn_problem *problem)
{
    return crn_problem_check(context, problem) == CAIRN_OK;
}
