/* The certificate with memory kept between calls: a warm step allocates nothing. */
#ifndef CRN_SOLVE_CERTIFY_CERTIFY_H
#define CRN_SOLVE_CERTIFY_CERTIFY_H

#include "cairn/solver.h"
#include "solve/auto/islands.h"

typedef struct crn_certifier crn_certifier;

crn_certifier *crn_certifier_create(void);
void crn_certifier_destroy(crn_certifier *certifier);

/* What the problem alone decides: the inverses of A's diagonal blocks, the scales. The islands are the problem's, and must stay
 * as they are until the last judgement; NULL: it is one. The problem must be valid. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_certifier_prepare(crn_certifier *certifier, const cairn_problem *problem, const crn_islands *islands);

/* As cairn_certify, for the problem prepared last. */
void crn_certifier_judge(crn_certifier *certifier, const cairn_problem *problem, const cairn_solution *solution,
                         cairn_certificate *certificate);

/* Both, for a problem that is one island. */
cairn_status crn_certify(crn_certifier *certifier, const cairn_problem *problem, const cairn_solution *solution,
                         cairn_certificate *certificate);

/* The largest scale of the problem prepared last; 0 when a diagonal block of A is singular. */
double crn_certifier_scale(const crn_certifier *certifier);

/* The least scale of an island with contacts or joints, against the largest of all; 1 where there is one island. */
double crn_certifier_spread(const crn_certifier *certifier, const cairn_problem *problem);

/* The scale of each contact's island; NULL: there is one. */
const double *crn_certifier_contact_scales(const crn_certifier *certifier);

/* The effective mass of a contact of the problem prepared last. */
double crn_certifier_mass(crn_certifier *certifier, const cairn_problem *problem, int contact);

#endif
