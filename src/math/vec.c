#include "math/vec.h"

#include <assert.h>
#include <string.h>

void crn_multiply33(const double A[9], const double B[9], double out[9])
{
    double C[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    memcpy(out, C, sizeof C);
}

void crn_quaternion_multiply(const double a[4], const double b[4], double out[4])
{
    double c[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    };
    memcpy(out, c, sizeof c);
}

bool crn_quaternion_turns(const double q[4])
{
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return norm > 1e-12 && norm < 1e12;
}

void crn_quaternion_normalise(double q[4])
{
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i)
        q[i] /= norm;
}

void crn_quaternion_to_matrix(const double q[4], double R[9])
{
    assert(isfinite(q[0]) && isfinite(q[1]) && isfinite(q[2]) && isfinite(q[3]));
    double w = q[0], x = q[1], y = q[2], z = q[3];
    R[0] = 1 - 2 * (y * y + z * z);
    R[1] = 2 * (x * y - w * z);
    R[2] = 2 * (x * z + w * y);
    R[3] = 2 * (x * y + w * z);
    R[4] = 1 - 2 * (x * x + z * z);
    R[5] = 2 * (y * z - w * x);
    R[6] = 2 * (x * z - w * y);
    R[7] = 2 * (y * z + w * x);
    R[8] = 1 - 2 * (x * x + y * y);
}

void crn_quaternion_exp(const double phi[3], double q[4])
{
    bool rests = phi[0] == 0 && phi[1] == 0 && phi[2] == 0;
    double angle = rests ? 0.0 : crn_norm3(phi);
    /* sin(angle/2)/angle, by its series where the quotient would lose digits */
    double s = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : sin(0.5 * angle) / angle;
    q[0] = rests ? 1.0 : cos(0.5 * angle);
    q[1] = s * phi[0];
    q[2] = s * phi[1];
    q[3] = s * phi[2];
}

void crn_quaternion_log(const double q[4], double phi[3])
{
    double sign = q[0] < 0 ? -1.0 : 1.0;
    double w = sign * q[0];
    double e[3] = {sign * q[1], sign * q[2], sign * q[3]};
    double s = crn_norm3(e);
    double factor = s < 1e-8 ? 2.0 / w : 2.0 * atan2(s, w) / s;
    phi[0] = factor * e[0];
    phi[1] = factor * e[1];
    phi[2] = factor * e[2];
}

void crn_quaternion_conjugate(const double q[4], double out[4])
{
    out[0] = q[0];
    out[1] = -q[1];
    out[2] = -q[2];
    out[3] = -q[3];
}
