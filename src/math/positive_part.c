/* With q the mean of the eigenvalues, B = A - q I has the polynomial  l^3 - 3 p^2 l - d,  p^2 = tr(B^2) / 6,  d = det B,  whose roots lie within
 * +-2 p. The root on the side of d's sign is apart from the others, between sqrt(3) p and 2 p: Newton's method finds it from 2 p in a few steps, and
 * its eigenvector x is the largest of the cross products of two rows of B - l I. Across x a symmetric 2 x 2 matrix is left, whose positive part is
 * known in closed form.
 */
#include "math/positive_part.h"

#include "math/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum
{
    MOST_STEPS = 20 /* three to five are usual */
};

static double determinant(const double A[9])
{
    return A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) + A[2] * (A[3] * A[7] - A[4] * A[6]);
}

/* The root that is apart. */
static double find_root(double p, double d)
{
    double l = d < 0.0 ? -2.0 * p : 2.0 * p, three = 3.0 * p * p;
    for (int i = 0; i < MOST_STEPS; ++i)
    {
        double step = ((l * l - three) * l - d) / (3.0 * l * l - three);
        l -= step;
        if (!(fabs(step) > DBL_EPSILON * p))
            break;
    }
    return l;
}

/* The unit eigenvector of the eigenvalue l of B. */
static void find_vector(const double B[9], double l, double x[3])
{
    const double row[3][3] = {{B[0] - l, B[1], B[2]}, {B[3], B[4] - l, B[5]}, {B[6], B[7], B[8] - l}};
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
    crn_scale3(1.0 / sqrt(most), x, x);
}

/* out += f (x y' + y x') / 2 */
static void add_product(double f, const double x[3], const double y[3], double out[9])
{
    for (int i = 0; i < 9; ++i)
        out[i] += 0.5 * f * (x[i / 3] * y[i % 3] + y[i / 3] * x[i % 3]);
}

/* out += the positive part of A across the unit vector x. */
static void add_across(const double A[9], const double x[3], double out[9])
{
    double u[3], v[3], Au[3], Av[3];
    crn_tangents(x, u, v);
    crn_rotate3(A, u, Au);
    crn_rotate3(A, v, Av);
    double uu = crn_dot3(u, Au), vv = crn_dot3(v, Av), uv = crn_dot3(u, Av);
    double mean = 0.5 * (uu + vv), half = 0.5 * (uu - vv), apart = sqrt(half * half + uv * uv);
    if (mean + apart <= 0.0)
        return;
    if (mean - apart < 0.0) /* the larger eigenvalue alone */
    {
        double share = 0.5 * (mean + apart) / apart;
        uu = share * (apart + half);
        vv = share * (apart - half);
        uv *= share;
    }
    add_product(uu, u, u, out);
    add_product(vv, v, v, out);
    add_product(2.0 * uv, u, v, out);
}

bool crn_positive_part(const double A[9], double out[9])
{
    double mean = (A[0] + A[4] + A[8]) / 3.0, B[9], x[3] = {0.0, 0.0, 1.0}, l = 0.0;
    memcpy(B, A, sizeof B);
    memset(out, 0, sizeof(double[9]));
    for (int i = 0; i < 3; ++i)
        B[4 * i] -= mean;
    double p = sqrt(crn_dot(9, B, B) / 6.0);
    if (!isfinite(p))
        return false;
    if (p > DBL_EPSILON * fabs(mean) && p > 1e-70) /* else all eigenvalues are the same */
    {
        l = find_root(p, determinant(B));
        find_vector(B, l, x);
    }
    if (mean + l > 0.0)
        add_product(mean + l, x, x, out);
    add_across(A, x, out);
    return out[0] + out[4] + out[8] > 0.0;
}
