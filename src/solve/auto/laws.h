/* The table of contact laws: their names and properties. Code asks for properties instead of comparing enumerators. */
#ifndef CRN_SOLVE_AUTO_LAWS_H
#define CRN_SOLVE_AUTO_LAWS_H

#include "cairn/problem.h"

typedef struct crn_law_class
{
    const char *name; /* "convex pyramid", as in problem files */
    const char *word; /* "convex pyramid(m)", as lists of laws show it */
    bool is_frictionless;
    bool is_box;        /* each tangential impulse has a bound of its own */
    bool has_radius;    /* the bound of friction is problem->radius, not mu r_n */
    bool is_polyhedral; /* a linear complementarity problem in space too, not only in the plane */
    bool has_polygon;   /* in space a polygon with m vertices stands for the disc of friction */
    bool is_conical;    /* normal and tangential impulses are projected together, on a cone */
    bool lifts_off;     /* u lies in the dual cone: sliding contacts lift off */
} crn_law_class;

/* NULL: there is no such law. */
const crn_law_class *crn_law_class_of(cairn_law_kind kind);
/* The law of a valid problem. */
const crn_law_class *crn_law_of(const cairn_problem *problem);
/* Whether a polygon bounds friction: only in space, since the disc of the plane is an interval. */
bool crn_law_uses_polygon(const cairn_problem *problem);
/* The word at an index; NULL past the last one. */
const char *crn_law_word(int index);
/* Whether the law exists and its number of directions is allowed. */
bool crn_law_is_valid(cairn_law law);

#endif
