/* Bodies of one rank by cells, to find those near a place; in a periodic box, those whose nearest images are. */
#ifndef CRN_DOMAIN_NEAR_H
#define CRN_DOMAIN_NEAR_H

#include "domain/bodies.h"

typedef struct crn_near
{
    const crn_bodies *bodies;
    struct crn_near_cell *cell; /* by place */
    size_t capacity;
    double side;   /* m: of a cell */
    double box[3]; /* m: of a periodic box (fold.h) */
} crn_near;

cairn_status crn_near_build(crn_near *near, const crn_bodies *bodies, const double box[3], double skin);
void crn_near_free(crn_near *near);

/* Call `found` for all bodies with an anchor in the box around x. */
typedef void crn_near_found(void *data, size_t body);
void crn_near_visit(const crn_near *near, const double x[3], double range, crn_near_found *found, void *data);

#endif
