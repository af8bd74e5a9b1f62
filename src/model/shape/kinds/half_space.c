/* Half-plane and half-space: everything below a line or a plane. */
#include "math/vec.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <string.h>

static cairn_status check(const cairn_model *model, int body, const cairn_shape_options *o)
{
    double length = crn_norm3(o->normal);
    return isfinite(length) && length > 0
               ? CAIRN_OK
               : crn_shape_complain(model, body, o->kind, "normal: must not have zero length");
}

static bool span(const crn_placed *p, const double x[3], const double n[3], double *low, double *high)
{
    return crn_span_cut(x, n, p->centre, p->normal, 0.0, low, high);
}

static void normal(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    (void)x;
    (void)d;
    memcpy(out, p->normal, sizeof p->normal);
}

const crn_shape_class crn_class_half_plane = {
    .name = "half-plane",
    .dimension = 2,
    .takes = CRN_TAKES_NORMAL,
    .flags = CRN_SHAPE_UNBOUNDED | CRN_SHAPE_IMMOVABLE,
    .rank = CRN_RANK_HALF,
    .look = CAIRN_LOOK_PLANE,
    .check = check,
    .span = span,
    .normal = normal,
};

const crn_shape_class crn_class_half_space = {
    .name = "half-space",
    .dimension = 3,
    .takes = CRN_TAKES_NORMAL,
    .flags = CRN_SHAPE_UNBOUNDED | CRN_SHAPE_IMMOVABLE,
    .rank = CRN_RANK_HALF,
    .look = CAIRN_LOOK_PLANE,
    .check = check,
    .span = span,
    .normal = normal,
};
