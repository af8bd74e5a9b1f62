/* The contacts of one pair of shapes: its touches, each with identity, frame and material. */
#ifndef CRN_COLLIDE_PAIR_CONTACTS_H
#define CRN_COLLIDE_PAIR_CONTACTS_H

#include "collide/balls.h"
#include "collide/broad/broad.h"
#include "collide/collide.h"
#include "collide/mesh/mesh.h"

#include <assert.h>
#include <math.h>

/* Friction and restitution of a pair of materials. */
typedef struct crn_surface
{
    int material[2]; /* -1: none yet */
    double friction, restitution;
} crn_surface;

/* The workspace of one range of pairs: the touches of the current pair, and the contacts of all its pairs. */
typedef struct crn_narrow_worker
{
    crn_touch *touches;
    size_t touch_capacity;
    crn_contact *contacts;
    size_t contact_capacity, contact_count;
    size_t first; /* place of the first of them among those of all ranges */
    crn_mesh_work mesh;
    crn_sides sides;
    crn_placed ball;     /* that of the current pair */
    crn_surface surface; /* of the last contact */
    cairn_status status;
} crn_narrow_worker;

/* One run of the narrow phase. */
typedef struct crn_narrow
{
    const cairn_model *model;
    const crn_reach *reach;
    const double *margin_before; /* m, per body: spheres within reach by these are left out; NULL: none are */
    const crn_sites *sites;
    int shape_bits; /* of an identity, for each of the two shapes */
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

/* Add the contacts of any pair, or of a pair of balls. *gap: m, how far the shapes are apart beyond their margins, at least; 0: not
 * known to be. */
cairn_status crn_touch_pair(const crn_narrow *narrow, crn_narrow_worker *worker, crn_shape_pair pair, double *gap);
cairn_status crn_touch_balls(const crn_narrow *narrow, crn_narrow_worker *worker, crn_shape_pair pair);
/* The same for pairs of balls, whose touches are known, and pairs of a ball and a half-space. */
cairn_status crn_take_balls(const crn_narrow *narrow, crn_narrow_worker *worker, const crn_shape_pair *pair, int count,
                            const crn_ball_touch *touch);

#endif
