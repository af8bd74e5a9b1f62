/* Two classical halves (Golub and Van Loan, Matrix Computations, 8.3).
 *
 * Householder: n - 2 reflections P = I - 2 u u'/u'u bring A to a tridiagonal T = V'AV. Row k of the array, from the last
 * one up, keeps the u of its reflection until V' is formed from them.
 *
 * QL with implicit shifts: rotations chase the off-diagonal of T to zero; each also turns two rows of V'. Eigenvectors are
 * rows, so that every inner loop runs along memory.
 */
#include "math/symmetric.h"

#include "math/vec.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>

enum
{
    MOST_ROTATIONS = 60 /* sweeps per eigenvalue; a few are usual */
};

/* y += f x */
static inline void add(int n, double f, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; ++i)
        y[i] += f * x[i];
}

/* ---------------------------------------------------------------------------------------------- tridiagonal */

/* One reflection: u from row k, left of the diagonal, and A <- P A P on the leading k x k part. Returns u'u/2, 0: none. */
static inline double reflect(int n, int k, double *a, double *p, double *off)
{
    assert(0 <= k && k < n);
    double *u = a + (size_t)k * (size_t)n;
    double norm = sqrt(crn_dot(k, u, u));
    *off = u[k - 1];
    double outside = norm * norm - u[k - 1] * u[k - 1];
    if (k < 2 || !(outside > 0) || norm == 0)
        return 0;
    *off = u[k - 1] > 0 ? -norm : norm;
    double half = norm * norm - u[k - 1] * *off; /* u'u/2 */
    u[k - 1] -= *off;
    for (int i = 0; i < k; ++i)
        p[i] = crn_dot(k, a + (size_t)i * (size_t)n, u) / half;
    add(k, -crn_dot(k, p, u) / (2 * half), u, p);
    for (int i = 0; i < k; ++i) /* A - u q' - q u' */
    {
        double *row = a + (size_t)i * (size_t)n;
        add(k, -u[i], p, row);
        add(k, -p[i], u, row);
    }
    return half;
}

/* Diagonal into d, off[k] between k - 1 and k, and V' in place of A. half[k] of the reflections stands in d meanwhile. */
static inline void tridiagonalise(int n, double *a, double *d, double *off)
{
    for (int k = n - 1; k > 0; --k)
    {
        double next;
        d[k] = reflect(n, k, a, off, &next); /* off[0 .. k-1] is free: entries k and up are made */
        off[k] = next;
    }
    off[0] = 0;
    for (int k = 0; k < n; ++k) /* the leading k x k part holds V' so far; row and column k are that of the identity */
    {
        double *row = a + (size_t)k * (size_t)n;
        double diagonal = row[k], half = k > 0 ? d[k] : 0;
        for (int i = 0; i < k && half > 0; ++i)
        {
            double *other = a + (size_t)i * (size_t)n;
            add(k, -crn_dot(k, other, row) / half, row, other);
        }
        for (int i = 0; i < k; ++i)
        {
            row[i] = 0;
            a[(size_t)i * (size_t)n + (size_t)k] = 0;
        }
        row[k] = 1;
        d[k] = diagonal;
    }
}

/* ------------------------------------------------------------------------------------------------ diagonal */

static inline void rotate(int n, double c, double s, double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; ++i)
    {
        double t = y[i];
        y[i] = s * x[i] + c * t;
        x[i] = c * x[i] - s * t;
    }
}

/* One implicit QL sweep from m up to l; off[i] stands between i and i + 1 here. */
static inline void sweep(int n, int l, int m, double *d, double *off, double *vectors)
{
    assert(0 <= l && l <= m && m < n);
    double g = (d[l + 1] - d[l]) / (2 * off[l]), r = hypot(g, 1.0);
    g = d[m] - d[l] + off[l] / (g + copysign(r, g));
    double s = 1, c = 1, p = 0;
    for (int i = m - 1; i >= l; --i)
    {
        double f = s * off[i], b = c * off[i];
        r = hypot(f, g);
        off[i + 1] = r;
        if (r == 0)
        {
            d[i + 1] -= p;
            off[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotate(n, c, s, vectors + (size_t)i * (size_t)n, vectors + (size_t)(i + 1) * (size_t)n);
    }
    d[l] -= p;
    off[l] = g;
    off[m] = 0;
}

static inline bool diagonalise(int n, double *d, double *off, double *vectors)
{
    for (int l = 0; l < n; ++l)
    {
        for (int tries = 0;; ++tries)
        {
            int m = l;
            while (m < n - 1 && fabs(off[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])))
                ++m;
            if (m == l)
                break;
            if (tries == MOST_ROTATIONS)
                return false;
            sweep(n, l, m, d, off, vectors);
        }
    }
    return true;
}

/* Selection sort: n swaps of rows at most. */
static inline void sort(int n, double *d, double *vectors)
{
    for (int i = 0; i < n; ++i)
    {
        int least = i;
        for (int j = i + 1; j < n; ++j)
            least = d[j] < d[least] ? j : least;
        double *x = vectors + (size_t)i * (size_t)n, *y = vectors + (size_t)least * (size_t)n, value = d[i];
        d[i] = d[least];
        d[least] = value;
        for (int k = 0; k < n && least != i; ++k)
        {
            value = x[k];
            x[k] = y[k];
            y[k] = value;
        }
    }
}

static inline bool find_eigen(int n, double *a, double *value, double *work)
{
    tridiagonalise(n, a, value, work);
    for (int i = 1; i < n; ++i)
        work[i - 1] = work[i];
    work[n - 1] = 0;
    bool settled = diagonalise(n, value, work, a);
    sort(n, value, a);
    return settled;
}

/* Stiffnesses and inertias are 3 x 3; those are compiled apart. */
bool crn_symmetric_eigen(int n, double *a, double *value, double *work)
{
    assert(n >= 1);
    return n == 3 ? find_eigen(3, a, value, work) : find_eigen(n, a, value, work);
}
