/* The certificate with memory kept between calls: a warm step allocates nothing. */
#ifndef CRN_SOLVE_CERTIFY_H
#define CRN_SOLVE_CERTIFY_H

#include "cairn/solver.h"

typedef struct crn_certifier crn_certifier;

crn_certifier *crn_certifier_create(void);
void crn_certifier_destroy(crn_certifier *certifier);

/* What the problem alone decides: the inverses of A's diagonal blocks, the scale. The problem must be valid. CAIRN_NO_MEMORY is
 * the only failure. */
cairn_status crn_certifier_prepare(crn_certifier *certifier, const cairn_problem *problem);

/* As cairn_certify, for the problem prepared last. */
void crn_certifier_judge(crn_certifier *certifier, const cairn_problem *problem, const cairn_solution *solution,
                         cairn_certificate *certificate);

/* Both. */
cairn_status crn_certify(crn_certifier *certifier, const cairn_problem *problem, const cairn_solution *solution,
                         cairn_certificate *certificate);

/* Prepare, and the scale of each group by itself, where the blocks of A, the items of G and the contacts, counted in this order, belong to
 * group[0], group[1] and so on. The problem's own scale is the largest. All 0 when a diagonal block of A is singular.
 * CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_certifier_scales(crn_certifier *certifier, const cairn_problem *problem, const int *group,
                                  int group_count, double *scale);

/* The scale of the problem prepared last; 0 when a diagonal block of A is singular. */
double crn_certifier_scale(const crn_certifier *certifier);

/* The effective mass of a contact of the problem prepared last. */
double crn_certifier_mass(crn_certifier *certifier, const cairn_problem *problem, int contact);

#endif
