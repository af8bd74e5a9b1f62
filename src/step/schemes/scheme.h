/* The description of an integrator that the rest of the code uses. Each scheme defines one in its own file, and table.c
 * lists it at the index of its enumerator in cairn/settings.h. No other code compares integrators. */
#ifndef CRN_STEP_SCHEMES_SCHEME_H
#define CRN_STEP_SCHEMES_SCHEME_H

#include "cairn/simulation.h"

/* Advance from (t, q, v) to (q_new, v_new) over h without changing the state. */
typedef cairn_status (*crn_advance_fn)(cairn_simulation *simulation, double h, cairn_solver_report *report);

typedef struct crn_scheme
{
    const char *name; /* as in scene files */
    int order;        /* of accuracy; from 2 on, a step is taken in smooth parts with events in between */
    crn_advance_fn advance;
    /* Local error in position (m) of the step just computed. NULL: no estimate, so the scheme accepts no error
     * tolerance. */
    double (*error)(const cairn_simulation *simulation, double h);
    /* Order 2 only: the scheme for parts in which velocities jump or events pile up. It must hold every gap in reach
     * and must not reflect. */
    const struct crn_scheme *storm_scheme;
    /* If true, an event within a step is reached by a step of that length. Otherwise it is reached on the cubic Hermite
     * curve between both ends. */
    bool steps_to_events;
    /* Laws hold for the mean velocity of a step, so a separating contact that is held comes back equally fast. */
    bool reflects;
    /* The factor by which a velocity jump in the first stage grows over the step, at least 1. */
    double jump_growth;
} crn_scheme;

/* All schemes, indexed by their enumerators, with NULL after the last one. The table has a file of its own so that a
 * test can link a different one with more schemes. */
extern const crn_scheme *const crn_schemes[];

/* Returns NULL if there is no such scheme. */
const crn_scheme *crn_scheme_of(cairn_integrator integrator);
/* The name at an index; NULL after the last one. */
const char *crn_scheme_word(int index);
bool crn_is_second_order(cairn_integrator integrator);

/* The names of the schemes that satisfy a condition, for messages: "euler or stiff". */
typedef struct crn_scheme_names
{
    char text[128];
} crn_scheme_names;
crn_scheme_names crn_list_schemes(bool (*satisfies)(const crn_scheme *scheme));
crn_scheme_names crn_list_first_order(void);

/* A step of `stiff`, shared by several schemes. */
cairn_status crn_advance_stiff(cairn_simulation *simulation, double h, cairn_solver_report *report);
/* The storm scheme of all second-order schemes, in stiff2.c. */
extern const crn_scheme crn_scheme_damped;

#endif
