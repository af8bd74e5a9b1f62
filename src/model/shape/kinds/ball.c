/* Point, circle and sphere: a point grown by a radius, which is 0 for the point. */
#include "math/vec.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <string.h>

static cairn_status check(const cairn_model *model, int body, const cairn_shape_options *o)
{
    return isfinite(o->radius) && o->radius > 0
               ? CAIRN_OK
               : crn_shape_complain(model, body, o->kind, "radius: must be greater than 0");
}

static void measure(const cairn_shape_options *o, int dimension, crn_shape *shape)
{
    (void)dimension;
    shape->radius = o->radius;
}

static void area(const crn_shape *shape, double density, crn_planar_mass *out)
{
    out->mass = density * acos(-1.0) * shape->radius * shape->radius;
    out->polar = out->mass * shape->radius * shape->radius / 2;
}

static double volume(const crn_shape *shape, double principal[3])
{
    assert(shape->radius > 0);
    double r = shape->radius, volume = 4.0 / 3.0 * acos(-1.0) * r * r * r;
    principal[0] = principal[1] = principal[2] = 0.4 * volume * r * r;
    return volume;
}

static int support(const crn_placed *p, const double m[3], double x[3])
{
    (void)p;
    (void)m;
    x[0] = x[1] = x[2] = 0.0;
    return 0;
}

static bool span(const crn_placed *p, const double x[3], const double n[3], double *low, double *high)
{
    double centre[3];
    crn_centre_of(p, centre);
    return crn_span_ball(centre, p->radius, x, n, low, high);
}

static void normal(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    double centre[3];
    crn_centre_of(p, centre);
    crn_sub3(x, centre, out);
    double length = crn_norm3(out);
    crn_scale3(length > 0.0 ? 1.0 / length : 0.0, out, out);
    if (!(length > 0.0))
        crn_scale3(-1.0, d, out); /* a point, met head-on */
}

const crn_shape_class crn_class_point = {
    .name = "point",
    .flags = CRN_SHAPE_ROLLS,
    .rank = CRN_RANK_BALL,
    .core = CRN_CORE_POINT,
    .look = CAIRN_LOOK_DOT,
    .support = support,
    .span = span,
    .normal = normal,
};

const crn_shape_class crn_class_circle = {
    .name = "circle",
    .dimension = 2,
    .takes = CRN_TAKES_RADIUS | CRN_TAKES_DENSITY,
    .needs = CRN_TAKES_RADIUS,
    .flags = CRN_SHAPE_ROLLS,
    .rank = CRN_RANK_BALL,
    .core = CRN_CORE_POINT,
    .look = CAIRN_LOOK_DISC,
    .check = check,
    .measure = measure,
    .area = area,
    .span = span,
    .normal = normal,
};

const crn_shape_class crn_class_sphere = {
    .name = "sphere",
    .dimension = 3,
    .takes = CRN_TAKES_RADIUS | CRN_TAKES_DENSITY,
    .needs = CRN_TAKES_RADIUS,
    .flags = CRN_SHAPE_ROLLS,
    .rank = CRN_RANK_BALL,
    .core = CRN_CORE_POINT,
    .look = CAIRN_LOOK_DISC,
    .check = check,
    .measure = measure,
    .volume = volume,
    .support = support,
    .span = span,
    .normal = normal,
};
