/* The cubic between two states (Potra et al. 2006, section 7.2). It uses displacement coordinates d relative to q, with
 * d(0) = 0, d'(0) = h v, d(1) = the displacement from q to q_new, and d'(1) = h v_new. In 3D the displacement of a
 * rotation is d = log. Its rate is related to the body's angular velocity by w = d' - 1/2 d x d' + 1/6 d x (d x d'), to
 * third order. */
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

/* out = x + a d x x + b d x (d x x) */
static void twist(const double d[3], const double x[3], double a, double b, double out[3])
{
    double once[3], again[3];
    crn_cross3(d, x, once);
    crn_cross3(d, once, again);
    for (int k = 0; k < 3; ++k)
        out[k] = x[k] + a * once[k] + b * again[k];
}

/* Interpolate one block: convert the end rates to displacement coordinates, evaluate the cubic, and convert its
 * derivative back to a velocity. */
static void interpolate(const double *v, const double *v_new, const double *d_end, int n, bool turns, double h,
                        double tau, double *d, double *velocity)
{
    double end[6];
    for (int i = 0; i < n; ++i)
    {
        double rate = v_new[i];
        if (turns && i == 3)
            twist(d_end + 3, v_new + 3, 0.5, 1.0 / 12, end);
        rate = turns && i >= 3 ? end[i - 3] : rate;
        double t2 = tau * tau, t3 = t2 * tau;
        d[i] = d_end[i] * (3 * t2 - 2 * t3) + h * v[i] * (tau - 2 * t2 + t3) + h * rate * (t3 - t2);
        velocity[i] = d_end[i] * (6 * tau - 6 * t2) / h + v[i] * (1 - 4 * tau + 3 * t2) + rate * (3 * t2 - 2 * tau);
    }
    if (turns)
    {
        double rate[3] = {velocity[3], velocity[4], velocity[5]};
        twist(d + 3, rate, -0.5, 1.0 / 6, velocity + 3);
    }
}

void crn_hermite(cairn_simulation *s, double h, double tau, double *q_out, double *v_out)
{
    assert(h > 0);
    assert(tau >= 0 && tau <= 1);
    const crn_layout *layout = s->layout;
    double *d_end = s->trial.ahead; /* unused between the integrator's stages */
    crn_layout_difference(layout, s->state.q, s->trial.q_new, d_end);
    for (int k = 0; k < layout->block_count; ++k)
    {
        int start = layout->block_start[k];
        int n = layout->block_start[k + 1] - start;
        bool turns = layout->q_start[k + 1] - layout->q_start[k] != n;
        interpolate(s->state.v + start, s->trial.v_new + start, d_end + start, n, turns, h, tau,
                    s->trial.displacement + start, v_out + start);
    }
    memcpy(q_out, s->state.q, (size_t)layout->q_start[layout->block_count] * sizeof(double));
    crn_layout_move(layout, s->trial.displacement, q_out);
}
