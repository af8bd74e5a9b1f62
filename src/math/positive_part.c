/* One eigenvalue of three has a sign of its own, or all have the same. So a single pair l, x gives the positive part, A - l x x' or l x x'.
 *
 * The eigenvalue is the least or the largest root of  p(l) = l^3 - a l^2 + b l - c.  From outside of all roots Newton's method goes towards that
 * root without ever passing it. Its eigenvector is the largest of the cross products of two rows of A - l I.
 */
#include "math/positive_part.h"

#include "math/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum
{
    MOST_STEPS = 100 /* two roots that nearly meet are approached slowly; a few steps are usual */
};

/* The coefficients of p. */
typedef struct polynomial
{
    double a, b, c;
} polynomial;

static polynomial polynomial_of(const double A[9])
{
    double xy = A[0] * A[4] - A[1] * A[3], xz = A[0] * A[8] - A[2] * A[6], yz = A[4] * A[8] - A[5] * A[7];
    double c = A[0] * yz - A[1] * (A[3] * A[8] - A[5] * A[6]) + A[2] * (A[3] * A[7] - A[4] * A[6]);
    return (polynomial){A[0] + A[4] + A[8], xy + xz + yz, c};
}

/* How many roots are positive; they are all real, so that Descartes' count of the changes of sign is exact. */
static int count_positive(polynomial p)
{
    const double sign[4] = {1.0, -p.a, p.b, -p.c};
    double last = 1.0;
    int changes = 0;
    for (int i = 1; i < 4; ++i)
    {
        if (sign[i] == 0.0)
            continue;
        changes += (sign[i] > 0.0) != (last > 0.0);
        last = sign[i];
    }
    return changes;
}

/* The least root (bound < 0) or the largest (bound > 0), from a bound of all roots. */
static double find_root(polynomial p, double bound)
{
    double l = bound, least = DBL_EPSILON * fabs(bound);
    for (int i = 0; i < MOST_STEPS; ++i)
    {
        double slope = (3.0 * l - 2.0 * p.a) * l + p.b;
        double step = (((l - p.a) * l + p.b) * l - p.c) / slope;
        if (!(fabs(step) > least))
            break;
        l -= step;
    }
    return l;
}

/* The unit eigenvector of the eigenvalue l; false: there is no single one. */
static bool find_vector(const double A[9], double l, double x[3])
{
    const double row[3][3] = {{A[0] - l, A[1], A[2]}, {A[3], A[4] - l, A[5]}, {A[6], A[7], A[8] - l}};
    double most = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double product[3];
        crn_cross3(row[i], row[(i + 1) % 3], product);
        double square = crn_dot3(product, product);
        if (square > most)
        {
            most = square;
            memcpy(x, product, sizeof product);
        }
    }
    if (!(most > DBL_MIN))
        return false;
    crn_scale3(1.0 / sqrt(most), x, x);
    return true;
}

bool crn_positive_part(const double A[9], double out[9])
{
    double size = sqrt(crn_dot(9, A, A)), x[3] = {0.0, 0.0, 0.0};
    memset(out, 0, sizeof(double[9]));
    if (!(size > DBL_MIN) || !isfinite(size))
        return false;
    polynomial p = polynomial_of(A);
    int positive = count_positive(p);
    if (positive == 0)
        return false;
    double bound = 1.01 * size, l = positive == 3 ? 0.0 : find_root(p, positive == 1 ? bound : -bound);
    bool single = positive < 3 && find_vector(A, l, x);
    if (positive > 1)
        memcpy(out, A, sizeof(double[9]));
    for (int i = 0; i < 9 && single; ++i)
        out[i] += (positive == 1 ? l : -l) * x[i / 3] * x[i % 3];
    return true;
}
