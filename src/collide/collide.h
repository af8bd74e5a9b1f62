/* Where it touches: poses in, contacts out. Knows no mass and no force. */
#ifndef CRN_COLLIDE_COLLIDE_H
#define CRN_COLLIDE_COLLIDE_H

#include "collide/shapes/sides.h"
#include "math/pose.h"
#include "model/model.h"

/* One contact point between two shapes. The normal points from b to a; moving a along it opens the gap. */
typedef struct crn_contact
{
    int body_a, body_b; /* model indices */
    int shape_a, shape_b;
    uint64_t identity; /* of shapes and features: the same contact has the same identity step after step */
    double gap;        /* m; negative: penetration depth */
    double normal[3], tangent[2][3]; /* world, orthonormal, right-handed; planar: tangent[0] = z x normal */
    double point_a[3], point_b[3];   /* world: the witness points on a and on b; point_a - point_b = gap * normal */
    double friction, restitution;
} crn_contact;

/* How far off a contact is listed: gap <= margin_a + margin_b + k |travel_a - travel_b|, where k = sqrt(1 + mu^2) of the
 * pair when its friction lifts (convex laws), and 1 otherwise. */
typedef struct crn_reach
{
    const double *margin; /* m, a body */
    double (*travel)[3];  /* m, a body: its motion over the step; NULL: none */
    bool lifts;
    const double *friction; /* mu of all pairs instead of that of their materials; NULL: none */
    const crn_sides *sides; /* of thin shapes, at the last state; NULL: told by the poses alone */
    bool settles;           /* the poses are a state's, not those of a trial */
    const double *down;     /* see crn_thin_pair */
    /* Whether two shapes may touch, asked by all threads at once; NULL: whenever the model lets them. */
    bool (*allows)(const void *data, int shape_a, int shape_b);
    const void *allow_data;
} crn_reach;

typedef struct crn_collider crn_collider; /* workspace, kept warm between steps */

/* For one model, whose shapes and ignored pairs may still grow. The result does not depend on the number of threads. */
crn_collider *crn_collider_create(int threads);
void crn_collider_destroy(crn_collider *collider);
/* From now on list every contact of meshes, also those that others imply and those of flat edges and vertices. */
void crn_collider_keep_all(crn_collider *collider);

/* All contacts within reach, sorted by identity. The array belongs to the collider and lives until the next call. */
cairn_status crn_collide(crn_collider *collider, const cairn_model *model, const crn_pose *poses,
                         const crn_reach *reach, const crn_contact **contacts, int *count);

/* Sides of thin shapes in the poses of the last crn_collide; theirs is the collider too. */
const crn_sides *crn_collider_sides(const crn_collider *collider);

/* The surfaces of a contact's two shapes along its normal through the world point x, in the poses of the last crn_collide:
 * a begins at x + *a n, b ends at x + *b n. False where one of them is missed. */
bool crn_collider_surfaces(const crn_collider *collider, const crn_contact *contact, const double x[3], double *a,
                           double *b);

/* k of the model's roughest pair when friction lifts, else 1; `friction` as that of crn_reach. */
double crn_reach_factor(const cairn_model *model, bool lifts, const double *friction);

#endif
