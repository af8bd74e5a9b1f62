/* The contacts of one pair of shapes: its touches, each with identity, frame and material. */
#ifndef CRN_COLLIDE_PAIR_CONTACTS_H
#define CRN_COLLIDE_PAIR_CONTACTS_H

#include "collide/broad/broad.h"
#include "collide/collide.h"
#include "collide/mesh/mesh.h"

#include <assert.h>
#include <math.h>

/* All that pairs of spheres need of a shape in space, in one cache line. */
typedef struct crn_ball
{
    double centre[3], radius;
    double reach; /* m: radius plus the margin of its bounds */
    int body, material, serial;
    bool is_ball; /* false: a shape of another kind, or of the plane; the rest is not set */
} crn_ball;

/* The workspace of one thread of the narrow phase: the touches of the current pair, and the contacts of all its pairs. */
typedef struct crn_narrow_worker
{
    crn_touch *touches;
    size_t touch_capacity;
    crn_contact *contacts;
    size_t contact_capacity, contact_count;
    crn_mesh_work mesh;
    crn_sides sides;
    cairn_status status;
} crn_narrow_worker;

/* One run of the narrow phase. */
typedef struct crn_narrow
{
    const cairn_model *model;
    const crn_reach *reach;
    const double *margin_before; /* m, per body: spheres within reach by these are left out; NULL: none are */
    const crn_placed *placed;    /* per shape */
    const crn_ball *ball;        /* per shape */
    int shape_bits;              /* of an identity, for each of the two shapes */
} crn_narrow;

void crn_narrow_worker_free(crn_narrow_worker *worker);

/* k of one pair: see crn_reach. */
static inline double crn_reach_of_friction(double friction, bool lifts)
{
    assert(friction >= 0.0);
    return lifts ? hypot(1.0, friction) : 1.0;
}

/* Whether the user's filter allows a pair to touch. */
static inline bool crn_narrow_allows(const crn_narrow *narrow, crn_shape_pair pair)
{
    return !narrow->reach->allows || narrow->reach->allows(narrow->reach->allow_data, pair.a, pair.b);
}

/* Add the contacts of any pair, or of a pair of balls. */
cairn_status crn_touch_pair(const crn_narrow *narrow, crn_narrow_worker *worker, crn_shape_pair pair);
cairn_status crn_touch_balls(const crn_narrow *narrow, crn_narrow_worker *worker, crn_shape_pair pair);

/* Whether the bounds of two balls, reach included, may meet. */
static inline bool crn_balls_near(const crn_ball *a, const crn_ball *b)
{
    double reach = a->reach + b->reach, arm[3];
    for (int k = 0; k < 3; ++k)
        arm[k] = a->centre[k] - b->centre[k];
    return !(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2] > reach * reach * (1.0 + 1e-9));
}

#endif
