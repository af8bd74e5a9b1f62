#include "linalg/definite.h"

#include "linalg/lanes.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum
{
    LANES = 8,
    NARROW = 48,       /* rows at the top, which are not worth the packing */
    MOST_PACKED = 1536 /* columns of a panel, 96 kB of the stack */
};

/* Finish row i from column `from` on; false: the matrix is not definite. */
static bool finish_row(int m, double *H, int i, int from)
{
    for (int j = from; j <= i; ++j)
    {
        double sum = H[i * m + j] - crn_dot(j, H + i * m, H + j * m);
        if (i == j && !(sum > 0.0))
            return false;
        H[i * m + j] = i == j ? sqrt(sum) : sum / H[j * m + j];
    }
    return true;
}

/* The columns before `first` of the rows first .. first + LANES - 1. Every sum has the order of finish_row, so that both give the same bits,
 * but LANES of them run side by side. pack: the rows so far, column by column. */
static void factorise_panel(int m, double *restrict H, int first, double (*restrict pack)[LANES])
{
    for (int j = 0; j < first; ++j)
    {
        const double *row = H + (ptrdiff_t)j * m;
        double sum[LANES];
        crn_lanes a = {0.0, 0.0}, b = a, c = a, d = a;
        for (int k = 0; k < j; ++k)
        {
            a += crn_lanes_at(pack[k]) * row[k];
            b += crn_lanes_at(pack[k] + 2) * row[k];
            c += crn_lanes_at(pack[k] + 4) * row[k];
            d += crn_lanes_at(pack[k] + 6) * row[k];
        }
        *(crn_lanes *)sum = a, *(crn_lanes *)(sum + 2) = b, *(crn_lanes *)(sum + 4) = c, *(crn_lanes *)(sum + 6) = d;
        for (int lane = 0; lane < LANES; ++lane)
        {
            double *entry = H + (ptrdiff_t)(first + lane) * m + j;
            *entry = (*entry - sum[lane]) / row[j];
            pack[j][lane] = *entry;
        }
    }
}

bool crn_definite_factorise(int m, double *H)
{
    assert(m >= 0);
    double pack[MOST_PACKED][LANES];
    int i = 0;
    for (; i < NARROW && i < m; ++i)
        if (!finish_row(m, H, i, 0))
            return false;
    for (; i + LANES <= m && i <= MOST_PACKED; i += LANES)
    {
        factorise_panel(m, H, i, pack);
        for (int lane = 0; lane < LANES; ++lane)
            if (!finish_row(m, H, i + lane, i))
                return false;
    }
    for (; i < m; ++i)
        if (!finish_row(m, H, i, 0))
            return false;
    return true;
}

void crn_definite_solve(int m, const double *L, double *b)
{
    assert(m >= 0);
    for (int i = 0; i < m; ++i)
        b[i] = (b[i] - crn_dot(i, L + i * m, b)) / L[i * m + i];
    for (int i = m - 1; i >= 0; --i)
    {
        b[i] /= L[i * m + i];
        for (int j = 0; j < i; ++j)
            b[j] -= L[i * m + j] * b[i];
    }
}

/* By elimination with the largest diagonal entries for pivots: where x'(matrix)x >= 0 for all x and a diagonal entry vanishes,
 * so do its row and column. */
int crn_nullity_monotone(int m, double *matrix, double floor)
{
    assert(m >= 0 && floor >= 0.0);
    for (int k = 0; k < m; ++k)
    {
        int best = k;
        for (int i = k + 1; i < m; ++i)
            best = matrix[i * m + i] > matrix[best * m + best] ? i : best;
        if (!(matrix[best * m + best] > floor))
            return m - k;
        for (int i = 0; i < m && best != k; ++i)
        {
            double swap = matrix[i * m + k];
            matrix[i * m + k] = matrix[i * m + best];
            matrix[i * m + best] = swap;
        }
        for (int i = 0; i < m && best != k; ++i)
        {
            double swap = matrix[k * m + i];
            matrix[k * m + i] = matrix[best * m + i];
            matrix[best * m + i] = swap;
        }
        for (int i = k + 1; i < m; ++i)
        {
            double factor = matrix[i * m + k] / matrix[k * m + k];
            for (int j = k + 1; j < m && factor != 0.0; ++j)
                matrix[i * m + j] -= factor * matrix[k * m + j];
        }
    }
    return 0;
}

enum
{
    BESIDE = 4
};

/* The products of x with BESIDE rows, summed beside each other, each in the order of crn_dot. */
static void multiply_rows(int m, const double *x, const double *row, double product[BESIDE])
{
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    const double *second = row + m, *third = second + m, *fourth = third + m;
    for (int k = 0; k < m; ++k)
    {
        a += x[k] * row[k];
        b += x[k] * second[k];
        c += x[k] * third[k];
        d += x[k] * fourth[k];
    }
    product[0] = a, product[1] = b, product[2] = c, product[3] = d;
}

/* The squares of BESIDE rows, likewise. */
static void square_rows(int m, const double *row, double square[BESIDE])
{
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    const double *second = row + m, *third = second + m, *fourth = third + m;
    for (int k = 0; k < m; ++k)
    {
        a += row[k] * row[k];
        b += second[k] * second[k];
        c += third[k] * third[k];
        d += fourth[k] * fourth[k];
    }
    square[0] = a, square[1] = b, square[2] = c, square[3] = d;
}

static void subtract_share(int m, const double *restrict pivot, double share, double *restrict row)
{
    for (int b = 0; b < m; ++b)
        row[b] -= share * pivot[b];
}

/* Take the part along the pivot, of length one, from all rows from `first` on. */
static void project_rows(int m, const double *pivot, double *matrix, int first)
{
    int i = first;
    for (; i + BESIDE <= m; i += BESIDE)
    {
        double share[BESIDE];
        multiply_rows(m, pivot, matrix + (ptrdiff_t)i * m, share);
        for (int lane = 0; lane < BESIDE; ++lane)
            subtract_share(m, pivot, share[lane], matrix + (ptrdiff_t)(i + lane) * m);
    }
    for (; i < m; ++i)
    {
        double *row = matrix + (ptrdiff_t)i * m;
        subtract_share(m, pivot, crn_dot(m, pivot, row), row);
    }
}

/* The row from `first` on with the largest norm, the first of equal ones. */
static int longest_row(int m, const double *matrix, int first)
{
    int best = first, i = first;
    double most = -1.0, square[BESIDE];
    for (; i + BESIDE <= m; i += BESIDE)
    {
        square_rows(m, matrix + (ptrdiff_t)i * m, square);
        for (int lane = 0; lane < BESIDE; ++lane)
        {
            best = square[lane] > most ? i + lane : best;
            most = fmax(most, square[lane]);
        }
    }
    for (; i < m; ++i)
    {
        square[0] = crn_dot(m, matrix + (ptrdiff_t)i * m, matrix + (ptrdiff_t)i * m);
        best = square[0] > most ? i : best;
        most = fmax(most, square[0]);
    }
    return best;
}

/* Gram-Schmidt: the next row is the one with the largest remainder after projection onto those before. */
int crn_nullity(int m, double *matrix, double floor)
{
    assert(m >= 0 && floor >= 0.0);
    int rank = 0;
    for (int i = 0; i < m; ++i)
    {
        double size = sqrt(crn_dot(m, matrix + i * m, matrix + i * m));
        for (int b = 0; b < m && size > 0.0; ++b)
            matrix[i * m + b] /= size;
    }
    for (; rank < m; ++rank)
    {
        int best = longest_row(m, matrix, rank);
        double *pivot = matrix + rank * m;
        for (int b = 0; b < m && best != rank; ++b)
        {
            double swap = pivot[b];
            pivot[b] = matrix[best * m + b];
            matrix[best * m + b] = swap;
        }
        double size = sqrt(crn_dot(m, pivot, pivot));
        if (!(size > floor))
            break;
        for (int b = 0; b < m; ++b)
            pivot[b] /= size;
        project_rows(m, pivot, matrix, rank + 1);
    }
    return m - rank;
}
