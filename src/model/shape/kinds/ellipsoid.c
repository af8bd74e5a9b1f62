/* Ellipse and ellipsoid: semi-axes in `half`, the third is 0 in the plane. */
#include "math/vec.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <string.h>

static const double FLATTEST = 1e3; /* ratio of the semi-axes up to which distances are accurate */

static cairn_status check(const cairn_model *model, int body, const cairn_shape_options *o)
{
    return crn_shape_check_measures(model, body, o->kind, o->radii, crn_class_of(o->kind)->dimension, FLATTEST,
                                    "radii: its semi-axes must be greater than 0",
                                    "radii: the longest is more than 1000 times the shortest");
}

static void measure(const cairn_shape_options *o, int dimension, crn_shape *shape)
{
    assert(dimension == 2 || dimension == 3);
    memcpy(shape->form->half, o->radii, (size_t)dimension * sizeof(double));
}

static double bound(const crn_shape *shape)
{
    return fmax(fmax(shape->form->half[0], shape->form->half[1]), shape->form->half[2]);
}

static void area(const crn_shape *shape, double density, crn_planar_mass *out)
{
    const double *e = shape->form->half;
    out->mass = density * acos(-1.0) * e[0] * e[1];
    out->polar = out->mass * (e[0] * e[0] + e[1] * e[1]) / 4;
}

static double volume(const crn_shape *shape, double principal[3])
{
    assert(shape->form->half[0] > 0 && shape->form->half[1] > 0 && shape->form->half[2] > 0);
    const double *e = shape->form->half;
    double volume = 4.0 / 3.0 * acos(-1.0) * e[0] * e[1] * e[2];
    for (int k = 0; k < 3; ++k)
    {
        double b = e[(k + 1) % 3], c = e[(k + 2) % 3];
        principal[k] = volume * (b * b + c * c) / 5;
    }
    return volume;
}

static int support(const crn_placed *p, const double m[3], double x[3])
{
    double stretched[3] = {m[0] * p->half[0], m[1] * p->half[1], m[2] * p->half[2]}, rho = crn_norm3(stretched);
    for (int k = 0; k < 3; ++k)
        x[k] = m[k] * (p->half[k] * p->half[k] / rho);
    return CRN_CURVED;
}

/* With y and m the line in the shape's frame, each coordinate divided by its semi-axis: |y + s m|^2 = 1. */
static bool span(const crn_placed *p, const double x[3], const double n[3], double *low, double *high)
{
    double y[3], m[3], across[3];
    crn_into_shape(p, x, n, y, m);
    for (int k = 0; k < 3; ++k)
    {
        y[k] = p->half[k] > 0.0 ? y[k] / p->half[k] : 0.0;
        m[k] = p->half[k] > 0.0 ? m[k] / p->half[k] : 0.0;
    }
    double rate = crn_norm3(m), middle = -crn_dot3(y, m) / (rate * rate);
    crn_madd3(y, middle, m, across);
    double square = 1.0 - crn_dot3(across, across);
    double half = square > 0 ? sqrt(square) / rate : 0.0;
    *low = middle - half;
    *high = middle + half;
    return square >= 0;
}

static void normal(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    (void)d;
    double local[3];
    crn_into_shape(p, x, NULL, local, NULL);
    for (int k = 0; k < 3; ++k)
        local[k] = p->half[k] > 0.0 ? local[k] / (p->half[k] * p->half[k]) : 0.0;
    crn_scale3(1.0 / crn_norm3(local), local, local);
    crn_rotate3(p->R, local, out);
}

const crn_shape_class crn_class_ellipse = {
    .name = "ellipse",
    .dimension = 2,
    .takes = CRN_TAKES_RADII | CRN_TAKES_DENSITY,
    .needs = CRN_TAKES_RADII,
    .flags = CRN_SHAPE_ROLLS,
    .rank = CRN_RANK_ELLIPTIC,
    .core = CRN_CORE_SMOOTH,
    .look = CAIRN_LOOK_ELLIPSE,
    .check = check,
    .measure = measure,
    .bound = bound,
    .area = area,
    .span = span,
    .normal = normal,
};

const crn_shape_class crn_class_ellipsoid = {
    .name = "ellipsoid",
    .dimension = 3,
    .takes = CRN_TAKES_RADII | CRN_TAKES_DENSITY,
    .needs = CRN_TAKES_RADII,
    .flags = CRN_SHAPE_ROLLS,
    .rank = CRN_RANK_ELLIPTIC,
    .core = CRN_CORE_SMOOTH,
    .look = CAIRN_LOOK_ELLIPSE,
    .check = check,
    .measure = measure,
    .bound = bound,
    .volume = volume,
    .support = support,
    .span = span,
    .normal = normal,
};
