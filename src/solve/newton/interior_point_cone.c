/* The Lorentz cone L = {x_0 >= |x_1|} of one, two or three rows, its Jordan algebra and its scaling.
 *
 *     x o y = (x'y, x_0 y_1 + y_0 x_1),   det x = x_0^2 - |x_1|^2,   e = (1, 0, 0)
 *
 * Nesterov-Todd scaling of x and y inside L: with the bar for division by the square root of the determinant and
 * J = diag(1, -1, -1),
 *
 *     gamma = sqrt((1 + xbar'ybar) / 2),   w = (ybar + J xbar) / (2 gamma),   eta = (det y / det x)^(1/4),
 *     W = eta [ w_0      w_1'                    ]        W^2 = eta^2 (2 w w' - J)
 *             [ w_1      I + w_1 w_1' / (1 + w_0) ]
 *
 * and W x = W^-1 y = lambda. As w nears the boundary the entries of W^2 no longer show its small eigenvalues; these are
 * exact in the form with eigenvectors, where a = w_0 + |w_1| and d = w_1 / |w_1|: Theta = W^2 has eta^2 a^2 along (1, d),
 * eta^2 / a^2 along (1, -d) and eta^2 across. The complementarity x o y = 0 is linearised as lambda o (W dx + W^-1 dy) = d.
 */
#include "solve/newton/interior_point.h"

#include "math/cylinder.h"
#include "math/vec.h"
#include "solve/auto/bounded.h"

#include <assert.h>
#include <math.h>

static double tail_length(int size, const double *x)
{
    assert(size >= 1 && size <= 3);
    return size == 3 ? hypot(x[1], x[2]) : size == 2 ? fabs(x[1]) : 0.0;
}

double crn_ip_determinant(int size, const double *x)
{
    double tail = tail_length(size, x);
    return (x[0] - tail) * (x[0] + tail);
}

bool crn_ip_scale(crn_ip_scaling *scaling, int size, const double *x, const double *y)
{
    assert(size >= 1 && size <= 3);
    double det_x = crn_ip_determinant(size, x);
    double det_y = crn_ip_determinant(size, y);
    if (!(x[0] > 0.0 && y[0] > 0.0 && det_x > 0.0 && det_y > 0.0))
        return false;
    double a = 1.0 / sqrt(det_x);
    double b = 1.0 / sqrt(det_y);
    double gamma = sqrt(0.5 * (1.0 + fmax(1.0, a * b * crn_dot(size, x, y))));
    scaling->size = size;
    scaling->eta = sqrt(sqrt(det_y / det_x));
    double tail = 0.0;
    for (int i = 1; i < size; ++i)
    {
        scaling->w[i] = 0.5 * (b * y[i] - a * x[i]) / gamma;
        tail += scaling->w[i] * scaling->w[i];
    }
    scaling->w[0] = sqrt(1.0 + tail); /* det w = 1 exactly, whatever rounding did */
    tail = sqrt(tail);
    scaling->a = scaling->w[0] + tail;
    scaling->d[0] = tail > 0.0 ? scaling->w[1] / tail : 1.0;
    scaling->d[1] = tail > 0.0 && size == 3 ? scaling->w[2] / tail : 0.0;
    crn_ip_scaling_apply(scaling, x, scaling->lambda);
    return isfinite(scaling->eta) && crn_ip_determinant(size, scaling->lambda) > 0.0;
}

void crn_ip_scaling_apply(const crn_ip_scaling *scaling, const double *x, double *out)
{
    assert(scaling->eta > 0.0);
    assert(x != out);
    const double *w = scaling->w;
    double tail = crn_dot(scaling->size - 1, w + 1, x + 1);
    double along = x[0] + tail / (1.0 + w[0]);
    double first = w[0] * x[0] + tail;
    for (int i = 1; i < scaling->size; ++i)
        out[i] = scaling->eta * (x[i] + w[i] * along);
    out[0] = scaling->eta * first;
}

/* The coordinates of x along the eigenvectors (1, d) / sqrt 2, (1, -d) / sqrt 2 and (0, d turned by a right angle). */
static void decompose(const crn_ip_scaling *scaling, const long double x[3], long double z[3])
{
    const double *d = scaling->d;
    long double along = d[0] * x[1] + d[1] * x[2];
    z[0] = (x[0] + along) * M_SQRT1_2;
    z[1] = (x[0] - along) * M_SQRT1_2;
    z[2] = d[0] * x[2] - d[1] * x[1];
}

void crn_ip_scaling_root(const crn_ip_scaling *scaling, double *x, int stride)
{
    assert(stride > 0);
    int size = scaling->size;
    double inverse = 1.0 / scaling->eta;
    if (size == 1)
    {
        x[0] *= inverse;
        return;
    }
    long double z[3];
    decompose(scaling, (long double[3]){x[0], x[stride], size == 3 ? x[2 * stride] : 0.0}, z);
    x[0] = (double)(inverse * z[0] / scaling->a);
    x[stride] = (double)(inverse * z[1] * scaling->a);
    if (size == 3)
        x[2 * stride] = (double)(inverse * z[2]);
}

void crn_ip_scaling_theta(const crn_ip_scaling *scaling, int power, const double *x, long double *out)
{
    assert(power == 1 || power == -1);
    int size = scaling->size;
    const double *d = scaling->d;
    long double factor = (long double)scaling->eta * scaling->eta;
    long double a = (long double)scaling->a * scaling->a;
    factor = power > 0 ? factor : 1.0L / factor;
    a = power > 0 ? a : 1.0L / a;
    if (size == 1)
    {
        out[0] = factor * x[0];
        return;
    }
    long double z[3];
    decompose(scaling, (long double[3]){x[0], x[1], size == 3 ? x[2] : 0.0}, z);
    long double plus = factor * a * z[0] * M_SQRT1_2;
    long double minus = factor / a * z[1] * M_SQRT1_2;
    out[0] = plus + minus;
    out[1] = d[0] * (plus - minus) - factor * d[1] * z[2];
    if (size == 3)
        out[2] = d[1] * (plus - minus) + factor * d[0] * z[2];
}

void crn_ip_product(int size, const double *x, const double *y, double *out)
{
    assert(out != x);
    assert(out != y);
    double first = crn_dot(size, x, y);
    for (int i = 1; i < size; ++i)
        out[i] = x[0] * y[i] + y[0] * x[i];
    out[0] = first;
}

void crn_ip_divide(const crn_ip_scaling *scaling, const double *d, double *out)
{
    assert(crn_ip_determinant(scaling->size, scaling->lambda) > 0.0);
    const double *lambda = scaling->lambda;
    int size = scaling->size;
    double first = (lambda[0] * d[0] - crn_dot(size - 1, lambda + 1, d + 1)) / crn_ip_determinant(size, lambda);
    for (int i = 1; i < size; ++i)
        out[i] = (d[i] - first * lambda[i]) / lambda[0];
    out[0] = first;
}

double crn_ip_reach(const crn_ip_scaling *scaling, const double *d)
{
    assert(crn_ip_determinant(scaling->size, scaling->lambda) > 0.0);
    /* lambda is moved to e by the automorphism that takes it there; d goes along. */
    const double *lambda = scaling->lambda;
    int size = scaling->size;
    double root = sqrt(crn_ip_determinant(size, lambda));
    double bar_0 = lambda[0] / root;
    double inner = (lambda[0] * d[0] - crn_dot(size - 1, lambda + 1, d + 1)) / root;
    double moved[3] = {0.0, 0.0, 0.0};
    for (int i = 1; i < size; ++i)
        moved[i] = d[i] - (inner + d[0]) / (bar_0 + 1.0) * lambda[i] / root;
    double need = (tail_length(size, moved) - inner) / root;
    return need > 1.0 ? 1.0 / need : 1.0;
}

void crn_ip_project(int size, double mu, const double *r, double *out)
{
    assert(mu >= 0.0);
    double tail = tail_length(size, r);
    double normal = r[0];
    double tangent = 1.0;
    if (tail > mu * r[0])
    {
        normal = fmax(0.0, (r[0] + mu * tail) / (1.0 + mu * mu));
        tangent = tail > 0.0 ? mu * normal / tail : 0.0;
    }
    out[0] = size == 1 ? fmax(0.0, r[0]) : normal;
    for (int i = 1; i < size; ++i)
        out[i] = tangent * r[i];
}

void crn_ip_project_on(const cairn_problem *problem, int j, int size, const double *r, double *out)
{
    assert(j >= 0 && j < problem->contact_count);
    if (crn_is_row(problem, j))
    {
        out[0] = crn_clip((crn_interval){problem->bound[j].lo, problem->bound[j].hi}, r[0]);
        return;
    }
    if (problem->law.kind == CAIRN_LAW_LAGGED)
    {
        crn_cylinder_project(size, problem->radius[j], r, out);
        return;
    }
    crn_ip_project(size, problem->mu[j], r, out);
}
