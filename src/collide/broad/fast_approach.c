/* Fast approaches.
 *
 * A step keeps the contacts found at its start. One point under a corner is not enough for a box or polygon that moves by
 * more than its own size: the step would turn the body about that point, however fast, and let the rest pass through. The
 * four points at the end of a rod are not enough either. The normal of the nearest contact belongs to a plane between the
 * two shapes, and every vertex of the smaller shape is held by that plane.
 */
#include "collide/shapes/box.h"
#include "math/vec.h"

#include <assert.h>

/* m: the longest edge of a shape's bounds without its margin. */
static double size_of(const crn_placed *p)
{
    return crn_is_half(p->kind) ? INFINITY : fmax(0.0, crn_bounds_size(&p->bounds) - 2.0 * p->margin);
}

static void hold_vertex(crn_manifold *out, const crn_touch *first, const double x[3], bool of_b, unsigned feature)
{
    assert(crn_is_unit3(first->normal));
    double arm[3], point_a[3];
    crn_sub3(x, of_b ? first->point_a : first->point_b, arm);
    double gap = (of_b ? -1.0 : 1.0) * crn_dot3(first->normal, arm);
    crn_madd3(x, of_b ? gap : 0.0, first->normal, point_a);
    if (!crn_manifold_has(out, feature))
        crn_manifold_add(out, gap, first->normal, point_a, feature);
}

void crn_hold_fast(const crn_placed *a, const crn_placed *b, double travel, crn_manifold *out)
{
    assert(travel >= 0.0);
    if (!crn_may_hold_fast(a, b, travel, out))
        return;
    bool of_b = size_of(b) < size_of(a);
    const crn_placed *small = of_b ? b : a;
    if (!(travel > size_of(small)))
        return;
    crn_touch first = out->touches[0];
    for (int i = 1; i < out->count; ++i)
        first = out->touches[i].gap < first.gap ? out->touches[i] : first;
    for (int i = 0; i < 8 && crn_is_box(small->kind); ++i)
    {
        double corner[3];
        crn_box_corner(small, i, corner);
        hold_vertex(out, &first, corner, of_b, crn_box_feature_corner(of_b, i));
    }
    for (int i = 0; small->hull && i < small->hull->vertex_count; ++i)
    {
        double corner[3];
        crn_rotate3(small->R, small->hull->vertices + 3 * i, corner);
        crn_add3(corner, small->centre, corner);
        hold_vertex(out, &first, corner, of_b, (of_b ? 0x4000u : 0u) + (unsigned)i);
    }
    bool polygon = crn_shape_has(small->kind, CRN_SHAPE_OUTLINE);
    for (int i = 0; i < small->vertex_count && polygon; ++i)
    {
        double vertex[3] = {small->vertices[2 * i], small->vertices[2 * i + 1], 0.0};
        hold_vertex(out, &first, vertex, of_b, 2u * (unsigned)i + (of_b ? 1u : 0u));
    }
    crn_manifold_sort(out);
}
