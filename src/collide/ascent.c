/* The direction n of the largest separation s(n) of two cores, to the last digits, where one of them is curved.
 *
 * s is the difference of support functions, and these are smooth but for kinks: a flat face is one direction, a straight line
 * (an edge, the side of a cylinder, of a cone, of a capsule) a circle n e = c of directions. The largest s may lie on kinks of
 * either shape, which the search before has nearly found. So every case that is near is tried in turn:
 *
 *     a face                  n is its normal
 *     a line of each          n lies on two circles: no freedom left
 *     a line of one           Newton's method along a circle, where the support of its shape is that of one fixed point
 *     none                    Newton's method on the sphere
 *
 * and since s(n) is never more than its largest value, the case with the largest s is the right one: no threshold decides.
 * Newton: with g = grad s = w, unit tangents t_i at n and the centre c e of the circle (0 for the sphere),
 *
 *     gradient  t_i g ,     minus Hessian  t_i (grad grad h_a + grad grad h_b) t_j + (n - c e) g / (1 - c^2) delta_ij .
 */
#include "collide/convex.h"

#include "collide/ellipsoid.h"
#include "math/vec.h"

#include <string.h>

enum
{
    MOST_KINKS = 8,
    MOST_STEPS = 60,
    MOST_HALVINGS = 40
};

static const double NEAR_APART = 0.05;  /* how far off a kink is tried when the shapes are apart, */
static const double NEAR_OVERLAP = 0.3; /* and when the search was coarser */
static const double LONGEST = 0.5;      /* rad, of a step */
static const double BETTER = 1e-13;     /* of the extent: by which a later case must win */
static const double ON_KINK = 1e-9;     /* how far off n may be and still lie on a kink */
static const double ASTRAY = 0.2; /* of `near`, times the extent: further from the search's own, it is another's */

typedef enum kink_kind
{
    FREE,
    LINE,
    FACE
} kink_kind;

typedef struct kink
{
    kink_kind kind;
    double e[3], c; /* LINE: the circle n e = c */
    double p[3];    /* LINE: the point whose support is the shape's on the circle, but for a constant */
    double m[3];    /* FACE: n */
} kink;

/* One shape of the pair: sign -1 for a, whose outward directions are -n, and 1 for b. */
typedef struct side
{
    const crn_placed *shape;
    double sign;
    kink kinks[MOST_KINKS];
    int count;
} side;

static void axis_of(const crn_placed *p, double out[3])
{
    memcpy(out, (double[3]){p->R[2], p->R[5], p->R[8]}, 3 * sizeof(double));
}

/* ---------------------------------------------------------------------------------------------------------- kinks */

static void add_line(side *s, const double e[3], double c, const double p[3])
{
    if (s->count < MOST_KINKS)
    {
        kink *k = &s->kinks[s->count++];
        k->kind = LINE;
        k->c = s->sign * c;
        memcpy(k->e, e, sizeof k->e);
        memcpy(k->p, p, sizeof k->p);
    }
}

static void add_face(side *s, const double m[3])
{
    if (s->count < MOST_KINKS)
    {
        kink *k = &s->kinks[s->count++];
        k->kind = FACE;
        crn_scale3(s->sign, m, k->m);
    }
}

/* Lines between corners that the search ended with, and the face that looks along m. */
static void list_flat(side *s, const double m[3], const crn_simplex *simplex, bool of_b, double near)
{
    crn_face face;
    crn_core_face(s->shape, m, &face);
    if (face.count > 2 && crn_dot3(face.n, m) > 1.0 - near)
    {
        add_face(s, face.n);
    }
    for (int ij = 0; ij < simplex->count * simplex->count; ++ij)
    {
        int i = ij / simplex->count, j = ij % simplex->count;
        const crn_corner *from = of_b ? &simplex->p[i].b : &simplex->p[i].a;
        const crn_corner *to = of_b ? &simplex->p[j].b : &simplex->p[j].a;
        if (from->name >= to->name)
        {
            continue; /* the same corner, or the other way round */
        }
        double e[3];
        crn_sub3(to->x, from->x, e);
        crn_scale3(1.0 / crn_norm3(e), e, e);
        if (fabs(crn_dot3(e, m)) < near)
        {
            add_line(s, e, 0.0, from->x);
        }
    }
}

/* Kinks of a shape near its outward direction m. */
static void list_kinks(side *s, const double m[3], const crn_simplex *simplex, bool of_b, double near)
{
    const crn_placed *p = s->shape;
    double axis[3], tip[3], nothing[3] = {0, 0, 0}, across[3];
    axis_of(p, axis);
    double z = crn_dot3(axis, m);
    crn_cross3(axis, m, across);
    bool cap = crn_norm3(across) < near;
    s->count = 0;
    switch (p->kind)
    {
    case CAIRN_CYLINDER:
        crn_scale3(z >= 0 ? 1.0 : -1.0, axis, tip);
        if (cap)
        {
            add_face(s, tip);
        }
        if (fabs(z) < near)
        {
            add_line(s, axis, 0.0, nothing);
        }
        break;
    case CAIRN_CONE:
    {
        double slope = p->half[0] / hypot(p->half[0], 2.0 * p->half[2]);
        crn_scale3(-1.0, axis, tip);
        if (cap && z < 0)
        {
            add_face(s, tip);
        }
        crn_scale3(1.5 * p->half[2], axis, tip);
        if (fabs(z - slope) < near)
        {
            add_line(s, axis, slope, tip);
        }
        break;
    }
    case CAIRN_CAPSULE:
        if (fabs(z) < near)
        {
            add_line(s, axis, 0.0, nothing);
        }
        break;
    case CAIRN_BOX:
    case CAIRN_HULL:
        list_flat(s, m, simplex, of_b, near);
        break;
    default:
        break;
    }
    s->kinks[s->count < MOST_KINKS ? s->count++ : MOST_KINKS - 1] = (kink){.kind = FREE};
}

/* ------------------------------------------------------------------------------------------------------ curvature */

/* t_i (grad grad h) t_j of a smooth piece at its own outward direction m, added to H (xx, xy, yy). */
static void add_curvature(const crn_placed *p, const double m[3], const crn_corner *at, double t[2][3], int tangents,
                          double H[3])
{
    double c[2][3], along[2] = {0, 0}, scale;
    if (at->name != CRN_CURVED)
    {
        return; /* a corner */
    }
    if (p->kind == CAIRN_ELLIPSOID)
    {
        scale = 1.0 / crn_ellipsoid_support(p, m);
        for (int i = 0; i < tangents; ++i)
        {
            crn_unrotate3(p->R, t[i], c[i]);
            for (int k = 0; k < 3; ++k)
            {
                c[i][k] *= p->half[k];
            }
            along[i] = crn_dot3(t[i], at->x);
        }
        H[0] += scale * (crn_dot3(c[0], c[0]) - along[0] * along[0]);
        H[1] += tangents == 2 ? scale * (crn_dot3(c[0], c[1]) - along[0] * along[1]) : 0.0;
        H[2] += tangents == 2 ? scale * (crn_dot3(c[1], c[1]) - along[1] * along[1]) : 0.0;
        return;
    }
    double axis[3], round[3];
    axis_of(p, axis);
    crn_cross3(axis, m, round);
    double rho = crn_norm3(round); /* a rim: h = const m + r rho */
    scale = rho > 0.0 ? p->half[0] / (rho * rho * rho) : 0.0;
    for (int i = 0; i < tangents; ++i)
    {
        along[i] = crn_dot3(t[i], round);
    }
    H[0] += scale * along[0] * along[0];
    H[1] += scale * along[0] * along[1];
    H[2] += scale * along[1] * along[1];
}

/* ---------------------------------------------------------------------------------------------------------- climb */

/* One case: what each shape is held by, and the circle that is left. */
typedef struct cliff
{
    const crn_pair_view *view;
    const kink *a, *b;
    const kink *circle; /* NULL: the whole sphere */
} cliff;

static void tangents_at(const cliff *k, const double n[3], double t[2][3])
{
    if (!k->circle)
    {
        crn_tangents(n, t[0], t[1]);
        return;
    }
    crn_cross3(k->circle->e, n, t[0]);
    crn_scale3(1.0 / crn_norm3(t[0]), t[0], t[0]);
}

/* Back onto the sphere, or the circle. */
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
    if (!k->circle)
    {
        crn_madd3(out, scale * step[1], t[1], out);
    }
    retract(k, out);
}

/* Newton's step, shifted until it goes uphill. */
static void newton(bool one, const double H[3], const double gradient[2], double step[2])
{
    double middle = 0.5 * (H[0] + H[2]), spread = hypot(0.5 * (H[0] - H[2]), H[1]);
    double least = one ? H[0] : middle - spread, most = one ? fabs(H[0]) : fabs(middle) + spread;
    double shift = least > 1e-14 * most ? 0.0 : 1e-2 * most - least;
    double p = H[0] + shift, q = H[1], r = H[2] + shift;
    step[0] = one ? gradient[0] / p : (r * gradient[0] - q * gradient[1]) / (p * r - q * q);
    step[1] = one ? 0.0 : (p * gradient[1] - q * gradient[0]) / (p * r - q * q);
    double length = hypot(step[0], step[1]), scale = length > LONGEST ? LONGEST / length : 1.0;
    step[0] *= scale;
    step[1] *= scale;
}

/* Gradient and minus the Hessian of s at n. */
static void differentiate(const cliff *k, const double n[3], double t[2][3], double gradient[2], double H[3])
{
    const crn_pair_view *v = k->view;
    crn_difference at;
    double g[3], m[3], from[3];
    int tangents = k->circle ? 1 : 2;
    crn_separation(v, n, &at);
    crn_scale3(-1.0, n, m);
    H[0] = H[1] = H[2] = 0.0;
    crn_sub3(k->a->kind == LINE ? k->a->p : at.a.x, k->b->kind == LINE ? k->b->p : at.b.x, g);
    crn_add3(g, v->d, g);
    if (k->a->kind == FREE)
    {
        add_curvature(v->a, m, &at.a, t, tangents, H);
    }
    if (k->b->kind == FREE)
    {
        add_curvature(v->b, n, &at.b, t, tangents, H);
    }
    memcpy(from, n, sizeof from);
    if (k->circle)
    {
        crn_madd3(n, -k->circle->c, k->circle->e, from);
    }
    double c = k->circle ? k->circle->c : 0.0, pull = crn_dot3(from, g) / (1.0 - c * c);
    H[0] += pull;
    H[2] += pull;
    gradient[0] = crn_dot3(t[0], g);
    gradient[1] = k->circle ? 0.0 : crn_dot3(t[1], g);
}

/* One step uphill; false when n is as good as it gets. */
static bool climb(const cliff *k, double n[3], double *s)
{
    double t[2][3] = {{0, 0, 0}, {0, 0, 0}}, gradient[2], H[3], step[2], next[3], scale = 1.0;
    crn_difference unused;
    tangents_at(k, n, t);
    differentiate(k, n, t, gradient, H);
    newton(k->circle != NULL, H, gradient, step);
    double slope = gradient[0] * step[0] + gradient[1] * step[1];
    bool flat = !(slope > 1e-15 * k->view->size);
    for (int halving = 0; halving < (flat ? 1 : MOST_HALVINGS); ++halving, scale *= 0.5)
    {
        turn(k, n, t, step, scale, next);
        double value = crn_separation(k->view, next, &unused);
        /* where s is too flat to tell uphill from rounding, Newton alone goes once more */
        if (value > *s + (flat ? -1e-15 * k->view->size : 1e-4 * scale * slope))
        {
            memcpy(n, next, sizeof next);
            *s = value;
            return !flat;
        }
    }
    return false;
}

/* The n on two circles that is nearer to the one at hand; false when they do not meet or are one and the same. */
static bool meet(const kink *a, const kink *b, double n[3])
{
    double across[3], q = crn_dot3(a->e, b->e), determinant = 1.0 - q * q;
    if (determinant < 1e-10)
    {
        return false;
    }
    double f = (a->c - q * b->c) / determinant, g = (b->c - q * a->c) / determinant;
    double in[3] = {f * a->e[0] + g * b->e[0], f * a->e[1] + g * b->e[1], f * a->e[2] + g * b->e[2]};
    double rest = 1.0 - crn_dot3(in, in);
    crn_cross3(a->e, b->e, across);
    if (!(rest > 0.0))
    {
        return false;
    }
    double scale = sqrt(rest) / crn_norm3(across);
    crn_madd3(in, crn_dot3(across, n) < 0 ? -scale : scale, across, n);
    return true;
}

/* The best n of one case, from n; false when it has none. */
static bool solve(const crn_pair_view *v, const kink *a, const kink *b, double n[3], double *s)
{
    crn_difference unused;
    cliff k = {v, a, b, a->kind == LINE ? a : b->kind == LINE ? b : NULL};
    if (a->kind == FACE || b->kind == FACE)
    {
        memcpy(n, a->kind == FACE ? a->m : b->m, 3 * sizeof(double));
        *s = crn_separation(v, n, &unused);
        return true;
    }
    if (a->kind == LINE && b->kind == LINE)
    {
        if (meet(a, b, n))
        {
            *s = crn_separation(v, n, &unused);
            return true;
        }
        if (fabs(crn_dot3(a->e, b->e)) < 0.9)
        {
            return false;
        }
    }
    if (k.circle && fabs(crn_dot3(n, k.circle->e)) > 0.999999)
    {
        return false;
    }
    retract(&k, n);
    *s = crn_separation(v, n, &unused);
    for (int step = 0; step < MOST_STEPS && climb(&k, n, s); ++step)
    {
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------------- witness */

/* A point of the straight line that a shape shows along its outward direction m, and the line's direction. */
static void straight(const crn_placed *p, const kink *k, const double m[3], double x[3], double u[3])
{
    double axis[3], radial[3];
    axis_of(p, axis);
    memcpy(u, k->e, 3 * sizeof(double));
    memcpy(x, k->p, 3 * sizeof(double));
    if (p->kind == CAIRN_CYLINDER || p->kind == CAIRN_CONE)
    {
        crn_madd3(m, -crn_dot3(m, axis), axis, radial);
        crn_scale3(p->half[0] / crn_norm3(radial), radial, radial);
        memcpy(u, radial, sizeof radial);
        crn_madd3(u, -2.0 * p->half[2], axis, u);
        if (p->kind == CAIRN_CYLINDER)
        {
            memcpy(x, radial, sizeof radial);
            memcpy(u, axis, sizeof axis);
        }
    }
}

/* Where two straight lines pass each other; false when they are parallel. */
static bool passing(const crn_pair_view *v, const kink *a, const kink *b, const double n[3], double x_a[3])
{
    double p[3], u[3], q[3], w[3], arm[3], m[3];
    crn_scale3(-1.0, n, m);
    straight(v->a, a, m, p, u);
    straight(v->b, b, n, q, w);
    crn_sub3(q, p, arm);
    crn_sub3(arm, v->d, arm);
    double uu = crn_dot3(u, u), ww = crn_dot3(w, w), uw = crn_dot3(u, w), determinant = uu * ww - uw * uw;
    if (!(determinant > 1e-10 * uu * ww))
    {
        return false;
    }
    double along = (crn_dot3(arm, u) * ww - crn_dot3(arm, w) * uw) / determinant;
    crn_madd3(p, along, u, x_a);
    return true;
}

/* The kink that n lies on, or none: then the shape has one point only that it shows along n. */
static const kink *kink_at(const side *s, const double n[3])
{
    for (int i = 0; i < s->count; ++i)
    {
        const kink *k = &s->kinks[i];
        double arm[3];
        crn_sub3(n, k->m, arm);
        double off = k->kind == LINE ? fabs(crn_dot3(n, k->e) - k->c) : crn_norm3(arm);
        if (k->kind != FREE && off < ON_KINK)
        {
            return k;
        }
    }
    return NULL;
}

/* The touching point of a (from its centre) as a itself shows it, or as b does. */
static void shown_by(const crn_pair_view *v, const crn_nearest *out, bool by_b, double x[3])
{
    crn_difference at;
    crn_separation(v, out->n, &at);
    memcpy(x, at.a.x, 3 * sizeof(double));
    if (by_b)
    {
        crn_madd3(at.b.x, out->s, out->n, x);
        crn_sub3(x, v->d, x);
    }
}

/* How far x, from a's centre, is from the point that the search came to. */
static double off_search(const crn_pair_view *v, const crn_nearest *out, const double x[3])
{
    double arm[3];
    crn_add3(x, v->a->centre, arm);
    crn_sub3(arm, out->x_a, arm);
    return crn_norm3(arm);
}

/* The touching point of a from that of whichever shape has only one, or from two lines; otherwise the search's own stays. Two
 * shapes with one point each name the same, but for rounding and edges that the search has not met: the nearer one is taken. */
static void find_witness(const crn_pair_view *v, const side *a, const side *b, double near, crn_nearest *out)
{
    const kink *on_a = kink_at(a, out->n), *on_b = kink_at(b, out->n);
    double x[3], y[3];
    /* an ellipsoid shows one point to every direction; elsewhere it may be at the far end of what is nearly flat */
    bool sure_a = v->a->kind == CAIRN_ELLIPSOID, sure_b = v->b->kind == CAIRN_ELLIPSOID;
    shown_by(v, out, !sure_a && (on_a || sure_b), x);
    if (!on_a && !on_b && !sure_a && !sure_b)
    {
        shown_by(v, out, true, y);
        if (off_search(v, out, y) < off_search(v, out, x))
        {
            memcpy(x, y, sizeof x);
        }
    }
    bool lines = on_a && on_b;
    if (lines && (on_a->kind != LINE || on_b->kind != LINE || !passing(v, on_a, on_b, out->n, x)))
    {
        return;
    }
    if (sure_a || sure_b || off_search(v, out, x) < ASTRAY * near * v->size)
    {
        crn_add3(x, v->a->centre, out->x_a);
    }
}

void crn_ascend(const crn_pair_view *v, bool apart, crn_nearest *out)
{
    side a = {.shape = v->a, .sign = -1.0}, b = {.shape = v->b, .sign = 1.0};
    double m[3], near = apart ? NEAR_APART : NEAR_OVERLAP, start[3];
    bool found = false;
    crn_difference unused;
    memcpy(start, out->n, sizeof start);
    crn_scale3(-1.0, start, m);
    list_kinks(&a, m, &out->simplex, false, near);
    list_kinks(&b, start, &out->simplex, true, near);
    out->s = crn_separation(v, start, &unused) - BETTER * v->size;
    for (int ij = 0; ij < a.count * b.count; ++ij)
    {
        const kink *of_a = &a.kinks[ij / b.count], *of_b = &b.kinks[ij % b.count];
        double n[3], s;
        if ((of_a->kind == FACE && of_b->kind != FREE) || (of_b->kind == FACE && of_a->kind != FREE))
        {
            continue; /* a face leaves nothing to the other shape: once will do */
        }
        memcpy(n, start, sizeof n);
        if (solve(v, of_a, of_b, n, &s) && s > out->s + (found ? BETTER * v->size : 0.0))
        {
            out->s = s;
            memcpy(out->n, n, sizeof n);
            found = true;
        }
    }
    find_witness(v, &a, &b, near, out);
}
