#include "support/problems/random_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next(test_random *random)
{
    uint64_t x = random->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

double test_uniform(test_random *random, double low, double high)
{
    return low + (high - low) * ((double)(next(random) >> 11) * 0x1p-53);
}

int test_integer(test_random *random, int low, int high)
{
    return low + (int)(next(random) % (uint64_t)(high - low + 1));
}

static double *copy(const double *source, size_t count)
{
    double *out = calloc(count + 1, sizeof(double));
    if (out && source && count > 0)
        memcpy(out, source, count * sizeof(double));
    return out;
}

static bool block_is_zero(const double *dense, int stride, int row, int rows, int column, int columns)
{
    for (int i = row; i < row + rows; ++i)
    {
        for (int j = column; j < column + columns; ++j)
            if (dense[i * stride + j] != 0.0)
                return false;
    }
    return true;
}

static void copy_block(const double *dense, int stride, int row, int rows, int column, int columns, double *out)
{
    for (int i = 0; i < rows; ++i)
        memcpy(out + i * columns, dense + (row + i) * stride + column, (size_t)columns * sizeof(double));
}

static void fill_matrix(cairn_problem *problem, const double *dense)
{
    cairn_block_matrix *A = &problem->A;
    const int *start = problem->block_start;
    size_t blocks = (size_t)problem->block_count;
    A->block_count = problem->block_count;
    A->block_start = start;
    A->row_start = calloc(blocks + 1, sizeof(int));
    A->column = calloc(blocks * blocks + 1, sizeof(int));
    A->value_start = calloc(blocks * blocks + 1, sizeof(int));
    A->value = calloc((size_t)problem->n * (size_t)problem->n + 1, sizeof(double));
    int e = 0;
    for (int i = 0; i < problem->block_count; ++i)
    {
        int rows = start[i + 1] - start[i];
        for (int j = 0; j < problem->block_count; ++j)
        {
            int columns = start[j + 1] - start[j];
            if (i != j && block_is_zero(dense, problem->n, start[i], rows, start[j], columns))
                continue;
            copy_block(dense, problem->n, start[i], rows, start[j], columns, A->value + A->value_start[e]);
            A->column[e] = j;
            A->value_start[e + 1] = A->value_start[e] + rows * columns;
            ++e;
        }
        A->row_start[i + 1] = e;
    }
}

/* Items of `each` rows; the last may have fewer. */
static void fill_rows(const cairn_problem *problem, const double *dense, int rows, int each, cairn_block_rows *out)
{
    const int *start = problem->block_start;
    int items = (rows + each - 1) / each;
    size_t most = (size_t)items * (size_t)problem->block_count;
    out->item_count = items;
    out->row_start = calloc((size_t)items + 1, sizeof(int));
    out->entry_start = calloc((size_t)items + 1, sizeof(int));
    out->block = calloc(most + 1, sizeof(int));
    out->value_start = calloc(most + 1, sizeof(int));
    out->value = calloc((size_t)rows * (size_t)problem->n + 1, sizeof(double));
    int e = 0;
    for (int i = 0; i < items; ++i)
    {
        int first = i * each;
        int count = first + each <= rows ? each : rows - first;
        for (int j = 0; j < problem->block_count && dense; ++j)
        {
            int columns = start[j + 1] - start[j];
            if (!block_is_zero(dense, problem->n, first, count, start[j], columns))
            {
                copy_block(dense, problem->n, first, count, start[j], columns, out->value + out->value_start[e]);
                out->block[e] = j;
                out->value_start[e + 1] = out->value_start[e] + count * columns;
                ++e;
            }
        }
        out->row_start[i + 1] = first + count;
        out->entry_start[i + 1] = e;
    }
}

cairn_problem *test_problem_from_dense(const test_dense *dense)
{
    cairn_problem *problem = calloc(1, sizeof(cairn_problem));
    size_t contacts = (size_t)dense->contact_count;
    size_t rows = contacts * (size_t)dense->dim;
    problem->dim = dense->dim;
    problem->law = dense->law;
    problem->block_count = dense->block_count;
    problem->block_start = calloc((size_t)dense->block_count + 1, sizeof(int));
    for (int i = 0; i < dense->block_count; ++i)
        problem->block_start[i + 1] = problem->block_start[i] + dense->block_size[i];
    problem->n = problem->block_start[dense->block_count];
    problem->joint_rows = dense->joint_rows;
    problem->contact_count = dense->contact_count;
    fill_matrix(problem, dense->A);
    fill_rows(problem, dense->G, dense->joint_rows, dense->rows_per_joint ? dense->rows_per_joint : 2, &problem->G);
    fill_rows(problem, dense->H, (int)rows, dense->dim, &problem->H);
    problem->p = copy(dense->p, (size_t)problem->n);
    problem->R_c = copy(dense->R_c, (size_t)dense->joint_rows);
    problem->b = copy(dense->b, (size_t)dense->joint_rows);
    problem->w = copy(dense->w, rows);
    problem->mu = copy(dense->mu, contacts);
    problem->identity = calloc(contacts + 1, sizeof(uint64_t));
    if (dense->R)
    {
        problem->patch_count = 1;
        problem->patch_start = calloc(2, sizeof(int));
        problem->patch_start[1] = dense->contact_count;
        problem->R_start = calloc(2, sizeof(int));
        problem->R = copy(dense->R, rows * rows);
    }
    return problem;
}

static void release_rows(cairn_block_rows *rows)
{
    free(rows->row_start);
    free(rows->entry_start);
    free(rows->block);
    free(rows->value_start);
    free(rows->value);
}

void test_problem_destroy(cairn_problem *problem)
{
    if (!problem)
        return;
    free(problem->A.row_start);
    free(problem->A.column);
    free(problem->A.value_start);
    free(problem->A.value);
    release_rows(&problem->G);
    release_rows(&problem->H);
    free(problem->block_start);
    free(problem->p);
    free(problem->R_c);
    free(problem->b);
    free(problem->w);
    free(problem->mu);
    free(problem->identity);
    free(problem->bound);
    free(problem->patch_start);
    free(problem->R_start);
    free(problem->R);
    free(problem->W.row_start);
    free(problem->W.column);
    free(problem->W.value_start);
    free(problem->W.value);
    free(problem);
}

/* Add mass (L L' + 1 + skew S) into block i, S antisymmetric. */
static void random_body(test_random *random, double *A, int n, int start, int size, double mass, double skew)
{
    double L[36];
    for (int i = 0; i < size * size; ++i)
        L[i] = test_uniform(random, -0.5, 0.5);
    for (int i = 0; i < size; ++i)
    {
        for (int j = 0; j < size; ++j)
        {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < size; ++k)
                sum += L[i * size + k] * L[j * size + k];
            A[(start + i) * n + start + j] += mass * (sum + skew * (L[i * size + j] - L[j * size + i]));
        }
    }
}

/* A spring between bodies a and b: k g g', and an antisymmetric coupling. */
static void random_spring(test_random *random, double *A, int n, int size, int a, int b, double k, double skew)
{
    double g[12];
    for (int i = 0; i < 2 * size; ++i)
        g[i] = test_uniform(random, -1.0, 1.0);
    for (int i = 0; i < 2 * size; ++i)
    {
        for (int j = 0; j < 2 * size; ++j)
        {
            int row = (i < size ? a * size : b * size) + i % size;
            int column = (j < size ? a * size : b * size) + j % size;
            A[row * n + column] += k * g[i] * g[j];
            if (i < size && j >= size)
            {
                double s = k * skew * test_uniform(random, -0.5, 0.5);
                A[row * n + column] += s;
                A[column * n + row] -= s;
            }
        }
    }
}

/* The row of direction d at a random arm, with the given sign, on one body. */
static void contact_row(double *row, int dim, const double *d, const double *arm, double sign)
{
    row[0] = sign * d[0];
    row[1] = sign * d[1];
    if (dim == 2)
    {
        row[2] = sign * (arm[0] * d[1] - arm[1] * d[0]);
        return;
    }
    row[2] = sign * d[2];
    row[3] = sign * (arm[1] * d[2] - arm[2] * d[1]);
    row[4] = sign * (arm[2] * d[0] - arm[0] * d[2]);
    row[5] = sign * (arm[0] * d[1] - arm[1] * d[0]);
}

/* An orthonormal frame with a random first axis. */
static void random_frame(test_random *random, int dim, double frame[9])
{
    double angle = test_uniform(random, 0.0, 6.283185307179586);
    double z = dim == 3 ? test_uniform(random, -0.99, 0.99) : 0.0;
    double s = sqrt(1.0 - z * z);
    double n[3] = {s * cos(angle), s * sin(angle), z};
    double t[3] = {-sin(angle), cos(angle), 0.0};
    for (int i = 0; i < 3; ++i)
    {
        frame[i] = n[i];
        frame[3 + i] = t[i];
        frame[6 + i] = n[(i + 1) % 3] * t[(i + 2) % 3] - n[(i + 2) % 3] * t[(i + 1) % 3];
    }
}

static void random_contact(test_random *random, const test_recipe *recipe, int n, int size, double *H)
{
    double frame[9];
    int a = test_integer(random, 0, recipe->bodies - 1);
    int b = test_integer(random, -1, recipe->bodies - 1); /* -1: the world */
    random_frame(random, recipe->dim, frame);
    for (int side = 0; side < 2; ++side)
    {
        int body = side ? b : a;
        double arm[3] = {test_uniform(random, -1, 1), test_uniform(random, -1, 1), test_uniform(random, -1, 1)};
        for (int k = 0; k < recipe->dim && body >= 0 && (side == 0 || a != b); ++k)
            contact_row(H + k * n + body * size, recipe->dim, frame + 3 * k, arm, side ? -1.0 : 1.0);
    }
}

static void random_contacts(test_random *random, const test_recipe *recipe, int n, int size, double *H, double *w,
                            double *mu)
{
    int dim = recipe->dim;
    for (int j = 0; j < recipe->contacts; ++j)
    {
        double *rows = H + j * dim * n;
        bool repeat = recipe->redundant && j > 0 && test_integer(random, 0, 1);
        if (repeat)
        {
            int other = test_integer(random, 0, j - 1);
            memcpy(rows, H + other * dim * n, (size_t)(dim * n) * sizeof(double));
        }
        else
        {
            random_contact(random, recipe, n, size, rows);
        }
        w[j * dim] = recipe->gaps ? fmax(0.0, test_uniform(random, -0.3, 0.5)) : 0.0;
        mu[j] = fmax(0.0, test_uniform(random, -0.1 * recipe->mu, recipe->mu));
    }
}

/* Rows between pairs of bodies; every third is a combination of two before it. */
static void random_joints(test_random *random, const test_recipe *recipe, int n, int size, double *G)
{
    for (int i = 0; i < recipe->joints; ++i)
    {
        double *row = G + i * n;
        if (i % 3 == 2)
        {
            double f = test_uniform(random, -2.0, 2.0);
            for (int k = 0; k < n; ++k)
                row[k] = f * row[k - n] + row[k - 2 * n];
            continue;
        }
        for (int side = 0; side < 2; ++side)
        {
            int body = test_integer(random, 0, recipe->bodies - 1);
            for (int k = 0; k < size; ++k)
                row[body * size + k] = test_uniform(random, -1.0, 1.0);
        }
    }
}

cairn_problem *test_problem_random(const test_recipe *recipe, uint64_t seed)
{
    test_random random = {seed};
    int size = recipe->dim == 2 ? 3 : 6;
    int n = size * recipe->bodies;
    size_t rows = (size_t)(recipe->dim * recipe->contacts);
    double *A = copy(NULL, (size_t)(n * n));
    double *p = copy(NULL, (size_t)n);
    double *G = copy(NULL, (size_t)(recipe->joints * n));
    double *R_c = copy(NULL, (size_t)recipe->joints);
    double *H = copy(NULL, rows * (size_t)n);
    double *w = copy(NULL, rows);
    double *mu = copy(NULL, (size_t)recipe->contacts);
    double *R = copy(NULL, rows * rows);
    int *sizes = calloc((size_t)recipe->bodies, sizeof(int));
    for (int i = 0; i < recipe->bodies; ++i)
    {
        double mass = pow(recipe->mass_ratio, test_uniform(&random, 0.0, 1.0));
        sizes[i] = size;
        random_body(&random, A, n, i * size, size, mass, recipe->skew);
        for (int k = 0; k < size; ++k)
            p[i * size + k] = mass * test_uniform(&random, -1.0, 1.0);
        if (recipe->coupled && i > 0)
        {
            double stiffness = pow(10.0, test_uniform(&random, -2.0, 4.0));
            random_spring(&random, A, n, size, test_integer(&random, 0, i - 1), i, stiffness, recipe->skew);
        }
    }
    random_joints(&random, recipe, n, size, G);
    random_contacts(&random, recipe, n, size, H, w, mu);
    for (size_t i = 0; i < rows && recipe->compliant; ++i)
    {
        R[i * rows + i] = test_uniform(&random, 0.01, 0.1);
        R_c[i % (size_t)(recipe->joints + 1)] = 0.02;
    }
    test_dense dense = {.dim = recipe->dim,
                        .law = recipe->law,
                        .block_count = recipe->bodies,
                        .block_size = sizes,
                        .A = A,
                        .p = p,
                        .joint_rows = recipe->joints,
                        .G = G,
                        .R_c = R_c,
                        .contact_count = recipe->contacts,
                        .H = H,
                        .w = w,
                        .mu = mu,
                        .R = recipe->compliant ? R : NULL};
    cairn_problem *problem = test_problem_from_dense(&dense);
    void *owned[] = {A, p, G, R_c, H, w, mu, R, sizes};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
        free(owned[i]);
    return problem;
}

cairn_problem *test_problem_stack(int height, cairn_law law, double mu, double h, double push)
{
    static const double frame[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    int n = 6 * height;
    int contacts = 4 * height;
    double *A = copy(NULL, (size_t)(n * n));
    double *p = copy(NULL, (size_t)n);
    double *H = copy(NULL, (size_t)(3 * contacts * n));
    double *friction = copy(NULL, (size_t)contacts);
    int *sizes = calloc((size_t)height, sizeof(int));
    for (int i = 0; i < height; ++i)
    {
        sizes[i] = 6;
        for (int k = 0; k < 6; ++k)
            A[(6 * i + k) * n + 6 * i + k] = k < 3 ? 1.0 : 1.0 / 6.0;
        p[6 * i + 2] = -9.81 * h;
        for (int corner = 0; corner < 4; ++corner)
        {
            double x = corner & 1 ? 0.5 : -0.5;
            double y = corner & 2 ? 0.5 : -0.5;
            double *rows = H + 3 * (4 * i + corner) * n;
            friction[4 * i + corner] = mu;
            for (int k = 0; k < 3; ++k)
            {
                contact_row(rows + k * n + 6 * i, 3, frame[k], (double[3]){x, y, -0.5}, 1.0);
                if (i > 0)
                    contact_row(rows + k * n + 6 * (i - 1), 3, frame[k], (double[3]){x, y, 0.5}, -1.0);
            }
        }
    }
    p[n - 6] = push;
    test_dense dense = {.dim = 3,
                        .law = law,
                        .block_count = height,
                        .block_size = sizes,
                        .A = A,
                        .p = p,
                        .contact_count = contacts,
                        .H = H,
                        .mu = friction};
    cairn_problem *problem = test_problem_from_dense(&dense);
    void *owned[] = {A, p, H, friction, sizes};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
        free(owned[i]);
    return problem;
}
