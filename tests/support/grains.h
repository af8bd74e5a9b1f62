/* Grains and their statistics in tests. Every call fails the test when it fails. */
#ifndef TEST_SUPPORT_GRAINS_H
#define TEST_SUPPORT_GRAINS_H

#include "support/worlds.h"

/* A rotation about an axis of no particular direction; the identity for an angle of 0. Planar: about z. */
typedef struct turned
{
    int dimension;
    double angle, q[4], R[9];
} turned;
turned turn_by(int dimension, double angle);
/* Turn a vector. */
void turn_vector(const turned *t, const double x[3], double out[3]);

/* Read a quantity; returns how many numbers it has. */
int read_numbers(const world *w, const char *name, double *out);
double read_number(const world *w, const char *name);

/* Add a statistic of a region, or, where that is NULL, of everything. */
void add_region(world *w, const char *name, const cairn_region *region);
/* A box about a centre, turned. */
cairn_region box_region(const turned *t, const double centre[3], double x, double y, double z);

/* Add a ball of unit density under the next name. */
cairn_body add_grain(world *w, const double x[3], double radius);

/* Where a body starts, and how fast. */
void set_motion(world *w, cairn_body body, const double x[3], const double v[3], const double spin[3]);

#endif
