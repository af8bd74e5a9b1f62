/* Joints and springs of a step that ranks look at themselves: they are the share of process 0 (audit/share.h), which has their impulses. It judges them in a model of the bodies that they
 * link, without contacts, and tells the ranks what they do to these bodies.
 */
#ifndef CRN_STEP_DEVICE_DEVICE_LINKED_H
#define CRN_STEP_DEVICE_DEVICE_LINKED_H

#include "audit/share.h"
#include "cairn/simulation.h"
#include "formulate/frame.h"
#include "gpu/interface.h"

/* What the ranks are told of a body: its number, and impulses in N s, and N m s in its frame. */
typedef struct crn_linked_push
{
    int64_t body;
    double joints[6], springs[6];
} crn_linked_push;

typedef struct crn_linked
{
    crn_arena memory;
    cairn_model model; /* of the linked bodies and all joints */
    int count;
    int *body, *at; /* the model's bodies of these; per body of the model its place among them, -1: nothing links it */
    double *mass, *inertia, *bound;
    int *inertia_start;
    crn_pose *pose;
    double (*before)[6], (*after)[6], (*outer)[6], (*inner)[6];
    crn_gradient *gradient; /* three per spring */
} crn_linked;

/* Before the step, in a frame that is up to date: `load` has the forces in it. CAIRN_NO_MEMORY. */
cairn_status crn_linked_open(crn_linked *linked, const cairn_simulation *simulation, double h,
                             const crn_gpu_load *load);
/* After it: judge, and say what the ranks are told of all linked bodies. */
cairn_status crn_linked_judge(crn_linked *linked, const cairn_simulation *simulation, double h,
                              crn_share_doubts *doubts, crn_linked_push *push);
void crn_linked_free(crn_linked *linked);

#endif
