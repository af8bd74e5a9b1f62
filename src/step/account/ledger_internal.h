/* Internal functions of the ledger. */
#ifndef CRN_STEP_ACCOUNT_LEDGER_INTERNAL_H
#define CRN_STEP_ACCOUNT_LEDGER_INTERNAL_H

#include "step/simulation.h"

/* Read the velocities of dynamic bodies from v, six numbers each; compute those of driven bodies at both ends of a part
 * of length h; and collect the impulses of external forces, gyroscopic moments and springs in it. In
 * ledger_bodies.c. */
void crn_ledger_read_velocities(const cairn_simulation *simulation, const double *v, double (*out)[6]);
void crn_ledger_read_drives(cairn_simulation *simulation, double h);
cairn_status crn_ledger_read_forces(cairn_simulation *simulation);
/* Whether a force other than gravity and springs acted, or a gyroscopic moment. */
bool crn_ledger_has_forces(const cairn_simulation *simulation);

/* Collect the contacts of all stages that carry an impulse, and the joints of one stage. In ledger_contacts.c. */
cairn_status crn_ledger_read_contacts(cairn_simulation *simulation);
/* The contacts of a compact step. */
crn_acted crn_rowless_contacts(const cairn_simulation *simulation, const crn_stage *stage);
/* The contacts of the piece at its only place, with their impulses in the world. */
cairn_status crn_ledger_list_contacts(cairn_simulation *simulation, crn_acted *out);
void crn_ledger_read_joints(cairn_simulation *simulation, int place);
/* The impulse of a contact of a stage, times the stage's weight, in the world frame; for a gap of a user's system, in
 * its rows. */
void crn_world_impulse(const crn_stage *stage, int j, crn_last_tangents *last, double out[3]);

/* Merge the contacts of a stage into the totals of the step, in ledger_totals.c. */
cairn_status crn_ledger_add_totals(cairn_simulation *simulation, const crn_stage *stage);

#endif
