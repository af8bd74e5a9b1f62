/* Everything against a half-plane or half-space { x : n (x - p) <= 0 }.
 *
 * The distance of a point to it is linear, so each vertex of a shape within the margin is a contact of its own, known
 * by the vertex: gap = n (x - p) - radius, the normal is n wherever the shape stands.
 */
#include "collide/narrow.h"

#include "collide/box.h"
#include "math/vec.h"

#include <assert.h>

static void touch_vertex(const crn_placed *a, const crn_placed *b, const double vertex[3], unsigned feature,
                         crn_manifold *out)
{
    double arm[3], point_a[3];
    crn_sub3(vertex, b->centre, arm);
    double gap = crn_dot3(b->normal, arm) - a->radius;
    crn_madd3(vertex, -a->radius, b->normal, point_a);
    crn_manifold_add(out, gap, b->normal, point_a, feature);
}

void crn_touch_half_plane(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(b->kind == CAIRN_HALF_PLANE);
    for (int i = 0; i < a->vertex_count; ++i)
    {
        double vertex[3] = {a->vertices[2 * i], a->vertices[2 * i + 1], 0.0};
        touch_vertex(a, b, vertex, (unsigned)i, out);
    }
}

void crn_touch_half_space_sphere(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(b->kind == CAIRN_HALF_SPACE);
    touch_vertex(a, b, a->centre, 0, out);
}

void crn_touch_half_space_box(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(a->kind == CAIRN_BOX && b->kind == CAIRN_HALF_SPACE);
    for (int corner = 0; corner < 8; ++corner)
    {
        double vertex[3];
        crn_box_corner(a, corner, vertex);
        touch_vertex(a, b, vertex, (unsigned)corner, out);
    }
}
