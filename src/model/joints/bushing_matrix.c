/* The matrices of a bushing, checked and made diagonal.
 *
 * K and C are symmetric and positive semidefinite. One basis makes both diagonal (a congruence): with S = K + s C, and first
 * every entry of u scaled so that S has ones on its diagonal,
 *
 *     S = Q diag(sigma) Q',     T = Q diag(sigma)^-1/2,     T'K T = P diag(k) P',     y = P' diag(sigma)^1/2 Q' u ,
 *
 * so that u'K u = sum k_i y_i^2 and u'C u = sum c_i y_i^2 with k_i + s c_i = 1. Each y_i is an equation of the joint with a spring and a
 * damper in its place, which formulate/compliance.c takes implicitly at any size. Where sigma is 0 nothing resists, and there is no
 * row. At last every row is scaled to length 1.
 */
#include "math/symmetric.h"
#include "model/joints/bushing.h"
#include "model/joints/joint_class.h"

#include <assert.h>
#include <math.h>

typedef double matrix[CRN_BUSHING_SIZE][CRN_BUSHING_SIZE];

static const double LEAST = 1e-10; /* of the largest eigenvalue: below, it is 0 */

static cairn_status read_matrix(const cairn_model *model, const char *who, const char *field, const double *given,
                                matrix out)
{
    int n = model->dimension == 2 ? 3 : 6;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            out[i][j] = given ? given[i * n + j] : 0.0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
        {
            double size = sqrt(fabs(out[i][i]) * fabs(out[j][j]));
            if (!isfinite(out[i][j]) || fabs(out[i][j] - out[j][i]) > 1e-9 * size + 1e-12 * fabs(out[i][j]))
                return crn_fail(model->context, CAIRN_INVALID,
                                "joint '%s': %s: must be symmetric, but has %g in row %d, column %d, and %g in row %d, "
                                "column %d",
                                who, field, out[i][j], i + 1, j + 1, out[j][i], j + 1, i + 1);
        }
    return CAIRN_OK;
}

/* out = D m D with D = diag(scale). */
static void scale_by(int n, matrix m, const double *scale, matrix out)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            out[i][j] = scale[i] * scale[j] * m[i][j];
}

/* Eigenvectors as rows and eigenvalues of the leading n x n part. */
static void eigen(int n, matrix m, matrix rows, double *value)
{
    double packed[CRN_BUSHING_SIZE * CRN_BUSHING_SIZE], work[CRN_BUSHING_SIZE];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            packed[i * n + j] = 0.5 * (m[i][j] + m[j][i]);
    bool settled = crn_symmetric_eigen(n, packed, value, work);
    assert(settled);
    (void)settled;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            rows[i][j] = packed[i * n + j];
}

/* x'm y */
static double product(int n, matrix m, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            sum += x[i] * m[i][j] * y[j];
    return sum;
}

static cairn_status check_definite(const cairn_model *model, const char *who, const char *field, int n, matrix m)
{
    double value[CRN_BUSHING_SIZE], unit[CRN_BUSHING_SIZE];
    matrix scaled, rows;
    for (int i = 0; i < n; ++i)
        unit[i] = m[i][i] > 0 ? 1 / sqrt(m[i][i]) : 1.0;
    scale_by(n, m, unit, scaled);
    eigen(n, scaled, rows, value);
    if (value[0] < -1e-9 * fmax(1.0, value[n - 1]))
        return crn_fail(model->context, CAIRN_INVALID,
                        "joint '%s': %s: must be positive semidefinite, but some displacement has a negative %s", who,
                        field, field[0] == 's' ? "energy" : "dissipation");
    return CAIRN_OK;
}

/* The largest entry on the diagonal. */
static double largest(int n, matrix m)
{
    double most = 0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, m[i][i]);
    return most;
}

/* One row of the joint: y = basis . u, with the stiffness and the damping that belong to it. */
static void set_row(int n, crn_bushing *out, int row, const double *y, double k, double c)
{
    double square = 0;
    for (int i = 0; i < n; ++i)
        square += y[i] * y[i];
    for (int i = 0; i < n; ++i)
        out->B[row][i] = y[i] / sqrt(square);
    out->k[row] = fmax(k, 0.0) * square;
    out->c[row] = fmax(c, 0.0) * square;
}

/* Fill in B, k and c; returns the number of rows. */
static int diagonalise(int n, matrix K, matrix C, crn_bushing *out)
{
    double share = largest(n, C) > 0 ? largest(n, K) / largest(n, C) : 0.0;
    double unit[CRN_BUSHING_SIZE], back[CRN_BUSHING_SIZE], sigma[CRN_BUSHING_SIZE], k[CRN_BUSHING_SIZE];
    matrix S, scaled_K, scaled_C, Q, T, inner, P;
    int rank = 0;
    for (int i = 0; i < n; ++i)
    {
        double d = K[i][i] + share * C[i][i];
        back[i] = d > 0 ? sqrt(d) : 0.0;
        unit[i] = d > 0 ? 1 / back[i] : 0.0;
    }
    scale_by(n, K, unit, scaled_K);
    scale_by(n, C, unit, scaled_C);
    for (int i = 0; i < n * n; ++i)
        S[i / n][i % n] = scaled_K[i / n][i % n] + share * scaled_C[i / n][i % n];
    eigen(n, S, Q, sigma);
    for (int i = 0; i < n; ++i)
        if (sigma[i] > LEAST * sigma[n - 1])
        {
            for (int j = 0; j < n; ++j)
                T[rank][j] = Q[i][j] / sqrt(sigma[i]);
            sigma[rank++] = sigma[i];
        }
    for (int i = 0; i < rank * rank; ++i)
        inner[i / rank][i % rank] = product(n, scaled_K, T[i / rank], T[i % rank]);
    eigen(rank, inner, P, k);
    for (int row = 0; row < rank; ++row)
    {
        double y[CRN_BUSHING_SIZE] = {0}, t[CRN_BUSHING_SIZE] = {0};
        for (int i = 0; i < rank; ++i)
            for (int j = 0; j < n; ++j)
            {
                y[j] += P[row][i] * sigma[i] * T[i][j] * back[j];
                t[j] += P[row][i] * T[i][j];
            }
        set_row(n, out, row, y, product(n, scaled_K, t, t), product(n, scaled_C, t, t));
    }
    return rank;
}

cairn_status crn_bushing_set(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    int n = model->dimension == 2 ? 3 : 6;
    matrix K, C;
    CRN_TRY(read_matrix(model, joint->name, "stiffness_matrix", options->stiffness_matrix, K));
    CRN_TRY(read_matrix(model, joint->name, "damping_matrix", options->damping_matrix, C));
    CRN_TRY(check_definite(model, joint->name, "stiffness_matrix", n, K));
    CRN_TRY(check_definite(model, joint->name, "damping_matrix", n, C));
    if (!(largest(n, K) > 0))
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': a bushing needs a stiffness_matrix other than 0",
                        joint->name);
    for (int i = 0; i < n * n; ++i)
    {
        joint->bushing->given[0][i] = K[i / n][i % n];
        joint->bushing->given[1][i] = C[i / n][i % n];
    }
    joint->rows = diagonalise(n, K, C, joint->bushing);
    joint->stiffness = largest(n, K);
    return CAIRN_OK;
}
