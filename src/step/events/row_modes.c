/* Modes of the bounded rows of joints other than limits, as those of contacts are in transitions.c: friction and drives with a
 * largest force. Between its bounds a row holds its rate; at a bound the rate has the sign of that bound's side:
 *
 *     between    lo < f < hi           F = the smaller distance to a bound, relative to half their distance
 *     at a bound  s keeps its sign     F = s / (s at the start)
 *
 * with s = B v + w + R z. The force f is the row's impulse per time, in the problem's units.
 */
#include "formulate/compliance.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

/* Whether the two bounds are one: the force is given. */
static bool is_given(const cairn_bound *bound)
{
    return bound->lo == bound->hi;
}

crn_contact_mode crn_read_row_mode(const cairn_simulation *s, const crn_stage *stage, int j)
{
    const crn_bounded_row *row = crn_bounded_of(&stage->assembly, j);
    const cairn_problem *problem = &stage->assembly.problem;
    assert(row && !row->is_limit && problem->bound);
    const cairn_bound *bound = &problem->bound[j];
    double z = stage->solution.r[j * problem->dim], near = 1e-9 * fmax(fabs(bound->lo), fabs(bound->hi));
    crn_row_compliance give = {row->k, row->c};
    double R = crn_row_compliance_of(give, stage->h) * row->length * row->length;
    double rate = crn_contact_rate(s, stage, j, 0, stage->solution.v) - stage->assembly.contact_drive[j][0] +
                  problem->w[j * problem->dim] + R * z;
    crn_contact_mode mode = {.identity = stage->assembly.active[j].identity, .u_t = {rate, 0}, .speed = fabs(rate)};
    mode.hold.mode = z >= bound->hi - near ? CRN_MODE_AT_HI : z <= bound->lo + near ? CRN_MODE_AT_LO : CRN_MODE_BETWEEN;
    return mode;
}

/* Forces follow the state, continuously also where they reach their limits. They cause no events, and are held as they are now: given,
 * or at a limit that they were at. */
static bool is_force(const crn_stage *stage, int j)
{
    const crn_bounded_row *row = crn_bounded_of(&stage->assembly, j);
    return row && row->is_force;
}

crn_hold crn_row_hold(const crn_stage *stage, int j, const crn_contact_mode *old)
{
    const cairn_bound *bound = &stage->assembly.problem.bound[j];
    crn_hold hold = {is_given(bound) ? CRN_MODE_AT_HI : CRN_MODE_BETWEEN, {0, 0}};
    if (!old || (is_force(stage, j) && is_given(bound)))
        return hold;
    double limit = old->hold.mode == CRN_MODE_AT_HI ? bound->hi / stage->h : bound->lo / stage->h;
    bool there = fabs(old->force[0] - limit) <= 1e-6 * fabs(limit);
    return is_force(stage, j) && !(isfinite(limit) && there) ? hold : old->hold;
}

bool crn_row_changed(const crn_stage *stage, int j, const crn_contact_mode *old, const crn_contact_mode *now,
                     cairn_event_kind *kind)
{
    if (is_force(stage, j))
        return false;
    *kind = now->hold.mode == CRN_MODE_BETWEEN   ? CAIRN_EVENT_STICK
            : old->hold.mode == CRN_MODE_BETWEEN ? CAIRN_EVENT_SLIP
                                                 : CAIRN_EVENT_TURN;
    return old->hold.mode != now->hold.mode;
}

double crn_row_feasibility(const cairn_simulation *s, const crn_stage *stage, const crn_contact_mode *old, int j,
                           double force)
{
    const cairn_bound *bound = &stage->assembly.problem.bound[j];
    if (is_given(bound) || is_force(stage, j))
        return INFINITY;
    if (old->hold.mode == CRN_MODE_BETWEEN)
    {
        double lo = bound->lo / stage->h, hi = bound->hi / stage->h, half = 0.5 * (hi - lo);
        return isfinite(half) ? fmin(hi - force, force - lo) / half : INFINITY;
    }
    double now = crn_read_row_mode(s, stage, j).u_t[0];
    return old->speed > 0 ? now * old->u_t[0] / (old->speed * old->speed) : INFINITY;
}
