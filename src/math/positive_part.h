/* The positive part of symmetric 3 x 3 matrices, four at a time: the sum of l x x' over the positive eigenvalues l with their unit eigenvectors x.
 *
 * With q the mean of the eigenvalues, B = A - q I has the polynomial  l^3 - 3 p^2 l - d,  p^2 = tr(B^2) / 6,  d = det B,  whose roots lie within
 * +-2 p. The root on the side of d's sign is apart from the others, between sqrt(3) p and 2 p: Newton's method finds it from 2 p in a few steps, and
 * its eigenvector x is the largest of the cross products of two rows of B - l I. Across x a symmetric 2 x 2 matrix is left, whose positive part is
 * known in closed form.
 */
#ifndef CRN_MATH_POSITIVE_PART_H
#define CRN_MATH_POSITIVE_PART_H

#include "math/lanes.h"

#include <float.h>

enum
{
    CRN_POSITIVE_STEPS = 20 /* of Newton's method; three to five are usual */
};

INLINE lanes positive_determinant(const lanes A[9])
{
    return A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) + A[2] * (A[3] * A[7] - A[4] * A[6]);
}

/* The root that is apart, of the lanes in `sought`. */
INLINE lanes positive_root(lanes p, lanes d, lane_bits sought)
{
    lanes twice = 2.0 * p, l = lanes_choose(d < (lanes){0.0}, -twice, twice), three = 3.0 * p * p;
    for (int i = 0; i < CRN_POSITIVE_STEPS && (sought[0] | sought[1] | sought[2] | sought[3]); ++i)
    {
        lanes step = ((l * l - three) * l - d) / (3.0 * l * l - three);
        l = lanes_choose(sought, l - step, l);
        sought &= lanes_size(step) > DBL_EPSILON * p;
    }
    return l;
}

/* The unit eigenvector of the eigenvalue l of B. */
INLINE void positive_vector(const lanes B[9], lanes l, lanes x[3])
{
    const lanes one = {1.0, 1.0, 1.0, 1.0};
    const lanes row[3][3] = {{B[0] - l, B[1], B[2]}, {B[3], B[4] - l, B[5]}, {B[6], B[7], B[8] - l}};
    lanes most = {0.0};
    x[0] = x[1] = x[2] = most;
    UNROLL
    for (int i = 0; i < 3; ++i)
    {
        lanes product[3];
        lanes_cross(row[i], row[(i + 1) % 3], product);
        lanes square = lanes_dot(product, product);
        lane_bits larger = square > most;
        most = lanes_choose(larger, square, most);
        UNROLL
        for (int k = 0; k < 3; ++k)
            x[k] = lanes_choose(larger, product[k], x[k]);
    }
    lanes scale = one / lanes_root(most);
    UNROLL
    for (int k = 0; k < 3; ++k)
        x[k] = scale * x[k];
}

/* out += f (x y' + y x') / 2 */
INLINE void positive_add(lanes f, const lanes x[3], const lanes y[3], lanes out[9])
{
    UNROLL
    for (int i = 0; i < 3; ++i)
    {
        UNROLL
        for (int k = 0; k < 3; ++k)
            out[3 * i + k] += 0.5 * f * (x[i] * y[k] + y[i] * x[k]);
    }
}

/* Unit vectors across the unit vector n, as crn_tangents has them. */
INLINE void positive_tangents(const lanes n[3], lanes u[3], lanes v[3])
{
    const lanes one = {1.0, 1.0, 1.0, 1.0};
    lanes side = lanes_choose(n[2] < (lanes){0.0}, -one, one), a = -one / (side + n[2]), b = n[0] * n[1] * a;
    u[0] = one + side * n[0] * n[0] * a;
    u[1] = side * b;
    u[2] = -side * n[0];
    v[0] = b;
    v[1] = side + n[1] * n[1] * a;
    v[2] = -n[1];
}

INLINE void positive_rotate(const lanes A[9], const lanes x[3], lanes out[3])
{
    UNROLL
    for (int i = 0; i < 3; ++i)
        out[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

/* out += the positive part of A across the unit vector x. */
INLINE void positive_add_across(const lanes A[9], const lanes x[3], lanes out[9])
{
    const lanes zero = {0.0};
    lanes u[3], v[3], Au[3], Av[3];
    positive_tangents(x, u, v);
    positive_rotate(A, u, Au);
    positive_rotate(A, v, Av);
    lanes uu = lanes_dot(u, Au), vv = lanes_dot(v, Av), uv = lanes_dot(u, Av);
    lanes mean = 0.5 * (uu + vv), half = 0.5 * (uu - vv), apart = lanes_root(half * half + uv * uv);
    lane_bits some = ~(mean + apart <= zero), larger = mean - apart < zero; /* the larger eigenvalue alone */
    lanes share = 0.5 * (mean + apart) / apart;
    uu = lanes_choose(larger, share * (apart + half), uu);
    vv = lanes_choose(larger, share * (apart - half), vv);
    uv = lanes_choose(larger, uv * share, uv);
    positive_add((lanes)(some & (lane_bits)uu), u, u, out);
    positive_add((lanes)(some & (lane_bits)vv), v, v, out);
    positive_add((lanes)(some & (lane_bits)(2.0 * uv)), u, v, out);
}

/* Row-major, both triangles. Returns the lanes in which an eigenvalue is positive; where none is, or the matrix is not finite, `out` is not to
 * be used. */
INLINE lane_bits crn_positive_parts(const lanes A[9], lanes out[9])
{
    const lanes zero = {0.0}, one = {1.0, 1.0, 1.0, 1.0};
    lanes mean = (A[0] + A[4] + A[8]) / 3.0, B[9], x[3], square = zero;
    UNROLL
    for (int i = 0; i < 9; ++i)
    {
        B[i] = i % 4 == 0 ? A[i] - mean : A[i];
        square += B[i] * B[i];
        out[i] = zero;
    }
    lanes p = lanes_root(square / 6.0);
    lane_bits apart = (p > DBL_EPSILON * lanes_size(mean)) & (p > 1e-70 * one); /* else all eigenvalues are the same */
    lanes l = (lanes)(apart & (lane_bits)positive_root(p, positive_determinant(B), apart));
    positive_vector(B, l, x);
    UNROLL
    for (int k = 0; k < 3; ++k)
        x[k] = lanes_choose(apart, x[k], k == 2 ? one : zero);
    positive_add((lanes)((mean + l > zero) & (lane_bits)(mean + l)), x, x, out);
    positive_add_across(A, x, out);
    return (p <= DBL_MAX * one) & (out[0] + out[4] + out[8] > zero);
}

#endif
