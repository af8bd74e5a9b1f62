/* A coupling while it is built. */
#ifndef CRN_MODEL_JOINTS_COUPLING_BUILD_H
#define CRN_MODEL_JOINTS_COUPLING_BUILD_H

#include "model/joints/coupling.h"

/* The coupling, and for messages its name and the number of the term. */
typedef struct crn_coupling_building
{
    const cairn_model *model;
    const char *name;
    crn_coupling *coupling;
    int term; /* from 1 */
} crn_coupling_building;

/* Check the terms and make parts of them. */
cairn_status crn_coupling_add_terms(crn_coupling_building *b, const cairn_coupling_options *options);
/* List the bodies of all parts. CAIRN_INVALID when none can move, or there are too many. */
cairn_status crn_coupling_list_bodies(const crn_coupling_building *b);

#endif
