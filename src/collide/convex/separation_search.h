/* The kinks of support functions, and the climb to the largest separation between them (separation_search.c, separation_newton.c). */
#ifndef CRN_COLLIDE_CONVEX_SEPARATION_SEARCH_H
#define CRN_COLLIDE_CONVEX_SEPARATION_SEARCH_H

#include "collide/convex/convex.h"

typedef enum crn_kink_kind
{
    CRN_KINK_FACE,
    CRN_KINK_LINE,
    CRN_KINK_NONE
} crn_kink_kind;

/* What holds one shape of a pair, in terms of the pair's n, from b to a. */
typedef struct crn_kink
{
    crn_kink_kind kind;
    double e[3], c; /* line: the circle n e = c */
    double p[3];    /* line: the point whose support is the shape's on the circle, but for a constant */
    double m[3];    /* face: n */
    double off;     /* how far the direction that the search came to is from it */
} crn_kink;

/* A direction, what it separates the cores by, and the points that say so. */
typedef struct crn_summit
{
    double n[3];
    double s;
    crn_difference at;
} crn_summit;

/* separation_newton.c: the largest separation near summit->n where the shapes are held by lines or by nothing. False: there is none. */
bool crn_separation_newton(const crn_pair_view *v, const crn_kink *a, const crn_kink *b, crn_summit *summit);

#endif
