/* Two ellipses or two ellipsoids: the largest s(n) = n d - rho_a(n) - rho_b(n) over unit directions, d from b's centre to
 * a's (ellipsoid.c).
 *
 * s is concave and homogeneous, so on the unit directions with s > 0 it has one maximum: an ascent that ends there is at
 * the distance. Where all s < 0 (overlap) there can be several; the ascent is then made from every start and the best is
 * kept. Starts: the line of centres, the same line after stretching space so that a or b becomes a ball, and the axes of
 * both.
 *
 * The ascent is Newton's on the sphere. With unit tangents t_i at n, g = grad s and n g = s (homogeneous),
 *
 *     gradient  t_i g ,     Hessian  t_i (grad grad s) t_j - s delta_ij ,
 *     grad rho = A n / rho ,  grad grad rho = A / rho - (A n)(A n)' / rho^3 ,  A = R diag(e^2) R' ,
 *
 * shifted until negative definite, and halved until s grows.
 */
#include "collide/shapes/ellipsoid.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    MOST_STEPS = 100,
    MOST_STARTS = 9,
    MOST_HALVINGS = 40
};

static const double LONGEST = 0.5; /* rad, of a step */

typedef struct pair
{
    const crn_placed *a, *b;
    int tangents; /* 1 in the plane, 2 in space */
    double d[3];
    double size; /* m, what rounding scales with */
} pair;

static double separation(const pair *p, const double n[3])
{
    return crn_dot3(n, p->d) - crn_ellipsoid_support(p->a, n) - crn_ellipsoid_support(p->b, n);
}

static void unit_tangents(const pair *p, const double n[3], double t[2][3])
{
    if (p->tangents == 1)
    {
        memcpy(t[0], (double[3]){-n[1], n[0], 0.0}, sizeof t[0]);
        return;
    }
    crn_tangents(n, t[0], t[1]);
}

/* t_i (grad grad rho) t_j added to H (2 x 2, upper part), and grad rho taken off g. */
static void take_off(const crn_placed *shape, int tangents, const double n[3], double t[2][3], double g[3], double H[3])
{
    double x[3], c[2][3], along[2] = {0, 0}, rho = crn_ellipsoid_support_point(shape, n, x);
    crn_sub3(g, x, g);
    for (int i = 0; i < tangents; ++i)
    {
        crn_unrotate3(shape->R, t[i], c[i]);
        for (int k = 0; k < 3; ++k)
            c[i][k] *= shape->half[k];
        along[i] = crn_dot3(t[i], x); /* A n / rho = x */
    }
    H[0] += (crn_dot3(c[0], c[0]) - along[0] * along[0]) / rho;
    if (tangents == 2)
    {
        H[1] += (crn_dot3(c[0], c[1]) - along[0] * along[1]) / rho;
        H[2] += (crn_dot3(c[1], c[1]) - along[1] * along[1]) / rho;
    }
}

/* The shifted Newton step in the tangents from -Hessian (H) and gradient. */
static void newton(int tangents, const double H[3], const double gradient[2], double step[2])
{
    assert(tangents == 1 || tangents == 2);
    double middle = 0.5 * (H[0] + H[2]), spread = hypot(0.5 * (H[0] - H[2]), H[1]);
    double least = tangents == 1 ? H[0] : middle - spread, most = tangents == 1 ? fabs(H[0]) : fabs(middle) + spread;
    double shift = least > 1e-14 * most ? 0.0 : 1e-2 * most - least;
    double p = H[0] + shift, q = H[1], r = H[2] + shift;
    step[0] = tangents == 1 ? gradient[0] / p : (r * gradient[0] - q * gradient[1]) / (p * r - q * q);
    step[1] = tangents == 1 ? 0.0 : (p * gradient[1] - q * gradient[0]) / (p * r - q * q);
    double length = hypot(step[0], step[1]), scale = length > LONGEST ? LONGEST / length : 1.0;
    step[0] *= scale;
    step[1] *= scale;
}

static void turn(const pair *p, const double n[3], double t[2][3], const double step[2], double scale, double out[3])
{
    memcpy(out, n, 3 * sizeof(double));
    for (int i = 0; i < p->tangents; ++i)
        crn_madd3(out, scale * step[i], t[i], out);
    crn_scale3(1.0 / crn_norm3(out), out, out);
}

/* One step uphill from n; false when no further step improves s. */
static bool climb(const pair *p, double n[3], double *s)
{
    double t[2][3], g[3], H[3] = {0, 0, 0}, gradient[2] = {0, 0}, step[2], next[3];
    memcpy(g, p->d, sizeof g);
    unit_tangents(p, n, t);
    take_off(p->a, p->tangents, n, t, g, H);
    take_off(p->b, p->tangents, n, t, g, H);
    H[0] += *s;
    H[2] += *s;
    for (int i = 0; i < p->tangents; ++i)
        gradient[i] = crn_dot3(t[i], g);
    newton(p->tangents, H, gradient, step);
    double slope = gradient[0] * step[0] + gradient[1] * step[1], scale = 1.0;
    if (!(slope > 1e-15 * p->size))
    {
        /* too flat to tell a gain in s from rounding: take one more Newton step */
        turn(p, n, t, step, 1.0, next);
        memcpy(n, next, sizeof next);
        *s = separation(p, n);
        return false;
    }
    for (int halving = 0; halving < MOST_HALVINGS; ++halving, scale *= 0.5)
    {
        turn(p, n, t, step, scale, next);
        double value = separation(p, next);
        if (value > *s + 1e-4 * scale * slope)
        {
            memcpy(n, next, sizeof next);
            *s = value;
            return true;
        }
    }
    return false;
}

static double ascend(const pair *p, double n[3])
{
    double s = separation(p, n);
    for (int step = 0; step < MOST_STEPS && climb(p, n, &s); ++step)
    {
    }
    return s;
}

/* The line of centres after stretching space so that the shape becomes a ball: A^-1 d. */
static void stretched(const crn_placed *shape, int axes, const double d[3], double n[3])
{
    double local[3];
    crn_unrotate3(shape->R, d, local);
    for (int k = 0; k < 3; ++k)
        local[k] = k < axes ? local[k] / (shape->half[k] * shape->half[k]) : 0.0;
    crn_rotate3(shape->R, local, n);
}

static void add_start(double starts[MOST_STARTS][3], int *count, const double n[3])
{
    assert(*count < MOST_STARTS);
    double length = crn_norm3(n);
    if (length > 0.0)
        crn_scale3(1.0 / length, n, starts[(*count)++]);
}

static int make_starts(const pair *p, double starts[MOST_STARTS][3])
{
    const crn_placed *shapes[2] = {p->a, p->b};
    int count = 0, axes = p->tangents + 1;
    add_start(starts, &count, p->d);
    for (int i = 0; i < 2; ++i)
    {
        double n[3];
        stretched(shapes[i], axes, p->d, n);
        add_start(starts, &count, n);
    }
    for (int i = 0; i < 2 * axes; ++i)
    {
        const double *R = shapes[i / axes]->R + i % axes;
        double n[3] = {R[0], R[3], R[6]};
        crn_scale3(crn_dot3(n, p->d) < 0.0 ? -1.0 : 1.0, n, n);
        add_start(starts, &count, n);
    }
    return count;
}

/* Move the start with the largest s to the front. */
static void best_first(const pair *p, double starts[MOST_STARTS][3], int count)
{
    int first = 0;
    double most = -INFINITY, held[3];
    for (int i = 0; i < count; ++i)
    {
        double s = separation(p, starts[i]);
        first = s > most ? i : first;
        most = fmax(most, s);
    }
    memcpy(held, starts[0], sizeof held);
    memcpy(starts[0], starts[first], sizeof held);
    memcpy(starts[first], held, sizeof held);
}

static void touch_pair(pair *p, crn_manifold *out)
{
    assert(crn_is_elliptic(p->a->kind) && crn_is_elliptic(p->b->kind));
    double starts[MOST_STARTS][3];
    crn_sub3(p->a->centre, p->b->centre, p->d);
    p->size = crn_norm3(p->d) + crn_norm3(p->a->half) + crn_norm3(p->b->half);
    int count = make_starts(p, starts);
    assert(count > 0);
    best_first(p, starts, count);
    double s = ascend(p, starts[0]);
    for (int i = 1; i < count && s <= 0.0; ++i)
    {
        double other = ascend(p, starts[i]);
        if (other > s + 1e-12 * p->size)
        {
            s = other;
            memcpy(starts[0], starts[i], sizeof starts[0]);
        }
    }
    crn_ellipsoid_add(p->a, starts[0], s, out);
}

void crn_touch_ellipses(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    touch_pair(&(pair){.a = a, .b = b, .tangents = 1}, out);
}

void crn_touch_ellipsoids(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    touch_pair(&(pair){.a = a, .b = b, .tangents = 2}, out);
}
