/* Where the shapes of a model are.
 *
 * Balls, of which large heaps are made, are known by a centre and a radius. A crn_placed is more than five times as large: a ball
 * gets one only while a pair with a shape of another kind is examined.
 *
 * Where shapes differ, most pairs that are near do not touch, and in a heap at rest they stay so. Two shapes that were at least D apart,
 * and whose points have since walked W_a and W_b at most, are at least D - W_a - W_b apart. So a pair needs no look before the sum
 * of `spent` of its shapes exceeds what it was then by D less the margins of then.
 */
#ifndef CRN_COLLIDE_BROAD_SITES_H
#define CRN_COLLIDE_BROAD_SITES_H

#include "collide/broad/place.h"
#include "collide/shapes/triangulated_shapes.h"
#include "math/bounds.h"

#include <assert.h>

/* One shape in the world. */
typedef struct crn_site
{
    double centre[3]; /* of a ball; other shapes: not set */
    double radius;    /* other shapes: of a ball about the centre that holds them */
    double margin;    /* m: by how much the bounds are enlarged */
    int body, material, serial;
    int placed; /* place in crn_sites.placed; -1: a ball of space */
    cairn_shape_kind kind;
    bool central; /* a bounded shape of space whose frame is that of its body; a ball about the body's origin */
} crn_site;

typedef struct crn_sites
{
    crn_site *site;     /* per shape */
    crn_placed *placed; /* of all shapes but balls; in the plane by shape */
    double *vertices;   /* in the plane: per shape 2 vertex_count numbers from 2 vertex_start[shape] on */
    int *vertex_start;
    bool mixed; /* a model of space with bounded shapes besides balls: `walked` and `spent` are kept */
    double
        *walked;   /* m, per shape: the way of its points since it was first placed, at most; never smaller than that */
    double *spent; /* m, per shape: the same plus its margin */
    crn_facets facets;
    const cairn_model *model; /* for which the arrays were made, and its revision then */
    uint64_t revision;
    crn_arena memory;
} crn_sites;

/* Make room for the model's shapes, unless that was done before and the model is the same. */
cairn_status crn_sites_begin(crn_sites *sites, const cairn_model *model);
void crn_sites_free(crn_sites *sites);

/* Place a shape; k: crn_reach_factor of the model and the reach. Shapes may be placed by several threads. */
void crn_sites_place(crn_sites *sites, int shape, const crn_pose *pose, const crn_reach *reach, double k);

static inline bool crn_site_is_ball(const crn_site *site)
{
    return site->placed < 0;
}

static inline bool crn_site_is_half(const crn_sites *sites, int shape)
{
    int placed = sites->site[shape].placed;
    return placed >= 0 && crn_is_half(sites->placed[placed].kind);
}

/* Bounds of a shape, margin included; not of half-planes and half-spaces. */
static inline crn_bounds crn_site_bounds(const crn_sites *sites, int shape)
{
    const crn_site *site = &sites->site[shape];
    return site->placed < 0 ? crn_ball_bounds(site->centre, site->radius, site->margin)
                            : sites->placed[site->placed].bounds;
}

/* A shape as the general routines want it; that of a ball is made in `own`, which is all 0 or was used for balls only. */
const crn_placed *crn_site_placed(const crn_sites *sites, int shape, crn_placed *own);

#endif
