/* The set of impulses is a product, so that at most two problems on the disc are met. With u_n = 0 the normal goes out,
 *
 *     r_n = -(q_n + W_nt r_t) / W_nn ,     W' = W_tt - W_tn W_nt / W_nn ,     q' = q_t - W_tn q_n / W_nn ,
 *
 * and where r_n comes out negative the contact is open: r_n = 0, W' = W_tt, q' = q_t. W is positive definite, hence the
 * solution unique, and it is one of the two.
 *
 * On the disc r = -W'^-1 q' sticks where it is inside. Else (W' + s I) r = -q' with the s > 0 for which |r| = radius: the slip
 * is -s r. 1 / |r(s)| is nearly straight in s, and Newton's method on it, held within bounds, needs a few steps.
 */
#include "solve/sweep/local_lagged.h"

#include <assert.h>
#include <math.h>

enum
{
    MOST_STEPS = 100
};

/* r = -(M + s I)^-1 q in two rows; false when that is singular. */
static int shifted(const double M[4], double s, const double q[2], double r[2])
{
    double a = M[0] + s;
    double d = M[3] + s;
    double determinant = a * d - M[1] * M[2];
    r[0] = -(d * q[0] - M[1] * q[1]) / determinant;
    r[1] = -(a * q[1] - M[2] * q[0]) / determinant;
    return determinant > 0.0;
}

static void solve_disc(const double M[4], double radius, const double q[2], double r[2])
{
    assert(radius > 0.0);
    int regular = shifted(M, 0.0, q, r);
    if (regular && hypot(r[0], r[1]) <= radius)
        return;
    /* |q| - |M| radius <= s radius <= |q| + |M| radius */
    double low = 0.0;
    double high = hypot(q[0], q[1]) / radius + hypot(hypot(M[0], M[1]), hypot(M[2], M[3]));
    double s = regular ? 0.0 : 0.5 * high;
    for (int step = 0; step < MOST_STEPS; ++step)
    {
        shifted(M, s, q, r);
        double length = hypot(r[0], r[1]);
        if (fabs(length - radius) <= 1e-15 * radius || high - low <= 1e-16 * high)
            break;
        *(length > radius ? &low : &high) = s;
        double slope[2];
        shifted(M, s, r, slope); /* dr/ds */
        double falling = -(r[0] * slope[0] + r[1] * slope[1]);
        double next = s + (length - radius) / radius * length * length / falling;
        s = next > low && next < high ? next : 0.5 * (low + high);
    }
    double length = hypot(r[0], r[1]);
    for (int k = 0; k < 2 && length > 0.0; ++k)
        r[k] *= radius / length;
}

/* r_t of the tangential block M and q, in one row or two. */
static void solve_tangents(int dim, const double M[4], double radius, const double q[2], double *r)
{
    double found[2] = {0.0, 0.0};
    if (dim == 2)
        found[0] = fmin(fmax(-q[0] / M[0], -radius), radius);
    else if (radius > 0.0)
        solve_disc(M, radius, q, found);
    for (int k = 1; k < dim; ++k)
        r[k] = found[k - 1];
}

void crn_local_lagged(int dim, double radius, const double *W, const double *q, double *r)
{
    assert(dim == 2 || dim == 3);
    assert(radius >= 0.0);
    double closed[4] = {0.0}, open[4] = {0.0};
    double q_closed[2] = {0.0}, q_open[2] = {0.0};
    for (int i = 1; i < dim; ++i)
    {
        double share = W[i * dim] / W[0];
        q_open[i - 1] = q[i];
        q_closed[i - 1] = q[i] - share * q[0];
        for (int k = 1; k < dim; ++k)
        {
            open[2 * (i - 1) + k - 1] = W[i * dim + k];
            closed[2 * (i - 1) + k - 1] = W[i * dim + k] - share * W[k];
        }
    }
    solve_tangents(dim, closed, radius, q_closed, r);
    double load = q[0];
    for (int k = 1; k < dim; ++k)
        load += W[k] * r[k];
    r[0] = -load / W[0];
    if (!(r[0] >= 0.0))
    {
        solve_tangents(dim, open, radius, q_open, r);
        r[0] = 0.0;
    }
}
