/* Capsule: all points within a radius of a segment, along x in the plane and along z in space.
 *
 * The capsule is convex, so a line meets it from the first to the last point at which it meets the two balls or the
 * cylinder between them.
 */
#include "math/vec.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <string.h>

static cairn_status check(const cairn_model *model, int body, const cairn_shape_options *o)
{
    return crn_shape_check_measures(model, body, o->kind, (double[2]){o->radius, o->length}, 2, CRN_SHAPE_THINNEST,
                                    "radius and length: must be greater than 0",
                                    "radius and length: one is more than 1e6 times the other");
}

static void measure(const cairn_shape_options *o, int dimension, crn_shape *shape)
{
    shape->radius = o->radius;
    shape->form->half[dimension == 2 ? 0 : 2] = 0.5 * o->length;
}

static void area(const crn_shape *shape, double density, crn_planar_mass *out)
{
    double r = shape->radius, a = shape->form->half[0], pi = acos(-1.0);
    out->mass = density * (4 * a * r + pi * r * r);
    out->polar = density * (4 * a * r * (a * a + r * r) / 3 + r * r * (pi * r * r / 2 + 8 * a * r / 3 + pi * a * a));
}

static double volume(const crn_shape *shape, double principal[3])
{
    double pi = acos(-1.0), r = shape->radius, a = shape->form->half[2];
    double bar = 2 * pi * r * r * a, ends = 4.0 / 3.0 * pi * r * r * r;
    principal[0] = principal[1] = bar * (r * r / 4 + a * a / 3) + ends * (0.4 * r * r + 0.75 * a * r + a * a);
    principal[2] = bar * r * r / 2 + 0.4 * ends * r * r;
    return bar + ends;
}

static int support(const crn_placed *p, const double m[3], double x[3])
{
    x[0] = x[1] = 0.0;
    x[2] = m[2] >= 0.0 ? p->half[2] : -p->half[2];
    return m[2] >= 0.0 ? 1 : 0;
}

static void face(const crn_placed *p, const double m[3], crn_face *out)
{
    (void)m;
    crn_face_add(out, p, 0, 0, -p->half[2], 0);
    crn_face_add(out, p, 0, 0, p->half[2], 1);
}

/* The middle, direction and half the length of its segment, in the plane (two vertices) and in space. */
static double axis_of(const crn_placed *p, double centre[3], double u[3])
{
    assert(p->vertex_count == 0 || p->vertex_count == 2);
    memcpy(centre, p->centre, 3 * sizeof(double));
    crn_axis_of(p, 2, u);
    if (p->vertex_count != 2)
        return p->half[2];
    const double *v = p->vertices;
    double length = hypot(v[2] - v[0], v[3] - v[1]);
    memcpy(centre, (double[3]){0.5 * (v[0] + v[2]), 0.5 * (v[1] + v[3]), 0.0}, 3 * sizeof(double));
    memcpy(u, (double[3]){(v[2] - v[0]) / length, (v[3] - v[1]) / length, 0.0}, 3 * sizeof(double));
    return 0.5 * length;
}

/* Where the line meets the cylinder between the two ends. */
static bool span_bar(const double centre[3], const double u[3], double half, double radius, const double x[3],
                     const double n[3], double *low, double *high)
{
    assert(half > 0.0 && radius >= 0.0);
    double along = CRN_SLIVER * CRN_SLIVER; /* square of a sine: n is along the bar */
    double arm[3], y[3], m[3], ends[2][3], back[3];
    crn_sub3(x, centre, arm);
    crn_madd3(arm, -crn_dot3(arm, u), u, y);
    crn_madd3(n, -crn_dot3(n, u), u, m);
    double a = crn_dot3(m, m), b = crn_dot3(y, m), c = crn_dot3(y, y) - radius * radius, square = b * b - a * c;
    crn_madd3(centre, half, u, ends[0]);
    crn_madd3(centre, -half, u, ends[1]);
    crn_scale3(-1.0, u, back);
    if (a > along)
    {
        double root = sqrt(fmax(0.0, square)) / a;
        *low = -b / a - root;
        *high = -b / a + root;
    }
    return (a > along ? square >= 0 : c <= 0) && crn_span_cut(x, n, ends[0], u, half, low, high) &&
           crn_span_cut(x, n, ends[1], back, half, low, high);
}

/* Extend [*low, *high] by another stretch of the line. */
static void join(bool met, const double part[2], bool *any, double *low, double *high)
{
    if (met)
    {
        *low = *any ? fmin(*low, part[0]) : part[0];
        *high = *any ? fmax(*high, part[1]) : part[1];
        *any = true;
    }
}

static bool span(const crn_placed *p, const double x[3], const double n[3], double *low, double *high)
{
    bool any = false;
    double centre[3], u[3], end[3], part[2], half = axis_of(p, centre, u);
    for (int k = 0; k < 2; ++k)
    {
        crn_madd3(centre, k ? half : -half, u, end);
        bool met = crn_span_ball(end, p->radius, x, n, &part[0], &part[1]);
        join(met, part, &any, low, high);
    }
    part[0] = -INFINITY;
    part[1] = INFINITY;
    bool met = span_bar(centre, u, half, p->radius, x, n, &part[0], &part[1]);
    join(met, part, &any, low, high);
    return any;
}

/* Away from the nearest point of the axis. */
static void normal(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    (void)d;
    double centre[3], u[3], arm[3], half = axis_of(p, centre, u);
    crn_sub3(x, centre, arm);
    crn_madd3(arm, -fmin(fmax(crn_dot3(arm, u), -half), half), u, out);
    crn_scale3(1.0 / crn_norm3(out), out, out);
}

const crn_shape_class crn_class_capsule = {
    .name = "capsule",
    .takes = CRN_TAKES_RADIUS | CRN_TAKES_LENGTH | CRN_TAKES_DENSITY,
    .needs = CRN_TAKES_RADIUS | CRN_TAKES_LENGTH,
    .flags = CRN_SHAPE_ROLLS,
    .rank = CRN_RANK_CAPSULE,
    .core = CRN_CORE_LINE,
    .look = CAIRN_LOOK_CAPSULE,
    .check = check,
    .measure = measure,
    .area = area,
    .volume = volume,
    .support = support,
    .face = face,
    .span = span,
    .normal = normal,
};
