/* Piles for the benchmark of collision detection: a tile of bodies that have fallen into a pit and come to rest, set side by
 * side and on top of each other as often as it takes. */
#ifndef BENCH_PILE_H
#define BENCH_PILE_H

#include "collide/collide.h"

typedef enum pile_kind
{
    PILE_BALLS = 0,
    PILE_BOXES,
    PILE_MIXED,  /* both, one after the other */
    PILE_CONVEX, /* balls, boxes, capsules, cylinders, cones, ellipsoids and hulls in turn */
    PILE_KINDS
} pile_kind;

enum
{
    PILE_SIDE = 5,
    PILE_TILE = PILE_SIDE * PILE_SIDE * PILE_SIDE,
    PILE_POINTS = 20 /* of a hull */
};

typedef struct pile_body
{
    cairn_shape_options shape; /* a hull's points are the tile's */
    double size;               /* m */
    crn_pose rest;
} pile_body;

/* Keeps its address: its hulls' points are its own. */
typedef struct pile_tile
{
    pile_body bodies[PILE_TILE];
    double points[PILE_TILE][3 * PILE_POINTS];
} pile_tile;

typedef struct pile
{
    pile_body *bodies;
    crn_pose *poses; /* one a body: where it is now */
    int count;
} pile;

/* Let a tile fall, without friction; false when that fails. */
bool pile_make_tile(pile_tile *tile, pile_kind kind);

void pile_create(pile *p, const pile_tile *tile, int count);
void pile_destroy(pile *p);

/* Let every body sway about its place by 1 % of its size and 0.01 rad: what it moves from one step to the next is a tenth. */
void pile_move(pile *p, int step);

#endif
