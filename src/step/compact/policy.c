/* How many sweeps a compact step takes.
 *
 * With a warm start, the errors of a step do not add up to the next: a few sweeps in every step hold a heap as well as many in each. Sweeps
 * end early once the largest change of a contact's velocity is a small part of what gravity gives in a step.
 */
#include "math/vec.h"
#include "step/simulation.h"

#include <math.h>

enum
{
    BALANCED_SWEEPS = 20,
    FAST_SWEEPS = 8,
    AT_A_TIME = 4
};

static const double ENOUGH = 1e-6; /* of g h */

int crn_compact_policy(cairn_simulation *s, double h)
{
    int most = s->settings.accuracy == CAIRN_ACCURACY_FAST ? FAST_SWEEPS : BALANCED_SWEEPS, taken = 0;
    double target = ENOUGH * h * crn_norm3(s->state.gravity), change = INFINITY;
    while (taken < most && change > target)
    {
        change = crn_compact_sweep(s->compact.sweeps, AT_A_TIME);
        taken += AT_A_TIME;
    }
    return taken;
}
