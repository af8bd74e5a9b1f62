/* What a core shows to a direction: a flat face, a straight line, or a point.
 *
 * A round cap stands for itself by eight points of its rim that turn with the body, so that they keep their names; that the
 * lowest point of the rim may lie between two of them is seen to by who uses them (convex_pair.c, half_space.c).
 *
 *     capsule    0, 1: lower and upper end
 *     cylinder   0..7: rim of the upper cap, 8..15: of the lower one, 16, 17: lower and upper end of a line of the side
 *     cone       0..7: rim of the base, 8: tip, 9: foot of a line of the side
 */
#include "collide/convex/convex.h"

#include "collide/shapes/box.h"
#include "math/polygon.h"
#include "math/vec.h"

#include <string.h>

static const double CAP = 0.7; /* cosine of the angle up to which a cap counts as what is shown */

static void add(crn_face *face, const crn_placed *p, double x, double y, double z, int name)
{
    crn_corner *corner = &face->corner[face->count++];
    crn_rotate3(p->R, (double[3]){x, y, z}, corner->x);
    corner->name = name;
}

/* A cap at height z, looking up or down. */
static void show_cap(const crn_placed *p, double z, bool up, int first, crn_face *face)
{
    for (int i = 0; i < CRN_RIM; ++i)
    {
        int k = up ? i : CRN_RIM - 1 - i;
        double at[2];
        crn_polygon_vertex(CRN_RIM, k, at);
        add(face, p, p->half[0] * at[0], p->half[0] * at[1], z, first + k);
    }
    crn_rotate3(p->R, (double[3]){0, 0, up ? 1.0 : -1.0}, face->n);
}

static void show_turned(const crn_placed *p, const double m[3], crn_face *face)
{
    bool cone = p->kind == CAIRN_CONE;
    double h = p->half[2], across = hypot(m[0], m[1]);
    double x = across > 0.0 ? p->half[0] * m[0] / across : p->half[0];
    double y = across > 0.0 ? p->half[0] * m[1] / across : 0.0;
    if (m[2] <= -CAP || (!cone && m[2] >= CAP))
    {
        show_cap(p, m[2] > 0 ? h : cone ? -0.5 * h : -h, m[2] > 0, m[2] > 0 || cone ? 0 : CRN_RIM, face);
    }
    else if (cone)
    {
        add(face, p, 0, 0, 1.5 * h, CRN_RIM);
        add(face, p, x, y, -0.5 * h, CRN_RIM + 1);
    }
    else
    {
        add(face, p, x, y, -h, 2 * CRN_RIM);
        add(face, p, x, y, h, 2 * CRN_RIM + 1);
    }
}

static void show_box(const crn_placed *p, const double m[3], crn_face *face)
{
    int corners[4], axis = fabs(m[1]) > fabs(m[0]) ? 1 : 0;
    axis = fabs(m[2]) > fabs(m[axis]) ? 2 : axis;
    bool up = m[axis] >= 0.0;
    crn_box_face(axis, up, corners);
    for (int i = 0; i < 4; ++i)
    {
        int corner = corners[up ? i : 3 - i];
        add(face, p, corner & 1 ? p->half[0] : -p->half[0], corner & 2 ? p->half[1] : -p->half[1],
            corner & 4 ? p->half[2] : -p->half[2], corner);
    }
    crn_box_axis_of(p, axis, face->n);
    crn_scale3(up ? 1.0 : -1.0, face->n, face->n);
}

/* Among the faces at the corner furthest along m the one that looks most along m. */
static int facing(const crn_hull *hull, const double m[3], int corner)
{
    int best = -1;
    double most = -INFINITY;
    for (int k = hull->corner_begin[corner]; k < hull->corner_begin[corner + 1]; ++k)
    {
        double along = crn_dot3(hull->normals + 3 * hull->corner_faces[k], m);
        if (along > most)
        {
            most = along;
            best = hull->corner_faces[k];
        }
    }
    return best;
}

static void show_hull(const crn_placed *p, const double n[3], const double m[3], crn_face *face)
{
    const crn_hull *hull = p->hull;
    crn_corner top;
    crn_core_support(p, n, &top);
    int f = facing(hull, m, top.name);
    if (f < 0)
    {
        face->corner[face->count++] = top;
        return;
    }
    int begin = hull->face_begin[f], count = hull->face_begin[f + 1] - begin;
    int stride = (count + CRN_FACE_ROOM - 1) / CRN_FACE_ROOM;
    for (int k = 0; k < count; k += stride)
    {
        int corner = hull->face_vertices[begin + k];
        const double *x = hull->vertices + 3 * corner;
        add(face, p, x[0], x[1], x[2], corner);
    }
    crn_rotate3(p->R, hull->normals + 3 * f, face->n);
}

void crn_core_face(const crn_placed *p, const double n[3], crn_face *face)
{
    double m[3];
    crn_unrotate3(p->R, n, m);
    face->count = 0;
    memcpy(face->n, n, sizeof face->n);
    switch (p->kind)
    {
    case CAIRN_CAPSULE:
        add(face, p, 0, 0, -p->half[2], 0);
        add(face, p, 0, 0, p->half[2], 1);
        break;
    case CAIRN_CYLINDER:
    case CAIRN_CONE:
        show_turned(p, m, face);
        break;
    case CAIRN_BOX:
        show_box(p, m, face);
        break;
    case CAIRN_HULL:
        show_hull(p, n, m, face);
        break;
    default:
        crn_core_support(p, n, &face->corner[face->count++]);
        break;
    }
}
