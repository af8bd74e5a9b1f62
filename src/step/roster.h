/* The objects of a model for which a simulation is laid out, recorded so that changes of the model can be followed
 * later.
 *
 * The arrays of a simulation have the order of the model's arrays at the time of the layout. Handles stay valid when the
 * model changes: looking them up again maps every old index to the new one. */
#ifndef CRN_STEP_ROSTER_H
#define CRN_STEP_ROSTER_H

#include "model/model.h"

enum
{
    CRN_ROSTER_BODIES,
    CRN_ROSTER_SHAPES,
    CRN_ROSTER_JOINTS,
    CRN_ROSTER_SPRINGS,
    CRN_ROSTER_FORCES,
    CRN_ROSTER_KINDS
};

typedef struct crn_roster_entry
{
    int32_t id;
    uint16_t generation;
} crn_roster_entry;

typedef struct crn_roster
{
    crn_roster_entry *entry
        [CRN_ROSTER_KINDS]; /* NULL: things are numbered from 1 on, all of the same generation, as in models that nothing was removed from */
    uint16_t generation[CRN_ROSTER_KINDS];
    int count[CRN_ROSTER_KINDS];
} crn_roster;

/* Record everything that is in the model now. CAIRN_NO_MEMORY leaves an incomplete roster, which must be freed. */
cairn_status crn_roster_take(const cairn_model *model, crn_roster *roster);
void crn_roster_free(crn_roster *roster);

/* Map from old index to new index (-1: removed), and a flag for every new index that tells whether the object is new. */
typedef struct crn_moves
{
    int *to[CRN_ROSTER_KINDS];
    bool *is_new[CRN_ROSTER_KINDS];
} crn_moves;

cairn_status crn_moves_find(const cairn_model *model, const crn_roster *roster, crn_moves *moves);
void crn_moves_free(crn_moves *moves);

#endif
