/* The certificate of impulses, in double: velocities from the problem's own data and the impulses alone, then the natural map of every
 * contact (residual.h).
 *
 * The scale is that of the general certificate in world axes: the largest speed of a body, and |H| |x| + |w| over the normal rows,
 * x the free velocities. In place of the rows along the two tangents, which a compact contact does not have, it takes the three rows
 * along the axes of the world. Both are the same but for the directions in which components are taken.
 */
#include "solve/compact/judge.h"

#include "base/parallel_ranges.h"
#include "math/vec.h"
#include "solve/certify/certifier.h"
#include "solve/compact/packed.h"

#include <assert.h>
#include <float.h>
#include <math.h>

void crn_compact_note(crn_compact_certificate *certificate, double residual, int contact)
{
    assert(contact >= 0 && residual >= 0.0);
    bool is_worse = residual > certificate->worst || (residual == certificate->worst && contact < certificate->contact);
    if (!is_worse && certificate->contact >= 0)
        return;
    certificate->worst = residual;
    certificate->contact = contact;
}

/* Of the bodies of a part. */
static double largest_speed(const crn_compact_problem *problem, int parts, int part)
{
    double speed = DBL_MIN;
    int end = (int)crn_part((size_t)problem->body_count, parts, part + 1);
    for (int i = (int)crn_part((size_t)problem->body_count, parts, part); i < end; ++i)
        for (int k = 0; k < 3 && !crn_compact_is_prescribed(problem, i); ++k)
            speed = crn_larger(speed, fabs(problem->body[i].v[k]));
    return speed;
}

/* Contacts that are judged part by part. */
typedef struct judging
{
    const crn_compact_problem *problem;
    const double (*impulse)[3];
    const crn_compact_body *body;
    double *residual;
    int parts;
    crn_compact_certificate found[CRN_COMPACT_SHARES];
} judging;

/* Whole groups as wide as the processor allows, and the rest one by one. */
static void judge_part(void *data, int part)
{
    judging *j = data;
    int lanes = crn_compact_widest(), count = j->problem->contact_count / lanes;
    int first = lanes * (int)crn_part((size_t)count, j->parts, part);
    int end = lanes * (int)crn_part((size_t)count, j->parts, part + 1);
    crn_compact_judges *judges = lanes == 8   ? crn_compact_judges_8
                                 : lanes == 4 ? crn_compact_judges_4
                                              : crn_compact_judges_1;
    crn_compact_certificate *found = &j->found[part];
    *found = (crn_compact_certificate){.contact = -1, .scale = largest_speed(j->problem, j->parts, part)};
    judges(j->problem, j->impulse, j->body, first, end, j->residual, found);
    if (part == j->parts - 1)
    {
        crn_compact_judges_1(j->problem, j->impulse, j->body, end, j->problem->contact_count, j->residual, found);
        end = j->problem->contact_count;
    }
    if (j->problem->rolling)
        crn_compact_judge_rolling(j->problem, j->impulse, j->body, first, end, j->residual, found);
}

void crn_compact_judge(const crn_compact_problem *problem, const double (*impulse)[3], crn_compact_body *body,
                       double *residual, crn_compact_certificate *certificate)
{
    assert(impulse || problem->contact_count == 0);
    judging j = {.problem = problem,
                 .impulse = impulse,
                 .body = body,
                 .residual = residual,
                 .parts = crn_compact_shares(problem)};
    *certificate = (crn_compact_certificate){.contact = -1};
    crn_compact_velocities(problem, impulse, body);
    crn_in_parts(j.parts, judge_part, &j);
    for (int part = 0; part < j.parts; ++part)
    {
        const crn_compact_certificate *found = &j.found[part];
        if (found->contact >= 0)
            crn_compact_note(certificate, found->worst, found->contact);
        certificate->normal = fmax(certificate->normal, found->normal);
        certificate->scale = fmax(certificate->scale, found->scale);
    }
    assert(certificate->contact < problem->contact_count);
}
