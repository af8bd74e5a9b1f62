/* Support points of the cores of convex shapes, and how large they are. */
#include "collide/convex/convex.h"

#include "collide/shapes/box.h"
#include "collide/shapes/ellipsoid.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

bool crn_is_curved(const crn_placed *p)
{
    return p->kind == CAIRN_CYLINDER || p->kind == CAIRN_CONE || p->kind == CAIRN_ELLIPSOID;
}

double crn_thickness(const crn_placed *p)
{
    switch (p->kind)
    {
    case CAIRN_POINT:
        return INFINITY;
    case CAIRN_SPHERE:
        return p->radius;
    case CAIRN_CAPSULE:
        return p->radius > 0.0 ? p->radius : INFINITY; /* a bare line has none */
    case CAIRN_HULL:
        return p->hull->thickness;
    default:
        return fmin(p->half[0], fmin(p->half[1], p->half[2]));
    }
}

double crn_core_extent(const crn_placed *p)
{
    return p->kind == CAIRN_HULL   ? p->hull->extent
           : p->kind == CAIRN_CONE ? 1.5 * crn_norm3(p->half)
                                   : crn_norm3(p->half);
}

/* The point of a circle about the axis furthest along n; its centre when n is the axis itself. */
static void rim_support(double radius, double z, const double n[3], double out[3])
{
    double across = sqrt(n[0] * n[0] + n[1] * n[1]), scale = across > 0.0 ? radius / across : 0.0;
    out[0] = scale * n[0];
    out[1] = scale * n[1];
    out[2] = z;
}

static int cone_support(const double half[3], const double n[3], double out[3])
{
    double tip = 1.5 * half[2], base = -0.5 * half[2];
    if (n[2] * tip >= n[2] * base + half[0] * sqrt(n[0] * n[0] + n[1] * n[1]))
    {
        memcpy(out, (double[3]){0, 0, tip}, 3 * sizeof(double));
        return CRN_RIM;
    }
    rim_support(half[0], base, n, out);
    return CRN_CURVED;
}

void crn_core_support(const crn_placed *p, const double n[3], crn_corner *out)
{
    double m[3], x[3] = {0, 0, 0};
    crn_unrotate3(p->R, n, m);
    out->name = 0;
    switch (p->kind)
    {
    case CAIRN_CAPSULE:
        out->name = m[2] >= 0.0 ? 1 : 0;
        x[2] = out->name ? p->half[2] : -p->half[2];
        break;
    case CAIRN_BOX:
        out->name = (m[0] >= 0) | (m[1] >= 0) << 1 | (m[2] >= 0) << 2;
        for (int k = 0; k < 3; ++k)
            x[k] = m[k] >= 0 ? p->half[k] : -p->half[k];
        break;
    case CAIRN_HULL:
        out->name = crn_hull_support(p->hull, m);
        memcpy(x, p->hull->vertices + 3 * out->name, sizeof x);
        break;
    case CAIRN_CYLINDER:
        out->name = CRN_CURVED;
        rim_support(p->half[0], m[2] >= 0.0 ? p->half[2] : -p->half[2], m, x);
        break;
    case CAIRN_CONE:
        out->name = cone_support(p->half, m, x);
        break;
    case CAIRN_ELLIPSOID:
        out->name = CRN_CURVED;
        crn_ellipsoid_support_point(p, n, out->x);
        return;
    default:
        assert(p->kind == CAIRN_POINT || p->kind == CAIRN_SPHERE);
        memcpy(out->x, x, sizeof x);
        return;
    }
    crn_rotate3(p->R, x, out->x);
}

crn_pair_view crn_view_pair(const crn_placed *a, const crn_placed *b)
{
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
