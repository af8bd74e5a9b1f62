#include "linalg/inverses.h"

#include "base/memory.h"
#include "linalg/blocks.h"
#include "linalg/four_bodies.h"
#include "linalg/lu.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void crn_inverses_release(crn_inverses *inverses)
{
    crn_arena_release(&inverses->memory);
    memset(inverses, 0, sizeof *inverses);
}

static cairn_status reserve(crn_inverses *inverses, const cairn_problem *problem)
{
    size_t blocks = (size_t)problem->block_count + 1;
    size_t values = 1;
    size_t largest = 1;
    for (int i = 0; i < problem->block_count; ++i)
    {
        size_t size = (size_t)(problem->block_start[i + 1] - problem->block_start[i]);
        values += size * size;
        largest = size > largest ? size : largest;
    }
    return crn_reserve_all(&inverses->memory, CRN_ARRAY(inverses->value, values), CRN_ARRAY(inverses->start, blocks),
                           CRN_ARRAY(inverses->lead, blocks), CRN_ARRAY(inverses->order, problem->n + 1),
                           CRN_ARRAY(inverses->work, largest * largest), CRN_ARRAY(inverses->right, largest));
}

/* Compare bit patterns, ignoring the sign of zeros: integer operations do not wait for one another as comparisons do. */
bool crn_block_is_diagonal(int size, const double *block)
{
    assert(size >= 0);
    uint64_t all = 0;
    for (int i = 0; i < size - 1; ++i, block += size + 1) /* between two of the diagonal's there are `size` others */
    {
        for (int k = 1; k <= size; ++k)
        {
            uint64_t bits;
            memcpy(&bits, block + k, sizeof bits);
            all |= bits;
        }
    }
    return all << 1 == 0;
}

/* Count the leading rows whose row and column vanish off the diagonal; those before `from` do. */
static int count_lead(int size, int from, const double *A)
{
    for (int i = from; i < size; ++i)
    {
        for (int j = i + 1; j < size; ++j)
            if (A[i * size + j] != 0.0 || A[j * size + i] != 0.0)
                return i;
    }
    return size;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

bool crn_block_is_apart(const double *A)
{
    uint64_t all = 0;
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 3; k < 6; ++k)
            all |= bits_of(A[i * 6 + k]) | bits_of(A[k * 6 + i]);
        all |= bits_of(A[i * 6 + (i + 1) % 3]) | bits_of(A[i * 6 + (i + 2) % 3]);
    }
    return all << 1 == 0;
}

/* The leading rows of a block. The translations of a body in space couple with nothing as a rule. */
static int lead_of(int size, const double *A)
{
    if (size == 6)
        return count_lead(6, crn_block_is_apart(A) ? 3 : 0, A);
    return crn_block_is_diagonal(size, A) ? size : count_lead(size, 0, A);
}

static inline void swap_three(double *restrict x, double *restrict y)
{
    for (int k = 0; k < 6; ++k)
    {
        double t = x[k];
        x[k] = y[k];
        y[k] = t;
    }
}

/* X = A^-1 of the turns of a body, both within 6 columns: elimination as crn_lu_factorise has it, of A and the identity beside it, written out. False
 * where A is singular. */
static bool invert_three(const double *restrict A, double *restrict X)
{
    double a[3][6] = {
        {A[0], A[1], A[2], 1.0, 0.0, 0.0}, {A[6], A[7], A[8], 0.0, 1.0, 0.0}, {A[12], A[13], A[14], 0.0, 0.0, 1.0}};
    int best = fabs(a[1][0]) > fabs(a[0][0]) ? 1 : 0;
    best = fabs(a[2][0]) > fabs(a[best][0]) ? 2 : best;
    if (best > 0)
        swap_three(a[0], a[best]);
    for (int i = 1; i < 3; ++i)
    {
        double f = a[i][0] / a[0][0];
        for (int k = 1; k < 6; ++k)
            a[i][k] -= f * a[0][k];
    }
    if (fabs(a[2][1]) > fabs(a[1][1]))
        swap_three(a[1], a[2]);
    double f = a[2][1] / a[1][1];
    for (int k = 2; k < 6; ++k)
        a[2][k] -= f * a[1][k];
    for (int k = 3; k < 6; ++k)
    {
        double z = a[2][k] / a[2][2], y = (a[1][k] - a[1][2] * z) / a[1][1];
        X[k + 9] = z;
        X[k + 3] = y;
        X[k - 3] = ((a[0][k] - a[0][1] * y) - a[0][2] * z) / a[0][0];
    }
    return a[0][0] != 0.0 && a[1][1] != 0.0 && a[2][2] != 0.0;
}

/* Invert the rows from `lead` on by elimination where they are few, else keep their factors. */
static bool invert_rest(crn_inverses *inverses, int size, int lead, const double *A, int *order, double *X)
{
    assert(0 <= lead && lead < size);
    int rest = size - lead;
    bool few = rest <= CRN_MOST_INVERTED;
    double *to = X + (size_t)lead * (size_t)(size + 1);
    double *factors = few ? inverses->work : to;
    int stride = few ? rest : size;
    for (int i = 0; i < rest; ++i)
    {
        memset(to + (size_t)i * (size_t)size, 0, (size_t)rest * sizeof(double));
        memcpy(factors + (size_t)i * (size_t)stride, A + (size_t)(i + lead) * (size_t)size + lead,
               (size_t)rest * sizeof(double));
    }
    bool regular = crn_lu_factorise(rest, factors, stride, order, 0.0);
    for (int i = 0; i < rest && few && regular; ++i)
        to[i * size + order[i]] = 1.0;
    if (few && regular)
        crn_lu_solve(rest, factors, rest, to, size, rest);
    return regular;
}

static bool invert(crn_inverses *inverses, int i, int size, const double *A, double *X)
{
    int lead = lead_of(size, A);
    bool regular = true;
    inverses->lead[i] = lead;
    for (size_t k = 0, at = 0; k < (size_t)lead; ++k, at += (size_t)size + 1)
    {
        X[at] = 1.0 / A[at];
        regular &= A[at] != 0.0;
    }
    int *order = inverses->order + inverses->block_start[i];
    if (size == 6 && lead == 3)
        return invert_three(A + 21, X + 21) && regular;
    return (lead == size || invert_rest(inverses, size, lead, A, order, X)) && regular;
}

/* Whether blocks i to i + 3 are bodies in space that could be inverted together, and were. */
static bool invert_four(crn_inverses *inverses, const cairn_problem *problem, int i, int start)
{
    const double *A[4], *first = crn_diagonal_block(&problem->A, i);
    double *X[4];
    if (i + 4 > problem->block_count || problem->block_start[i + 1] - problem->block_start[i] != 6 ||
        (first[22] == 0.0 && first[23] == 0.0 && first[27] == 0.0 && first[33] == 0.0))
        return false;
    for (int l = 0; l < 4; ++l)
    {
        if (problem->block_start[i + l + 1] - problem->block_start[i + l] != 6)
            return false;
        A[l] = crn_diagonal_block(&problem->A, i + l);
        X[l] = inverses->value + start + (ptrdiff_t)36 * l;
        inverses->start[i + l] = start + 36 * l;
        inverses->lead[i + l] = 3;
    }
    return crn_four_bodies_invert(A, X);
}

cairn_status crn_inverses_make(crn_inverses *inverses, const cairn_problem *problem, int most, int *singular)
{
    assert(problem->block_count >= 0 && most >= 0);
    const cairn_block_matrix *A = &problem->A;
    int start = 0;
    *singular = -1;
    if (reserve(inverses, problem))
        return CAIRN_NO_MEMORY;
    inverses->block_start = problem->block_start;
    for (int i = 0; i < problem->block_count;)
    {
        int size = problem->block_start[i + 1] - problem->block_start[i];
        bool four = most >= 6 && invert_four(inverses, problem, i, start);
        inverses->start[i] = start;
        bool regular =
            four || size > most || invert(inverses, i, size, crn_diagonal_block(A, i), inverses->value + start);
        *singular = *singular < 0 && !regular ? i : *singular;
        start += four ? 4 * 36 : size * size;
        i += four ? 4 : 1;
    }
    return CAIRN_OK;
}

bool crn_inverses_is_positive(const crn_inverses *inverses, int i)
{
    assert(i >= 0 && inverses->block_start[i] <= inverses->block_start[i + 1]);
    int size = inverses->block_start[i + 1] - inverses->block_start[i];
    const double *X = inverses->value + inverses->start[i];
    bool positive = inverses->lead[i] == size;
    for (int k = 0; k < size && positive; ++k, X += size + 1)
        positive = *X > 0.0;
    return positive;
}

/* x += X b, `rest` rows of a matrix of `size` columns. */
static inline void add_product(int rest, int size, const double *X, const double *b, double *x)
{
    for (int i = 0; i < rest; ++i)
    {
        double sum = 0.0;
        for (int j = 0; j < rest; ++j)
            sum += X[i * size + j] * b[j];
        x[i] += sum;
    }
}

static void add_solution(const crn_inverses *inverses, int rest, int size, const double *factors, const int *order,
                         const double *b, double *x)
{
    assert(0 < rest && rest <= size);
    double *y = inverses->work;
    for (int i = 0; i < rest; ++i)
        y[i] = b[order[i]];
    crn_lu_solve(rest, factors, size, y, 1, 1);
    for (int i = 0; i < rest; ++i)
        x[i] += y[i];
}

void crn_inverses_add(const crn_inverses *inverses, int i, const double *b, double *x)
{
    assert(i >= 0 && inverses->block_start[i] <= inverses->block_start[i + 1]);
    const double *X = inverses->value + inverses->start[i];
    int size = inverses->block_start[i + 1] - inverses->block_start[i];
    int lead = inverses->lead[i];
    int rest = size - lead;
    for (int k = 0; k < lead; ++k, X += size + 1)
        x[k] += *X * b[k];
    if (rest == 0)
        return;
    if (rest == 3 && size == 6)
        add_product(3, 6, X, b + 3, x + 3);
    else if (rest <= CRN_MOST_INVERTED)
        add_product(rest, size, X, b + lead, x + lead);
    else
        add_solution(inverses, rest, size, X, inverses->order + inverses->block_start[i], b + lead, x + lead);
}

/* A body in space whose translations couple with nothing. Sums begin with 0, which turns -0 into 0. */
static void apply_to_body(const double *X, const double *b, double *x)
{
    double wx = b[3], wy = b[4], wz = b[5];
    x[0] = 0.0 + X[0] * b[0];
    x[1] = 0.0 + X[7] * b[1];
    x[2] = 0.0 + X[14] * b[2];
    x[3] = 0.0 + X[21] * wx + X[22] * wy + X[23] * wz;
    x[4] = 0.0 + X[27] * wx + X[28] * wy + X[29] * wz;
    x[5] = 0.0 + X[33] * wx + X[34] * wy + X[35] * wz;
}

void crn_inverses_apply(const crn_inverses *inverses, int i, const double *b, double *x)
{
    int size = inverses->block_start[i + 1] - inverses->block_start[i];
    if (size == 6 && inverses->lead[i] == 3)
    {
        apply_to_body(inverses->value + inverses->start[i], b, x);
        return;
    }
    if (inverses->lead[i] == size)
    {
        const double *X = inverses->value + inverses->start[i];
        for (int k = 0; k < size; ++k, X += size + 1)
            x[k] = 0.0 + *X * b[k];
        return;
    }
    double *right = inverses->right;
    memcpy(right, b, (size_t)size * sizeof(double));
    memset(x, 0, (size_t)size * sizeof(double));
    crn_inverses_add(inverses, i, right, x);
}

static double square_of_rest(const crn_inverses *inverses, int i, int size, int lead, const double *b)
{
    assert(0 <= lead && lead < size);
    double small[CRN_MOST_INVERTED] = {0.0};
    int rest = size - lead;
    double sum = 0.0;
    const double *X = inverses->value + inverses->start[i] + (size_t)lead * (size_t)(size + 1);
    if (rest <= CRN_MOST_INVERTED)
    {
        add_product(rest, size, X, b, small);
        for (int k = 0; k < rest; ++k)
            sum += b[k] * small[k];
        return sum;
    }
    double *x = inverses->work + size;
    memset(x, 0, (size_t)rest * sizeof(double));
    add_solution(inverses, rest, size, X, inverses->order + inverses->block_start[i], b, x);
    for (int k = 0; k < rest; ++k)
        sum += b[k] * x[k];
    return sum;
}

static double add_squares(int rows, int size, const double *B)
{
    double sum = 0.0;
    for (int k = 0; k < rows; ++k, B += size)
        sum += *B * *B;
    return sum;
}

/* The same of one row, written out for the turns of a body in space: nine numbers of a matrix with six columns. */
static inline double square_of_turns(const double *X, const double *b)
{
    double x = 0.0 + X[0] * b[0] + X[1] * b[1] + X[2] * b[2];
    double y = 0.0 + X[6] * b[0] + X[7] * b[1] + X[8] * b[2];
    double z = 0.0 + X[12] * b[0] + X[13] * b[1] + X[14] * b[2];
    return 0.0 + b[0] * (0.0 + x) + b[1] * (0.0 + y) + b[2] * (0.0 + z);
}

double crn_inverses_trace(const crn_inverses *inverses, int i, int rows, const double *B)
{
    assert(i >= 0 && rows >= 0);
    const double *X = inverses->value + inverses->start[i];
    int size = inverses->block_start[i + 1] - inverses->block_start[i];
    int lead = inverses->lead[i];
    double trace = 0.0;
    for (int j = 0; j < lead; ++j, X += size + 1)
    {
        double sum = rows == 3 ? B[j] * B[j] + B[j + size] * B[j + size] + B[j + 2 * size] * B[j + 2 * size]
                               : add_squares(rows, size, B + j);
        trace += sum * *X;
    }
    for (int k = 0; k < rows && lead < size; ++k)
        trace += size == 6 && lead == 3 ? square_of_turns(X, B + 6 * k + 3)
                                        : square_of_rest(inverses, i, size, lead, B + k * size + lead);
    return trace;
}

/* X = B times a diagonal; for 6 columns, as most have, compiled apart. */
static inline void scale_columns(int rows, int size, const double *d, const double *restrict B, double *restrict X)
{
    for (int k = 0; k < rows; ++k, B += size, X += size)
        for (int j = 0; j < size; ++j)
            X[j] = d[j] * B[j];
}

void crn_inverses_product(const crn_inverses *inverses, int i, int rows, const double *B, double *X)
{
    assert(i >= 0 && rows >= 0);
    int size = inverses->block_start[i + 1] - inverses->block_start[i];
    if (inverses->lead[i] == size && size <= CRN_MOST_INVERTED)
    {
        double d[CRN_MOST_INVERTED];
        const double *at = inverses->value + inverses->start[i];
        for (int k = 0; k < size; ++k, at += size + 1)
            d[k] = *at;
        if (size == 6)
            scale_columns(rows, 6, d, B, X);
        else
            scale_columns(rows, size, d, B, X);
        return;
    }
    memset(X, 0, (size_t)rows * (size_t)size * sizeof(double));
    for (int k = 0; k < rows; ++k)
        crn_inverses_add(inverses, i, B + k * size, X + k * size);
}
