/* The user's callbacks: filter, pre-solve, and lists of shapes that touch. */
#ifndef CRN_STEP_HOOKS_HOOKS_H
#define CRN_STEP_HOOKS_HOOKS_H

#include "cairn/hooks.h"
#include "collide/collide.h"
#include "model/handles.h"
#include "step/state.h"

typedef struct crn_hooks
{
    cairn_hooks options;
    crn_contact *changed[2]; /* contacts after the pre-solve hook: of the state's collider, and of the trials' */
    size_t changed_capacity[2];
    cairn_touch *now, *merged; /* scratch of crn_update_touches */
    size_t now_capacity, merged_capacity;
} crn_hooks;

/* The shape to which a piece belongs, as the user added it. */
static inline int crn_whole_shape(const cairn_model *model, int shape)
{
    while (model->shapes[shape].form->piece)
        --shape;
    return shape;
}

/* Check and copy the hooks; NULL: none. */
cairn_status crn_hooks_set(cairn_simulation *simulation, const cairn_hooks *hooks);
void crn_hooks_close(crn_hooks *hooks);

/* The filter, in the form that the collider calls. data is the simulation. */
bool crn_ask_filter(const void *data, int shape_a, int shape_b);

/* Call crn_collide, then the pre-solve hook on the contacts it found. */
cairn_status crn_collide_hooked(cairn_simulation *simulation, crn_collider *collider, const crn_pose *poses,
                                const crn_reach *reach, const crn_contact **contacts, int *count);

/* Update the lists of touches at the end of a step. CAIRN_NO_MEMORY leaves them unchanged. */
cairn_status crn_update_touches(cairn_simulation *simulation);
/* Move the touches of a state to that of a model from which shapes were removed, without the touches of those shapes. */
void crn_hand_over_touches(crn_state *from, const cairn_model *model, crn_state *to);

#endif
