/* Cylinder and cone: turned about z, half = (radius, radius, half the height).
 *
 * The cylinder is centred. The origin of the cone is its centre of mass, a quarter of its height above the base: the base is at
 * z = -half[2] / 2 and the tip at 3 half[2] / 2.
 *
 * A round cap is represented by eight points of its rim that turn with the body, so that they keep their names. The lowest point
 * of the rim may lie between two of them; the routines that use the face add it (collide/convex/convex_pair.c, half_space.c).
 *
 *     cylinder   0..7: rim of the upper cap, 8..15: of the lower one, 16, 17: lower and upper end of a line of the side
 *     cone       0..7: rim of the base, 8: tip, 9: foot of a line of the side
 */
#include "math/polygon.h"
#include "math/vec.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <string.h>

static const double CAP = 0.7; /* cosine of the largest angle at which the cap is the facing part */

static cairn_status check(const cairn_model *model, int body, const cairn_shape_options *o)
{
    return crn_shape_check_measures(model, body, o->kind, (double[2]){o->radius, o->height}, 2, CRN_SHAPE_THINNEST,
                                    "radius and height: must be greater than 0",
                                    "radius and height: one is more than 1e6 times the other");
}

static void measure(const cairn_shape_options *o, int dimension, crn_shape *shape)
{
    (void)dimension;
    memcpy(shape->form->half, (double[3]){o->radius, o->radius, 0.5 * o->height}, sizeof shape->form->half);
}

static double bound_cylinder(const crn_shape *shape)
{
    return hypot(shape->form->half[0], shape->form->half[2]);
}

static double bound_cone(const crn_shape *shape)
{
    return fmax(hypot(shape->form->half[0], 0.5 * shape->form->half[2]), 1.5 * shape->form->half[2]);
}

static double volume_cylinder(const crn_shape *shape, double principal[3])
{
    const double *e = shape->form->half;
    double volume = 2 * acos(-1.0) * e[0] * e[0] * e[2];
    principal[0] = principal[1] = volume * (e[0] * e[0] / 4 + e[2] * e[2] / 3);
    principal[2] = volume * e[0] * e[0] / 2;
    return volume;
}

static double volume_cone(const crn_shape *shape, double principal[3])
{
    const double *e = shape->form->half;
    double volume = 2.0 / 3.0 * acos(-1.0) * e[0] * e[0] * e[2];
    principal[0] = principal[1] = volume * 3 * (e[0] * e[0] + e[2] * e[2]) / 20;
    principal[2] = volume * 3 * e[0] * e[0] / 10;
    return volume;
}

/* The point of a circle about the axis furthest along m; its centre when m is the axis itself. */
static int rim_support(double radius, double z, const double m[3], double x[3])
{
    assert(radius > 0.0);
    double across = sqrt(m[0] * m[0] + m[1] * m[1]), scale = across > 0.0 ? radius / across : 0.0;
    x[0] = scale * m[0];
    x[1] = scale * m[1];
    x[2] = z;
    return CRN_CURVED;
}

static int support_cylinder(const crn_placed *p, const double m[3], double x[3])
{
    return rim_support(p->half[0], m[2] >= 0.0 ? p->half[2] : -p->half[2], m, x);
}

static int support_cone(const crn_placed *p, const double m[3], double x[3])
{
    double tip = 1.5 * p->half[2], base = -0.5 * p->half[2];
    if (m[2] * tip < m[2] * base + p->half[0] * sqrt(m[0] * m[0] + m[1] * m[1]))
        return rim_support(p->half[0], base, m, x);
    memcpy(x, (double[3]){0, 0, tip}, 3 * sizeof(double));
    return CRN_RIM;
}

/* A cap at height z, facing up or down. */
static void show_cap(const crn_placed *p, double z, bool up, int first, crn_face *out)
{
    assert(out->count == 0);
    for (int i = 0; i < CRN_RIM; ++i)
    {
        int k = up ? i : CRN_RIM - 1 - i;
        double at[2];
        crn_polygon_vertex(CRN_RIM, k, at);
        crn_face_add(out, p, p->half[0] * at[0], p->half[0] * at[1], z, first + k);
    }
    crn_rotate3(p->R, (double[3]){0, 0, up ? 1.0 : -1.0}, out->n);
}

static void face(const crn_placed *p, const double m[3], crn_face *out)
{
    bool cone = crn_shape_has(p->kind, CRN_SHAPE_POINTED);
    double h = p->half[2], across = hypot(m[0], m[1]);
    double x = across > 0.0 ? p->half[0] * m[0] / across : p->half[0];
    double y = across > 0.0 ? p->half[0] * m[1] / across : 0.0;
    if (m[2] <= -CAP || (!cone && m[2] >= CAP))
    {
        show_cap(p, m[2] > 0 ? h : cone ? -0.5 * h : -h, m[2] > 0, m[2] > 0 || cone ? 0 : CRN_RIM, out);
    }
    else if (cone)
    {
        crn_face_add(out, p, 0, 0, 1.5 * h, CRN_RIM);
        crn_face_add(out, p, x, y, -0.5 * h, CRN_RIM + 1);
    }
    else
    {
        crn_face_add(out, p, x, y, -h, 2 * CRN_RIM);
        crn_face_add(out, p, x, y, h, 2 * CRN_RIM + 1);
    }
}

bool crn_span_side(const double y[3], const double m[3], double radius, double slope, double u, double *low,
                   double *high)
{
    double wide = radius + slope * u, grow = -slope * m[2]; /* the radius allowed is wide + s grow */
    double a = m[0] * m[0] + m[1] * m[1] - grow * grow, b = y[0] * m[0] + y[1] * m[1] - wide * grow;
    double c = y[0] * y[0] + y[1] * y[1] - wide * wide, square = b * b - a * c;
    if (fabs(a) <= CRN_SLIVER * CRN_SLIVER)
    {
        if (fabs(b) <= CRN_SLIVER * CRN_SLIVER * wide)
            return c <= CRN_SLIVER * wide * wide;
        *(b > 0 ? high : low) = b > 0 ? fmin(*high, -c / (2 * b)) : fmax(*low, -c / (2 * b));
        return *low <= *high;
    }
    if (a > 0)
    {
        double half = sqrt(fmax(0.0, square)) / a;
        *low = fmax(*low, -b / a - half);
        *high = fmin(*high, -b / a + half);
        return square >= 0 && *low <= *high;
    }
    /* steeper than the side: within one of two branches, the one below the tip */
    double half = sqrt(fmax(0.0, square)) / -a;
    *high = grow < 0 ? fmin(*high, b / -a - half) : *high;
    *low = grow > 0 ? fmax(*low, b / -a + half) : *low;
    return *low <= *high;
}

static bool span(const crn_placed *p, const double x[3], const double n[3], double *low, double *high)
{
    bool cone = crn_shape_has(p->kind, CRN_SHAPE_POINTED);
    double y[3], m[3], r = p->half[0], h = p->half[2], top = cone ? 1.5 * h : h;
    crn_into_shape(p, x, n, y, m);
    double size = crn_norm3(p->half), up[3] = {0, 0, 1}, down[3] = {0, 0, -1};
    return crn_span_cut(y, m, (double[3]){0, 0, top}, up, size, low, high) &&
           crn_span_cut(y, m, (double[3]){0, 0, top - 2 * h}, down, size, low, high) &&
           crn_span_side(y, m, cone ? 0.0 : r, cone ? r / (2 * h) : 0.0, top - y[2], low, high);
}

/* The normal of the cap or of the side, whichever the point is further outside of. */
static void normal(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    (void)d;
    double y[3], r = p->half[0], h = p->half[2];
    crn_into_shape(p, x, NULL, y, NULL);
    bool cone = crn_shape_has(p->kind, CRN_SHAPE_POINTED);
    double across = hypot(y[0], y[1]), slant = cone ? hypot(2.0 * h, r) : 1.0;
    double level = cone ? 2.0 * h / slant : 1.0, rise = cone ? r / slant : 0.0; /* the side's normal */
    double side = cone ? (across - r * (1.5 * h - y[2]) / (2.0 * h)) * level : across - r;
    double cap = cone ? -0.5 * h - y[2] : fabs(y[2]) - h;
    double local[3] = {0.0, 0.0, cone || y[2] < 0.0 ? -1.0 : 1.0};
    if (side > cap)
    {
        local[0] = across > 0.0 ? level * y[0] / across : level;
        local[1] = across > 0.0 ? level * y[1] / across : 0.0;
        local[2] = rise;
    }
    crn_rotate3(p->R, local, out);
}

const crn_shape_class crn_class_cylinder = {
    .name = "cylinder",
    .dimension = 3,
    .takes = CRN_TAKES_RADIUS | CRN_TAKES_HEIGHT | CRN_TAKES_DENSITY,
    .needs = CRN_TAKES_RADIUS | CRN_TAKES_HEIGHT,
    .rank = CRN_RANK_CONVEX,
    .core = CRN_CORE_TURNED,
    .look = CAIRN_LOOK_CYLINDER,
    .check = check,
    .measure = measure,
    .bound = bound_cylinder,
    .volume = volume_cylinder,
    .support = support_cylinder,
    .face = face,
    .span = span,
    .normal = normal,
};

const crn_shape_class crn_class_cone = {
    .name = "cone",
    .dimension = 3,
    .takes = CRN_TAKES_RADIUS | CRN_TAKES_HEIGHT | CRN_TAKES_DENSITY,
    .needs = CRN_TAKES_RADIUS | CRN_TAKES_HEIGHT,
    .flags = CRN_SHAPE_POINTED,
    .rank = CRN_RANK_CONVEX,
    .core = CRN_CORE_TURNED,
    .look = CAIRN_LOOK_CONE,
    .check = check,
    .measure = measure,
    .bound = bound_cone,
    .volume = volume_cone,
    .support = support_cone,
    .face = face,
    .span = span,
    .normal = normal,
};
