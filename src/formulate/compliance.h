/* Regularised contacts and joints: rows that yield like a spring and a damper. See compliance.c. */
#ifndef CRN_FORMULATE_COMPLIANCE_H
#define CRN_FORMULATE_COMPLIANCE_H

#include "formulate/assemble.h"

/* Spring and damper of one row. Both 0: the row is rigid. */
typedef struct crn_row_compliance
{
    double k, c; /* N/m, N s/m; angular rows N m/rad, N m s/rad */
} crn_row_compliance;

static inline bool crn_is_soft(crn_row_compliance give)
{
    return give.k > 0 || give.c > 0;
}

/* The spring and damper of a contact, from its two materials in series, and those of a joint's row. */
crn_row_compliance crn_contact_give(const cairn_model *model, const crn_contact *contact);
/* The same along the tangents. */
crn_row_compliance crn_contact_shear_give(const cairn_model *model, const crn_contact *contact);
crn_row_compliance crn_joint_give(const cairn_model *model, int joint, int row);

/* R of a row, 0 if it is rigid, and its bias for a gap (or Theta). one_sided: the row is a contact, which does not
 * touch yet while its gap is positive. */
double crn_row_compliance_of(crn_row_compliance give, double h);
double crn_compliance_bias(crn_row_compliance give, double h, double gap, bool one_sided);

/* Split the impulse r of a row into the parts of the spring and the damper. */
void crn_compliance_parts(crn_row_compliance give, double h, double gap, bool one_sided, double r, double *elastic,
                          double *damping);

/* Reserve space for a number of patches (blocks of R) and values of R in the problem. */
cairn_status crn_reserve_compliance(crn_assembly *assembly, size_t patches, size_t values);
/* Add one block of R per contact, zero if it is rigid. Call this after all contact rows except those of patches have
 * been added. */
cairn_status crn_add_contact_compliance(crn_assembly *assembly, const crn_input *in);
/* Set how rows share the load (problem.weight). Call this after all rows have been added. */
cairn_status crn_add_contact_weights(crn_assembly *assembly, const crn_input *in);
/* Weights of joint rows. Every row is first pushed with the weight of a plain one. It is one half, to match contacts
 * between two materials of weight 1. The rows of the model's joints, which come first, then get their own weights. */
#define CRN_JOINT_WEIGHT 0.5
cairn_status crn_reserve_joint_weights(crn_assembly *assembly, const crn_input *in, size_t rows);
void crn_set_joint_weights(crn_assembly *assembly, const crn_input *in);

#endif
