/* Which function finds the touches of two kinds of shapes; a has the lower kind. */
#pragma once

#include "convex_walls.hpp"
#include "round_box.hpp"
#include "triangle_box.hpp"
#include "walls.hpp"

namespace crn
{

/* One of them is an ellipsoid, a cylinder, a cone or a hull. */
CRN_HD void touch_general(const World &world, const Placed &a, const Placed &b, Touches &out)
{
    if (b.kind == CRN_GPU_TRIANGLE)
        touch_triangle_convex(world.shapes, a, b, out);
    else if (b.kind == CRN_GPU_HALF_SPACE)
        touch_half_space_convex(world.shapes, a, b, out);
    else if (b.kind == CRN_GPU_HOLLOW)
        touch_hollow_convex(world.shapes, a, b, out);
    else
        touch_convex(world.shapes, a, b, out);
}

/* All others. */
CRN_HD void touch_pair(const World &world, const Placed &a, const Placed &b, Touches &out)
{
    if (b.kind == CRN_GPU_TRIANGLE)
        touch_triangle(world.shapes, a, b, out);
    else if (b.kind == CRN_GPU_HALF_SPACE)
        touch_half_space(a, b, out);
    else if (b.kind == CRN_GPU_HOLLOW)
        touch_hollow(a, b, out);
    else if (a.kind == CRN_GPU_SPHERE && b.kind == CRN_GPU_SPHERE)
        touch_spheres(a, b, out);
    else if (a.kind == CRN_GPU_SPHERE && b.kind == CRN_GPU_CAPSULE)
        touch_sphere_capsule(a, b, out);
    else if (a.kind == CRN_GPU_CAPSULE && b.kind == CRN_GPU_CAPSULE)
        touch_capsules(a, b, out);
    else if (a.kind == CRN_GPU_SPHERE && b.kind == CRN_GPU_BOX)
        touch_sphere_box(a, b, out);
    else if (a.kind == CRN_GPU_CAPSULE && b.kind == CRN_GPU_BOX)
        touch_capsule_box(a, b, out);
    else if (a.kind == CRN_GPU_BOX && b.kind == CRN_GPU_BOX)
        touch_boxes(a, b, out);
}

} // namespace crn
