/* The worlds whose steps make the problem set: each takes a size and one number more, whose meaning stands beside it. */
#ifndef TESTS_SUPPORT_PROBLEM_WORLDS_H
#define TESTS_SUPPORT_PROBLEM_WORLDS_H

#include "support/builder.h"

typedef void problem_world_fn(builder *b, int size, double extra);

/* In space. */
problem_world_fn problem_world_stack;   /* boxes dropped on each other; the speed the top is pushed with */
problem_world_fn problem_world_heavy;   /* a stack, every other box that many times as dense, the top one too */
problem_world_fn problem_world_table;   /* two tables of size x size feet on each other; the speed of the lower */
problem_world_fn problem_world_planks;  /* layers of crossed planks; planks a layer */
problem_world_fn problem_world_wall;    /* courses of bricks in running bond; bricks a course */
problem_world_fn problem_world_pyramid; /* layers of boxes on the corners of four; the speed of the top */
problem_world_fn problem_world_bin;     /* spheres fall into a bin; ratio of the largest to the smallest radius */
problem_world_fn problem_world_grains;  /* the same in two densities; their ratio */
problem_world_fn problem_world_cannon;  /* layers of spheres in the hollows of those below; jitter of the places */
problem_world_fn problem_world_rubble;  /* boxes of all shapes, turned at random, fall; ratio of the edges */
problem_world_fn problem_world_chain;   /* hinged boxes fall across a beam; density ratio of the last */
problem_world_fn problem_world_slope;   /* boxes and balls on a slope, all apart; its angle */
problem_world_fn problem_world_net;     /* boxes in a grid, tied by springs, fall flat; stiffness */
problem_world_fn problem_world_spin;    /* boxes that spin fall on the ground; the spin */

/* In the plane. */
problem_world_fn problem_world_disks;  /* disks fall into a box; ratio of the largest to the smallest radius */
problem_world_fn problem_world_shards; /* polygons fall into a box; their number of sides */
problem_world_fn problem_world_rows;   /* a wall of rectangles; density ratio of the top course */
problem_world_fn problem_world_track;  /* hinged bars fall on the ground; the speed they slide with */

#endif
