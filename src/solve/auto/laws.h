/* The table of contact laws: names, and what the rest of the code asks about them. */
#ifndef CRN_SOLVE_AUTO_LAWS_H
#define CRN_SOLVE_AUTO_LAWS_H

#include "cairn/problem.h"

typedef struct crn_law_class
{
    const char *name;   /* "convex pyramid", as in problem files */
    const char *word;   /* "convex pyramid(m)", as lists of laws show it */
    bool has_radius;    /* the bound of friction is problem->radius, not mu r_n */
    bool is_polyhedral; /* a linear complementarity problem in space too, not in the plane alone */
    bool has_polygon;   /* m directions stand for the disc of friction in space */
    bool lifts_off;     /* u in the dual cone: sliding contacts lift off */
} crn_law_class;

/* NULL: there is no such law. */
const crn_law_class *crn_law_class_of(cairn_law_kind kind);
/* The word at an index, NULL after the last one. */
const char *crn_law_word(int index);
/* Whether the law exists, with a number of directions that is allowed. */
bool crn_law_is_valid(cairn_law law);

#endif
