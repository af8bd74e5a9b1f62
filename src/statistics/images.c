/* Points in a periodic box as a region sees them. Positions in states are never wrapped (model/periodic.h): a region looks at the image that is
 * nearest to its own middle, and at those beside it, since what reaches out of a region at one side may enter it at the other. */
#include "model/periodic.h"
#include "statistics/grains.h"

#include <string.h>

static void nearest(const cairn_simulation *s, const crn_zone *zone, const double x[3], double out[3])
{
    double d[3];
    crn_sub3(x, zone->centre, d);
    crn_box_shorten(s->model, s->state.t, d);
    crn_add3(zone->centre, d, out);
}

int crn_images_near(const cairn_simulation *s, const crn_zone *zone, const double x[3], double out[CRN_IMAGES][3])
{
    const double *box = s->model->box;
    memcpy(out[0], x, 3 * sizeof(double));
    if (!crn_is_periodic(s->model) || zone->kind == CRN_ZONE_ALL)
        return 1;
    nearest(s, zone, x, out[0]);
    int count = 1;
    for (int i = -(box[0] > 0); i <= (box[0] > 0); ++i)
        for (int j = -(box[1] > 0); j <= (box[1] > 0); ++j)
            for (int k = -(box[2] > 0); k <= (box[2] > 0); ++k)
                if (i != 0 || j != 0 || k != 0)
                {
                    double shift[3];
                    crn_box_displacement(s->model, s->state.t, (int[3]){i, j, k}, shift);
                    crn_add3(out[0], shift, out[count++]);
                }
    assert(count <= CRN_IMAGES);
    return count;
}

bool crn_image_is_in(const cairn_simulation *s, const crn_zone *zone, const double x[3])
{
    double image[3];
    if (!crn_is_periodic(s->model) || zone->kind == CRN_ZONE_ALL)
        return crn_zone_holds(zone, x);
    nearest(s, zone, x, image);
    return crn_zone_holds(zone, image);
}
