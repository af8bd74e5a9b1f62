/* The graph of bodies and joints: a tree of it, and the joints that are in no loop. */
#ifndef CRN_STEP_ASSEMBLY_LIMBS_H
#define CRN_STEP_ASSEMBLY_LIMBS_H

#include "step/assembly/fit.h"

/* A body in the tree. */
typedef struct crn_limb
{
    int body;
    int parent; /* body, -1: the ground, which held, fixed and driven bodies belong to; or the body is the first of its tree */
    int joint;   /* to the parent, -1: none */
    bool bridge; /* this joint is in no loop: whatever hangs on the body moves with it */
} crn_limb;

/* List all dynamic bodies that are not held, parents first. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_limbs_find(crn_fit *fit, crn_limb **out, int *count);

/* Place the bodies by the values that coordinates begin with. */
cairn_status crn_place_limbs(crn_fit *fit);

#endif
