#include "solve/sweep/rigid_turns.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Relative to the largest |M|: what the rows of rigid contacts may be off by. */
static const double ROUNDING = 1e-9;

static const double UNTURNED[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

void crn_rigid_turn_offer(crn_rigid_turn *turn, const double M[9])
{
    double square = crn_dot(9, M, M);
    if (square <= turn->most)
        return;
    turn->most = square;
    memcpy(turn->at, M, sizeof turn->at);
}

/* The unit vector normal to three vectors of a plane, `stride` apart; their numbers `step` apart. */
static void normal_of(const double *M, int stride, int step, double out[3])
{
    double best = -1.0;
    for (int i = 0; i < 3; ++i)
    {
        const double *p = M + (i + 1) % 3 * stride, *q = M + (i + 2) % 3 * stride;
        double x[3] = {p[0], p[step], p[2 * step]}, y[3] = {q[0], q[step], q[2 * step]}, normal[3];
        crn_cross3(x, y, normal);
        double square = crn_dot3(normal, normal);
        if (square > best)
            crn_scale3(square > 0.0 ? 1.0 / sqrt(square) : 0.0, normal, out);
        best = square > best ? square : best;
    }
}

void crn_rigid_turn_settle(crn_rigid_turn *turn)
{
    const double *M = turn->at;
    double a[3], x[3], y[2][3], z[2][3], along[3], turned[3];
    memcpy(turn->turn[0], UNTURNED, sizeof UNTURNED);
    memcpy(turn->turn[1], UNTURNED, sizeof UNTURNED);
    turn->deviation[0] = turn->deviation[1] = 0.0;
    if (!(turn->most > 0.0))
        return;
    normal_of(M, 1, 3, a); /* normal to the columns */
    normal_of(M, 3, 1, x); /* and to the rows */
    if (!crn_is_unit3(a) || !crn_is_unit3(x))
    {
        turn->deviation[0] = turn->deviation[1] = INFINITY;
        return;
    }
    crn_tangents(x, y[0], y[1]);
    crn_cross3(x, y[0], y[1]); /* y_1, y_2, x are right-handed */
    for (int k = 0; k < 2; ++k)
    {
        crn_rotate3(M, y[k], turned);
        crn_cross3(a, turned, z[k]);
        crn_scale3(1.0 / sqrt(0.5 * turn->most), z[k], z[k]);
    }
    crn_cross3(z[0], z[1], along);
    for (int i = 0; i < 9; ++i)
    {
        double across = z[0][i / 3] * y[0][i % 3] + z[1][i / 3] * y[1][i % 3], rest = along[i / 3] * x[i % 3];
        turn->turn[0][i] = across + rest;
        turn->turn[1][i] = rest - across;
    }
}

/* N = -M R' */
static void product(const double M[9], const double R[9], double N[9])
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            N[3 * i + k] = -crn_dot3(M + 3 * i, R + 3 * k);
}

void crn_rigid_turn_test(crn_rigid_turn *turn, const double M[9])
{
    for (int s = 0; s < 2; ++s)
    {
        double N[9];
        product(M, turn->turn[s], N);
        for (int i = 0; i < 9; ++i)
            turn->deviation[s] = fmax(turn->deviation[s], fabs(N[i] + N[i % 3 * 3 + i / 3]));
    }
}

const double *crn_rigid_turn_of(const crn_rigid_turn *turn)
{
    int better = turn->deviation[1] < turn->deviation[0];
    return turn->deviation[better] <= ROUNDING * sqrt(turn->most) ? turn->turn[better] : NULL;
}

void crn_rigid_arm(const double M[9], const double R[9], double arm[3])
{
    double N[9];
    product(M, R, N);
    for (int k = 0; k < 3; ++k)
        arm[k] = 0.5 * (N[(k + 2) % 3 * 3 + (k + 1) % 3] - N[(k + 1) % 3 * 3 + (k + 2) % 3]);
}
