/* W = H K^-1 H' by the motions that joints leave their bodies (forest_motion.c). From the roots to the leaves these give the bodies' velocities
 * with the columns of all limbs above them,
 *
 *     right_c = [N D^-1, T_r right_p],     left_c = [N, T_l left_p],     W = (H right) (H left)'.
 *
 * Of a hinge that was eliminated by its motion (hinge_limb.h) T = M, D is its pivot, and the same velocities are
 *
 *     right_c = M right_p + N (e - N'A M right_p) / D,     left_c = M left_p + N (e - N'A'M left_p / D),
 *
 * with a row e that is 1 in the hinge's own column. A body with a hinge adds one column, where L and U have eleven rows (forest_columns.c).
 */
#include "linalg/forest/forest.h"
#include "linalg/forest/hinge_limb.h"

#include <assert.h>
#include <string.h>

enum
{
    MOST = CRN_FOREST_ROWS
};

/* out = x' M, of `rows` numbers and rows, in the columns that are used. */
INLINE void combine(int rows, const double *x, const double *M, size_t stride, size_t used, double *restrict out)
{
    for (size_t c = 0; c < used; c += LANES)
    {
        lanes sum = x[0] * *(const loose_lanes *)(M + c);
        UNROLL
        for (int i = 1; i < rows; ++i)
            sum += x[i] * *(const loose_lanes *)(M + (size_t)i * stride + c);
        *(loose_lanes *)(out + c) = sum;
    }
}

/* Limbs have later columns than the limbs above them: how many columns limb k uses, in whole vectors. */
INLINE size_t used_columns(const crn_forest *forest, int k)
{
    return crn_forest_padded(forest->limb[k].column + forest->limb[k].freedoms);
}

/* right and left of the body of limb k. */
INLINE void move_body(const crn_forest *forest, int k, int n, int q, size_t stride)
{
    const crn_motion *motion = &forest->motion[forest->limb[k].motion];
    int first = forest->limb[k].column;
    int parent = forest->limb[k].parent;
    double *right = forest->moves + (size_t)(2 * MOST * k) * stride, *left = right + (size_t)MOST * stride;
    const double *above = forest->moves + (size_t)(2 * MOST * parent) * stride;
    size_t used = parent < 0 ? 0 : used_columns(forest, parent);
    assert(used <= stride && (parent < 0 || parent > k));
    for (int i = 0; i < n; ++i, right += stride, left += stride)
    {
        memset(right + used, 0, (stride - used) * sizeof(double));
        memset(left + used, 0, (stride - used) * sizeof(double));
        if (parent >= 0)
        {
            combine(q, motion->right[i], above, stride, used, right);
            combine(q, motion->left[i], above + (size_t)MOST * stride, stride, used, left);
        }
        for (int d = 0; d < motion->count; ++d)
        {
            left[first + d] = motion->free[d][i];
            for (int e = 0; e < motion->count; ++e)
                right[first + e] += motion->free[d][i] * motion->inverse[d][e];
        }
    }
}

/* out = M above + N (own e - press above): six rows in the columns up to `used`, and column `first`. */
INLINE void move_hinge(const hinge_limb *limb, const double press[6], double own, const double *above, size_t stride,
                       size_t used, size_t first, double *out)
{
    for (size_t c = 0; c < used; c += LANES)
    {
        lanes v[6], y = {0.0};
        UNROLL
        for (int k = 0; k < 6; ++k)
        {
            v[k] = *(const loose_lanes *)(above + (size_t)k * stride + c);
            y -= press[k] * v[k];
        }
        UNROLL
        for (int i = 0; i < 6; ++i)
        {
            const double *M = limb->move[i];
            lanes sum = M[3] * v[3] + M[4] * v[4] + M[5] * v[5];
            sum = i < 3 ? v[i] + sum : sum;
            *(loose_lanes *)(out + (size_t)i * stride + c) = sum + M[HINGE_FREE] * y;
        }
    }
    UNROLL
    for (int i = 0; i < 6; ++i)
    {
        for (size_t c = used; c < stride; c += LANES)
            *(loose_lanes *)(out + (size_t)i * stride + c) = (lanes){0.0};
        out[(size_t)i * stride + first] += limb->move[i][HINGE_FREE] * own;
    }
}

/* right and left of the body of limb k, a hinge that was eliminated by its motion. */
INLINE void move_hinged_body(const crn_forest *forest, int k, size_t stride)
{
    const hinge_limb *limb = hinge_of(forest, &forest->limb[k]);
    int parent = forest->limb[k].parent;
    double *right = forest->moves + (size_t)(2 * MOST * k) * stride;
    const double *above = forest->moves + (size_t)(2 * MOST * parent) * stride;
    double inverse = 1.0 / limb->pivot[HINGE_FREE], press[2][6];
    size_t used = used_columns(forest, parent), other = (size_t)MOST * stride, first = (size_t)forest->limb[k].column;
    UNROLL
    for (int j = 0; j < 6; ++j)
    {
        double sum = j < 3 ? limb->A[j][HINGE_FREE] : 0.0;
        UNROLL
        for (int i = 0; i < 6 && j >= 3; ++i)
            sum += limb->A[i][HINGE_FREE] * limb->move[i][j];
        press[0][j] = limb->pivot[j] * inverse;
        press[1][j] = sum * inverse;
    }
    move_hinge(limb, press[0], inverse, above, stride, used, first, right);
    move_hinge(limb, press[1], 1.0, above + other, stride, used, first, right + other);
}

/* The rows of an item at one body. Rows at a second body are added to those at the first. */
INLINE void enter(int dim, int n, const double *H, const double *moves, size_t stride, size_t used, bool second,
                  double *out)
{
    double sum[3 * CRN_FOREST_CONTACTS + LANES];
    for (int l = 0; l < dim; ++l, out += stride)
    {
        combine(n, H + l * n, moves, stride, used, second ? sum : out);
        for (size_t c = 0; c < used && second; c += LANES)
            *(loose_lanes *)(out + c) += *(const loose_lanes *)(sum + c);
        for (size_t c = used; c < stride && !second; c += LANES)
            *(loose_lanes *)(out + c) = (lanes){0.0};
    }
}

INLINE void enter_item(const crn_forest *forest, const cairn_problem *problem, int j, size_t stride, double *right,
                       double *left)
{
    const cairn_block_rows *H = &problem->H;
    int dim = problem->dim;
    if (H->entry_start[j] == H->entry_start[j + 1])
    {
        memset(right, 0, (size_t)dim * stride * sizeof(double));
        memset(left, 0, (size_t)dim * stride * sizeof(double));
    }
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int k = forest->limb_of[H->block[e]], n = forest->limb[k].n;
        const double *value = H->value + H->value_start[e];
        const double *moves = forest->moves + (size_t)(2 * MOST * k) * stride, *other = moves + (size_t)MOST * stride;
        size_t used = used_columns(forest, k);
        bool second = e > H->entry_start[j];
        if (n == 6)
        {
            enter(dim, 6, value, moves, stride, used, second, right);
            enter(dim, 6, value, other, stride, used, second, left);
        }
        else
        {
            enter(dim, n, value, moves, stride, used, second, right);
            enter(dim, n, value, other, stride, used, second, left);
        }
    }
}

INLINE bool spread(const crn_forest *forest, const cairn_problem *problem, size_t stride, double *right, double *left)
{
    int first = 0, motions = 0;
    for (int k = forest->limb_count - 1; k >= 0; --k)
    {
        crn_limb *limb = &forest->limb[k];
        bool spatial = limb->n == 6 && (limb->q == 6 || limb->q == 0);
        if (!limb->contacts)
            continue;
        limb->motion = motions;
        if (!limb->by_motion && !crn_forest_find_motion(forest, problem, k))
            return false;
        limb->freedoms = limb->by_motion ? 1 : forest->motion[motions++].count;
        limb->column = first;
        first += limb->freedoms;
        if (limb->by_motion)
            move_hinged_body(forest, k, stride);
        else if (spatial)
            move_body(forest, k, 6, 6, stride);
        else
            move_body(forest, k, limb->n, limb->q, stride);
    }
    assert((size_t)first <= stride);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        size_t at = (size_t)(j * problem->dim) * stride;
        enter_item(forest, problem, j, stride, right + at, left + at);
    }
    return true;
}

static bool plain_spread(const crn_forest *forest, const cairn_problem *problem, size_t stride, double *right,
                         double *left)
{
    return spread(forest, problem, stride, right, left);
}

WIDE static bool wide_spread(const crn_forest *forest, const cairn_problem *problem, size_t stride, double *right,
                             double *left)
{
    return spread(forest, problem, stride, right, left);
}

cairn_status crn_forest_spread(crn_forest *forest, const cairn_problem *problem, size_t stride, double *right,
                               double *left, bool *regular)
{
    assert(forest->fits && forest->kept && problem->contact_count <= CRN_FOREST_CONTACTS);
    int by_rows = 0;
    for (int k = 0; k < forest->limb_count; ++k)
        by_rows += forest->limb[k].contacts && !forest->limb[k].by_motion;
    CRN_TRY(crn_reserve_all(&forest->memory, CRN_ARRAY(forest->motion, by_rows),
                            CRN_ARRAY(forest->moves, (size_t)(2 * MOST * forest->limb_count) * stride)));
    *regular = HAS_WIDE ? wide_spread(forest, problem, stride, right, left)
                        : plain_spread(forest, problem, stride, right, left);
    return CAIRN_OK;
}

void crn_forest_reach(const crn_forest *forest, uint64_t *reach)
{
    for (int k = 0; k < forest->limb_count; ++k)
        for (int d = 0; forest->limb[k].contacts && d < forest->limb[k].freedoms; ++d)
            reach[forest->limb[k].column + d] = forest->limb[k].contacts;
}
