/* Pivots and rebuilding.
 *
 * A pivot is a rank-one update of T: memory-bound, so rows whose multiplier is zero are skipped, and when the pivot's
 * row is sparse only its nonzero columns are touched. Contact problems are sparse and stay so for long.
 *
 * To rebuild, split the rows into I, where w is basic, and J, the others; the basic z (and z_0) number |J|. With N the
 * columns of the nonbasic variables in [I -M -d],
 *
 *     T_z = B_JJ^-1 N_J,      T_w = N_I - B_IJ T_z.
 */
#include "solve/tableau.h"

#include "base/memory.h"
#include "linalg/lu.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Below this share of nonzeros an index list beats the plain loop. */
static const double SPARSE_ROW = 0.35;

/* A basis whose LU pivots fall below this (entries are O(1)) cannot be told from a singular one. */
static const double SINGULAR = 1e-15;

static int width(const crn_tableau *tableau)
{
    return tableau->n + 1;
}

static cairn_status reserve(crn_tableau *tableau, int n)
{
    size_t rows = (size_t)n;
    size_t square = rows * (rows + 1);
    size_t *capacity = tableau->capacity;
    cairn_status status = crn_reserve(&tableau->T, &capacity[0], square, sizeof(double));
    status = status ? status : crn_reserve(&tableau->rhs, &capacity[1], rows, sizeof(double));
    status = status ? status : crn_reserve(&tableau->basic, &capacity[2], rows, sizeof(int));
    status = status ? status : crn_reserve(&tableau->nonbasic, &capacity[3], rows + 1, sizeof(int));
    status = status ? status : crn_reserve(&tableau->place, &capacity[4], 2 * rows + 1, sizeof(int));
    status = status ? status : crn_reserve(&tableau->column, &capacity[5], rows, sizeof(double));
    status = status ? status : crn_reserve(&tableau->support, &capacity[6], rows + 1, sizeof(int));
    status = status ? status : crn_reserve(&tableau->lu_row, &capacity[7], rows, sizeof(int));
    status = status ? status : crn_reserve(&tableau->dense_rows, &capacity[8], rows, sizeof(int));
    status = status ? status : crn_reserve(&tableau->dense_places, &capacity[9], rows, sizeof(int));
    status = status ? status : crn_reserve(&tableau->target, &capacity[11], rows, sizeof(double));
    return status ? status : crn_reserve(&tableau->cover, &capacity[10], rows, sizeof(double));
}

void crn_tableau_release(crn_tableau *tableau)
{
    void *owned[] = {tableau->T,      tableau->rhs,        tableau->basic,        tableau->nonbasic,
                     tableau->place,  tableau->column,     tableau->support,      tableau->lu,
                     tableau->lu_row, tableau->dense_rows, tableau->dense_places, tableau->cover,
                     tableau->target, tableau->solved};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
    {
        free(owned[i]);
    }
    memset(tableau, 0, sizeof *tableau);
}

cairn_status crn_tableau_start(crn_tableau *tableau, int n, const double *M, const double *q, const double *cover)
{
    cairn_status status = reserve(tableau, n);
    if (status)
    {
        return status;
    }
    tableau->n = n;
    tableau->M = M;
    tableau->q = q;
    for (int i = 0; i < n; ++i)
    {
        double *row = tableau->T + (size_t)i * (n + 1);
        tableau->cover[i] = cover ? cover[i] : 1.0;
        assert(tableau->cover[i] > 0.0);
        for (int j = 0; j < n; ++j)
        {
            row[j] = -M[(size_t)i * n + j];
        }
        row[n] = -tableau->cover[i];
        tableau->rhs[i] = q[i];
        tableau->basic[i] = n + i;
        tableau->place[n + i] = i;
        tableau->nonbasic[i] = i;
        tableau->place[i] = -1 - i;
    }
    tableau->nonbasic[n] = 2 * n;
    tableau->place[2 * n] = -1 - n;
    return CAIRN_OK;
}

static int find_support(crn_tableau *tableau, const double *row)
{
    int count = 0;
    for (int c = 0; c < width(tableau); ++c)
    {
        if (row[c] != 0.0)
        {
            tableau->support[count++] = c;
        }
    }
    return count;
}

static void subtract_dense(int count, double f, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < count; ++i)
    {
        y[i] -= f * x[i];
    }
}

static void subtract_sparse(int count, const int *restrict index, double f, const double *restrict x,
                            double *restrict y)
{
    for (int i = 0; i < count; ++i)
    {
        y[index[i]] -= f * x[index[i]];
    }
}

static void exchange(crn_tableau *tableau, int row, int column)
{
    int leaving = tableau->basic[row];
    int entering = tableau->nonbasic[column];
    tableau->basic[row] = entering;
    tableau->nonbasic[column] = leaving;
    tableau->place[entering] = row;
    tableau->place[leaving] = -1 - column;
}

void crn_tableau_pivot(crn_tableau *tableau, int row, int column)
{
    size_t stride = (size_t)width(tableau);
    double *pivot_row = tableau->T + row * stride;
    double inverse = 1.0 / pivot_row[column];
    assert(isfinite(inverse));
    pivot_row[column] = 1.0;
    for (size_t c = 0; c < stride; ++c)
    {
        pivot_row[c] *= inverse;
    }
    tableau->rhs[row] *= inverse;
    int count = find_support(tableau, pivot_row);
    bool sparse = count < SPARSE_ROW * (double)stride;
    for (int i = 0; i < tableau->n; ++i)
    {
        double *target = tableau->T + i * stride;
        double f = target[column];
        if (i == row || f == 0.0)
        {
            continue;
        }
        target[column] = 0.0;
        tableau->rhs[i] -= f * tableau->rhs[row];
        if (sparse)
        {
            subtract_sparse(count, tableau->support, f, pivot_row, target);
        }
        else
        {
            subtract_dense((int)stride, f, pivot_row, target);
        }
    }
    exchange(tableau, row, column);
}

double crn_tableau_inverse(const crn_tableau *tableau, int row, int j)
{
    int place = tableau->place[tableau->n + j];
    if (place >= 0)
    {
        return place == row ? 1.0 : 0.0;
    }
    return tableau->T[(size_t)row * width(tableau) + (-1 - place)];
}

/* Entry (i, variable) of [I -M -d]. */
static double original(const crn_tableau *tableau, int i, int variable)
{
    int n = tableau->n;
    if (variable == 2 * n)
    {
        return -tableau->cover[i];
    }
    return variable < n ? -tableau->M[(size_t)i * n + variable] : (variable == n + i ? 1.0 : 0.0);
}

/* The largest relative residual of B x = target, for the x given by rows. */
static double residual(const crn_tableau *tableau, const double *x, const double *target)
{
    int n = tableau->n;
    double worst = 0.0;
    double size = 0.0;
    for (int i = 0; i < n; ++i)
    {
        const double *M = tableau->M + (size_t)i * n;
        double sum = -target[i];
        double terms = fabs(target[i]);
        int own = tableau->place[n + i];
        double value = own >= 0 ? x[own] : 0.0;
        for (int k = 0; k < n; ++k)
        {
            int variable = tableau->basic[k];
            double term = variable < n ? -M[variable] * x[k] : (variable == 2 * n ? -tableau->cover[i] * x[k] : 0.0);
            sum += term;
            terms += fabs(term);
        }
        sum += value;
        worst = fmax(worst, fabs(sum));
        size = fmax(size, terms + fabs(value));
    }
    return size > 0.0 ? worst / size : 0.0;
}

double crn_tableau_drift(crn_tableau *tableau, int column)
{
    int n = tableau->n;
    double *x = tableau->column;
    double drift = residual(tableau, tableau->rhs, tableau->q);
    for (int i = 0; i < n; ++i)
    {
        x[i] = tableau->T[(size_t)i * width(tableau) + column];
        tableau->target[i] = original(tableau, i, tableau->nonbasic[column]);
    }
    return fmax(drift, residual(tableau, x, tableau->target));
}

/* List J and the places of the basic z; returns |J|. */
static int split(crn_tableau *tableau)
{
    int n = tableau->n;
    int rows = 0;
    int places = 0;
    for (int i = 0; i < n; ++i)
    {
        if (tableau->place[n + i] < 0)
        {
            tableau->dense_rows[rows++] = i;
        }
        if (tableau->basic[i] < n || tableau->basic[i] == 2 * n)
        {
            tableau->dense_places[places++] = i;
        }
    }
    assert(rows == places);
    return rows;
}

/* Row i of [N q]. */
static void nonbasic_row(const crn_tableau *tableau, int i, double *out)
{
    int columns = width(tableau);
    for (int c = 0; c < columns; ++c)
    {
        out[c] = original(tableau, i, tableau->nonbasic[c]);
    }
    out[columns] = tableau->q[i];
}

/* Factorise B_JJ and solve for the rows of the basic z, into `solved`. */
static bool solve_dense(crn_tableau *tableau, int k)
{
    int columns = width(tableau) + 1;
    for (int a = 0; a < k; ++a)
    {
        for (int b = 0; b < k; ++b)
        {
            int variable = tableau->basic[tableau->dense_places[b]];
            tableau->lu[(size_t)a * k + b] = original(tableau, tableau->dense_rows[a], variable);
        }
    }
    if (!crn_lu_factorise(k, tableau->lu, k, tableau->lu_row, SINGULAR))
    {
        return false;
    }
    for (int a = 0; a < k; ++a)
    {
        nonbasic_row(tableau, tableau->dense_rows[tableau->lu_row[a]], tableau->solved + (size_t)a * columns);
    }
    crn_lu_solve(k, tableau->lu, k, tableau->solved, columns, columns);
    return true;
}

bool crn_tableau_rebuild(crn_tableau *tableau)
{
    int n = tableau->n;
    size_t columns = (size_t)width(tableau) + 1;
    int k = split(tableau);
    size_t *capacity = tableau->capacity;
    if (crn_reserve(&tableau->lu, &capacity[12], (size_t)k * (size_t)k, sizeof(double)) ||
        crn_reserve(&tableau->solved, &capacity[13], ((size_t)k + 1) * columns, sizeof(double)) ||
        !solve_dense(tableau, k))
    {
        return false;
    }
    double *row = tableau->solved + k * columns;
    for (int i = 0; i < n; ++i)
    {
        int place = tableau->place[n + i];
        if (place < 0)
        {
            continue;
        }
        nonbasic_row(tableau, i, row);
        for (int b = 0; b < k; ++b)
        {
            double f = original(tableau, i, tableau->basic[tableau->dense_places[b]]);
            if (f != 0.0)
            {
                subtract_dense((int)columns, f, tableau->solved + b * columns, row);
            }
        }
        memcpy(tableau->T + place * (columns - 1), row, (columns - 1) * sizeof(double));
        tableau->rhs[place] = row[columns - 1];
    }
    for (int b = 0; b < k; ++b)
    {
        int place = tableau->dense_places[b];
        memcpy(tableau->T + place * (columns - 1), tableau->solved + b * columns, (columns - 1) * sizeof(double));
        tableau->rhs[place] = tableau->solved[b * columns + columns - 1];
    }
    return true;
}
