#include "solve/least_norm.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_STEPS = 80,
    MOST_HALVINGS = 40
};
static const double ENOUGH = 1e-17;     /* of |f|: the gradient that counts as zero */
static const double ACCEPTABLE = 1e-10; /* of |f|: where it may stay */
static const double REGULAR = 1e-13;    /* of the largest diagonal entry, added to the Hessian */
static const double DIFFERENCE = 1e-7;  /* of |y|: the step of the projection's derivative */
static const double DESCENT = 1e-4;

void crn_least_norm_release(crn_least_norm *work)
{
    free(work->memory);
    memset(work, 0, sizeof *work);
}

static double dot(int m, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < m; ++i)
    {
        sum += x[i] * y[i];
    }
    return sum;
}

static double size_of(int m, const double *x)
{
    return sqrt(dot(m, x, x));
}

cairn_status crn_least_norm_begin(crn_least_norm *work, const crn_active *active, bool keep)
{
    bool kept = keep && !active->symmetric;
    const double *E = kept ? active->P : active->E;
    const double *e = kept ? active->f : active->e;
    size_t m = (size_t)active->count;
    if (crn_reserve(&work->memory, &work->capacity, 3 * m * m + 10 * m + 1, sizeof(double)))
    {
        return CAIRN_NO_MEMORY;
    }
    double **vectors[] = {&work->x, &work->slope, &work->f,     &work->pi,    &work->y,
                          &work->z, &work->step,  &work->trial, &work->scale, &work->gradient};
    double *free_memory = work->memory;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i, free_memory += m)
    {
        *vectors[i] = free_memory;
    }
    work->B = free_memory;
    work->hessian = work->B + m * m;
    work->factor = work->hessian + m * m;
    memset(work->slope, 0, m * sizeof(double));
    for (int k = 0; k < active->piece_count; ++k)
    {
        const crn_piece *piece = &active->piece[k];
        for (int a = piece->first; a < piece->first + piece->count; ++a)
        {
            work->scale[a] = 1.0 / sqrt(piece->cost);
        }
    }
    for (size_t a = 0; a < m; ++a)
    {
        double *row = work->B + a * m;
        for (size_t b = 0; b < m; ++b)
        {
            row[b] = E[a * m + b] * work->scale[b];
        }
        double size = size_of((int)m, row);
        double factor = size > 0.0 ? 1.0 / size : 1.0;
        for (size_t b = 0; b < m; ++b)
        {
            row[b] *= factor;
        }
        work->f[a] = e[a] * factor;
    }
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ dense */

/* Solve the symmetric positive definite system H x = b in place by Cholesky's method; false when it is not definite. */
static bool solve_definite(int m, double *H, double *b)
{
    for (int i = 0; i < m; ++i)
    {
        for (int j = 0; j <= i; ++j)
        {
            double sum = H[i * m + j] - dot(j, H + i * m, H + j * m);
            if (i == j && !(sum > 0.0))
            {
                return false;
            }
            H[i * m + j] = i == j ? sqrt(sum) : sum / H[j * m + j];
        }
        b[i] = (b[i] - dot(i, H + i * m, b)) / H[i * m + i];
    }
    for (int i = m - 1; i >= 0; --i)
    {
        for (int j = i + 1; j < m; ++j)
        {
            b[i] -= H[j * m + i] * b[j];
        }
        b[i] /= H[i * m + i];
    }
    return true;
}

/* Householder-free: rows are taken in the order of what is left of them, each made orthogonal to those before (twice is
 * enough). */
int crn_nullity(int m, double *matrix, double floor)
{
    int rank = 0;
    for (int i = 0; i < m; ++i)
    {
        double size = size_of(m, matrix + i * m);
        for (int b = 0; b < m && size > 0.0; ++b)
        {
            matrix[i * m + b] /= size;
        }
    }
    for (; rank < m; ++rank)
    {
        int best = rank;
        for (int i = rank + 1; i < m; ++i)
        {
            bool longer = dot(m, matrix + i * m, matrix + i * m) > dot(m, matrix + best * m, matrix + best * m);
            best = longer ? i : best;
        }
        double *pivot = matrix + rank * m;
        for (int b = 0; b < m && best != rank; ++b)
        {
            double swap = pivot[b];
            pivot[b] = matrix[best * m + b];
            matrix[best * m + b] = swap;
        }
        double size = size_of(m, pivot);
        if (!(size > floor))
        {
            break;
        }
        for (int b = 0; b < m; ++b)
        {
            pivot[b] /= size;
        }
        for (int i = rank + 1; i < m; ++i)
        {
            double *row = matrix + i * m;
            double share = dot(m, pivot, row);
            for (int b = 0; b < m; ++b)
            {
                row[b] -= share * pivot[b];
            }
        }
    }
    return m - rank;
}

/* -------------------------------------------------------------------------------------------------------- the dual */

/* A piece in the scaled variables z. */
static crn_piece scaled(const crn_least_norm *work, const crn_piece *piece)
{
    crn_piece other = *piece;
    if (piece->kind == CRN_PIECE_DISC)
    {
        other.mu /= work->scale[piece->first];
    }
    return other;
}

/* y = B'pi + D^-1/2 g, z = P(y); returns the dual's value, to be made small. */
static double evaluate(crn_least_norm *work, const crn_active *active, int directions, const double *pi)
{
    int m = active->count;
    double value = -dot(m, work->f, pi);
    for (int b = 0; b < m; ++b)
    {
        work->y[b] = work->scale[b] * work->slope[b];
    }
    for (int a = 0; a < m; ++a)
    {
        for (int b = 0; b < m && pi[a] != 0.0; ++b)
        {
            work->y[b] += pi[a] * work->B[a * m + b];
        }
    }
    for (int k = 0; k < active->piece_count; ++k)
    {
        crn_piece piece = scaled(work, &active->piece[k]);
        const double *y = work->y + piece.first;
        double *z = work->z + piece.first;
        crn_piece_project(&piece, directions, y, z);
        for (int i = 0; i < piece.count; ++i)
        {
            value += 0.5 * (y[i] * y[i] - (y[i] - z[i]) * (y[i] - z[i]));
        }
    }
    return value;
}

static double find_gradient(crn_least_norm *work, int m)
{
    for (int a = 0; a < m; ++a)
    {
        long double sum = -(long double)work->f[a];
        for (int b = 0; b < m; ++b)
        {
            sum += (long double)work->B[a * m + b] * work->z[b];
        }
        work->gradient[a] = (double)sum;
    }
    return size_of(m, work->gradient);
}

/* P' of a piece at y, by differences: exact where the projection is linear, and near enough where it is not. */
static void find_derivative(const crn_least_norm *work, const crn_piece *piece, int directions, double derivative[9])
{
    int n = piece->count;
    const double *y = work->y + piece->first;
    double step = DIFFERENCE * (size_of(n, y) + 1e-300);
    double moved[3], up[3], down[3];
    for (int j = 0; j < n; ++j)
    {
        memcpy(moved, y, (size_t)n * sizeof(double));
        moved[j] = y[j] + step;
        crn_piece_project(piece, directions, moved, up);
        moved[j] = y[j] - step;
        crn_piece_project(piece, directions, moved, down);
        for (int i = 0; i < n; ++i)
        {
            derivative[i * n + j] = (up[i] - down[i]) / (2.0 * step);
        }
    }
}

/* hessian += B_piece P' B_piece' */
static void add_piece(crn_least_norm *work, int m, const crn_piece *piece, const double *derivative)
{
    int n = piece->count;
    for (int a = 0; a < m; ++a)
    {
        const double *row = work->B + a * m + piece->first;
        double left[3] = {0.0, 0.0, 0.0};
        bool any = false;
        for (int i = 0; i < n; ++i)
        {
            for (int j = 0; j < n; ++j)
            {
                left[i] += row[j] * 0.5 * (derivative[j * n + i] + derivative[i * n + j]);
            }
            any = any || left[i] != 0.0;
        }
        for (int b = 0; b <= a && any; ++b)
        {
            work->hessian[a * m + b] += dot(n, left, work->B + b * m + piece->first);
        }
    }
}

static bool find_step(crn_least_norm *work, const crn_active *active, int directions, double regular)
{
    int m = active->count;
    double largest = 0.0;
    memset(work->hessian, 0, (size_t)m * (size_t)m * sizeof(double));
    for (int k = 0; k < active->piece_count; ++k)
    {
        crn_piece piece = scaled(work, &active->piece[k]);
        double derivative[9] = {1.0};
        if (piece.count == 1 && piece.kind == CRN_PIECE_RAY)
        {
            derivative[0] = work->y[piece.first] > 0.0 ? 1.0 : 0.0;
        }
        else if (piece.kind != CRN_PIECE_LINE)
        {
            find_derivative(work, &piece, directions, derivative);
        }
        add_piece(work, m, &piece, derivative);
    }
    for (int a = 0; a < m; ++a)
    {
        largest = fmax(largest, work->hessian[a * m + a]);
        work->step[a] = -work->gradient[a];
    }
    for (int a = 0; a < m; ++a)
    {
        work->hessian[a * m + a] += regular * (largest > 0.0 ? largest : 1.0);
    }
    return solve_definite(m, work->hessian, work->step);
}

/* Along the step, halved until the dual falls as it should; false when it never does. */
static bool walk(crn_least_norm *work, const crn_active *active, int directions, double *value)
{
    int m = active->count;
    double slope = dot(m, work->gradient, work->step);
    double share = 1.0;
    for (int halving = 0; halving < MOST_HALVINGS; ++halving, share *= 0.5)
    {
        for (int a = 0; a < m; ++a)
        {
            work->trial[a] = work->pi[a] + share * work->step[a];
        }
        double next = evaluate(work, active, directions, work->trial);
        if (next <= *value + DESCENT * share * slope + 1e-15 * fabs(*value))
        {
            *value = next;
            memcpy(work->pi, work->trial, (size_t)m * sizeof(double));
            return true;
        }
    }
    return false;
}

bool crn_least_norm_solve(crn_least_norm *work, const crn_active *active, int directions)
{
    int m = active->count;
    double whole = size_of(m, work->f);
    memset(work->pi, 0, (size_t)m * sizeof(double));
    /* all variables free: the pseudo-inverse's answer, which often is the one */
    for (int b = 0; b < m; ++b)
    {
        work->y[b] = work->z[b] = work->scale[b] * work->slope[b];
    }
    double left = find_gradient(work, m);
    for (int a = 0; a < m; ++a)
    {
        for (int b = 0; b <= a; ++b)
        {
            work->hessian[a * m + b] = dot(m, work->B + a * m, work->B + b * m);
        }
        work->hessian[a * m + a] += REGULAR;
        work->pi[a] = -work->gradient[a];
    }
    if (!solve_definite(m, work->hessian, work->pi))
    {
        memset(work->pi, 0, (size_t)m * sizeof(double));
    }
    double value = evaluate(work, active, directions, work->pi);
    left = find_gradient(work, m);
    double least = INFINITY;
    for (int step = 0; step < MOST_STEPS && left > ENOUGH * whole && left < 0.99 * least; ++step)
    {
        least = step > 1 && left < ACCEPTABLE * whole ? left : INFINITY;
        double regular = fmax(REGULAR, 1e-3 * (left / whole) * fmin(1.0, left / whole) * (step > 0));
        if (!find_step(work, active, directions, regular) || !walk(work, active, directions, &value))
        {
            break;
        }
        left = find_gradient(work, m);
    }
    evaluate(work, active, directions, work->pi);
    for (int a = 0; a < m; ++a)
    {
        work->x[a] = work->z[a] * work->scale[a];
    }
    return left <= ACCEPTABLE * whole;
}

double crn_least_norm_along_null(crn_least_norm *work, const crn_active *active)
{
    int m = active->count;
    for (int b = 0; b < m; ++b)
    {
        work->y[b] = work->scale[b] * work->slope[b];
    }
    double whole = size_of(m, work->y);
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int a = 0; a < m; ++a)
        {
            for (int b = 0; b <= a; ++b)
            {
                work->hessian[a * m + b] = dot(m, work->B + a * m, work->B + b * m);
            }
            work->hessian[a * m + a] += REGULAR;
            work->step[a] = dot(m, work->B + a * m, work->y);
        }
        if (!solve_definite(m, work->hessian, work->step))
        {
            break;
        }
        for (int a = 0; a < m; ++a)
        {
            for (int b = 0; b < m; ++b)
            {
                work->y[b] -= work->step[a] * work->B[a * m + b];
            }
        }
    }
    double part = size_of(m, work->y);
    for (int b = 0; b < m; ++b)
    {
        work->slope[b] = work->y[b] / work->scale[b];
    }
    return whole > 0.0 ? part / whole : 0.0;
}
