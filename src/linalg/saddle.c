/* K = L D U, scalar and up-looking, on the symmetric closure of K's pattern.
 *
 * With rows and columns permuted so that bodies come before joints, step k borders the factors found so far:
 *
 *     t = L^-1 K(1:k-1, k),   s = U^-T K(k, 1:k-1)',   U(:, k) = D^-1 t,   L(k, :) = (D^-1 s)',
 *     d_k = K(k, k) - s' D^-1 t.
 *
 * t and s share one pattern, the paths of the elimination tree from the nonzeros of column k, so one pass serves both.
 * L and U' are stored by columns with one index array. The terms of d_k also give the size the pivot would have
 * without cancellation, |K(k, k)| + sum |s_i t_i / d_i|: a joint's pivot far below it means a dependent row.
 */
#include "linalg/saddle.h"

#include "base/memory.h"
#include "linalg/saddle_pattern.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding leaves about 1e-15 of the terms' size in a pivot that should vanish; an honest one reaches down to the mass
 * ratio, 1e-8. */
static const double JOINT_PIVOT_FLOOR = 1e-11;

struct crn_saddle
{
    crn_saddle_pattern pattern;
    int dropped;
    double *upper, *lower;    /* K by columns of the upper triangle: K(i, j) and K(j, i) */
    double *L, *U;            /* values on the pattern of L: L(i, j) and U(j, i) */
    double *inverse_d;        /* 1 / d_k; 0 for a dropped row */
    double *t, *s;            /* work: one column */
    double *solution;         /* work: a permuted right-hand side */
    int *stack, *path, *mark; /* work: the reach of a column */
    int *fill;                /* work: entries of each column of L so far */
    size_t slot_capacity, slot_capacity2, L_capacity, U_capacity;
    size_t capacity[8];
};

crn_saddle *crn_saddle_create(void)
{
    return calloc(1, sizeof(crn_saddle));
}

void crn_saddle_destroy(crn_saddle *saddle)
{
    if (!saddle)
    {
        return;
    }
    crn_saddle_pattern_release(&saddle->pattern);
    void *owned[] = {saddle->upper, saddle->lower, saddle->L,    saddle->U,    saddle->inverse_d, saddle->t,
                     saddle->s,     saddle->stack, saddle->path, saddle->mark, saddle->fill,      saddle->solution};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
    {
        free(owned[i]);
    }
    free(saddle);
}

int crn_saddle_dropped_rows(const crn_saddle *saddle)
{
    return saddle->dropped;
}

static cairn_status reserve(crn_saddle *saddle)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    size_t size = (size_t)pattern->size + 1; /* one more than needed: no array is missing when there are no bodies */
    size_t slots = (size_t)pattern->slot_count + 1;
    size_t fill = (size_t)pattern->L_start[pattern->size] + 1;
    cairn_status status = CAIRN_OK;
    double **columns[] = {&saddle->inverse_d, &saddle->t, &saddle->s, &saddle->solution};
    int **indices[] = {&saddle->stack, &saddle->path, &saddle->mark, &saddle->fill};
    for (int i = 0; i < 4 && !status; ++i)
    {
        status = crn_reserve(columns[i], &saddle->capacity[i], size, sizeof(double));
        status = status ? status : crn_reserve(indices[i], &saddle->capacity[4 + i], size, sizeof(int));
    }
    status = status ? status : crn_reserve(&saddle->upper, &saddle->slot_capacity, slots, sizeof(double));
    status = status ? status : crn_reserve(&saddle->lower, &saddle->slot_capacity2, slots, sizeof(double));
    status = status ? status : crn_reserve(&saddle->L, &saddle->L_capacity, fill, sizeof(double));
    return status ? status : crn_reserve(&saddle->U, &saddle->U_capacity, fill, sizeof(double));
}

/* Add the values of A and G into their slots, in the order the pattern listed them. */
static void scatter(crn_saddle *saddle, const cairn_problem *problem)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    memset(saddle->upper, 0, (size_t)pattern->slot_count * sizeof(double));
    memset(saddle->lower, 0, (size_t)pattern->slot_count * sizeof(double));
    int entries = problem->block_count ? problem->A.row_start[problem->block_count] : 0;
    int values = entries ? problem->A.value_start[entries] : 0;
    for (int k = 0; k < values; ++k)
    {
        double *side = pattern->in_upper[k] ? saddle->upper : saddle->lower;
        side[pattern->slot[k]] += problem->A.value[k];
    }
    int joint_entries = problem->G.item_count ? problem->G.entry_start[problem->G.item_count] : 0;
    int joint_values = joint_entries ? problem->G.value_start[joint_entries] : 0;
    for (int k = 0; k < joint_values; ++k)
    {
        saddle->upper[pattern->slot[values + k]] -= problem->G.value[k];
        saddle->lower[pattern->slot[values + k]] += problem->G.value[k];
    }
    for (int i = 0; i < problem->joint_rows; ++i)
    {
        saddle->upper[pattern->diagonal[pattern->position[problem->n + i]]] += problem->R_c[i];
    }
}

/* The rows of L(k, :) in an order in which they can be eliminated; returns where they start in `path`. */
static int reach(crn_saddle *saddle, int k)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    int top = pattern->size;
    saddle->mark[k] = k;
    for (int slot = pattern->slot_start[k]; slot < pattern->slot_start[k + 1]; ++slot)
    {
        int i = pattern->slot_row[slot];
        int length = 0;
        for (; saddle->mark[i] != k; i = pattern->parent[i])
        {
            saddle->stack[length++] = i;
            saddle->mark[i] = k;
        }
        while (length > 0)
        {
            saddle->path[--top] = saddle->stack[--length];
        }
    }
    return top;
}

/* Eliminate column and row k; returns d_k and the size of its terms. */
static double eliminate(crn_saddle *saddle, int k, double *size)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    double *t = saddle->t;
    double *s = saddle->s;
    int top = reach(saddle, k);
    for (int slot = pattern->slot_start[k]; slot < pattern->slot_start[k + 1]; ++slot)
    {
        t[pattern->slot_row[slot]] = saddle->upper[slot];
        s[pattern->slot_row[slot]] = saddle->lower[slot];
    }
    double d = t[k];
    *size = fabs(d);
    t[k] = s[k] = 0.0;
    for (int step = top; step < pattern->size; ++step)
    {
        int i = saddle->path[step];
        double ti = t[i];
        double si = s[i];
        t[i] = s[i] = 0.0;
        int end = pattern->L_start[i] + saddle->fill[i];
        for (int e = pattern->L_start[i]; e < end; ++e)
        {
            t[pattern->L_row[e]] -= saddle->L[e] * ti;
            s[pattern->L_row[e]] -= saddle->U[e] * si;
        }
        assert(end < pattern->L_start[i + 1] && pattern->L_row[end] == k);
        saddle->L[end] = si * saddle->inverse_d[i];
        saddle->U[end] = ti * saddle->inverse_d[i];
        saddle->fill[i]++;
        d -= saddle->L[end] * ti;
        *size += fabs(saddle->L[end] * ti);
    }
    return d;
}

static cairn_status bad_pivot(cairn_context *context, const cairn_problem *problem, int row, double pivot)
{
    int block = 0;
    while (problem->block_start[block + 1] <= row)
    {
        ++block;
    }
    return crn_fail(context, CAIRN_NUMERIC,
                    "the matrix A is not positive definite: row %d (block %d, its row %d) has the pivot %g", row, block,
                    row - problem->block_start[block], pivot);
}

cairn_status crn_saddle_factorise(crn_saddle *saddle, cairn_context *context, const cairn_problem *problem)
{
    crn_saddle_pattern *pattern = &saddle->pattern;
    cairn_status status = crn_saddle_pattern_update(pattern, problem);
    status = status ? status : reserve(saddle);
    if (status)
    {
        return crn_fail(context, status, "no memory to factorise %d rows", problem->n + problem->joint_rows);
    }
    scatter(saddle, problem);
    saddle->dropped = 0;
    for (int k = 0; k < pattern->size; ++k)
    {
        saddle->mark[k] = -1;
        saddle->fill[k] = 0;
        saddle->t[k] = saddle->s[k] = 0.0;
    }
    for (int k = 0; k < pattern->size; ++k)
    {
        double size;
        double d = eliminate(saddle, k, &size);
        bool joint = pattern->order[k] >= problem->n;
        if (!joint && !(fabs(d) > 1e-10*size && isfinite(d)))
        {
            return bad_pivot(context, problem, pattern->order[k], d);
        }
        bool dependent = joint && !(d > JOINT_PIVOT_FLOOR * size);
        saddle->inverse_d[k] = dependent ? 0.0 : 1.0 / d;
        saddle->dropped += dependent;
    }
    return CAIRN_OK;
}

/* Solve the leading `count` positions of L D U x = x. Bodies come first, so their part is A alone. */
static void substitute(const crn_saddle *saddle, int count, double *x)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const int *row = pattern->L_row;
    for (int k = 0; k < count; ++k)
    {
        if (x[k] == 0.0)
        {
            continue; /* right-hand sides of a single contact touch few rows */
        }
        for (int e = pattern->L_start[k]; e < pattern->L_start[k + 1] && row[e] < count; ++e)
        {
            x[row[e]] -= saddle->L[e] * x[k];
        }
    }
    for (int k = count - 1; k >= 0; --k)
    {
        double value = x[k] * saddle->inverse_d[k];
        for (int e = pattern->L_start[k]; e < pattern->L_start[k + 1] && row[e] < count; ++e)
        {
            value -= saddle->U[e] * x[row[e]];
        }
        x[k] = value;
    }
}

void crn_saddle_solve(const crn_saddle *saddle, double *v, double *c)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    double *x = saddle->solution;
    int n = pattern->n;
    assert(c || pattern->size == n);
    for (int k = 0; k < pattern->size; ++k)
    {
        int row = pattern->order[k];
        x[k] = row < n ? v[row] : c[row - n];
    }
    substitute(saddle, pattern->size, x);
    for (int k = 0; k < pattern->size; ++k)
    {
        int row = pattern->order[k];
        *(row < n ? &v[row] : &c[row - n]) = x[k];
    }
}

void crn_saddle_solve_free(const crn_saddle *saddle, double *v)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    double *x = saddle->solution;
    for (int k = 0; k < pattern->n; ++k)
    {
        assert(pattern->order[k] < pattern->n);
        x[k] = v[pattern->order[k]];
    }
    substitute(saddle, pattern->n, x);
    for (int k = 0; k < pattern->n; ++k)
    {
        v[pattern->order[k]] = x[k];
    }
}
