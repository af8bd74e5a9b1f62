#include "solve/pivot/lemke_basis.h"

#include "linalg/dense.h"
#include "linalg/lu.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A column is corrected when its residual exceeds this share of its size. */
static const double EXACT = 1e-14;

/* A basis with an LU pivot below this (entries are O(1)) counts as singular. */
static const double SINGULAR = 1e-15;

/* Entries of a pivot row below this are zeros with rounding errors (entries of M are O(1)). Setting them to zero keeps C
 * sparse. */
static const double NOISE = 1e-15;

static cairn_status reserve(crn_basis *basis, int n, int nonzeros)
{
    size_t rows = (size_t)n + 1; /* z_0 included */
    return crn_reserve_all(&basis->memory, CRN_ARRAY(basis->start, rows), CRN_ARRAY(basis->index, nonzeros),
                           CRN_ARRAY(basis->value, nonzeros), CRN_ARRAY(basis->variable, rows),
                           CRN_ARRAY(basis->row, rows), CRN_ARRAY(basis->slot_of_z, rows),
                           CRN_ARRAY(basis->slot_of_row, rows), CRN_ARRAY(basis->support, rows),
                           CRN_ARRAY(basis->lu_row, rows), CRN_ARRAY(basis->cover, rows), CRN_ARRAY(basis->x_z, rows),
                           CRN_ARRAY(basis->x_w, rows), CRN_ARRAY(basis->y_z, rows), CRN_ARRAY(basis->y_w, rows),
                           CRN_ARRAY(basis->target, rows), CRN_ARRAY(basis->residual, rows),
                           CRN_ARRAY(basis->pivot_row, rows), CRN_ARRAY(basis->C, rows * rows));
}

void crn_basis_release(crn_basis *basis)
{
    crn_arena_release(&basis->memory);
    memset(basis, 0, sizeof *basis);
}

static int count_nonzeros(int n, const double *M)
{
    int count = 0;
    for (size_t i = 0; i < (size_t)n * (size_t)n; ++i)
        count += M[i] != 0.0;
    return count;
}

static void list_nonzeros(crn_basis *basis)
{
    int count = 0;
    for (int i = 0; i < basis->n; ++i)
    {
        const double *row = basis->M + (size_t)i * basis->n;
        basis->start[i] = count;
        for (int j = 0; j < basis->n; ++j)
        {
            if (row[j] != 0.0)
            {
                basis->index[count] = j;
                basis->value[count++] = row[j];
            }
        }
    }
    basis->start[basis->n] = count;
}

cairn_status crn_basis_start(crn_basis *basis, int n, const double *M, const double *q, const double *cover)
{
    if (reserve(basis, n, count_nonzeros(n, M)))
        return CAIRN_NO_MEMORY;
    basis->n = n;
    basis->k = 0;
    basis->M = M;
    basis->q = q;
    list_nonzeros(basis);
    for (int i = 0; i < n; ++i)
    {
        basis->cover[i] = cover ? cover[i] : 1.0;
        assert(basis->cover[i] > 0.0);
        basis->slot_of_z[i] = basis->slot_of_row[i] = -1;
        basis->x_w[i] = q[i];
    }
    basis->slot_of_z[n] = -1;
    return CAIRN_OK;
}

/* The slot of a basic z or z_0; -1 for a w or a variable that is not basic. */
static int slot(const crn_basis *basis, int variable)
{
    int n = basis->n;
    return variable < n ? basis->slot_of_z[variable] : (variable == 2 * n ? basis->slot_of_z[n] : -1);
}

static bool is_w(const crn_basis *basis, int variable)
{
    return variable >= basis->n && variable < 2 * basis->n;
}

bool crn_basis_holds(const crn_basis *basis, int variable)
{
    return is_w(basis, variable) ? basis->slot_of_row[variable - basis->n] < 0 : slot(basis, variable) >= 0;
}

double crn_basis_value(const crn_basis *basis, int variable)
{
    assert(crn_basis_holds(basis, variable));
    return is_w(basis, variable) ? basis->x_w[variable - basis->n] : basis->x_z[slot(basis, variable)];
}

double crn_basis_entry(const crn_basis *basis, int variable)
{
    assert(crn_basis_holds(basis, variable));
    return is_w(basis, variable) ? basis->y_w[variable - basis->n] : basis->y_z[slot(basis, variable)];
}

double crn_basis_inverse(const crn_basis *basis, int variable, int j)
{
    int b = basis->slot_of_row[j];
    if (b < 0)
        return variable == basis->n + j ? 1.0 : 0.0;
    const double *column = basis->C + b;
    size_t stride = (size_t)basis->n;
    if (!is_w(basis, variable))
        return column[slot(basis, variable) * stride];
    int i = variable - basis->n;
    int z0 = basis->slot_of_z[basis->n];
    double sum = z0 >= 0 ? basis->cover[i] * column[z0 * stride] : 0.0;
    for (int e = basis->start[i]; e < basis->start[i + 1]; ++e)
    {
        int a = basis->slot_of_z[basis->index[e]];
        sum += a >= 0 ? basis->value[e] * column[a * stride] : 0.0;
    }
    return sum;
}

/* out = right + [M d] x over the basic z: the values of w, by rows, for these z and this right-hand side. Returns the
 * largest entry in J, where it should vanish. */
static double slacks(const crn_basis *basis, const double *right, const double *x, double *out)
{
    int n = basis->n;
    int z0 = basis->slot_of_z[n];
    double x0 = z0 >= 0 ? x[z0] : 0.0;
    double *z = basis->pivot_row; /* all z, so that the sums below need no test for basic ones */
    double worst = 0.0;
    for (int j = 0; j < n; ++j)
        z[j] = basis->slot_of_z[j] >= 0 ? x[basis->slot_of_z[j]] : 0.0;
    for (int i = 0; i < n; ++i)
    {
        double sum = right[i] + basis->cover[i] * x0;
        for (int e = basis->start[i]; e < basis->start[i + 1]; ++e)
            sum += basis->value[e] * z[basis->index[e]];
        out[i] = sum;
        worst = basis->slot_of_row[i] >= 0 ? fmax(worst, fabs(sum)) : worst;
    }
    return worst;
}

/* x += C right_J */
static void add_solution(const crn_basis *basis, const double *right, double *x)
{
    for (int b = 0; b < basis->k; ++b)
        basis->pivot_row[b] = right[basis->row[b]];
    for (int a = 0; a < basis->k; ++a)
        x[a] += crn_dense_dot(basis->k, basis->C + (size_t)a * basis->n, basis->pivot_row);
}

static double largest(int count, const double *x)
{
    double size = 0.0;
    for (int i = 0; i < count; ++i)
        size = fmax(size, fabs(x[i]));
    return size;
}

/* Copy the slacks of the basic w; elsewhere the slack is a residual and w is 0. */
static void take_slacks(const crn_basis *basis, double *w)
{
    for (int i = 0; i < basis->n; ++i)
        w[i] = basis->slot_of_row[i] < 0 ? basis->residual[i] : 0.0;
}

/* The entering column, moved to the right-hand side: -M_e, -d or a unit vector. */
static void load_target(crn_basis *basis, int variable)
{
    int n = basis->n;
    for (int i = 0; i < n; ++i)
    {
        basis->target[i] = is_w(basis, variable) ? 0.0
                           : variable == 2 * n   ? -basis->cover[i]
                                                 : -basis->M[(size_t)i * n + variable];
    }
    if (is_w(basis, variable))
        basis->target[variable - n] = 1.0;
}

/* y_z = C target_J; targets are sparse. */
static void solve_sparse(crn_basis *basis)
{
    int count = 0;
    for (int b = 0; b < basis->k; ++b)
    {
        if (basis->target[basis->row[b]] != 0.0)
        {
            basis->support[count] = b;
            basis->pivot_row[count++] = basis->target[basis->row[b]];
        }
    }
    for (int a = 0; a < basis->k; ++a)
    {
        const double *row = basis->C + (size_t)a * basis->n;
        double sum = 0.0;
        for (int c = 0; c < count; ++c)
            sum += row[basis->support[c]] * basis->pivot_row[c];
        basis->y_z[a] = sum;
    }
}

double crn_basis_enter(crn_basis *basis, int variable)
{
    assert(!crn_basis_holds(basis, variable));
    load_target(basis, variable);
    solve_sparse(basis);
    double size = fmax(largest(basis->n, basis->target), largest(basis->k, basis->y_z));
    double drift = slacks(basis, basis->target, basis->y_z, basis->residual);
    if (drift > EXACT * size)
    {
        add_solution(basis, basis->residual, basis->y_z);
        slacks(basis, basis->target, basis->y_z, basis->residual);
    }
    take_slacks(basis, basis->y_w);
    return drift / size;
}

double crn_basis_refresh(crn_basis *basis)
{
    double size = fmax(largest(basis->n, basis->q), largest(basis->k, basis->x_z));
    double drift = slacks(basis, basis->q, basis->x_z, basis->residual);
    if (drift > EXACT * size)
    {
        add_solution(basis, basis->residual, basis->x_z);
        slacks(basis, basis->q, basis->x_z, basis->residual);
    }
    take_slacks(basis, basis->x_w);
    return size > 0.0 ? drift / size : 0.0;
}

static void subtract(int count, double f, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < count; ++i)
        y[i] -= f * x[i];
}

static void subtract_sparse(int count, const int *restrict index, double f, const double *restrict x,
                            double *restrict y)
{
    for (int i = 0; i < count; ++i)
        y[index[i]] -= f * x[index[i]];
}

/* The leaving variable's row of B^-1 over J, divided by the pivot. */
static void form_pivot_row(crn_basis *basis, int leaving, double pivot)
{
    int n = basis->n;
    double *out = basis->pivot_row;
    if (!is_w(basis, leaving))
    {
        memcpy(out, basis->C + (size_t)slot(basis, leaving) * n, (size_t)basis->k * sizeof(double));
    }
    else
    {
        int i = leaving - n;
        int z0 = basis->slot_of_z[n];
        memset(out, 0, (size_t)basis->k * sizeof(double));
        if (z0 >= 0)
            subtract(basis->k, -basis->cover[i], basis->C + (size_t)z0 * n, out);
        for (int e = basis->start[i]; e < basis->start[i + 1]; ++e)
        {
            int a = basis->slot_of_z[basis->index[e]];
            if (a >= 0)
                subtract(basis->k, -basis->value[e], basis->C + (size_t)a * n, out);
        }
    }
    for (int b = 0; b < basis->k; ++b)
        out[b] = fabs(out[b]) > NOISE ? out[b] / pivot : 0.0;
}

/* C -= y pivot_row', except in row `skip`. */
static void subtract_outer(crn_basis *basis, int skip)
{
    int count = 0;
    for (int b = 0; b < basis->k; ++b)
    {
        basis->support[count] = b;
        count += basis->pivot_row[b] != 0.0;
    }
    for (int a = 0; a < basis->k; ++a)
    {
        double *row = basis->C + (size_t)a * basis->n;
        if (a == skip || basis->y_z[a] == 0.0)
            continue;
        if (2 * count < basis->k)
            subtract_sparse(count, basis->support, basis->y_z[a], basis->pivot_row, row);
        else
            subtract(basis->k, basis->y_z[a], basis->pivot_row, row);
    }
}

static void set_column(crn_basis *basis, int b, double pivot)
{
    for (int a = 0; a < basis->k; ++a)
        basis->C[(size_t)a * basis->n + b] = -basis->y_z[a] / pivot;
}

static int *z_place(crn_basis *basis, int variable)
{
    return &basis->slot_of_z[variable == 2 * basis->n ? basis->n : variable];
}

static void set_variable(crn_basis *basis, int a, int variable, double value)
{
    basis->variable[a] = variable;
    *z_place(basis, variable) = a;
    basis->x_z[a] = value;
}

static void set_row(crn_basis *basis, int b, int i)
{
    basis->row[b] = i;
    basis->slot_of_row[i] = b;
    basis->x_w[i] = 0.0;
}

/* Remove row a and column b from C; the last ones take their places. */
static void strip(crn_basis *basis, int a, int b)
{
    int last = basis->k - 1;
    size_t n = (size_t)basis->n;
    *z_place(basis, basis->variable[a]) = -1;
    basis->slot_of_row[basis->row[b]] = -1;
    if (a != last)
    {
        memcpy(basis->C + a * n, basis->C + last * n, (size_t)basis->k * sizeof(double));
        set_variable(basis, a, basis->variable[last], basis->x_z[last]);
    }
    if (b != last)
    {
        for (int c = 0; c < last; ++c)
            basis->C[c * n + b] = basis->C[c * n + last];
        set_row(basis, b, basis->row[last]);
    }
    basis->k = last;
}

/* A z takes the place of a w: C gains a row and a column. */
static void border(crn_basis *basis, int entering, int i, double pivot, double value)
{
    int k = basis->k;
    double *row = basis->C + (size_t)k * basis->n;
    subtract_outer(basis, -1);
    set_column(basis, k, pivot);
    memcpy(row, basis->pivot_row, (size_t)k * sizeof(double));
    row[k] = 1.0 / pivot;
    set_variable(basis, k, entering, value);
    set_row(basis, k, i);
    basis->k = k + 1;
}

void crn_basis_pivot(crn_basis *basis, int entering, int leaving)
{
    int n = basis->n;
    double pivot = crn_basis_entry(basis, leaving);
    double theta = crn_basis_value(basis, leaving) / pivot;
    int a = slot(basis, leaving);
    assert(isfinite(1.0 / pivot));
    subtract(basis->k, theta, basis->y_z, basis->x_z);
    subtract(n, theta, basis->y_w, basis->x_w);
    form_pivot_row(basis, leaving, pivot);
    if (is_w(basis, leaving) && !is_w(basis, entering))
    {
        border(basis, entering, leaving - n, pivot, theta);
        return;
    }
    subtract_outer(basis, a);
    if (a >= 0 && !is_w(basis, entering))
    {
        memcpy(basis->C + (size_t)a * n, basis->pivot_row, (size_t)basis->k * sizeof(double));
        *z_place(basis, leaving) = -1;
        set_variable(basis, a, entering, theta);
        return;
    }
    int b = basis->slot_of_row[entering - n];
    if (a >= 0)
    {
        strip(basis, a, b);
    }
    else
    {
        basis->slot_of_row[entering - n] = -1;
        set_column(basis, b, pivot);
        set_row(basis, b, leaving - n);
    }
    basis->x_w[entering - n] = theta;
}

bool crn_basis_rebuild(crn_basis *basis)
{
    int k = basis->k;
    size_t n = (size_t)basis->n;
    if (crn_reserve_all(&basis->memory, CRN_ARRAY(basis->lu, (size_t)k * (size_t)k)))
        return false;
    for (int b = 0; b < k; ++b)
    {
        int i = basis->row[b];
        for (int a = 0; a < k; ++a)
        {
            int variable = basis->variable[a];
            double entry = variable == 2 * basis->n ? basis->cover[i] : basis->M[i * n + variable];
            basis->lu[(size_t)b * k + a] = -entry;
        }
    }
    if (!crn_lu_factorise(k, basis->lu, k, basis->lu_row, SINGULAR))
        return false;
    for (int a = 0; a < k; ++a)
    {
        memset(basis->C + a * n, 0, (size_t)k * sizeof(double));
        basis->C[a * n + basis->lu_row[a]] = 1.0;
        basis->x_z[a] = 0.0;
    }
    crn_lu_solve(k, basis->lu, k, basis->C, basis->n, k);
    add_solution(basis, basis->q, basis->x_z);
    crn_basis_refresh(basis);
    return true;
}
