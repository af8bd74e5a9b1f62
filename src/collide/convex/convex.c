/* Convex shapes of space by their classes: support points and faces of the cores, and their sizes. */
#include "collide/convex/convex.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

bool crn_is_curved(const crn_placed *p)
{
    return crn_class_of(p->kind)->core >= CRN_CORE_TURNED;
}

double crn_thickness(const crn_placed *p)
{
    switch (crn_class_of(p->kind)->core)
    {
    case CRN_CORE_POINT:
    case CRN_CORE_LINE:
        return p->radius > 0.0 ? p->radius : INFINITY; /* a bare point or line has no thickness */
    case CRN_CORE_HULL:
        return p->hull->thickness;
    default:
    {
        double least = p->half[0] < p->half[1] ? p->half[0] : p->half[1];
        return least < p->half[2] ? least : p->half[2];
    }
    }
}

double crn_core_extent(const crn_placed *p)
{
    return p->hull                                     ? p->hull->extent
           : crn_shape_has(p->kind, CRN_SHAPE_POINTED) ? 1.5 * crn_norm3(p->half)
                                                       : crn_norm3(p->half);
}

void crn_core_support(const crn_placed *p, const double n[3], crn_corner *out)
{
    double m[3], x[3];
    assert(crn_class_of(p->kind)->support);
    crn_unrotate3(p->R, n, m);
    out->name = crn_class_of(p->kind)->support(p, m, x);
    crn_rotate3(p->R, x, out->x);
}

void crn_core_face(const crn_placed *p, const double n[3], crn_face *face)
{
    const crn_shape_class *class = crn_class_of(p->kind);
    double m[3];
    crn_unrotate3(p->R, n, m);
    face->count = 0;
    memcpy(face->n, n, sizeof face->n);
    if (class->face)
        class->face(p, m, face);
    else
        crn_core_support(p, n, &face->corner[face->count++]);
    assert(face->count > 0 && face->count <= CRN_FACE_ROOM);
}

crn_pair_view crn_view_pair(const crn_placed *a, const crn_placed *b)
{
    assert(!crn_is_half(a->kind) && !crn_is_half(b->kind));
    crn_pair_view v = {.a = a, .b = b};
    crn_sub3(a->centre, b->centre, v.d);
    v.size = crn_core_extent(a) + crn_core_extent(b);
    return v;
}

double crn_separation(const crn_pair_view *v, const double n[3], crn_difference *out)
{
    double against[3];
    crn_scale3(-1.0, n, against);
    crn_core_support(v->a, against, &out->a);
    crn_core_support(v->b, n, &out->b);
    crn_sub3(out->a.x, out->b.x, out->w);
    crn_add3(out->w, v->d, out->w);
    return crn_dot3(n, out->w);
}
