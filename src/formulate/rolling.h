/* Rolling and spinning friction of contacts: bounded rows whose bounds are multiples of the normal impulse. See rolling.c. */
#ifndef CRN_FORMULATE_ROLLING_H
#define CRN_FORMULATE_ROLLING_H

#include "formulate/anchor.h"

/* Which row of a contact: crn_bounded_row.row. */
enum
{
    CRN_ROLLS = 0, /* the row of the plane, or the first in space */
    CRN_ROLLS_TOO, /* the second in space */
    CRN_SPINS,
};

/* m: the lengths by which a contact's normal force is multiplied. */
typedef struct crn_rolling
{
    double rolling, spinning;
} crn_rolling;

crn_rolling crn_contact_rolling(const cairn_model *model, const crn_contact *contact);

/* Add the rows of all contacts. Call this after all contacts have been added. */
cairn_status crn_add_rolling_rows(crn_assembly *assembly, const crn_input *in);

/* N m s, world: the moment of contact j on its first body under the impulses r; the second gets the opposite. */
void crn_contact_moment(const crn_assembly *assembly, int j, const double *r, double moment[3]);

/* In space: turn the two rolling rows of each contact so that the law is that of a disc (rolling.c). r and v are a solution of the
 * assembly's problem, `slow` a speed (m/s) that counts as none. Returns the number of contacts whose rows have turned. */
int crn_align_rolling(crn_assembly *assembly, const double *r, const double *v, double slow);

/* In space: turn the rolling rows of contact j to a moment of the disc, so that it lies within their square. */
void crn_aim_rolling(crn_assembly *assembly, int j, const double moment[3]);

/* The impulses of the rolling rows of contact j that amount to a moment, into the impulses of the assembly's problem. */
void crn_set_moment(const crn_assembly *assembly, int j, const double moment[3], double *r);

/* The direction in which the rolling rows of contact j resist most; 0 where it has none or carries nothing. */
void crn_rolling_direction(const crn_assembly *assembly, int j, const double *r, double direction[3]);

#endif
