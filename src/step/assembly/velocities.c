/* Velocities of an assembled mechanism: the smallest change in the norm of the mass,
 *
 *     min 1/2 dv'M dv     with  G (v + dv) = b,   rates of coordinates as given,   rates of limits that are reached >= 0 .
 *
 * The problem is linear, but the steps are damped a little (fit.h), which takes a few of them, and more where masses differ by a million:
 * then they go on as long as the errors fall. Every step is of the form
 * dv = M^-1 G'c, so their sum is the smallest change too.
 */
#include "step/assembly/fit.h"

#include <assert.h>
#include <math.h>

static const double MU = 1e-9;

enum
{
    STEPS = 60
};

cairn_status crn_fit_velocities(crn_fit *fit)
{
    cairn_simulation *s = fit->s;
    int n = s->layout->block_start[s->layout->block_count];
    fit->rates = true;
    CRN_TRY(crn_fit_linearise(fit));
    for (int k = 0; k < STEPS && fit->worst > 0; ++k)
    {
        double before = fit->worst;
        CRN_TRY(crn_fit_step(fit, MU));
        for (int i = 0; i < n; ++i)
            s->state.v[i] += fit->step[i];
        CRN_TRY(crn_fit_linearise(fit));
        if (fit->worst > (fit->worst > fit->s->settings.projection_tolerance ? 0.9 : 0.5) * before)
            break;
    }
    fit->rate_error = fit->worst;
    return CAIRN_OK;
}
