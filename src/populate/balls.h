/* Balls (discs) in a grid of cells, which finds those near a point. The grid has a cell per largest diameter, or fewer where that
 * would be more than a few cells per ball. */
#ifndef CRN_POPULATE_BALLS_H
#define CRN_POPULATE_BALLS_H

#include "base/memory.h"
#include "math/bounds.h"

typedef struct crn_balls
{
    int dimension, count;
    const double *radius;
    double (*x)[3];
    double cell, most; /* m: edge of a cell; the largest radius */
    double lower[3];
    int cells[3];
    int *first; /* by cell: its first ball, -1: none */
    int *next;  /* by ball: the next one of its cell, -1: none; -2: it is in no cell */
    crn_arena memory;
} crn_balls;

/* Make an empty grid over bounds for `count` balls at x[], which the caller fills in. CAIRN_NO_MEMORY; close it in any case. */
cairn_status crn_balls_open(crn_balls *balls, const crn_bounds *bounds, int dimension, int count, const double *radius,
                            double (*x)[3]);
void crn_balls_close(crn_balls *balls);
void crn_balls_insert(crn_balls *balls, int ball);
/* Take all balls out. */
void crn_balls_clear(crn_balls *balls);

/* Visit the balls in cells within `reach` of x, until a visit returns false. */
typedef bool (*crn_visit_ball)(void *data, int ball);
bool crn_balls_visit(const crn_balls *balls, const double x[3], double reach, crn_visit_ball visit, void *data);

/* Whether a ball about x has no other nearer than `clear` to its surface. */
bool crn_balls_clear_of(const crn_balls *balls, const double x[3], double radius, double clear);

#endif
