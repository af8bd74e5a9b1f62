/* Collision detection: poses in, contacts out. It knows no masses and no forces. */
#ifndef CRN_COLLIDE_COLLIDE_H
#define CRN_COLLIDE_COLLIDE_H

#include "base/memory.h"
#include "collide/contact.h"
#include "collide/shapes/sides.h"
#include "math/pose.h"
#include "model/model.h"

/* The gap up to which a contact is listed: margin_a + margin_b + k |travel_a - travel_b|, where k = sqrt(1 + mu^2) of the
 * pair when its friction lifts (convex laws), and 1 otherwise. */
typedef struct crn_reach
{
    const double *margin; /* m, per body */
    double (*travel)[3];  /* m, per body: its motion over the step; NULL: none */
    bool lifts;
    const double *friction; /* mu of all pairs instead of that of their materials; NULL: none */
    const crn_sides *sides; /* of thin shapes in the last accepted state; NULL: decided by the poses alone */
    bool settles;           /* the poses are an accepted state, not a trial */
    const double *down;     /* see crn_thin_pair */
    double t, h;            /* s, in a periodic box: time of the poses, and of which `travel` is the motion */
    /* Whether two shapes may touch; called by all threads concurrently. NULL: whenever the model allows it. */
    bool (*allows)(const void *data, int shape_a, int shape_b);
    const void *allow_data;
    const bool *absent; /* per body: it is not there and touches nothing; NULL: all are there */
} crn_reach;

typedef struct crn_collider crn_collider; /* workspace, kept warm between steps */

/* A collider serves one model, to which shapes and ignored pairs may still be added. Results do not depend on the number
 * of threads. */
crn_collider *crn_collider_create(int threads);
void crn_collider_destroy(crn_collider *collider);
/* From now on list every contact of meshes, including those that others imply and those of flat edges and vertices. */
void crn_collider_keep_all(crn_collider *collider);

/* From now on lists of contacts take turns with `spare`: a list stays as it is after the next call, in the spare memory, until somebody
 * takes that or the call after the next one. */
void crn_collider_take_turns(crn_collider *collider, crn_scratch *spare);
/* Whether the groups of the model of the last call let no two of its shapes touch. */
bool crn_collider_meets_nobody(const crn_collider *collider);
/* Whether a list is the last one, and will stay so. */
bool crn_collider_keeps(const crn_collider *collider, const crn_contact *contacts);

/* All contacts within reach, sorted by identity. The array belongs to the collider and lives until the next call, or the one after it
 * (crn_collider_take_turns). */
cairn_status crn_collide(crn_collider *collider, const cairn_model *model, const crn_pose *poses,
                         const crn_reach *reach, const crn_contact **contacts, int *count);

/* In space, after crn_collide at the same poses and reach, except that margins have grown from those in `before`: the contacts that
 * have come within reach, sorted by identity, and for other pairs than those of spheres possibly some that were so before. The
 * array belongs to the collider, or is in the spare memory (crn_collider_take_turns), where the list before the last one is lost; the
 * list of crn_collide stays as it is. */
cairn_status crn_collide_grown(crn_collider *collider, const cairn_model *model, const crn_pose *poses,
                               const crn_reach *reach, const double *before, const crn_contact **contacts, int *count);

/* Insert contacts by identity into the first `count` ones of the array that crn_collide returned, which may move. */
cairn_status crn_collider_insert(crn_collider *collider, int count, const crn_contact *more, int more_count,
                                 const crn_contact **contacts);

/* The sides of thin shapes in the poses of the last crn_collide. The collider owns them. */
const crn_sides *crn_collider_sides(const crn_collider *collider);

/* The surfaces of a contact's two shapes along its normal through the world point x, in the poses of the last crn_collide:
 * a begins at x + *a n, b ends at x + *b n. False where one of them is missed. */
bool crn_collider_surfaces(const crn_collider *collider, const crn_contact *contact, const double x[3], double *a,
                           double *b);

/* k of the pair with the largest friction coefficient when friction lifts, else 1; `friction` as in crn_reach. */
double crn_reach_factor(const cairn_model *model, bool lifts, const double *friction);

#endif
