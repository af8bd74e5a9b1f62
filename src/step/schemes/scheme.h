/* What the rest of the code knows of an integrator. One file per scheme defines one of these, and one line in table.c lists it,
 * at the place of its enumerator in cairn/settings.h. Nothing else compares integrators. */
#ifndef CRN_STEP_SCHEMES_SCHEME_H
#define CRN_STEP_SCHEMES_SCHEME_H

#include "cairn/simulation.h"

/* From (t, q, v) to (q_new, v_new) over h, without changing the state. */
typedef cairn_status (*crn_advance_fn)(cairn_simulation *simulation, double h, cairn_solver_report *report);

typedef struct crn_scheme
{
    const char *name; /* as in scene files */
    int order;        /* of accuracy; from 2 on, a step is taken in smooth parts with events between them */
    crn_advance_fn advance;
    /* Local error in position (m) of the step just computed; NULL: not estimated, so that the scheme takes no error tolerance. */
    double (*error)(const cairn_simulation *simulation, double h);
    /* Order 2: takes the parts in which velocities jump or events pile up. It must hold every gap in reach and not reflect. */
    const struct crn_scheme *storm_scheme;
    /* An event within a step is reached by a step of that length; otherwise on the cubic Hermite curve between both ends. */
    bool steps_to_events;
    /* Laws hold for the mean velocity of a step: a contact that leaves and is held comes back as fast. */
    bool reflects;
    /* By how much a jump of velocity in the first stage grows over the step, 1 or more. */
    double jump_growth;
} crn_scheme;

/* All schemes by their enumerators, NULL after the last one. The table stands in a file of its own, so that a test can link
 * another one with more schemes. */
extern const crn_scheme *const crn_schemes[];

/* NULL: there is no such scheme. */
const crn_scheme *crn_scheme_of(cairn_integrator integrator);
/* The name at an index, NULL after the last one. */
const char *crn_scheme_word(int index);
bool crn_is_second_order(cairn_integrator integrator);

/* "euler or stiff": the names of the schemes that satisfy a condition, for messages. */
typedef struct crn_scheme_names
{
    char text[128];
} crn_scheme_names;
crn_scheme_names crn_list_schemes(bool (*satisfies)(const crn_scheme *scheme));
crn_scheme_names crn_list_first_order(void);

/* Shared by schemes: a step of `stiff`. */
cairn_status crn_advance_stiff(cairn_simulation *simulation, double h, cairn_solver_report *report);
/* The storm scheme of all schemes of second order, in stiff2.c. */
extern const crn_scheme crn_scheme_damped;

#endif
