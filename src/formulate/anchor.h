/* The tangential springs of compliant contacts (docs/forces.md): how far each is stretched, carried from step to step. */
#ifndef CRN_FORMULATE_ANCHOR_H
#define CRN_FORMULATE_ANCHOR_H

#include "formulate/compliance.h"

/* The memory of one contact: its spring, which is stretched across the normal and turns with it, and the way it rolls. */
typedef struct crn_anchor
{
    uint64_t identity; /* that of the contact */
    double stretch[3]; /* m, world: of a against b */
    double roll[3];    /* world, unit or 0: the direction of its rolling rows (rolling.h) */
    double normal[3];  /* of the contact, where the others were found */
} crn_anchor;

/* All contacts that have one, ascending by identity. Steps only read `now`; an accepted step writes `next` and swaps the two. */
typedef struct crn_anchors
{
    crn_anchor *now, *next;
    int count, next_count;
    size_t capacity, next_capacity;
    int turns;                  /* 0 or 1, toggled by each advance */
    double energy, energy_next; /* J, elastic, of each list */
} crn_anchors;

void crn_anchors_free(crn_anchors *anchors);

/* Where the spring of a contact is at the start of a step and how it moves under the tangential impulse r:
 *
 *     stretch+ = stretch + h rate,     rate = -(R r + w),     elastic = -h k stretch+ .
 */
typedef struct crn_anchor_motion
{
    crn_row_compliance give;
    double stretch[2], rate[2]; /* m, m/s, along the contact's tangents */
    double end[2], elastic[2];  /* m, N s */
} crn_anchor_motion;

/* The stretch of a contact's spring along its tangents; 0 where it has none yet. */
void crn_anchor_stretch(const crn_anchors *anchors, const crn_contact *contact, int dim, double stretch[2]);
/* The direction of a contact's rolling rows; false: it has none yet. */
bool crn_anchor_roll(const crn_anchors *anchors, const crn_contact *contact, double direction[3]);
crn_anchor_motion crn_anchor_move(const crn_anchors *anchors, const cairn_model *model, const crn_contact *contact,
                                  const double r[2], double h);

/* Advance all springs over a step h with the impulses r of the assembly's contacts. turn(data, contact) is the angle by which
 * the surfaces turn about the contact's normal in the step. If memory runs out, nothing changes. */
cairn_status crn_anchors_advance(crn_anchors *anchors, const crn_input *in, const crn_assembly *assembly,
                                 const double *r, double (*turn)(const void *data, const crn_contact *contact),
                                 const void *data);

/* Restore what was before the last advance. This works once per advance. */
void crn_anchors_turn_back(crn_anchors *anchors);

#endif
