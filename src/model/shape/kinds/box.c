/* Box: half its edges in `half`. Corner bits: bit k is set on the positive side of axis k. */
#include "math/vec.h"
#include "model/names.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>

static cairn_status check(const cairn_model *model, int body, const cairn_shape_options *o)
{
    return crn_all_finite(o->size, 3) && o->size[0] > 0 && o->size[1] > 0 && o->size[2] > 0
               ? CAIRN_OK
               : crn_shape_complain(model, body, o->kind, "size: its three lengths must be greater than 0");
}

static void measure(const cairn_shape_options *o, int dimension, crn_shape *shape)
{
    (void)dimension;
    for (int k = 0; k < 3; ++k)
        shape->form->half[k] = 0.5 * o->size[k];
}

static double volume(const crn_shape *shape, double principal[3])
{
    assert(shape->form->half[0] > 0 && shape->form->half[1] > 0 && shape->form->half[2] > 0);
    const double *e = shape->form->half;
    double volume = 8 * e[0] * e[1] * e[2];
    for (int k = 0; k < 3; ++k)
    {
        double b = e[(k + 1) % 3], c = e[(k + 2) % 3];
        principal[k] = volume * (b * b + c * c) / 3;
    }
    return volume;
}

static int support(const crn_placed *p, const double m[3], double x[3])
{
    for (int k = 0; k < 3; ++k)
        x[k] = m[k] >= 0 ? p->half[k] : -p->half[k];
    return (m[0] >= 0) | (m[1] >= 0) << 1 | (m[2] >= 0) << 2;
}

void crn_box_face(int axis, bool positive, int corners[4])
{
    assert(axis >= 0 && axis < 3);
    int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    int base = positive ? 1 << axis : 0;
    corners[0] = base;
    corners[1] = base | u;
    corners[2] = base | u | v;
    corners[3] = base | v;
}

static void face(const crn_placed *p, const double m[3], crn_face *out)
{
    int corners[4], axis = fabs(m[1]) > fabs(m[0]) ? 1 : 0;
    axis = fabs(m[2]) > fabs(m[axis]) ? 2 : axis;
    bool up = m[axis] >= 0.0;
    crn_box_face(axis, up, corners);
    for (int i = 0; i < 4; ++i)
    {
        int corner = corners[up ? i : 3 - i];
        crn_face_add(out, p, corner & 1 ? p->half[0] : -p->half[0], corner & 2 ? p->half[1] : -p->half[1],
                     corner & 4 ? p->half[2] : -p->half[2], corner);
    }
    crn_axis_of(p, axis, out->n);
    crn_scale3(up ? 1.0 : -1.0, out->n, out->n);
}

static bool span(const crn_placed *p, const double x[3], const double n[3], double *low, double *high)
{
    bool met = true;
    for (int i = 0; i < 6 && met; ++i)
    {
        double outward[3], side[3];
        crn_axis_of(p, i / 2, outward);
        crn_scale3(i % 2 ? -1.0 : 1.0, outward, outward);
        crn_madd3(p->centre, p->half[i / 2], outward, side);
        met = crn_span_cut(x, n, side, outward, crn_norm3(p->half), low, high);
    }
    return met;
}

static void normal(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    (void)d;
    double local[3];
    crn_into_shape(p, x, NULL, local, NULL);
    int best = 0;
    for (int k = 1; k < 3; ++k)
        best = fabs(local[k]) - p->half[k] > fabs(local[best]) - p->half[best] ? k : best;
    crn_axis_of(p, best, out);
    crn_scale3(local[best] < 0.0 ? -1.0 : 1.0, out, out);
}

const crn_shape_class crn_class_box = {
    .name = "box",
    .dimension = 3,
    .takes = CRN_TAKES_SIZE | CRN_TAKES_DENSITY,
    .needs = CRN_TAKES_SIZE,
    .rank = CRN_RANK_BOX,
    .core = CRN_CORE_BOX,
    .look = CAIRN_LOOK_BOX,
    .check = check,
    .measure = measure,
    .volume = volume,
    .support = support,
    .face = face,
    .span = span,
    .normal = normal,
};
