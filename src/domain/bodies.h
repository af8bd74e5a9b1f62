/* Bodies of a domain, with all that travels with them from rank to rank: their shapes, and what the pipeline keeps about their contacts. */
#ifndef CRN_DOMAIN_BODIES_H
#define CRN_DOMAIN_BODIES_H

#include "domain/bytes.h"
#include "gpu/interface.h"

typedef struct crn_domain_body
{
    int64_t global; /* its number among all */
    int64_t lead;   /* of its mechanism, which stays together: the first body of it; its own number without one */
    int64_t work;   /* what it costs (rebuild.c) */
    double extent;  /* m: of a ball about its centre that holds its shapes */
    /* When ghosts were chosen: where it was, and how far it could touch others. */
    double anchor[3], reach;
    double sent;      /* m/s: what collisions in the last step could change of its velocity (gpu/find.hpp) */
    double before[3]; /* m/s: its velocity before the batch */
    int32_t owner;    /* rank */
    int32_t shapes;   /* how many */
    size_t first_shape, first_kept, kept_bytes;
    crn_gpu_body state;
} crn_domain_body;

typedef struct crn_domain_shape
{
    int64_t global;
    crn_gpu_shape shape; /* its `body` is not read */
} crn_domain_shape;

/* In ascending order of their numbers, once they are sorted. */
typedef struct crn_bodies
{
    crn_arena memory, records; /* records: owns `kept` */
    crn_domain_body *body;
    crn_domain_shape *shape;
    unsigned char *kept;
    size_t count, shapes, kept_bytes;
} crn_bodies;

void crn_bodies_free(crn_bodies *bodies);
/* Give back what the pipeline keeps about them. */
void crn_bodies_drop_kept(crn_bodies *bodies);
/* None is left; memory stays. */
void crn_bodies_clear(crn_bodies *bodies);
/* Add one with its shapes and without anything kept; `body->first_shape` is set. */
cairn_status crn_bodies_add(crn_bodies *bodies, const crn_domain_body *body, const crn_domain_shape *shape);
/* Add a body of another list, with all that belongs to it. */
cairn_status crn_bodies_copy(const crn_bodies *from, size_t i, crn_bodies *to);
void crn_bodies_pack(const crn_bodies *bodies, size_t i, bool with_kept, crn_bytes *out);
/* Take all that is left of what came. */
cairn_status crn_bodies_unpack(crn_bodies *bodies, crn_reading *from);
/* By number; of several with the same one, one stays. */
void crn_bodies_sort(crn_bodies *bodies);
/* The place of the first body in the order whose number is no less. */
size_t crn_bodies_from(const crn_bodies *bodies, int64_t global);
/* The place of a body in the order; SIZE_MAX: it is not there. */
size_t crn_bodies_find(const crn_bodies *bodies, int64_t global);

/* m: how far a body reaches for others in a step of length h, gravity g, where collisions send it at `sent` m/s besides: the sum of two bodies' reaches is
 * no less than the distance at which the pipeline (src/gpu/find.hpp, shapes/pairs.hpp) sees them as a pair. */
double crn_body_reach(const crn_domain_body *body, double h, double g, double sent);

#endif
