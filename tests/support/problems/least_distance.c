#include "support/problems/least_distance.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

static void add(double *a, double factor, const double *b, int n)
{
    for (int i = 0; i < n; ++i)
        a[i] += factor * b[i];
}

/* Orthonormal rows Q that span the rows of F, with h so that Q y = h says F y = g. Returns their number. */
static int orthonormal_rows(const least_distance *p, double *Q, double *h)
{
    int rank = 0;
    for (int i = 0; i < p->equalities; ++i)
    {
        double *q = Q + rank * p->n;
        double right = p->g[i];
        memcpy(q, p->F + i * p->n, (size_t)p->n * sizeof(double));
        double size = sqrt(dot(q, q, p->n));
        for (int k = 0; k < 2 * rank; ++k) /* twice is enough */
        {
            double along = dot(q, Q + k % rank * p->n, p->n);
            add(q, -along, Q + k % rank * p->n, p->n);
            right -= along * h[k % rank];
        }
        double left = sqrt(dot(q, q, p->n));
        if (left > 1e-10 * size)
        {
            for (int k = 0; k < p->n; ++k)
                q[k] /= left;
            h[rank++] = right / left;
        }
    }
    return rank;
}

/* Least squares over the columns listed: the coefficients, in their order. */
static void least_squares(const double *B, int rows, int columns, const double *d, const int *list, int count,
                          double *s)
{
    double *M = malloc((size_t)(rows * count + 1) * sizeof(double));
    double *right = calloc((size_t)(rows + count), sizeof(double));
    int *pivots = calloc((size_t)count + 1, sizeof(int));
    int rank;
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < count; ++k)
            M[i * count + k] = B[i * columns + list[k]];
    memcpy(right, d, (size_t)rows * sizeof(double));
    LAPACKE_dgelsy(LAPACK_ROW_MAJOR, rows, count, 1, M, count, right, 1, pivots, 1e-13, &rank);
    memcpy(s, right, (size_t)count * sizeof(double));
    free(M);
    free(right);
    free(pivots);
}

/* The column whose variable would lower the residual most when let go; -1: none does. */
static int steepest(const double *B, int rows, int columns, const double *residual, const bool *passive)
{
    int best = -1;
    double largest = 1e-12;
    for (int k = 0; k < columns; ++k)
    {
        double slope = 0.0;
        for (int i = 0; i < rows; ++i)
            slope += B[i * columns + k] * residual[i];
        if (!passive[k] && slope > largest)
        {
            largest = slope;
            best = k;
        }
    }
    return best;
}

static void take_residual(const double *B, int rows, int columns, const double *d, const double *x, double *residual)
{
    for (int i = 0; i < rows; ++i)
        residual[i] = d[i] - dot(B + i * columns, x, columns);
}

/* Least squares over the passive variables, backing off to the boundary as long as some would become negative. */
static void settle(const double *B, int rows, int columns, const double *d, bool *passive, int *list, double *s,
                   double *x)
{
    for (;;)
    {
        int count = 0;
        for (int k = 0; k < columns; ++k)
            if (passive[k])
                list[count++] = k;
        least_squares(B, rows, columns, d, list, count, s);
        double step = 1.0;
        for (int k = 0; k < count; ++k)
            if (s[k] <= 0.0)
                step = fmin(step, x[list[k]] / (x[list[k]] - s[k]));
        for (int k = 0; k < count; ++k)
        {
            double *value = &x[list[k]];
            *value += step * (s[k] - *value);
            if (step < 1.0 && s[k] <= 0.0 && *value <= 1e-14)
            {
                *value = 0.0;
                passive[list[k]] = false;
            }
        }
        if (step == 1.0 || count == 0)
            return;
    }
}

/* min |B x - d|, x >= 0. */
static void non_negative_least_squares(const double *B, int rows, int columns, const double *d, bool *passive,
                                       double *x)
{
    double *residual = malloc((size_t)rows * sizeof(double));
    double *s = malloc((size_t)(columns + 1) * sizeof(double));
    int *list = malloc((size_t)(columns + 1) * sizeof(int));
    memset(x, 0, (size_t)columns * sizeof(double));
    memset(passive, 0, (size_t)columns * sizeof(bool));
    for (int round = 0; round < 10 * columns + 10; ++round)
    {
        take_residual(B, rows, columns, d, x, residual);
        int next = steepest(B, rows, columns, residual, passive);
        if (next < 0)
            break;
        passive[next] = true;
        settle(B, rows, columns, d, passive, list, s, x);
    }
    free(residual);
    free(s);
    free(list);
}

/* min |x| such that E x >= f: the active rows, from the residual of a non-negative least squares problem. */
static bool active_rows(const double *E, const double *f, int rows, int n, bool *active)
{
    double *B = malloc((size_t)((n + 1) * rows + 1) * sizeof(double));
    double *d = calloc((size_t)n + 1, sizeof(double));
    double *u = malloc((size_t)(rows + 1) * sizeof(double));
    for (int k = 0; k < rows; ++k)
    {
        for (int i = 0; i < n; ++i)
            B[i * rows + k] = E[k * n + i];
        B[n * rows + k] = f[k];
    }
    d[n] = 1.0;
    non_negative_least_squares(B, n + 1, rows, d, active, u);
    double rest = 1.0 - dot(B + n * rows, u, rows);
    free(B);
    free(d);
    free(u);
    return rest > 1e-12; /* 0: no feasible point */
}

/* The least x with E x = f on the active rows, and its multipliers: x = E' multiplier. */
static void nearest_on(const double *E, const double *f, int rows, int n, const bool *active, double *x,
                       double *multiplier)
{
    int count = 0;
    int *list = malloc((size_t)(rows + n + 1) * sizeof(int));
    double *M = malloc((size_t)(rows * n + 1) * sizeof(double));
    double *right = calloc((size_t)(rows + n + 1), sizeof(double));
    for (int k = 0; k < rows; ++k)
    {
        multiplier[k] = 0.0;
        if (active[k])
        {
            memcpy(M + count * n, E + k * n, (size_t)n * sizeof(double));
            right[count] = f[k];
            list[count++] = k;
        }
    }
    memset(x, 0, (size_t)n * sizeof(double));
    if (count > 0)
    {
        double *transposed = malloc((size_t)(count * n) * sizeof(double));
        double *s = malloc((size_t)count * sizeof(double));
        int *all = malloc((size_t)(n + count) * sizeof(int));
        for (int i = 0; i < n * count; ++i)
            transposed[i % n * count + i / n] = M[i];
        for (int i = 0; i < n + count; ++i)
            all[i] = i;
        least_squares(M, count, n, right, all, n, x);
        least_squares(transposed, n, count, x, all, count, s);
        for (int a = 0; a < count; ++a)
            multiplier[list[a]] = s[a];
        free(transposed);
        free(s);
        free(all);
    }
    free(M);
    free(right);
    free(list);
}

static bool is_optimal(const double *E, const double *f, int rows, int n, const double *x, const double *multiplier)
{
    bool good = true;
    for (int k = 0; k < rows; ++k)
    {
        double slack = dot(E + k * n, x, n) - f[k];
        good = good && slack >= -1e-10 && multiplier[k] >= -1e-10 && fabs(slack * multiplier[k]) <= 1e-10;
    }
    return good;
}

bool least_distance_solve(const least_distance *p, double *y, double *multiplier)
{
    int n = p->n;
    double *Q = malloc((size_t)((p->equalities + 1) * n) * sizeof(double));
    double *h = calloc((size_t)p->equalities + 1, sizeof(double));
    double *E = malloc((size_t)(p->inequalities * n + 1) * sizeof(double));
    double *f = malloc((size_t)(p->inequalities + 1) * sizeof(double));
    double *x = calloc((size_t)n, sizeof(double));
    bool *active = calloc((size_t)p->inequalities + 1, sizeof(bool));
    int rank = orthonormal_rows(p, Q, h);
    memcpy(y, p->y0, (size_t)n * sizeof(double));
    for (int k = 0; k < rank; ++k)
        add(y, h[k] - dot(Q + k * n, y, n), Q + k * n, n);
    for (int i = 0; i < p->inequalities; ++i)
    {
        double *row = E + i * n;
        memcpy(row, p->E + i * n, (size_t)n * sizeof(double));
        f[i] = p->f[i] - dot(row, y, n);
        for (int k = 0; k < rank; ++k)
            add(row, -dot(row, Q + k * n, n), Q + k * n, n);
    }
    bool good = active_rows(E, f, p->inequalities, n, active);
    if (good)
    {
        nearest_on(E, f, p->inequalities, n, active, x, multiplier);
        good = is_optimal(E, f, p->inequalities, n, x, multiplier);
        add(y, 1.0, x, n);
    }
    void *owned[] = {Q, h, E, f, x, active};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
        free(owned[i]);
    return good;
}
