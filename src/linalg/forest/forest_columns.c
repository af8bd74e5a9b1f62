/* W = H K^-1 H' of a mechanism with few contacts. X = L^-1 H' and Z = U^-T H' are computed limb by limb from the leaves to the root,
 * for the contacts of the limb and of all below it; W is the sum of Z'X over the limbs. A column per row of a contact; contacts
 * of a limb are in ascending order.
 */
#include "linalg/forest/forest.h"
#include "linalg/saddle_lanes.h"

#include <assert.h>
#include <string.h>

/* The place of a contact among those of a set. */
static int place_of(uint64_t contacts, int contact)
{
    return __builtin_popcountll(contacts & (((uint64_t)1 << contact) - 1));
}

static int column_count(const crn_limb *limb, int dim)
{
    return dim * __builtin_popcountll(limb->contacts);
}

void crn_forest_mark(crn_forest *forest, const cairn_problem *problem)
{
    for (int k = 0; k < forest->limb_count; ++k)
        forest->limb[k].contacts = 0;
    for (int j = 0; j < problem->contact_count; ++j)
        for (int e = problem->H.entry_start[j]; e < problem->H.entry_start[j + 1]; ++e)
            forest->limb[forest->limb_of[problem->H.block[e]]].contacts |= (uint64_t)1 << j;
    for (int k = 0; k < forest->limb_count; ++k)
        if (forest->limb[k].parent >= 0)
            forest->limb[forest->limb[k].parent].contacts |= forest->limb[k].contacts;
}

/* The contacts of each limb and where its columns start. */
static cairn_status lay_out(crn_forest *forest, const cairn_problem *problem)
{
    size_t size = 0;
    crn_forest_mark(forest, problem);
    for (int k = 0; k < forest->limb_count; ++k)
    {
        crn_limb *limb = &forest->limb[k];
        limb->columns = size;
        size += (size_t)(limb->n + limb->m + limb->q) * crn_forest_padded(column_count(limb, problem->dim));
    }
    CRN_TRY(crn_reserve_all(&forest->memory, CRN_ARRAY(forest->X, size), CRN_ARRAY(forest->Z, size)));
    memset(forest->X, 0, size * sizeof(double));
    memset(forest->Z, 0, size * sizeof(double));
    return CAIRN_OK;
}

/* H' of the contacts of a body, into X and Z. */
static void load(const crn_forest *forest, const cairn_problem *problem)
{
    int dim = problem->dim;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        for (int e = problem->H.entry_start[j]; e < problem->H.entry_start[j + 1]; ++e)
        {
            const crn_limb *limb = &forest->limb[forest->limb_of[problem->H.block[e]]];
            const double *H = problem->H.value + problem->H.value_start[e];
            size_t stride = crn_forest_padded(column_count(limb, dim));
            size_t to = limb->columns + (size_t)(dim * place_of(limb->contacts, j));
            for (int i = 0; i < limb->n; ++i, to += stride)
            {
                for (int k = 0; k < dim; ++k)
                {
                    forest->X[to + (size_t)k] += H[k * limb->n + i];
                    forest->Z[to + (size_t)k] += H[k * limb->n + i];
                }
            }
        }
    }
}

/* row i of x -= f row k, in all columns */
INLINE void subtract(double *x, size_t stride, int i, int k, double f)
{
    double *to = x + (size_t)i * stride;
    const double *from = x + (size_t)k * stride;
    for (size_t j = 0; j < stride; j += LANES)
        *(loose_lanes *)(to + j) -= f * *(const loose_lanes *)(from + j);
}

/* Substitution through one limb: the rows of its body and joint are done, those of the parent hold what the parent gets. */
INLINE void go_up(const crn_forest *forest, const crn_limb *limb, size_t stride)
{
    int n = limb->n, tied = n + limb->m, rows = tied + limb->q;
    size_t width = crn_forest_padded(rows + 1), height = crn_forest_padded(rows);
    const double *F = forest->values + limb->values, *L = forest->lower + limb->lower;
    const double *inverse = forest->inverse + limb->row;
    double *X = forest->X + limb->columns, *Z = forest->Z + limb->columns;
    for (int k = 0; k < tied; ++k, F += width, L += height)
    {
        for (size_t j = 0; j < stride; j += LANES)
            *(loose_lanes *)(Z + (size_t)k * stride + j) *= inverse[k];
        for (int i = k + 1; i < (k < n ? tied : rows); ++i)
        {
            subtract(X, stride, i, k, L[i]);
            subtract(Z, stride, i, k, F[i < tied ? i : i + 1]);
        }
    }
}

/* Add the rows of the parent to its own. */
static void pass_on(const crn_forest *forest, const crn_limb *limb, int dim, size_t stride)
{
    const crn_limb *parent = &forest->limb[limb->parent];
    size_t to_stride = crn_forest_padded(column_count(parent, dim));
    int slot = 0;
    for (uint64_t left = limb->contacts; left; left &= left - 1, ++slot)
    {
        size_t to = parent->columns + (size_t)(dim * place_of(parent->contacts, __builtin_ctzll(left)));
        size_t from = limb->columns + (size_t)(limb->n + limb->m) * stride + (size_t)(dim * slot);
        for (int i = 0; i < limb->q; ++i, to += to_stride, from += stride)
        {
            for (int k = 0; k < dim; ++k)
            {
                forest->X[to + (size_t)k] += forest->X[from + (size_t)k];
                forest->Z[to + (size_t)k] += forest->Z[from + (size_t)k];
            }
        }
    }
}

/* W += Z'X of one limb. */
INLINE void add_products(const crn_forest *forest, const crn_limb *limb, int dim, int rows, size_t stride, double *W)
{
    const double *X = forest->X + limb->columns, *Z = forest->Z + limb->columns;
    int column = 0;
    double sum[4 * CRN_FOREST_CONTACTS];
    for (uint64_t left = limb->contacts; left; left &= left - 1)
    {
        for (int l = 0; l < dim; ++l, ++column)
        {
            double *to = W + (size_t)(dim * __builtin_ctzll(left) + l) * (size_t)rows;
            for (size_t j = 0; j < stride; j += LANES)
            {
                lanes part = {0.0};
                for (int k = 0; k < limb->n + limb->m; ++k)
                    part += Z[(size_t)k * stride + (size_t)column] * *(const loose_lanes *)(X + (size_t)k * stride + j);
                *(loose_lanes *)(sum + j) = part;
            }
            const double *from = sum;
            for (uint64_t other = limb->contacts; other; other &= other - 1)
                for (int k = 0; k < dim; ++k)
                    to[dim * __builtin_ctzll(other) + k] += *from++;
        }
    }
}

INLINE void form(const crn_forest *forest, int dim, int rows, double *W)
{
    for (int k = 0; k < forest->limb_count; ++k)
    {
        const crn_limb *limb = &forest->limb[k];
        size_t stride = crn_forest_padded(column_count(limb, dim));
        if (!limb->contacts)
            continue;
        go_up(forest, limb, stride);
        if (limb->parent >= 0)
            pass_on(forest, limb, dim, stride);
        add_products(forest, limb, dim, rows, stride, W);
    }
}

static void plain_form(const crn_forest *forest, int dim, int rows, double *W)
{
    form(forest, dim, rows, W);
}

WIDE static void wide_form(const crn_forest *forest, int dim, int rows, double *W)
{
    form(forest, dim, rows, W);
}

cairn_status crn_forest_delassus(crn_forest *forest, const cairn_problem *problem, double *W)
{
    assert(forest->fits && forest->kept == CRN_KEPT_FACTORS && problem->contact_count <= CRN_FOREST_CONTACTS);
    int rows = problem->dim * problem->contact_count;
    memset(W, 0, (size_t)rows * (size_t)rows * sizeof(double));
    CRN_TRY(lay_out(forest, problem));
    load(forest, problem);
    if (HAS_WIDE)
        wide_form(forest, problem->dim, rows, W);
    else
        plain_form(forest, problem->dim, rows, W);
    return CAIRN_OK;
}
