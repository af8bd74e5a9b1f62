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
    crn_contact *changed[2]; /* contacts as the pre-solve hook left them: of the state's collider, and of the trials' */
    size_t changed_capacity[2];
    cairn_touch *now, *merged; /* scratch of crn_update_touches */
    size_t now_capacity, merged_capacity;
} crn_hooks;

/* The shape that a piece belongs to, as the user added it. */
static inline int crn_whole_shape(const cairn_model *model, int shape)
{
    while (model->shapes[shape].piece)
        --shape;
    return shape;
}

/* Check and copy; NULL: none. */
cairn_status crn_hooks_set(cairn_simulation *simulation, const cairn_hooks *hooks);
void crn_hooks_close(crn_hooks *hooks);

/* The filter, in the form in which the collider asks. data: the simulation. */
bool crn_ask_filter(const void *data, int shape_a, int shape_b);

/* crn_collide, and the pre-solve hook on what it found. */
cairn_status crn_collide_hooked(cairn_simulation *simulation, crn_collider *collider, const crn_pose *poses,
                                const crn_reach *reach, const crn_contact **contacts, int *count);

/* The lists of touches at the end of a step. CAIRN_NO_MEMORY leaves them as they were. */
cairn_status crn_update_touches(cairn_simulation *simulation);
/* The touches of a state to that of a model from which shapes were removed, and with them theirs. */
void crn_hand_over_touches(crn_state *from, const cairn_model *model, crn_state *to);

#endif
