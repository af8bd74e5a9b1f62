/* What the statistics share: grains, and the contacts that carry forces. */
#ifndef CRN_STATISTICS_GRAINS_H
#define CRN_STATISTICS_GRAINS_H

#include "math/vec.h"
#include "statistics/statistics.h"

#include <assert.h>

static inline bool crn_is_grain(const cairn_simulation *s, int body)
{
    assert(body >= 0 && (size_t)body < s->model->body_count);
    return s->layout->body_block[body] >= 0 && !crn_is_absent(s->layout, body);
}

static inline const double *crn_grain_position(const cairn_simulation *s, int body)
{
    return crn_place_of(s, body);
}

enum
{
    CRN_IMAGES = 27 /* at most: an image and those beside it */
};

/* The images of a point in a periodic box that may lie in a region, or be joined to it by something no longer than the box: the one nearest
 * to its middle first. In an open scene, and where the region is everything, that is the point itself. Returns their number. */
int crn_images_near(const cairn_simulation *s, const crn_zone *zone, const double x[3], double out[CRN_IMAGES][3]);
/* Whether one of them lies in the region. */
bool crn_image_is_in(const cairn_simulation *s, const crn_zone *zone, const double x[3]);

static inline bool crn_grain_is_in(const cairn_simulation *s, const crn_statistic *of, int body)
{
    return crn_is_grain(s, body) && crn_image_is_in(s, &of->region, crn_grain_position(s, body));
}

/* A contact that carries a force. */
typedef struct crn_load
{
    int body[2];
    int64_t wall[2];  /* per side: a name of the shape there, which differs from body numbers */
    double point[3];  /* m, world */
    double image[3];  /* m, world: from the second body to its image there, in a periodic box */
    double normal[3]; /* from the second body to the first */
    double force[3];  /* N on the first body, world: mean over the last step */
    double pressing;  /* N: its normal part; negative: it pulls */
} crn_load;

typedef struct crn_loads
{
    crn_load *load;
    int count;
} crn_loads;

/* All contacts whose force is more than CRN_LEAST_LOAD of the largest one; the caller frees out->load. */
cairn_status crn_loads_find(const cairn_simulation *s, crn_loads *out);
static const double CRN_LEAST_LOAD = 1e-6;

/* m, world: from the centre of body `side` of a contact to the contact. Every branch vector comes from here. */
void crn_branch(const cairn_simulation *s, const crn_load *load, int side, double out[3]);

/* The shares of values among the bins of a histogram, from 0 to `top` times their mean; values beyond it are in none. All NAN when there
 * are no values. */
void crn_histogram(const crn_statistic *of, const double *values, int count, double *out);

cairn_status crn_statistic_no_memory(const cairn_simulation *s, const crn_statistic *of);

#endif
