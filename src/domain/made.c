#include "domain/made.h"

#include "gpu/bounds.h"

#include <math.h>

enum
{
    PART = 1 << 10 /* bodies that are made at a time */
};

/* The first body of a rank: body i is made by rank i ranks / bodies. */
static int64_t first_of(const crn_domain *domain, int64_t rank)
{
    int64_t ranks = domain->ranks->count, first = (rank * domain->scene.total + ranks - 1) / ranks;
    int64_t least = crn_given_bodies(&domain->scene.description);
    return first > least ? first : least;
}

/* Bodies, and the shape of each where there are shapes. */
typedef struct part
{
    crn_gpu_body body[PART];
    crn_gpu_shape shape[PART];
} part;

static double extent_of(const crn_gpu_description *d, const crn_gpu_shape *shape)
{
    const double *x = shape->x;
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) + crn_gpu_bound(d->hull, shape);
}

/* first: number of the body among those that are made. */
static cairn_status add_part(crn_domain *domain, int64_t first, int64_t count, const part *made)
{
    const crn_gpu_description *d = &domain->scene.description;
    for (int64_t i = 0; i < count; ++i)
    {
        int64_t number = crn_given_bodies(d) + first + i;
        const crn_domain_shape shape = {.global = d->shape_count - d->wall_count + first + i, .shape = made->shape[i]};
        const crn_domain_body body = {.global = number,
                                      .lead = number,
                                      .work = 1,
                                      .extent = d->made_shapes > 0 ? extent_of(d, &shape.shape) : made->body[i].radius,
                                      .shapes = d->made_shapes > 0,
                                      .state = made->body[i]};
        CRN_TRY(crn_bodies_add(&domain->own, &body, &shape));
    }
    return CAIRN_OK;
}

bool crn_domain_make_bodies(crn_domain *domain, crn_maker *make)
{
    const crn_gpu_description *d = &domain->scene.description;
    int64_t given = crn_given_bodies(d), first = first_of(domain, domain->ranks->rank) - given;
    int64_t end = first_of(domain, domain->ranks->rank + 1) - given;
    part *made = calloc(1, sizeof *made);
    bool good = made != NULL;
    for (; first < end && good; first += PART)
    {
        int64_t count = end - first < PART ? end - first : PART;
        good = make(domain->scene.recipe, first, count, made->body, d->made_shapes > 0 ? made->shape : NULL) &&
               !add_part(domain, first, count, made);
    }
    free(made);
    return good || crn_domain_fail(domain, "memory ran out");
}
