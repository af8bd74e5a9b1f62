/* Regions of space: a box, a ball or a cylinder; in the plane a rectangle or a disc. */
#ifndef CRN_MODEL_ZONE_H
#define CRN_MODEL_ZONE_H

#include "cairn/query.h"

typedef enum crn_zone_kind
{
    CRN_ZONE_ALL = 0,
    CRN_ZONE_BOX,
    CRN_ZONE_BALL,
    CRN_ZONE_CYLINDER /* about the z axis of its frame */
} crn_zone_kind;

typedef struct crn_zone
{
    crn_zone_kind kind;
    int dimension;
    double centre[3], R[9]; /* the axes of its frame are the columns of R */
    double half[3];         /* box: half its edges; cylinder: half its height last */
    double radius;
    double volume; /* m^3, in the plane m^2; INFINITY: all */
} crn_zone;

/* CAIRN_OK, or CAIRN_INVALID with a message about `kind 'name'`. No radius and no size: all. */
cairn_status crn_zone_make(const cairn_model *model, const char *kind, const char *name, const cairn_region *given,
                           crn_zone *out);

/* A point of the world in the region's frame. */
void crn_zone_local(const crn_zone *region, const double x[3], double out[3]);
bool crn_zone_holds(const crn_zone *region, const double x[3]);
/* Where the line x + s n lies in the region, within [*low, *high], which are narrowed; false: nowhere. n has any length. */
bool crn_zone_span(const crn_zone *region, const double x[3], const double n[3], double *low, double *high);

#endif
