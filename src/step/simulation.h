/* A simulation's inside: a constant model, a state, and the scratch of each purpose. */
#ifndef CRN_STEP_SIMULATION_H
#define CRN_STEP_SIMULATION_H

#include "step/account/ledger.h"
#include "step/events/impact.h"
#include "step/events/saved.h"
#include "step/events/search.h"
#include "step/hooks/hooks.h"
#include "step/locate.h"
#include "step/project.h"
#include "step/stage.h"
#include "step/state.h"
#include "step/step.h"

/* Velocities of all bodies as users read them, gathered when they are asked for. */
typedef struct crn_bulk
{
    double *velocity; /* six per body */
    size_t capacity;
    bool fresh; /* they are those of the state */
} crn_bulk;

struct cairn_simulation
{
    cairn_context *context;
    const cairn_model *model;
    crn_model_size size; /* of the model when the simulation was made; every array here has that size */
    cairn_settings settings;
    crn_layout *layout;

    crn_state state;

    crn_located located; /* poses and contacts at the state */
    crn_stage stage[CRN_STAGES];
    int stage_count; /* of the last step; 0 before the first */
    crn_trial trial;
    crn_search search;
    crn_impact_scratch impact;
    crn_projection projection;
    crn_saved saved;
    crn_bulk bulk;
    crn_hooks hooks;   /* the user's callbacks */
    crn_ledger ledger; /* what the step did, for the audit and for those who ask for impulses */
};

/* A simulation without a state yet; the settings have been checked. */
cairn_status crn_simulation_open(cairn_context *context, const cairn_model *model, const cairn_settings *settings,
                                 cairn_simulation **out);

/* The contacts of the last step into the state, where they are not yet. */
cairn_status crn_list_contacts(cairn_simulation *simulation);

/* CAIRN_INVALID with a message when something was added to the model since the simulation was made. */
cairn_status crn_check_model(const cairn_simulation *simulation);

#endif
