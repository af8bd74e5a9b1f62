/* The ball about its middle that holds a shape, for both sides of the interface: ghosts are chosen by it, and cells are laid by it. Plain C, after
 * interface.h. */
#ifndef CRN_GPU_BOUNDS_H
#define CRN_GPU_BOUNDS_H

#include <math.h>

/* m: its radius, of a shape that is neither a wall nor a triangle. */
static inline double crn_gpu_bound(const crn_gpu_hull *hull, const crn_gpu_shape *shape)
{
    const double *half = shape->half, r = half[0], h = half[2];
    switch (shape->kind)
    {
    case CRN_GPU_BOX:
        return sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    case CRN_GPU_ELLIPSOID:
        return fmax(half[0], fmax(half[1], half[2]));
    case CRN_GPU_CYLINDER:
        return sqrt(r * r + h * h);
    case CRN_GPU_CONE_SHAPE:
        return fmax(1.5 * h, sqrt(r * r + 0.25 * h * h));
    case CRN_GPU_HULL:
        return hull[shape->triangle].extent;
    case CRN_GPU_CAPSULE:
        return shape->radius + h;
    default:
        return shape->radius;
    }
}

#endif
