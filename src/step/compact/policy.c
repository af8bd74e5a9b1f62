/* How many sweeps a compact step takes.
 *
 * With a warm start, the errors of a step do not add up to the next: a few sweeps in every step hold a heap as well as hundreds in
 * each. What a step leaves of the contact laws becomes overlap, of which the next ones push out a share (PUSH_SHARE in view.c): a mean
 * residual of u leaves a mean overlap of about h u / PUSH_SHARE. So `balanced` sweeps until the mean residual of all contacts is
 *
 *     u <= 0.01 g h + 0.002 v ,
 *
 * v being the mean speed of the bodies: at rest this is an overlap of 5 % of g h^2, far below the promised 1e-4 of a radius, and
 * what moves fast need not be known more precisely than it moves. It takes no more than MOST sweeps; `fast` always takes FAST. Both
 * are counted, not timed, so that results do not depend on the machine.
 */
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

enum
{
    FAST = 8,
    FIRST = 16, /* sweeps before the first look at the residuals, which costs as much as two */
    NEXT = 8,
    MOST = 64
};

static const double OF_GRAVITY = 1e-2, OF_SPEED = 2e-3;

static double mean_of(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += x[i];
    return count > 0 ? sum / count : 0.0;
}

/* m/s: mean over the dynamic bodies, before the step. */
static double mean_speed(const crn_compact_scratch *c)
{
    double sum = 0;
    int count = 0;
    for (int b = 0; b < c->problem.body_count; ++b)
    {
        sum += c->before[b].inverse_mass > 0 ? crn_norm3(c->before[b].v) : 0.0;
        count += c->before[b].inverse_mass > 0;
    }
    return count > 0 ? sum / count : 0.0;
}

int crn_compact_policy(cairn_simulation *s, double h, const crn_compact_problem *problem, double (*impulse)[3],
                       crn_compact_certificate *certificate)
{
    assert(problem->contact_count > 0);
    crn_compact_scratch *c = &s->compact;
    bool is_fast = s->settings.accuracy == CAIRN_ACCURACY_FAST;
    int most = is_fast ? FAST : MOST, next = is_fast ? FAST : FIRST, taken = 0;
    double target = OF_GRAVITY * h * crn_norm3(s->state.gravity) + OF_SPEED * mean_speed(c), mean;
    do
    {
        crn_compact_sweep(c->sweeps, next);
        taken += next;
        next = NEXT;
        crn_compact_store(c->sweeps, impulse, NULL);
        crn_compact_judge(problem, (const double(*)[3])impulse, c->after, c->residual, certificate);
        mean = mean_of(c->residual, problem->contact_count);
    } while (taken + next <= most && mean > target);
    return taken;
}
