/* Cohesion of contacts: a bounded pull. See cohesion.c. */
#ifndef CRN_FORMULATE_SURFACE_COHESION_H
#define CRN_FORMULATE_SURFACE_COHESION_H

#include "formulate/assemble.h"

static const double CRN_COHESION_RANGE = 1e-3; /* of the smaller body that moves, where no range is told */

/* How a contact pulls. */
typedef struct crn_cohesion
{
    double force; /* N: at most */
    double range; /* m: the gap up to which it acts */
} crn_cohesion;

crn_cohesion crn_contact_cohesion(const crn_layout *layout, const crn_contact *contact);

/* N s: the pull of a contact in a step of length h from where it is. */
double crn_contact_pull(const crn_layout *layout, const crn_contact *contact, double h);

/* m: the gap up to which contacts of a body may pull; 0 if none do. */
double crn_cohesion_reach(const crn_layout *layout, int body);

/* Add the pulls of all contacts to p. Call this after all contacts have been added. */
void crn_add_pulls(crn_assembly *assembly, const crn_input *in);

#endif
