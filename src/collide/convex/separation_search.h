/* The kinks of support functions, and the search for the largest separation (separation_search.c, separation_newton.c). */
#ifndef CRN_COLLIDE_CONVEX_SEPARATION_SEARCH_H
#define CRN_COLLIDE_CONVEX_SEPARATION_SEARCH_H

#include "collide/convex/convex.h"

typedef enum crn_kink_kind
{
    CRN_KINK_FACE,
    CRN_KINK_LINE,
    CRN_KINK_NONE
} crn_kink_kind;

/* A kink of one shape of a pair, in terms of the pair's n, from b to a. */
typedef struct crn_kink
{
    crn_kink_kind kind;
    double e[3], c; /* line: the circle n e = c */
    double p[3];    /* line: the point whose support function equals the shape's on the circle, up to a constant */
    double m[3];    /* face: n */
    double off;     /* distance of the search's direction from the kink */
} crn_kink;

/* A direction, the separation along it, and the support points. */
typedef struct crn_summit
{
    double n[3];
    double s;
    crn_difference at;
} crn_summit;

/* separation_newton.c: the largest separation near summit->n, each shape constrained to a line or to nothing. False:
 * there is none. */
bool crn_separation_newton(const crn_pair_view *v, const crn_kink *a, const crn_kink *b, crn_summit *summit);

#endif
