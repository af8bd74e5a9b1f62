/* Convex shapes by their support functions: ellipsoids, cylinders, cones and hulls, and spheres, capsules and boxes beside them.
 *
 * A convex shape is a core (point, line, box, ellipsoid, cylinder, cone, hull) grown by a radius. A core is known by its point furthest along a
 * direction, and by what it shows there: a face, a straight line or a point. A round cap shows eight corners on its rim.
 *
 * Corners have names: of a box its number, of a hull that of the corner, of a cylinder those of the upper rim, then of the lower one, then the ends of
 * its line; of a cone those of the rim, its tip, and the lower end of its line. */
#pragma once

#include "shape.hpp"

namespace crn
{

enum
{
    FACE_ROOM = 12, /* corners of a face; larger ones are thinned out */
    RIM = 8         /* corners that stand for a round cap */
};

struct Core
{
    int kind;
    D3 c;
    Axes R;
    D3 half;
    double radius;
    double size; /* m: half its least thickness; infinite for a bare point or line */
    const crn_gpu_hull *hull;
    const Shapes *shapes;
};

/* What a core shows along a direction; corners are relative to its centre, in the world. */
struct Face
{
    int count; /* 1: a point, 2: a line, more: a face, counter-clockwise from outside */
    D3 n;      /* of a face: unit, outward */
    D3 corner[FACE_ROOM];
    int name[FACE_ROOM];
};

CRN_HD Core core_of(const Shapes &shapes, const Placed &p)
{
    return {p.kind, p.c, p.R, p.half, p.radius, p.size, p.kind == CRN_GPU_HULL ? shapes.hull + p.triangle : nullptr, &shapes};
}

/* A bare line from the middle c along u, or a point where `half` is 0. */
CRN_HD Core line_core(D3 c, D3 u, double half)
{
    return {half > 0 ? CRN_GPU_CAPSULE : CRN_GPU_SPHERE, c, {u, u, u}, {0, 0, half}, 0, INFINITY, nullptr, nullptr};
}

CRN_HD D3 hull_corner(const Core &p, int i)
{
    const double *x = p.shapes->hull_corner + 3 * (long long)(p.hull->corner + i);
    return {x[0], x[1], x[2]};
}

CRN_HD int hull_support(const Core &p, D3 m)
{
    int best = 0;
    double most_along = -INFINITY;
    for (int i = 0; i < p.hull->corners; ++i)
    {
        double along = dot(hull_corner(p, i), m);
        if (along > most_along)
        {
            most_along = along;
            best = i;
        }
    }
    return best;
}

/* The point of the rim of radius half.x furthest along m, at the height z. */
CRN_HD D3 rim_point(const Core &p, D3 m, double z)
{
    double across = sqrt(m.x * m.x + m.y * m.y);
    return across > 0 ? D3{p.half.x * m.x / across, p.half.x * m.y / across, z} : D3{p.half.x, 0, z};
}

/* The heights of the caps of a cylinder, of tip and base of a cone. */
CRN_HD double top_of(const Core &p)
{
    return p.kind == CRN_GPU_CONE_SHAPE ? 1.5 * p.half.z : p.half.z;
}
CRN_HD double bottom_of(const Core &p)
{
    return top_of(p) - 2 * p.half.z;
}

/* The point of the core furthest along m, both in the shape's own frame. */
CRN_CALL D3 own_support(const Core &p, D3 m)
{
    switch (p.kind)
    {
    case CRN_GPU_CAPSULE:
        return {0, 0, m.z < 0 ? -p.half.z : p.half.z};
    case CRN_GPU_BOX:
        return {m.x < 0 ? -p.half.x : p.half.x, m.y < 0 ? -p.half.y : p.half.y, m.z < 0 ? -p.half.z : p.half.z};
    case CRN_GPU_ELLIPSOID:
    {
        D3 stretched = {m.x * p.half.x, m.y * p.half.y, m.z * p.half.z};
        double inverse = 1 / norm(stretched);
        return {inverse * stretched.x * p.half.x, inverse * stretched.y * p.half.y, inverse * stretched.z * p.half.z};
    }
    case CRN_GPU_CYLINDER:
        return rim_point(p, m, m.z < 0 ? -p.half.z : p.half.z);
    case CRN_GPU_CONE_SHAPE:
    {
        D3 rim = rim_point(p, m, bottom_of(p)), tip = {0, 0, top_of(p)};
        return dot(tip, m) > dot(rim, m) ? tip : rim;
    }
    case CRN_GPU_HULL:
        return hull_corner(p, hull_support(p, m));
    default:
        return {0, 0, 0};
    }
}

/* Relative to the centre, along n, both in the world. */
CRN_HD D3 support(const Core &p, D3 n)
{
    return p.kind == CRN_GPU_SPHERE ? D3{0, 0, 0} : out_of(p.R, own_support(p, into(p.R, n)));
}

/* Whether the support point is the only one along every direction. */
CRN_HD bool is_single(const Core &p)
{
    return p.kind == CRN_GPU_SPHERE || p.kind == CRN_GPU_ELLIPSOID;
}
CRN_HD bool is_curved(const Core &p)
{
    return p.kind == CRN_GPU_ELLIPSOID || p.kind == CRN_GPU_CYLINDER || p.kind == CRN_GPU_CONE_SHAPE;
}

/* ------------------------------------------------------------------------------------------------------------ faces */

CRN_HD void show(Face &face, const Core &p, D3 x, int name)
{
    face.corner[face.count] = out_of(p.R, x);
    face.name[face.count++] = name;
}

CRN_HD void show_cap(const Core &p, bool up, Face &face)
{
    const double diagonal = 0.70710678118654752440;
    const double c[RIM] = {1, diagonal, 0, -diagonal, -1, -diagonal, 0, diagonal};
    for (int i = 0; i < RIM; ++i)
    {
        int k = up ? i : RIM - 1 - i;
        show(face, p, {p.half.x * c[k], p.half.x * c[(k + RIM - 2) % RIM], up ? top_of(p) : bottom_of(p)},
             k + (up || p.kind == CRN_GPU_CONE_SHAPE ? 0 : RIM));
    }
    face.n = (up ? 1.0 : -1.0) * p.R.z;
}

CRN_HD void show_turned(const Core &p, D3 m, Face &face)
{
    const double cap = 0.7; /* cosine of the largest angle at which the cap is what faces m */
    bool is_cone = p.kind == CRN_GPU_CONE_SHAPE;
    if (m.z <= -cap || (!is_cone && m.z >= cap))
        return show_cap(p, m.z > 0, face);
    D3 low = rim_point(p, m, bottom_of(p)), high = rim_point(p, m, top_of(p));
    show(face, p, is_cone ? D3{0, 0, top_of(p)} : low, is_cone ? RIM : 2 * RIM);
    show(face, p, is_cone ? low : high, is_cone ? RIM + 1 : 2 * RIM + 1);
}

CRN_HD void show_box(const Core &p, D3 m, Face &face)
{
    int axis = fabs(m.x) >= fabs(m.y) && fabs(m.x) >= fabs(m.z) ? 0 : fabs(m.y) >= fabs(m.z) ? 1 : 2;
    bool is_up = at(m, axis) > 0;
    for (int i = 0; i < 4; ++i)
    {
        int k = is_up ? i : 3 - i, corner = is_up << axis | (k == 1 || k == 2) << (axis + 1) % 3 | (k >= 2) << (axis + 2) % 3;
        show(face, p, {corner & 1 ? p.half.x : -p.half.x, corner & 2 ? p.half.y : -p.half.y, corner & 4 ? p.half.z : -p.half.z}, corner);
    }
    face.n = (is_up ? 1.0 : -1.0) * at(p.R, axis);
}

/* Of the faces at the corner furthest along m, the one that faces m most. */
CRN_HD void show_hull(const Core &p, D3 m, Face &face)
{
    const Shapes &s = *p.shapes;
    int top = p.hull->corner + hull_support(p, m), best = -1;
    double most_along = -INFINITY;
    for (int k = s.hull_at_begin[top]; k < s.hull_at_begin[top + 1]; ++k)
    {
        const double *n = s.hull_normal + 3 * (long long)s.hull_at[k];
        double along = n[0] * m.x + n[1] * m.y + n[2] * m.z;
        if (along > most_along)
        {
            most_along = along;
            best = s.hull_at[k];
        }
    }
    int begin = s.hull_face_begin[best], count = s.hull_face_begin[best + 1] - begin, stride = (count + FACE_ROOM - 1) / FACE_ROOM;
    for (int k = 0; k < count; k += stride)
        show(face, p, hull_corner(p, s.hull_face_corner[begin + k]), s.hull_face_corner[begin + k]);
    const double *n = s.hull_normal + 3 * (long long)best;
    face.n = out_of(p.R, {n[0], n[1], n[2]});
}

/* What the core shows along the unit direction n. */
CRN_CALL void face_along(const Core &p, D3 n, Face &face)
{
    D3 m = into(p.R, n);
    face.count = 0;
    face.n = n;
    if (p.kind == CRN_GPU_BOX)
        show_box(p, m, face);
    else if (p.kind == CRN_GPU_CYLINDER || p.kind == CRN_GPU_CONE_SHAPE)
        show_turned(p, m, face);
    else if (p.kind == CRN_GPU_HULL)
        show_hull(p, m, face);
    else if (p.kind == CRN_GPU_CAPSULE)
    {
        face.corner[0] = -p.half.z * p.R.z;
        face.corner[1] = p.half.z * p.R.z;
        face.name[0] = 0;
        face.name[1] = 1;
        face.count = 2;
    }
    else
    {
        face.corner[0] = support(p, n);
        face.name[0] = 0;
        face.count = 1;
    }
}

} // namespace crn
