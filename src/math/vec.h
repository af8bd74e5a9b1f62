/* Vectors, 3x3 matrices (row-major) and quaternions (w, x, y, z) on plain arrays. */
#ifndef CRN_MATH_VEC_H
#define CRN_MATH_VEC_H

#include <math.h>
#include <stdbool.h>

static inline double crn_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The sum of x_i y_i, in order. */
static inline double crn_dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

static inline void crn_cross3(const double a[3], const double b[3], double out[3])
{
    double x = a[1] * b[2] - a[2] * b[1];
    double y = a[2] * b[0] - a[0] * b[2];
    double z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* The length of a vector. Its square may overflow: an explicit scheme beyond its stability limit reaches 1e189. */
static inline double crn_norm3(const double a[3])
{
    double square = crn_dot3(a, a);
    return square > 1e-280 && square < 1e280 ? sqrt(square) : hypot(hypot(a[0], a[1]), a[2]);
}

/* For assertions: |n| = 1 within rounding. */
static inline bool crn_is_unit3(const double n[3])
{
    return fabs(crn_dot3(n, n) - 1.0) < 1e-6;
}

static inline void crn_sub3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[0] - b[0];
    out[1] = a[1] - b[1];
    out[2] = a[2] - b[2];
}

static inline void crn_add3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[0] + b[0];
    out[1] = a[1] + b[1];
    out[2] = a[2] + b[2];
}

/* Two or three numbers; a call of memcpy would take longer. */
static inline void crn_copy_few(const double *from, int count, double *to)
{
    to[0] = from[0];
    to[1] = from[1];
    if (count == 3)
        to[2] = from[2];
}

/* out = s a */
static inline void crn_scale3(double s, const double a[3], double out[3])
{
    out[0] = s * a[0];
    out[1] = s * a[1];
    out[2] = s * a[2];
}

/* out = a + s b */
static inline void crn_madd3(const double a[3], double s, const double b[3], double out[3])
{
    out[0] = a[0] + s * b[0];
    out[1] = a[1] + s * b[1];
    out[2] = a[2] + s * b[2];
}

/* out = R a */
static inline void crn_rotate3(const double R[9], const double a[3], double out[3])
{
    double x = R[0] * a[0] + R[1] * a[1] + R[2] * a[2];
    double y = R[3] * a[0] + R[4] * a[1] + R[5] * a[2];
    double z = R[6] * a[0] + R[7] * a[1] + R[8] * a[2];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* out = R' a */
static inline void crn_unrotate3(const double R[9], const double a[3], double out[3])
{
    double x = R[0] * a[0] + R[3] * a[1] + R[6] * a[2];
    double y = R[1] * a[0] + R[4] * a[1] + R[7] * a[2];
    double z = R[2] * a[0] + R[5] * a[1] + R[8] * a[2];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* out = A B */
void crn_multiply33(const double A[9], const double B[9], double out[9]);

/* Two unit vectors that make a right-handed frame (n, t1, t2); continuous in n within each half of the sphere: the shortest turn
 * from z (or from -z, below) to n carries x and y to t1 and t2. */
static inline void crn_tangents(const double n[3], double t1[3], double t2[3])
{
    double side = n[2] < 0 ? -1.0 : 1.0;
    double a = -1.0 / (side + n[2]);
    double b = n[0] * n[1] * a;
    t1[0] = 1.0 + side * n[0] * n[0] * a;
    t1[1] = side * b;
    t1[2] = -side * n[0];
    t2[0] = b;
    t2[1] = side + n[1] * n[1] * a;
    t2[2] = -n[1];
}

void crn_quaternion_multiply(const double a[4], const double b[4], double out[4]);
/* Whether a quaternion can be normalised: finite, and neither so small nor so large that rounding decides. */
bool crn_quaternion_turns(const double q[4]);
void crn_quaternion_normalise(double q[4]);
void crn_quaternion_to_matrix(const double q[4], double R[9]);
/* The rotation by |phi| about phi: exp of half of it. */
void crn_quaternion_exp(const double phi[3], double q[4]);
/* The rotation vector phi of a unit quaternion, |phi| <= pi. */
void crn_quaternion_log(const double q[4], double phi[3]);
void crn_quaternion_conjugate(const double q[4], double out[4]);

#endif
