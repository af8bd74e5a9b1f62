/* Bodies that ranks make themselves, from a recipe that all of them have: nobody hands them out. */
#ifndef CRN_DOMAIN_MADE_H
#define CRN_DOMAIN_MADE_H

#include "domain/domain.h"

/* Write `count` of the bodies of a recipe from the one with number `first` among them on, as they begin, and their shapes; NULL: in a scene of single spheres and half-spaces. recipe: a copy that may be changed. false:
 * memory ran out. */
typedef bool crn_maker(void *recipe, int64_t first, int64_t count, crn_gpu_body *out, crn_gpu_shape *shape);

/* How many bodies come before them. */
static inline int32_t crn_given_bodies(const crn_gpu_description *d)
{
    return d->body_count - d->made;
}

/* The number of a shape that is given, among all: walls come last. */
static inline int64_t crn_given_shape(const crn_gpu_description *d, int i)
{
    return i < d->shape_count - d->wall_count ? i : (int64_t)i + d->made_shapes;
}

/* Make this rank's share, as many on each, into domain->own. */
bool crn_domain_make_bodies(crn_domain *domain, crn_maker *make);

#endif
