/* A lens about z of rim radius a and thickness 2 t lies in the balls of radius R = (a^2 + t^2) / 2t about (0, 0, -c) and
 * (0, 0, c), c = R - t. Along a direction within their caps its furthest point is that of a ball, otherwise a point of the rim. */
#include "support/lens.h"

#include "math/vec.h"
#include "model/shape/shape.h"

#include <string.h>

double lens_ball(double a, double t, double *below)
{
    double radius = (a * a + t * t) / (2 * t);
    *below = radius - t;
    return radius;
}

static cairn_status check(const cairn_model *model, int body, const cairn_shape_options *o)
{
    return crn_shape_check_measures(model, body, o->kind, (double[2]){2 * o->radius, o->height}, 2, 1e3,
                                    "radius and height: must be greater than 0", "radius and height: too slender");
}

static void measure(const cairn_shape_options *o, int dimension, crn_shape *shape)
{
    (void)dimension;
    memcpy(shape->form->half, (double[3]){o->radius, o->radius, 0.5 * o->height}, sizeof shape->form->half);
}

/* Slices across z are discs of radius r, r^2 = R^2 - (z + c)^2: all integrands are polynomials of degree 4, for which Gauss's
 * rule of three points is exact. */
static double volume(const crn_shape *shape, double principal[3])
{
    static const double AT[3] = {-0.7745966692414834, 0.0, 0.7745966692414834}, WEIGHT[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    double c, t = shape->form->half[2], R = lens_ball(shape->form->half[0], t, &c), sum = 0, pi = acos(-1.0);
    principal[0] = principal[2] = 0;
    for (int i = 0; i < 3; ++i)
    {
        double z = 0.5 * t * (1 + AT[i]), square = R * R - (z + c) * (z + c), slice = pi * square * WEIGHT[i] * t;
        sum += slice;
        principal[0] += slice * (square / 4 + z * z);
        principal[2] += slice * square / 2;
    }
    principal[1] = principal[0];
    return sum;
}

static int support(const crn_placed *p, const double m[3], double x[3])
{
    double c, R = lens_ball(p->half[0], p->half[2], &c), length = crn_norm3(m), across = hypot(m[0], m[1]);
    if (R * fabs(m[2]) >= c * length)
    {
        crn_scale3(R / length, m, x);
        x[2] += m[2] > 0 ? -c : c;
    }
    else
    {
        crn_scale3(p->half[0] / across, m, x);
        x[2] = 0;
    }
    return CRN_CURVED;
}

const crn_shape_class lens_class = {
    .name = "lens",
    .dimension = 3,
    .takes = CRN_TAKES_RADIUS | CRN_TAKES_HEIGHT | CRN_TAKES_DENSITY,
    .needs = CRN_TAKES_RADIUS | CRN_TAKES_HEIGHT,
    .flags = CRN_SHAPE_ROLLS,
    .rank = CRN_RANK_CONVEX,
    .core = CRN_CORE_SMOOTH,
    .look = CAIRN_LOOK_FACES,
    .check = check,
    .measure = measure,
    .volume = volume,
    .support = support,
};
