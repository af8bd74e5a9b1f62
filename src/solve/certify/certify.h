/* The certificate, with memory kept between calls: a warm step allocates nothing. */
#ifndef CRN_SOLVE_CERTIFY_CERTIFY_H
#define CRN_SOLVE_CERTIFY_CERTIFY_H

#include "cairn/solver.h"
#include "solve/auto/islands.h"

typedef struct crn_certifier crn_certifier;

crn_certifier *crn_certifier_create(void);
void crn_certifier_destroy(crn_certifier *certifier);

/* Compute what depends on the problem alone: the inverses of A's diagonal blocks, and the scales. islands: of the problem,
 * unchanged until the last judgement; NULL: it is one island. The problem must be valid. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_certifier_prepare(crn_certifier *certifier, const cairn_problem *problem, const crn_islands *islands);

/* Whether residuals of the problem prepared last are computed in double: rounding is then some 1e-15 of the scale, and the judgement of
 * a mechanism takes a fraction of the time. Only for contacts without compliance. */
void crn_certifier_set_plain(crn_certifier *certifier, bool plain);

/* Like cairn_certify, for the problem prepared last. */
void crn_certifier_judge(crn_certifier *certifier, const cairn_problem *problem, const cairn_solution *solution,
                         cairn_certificate *certificate);

/* Set v to the velocities A^-1 (p + H'r) that the impulses r cause, and judge both, for little more than the judgement. False,
 * and nothing is done, where v takes a factorisation: with joints, or where A couples bodies. */
bool crn_certifier_judge_impulses(crn_certifier *certifier, const cairn_problem *problem, cairn_solution *solution,
                                  cairn_certificate *certificate);

/* Prepare and judge a problem that is one island. */
cairn_status crn_certify(crn_certifier *certifier, const cairn_problem *problem, const cairn_solution *solution,
                         cairn_certificate *certificate);

/* The largest scale of the problem prepared last; 0 when a diagonal block of A is singular. */
double crn_certifier_scale(const crn_certifier *certifier);

/* The least scale of an island with contacts or joints, relative to the largest of all; 1 where there is one island. */
double crn_certifier_spread(const crn_certifier *certifier, const cairn_problem *problem);

/* Per contact the scale of its island; NULL: there is only one island. */
const double *crn_certifier_contact_scales(const crn_certifier *certifier);

/* The effective mass of a contact of the problem prepared last. */
double crn_certifier_mass(crn_certifier *certifier, const cairn_problem *problem, int contact);

#endif
