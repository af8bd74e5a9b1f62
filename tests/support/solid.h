/* Convex solids written a second time, for the tests of collision detection: support points and levels straight from the
 * definitions, in world coordinates. */
#ifndef CRN_TESTS_SOLID_H
#define CRN_TESTS_SOLID_H

#include "support/collide_scene.h"

enum
{
    SOLID_POINTS = 24,
    SOLID_KINDS = 7
};

extern const cairn_shape_kind solid_kinds[SOLID_KINDS];

typedef struct solid
{
    cairn_shape_options shape;
    double points[3 * SOLID_POINTS]; /* of a hull */
    crn_pose pose;
} solid;

/* What kind of proportions to draw. */
typedef enum solid_style
{
    SOLID_STOCKY,
    SOLID_SLENDER, /* up to 1 : 1e4 */
} solid_style;

/* A random solid of about the given size. */
void solid_draw(solid *s, cairn_shape_kind kind, double size, solid_style style, uint64_t *seed);
/* A random pose; `most` is the largest turn about each axis. */
void solid_pose(solid *s, double reach, double most, uint64_t *seed);
/* The point furthest along n. */
void solid_support(const solid *s, const double n[3], double out[3]);
/* How far x is outside (positive) or inside (negative) of the nearest surface; a lower bound of it outside. */
double solid_level(const solid *s, const crn_hull *hull, const double x[3]);
/* How far `a` is from `b` along the unit direction n from b to a: never more than their distance. */
double solid_apart(const solid *a, const solid *b, const double n[3]);
/* Radius of a ball about the pose's origin that holds the solid, and the least thickness. */
double solid_extent(const solid *s);
bool solid_is_flat(const solid *s);   /* made of flat faces, straight edges and their roundings */
bool solid_has_faces(const solid *s); /* a flat face at least */

/* Both solids as the two bodies of a scene, and all contacts within `margin`. */
void solid_collide(collide_scene *scene, solid *a, solid *b, double margin);

#endif
