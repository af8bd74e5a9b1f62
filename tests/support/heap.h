/* Heaps of many bodies that fall into a bin: what large islands are made of. */
#ifndef TEST_SUPPORT_HEAP_H
#define TEST_SUPPORT_HEAP_H

#include "support/worlds.h"

typedef enum heap_mix
{
    HEAP_ROUND, /* spheres, in the plane discs */
    HEAP_MIXED, /* and boxes and capsules */
    HEAP_BOXES,
} heap_mix;

typedef struct heap_options
{
    int dimension;
    heap_mix mix;
    int count;
    double friction, restitution;
    double ratio;      /* of the largest density to the smallest; 0: all are alike */
    double half;       /* m: half of the bin's width; 0: as narrow as the grains allow */
    const char *floor; /* motion of the floor along x in m, an expression in t; NULL: it is fixed */
    uint64_t seed;
} heap_options;

enum
{
    HEAP_WALLS = 6 /* bodies in front of the grains: floor and walls */
};

/* m: about the radius of a grain. */
extern const double HEAP_RADIUS;

/* A bin of four walls (in the plane two) over a floor, and grains on a loose lattice above it, in no particular rotation, at
 * slow random velocities. Grain i is body HEAP_WALLS + i, or HEAP_WALLS - 2 + i in the plane. */
world heap_world(const heap_options *options);

/* Blocks "block0", ... of 0.2 x 0.2 x 0.1 m and 4 kg in a row on the floor, each touching the next: one island, four contacts a
 * face. */
world heap_row(int count, double friction, const char *floor);

/* Take steps. Fails the test when one fails. */
void heap_run(world *w, int steps);

/* m: the mean of max(0, -gap) over the contacts of the last step that bear a load. */
double heap_penetration(const world *w);

/* m/s: the speed of the fastest body. */
double heap_speed(const world *w);

/* Whether the last step was taken in the compact view: by sweeps, or without them because everything rests. */
bool heap_swept(const world *w);

#endif
