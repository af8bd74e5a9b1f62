/* The members of a simulation: a constant model, a state, and scratch for each purpose. */
#ifndef CRN_STEP_SIMULATION_H
#define CRN_STEP_SIMULATION_H

#include "step/account/ledger.h"
#include "step/compact/compact_step.h"
#include "step/device/device.h"
#include "step/device/device_grains.h"
#include "step/events/impact.h"
#include "step/events/saved.h"
#include "step/events/search.h"
#include "step/flow/flow.h"
#include "step/friction/bearings.h"
#include "step/hooks/hooks.h"
#include "step/locate.h"
#include "step/loops/loops.h"
#include "step/project.h"
#include "step/roster.h"
#include "step/stage.h"
#include "step/state.h"
#include "step/step.h"

/* Velocities of all bodies as users read them, gathered on request. */
typedef struct crn_bulk
{
    double *velocity; /* six per body */
    bool fresh;       /* they are up to date with the state */
} crn_bulk;

struct cairn_simulation
{
    crn_arena memory;     /* owns all scratch arrays below; the state and the ledger own theirs */
    crn_scratch *scratch; /* taken in turn by sweeps, the account of works and the audit */
    cairn_context *context;
    const cairn_model *model;
    uint64_t revision;      /* revision of the model for which every array here is laid out */
    crn_roster roster;      /* objects of that model */
    size_t statistic_count; /* of that model */
    int identity_bits;      /* width of its shapes in contact identities */
    cairn_settings settings;
    crn_layout *layout;

    crn_state state;

    crn_located located; /* poses and contacts at the state */
    crn_stage stage[CRN_STAGES];
    int stage_count; /* of the last step; 0 before the first */
    crn_trial trial;
    crn_compact_scratch compact;
    crn_search search;
    crn_bearings bearings;
    crn_impact_scratch impact;
    crn_projection projection;
    crn_loops loops;
    crn_saved saved;
    crn_bulk bulk;
    crn_gates gates;                 /* where grains come in and leave */
    crn_hooks hooks;                 /* the user's callbacks */
    struct cairn_assembly *assembly; /* how the initial state was assembled; NULL: it was not */
    crn_device *device;              /* NULL: the processor takes the steps */
    crn_grains grains;               /* bodies that are not in the layout */
    int begun;                       /* steps that are under way; 0: none */
    crn_ledger ledger;               /* record of the step, for the audit and for queries of impulses */
};

/* Whether the simulation is laid out for the current model: nothing has been added or removed since. */
bool crn_is_current(const cairn_simulation *simulation);

/* Follow the model, as a call does that changes, saves or steps the simulation: refused while steps are under way. */
cairn_status crn_simulation_enter(cairn_simulation *simulation);

/* Create a simulation laid out for the model, with every body at its initial pose. Nothing is located or checked yet. */
cairn_status crn_simulation_open(cairn_context *context, const cairn_model *model, const cairn_settings *settings,
                                 cairn_simulation **out);
/* Set the pointers between parts of a simulation. They depend on its address. */
void crn_simulation_bind(cairn_simulation *simulation);
/* Count the coordinates of joints on to where they are now. */
void crn_remember_coordinates(cairn_simulation *simulation);
/* The same, and those of springs. */
void crn_remember_angles(cairn_simulation *simulation);

/* Check an initial state for joints and contacts that involve something new, in initial.c. */
cairn_status crn_check_newcomers(cairn_simulation *simulation, const crn_moves *moves);

/* List the contacts of the last step in the state, unless they are listed already. */
cairn_status crn_list_contacts(cairn_simulation *simulation);

#endif
