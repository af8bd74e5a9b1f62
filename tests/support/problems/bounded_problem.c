#include "support/problems/bounded_problem.h"

#include "support/problems/dense.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void test_make_row(cairn_problem *problem, int j, double lo, double hi, int by)
{
    const cairn_block_rows *H = &problem->H;
    if (!problem->bound)
        problem->bound = calloc((size_t)problem->contact_count + 1, sizeof(cairn_bound));
    problem->bound[j] = (cairn_bound){.is_row = true, .by = by, .lo = lo, .hi = hi};
    problem->mu[j] = 0.0;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int size = problem->block_start[H->block[e] + 1] - problem->block_start[H->block[e]];
        memset(H->value + H->value_start[e] + size, 0, (size_t)((problem->dim - 1) * size) * sizeof(double));
    }
    for (int k = 1; k < problem->dim; ++k)
        problem->w[j * problem->dim + k] = 0.0;
}

/* An item whose first impulse is never negative; -1: there is none. */
static int find_source(const cairn_problem *problem, const int *kind, test_random *random)
{
    int first = test_integer(random, 0, problem->contact_count - 1);
    for (int i = 0; i < problem->contact_count; ++i)
    {
        int k = (first + i) % problem->contact_count;
        bool row = problem->bound && problem->bound[k].is_row;
        if (kind[k] != TEST_ROW_MULTIPLE && (!row || problem->bound[k].lo >= 0.0))
            return k;
    }
    return -1;
}

/* kinds: of all items, for references to others; -1: a contact. */
static void make_kind(cairn_problem *problem, int j, const int *kinds, test_random *random)
{
    test_row_kind kind = (test_row_kind)kinds[j];
    double *w = &problem->w[j * problem->dim];
    double a = test_uniform(random, 0.0, 1.0), b = test_uniform(random, 0.0, 1.0);
    double size = test_uniform(random, 0.0, 1.0);
    int source = kind == TEST_ROW_MULTIPLE ? find_source(problem, kinds, random) : -1;
    *w = test_uniform(random, -1.0, 1.0);
    switch (source < 0 && kind == TEST_ROW_MULTIPLE ? TEST_ROW_MOTOR : kind)
    {
    case TEST_ROW_LIMIT:
        *w = fmax(*w, 0.0);
        test_make_row(problem, j, 0.0, INFINITY, -1);
        break;
    case TEST_ROW_PULL:
        *w = fmin(*w, 0.0);
        test_make_row(problem, j, -INFINITY, 0.0, -1);
        break;
    case TEST_ROW_EQUATION:
        *w = 0.0;
        test_make_row(problem, j, -INFINITY, INFINITY, -1);
        break;
    case TEST_ROW_FIXED:
        test_make_row(problem, j, a - b, a - b, -1);
        break;
    case TEST_ROW_SHIFTED:
        test_make_row(problem, j, size < 0.5 ? a : -a - b, size < 0.5 ? a + b : -a, -1);
        break;
    case TEST_ROW_MULTIPLE:
        test_make_row(problem, j, -0.5 * a, size < 0.2 ? 0.0 : 0.5 * b, source);
        break;
    case TEST_ROW_MOTOR:
    case TEST_ROW_KINDS:
        test_make_row(problem, j, -a, b, -1);
        break;
    }
}

void test_make_rows(cairn_problem *problem, double share, int kinds, uint64_t seed)
{
    test_random random = {seed};
    int *kind = calloc((size_t)problem->contact_count + 1, sizeof(int));
    for (int j = 0; j < problem->contact_count; ++j)
        kind[j] = test_uniform(&random, 0.0, 1.0) < share ? test_integer(&random, 0, kinds - 1) : -1;
    for (int j = 0; j < problem->contact_count; ++j)
        if (kind[j] >= 0 && kind[j] != TEST_ROW_MULTIPLE)
            make_kind(problem, j, kind, &random);
    for (int j = 0; j < problem->contact_count; ++j) /* once it is known which impulses can be negative */
        if (kind[j] == TEST_ROW_MULTIPLE)
            make_kind(problem, j, kind, &random);
    free(kind);
}

/* ----------------------------------------------------------------------------------------------------- enumeration */

/* The whole problem written out: unknowns v, c and the first impulses z. */
typedef struct written
{
    const cairn_problem *problem;
    int n, joints, items, size;
    double *A, *G, *B; /* B: first rows of H */
    double *R;         /* between first impulses */
} written;

static void write_out(written *w, const cairn_problem *problem)
{
    int rows = problem->dim * problem->contact_count;
    double *H = dense_rows(problem, &problem->H, rows);
    *w = (written){problem, problem->n, problem->joint_rows, problem->contact_count, 0, NULL, NULL, NULL, NULL};
    w->size = w->n + w->joints + w->items;
    w->A = dense_matrix(problem);
    w->G = dense_rows(problem, &problem->G, problem->joint_rows);
    w->B = calloc((size_t)(w->items * w->n + 1), sizeof(double));
    w->R = calloc((size_t)(w->items * w->items + 1), sizeof(double));
    for (int j = 0; j < w->items; ++j)
        memcpy(w->B + j * w->n, H + j * problem->dim * w->n, (size_t)w->n * sizeof(double));
    for (int k = 0; k < problem->patch_count; ++k)
    {
        int first = problem->patch_start[k], count = problem->patch_start[k + 1] - first;
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < count; ++j)
                w->R[(first + i) * w->items + first + j] =
                    problem->R[problem->R_start[k] + (i * problem->dim) * count * problem->dim + j * problem->dim];
    }
    free(H);
}

static void release(written *w)
{
    free(w->A);
    free(w->G);
    free(w->B);
    free(w->R);
}

static bool is_row(const cairn_problem *problem, int j)
{
    return problem->bound && problem->bound[j].is_row;
}

static double bound_of(const cairn_problem *problem, int j, bool upper)
{
    return !is_row(problem, j) ? (upper ? INFINITY : 0.0) : upper ? problem->bound[j].hi : problem->bound[j].lo;
}

/* Mode 0: s = 0, 1: at lo, 2: at hi. False where there is no such bound. */
static bool write_mode(const written *w, int j, int mode, double *line, double *right)
{
    const cairn_problem *problem = w->problem;
    int z = w->n + w->joints;
    if (mode == 0)
    {
        memcpy(line, w->B + j * w->n, (size_t)w->n * sizeof(double));
        memcpy(line + z, w->R + j * w->items, (size_t)w->items * sizeof(double));
        *right = -problem->w[j * problem->dim];
        return true;
    }
    double bound = bound_of(problem, j, mode == 2);
    int by = is_row(problem, j) ? problem->bound[j].by : -1;
    line[z + j] = 1.0;
    if (by >= 0)
        line[z + by] -= bound;
    *right = by >= 0 ? 0.0 : bound;
    return isfinite(bound);
}

/* x of the choice; false where there is none, or the system contradicts itself. */
static bool solve_choice(const written *w, const int *mode, double *x)
{
    int n = w->n, size = w->size;
    double *M = calloc((size_t)(size * size), sizeof(double));
    double *kept = calloc((size_t)(size * size), sizeof(double));
    double *right = calloc((size_t)size, sizeof(double));
    double *singular = calloc((size_t)size, sizeof(double));
    bool possible = true;
    for (int i = 0; i < n; ++i)
    {
        memcpy(M + i * size, w->A + i * n, (size_t)n * sizeof(double));
        for (int k = 0; k < w->joints; ++k)
            M[i * size + n + k] = -w->G[k * n + i];
        for (int j = 0; j < w->items; ++j)
            M[i * size + n + w->joints + j] = -w->B[j * n + i];
        right[i] = w->problem->p[i];
    }
    for (int k = 0; k < w->joints; ++k)
    {
        memcpy(M + (n + k) * size, w->G + k * n, (size_t)n * sizeof(double));
        M[(n + k) * size + n + k] = w->problem->R_c[k];
        right[n + k] = w->problem->b[k];
    }
    for (int j = 0; j < w->items && possible; ++j)
        possible = write_mode(w, j, mode[j], M + (n + w->joints + j) * size, &right[n + w->joints + j]);
    memcpy(kept, M, (size_t)(size * size) * sizeof(double));
    memcpy(x, right, (size_t)size * sizeof(double));
    int rank;
    possible = possible && LAPACKE_dgelsd(LAPACK_ROW_MAJOR, size, size, 1, M, size, x, 1, singular, 1e-11, &rank) == 0;
    for (int i = 0; i < size && possible; ++i)
    {
        double off = -right[i];
        for (int k = 0; k < size; ++k)
            off += kept[i * size + k] * x[k];
        possible = fabs(off) < 1e-9;
    }
    free(M);
    free(kept);
    free(right);
    free(singular);
    return possible;
}

static const double SLACK = 1e-9;

/* Whether z and s of x obey the laws. */
static bool is_solution(const written *w, const double *x)
{
    const cairn_problem *problem = w->problem;
    const double *z = x + w->n + w->joints;
    bool holds = true;
    for (int j = 0; j < w->items && holds; ++j)
    {
        int by = is_row(problem, j) ? problem->bound[j].by : -1;
        double f = by >= 0 ? z[by] : 1.0;
        double lo = bound_of(problem, j, false), hi = bound_of(problem, j, true);
        lo = isfinite(lo) ? lo * f : lo;
        hi = isfinite(hi) ? hi * f : hi;
        double s = problem->w[j * problem->dim];
        for (int i = 0; i < w->n; ++i)
            s += w->B[j * w->n + i] * x[i];
        for (int i = 0; i < w->items; ++i)
            s += w->R[j * w->items + i] * z[i];
        holds = z[j] >= lo - SLACK && z[j] <= hi + SLACK && (s >= -SLACK || z[j] >= hi - SLACK) &&
                (s <= SLACK || z[j] <= lo + SLACK);
    }
    return holds;
}

static bool is_new(const double *v, int n, int count, const double *x)
{
    bool found = false;
    for (int k = 0; k < count && !found; ++k)
    {
        double apart = 0.0;
        for (int i = 0; i < n; ++i)
            apart = fmax(apart, fabs(v[k * n + i] - x[i]));
        found = apart < 1e-7;
    }
    return !found;
}

int test_enumerate(const cairn_problem *problem, double *v, int most)
{
    written w;
    int count = 0, choices = 1;
    int mode[TEST_MOST_ITEMS];
    write_out(&w, problem);
    double *x = calloc((size_t)w.size + 1, sizeof(double));
    for (int j = 0; j < w.items; ++j)
        choices *= 3;
    for (int choice = 0; choice < choices && count < most; ++choice)
    {
        for (int j = 0, rest = choice; j < w.items; ++j, rest /= 3)
            mode[j] = rest % 3;
        if (solve_choice(&w, mode, x) && is_solution(&w, x) && is_new(v, w.n, count, x))
            memcpy(v + w.n * count++, x, (size_t)w.n * sizeof(double));
    }
    free(x);
    release(&w);
    return count;
}

/* ------------------------------------------------------------------------------------------------------- judgement */

double test_row_error(const cairn_problem *problem, const cairn_solution *solution)
{
    int dim = problem->dim;
    double *H = dense_rows(problem, &problem->H, dim * problem->contact_count);
    double worst = 0.0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (!is_row(problem, j))
            continue;
        double s = problem->w[j * dim], z = solution->r[j * dim];
        for (int i = 0; i < problem->n; ++i)
            s += H[j * dim * problem->n + i] * solution->v[i];
        for (int k = 0; k < problem->patch_count; ++k)
        {
            int first = problem->patch_start[k] * dim, side = problem->patch_start[k + 1] * dim - first;
            for (int i = 0; i < side && j * dim >= first && j * dim < first + side; ++i)
                s += problem->R[problem->R_start[k] + (j * dim - first) * side + i] * solution->r[first + i];
        }
        int by = problem->bound[j].by;
        double f = by >= 0 ? solution->r[by * dim] : 1.0;
        double lo = isfinite(problem->bound[j].lo) ? problem->bound[j].lo * f : -INFINITY;
        double hi = isfinite(problem->bound[j].hi) ? problem->bound[j].hi * f : INFINITY;
        worst = fmax(worst, fabs(z - fmin(fmax(z - s, lo), hi)));
        for (int k = 1; k < dim; ++k)
            worst = fmax(worst, fabs(solution->r[j * dim + k]));
    }
    free(H);
    return worst;
}
