/* Regularised contacts and joints: rows that give way like a spring and a damper. See compliance.c. */
#ifndef CRN_FORMULATE_COMPLIANCE_H
#define CRN_FORMULATE_COMPLIANCE_H

#include "formulate/assemble.h"

/* One row's spring and damper; k = 0: it is rigid. */
typedef struct crn_row_compliance
{
    double k, c; /* N/m, N s/m; angular rows N m/rad, N m s/rad */
} crn_row_compliance;

/* Of the two materials of a contact in series; and of a joint's row. */
crn_row_compliance crn_contact_give(const cairn_model *model, const crn_contact *contact);
crn_row_compliance crn_joint_give(const cairn_model *model, int joint, int row);

/* R of a row, 0 when rigid; and its bias for a gap (or Theta). one_sided: a contact, which is not yet touched where the gap is
 * positive. */
double crn_row_compliance_of(crn_row_compliance give, double h);
double crn_compliance_bias(crn_row_compliance give, double h, double gap, bool one_sided);

/* The impulse r of a row in parts: what the spring and what the damper gave. */
void crn_compliance_parts(crn_row_compliance give, double h, double gap, bool one_sided, double r, double *elastic,
                          double *damping);

/* Room for so many patches (blocks of R) and values of R in the problem. */
cairn_status crn_reserve_compliance(crn_assembly *assembly, size_t patches, size_t values);
/* Once all contact rows but those of patches are there: one block of R a contact, zero where it is rigid. */
cairn_status crn_add_contact_compliance(crn_assembly *assembly, const crn_input *in);
/* Once all are there: how the load is shared (problem.weight). */
cairn_status crn_add_contact_weights(crn_assembly *assembly, const crn_input *in);
/* Weights of joint rows. Every row is pushed with the weight of a plain one, which stands beside contacts of two materials of
 * weight 1, hence the half; those of the model's joints, which are the first rows, then get their own. */
#define CRN_JOINT_WEIGHT 0.5
cairn_status crn_reserve_joint_weights(crn_assembly *assembly, const crn_input *in, size_t rows);
void crn_set_joint_weights(crn_assembly *assembly, const crn_input *in);

#endif
