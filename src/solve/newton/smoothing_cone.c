/* The projection onto the Lorentz cone, smoothed.
 *
 * z has the spectral values l = z_0 +- |z_1| with the vectors (1, +-d) / 2, d = z_1 / |z_1|. Projection replaces l by
 * max(0, l); smoothed, by the p > 0 with
 *
 *     p n = tau^2,   p - n = l,        p = (l + w) / 2,   n = (w - l) / 2,   w = sqrt(l^2 + 4 tau^2) ,
 *
 * so that x = P_tau(x - y) means x o y = tau^2 e with x and y inside the cone: the central path of interior points, without
 * their walls. dp/dl = p / w, 1 - dp/dl = n / w, dp/dtau = 2 tau / w. Across d the derivative is (p_+ - p_-) / (l_+ - l_-),
 * and 1 less that is the same times tau^2 / (p_+ p_-). The smaller of p and n comes from the product and I - D from n, never
 * by subtraction: both keep their digits at any tau.
 *
 * An interval has two such branches, z - lo and hi - z for l, each with its p and n: since max(0, z - hi) = max(0, hi - z) -
 * (hi - z), the projection lo + max(0, z - lo) - max(0, z - hi) becomes
 *
 *     P = lo + p_lo - n_hi,     dP/dz = 1 - n_lo / w_lo - n_hi / w_hi,     dP/dtau = 2 tau / w_lo - 2 tau / w_hi ,
 *
 * (Chen and Harker 1993, Kanzow 1996, Smale 1987 for one bound), and a bound that is infinite leaves its part out.
 */
#include "solve/newton/smoothing.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct branch
{
    double p, n;
    double slope;     /* dp/dl */
    double rest;      /* 1 - dp/dl */
    double slope_tau; /* dp/dtau */
} branch;

static branch find_branch(double l, double tau)
{
    assert(!(tau <= 0.0));
    double w = hypot(l, 2.0 * tau);
    double larger = 0.5 * (w + fabs(l));
    double smaller = tau * (tau / larger);
    branch b = {.p = l > 0.0 ? larger : smaller, .n = l > 0.0 ? smaller : larger};
    b.slope = b.p / w;
    b.rest = b.n / w;
    b.slope_tau = 2.0 * tau / w;
    return b;
}

/* Where the two values meet the difference quotient is the derivative. */
static void find_across(double tail, double size, branch plus, branch minus, double *across, double *rest)
{
    bool apart = tail > 1e-12 * size;
    *across = apart ? (plus.p - minus.p) / (2.0 * tail) : 0.5 * (plus.slope + minus.slope);
    *rest = *across * (plus.n / minus.p);
}

void crn_smooth_project(int size, const double *z, double tau, crn_smooth *out)
{
    assert(size >= 1 && size <= 3);
    double tail = size == 3 ? hypot(z[1], z[2]) : size == 2 ? fabs(z[1]) : 0.0;
    double d[3] = {0.0, tail > 0.0 ? z[1] / tail : 1.0, tail > 0.0 && size == 3 ? z[2] / tail : 0.0};
    branch plus = find_branch(z[0] + tail, tau);
    branch minus = find_branch(z[0] - tail, tau);
    double across;
    double across_rest;
    find_across(tail, fabs(z[0]) + tau, plus, minus, &across, &across_rest);
    memset(out, 0, sizeof *out);
    out->room = fmin(fmin(plus.p, plus.n), fmin(minus.p, minus.n));
    out->P[0] = 0.5 * (plus.p + minus.p);
    out->P_tau[0] = 0.5 * (plus.slope_tau + minus.slope_tau);
    out->D[0] = 0.5 * (plus.slope + minus.slope);
    out->rest[0] = 0.5 * (plus.rest + minus.rest);
    for (int i = 1; i < size; ++i)
    {
        out->P[i] = 0.5 * (plus.p - minus.p) * d[i];
        out->P_tau[i] = 0.5 * (plus.slope_tau - minus.slope_tau) * d[i];
        out->D[i] = out->D[3 * i] = 0.5 * (plus.slope - minus.slope) * d[i];
        out->rest[i] = out->rest[3 * i] = -out->D[i];
        for (int k = 1; k < size; ++k)
        {
            double turned = (i == k) - d[i] * d[k];
            out->D[3 * i + k] = out->D[0] * d[i] * d[k] + across * turned;
            out->rest[3 * i + k] = out->rest[0] * d[i] * d[k] + across_rest * turned;
        }
    }
}

/* Each quantity from the nearer bound, where it is known to more digits. */
void crn_smooth_clip(double lo, double hi, double z, double tau, crn_smooth *out)
{
    assert(lo <= hi);
    const branch none = {.slope = 1.0};
    bool lower = isfinite(lo), upper = isfinite(hi);
    branch a = lower ? find_branch(z - lo, tau) : none;
    branch b = upper ? find_branch(hi - z, tau) : none;
    memset(out, 0, sizeof *out);
    out->room = tau; /* p n = tau^2: none is larger */
    if (lo == hi)
    {
        out->P[0] = lo;
        out->rest[0] = 1.0;
        return;
    }
    bool nearer_lo = lower && (!upper || z - lo < hi - z);
    out->P[0] = nearer_lo ? lo + a.p - b.n : upper ? hi - b.p + a.n : z;
    out->P_tau[0] = a.slope_tau - b.slope_tau;
    out->D[0] = nearer_lo ? a.slope - b.rest : b.slope - a.rest;
    out->rest[0] = a.rest + b.rest;
    out->room = fmin(out->room, lower ? fmin(a.p, a.n) : tau);
    out->room = fmin(out->room, upper ? fmin(b.p, b.n) : tau);
}
