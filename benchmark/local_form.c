#include "local_form.h"

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_DENSE = 2500, /* contacts of a dense W: 450 MB */
    MOST_BLOCK = 6     /* unknowns of a body */
};

static bool is_apart(const cairn_problem *problem)
{
    bool apart = problem->joint_rows == 0 && problem->patch_count == 0 && problem->n > 0;
    for (int i = 0; i < problem->block_count && apart; ++i)
    {
        apart = problem->A.row_start[i + 1] - problem->A.row_start[i] == 1 &&
                problem->block_start[i + 1] - problem->block_start[i] <= MOST_BLOCK;
    }
    return apart;
}

/* X = A^-1 B by elimination with pivoting; A is n x n and B n x m, both row-major and overwritten, X in place of B. */
static bool solve_small(int n, int m, double *A, double *B)
{
    for (int k = 0; k < n; ++k)
    {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            pivot = fabs(A[i * n + k]) > fabs(A[pivot * n + k]) ? i : pivot;
        if (!(fabs(A[pivot * n + k]) > 0))
            return false;
        for (int j = 0; j < n + m; ++j)
        {
            double *a = j < n ? &A[k * n + j] : &B[k * m + j - n];
            double *b = j < n ? &A[pivot * n + j] : &B[pivot * m + j - n];
            double swap = *a;
            *a = *b;
            *b = swap;
        }
        for (int i = 0; i < n; ++i)
        {
            double factor = i == k ? 0 : A[i * n + k] / A[k * n + k];
            for (int j = 0; j < n + m && factor != 0; ++j)
                *(j < n ? &A[i * n + j] : &B[i * m + j - n]) -= factor * (j < n ? A[k * n + j] : B[k * m + j - n]);
        }
    }
    for (int i = 0; i < n * m; ++i)
        B[i] /= A[i / m * n + i / m];
    return true;
}

/* What a body answers: the inverse of its block of A, and its velocity without contacts. Bodies that nothing touches are asked
 * too: a step wants the velocities of all. */
typedef struct answer
{
    double inverse[MOST_BLOCK * MOST_BLOCK];
    double v[MOST_BLOCK];
} answer;

static bool make_answer(const cairn_problem *problem, int b, answer *a)
{
    int first = problem->block_start[b];
    int size = problem->block_start[b + 1] - first;
    double A[MOST_BLOCK * MOST_BLOCK];
    memcpy(A, problem->A.value + problem->A.value_start[problem->A.row_start[b]], (size_t)(size * size) * sizeof *A);
    for (int k = 0; k < size * size; ++k)
        a->inverse[k] = k / size == k % size;
    bool fine = solve_small(size, size, A, a->inverse);
    for (int k = 0; k < size * size; ++k)
        a->v[k / size] += a->inverse[k] * problem->p[first + k % size];
    return fine;
}

/* X of every entry of H: A^-1 H' of its body, size x dim; and q = w + H A^-1 p. */
static bool make_X(const cairn_problem *problem, double *X, double *q)
{
    const cairn_block_rows *H = &problem->H;
    int dim = problem->dim;
    answer *answers = bench_memory((size_t)problem->block_count, sizeof *answers);
    bool fine = true;
    for (int b = 0; b < problem->block_count && fine; ++b)
        fine = make_answer(problem, b, &answers[b]);
    memcpy(q, problem->w, (size_t)(dim * problem->contact_count) * sizeof *q);
    for (int j = 0; j < H->item_count && fine; ++j)
    {
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            const answer *a = &answers[H->block[e]];
            int size = problem->block_start[H->block[e] + 1] - problem->block_start[H->block[e]];
            const double *h = H->value + H->value_start[e];
            double *x = X + H->value_start[e];
            for (int k = 0; k < dim * size; ++k)
            {
                for (int s = 0; s < size; ++s)
                    x[k] += a->inverse[k / dim * size + s] * h[k % dim * size + s];
                q[j * dim + k % dim] += h[k % dim * size + k / dim] * a->v[k / dim];
            }
        }
    }
    free(answers);
    return fine;
}

/* Entries of H by body: start (blocks + 1) and their numbers, and the contact of each entry. */
typedef struct body_index
{
    int *start, *entry, *contact;
} body_index;

static body_index make_index(const cairn_problem *problem)
{
    const cairn_block_rows *H = &problem->H;
    int entries = H->entry_start[H->item_count];
    body_index index = {bench_memory((size_t)problem->block_count + 2, sizeof(int)),
                        bench_memory((size_t)entries, sizeof(int)), bench_memory((size_t)entries, sizeof(int))};
    for (int e = 0; e < entries; ++e)
        ++index.start[H->block[e] + 2];
    for (int b = 0; b < problem->block_count; ++b)
        index.start[b + 2] += index.start[b + 1];
    for (int j = 0; j < H->item_count; ++j)
    {
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            index.contact[e] = j;
            index.entry[index.start[H->block[e] + 1]++] = e;
        }
    }
    return index;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Columns of row j in ascending order, by a mark for each contact; the number of them. */
static int find_columns(const cairn_problem *problem, const body_index *index, int j, int *mark, int *columns)
{
    const cairn_block_rows *H = &problem->H;
    int count = 0;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        for (int k = index->start[H->block[e]]; k < index->start[H->block[e] + 1]; ++k)
        {
            int other = index->contact[index->entry[k]];
            if (mark[other] != j + 1)
            {
                mark[other] = j + 1;
                columns[count++] = other;
            }
        }
    }
    qsort(columns, (size_t)count, sizeof *columns, ascending);
    return count;
}

/* The blocks of row j: sums over its bodies of H_j X of every contact on them. */
static void fill_row(const cairn_problem *problem, const body_index *index, const double *X, int j, const int *slot,
                     double *value)
{
    const cairn_block_rows *H = &problem->H;
    int dim = problem->dim;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int b = H->block[e];
        int size = problem->block_start[b + 1] - problem->block_start[b];
        const double *h = H->value + H->value_start[e];
        for (int k = index->start[b]; k < index->start[b + 1]; ++k)
        {
            const double *x = X + H->value_start[index->entry[k]];
            double *w = value + (size_t)slot[index->contact[index->entry[k]]] * (size_t)(dim * dim);
            for (int a = 0; a < dim * dim; ++a)
                for (int s = 0; s < size; ++s)
                    w[a] += h[a / dim * size + s] * x[s * dim + a % dim];
        }
    }
}

static bool make_sparse(const cairn_problem *problem, local_form *form)
{
    const cairn_block_rows *H = &problem->H;
    int count = problem->contact_count;
    size_t square = (size_t)(problem->dim * problem->dim);
    double *X = bench_memory((size_t)H->value_start[H->entry_start[count]], sizeof(double));
    int *mark = bench_memory((size_t)count, sizeof(int));
    int *columns = bench_memory((size_t)count, sizeof(int));
    body_index index = make_index(problem);
    bool fine = make_X(problem, X, form->q);
    for (int j = 0; j < count; ++j)
        form->row_start[j + 1] = form->row_start[j] + find_columns(problem, &index, j, mark, columns);
    memset(mark, 0, (size_t)count * sizeof(int));
    form->column = bench_memory((size_t)form->row_start[count], sizeof(int));
    form->value = bench_memory((size_t)form->row_start[count] * square, sizeof(double));
    for (int j = 0; j < count && fine; ++j)
    {
        int start = form->row_start[j];
        int found = find_columns(problem, &index, j, mark, form->column + start);
        for (int k = 0; k < found; ++k)
            columns[form->column[start + k]] = start + k; /* from here on: the slot of each contact */
        fill_row(problem, &index, X, j, columns, form->value);
    }
    free(X);
    free(mark);
    free(columns);
    free(index.start);
    free(index.entry);
    free(index.contact);
    return fine;
}

/* The blocks of a dense W that are not all zero, and the diagonal's. */
static void gather(const cairn_problem *problem, const double *W, local_form *form)
{
    int count = problem->contact_count;
    int dim = problem->dim;
    size_t rows = (size_t)(dim * count);
    size_t used = 0;
    form->column = bench_memory((size_t)count * (size_t)count, sizeof(int));
    form->value = bench_memory(rows * rows, sizeof(double));
    for (int j = 0; j < count; ++j)
    {
        for (int k = 0; k < count; ++k)
        {
            double *block = form->value + used * (size_t)(dim * dim);
            double most = 0;
            for (int a = 0; a < dim * dim; ++a)
            {
                block[a] = W[(size_t)(j * dim + a / dim) * rows + (size_t)(k * dim + a % dim)];
                most = fmax(most, fabs(block[a]));
            }
            if (most > 0 || j == k)
                form->column[used++] = k;
        }
        form->row_start[j + 1] = (int)used;
    }
}

/* A problem without bodies that is given by sparse blocks has the form already. */
static bool copy_blocks(const cairn_problem *problem, local_form *form)
{
    const cairn_block_matrix *W = &problem->W;
    size_t entries = (size_t)W->row_start[W->block_count];
    size_t values = (size_t)W->value_start[entries];
    form->column = bench_memory(entries, sizeof(int));
    form->value = bench_memory(values, sizeof(double));
    memcpy(form->row_start, W->row_start, ((size_t)W->block_count + 1) * sizeof(int));
    memcpy(form->column, W->column, entries * sizeof(int));
    memcpy(form->value, W->value, values * sizeof(double));
    memcpy(form->q, problem->w, (size_t)(problem->dim * problem->contact_count) * sizeof(double));
    return true;
}

static bool make_dense(cairn_context *context, const cairn_problem *problem, local_form *form)
{
    size_t rows = (size_t)(problem->dim * problem->contact_count);
    if (problem->contact_count > MOST_DENSE)
        return false;
    double *W = bench_memory(rows * rows, sizeof(double));
    bool fine = !cairn_problem_delassus(context, problem, W, form->q);
    if (fine)
        gather(problem, W, form);
    free(W);
    return fine;
}

bool local_form_make(cairn_context *context, const cairn_problem *problem, local_form *form)
{
    size_t count = (size_t)problem->contact_count;
    *form = (local_form){.dim = problem->dim, .contacts = problem->contact_count};
    form->row_start = bench_memory(count + 1, sizeof(int));
    form->q = bench_memory(count * (size_t)problem->dim, sizeof(double));
    form->mu = bench_memory(count, sizeof(double));
    memcpy(form->mu, problem->mu, count * sizeof(double));
    if (problem->W.block_count > 0)
        return copy_blocks(problem, form);
    if (!is_apart(problem))
        return make_dense(context, problem, form);
    return make_sparse(problem, form);
}

void local_form_pad(const local_form *form, local_form *padded)
{
    size_t count = (size_t)form->contacts;
    size_t blocks = (size_t)form->row_start[form->contacts];
    *padded = (local_form){.dim = 3, .contacts = form->contacts};
    padded->row_start = bench_memory(count + 1, sizeof(int));
    padded->column = bench_memory(blocks, sizeof(int));
    padded->value = bench_memory(9 * blocks, sizeof(double));
    padded->q = bench_memory(3 * count, sizeof(double));
    padded->mu = bench_memory(count, sizeof(double));
    memcpy(padded->row_start, form->row_start, (count + 1) * sizeof(int));
    memcpy(padded->column, form->column, blocks * sizeof(int));
    memcpy(padded->mu, form->mu, count * sizeof(double));
    for (int j = 0; j < form->contacts; ++j)
    {
        for (int k = form->row_start[j]; k < form->row_start[j + 1]; ++k)
        {
            const double *from = form->value + 4 * k;
            double *to = padded->value + 9 * k;
            to[0] = from[0];
            to[1] = from[1];
            to[3] = from[2];
            to[4] = from[3];
            to[8] = form->column[k] == j ? from[0] : 0;
        }
        padded->q[3 * j] = form->q[2 * j];
        padded->q[3 * j + 1] = form->q[2 * j + 1];
    }
}

void local_form_free(local_form *form)
{
    free(form->row_start);
    free(form->column);
    free(form->value);
    free(form->q);
    free(form->mu);
}

double local_form_difference(cairn_context *context, const cairn_problem *problem, const local_form *form)
{
    int dim = form->dim;
    size_t rows = (size_t)(dim * form->contacts);
    double *W = bench_memory(rows * rows, sizeof *W);
    double *q = bench_memory(rows, sizeof *q);
    double size_W = 0, size_q = 0, off_W = 0, off_q = 0;
    bool fine = !cairn_problem_delassus(context, problem, W, q);
    for (size_t i = 0; i < rows * rows; ++i)
        size_W = fmax(size_W, fabs(W[i]));
    for (int j = 0; j < form->contacts; ++j)
    {
        for (int k = form->row_start[j]; k < form->row_start[j + 1]; ++k)
        {
            for (int a = 0; a < dim * dim; ++a)
            {
                W[(size_t)(j * dim + a / dim) * rows + (size_t)(form->column[k] * dim + a % dim)] -=
                    form->value[(size_t)k * (size_t)(dim * dim) + (size_t)a];
            }
        }
    }
    for (size_t i = 0; i < rows * rows; ++i)
        off_W = fmax(off_W, fabs(W[i]));
    for (size_t i = 0; i < rows; ++i)
    {
        size_q = fmax(size_q, fabs(q[i]));
        off_q = fmax(off_q, fabs(q[i] - form->q[i]));
    }
    free(W);
    free(q);
    return fine ? fmax(off_W / size_W, size_q > 0 ? off_q / size_q : off_q) : INFINITY;
}
