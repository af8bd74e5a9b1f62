/* The nearest points of a line segment and a box, in closed form: capsules and boxes are in most mixed heaps.
 *
 * In the box's frame the segment is p(t) = c + t u, |t| <= l. The vector from the box to it is e(t) = p(t) - clamp(p(t)), and half its
 * square has the derivative f'(t) = u e(t), which grows with t and is linear between the places where a coordinate of p enters
 * or leaves [-h, h]. So the six places bracket the root of f', and one quotient gives it.
 */
#include "collide/convex/convex.h"

#include "math/vec.h"

#include <assert.h>

/* x less its place in [-half, half], without branches: which way they go changes from pair to pair. */
static inline double outside(double x, double half)
{
    double y = x < half ? x : half;
    return x - (y > -half ? y : -half);
}

static double slope(const crn_box_line *s, double t)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k)
        sum += s->u[k] * outside(s->c[k] + t * s->u[k], s->half[k]);
    return sum;
}

/* Where f' vanishes between two neighbouring places. */
static double root(const crn_box_line *s, double low, double high)
{
    assert(low <= high);
    double middle = 0.5 * (low + high), A = 0.0, B = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        double x = s->c[k] + middle * s->u[k], side = x > 0.0 ? s->half[k] : -s->half[k];
        double counts = outside(x, s->half[k]) != 0.0 ? 1.0 : 0.0;
        A += counts * (s->u[k] * (s->c[k] - side));
        B += counts * (s->u[k] * s->u[k]);
    }
    double t = B > 0.0 ? -A / B : middle;
    t = t > low ? t : low;
    return t < high ? t : high;
}

static inline double within(double x, double most)
{
    double y = x < most ? x : most;
    return y > -most ? y : -most;
}

/* f' at all six places at once and a choice among them, without branches. A line parallel to a pair of sides has its places at infinity,
 * or nowhere, and thus at an end. */
static double nearest_place(const crn_box_line *s)
{
    double low = -s->l, high = s->l, t[6], f[6] = {0.0};
    if (slope(s, low) >= 0.0)
        return low;
    if (slope(s, high) <= 0.0)
        return high;
    for (int k = 0; k < 3; ++k)
    {
        double over = 1.0 / s->u[k];
        t[2 * k] = within((-s->half[k] - s->c[k]) * over, s->l);
        t[2 * k + 1] = within((s->half[k] - s->c[k]) * over, s->l);
    }
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 6; ++i)
            f[i] += s->u[k] * outside(s->c[k] + t[i] * s->u[k], s->half[k]);
    for (int i = 0; i < 6; ++i)
    {
        double before = f[i] < 0.0 ? t[i] : -s->l, after = f[i] < 0.0 ? s->l : t[i];
        low = before > low ? before : low;
        high = after < high ? after : high;
    }
    return root(s, low, low < high ? high : low);
}

void crn_line_in_box(const crn_placed *a, const crn_placed *b, const double d[3], crn_box_line *out)
{
    assert(crn_class_of(a->kind)->core == CRN_CORE_LINE && crn_is_box(b->kind));
    const double axis[3] = {a->R[2], a->R[5], a->R[8]};
    out->l = a->half[2];
    out->half = b->half;
    crn_unrotate3(b->R, d, out->c);
    crn_unrotate3(b->R, axis, out->u);
    out->t = nearest_place(out);
    for (int k = 0; k < 3; ++k)
        out->e[k] = outside(out->c[k] + out->t * out->u[k], b->half[k]);
    out->s = crn_norm3(out->e);
}

bool crn_line_to_box(const crn_pair_view *v, double least, crn_nearest *out)
{
    double axis[3], m[3];
    crn_box_line line;
    crn_line_in_box(v->a, v->b, v->d, &line);
    out->s = line.s;
    if (!(out->s > least))
        return false;
    crn_axis_of(v->a, 2, axis);
    crn_scale3(1.0 / out->s, line.e, m);
    crn_rotate3(v->b->R, m, out->n);
    crn_madd3(v->a->centre, line.t, axis, out->x_a);
    return true;
}
