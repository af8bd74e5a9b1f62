/* Joints that contradict each other.
 *
 * Loops of joints are often redundant: rows G_d = C G_k of G follow from others. Where their required rates do not, b_d != C b_k,
 * as in a robot whose file gives its loops to seven digits, no velocity satisfies both, whatever the contacts do. The factorisation
 * keeps the rows k and drops the rows d (linalg/saddle.h). So G_k v = b_k, and |G_d v - b_d| = |C b_k - b_d| is the same for every
 * impulse r, in particular for r = 0. Other velocities could share the contradiction among the rows, but not remove it.
 *
 * This floor is known after one solution without contacts. A solution that is as good as the tolerance asks in everything else, or within
 * SHARE of the floor, is then the answer: it misses the tolerance, and no search gets nearer.
 */
#include "solve/auto/attempt.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* What contacts may miss, as a share of what the joints contradict each other by. */
static const double SHARE = 0.01;
static const double ROUNDING = 1e-13;

double crn_attempt_excess(const crn_attempt *attempt, const cairn_certificate *certificate)
{
    if (attempt->floor == 0.0 || !isfinite(certificate->relative))
        return certificate->relative;
    double rest = fmax(certificate->natural_map, certificate->dynamics);
    return fmax(rest, certificate->joint - attempt->floor) / certificate->scale;
}

bool crn_attempt_is_contradicted(const crn_attempt *attempt)
{
    const cairn_certificate *found = &attempt->report.certificate;
    if (attempt->floor == 0.0 || !isfinite(found->relative))
        return false;
    return crn_attempt_excess(attempt, found) <= fmax(attempt->tolerance, SHARE * attempt->floor / found->scale);
}

cairn_status crn_attempt_find_contradiction(crn_attempt *attempt)
{
    const cairn_certificate *found = &attempt->report.certificate;
    cairn_solution *trial = &attempt->trial;
    cairn_certificate without;
    bool missed = isfinite(found->relative) && found->joint > attempt->tolerance * found->scale;
    if (!missed || attempt->islands || crn_attempt_is_done(attempt))
        return CAIRN_OK;
    cairn_status status = crn_reduction_factorise(&attempt->reduction, attempt->problem);
    if (status || crn_saddle_dropped_rows(attempt->reduction.saddle) == 0)
        return status == CAIRN_NO_MEMORY ? status : CAIRN_OK; /* the methods that follow say what is wrong */
    memset(trial->r, 0, (size_t)trial->contact_rows * sizeof(double));
    crn_recover(&attempt->reduction, attempt->problem, NULL, trial->v, trial->c);
    CRN_TRY(crn_attempt_prepare_certifier(attempt));
    crn_certifier_judge(attempt->certifier, attempt->problem, trial, &without);
    if (isfinite(without.joint) && without.joint > fmax(attempt->tolerance, ROUNDING) * without.scale)
        attempt->floor = without.joint;
    assert(attempt->floor >= 0.0);
    return CAIRN_OK;
}
