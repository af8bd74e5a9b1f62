/* Three cases, at most one of them in general:
 *
 *     take-off   r = 0                       when q_n >= 0 (Coulomb) or q in K* (convex)
 *     stick      u = 0, r = -W^-1 q          when that lies in K
 *     slip       r = r_n g, g = (1, mu d), d a unit vector of the tangent plane, u_t = -s d, s >= 0
 *
 * In slip r_n = b / a follows from one equation and d from the other:
 *
 *     Coulomb    u_n = 0       a = W_n g       b = -q_n
 *     convex     g'u = 0       a = g'W g       b = -g'q       (then u = s (mu, -d), on the rim of K*)
 *     both       d x F = 0,    F = a u_t = a q_t + b (W g)_t,    valid where a > 0, b > 0 and d'F <= 0
 *
 * Newton's method on the angle of d starts at the guess's direction and nearly always ends the search. Where it does
 * not, all roots are found: with d = (e (1 - t^2) + e' 2 t) / (1 + t^2), e' normal to e, d x F times a power of 1 + t^2
 * is a polynomial of degree 4 (Coulomb) or 6 (convex) in t. Its real roots are isolated by those of its derivative,
 * and so on down to degree 1, so none is missed; e is chosen so that no root lies near t = infinity. In the plane d is
 * 1 or -1 and both are tried.
 */
#include "solve/sweep/local_coulomb.h"

#include "math/cylinder.h"
#include "math/vec.h"
#include "solve/sweep/local_lagged.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum
{
    MAX_DEGREE = 6,
    NEWTON_STEPS = 20,
    SAMPLES = 16
};

/* Newton's method squares the error: after a turn this small the next one would be lost in rounding. */
static const double SETTLED = 1e-10;
/* A pivot of W below this share of its diagonal requires row exchanges. */
static const double LEAST_PIVOT = 1e-4;

/* Slip along d: a, b, F, f = d x F and its derivative by the angle of d. */
typedef struct slip
{
    double a, b, F[2];
    double f, slope;
} slip;

static void set(int dim, const double *x, double *out)
{
    out[0] = x[0];
    out[1] = x[1];
    if (dim == 3)
        out[2] = x[2];
}

static double tangential_size(int dim, const double *x)
{
    return dim == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : fabs(x[1]);
}

void crn_local_project(crn_local_law law, int dim, double mu, const double *x, double *out)
{
    assert(dim == 2 || dim == 3);
    assert(mu >= 0.0);
    if (law == CRN_LOCAL_LAGGED)
    {
        crn_cylinder_project(dim, mu, x, out);
        return;
    }
    double size = tangential_size(dim, x);
    double normal = x[0];
    double factor = 1.0;
    if (!(x[0] >= 0.0 && size <= mu * x[0]))
    {
        normal = x[0] + mu * size <= 0.0 ? 0.0 : (x[0] + mu * size) / (1.0 + mu * mu);
        factor = size > 0.0 ? mu * normal / size : 0.0;
    }
    out[0] = normal;
    out[1] = factor * x[1];
    if (dim == 3)
        out[2] = factor * x[2];
}

double crn_local_error(crn_local_law law, int dim, double mu, double rho, const double *u, const double *r)
{
    double moved[3] = {0.0, 0.0, 0.0};
    double nearest[3] = {0.0, 0.0, 0.0};
    double square = 0.0;
    double friction = law == CRN_LOCAL_FRICTIONLESS ? 0.0 : mu;
    for (int k = 0; k < dim; ++k)
        moved[k] = r[k] - rho * u[k];
    if (law == CRN_LOCAL_COULOMB)
        moved[0] -= rho * mu * tangential_size(dim, u);
    crn_local_project(law, dim, friction, moved, nearest);
    for (int k = 0; k < dim; ++k)
        square += (r[k] - nearest[k]) * (r[k] - nearest[k]);
    return sqrt(square) / rho;
}

bool crn_local_factorise(int dim, const double *W, double *factors)
{
    assert(dim == 2 || dim == 3);
    double *m = factors;
    for (int k = 0; k < dim * dim; ++k)
        m[k] = W[k];
    for (int k = 0; k < dim; ++k)
    {
        if (!(m[k * dim + k] > LEAST_PIVOT * W[k * dim + k]))
            return false;
        m[k * dim + k] = 1.0 / m[k * dim + k];
        for (int i = k + 1; i < dim; ++i)
        {
            m[i * dim + k] *= m[k * dim + k];
            for (int l = k + 1; l < dim; ++l)
                m[i * dim + l] -= m[i * dim + k] * m[k * dim + l];
        }
    }
    return true;
}

/* r = -W^-1 q by the factors of W */
static void substitute(int dim, const double *m, const double *q, double *r)
{
    if (dim == 2)
    {
        r[1] = (m[2] * q[0] - q[1]) * m[3];
        r[0] = (-q[0] - m[1] * r[1]) * m[0];
        return;
    }
    double y1 = m[3] * q[0] - q[1];
    double y2 = m[6] * q[0] - q[2] - m[7] * y1;
    r[2] = y2 * m[8];
    r[1] = (y1 - m[5] * r[2]) * m[4];
    r[0] = (-q[0] - m[1] * r[1] - m[2] * r[2]) * m[0];
}

/* r = -W^-1 q by elimination with partial pivoting; false when W is singular. */
static bool eliminate(int dim, const double *W, const double *q, double *r)
{
    double m[3][4];
    for (int i = 0; i < dim; ++i)
    {
        memcpy(m[i], W + i * dim, (size_t)dim * sizeof(double));
        m[i][dim] = -q[i];
    }
    for (int k = 0; k < dim; ++k)
    {
        int best = k;
        for (int i = k + 1; i < dim; ++i)
            best = fabs(m[i][k]) > fabs(m[best][k]) ? i : best;
        for (int j = k; j <= dim; ++j)
        {
            double swap = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = swap;
        }
        if (!(fabs(m[k][k]) > 0.0))
            return false;
        for (int i = k + 1; i < dim; ++i)
        {
            double factor = m[i][k] / m[k][k];
            for (int j = k + 1; j <= dim; ++j)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (int k = dim - 1; k >= 0; --k)
    {
        r[k] = m[k][dim];
        for (int j = k + 1; j < dim; ++j)
            r[k] -= m[k][j] * r[j];
        r[k] /= m[k][k];
    }
    return true;
}

static bool find_stick(const crn_local *local, double *r)
{
    if (local->factors)
    {
        substitute(local->dim, local->factors, local->q, r);
        return true;
    }
    return eliminate(local->dim, local->W, local->q, r);
}

/* The slip along 1 or -1 in the plane; f has no meaning there. */
static slip slip_in_plane(const crn_local *local, double d)
{
    const double *W = local->W;
    const double *q = local->q;
    double Wg[2] = {W[0] + W[1] * local->mu * d, W[2] + W[3] * local->mu * d};
    bool convex = local->law == CRN_LOCAL_CONVEX;
    slip s = {.a = convex ? Wg[0] + local->mu * d * Wg[1] : Wg[0], .b = convex ? -q[0] - local->mu * d * q[1] : -q[0]};
    s.F[0] = s.a * q[1] + s.b * Wg[1];
    return s;
}

static slip slip_along(const crn_local *local, const double d[2])
{
    const double *W = local->W;
    const double *q = local->q;
    if (local->dim == 2)
        return slip_in_plane(local, d[0]);
    double g[2] = {local->mu * d[0], local->mu * d[1]};
    double Wg[3], turned[3]; /* and the derivative of W g by the angle of d */
    for (int i = 0; i < 3; ++i)
    {
        Wg[i] = W[3 * i] + W[3 * i + 1] * g[0] + W[3 * i + 2] * g[1];
        turned[i] = W[3 * i + 2] * g[0] - W[3 * i + 1] * g[1];
    }
    slip s = {.a = Wg[0], .b = -q[0]};
    double a_slope = turned[0];
    double b_slope = 0.0;
    if (local->law == CRN_LOCAL_CONVEX)
    {
        s.a += g[0] * Wg[1] + g[1] * Wg[2];
        s.b -= g[0] * q[1] + g[1] * q[2];
        a_slope += g[0] * (Wg[2] + turned[1]) + g[1] * (turned[2] - Wg[1]);
        b_slope = g[1] * q[1] - g[0] * q[2];
    }
    s.F[0] = s.a * q[1] + s.b * Wg[1];
    s.F[1] = s.a * q[2] + s.b * Wg[2];
    double slope[2] = {a_slope * q[1] + b_slope * Wg[1] + s.b * turned[1],
                       a_slope * q[2] + b_slope * Wg[2] + s.b * turned[2]};
    s.f = d[0] * s.F[1] - d[1] * s.F[0];
    s.slope = d[0] * slope[1] - d[1] * slope[0] - (d[0] * s.F[0] + d[1] * s.F[1]);
    return s;
}

static bool slip_is_valid(const slip *s, const double d[2])
{
    return s->a > 0.0 && s->b > 0.0 && d[0] * s->F[0] + d[1] * s->F[1] <= 0.0;
}

static void set_slip(const crn_local *local, const slip *s, const double d[2], double *r)
{
    assert(s->a > 0.0);
    r[0] = s->b / s->a;
    for (int k = 1; k < local->dim; ++k)
        r[k] = local->mu * r[0] * d[k - 1];
}

/* Turn d by Newton's step -f / slope; false when it is too long to be trusted. */
static bool turn_by(double f, double slope, double d[2], double *turn)
{
    *turn = -f / slope;
    double x = d[0] - *turn * d[1];
    double y = d[1] + *turn * d[0];
    double scale = 1.0 / sqrt(x * x + y * y);
    d[0] = x * scale;
    d[1] = y * scale;
    return fabs(*turn) < 1.0;
}

/* Turn d until d x F = 0. False when it does not settle; d may then be anywhere. */
static bool turn_to_root(const crn_local *local, double d[2])
{
    for (int step = 0; step < NEWTON_STEPS; ++step)
    {
        double turn;
        slip s = slip_along(local, d);
        if (!turn_by(s.f, s.slope, d, &turn))
            return false;
        if (fabs(turn) < SETTLED)
            return true;
    }
    return false;
}

/* The same under Coulomb's law, where b does not depend on d and a is affine, so that F = c + M d. */
static bool turn_coulomb(const crn_local *local, double d[2])
{
    assert(local->dim == 3);
    assert(local->law == CRN_LOCAL_COULOMB);
    const double *W = local->W;
    const double *q = local->q;
    double mu = local->mu;
    double c[2] = {W[0] * q[1] - q[0] * W[3], W[0] * q[2] - q[0] * W[6]};
    double M[4] = {mu * (q[1] * W[1] - q[0] * W[4]), mu * (q[1] * W[2] - q[0] * W[5]), mu * (q[2] * W[1] - q[0] * W[7]),
                   mu * (q[2] * W[2] - q[0] * W[8])};
    for (int step = 0; step < NEWTON_STEPS; ++step)
    {
        double turn;
        double F[2] = {c[0] + M[0] * d[0] + M[1] * d[1], c[1] + M[2] * d[0] + M[3] * d[1]};
        double slope[2] = {M[1] * d[0] - M[0] * d[1], M[3] * d[0] - M[2] * d[1]};
        double f = d[0] * F[1] - d[1] * F[0];
        if (!turn_by(f, d[0] * slope[1] - d[1] * slope[0] - (d[0] * F[0] + d[1] * F[1]), d, &turn))
            return false;
        if (fabs(turn) < SETTLED)
            return true;
    }
    return false;
}

/* --------------------------------------------------------------------------------------------- polynomials in t */

/* out += f x y, with degrees m and n */
static void add_product(double f, const double *x, int m, const double *y, int n, double *out)
{
    for (int i = 0; i <= m; ++i)
        for (int j = 0; j <= n; ++j)
            out[i + j] += f * x[i] * y[j];
}

static double value_at(const double *p, int degree, double t)
{
    assert(degree >= 1 && degree <= MAX_DEGREE);
    double sum = p[degree];
    for (int k = degree - 1; k >= 0; --k)
        sum = sum * t + p[k];
    return sum;
}

/* The root between low and high, where p changes its sign. */
static double bisect(const double *p, int degree, double low, double high)
{
    assert(low <= high);
    bool rising = value_at(p, degree, low) < 0.0;
    for (int step = 0; step < 60 && high - low > 1e-15 * (fabs(low) + fabs(high)); ++step)
    {
        double middle = 0.5 * (low + high);
        *((value_at(p, degree, middle) < 0.0) == rising ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* Real roots in (-bound, bound), ascending, and with them the places where p touches zero or nearly so. */
static int find_roots(const double *p, int degree, double bound, double *roots)
{
    double derivative[MAX_DEGREE];
    double edges[MAX_DEGREE + 1];
    int count = 0;
    int inner = 0;
    assert(degree >= 1 && degree <= MAX_DEGREE);
    if (degree > 1)
    {
        for (int k = 1; k <= degree; ++k)
            derivative[k - 1] = k * p[k];
        inner = find_roots(derivative, degree - 1, bound, edges);
    }
    double low = -bound;
    for (int i = 0; i <= inner && count < degree; ++i)
    {
        double high = i < inner ? edges[i] : bound;
        if ((value_at(p, degree, low) < 0.0) != (value_at(p, degree, high) < 0.0))
            roots[count++] = bisect(p, degree, low, high);
        else if (i < inner && fabs(value_at(p, degree, high)) < 1e-12 * fabs(p[degree]))
            roots[count++] = high;
        low = high;
    }
    return count;
}

/* d x F as a polynomial in t about the direction e; returns its degree. */
static int slip_polynomial(const crn_local *local, const double e[2], double *f)
{
    assert(local->dim == 3);
    double g[3][3] = {{1.0, 0.0, 1.0},
                      {local->mu * e[0], -2.0 * local->mu * e[1], -local->mu * e[0]},
                      {local->mu * e[1], 2.0 * local->mu * e[0], -local->mu * e[1]}};
    double Wg[3][3] = {{0.0}};
    double a[5] = {0.0};
    double b[3] = {0.0};
    double F[2][5] = {{0.0}};
    bool convex = local->law == CRN_LOCAL_CONVEX;
    int degree = convex ? 4 : 2;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 9; ++k)
            Wg[i][k % 3] += local->W[3 * i + k / 3] * g[k / 3][k % 3];
    for (int i = 0; i < 3; ++i)
    {
        add_product(convex ? 1.0 : 0.0, g[i], 2, Wg[i], 2, a);
        add_product(convex ? -local->q[i] : 0.0, g[i], 2, (double[1]){1.0}, 0, b);
    }
    for (int k = 0; k < 3 && !convex; ++k)
    {
        a[k] = Wg[0][k];
        b[k] = k == 0 ? -local->q[0] : 0.0;
    }
    for (int i = 0; i < 2; ++i)
    {
        add_product(local->q[1 + i], a, degree, (double[1]){1.0}, 0, F[i]);
        add_product(1.0, b, degree - 2, Wg[1 + i], 2, F[i]);
    }
    memset(f, 0, (MAX_DEGREE + 1) * sizeof(double));
    add_product(1.0, g[1], 2, F[1], degree, f);
    add_product(-1.0, g[2], 2, F[0], degree, f);
    return degree + 2;
}

/* The direction opposite to the one in which d x F is largest: no root lies near t = infinity. */
static void choose_centre(const crn_local *local, double e[2])
{
    double largest = -1.0;
    for (int k = 0; k < SAMPLES; ++k)
    {
        double angle = 6.283185307179586 * k / SAMPLES;
        double d[2] = {cos(angle), sin(angle)};
        double f = fabs(slip_along(local, d).f);
        if (f > largest)
        {
            largest = f;
            e[0] = -d[0];
            e[1] = -d[1];
        }
    }
}

/* ---------------------------------------------------------------------------------------------------- the cases */

static double error_of(const crn_local *local, const double *r)
{
    double u[3] = {0.0, 0.0, 0.0};
    double trace = 0.0;
    for (int i = 0; i < local->dim; ++i)
    {
        u[i] = crn_dot(local->dim, local->W + i * local->dim, r) + local->q[i];
        trace += local->W[i * local->dim + i];
    }
    return crn_local_error(local->law, local->dim, local->mu, trace > 0.0 ? local->dim / trace : 1.0, u, r);
}

/* Keep the slip along d in r when its error is smaller than the best one's. */
static void offer_slip(const crn_local *local, const double d[2], double *best, double *r)
{
    double trial[3];
    slip s = slip_along(local, d);
    if (!(s.a > 0.0) || !(s.b >= 0.0))
        return;
    set_slip(local, &s, d, trial);
    double error = error_of(local, trial);
    if (error < *best)
    {
        *best = error;
        set(local->dim, trial, r);
    }
}

/* All the ways to slip; r holds a candidate already and keeps it unless one is better. Returns the smallest error. */
static double try_all_slips(const crn_local *local, double *r)
{
    double best = error_of(local, r);
    if (local->dim == 2)
    {
        offer_slip(local, (double[2]){1.0, 0.0}, &best, r);
        offer_slip(local, (double[2]){-1.0, 0.0}, &best, r);
        return best;
    }
    double f[MAX_DEGREE + 1];
    double roots[MAX_DEGREE];
    double e[2] = {1.0, 0.0};
    choose_centre(local, e);
    int degree = slip_polynomial(local, e, f);
    double largest = 0.0;
    for (int k = 0; k < degree; ++k)
        largest = fmax(largest, fabs(f[k]));
    double bound = 1.0 + largest / fabs(f[degree]); /* Cauchy's */
    int count = isfinite(bound) ? find_roots(f, degree, bound, roots) : 0;
    for (int i = 0; i < count; ++i)
    {
        double t = roots[i];
        double c = (1.0 - t * t) / (1.0 + t * t);
        double s = 2.0 * t / (1.0 + t * t);
        double d[2] = {e[0] * c - e[1] * s, e[1] * c + e[0] * s};
        double polished[2] = {d[0], d[1]};
        offer_slip(local, d, &best, r);
        if (turn_to_root(local, polished))
            offer_slip(local, polished, &best, r);
    }
    return best;
}

/* Newton from the direction of x; true when r is set to a slip that holds. */
static bool slip_near(const crn_local *local, const double *x, double *r)
{
    double size = tangential_size(3, x);
    if (!(size > 0.0))
        return false;
    double d[2] = {x[1] / size, x[2] / size};
    if (!(local->law == CRN_LOCAL_COULOMB ? turn_coulomb(local, d) : turn_to_root(local, d)))
        return false;
    slip s = slip_along(local, d);
    if (!slip_is_valid(&s, d))
        return false;
    set_slip(local, &s, d, r);
    return true;
}

static bool takes_off(const crn_local *local)
{
    assert(local->law != CRN_LOCAL_LAGGED);
    double limit = local->law == CRN_LOCAL_CONVEX ? local->mu * tangential_size(local->dim, local->q) : 0.0;
    return local->q[0] >= limit;
}

static bool solve_frictionless(const crn_local *local, double *r)
{
    set(local->dim, (double[3]){0.0, 0.0, 0.0}, r);
    if (local->q[0] < 0.0 && local->W[0] > 0.0)
        r[0] = -local->q[0] / local->W[0];
    return local->q[0] >= 0.0 || local->W[0] > 0.0;
}

bool crn_local_solve(const crn_local *local, double *r)
{
    int dim = local->dim;
    double stick[3] = {0.0, 0.0, 0.0};
    assert(dim == 2 || dim == 3);
    if (local->law == CRN_LOCAL_FRICTIONLESS || local->mu == 0.0)
        return solve_frictionless(local, r);
    if (local->law == CRN_LOCAL_LAGGED)
    {
        crn_local_lagged(dim, local->mu, local->W, local->q, r);
        return true;
    }
    if (takes_off(local))
    {
        set(dim, (double[3]){0.0, 0.0, 0.0}, r);
        return true;
    }
    bool regular = find_stick(local, stick);
    if (regular && stick[0] >= 0.0 && tangential_size(dim, stick) <= local->mu * stick[0])
    {
        set(dim, stick, r);
        return true;
    }
    if (dim == 3 && (slip_near(local, r, r) || (regular && slip_near(local, stick, r))))
        return true;
    crn_local_project(local->law, dim, local->mu, stick,
                      r); /* on the border between stick and slip this is as good as exact */
    double size = sqrt(crn_dot(dim, local->q, local->q));
    return try_all_slips(local, r) <= 1e-10 * size;
}
