/* The ledger: a record of a step, piece by piece, as plain data for the audit (src/audit), and summed over the step for
 * queries of contact and joint impulses. */
#ifndef CRN_STEP_ACCOUNT_LEDGER_H
#define CRN_STEP_ACCOUNT_LEDGER_H

#include "audit/audit.h"
#include "base/memory.h"
#include "cairn/simulation.h"

#include <stdatomic.h>

struct crn_stage;
typedef struct crn_twist crn_twist;
typedef struct crn_contact_work crn_contact_work;

/* A contact over a whole step. */
typedef struct crn_total
{
    crn_contact contact; /* as it was last evaluated */
    double impulse[3];   /* N s: world frame; for a gap of a user's system, in its rows */
    double arm_a[3], arm_b[3];
} crn_total;

/* Forces of a step that are chosen when they are read (forces.c). Several threads may read at once: one of them chooses. */
typedef enum crn_forces_state
{
    CRN_FORCES_SETTLED, /* or never waited */
    CRN_FORCES_WAIT,
    CRN_FORCES_IN_CHOICE
} crn_forces_state;

typedef struct crn_ledger
{
    crn_arena memory; /* owns the arrays */
    crn_audit *audit; /* NULL: switched off */
    bool is_asked;    /* the next step, or the last one of the next batch on a device, is to be audited */
    bool is_due;      /* on the processor: the current step is audited */
    /* called with every piece before it is audited; tests inspect and corrupt pieces here */
    void (*watch)(void *data, crn_piece *piece);
    void *watch_data;

    /* the current piece */
    double (*before)[6]; /* per body: velocities at its start, where that is not the start of the step */
    double (*after)[6], (*outer)[6];
    double (*inner)[6];                           /* if there are springs */
    double (*drive_before)[6], (*drive_after)[6]; /* per body: velocities of driven bodies at both ends */
    double (*joint_impulse[CRN_PIECE_PLACES])[CRN_PIECE_JOINT_ROWS]; /* per joint */
    crn_piece_contact *contacts; /* filled only if a glance does not settle the piece */
    int contact_count;
    double (*impulse)[3];         /* N s: world impulses of a stage's contacts */
    crn_twist *twist;             /* of rowless_work.c: per body, in the scratch */
    crn_contact_work *range_work; /* per range of contacts */
    double interpolated;          /* m/s: accuracy of velocities on a curve */
    cairn_energy booked;          /* at the end of the previous piece */

    /* the step */
    double t;
    double (*start)[6]; /* per body: velocities at its start, where those of the state do not serve */
    double projection_missed;
    crn_total *totals, *merged; /* by identity, ascending */
    int total_count;
    double (*joint_total)[CRN_PIECE_JOINT_ROWS];
    double (*joint_last)[CRN_PIECE_JOINT_ROWS]; /* the same in the step before; of this one, if it has chosen others */
    atomic_int forces;                          /* of the last step: a crn_forces_state */
    bool has_chosen;                            /* they have been */
} crn_ledger;

cairn_status crn_ledger_open(cairn_simulation *simulation);
void crn_ledger_close(cairn_simulation *simulation);
/* Audit the overlaps of the initial state. */
void crn_ledger_settle(cairn_simulation *simulation);

/* Begin a step. Contacts must be located. */
cairn_status crn_ledger_begin(cairn_simulation *simulation);
/* The audit reads the contacts of the start where they were found. Before they are overwritten, if they are at this address: copy them.
 * And where contacts were inserted into the list: follow it to where it is. */
cairn_status crn_ledger_vacate(cairn_simulation *simulation, const void *memory);
cairn_status crn_ledger_follow_start(cairn_simulation *simulation, const crn_contact *before, const crn_contact *more,
                                     int more_count);
/* Record a smooth part of length h, or an impact. The velocities v_old -> v and the works are known; positions have not
 * moved yet. */
cairn_status crn_ledger_smooth(cairn_simulation *simulation, double h);
cairn_status crn_ledger_impact(cairn_simulation *simulation);
/* Positions have moved: record the violation that a projection has left. */
void crn_ledger_moved(cairn_simulation *simulation);
/* End a step. Contacts must be located. Fills the physics part of the report. */
void crn_ledger_end(cairn_simulation *simulation, double h);

#endif
