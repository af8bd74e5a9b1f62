/* The places of a cubic lattice along the axes of a region: whole spacings between two ends that are a radius away from its bounds. Places follow each other along the first axis, then along the second
 * and the third, from the lower end on.
 *
 * A grain of radius r may be displaced from its place by J (s/2 - r) u along each axis: s is the spacing, J the jitter, and u even in (-1, 1). It stays in a cube of edge s about the place, and no two cubes overlap. The
 * cubes lie within the region's bounds then: its ends are half a spacing away from them. u follows from the seed and the number of the place, so that a place has it whatever stands elsewhere. */
#ifndef CRN_POPULATE_LATTICE_H
#define CRN_POPULATE_LATTICE_H

#include "populate/region.h"

typedef struct crn_lattice
{
    int dimension;
    int n[3]; /* places along each axis; 1 along a third one that is not there */
    double begin[3], spacing;
    crn_pose pose; /* of the region */
    double jitter;
    uint64_t key;  /* of the random numbers */
    double margin; /* m: a grain keeps it away from the border of its cube, so that rounding makes no overlap */
} crn_lattice;

/* Of the options, the jitter and the seed count. most: m, the largest radius. */
crn_lattice crn_lattice_in(const crn_region *region, const cairn_population_options *options, double most,
                           double spacing);
/* Where a grain of a radius stands at a place. */
void crn_lattice_place(const crn_lattice *lattice, const int at[3], double radius, double x[3]);
/* The place of a number, from 0. */
void crn_lattice_find(const crn_lattice *lattice, int64_t number, int at[3]);
/* Go to the next place; false: that was the last one. */
bool crn_lattice_next(const crn_lattice *lattice, int at[3]);

#endif
