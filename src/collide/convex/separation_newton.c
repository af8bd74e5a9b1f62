/* The largest separation s(n) of two cores, where each core is constrained to a kink of its support function or to none:
 *
 *     a line of each     n lies on two circles: no freedom is left
 *     a line of one      Newton's method along a circle, where the support of that shape is that of one fixed point
 *     none               Newton's method on the sphere
 *
 * Newton: with g = grad s = w, unit tangents t_i at n and the centre c e of the circle (0 for the sphere),
 *
 *     gradient  t_i g ,     minus Hessian  t_i (grad grad h_a + grad grad h_b) t_j + (n - c e) g / (1 - c^2) delta_ij .
 *
 * Where n has left the kinks, s is not what they predict and a step gains nothing. The step is then halved a few times
 * and given up: the maximum belongs to other kinks.
 */
#include "collide/convex/separation_search.h"

#include "collide/shapes/ellipsoid.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    MOST_STEPS = 60,
    MOST_HALVINGS = 40
};

static const double LONGEST = 0.5;     /* rad, of a step */
static const double LEVEL = 1e-15;     /* of the extent: a gain that rounding hides */
static const double DIFFERENCE = 1e-5; /* rad: step of the differences of a smooth support point */
static const double ON_AXIS = 1e-12;   /* square of a sine: at a circle's own axis all its points are equally near */

/* One case: the kink of each shape, and the circle that remains. */
typedef struct cliff
{
    const crn_pair_view *view;
    const crn_kink *a, *b;
    const crn_kink *circle; /* NULL: the whole sphere */
} cliff;

/* ------------------------------------------------------------------------------------------------------ curvature */

/* t_i (grad grad h) t_j of an ellipsoid at its outward direction m, added to H (xx, xy, yy). */
static void add_ellipsoid(const crn_placed *p, const double m[3], const double x[3], double t[2][3], int tangents,
                          double H[3])
{
    assert(tangents == 1 || tangents == 2);
    double c[2][3] = {{0, 0, 0}, {0, 0, 0}}, along[2] = {0, 0}, scale = 1.0 / crn_ellipsoid_support(p, m);
    for (int i = 0; i < tangents; ++i)
    {
        crn_unrotate3(p->R, t[i], c[i]);
        for (int k = 0; k < 3; ++k)
            c[i][k] *= p->half[k];
        along[i] = crn_dot3(t[i], x);
    }
    H[0] += scale * (crn_dot3(c[0], c[0]) - along[0] * along[0]);
    H[1] += scale * (crn_dot3(c[0], c[1]) - along[0] * along[1]);
    H[2] += scale * (crn_dot3(c[1], c[1]) - along[1] * along[1]);
}

/* The same for a rim: h = const m + r rho, rho the sine of the angle between m and the axis. */
static void add_rim(const crn_placed *p, const double m[3], double t[2][3], double H[3])
{
    double axis[3] = {p->R[2], p->R[5], p->R[8]}, round[3];
    crn_cross3(axis, m, round);
    double rho = crn_norm3(round), scale = rho > 0.0 ? p->half[0] / (rho * rho * rho) : 0.0;
    double along[2] = {crn_dot3(t[0], round), crn_dot3(t[1], round)};
    H[0] += scale * along[0] * along[0];
    H[1] += scale * along[0] * along[1];
    H[2] += scale * along[1] * along[1];
}

/* The same for any smooth core, by central differences of its support point, which is the gradient of h. */
static void add_smooth(const crn_placed *p, const double m[3], double t[2][3], int tangents, double H[3])
{
    assert(tangents == 1 || tangents == 2);
    double rate[2][3] = {{0, 0, 0}, {0, 0, 0}}, beside[3];
    for (int i = 0; i < tangents; ++i)
    {
        crn_corner ahead, behind;
        crn_madd3(m, DIFFERENCE, t[i], beside);
        crn_core_support(p, beside, &ahead);
        crn_madd3(m, -DIFFERENCE, t[i], beside);
        crn_core_support(p, beside, &behind);
        crn_sub3(ahead.x, behind.x, rate[i]);
        crn_scale3(0.5 / DIFFERENCE, rate[i], rate[i]);
    }
    H[0] += crn_dot3(t[0], rate[0]);
    H[1] += 0.5 * (crn_dot3(t[0], rate[1]) + crn_dot3(t[1], rate[0]));
    H[2] += crn_dot3(t[1], rate[1]);
}

static void add_curvature(const crn_placed *p, const double m[3], const crn_corner *at, double t[2][3], int tangents,
                          double H[3])
{
    if (crn_is_elliptic(p->kind))
        add_ellipsoid(p, m, at->x, t, tangents, H);
    else if (crn_is_turned(p->kind) && at->name == CRN_CURVED)
        add_rim(p, m, t, H);
    else if (crn_class_of(p->kind)->core == CRN_CORE_SMOOTH)
        add_smooth(p, m, t, tangents, H);
}

/* ---------------------------------------------------------------------------------------------------------- climb */

static void tangents_at(const cliff *k, const double n[3], double t[2][3])
{
    if (!k->circle)
    {
        crn_tangents(n, t[0], t[1]);
        return;
    }
    crn_cross3(k->circle->e, n, t[0]);
    crn_scale3(1.0 / crn_norm3(t[0]), t[0], t[0]);
    memset(t[1], 0, sizeof t[1]);
}

/* Project n back onto the sphere or the circle. */
static void retract(const cliff *k, double n[3])
{
    if (k->circle)
    {
        const double *e = k->circle->e;
        double c = k->circle->c;
        crn_madd3(n, -crn_dot3(n, e), e, n);
        crn_scale3(sqrt(fmax(0.0, 1.0 - c * c)) / crn_norm3(n), n, n);
        crn_madd3(n, c, e, n);
        return;
    }
    crn_scale3(1.0 / crn_norm3(n), n, n);
}

static void turn(const cliff *k, const double n[3], double t[2][3], const double step[2], double scale, double out[3])
{
    crn_madd3(n, scale * step[0], t[0], out);
    crn_madd3(out, scale * step[1], t[1], out);
    retract(k, out);
}

/* Newton's step; the Hessian is shifted so that the step goes uphill. */
static void newton(bool one, const double H[3], const double gradient[2], double step[2])
{
    double middle = 0.5 * (H[0] + H[2]), half = 0.5 * (H[0] - H[2]), spread = sqrt(half * half + H[1] * H[1]);
    double least = one ? H[0] : middle - spread, most = one ? fabs(H[0]) : fabs(middle) + spread;
    double shift = least > 1e-14 * most ? 0.0 : 1e-2 * most - least;
    double p = H[0] + shift, q = H[1], r = H[2] + shift;
    step[0] = one ? gradient[0] / p : (r * gradient[0] - q * gradient[1]) / (p * r - q * q);
    step[1] = one ? 0.0 : (p * gradient[1] - q * gradient[0]) / (p * r - q * q);
    double length = sqrt(step[0] * step[0] + step[1] * step[1]), scale = length > LONGEST ? LONGEST / length : 1.0;
    step[0] *= scale;
    step[1] *= scale;
}

/* Gradient and minus the Hessian of s at the current point. */
static void differentiate(const cliff *k, const crn_summit *top, double t[2][3], double gradient[2], double H[3])
{
    const crn_pair_view *v = k->view;
    double g[3], m[3], from[3];
    int tangents = k->circle ? 1 : 2;
    crn_scale3(-1.0, top->n, m);
    H[0] = H[1] = H[2] = 0.0;
    crn_sub3(k->a->kind == CRN_KINK_LINE ? k->a->p : top->at.a.x, k->b->kind == CRN_KINK_LINE ? k->b->p : top->at.b.x,
             g);
    crn_add3(g, v->d, g);
    if (k->a->kind == CRN_KINK_NONE)
        add_curvature(v->a, m, &top->at.a, t, tangents, H);
    if (k->b->kind == CRN_KINK_NONE)
        add_curvature(v->b, top->n, &top->at.b, t, tangents, H);
    memcpy(from, top->n, sizeof from);
    if (k->circle)
        crn_madd3(from, -k->circle->c, k->circle->e, from);
    double c = k->circle ? k->circle->c : 0.0, pull = crn_dot3(from, g) / (1.0 - c * c);
    H[0] += pull;
    H[2] += pull;
    gradient[0] = crn_dot3(t[0], g);
    gradient[1] = crn_dot3(t[1], g);
}

/* One step uphill; false when no further step improves s. */
static bool rise(const cliff *k, crn_summit *top)
{
    double t[2][3], gradient[2], H[3], step[2], scale = 1.0, rounding = LEVEL * k->view->size;
    crn_summit next;
    tangents_at(k, top->n, t);
    differentiate(k, top, t, gradient, H);
    newton(k->circle, H, gradient, step);
    double slope = gradient[0] * step[0] + gradient[1] * step[1];
    bool flat = !(slope > rounding);
    for (int halving = 0; halving < MOST_HALVINGS && (halving == 0 || scale * slope > rounding); ++halving)
    {
        turn(k, top->n, t, step, scale, next.n);
        next.s = crn_separation(k->view, next.n, &next.at);
        /* where s is too flat to tell a gain from rounding, take one more Newton step */
        if (next.s > top->s + (flat ? -rounding : 1e-4 * scale * slope))
        {
            *top = next;
            return !flat;
        }
        scale *= 0.5;
    }
    return false;
}

/* The intersection of two circles that is nearer to n; false when they do not intersect or coincide. */
static bool meet(const crn_kink *a, const crn_kink *b, double n[3])
{
    assert(crn_is_unit3(a->e) && crn_is_unit3(b->e));
    double across[3], q = crn_dot3(a->e, b->e), determinant = 1.0 - q * q;
    if (determinant < 1e-10)
        return false;
    double f = (a->c - q * b->c) / determinant, g = (b->c - q * a->c) / determinant;
    double in[3] = {f * a->e[0] + g * b->e[0], f * a->e[1] + g * b->e[1], f * a->e[2] + g * b->e[2]};
    double rest = 1.0 - crn_dot3(in, in);
    crn_cross3(a->e, b->e, across);
    if (!(rest > 0.0))
        return false;
    double scale = sqrt(rest) / crn_norm3(across);
    crn_madd3(in, crn_dot3(across, n) < 0 ? -scale : scale, across, n);
    return true;
}

/* Whether n is so near to a circle's axis that the nearest point of the circle is not determined. */
static bool is_astray(const crn_kink *circle, const double n[3])
{
    double z = circle ? crn_dot3(n, circle->e) : 0.0;
    return 1.0 - z * z < ON_AXIS;
}

bool crn_separation_newton(const crn_pair_view *v, const crn_kink *a, const crn_kink *b, crn_summit *summit)
{
    assert(a->kind != CRN_KINK_FACE && b->kind != CRN_KINK_FACE);
    bool lines = a->kind == CRN_KINK_LINE && b->kind == CRN_KINK_LINE;
    cliff k = {v, a, b, a->kind == CRN_KINK_LINE ? a : b->kind == CRN_KINK_LINE ? b : NULL};
    if (lines && meet(a, b, summit->n))
    {
        summit->s = crn_separation(v, summit->n, &summit->at);
        return true;
    }
    if ((lines && fabs(crn_dot3(a->e, b->e)) < 0.9) || is_astray(k.circle, summit->n))
        return false;
    retract(&k, summit->n);
    summit->s = crn_separation(v, summit->n, &summit->at);
    for (int step = 0; step < MOST_STEPS && rise(&k, summit); ++step)
    {
    }
    return true;
}
