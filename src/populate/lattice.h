/* The places of a cubic lattice along the axes of a region: whole spacings between two ends that are a radius away from its bounds. Places follow each other along the first axis, then along the second
 * and the third, from the lower end on. */
#ifndef CRN_POPULATE_LATTICE_H
#define CRN_POPULATE_LATTICE_H

#include "populate/region.h"

typedef struct crn_lattice
{
    int dimension;
    int n[3]; /* places along each axis; 1 along a third one that is not there */
    double begin[3], spacing;
    crn_pose pose; /* of the region */
} crn_lattice;

/* most: m, the largest radius. */
crn_lattice crn_lattice_in(const crn_region *region, double most, double spacing);
void crn_lattice_place(const crn_lattice *lattice, const int at[3], double x[3]);
/* The place of a number, from 0. */
void crn_lattice_find(const crn_lattice *lattice, int64_t number, int at[3]);
/* Go to the next place; false: that was the last one. */
bool crn_lattice_next(const crn_lattice *lattice, int at[3]);

#endif
