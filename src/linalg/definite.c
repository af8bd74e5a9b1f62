#include "linalg/definite.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>

bool crn_definite_factorise(int m, double *H)
{
    assert(m >= 0);
    for (int i = 0; i < m; ++i)
    {
        for (int j = 0; j <= i; ++j)
        {
            double sum = H[i * m + j] - crn_dot(j, H + i * m, H + j * m);
            if (i == j && !(sum > 0.0))
                return false;
            H[i * m + j] = i == j ? sqrt(sum) : sum / H[j * m + j];
        }
    }
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
        int best = rank;
        for (int i = rank + 1; i < m; ++i)
        {
            bool longer = crn_dot(m, matrix + i * m, matrix + i * m) > crn_dot(m, matrix + best * m, matrix + best * m);
            best = longer ? i : best;
        }
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
        for (int i = rank + 1; i < m; ++i)
        {
            double *row = matrix + i * m;
            double share = crn_dot(m, pivot, row);
            for (int b = 0; b < m; ++b)
                row[b] -= share * pivot[b];
        }
    }
    return m - rank;
}
