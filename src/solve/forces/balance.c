#include "solve/forces/balance.h"

#include "linalg/blocks.h"
#include "linalg/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool crn_balance_open(crn_balance *balance)
{
    balance->saddle = crn_saddle_create();
    return balance->saddle;
}

void crn_balance_close(crn_balance *balance)
{
    crn_saddle_destroy(balance->saddle);
    crn_coupled_release(&balance->square);
    crn_arena_release(&balance->memory);
    memset(balance, 0, sizeof *balance);
}

/* ---------------------------------------------------------------------------------------------------------- columns */

static int block_size(const crn_balance *balance, int block)
{
    return balance->first[block + 1] - balance->first[block];
}

static const cairn_block_rows *rows_of(const cairn_problem *problem, const crn_variable *variable, int *item)
{
    *item = variable->joint >= 0 ? variable->joint : variable->contact;
    return variable->joint >= 0 ? &problem->G : &problem->H;
}

/* Number entries and values of all columns. */
static cairn_status lay_out(crn_balance *balance, const crn_active *active, const cairn_problem *problem)
{
    CRN_TRY(crn_reserve_all(&balance->memory, CRN_ARRAY(balance->entry_start, active->count + 1),
                            CRN_ARRAY(balance->row_scale, problem->n + 1), CRN_ARRAY(balance->sum, problem->n + 1)));
    balance->entry_start[0] = 0;
    for (int a = 0; a < active->count; ++a)
    {
        int item;
        const cairn_block_rows *rows = rows_of(problem, &active->variable[a], &item);
        balance->entry_start[a + 1] = balance->entry_start[a] + rows->entry_start[item + 1] - rows->entry_start[item];
    }
    int entries = balance->entry_start[active->count], values = 0;
    CRN_TRY(crn_reserve_all(&balance->memory, CRN_ARRAY(balance->block, entries + 1),
                            CRN_ARRAY(balance->value_start, entries + 1)));
    for (int a = 0; a < active->count; ++a)
    {
        int item;
        const cairn_block_rows *rows = rows_of(problem, &active->variable[a], &item);
        for (int k = 0; k < balance->entry_start[a + 1] - balance->entry_start[a]; ++k)
        {
            int e = balance->entry_start[a] + k;
            balance->block[e] = rows->block[rows->entry_start[item] + k];
            balance->value_start[e] = values;
            values += block_size(balance, balance->block[e]);
        }
    }
    balance->value_start[entries] = values;
    return crn_reserve_all(&balance->memory, CRN_ARRAY(balance->value, values + 1));
}

/* J'gamma of one variable, times its scale. */
static void fill_column(crn_balance *balance, const cairn_problem *problem, const crn_variable *variable, int a,
                        double scale)
{
    assert(scale > 0.0);
    int item, count = variable->joint >= 0 ? 1 : problem->dim;
    const cairn_block_rows *rows = rows_of(problem, variable, &item);
    for (int k = 0; k < balance->entry_start[a + 1] - balance->entry_start[a]; ++k)
    {
        int e = balance->entry_start[a] + k, size = block_size(balance, balance->block[e]);
        const double *from = rows->value + rows->value_start[rows->entry_start[item] + k] + variable->row * size;
        double *to = balance->value + balance->value_start[e];
        memset(to, 0, (size_t)size * sizeof(double));
        for (int r = 0; r < count; ++r)
            for (int i = 0; i < size; ++i)
                to[i] += scale * variable->gamma[r] * from[r * size + i];
    }
}

/* Squares of the lengths of rows: those of a body's translation, or of its rotation, become at least this share of the largest among them. */
static const double LEAST_SHARE = 1e-8;

static void even_out(int count, double *square)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i)
        largest = fmax(largest, square[i]);
    for (int i = 0; i < count; ++i)
        square[i] = square[i] > 0.0 ? fmax(square[i], LEAST_SHARE * largest) : 0.0;
}

/* Scale all rows to length one; rows that no force acts on stay zero. Those that forces hardly act on, such as the motion of a trolley along its rail, which rounding alone
 * makes more than zero, stay short: scaled to length one, what is rounding to other rows would be their whole balance, and the mass of that motion would hide
 * all others. */
static void scale_rows(crn_balance *balance, const cairn_problem *problem)
{
    double *size = balance->row_scale;
    memset(size, 0, (size_t)balance->n * sizeof(double));
    int entries = balance->entry_start[balance->count];
    for (int e = 0; e < entries; ++e)
    {
        const double *value = balance->value + balance->value_start[e];
        double *to = size + balance->first[balance->block[e]];
        for (int i = 0; i < block_size(balance, balance->block[e]); ++i)
            to[i] += value[i] * value[i];
    }
    for (int k = 0; k < problem->block_count; ++k)
    {
        int rows = block_size(balance, k), dim = problem->dim, translation = rows == 3 * (dim - 1) ? dim : rows;
        even_out(translation, size + balance->first[k]);
        even_out(rows - translation, size + balance->first[k] + translation);
    }
    for (int i = 0; i < balance->n; ++i)
        size[i] = size[i] > 0.0 ? 1.0 / sqrt(size[i]) : 1.0;
    for (int e = 0; e < entries; ++e)
        for (int i = 0; i < block_size(balance, balance->block[e]); ++i)
            balance->value[balance->value_start[e] + i] *= size[balance->first[balance->block[e]] + i];
}

cairn_status crn_balance_arrange(crn_balance *balance, const crn_active *active, const cairn_problem *problem,
                                 const double *scale)
{
    balance->n = problem->n;
    balance->count = active->count;
    balance->first = problem->block_start;
    CRN_TRY(lay_out(balance, active, problem));
    for (int a = 0; a < active->count; ++a)
        fill_column(balance, problem, &active->variable[a], a, scale[a]);
    scale_rows(balance, problem);
    CRN_TRY(crn_coupled_arrange(&balance->square, problem, true));
    balance->aux = (cairn_problem){.dim = problem->dim,
                                   .n = problem->n,
                                   .block_count = problem->block_count,
                                   .block_start = problem->block_start,
                                   .A = balance->square.matrix};
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------------------------------- products */

void crn_balance_add_transposed(const crn_balance *balance, const double *pi, double *y)
{
    for (int a = 0; a < balance->count; ++a)
    {
        for (int e = balance->entry_start[a]; e < balance->entry_start[a + 1]; ++e)
        {
            const double *value = balance->value + balance->value_start[e];
            const double *x = pi + balance->first[balance->block[e]];
            for (int i = 0; i < block_size(balance, balance->block[e]); ++i)
                y[a] += value[i] * x[i];
        }
    }
}

void crn_balance_times(const crn_balance *balance, const double *z, const double *f, double *out)
{
    for (int i = 0; i < balance->n; ++i)
        balance->sum[i] = f ? -(long double)f[i] : 0.0L;
    for (int a = 0; a < balance->count; ++a)
    {
        for (int e = balance->entry_start[a]; e < balance->entry_start[a + 1] && z[a] != 0.0; ++e)
        {
            const double *value = balance->value + balance->value_start[e];
            long double *sum = balance->sum + balance->first[balance->block[e]];
            for (int i = 0; i < block_size(balance, balance->block[e]); ++i)
                sum[i] += (long double)value[i] * z[a];
        }
    }
    for (int i = 0; i < balance->n; ++i)
        out[i] = (double)balance->sum[i];
}

/* ----------------------------------------------------------------------------------------------------------- factors */

/* to += f a b', 6 x 6: with the same products and sums as one by one */
static void add_six(double f, const double *a, const double *b, double *to)
{
    crn_lanes b0 = crn_lanes_at(b), b1 = crn_lanes_at(b + 2), b2 = crn_lanes_at(b + 4);
    for (int i = 0; i < 6; ++i, to += 6)
    {
        double s = f * a[i];
        *(crn_lanes *)to = crn_lanes_at(to) + s * b0;
        *(crn_lanes *)(to + 2) = crn_lanes_at(to + 2) + s * b1;
        *(crn_lanes *)(to + 4) = crn_lanes_at(to + 4) + s * b2;
    }
}

/* to += f left right' of two entries */
static void add_product(const crn_balance *balance, double f, int left, int right)
{
    int rows = block_size(balance, balance->block[left]), columns = block_size(balance, balance->block[right]);
    const double *a = balance->value + balance->value_start[left], *b = balance->value + balance->value_start[right];
    double *to = crn_coupled_at(&balance->aux.A, balance->block[left], balance->block[right]);
    if (rows == 6 && columns == 6)
    {
        add_six(f, a, b, to);
        return;
    }
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < columns; ++k)
            to[i * columns + k] += f * a[i] * b[k];
}

/* B P' B' of one piece; NULL: P' = I. The variables of a piece act on the same blocks. */
static void add_piece(const crn_balance *balance, const crn_piece *piece, const double *derivative)
{
    for (int a = 0; a < piece->count; ++a)
    {
        for (int b = 0; b < piece->count; ++b)
        {
            double f = derivative ? 0.5 * (derivative[3 * a + b] + derivative[3 * b + a]) : a == b;
            int left = piece->first + a, right = piece->first + b;
            for (int e = balance->entry_start[left]; e < balance->entry_start[left + 1] && f != 0.0; ++e)
                for (int other = balance->entry_start[right]; other < balance->entry_start[right + 1]; ++other)
                    add_product(balance, f, e, other);
        }
    }
}

static void add_to_diagonal(const crn_balance *balance, double regular)
{
    for (int i = 0; i < balance->aux.block_count; ++i)
    {
        int size = block_size(balance, i);
        double *block = crn_coupled_at(&balance->aux.A, i, i);
        for (int k = 0; k < size; ++k)
            block[k * size + k] += regular;
    }
}

static void fill(crn_balance *balance, const crn_active *active, const double *derivative)
{
    memset(balance->aux.A.value, 0, (size_t)balance->square.values * sizeof(double));
    for (int k = 0; k < active->piece_count; ++k)
        add_piece(balance, &active->piece[k], derivative ? derivative + 9 * (ptrdiff_t)k : NULL);
}

/* The matrix += f S A S */
static void add_bodies(const crn_balance *balance, const cairn_problem *problem, double f)
{
    const cairn_block_matrix *A = &problem->A;
    for (int i = 0; i < problem->block_count; ++i)
    {
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            int rows = block_size(balance, i), columns = block_size(balance, A->column[e]);
            const double *left = balance->row_scale + balance->first[i], *from = A->value + A->value_start[e];
            const double *right = balance->row_scale + balance->first[A->column[e]];
            double *to = crn_coupled_at(&balance->aux.A, i, A->column[e]);
            for (int k = 0; k < rows; ++k)
                for (int l = 0; l < columns; ++l)
                    to[k * columns + l] += f * left[k] * from[k * columns + l] * right[l];
        }
    }
}

/* The largest diagonal entry of S A S. */
static double largest_mass(const crn_balance *balance, const cairn_problem *problem)
{
    double largest = 0.0;
    for (int i = 0; i < problem->block_count; ++i)
    {
        const double *block = crn_diagonal_block(&problem->A, i), *scale = balance->row_scale + balance->first[i];
        for (int k = 0; k < block_size(balance, i); ++k)
            largest = fmax(largest, scale[k] * scale[k] * block[k * block_size(balance, i) + k]);
    }
    return largest;
}

bool crn_balance_factorise_with(crn_balance *balance, const crn_active *active, const cairn_problem *problem,
                                double share)
{
    assert(share > 0.0);
    fill(balance, active, NULL);
    add_bodies(balance, problem, share / largest_mass(balance, problem));
    return crn_saddle_factorise(balance->saddle, NULL, &balance->aux) == CAIRN_OK;
}

bool crn_balance_factorise(crn_balance *balance, const crn_active *active, const double *derivative, double regular)
{
    assert(regular > 0.0);
    fill(balance, active, derivative);
    add_to_diagonal(balance, regular);
    return crn_saddle_factorise(balance->saddle, NULL, &balance->aux) == CAIRN_OK;
}

void crn_balance_solve(const crn_balance *balance, double *b)
{
    crn_saddle_solve(balance->saddle, b, NULL);
}

void crn_balance_pivots(const crn_balance *balance, double *pivot)
{
    crn_saddle_pivots(balance->saddle, pivot);
}
