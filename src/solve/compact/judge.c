/* The certificate of impulses, in double: velocities from the problem's own data and the impulses alone, then the natural map of every
 * contact (residual.h).
 *
 * The scale is that of the general certificate in world axes: the largest speed of a body, and |H| |x| + |w| over the normal rows,
 * x the free velocities. In place of the rows along the two tangents, which a compact contact does not have, it takes the three rows
 * along the axes of the world. Both are the same but for the directions in which components are taken.
 */
#include "solve/compact/judge.h"

#include "math/vec.h"
#include "solve/certify/certifier.h"
#include "solve/compact/packed.h"

#include <assert.h>
#include <float.h>
#include <math.h>

double crn_compact_spin_trace(const double J[9], bool is_planar, const double arm[3])
{
    double turned[3], square = crn_dot3(arm, arm);
    crn_rotate3(J, arm, turned);
    return is_planar ? square * J[8] : square * (J[0] + J[4] + J[8]) - crn_dot3(arm, turned);
}

void crn_compact_note(crn_compact_certificate *certificate, double residual, int contact)
{
    assert(contact >= 0 && residual >= 0.0);
    bool is_worse = residual > certificate->worst || (residual == certificate->worst && contact < certificate->contact);
    if (!is_worse && certificate->contact >= 0)
        return;
    certificate->worst = residual;
    certificate->contact = contact;
}

static double largest_speed(const crn_compact_problem *problem)
{
    double speed = DBL_MIN;
    for (int i = 0; i < problem->body_count; ++i)
        for (int k = 0; k < 3 && !crn_compact_is_prescribed(problem, i); ++k)
            speed = crn_larger(speed, fabs(problem->body[i].v[k]));
    return speed;
}

void crn_compact_judge(const crn_compact_problem *problem, const double (*impulse)[3], crn_compact_body *body,
                       double *residual, crn_compact_certificate *certificate)
{
    assert(impulse || problem->contact_count == 0);
    int lanes = crn_compact_widest(), whole = problem->contact_count / lanes * lanes;
    crn_compact_judges *judges = lanes == 8   ? crn_compact_judges_8
                                 : lanes == 4 ? crn_compact_judges_4
                                              : crn_compact_judges_1;
    *certificate = (crn_compact_certificate){.contact = -1, .scale = largest_speed(problem)};
    crn_compact_velocities(problem, impulse, body);
    judges(problem, impulse, body, 0, whole, residual, certificate);
    crn_compact_judges_1(problem, impulse, body, whole, problem->contact_count, residual, certificate);
    assert(certificate->contact < problem->contact_count);
}
