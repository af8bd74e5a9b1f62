/* The periodic box of a scene, as domains see it. Places are never wrapped: a body has one place, is owned and sent as one, and the pipeline finds the images that touch
 * (gpu/grid.hpp). Here, where a body lies on the curve and whether two are near are matters of their images in the box about the origin. A size of 0: open along this axis. */
#ifndef CRN_DOMAIN_FOLD_H
#define CRN_DOMAIN_FOLD_H

#include <math.h>
#include <stdbool.h>

enum
{
    CRN_FOLD_IMAGES = 27
};

/* Of a coordinate its image in the box, of a difference the shortest one. */
static inline double crn_fold(double x, double box)
{
    return box > 0 ? x - box * rint(x / box) : x;
}

/* The place of image i of x; false: there is no such image, or none of the box comes within `range` of it along some axis. */
static inline bool crn_fold_image(const double box[3], int i, const double x[3], double range, double out[3])
{
    for (int k = 0; k < 3; ++k, i /= 3)
    {
        int shift = i % 3 - 1;
        out[k] = crn_fold(x[k], box[k]) + shift * box[k];
        if (shift != 0 && !(box[k] > 0 && fabs(out[k]) <= 0.5 * box[k] + range))
            return false;
    }
    return true;
}

#endif
