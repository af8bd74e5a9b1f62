/* Semismooth Newton on the natural map, to finish what path following began.
 *
 * Near a solution where x and y lie on the boundary of the cone, the path's equations lose their digits: the iterates are
 * off the path by an angle of order sqrt(tau). The natural map has no such trouble. With z = r - rho u (u with the
 * convexity gap where the law is exact) and D the derivative of the projection P_K at z, F = r - P_K(z) has
 *
 *     dF = (I - D) dr + rho D J (H dv + R dr),      J = I, or I + mu e_0 (0, u_t' / |u_t|) for the exact law,
 *
 * which is the Newton system with T = rho D J and Theta = (I - D) S. Redundant contacts make it singular; D's share of
 * dr is therefore weighted by epsilon, a proximal step that leaves the solution where it is: Theta = (I - D + epsilon D)
 * S. After a step that makes things worse epsilon is made larger. D is symmetric with eigenvalues in [0, 1], so H'S Theta^-1 T H is positive semidefinite for J = I.
 *
 * D: I inside K, 0 inside the polar cone, and between them, with t = z_t / |z_t| and a = (z_n + mu |z_t|) / (1 + mu^2),
 *
 *     D = (1, mu t)(1, mu t)' / (1 + mu^2) + (mu a / |z_t|) (I_t - t t') .
 */
#include "base/clock.h"
#include "math/cylinder.h"
#include "solve/auto/bounded.h"
#include "solve/newton/interior_point.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double GROWTH = 100.0; /* of epsilon at a setback; back again after a success */

enum
{
    MAX_STEPS = 60,
    MAX_SETBACKS = 3, /* steps in a row that made it worse */
    LAP = 6           /* steps in which the error must fall to LAP_GAIN of what it was */
};

static const double LAP_GAIN = 0.3;

void crn_ip_differentiate(int size, double mu, const double *z, double D[9])
{
    assert(size >= 1 && size <= 3);
    assert(mu >= 0.0);
    memset(D, 0, 9 * sizeof(double));
    double slip = size > 1 ? crn_ip_slip(size, z) : 0.0;
    mu = size > 1 ? mu : 0.0;
    if (slip <= mu * z[0] && z[0] > 0.0)
    {
        D[0] = D[4] = D[8] = 1.0;
        return;
    }
    if (mu * slip <= -z[0] || slip == 0.0)
        return;
    double t[3] = {1.0, mu * z[1] / slip, size == 3 ? mu * z[2] / slip : 0.0};
    double across = mu * (z[0] + mu * slip) / (1.0 + mu * mu) / slip;
    for (int i = 0; i < size; ++i)
    {
        for (int k = 0; k < size; ++k)
        {
            double turned = i > 0 && k > 0 ? (i == k) - t[i] * t[k] / (mu * mu) : 0.0;
            D[3 * i + k] = t[i] * t[k] / (1.0 + mu * mu) + across * turned;
        }
    }
}

void crn_ip_differentiate_on(const cairn_problem *problem, int j, int size, const double *z, double D[9])
{
    assert(j >= 0 && j < problem->contact_count);
    if (crn_is_row(problem, j))
    {
        memset(D, 0, 9 * sizeof(double));
        D[0] = z[0] > problem->bound[j].lo && z[0] < problem->bound[j].hi ? 1.0 : 0.0;
        return;
    }
    if (problem->law.kind == CAIRN_LAW_LAGGED)
        crn_cylinder_differentiate(size, problem->radius[j], z, D);
    else
        crn_ip_differentiate(size, problem->mu[j], z, D);
}

/* T = rho D J; the gap's derivative only where the contact slides. */
static void find_tilt(const crn_ip_state *state, int j, const double D[9], bool tilted, double T[9])
{
    int dim = state->problem->dim;
    int size = state->layout.first[j + 1] - state->layout.first[j];
    const double *u = state->u + j * dim;
    double slip = crn_ip_slip(dim, u);
    bool slides = tilted && size > 1 && slip > 0.0 && D[0] < 1.0;
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            double gap = slides && k > 0 && k < size ? D[3 * i] * state->problem->mu[j] * u[k] / slip : 0.0;
            T[3 * i + k] = state->layout.rho[j] * (D[3 * i + k] + gap);
        }
    }
}

/* The blocks of all contacts and the right-hand side -F. */
static void linearise(crn_ip_state *state, crn_ip_blocks *blocks, bool tilted, double epsilon)
{
    assert(epsilon > 0.0);
    for (int j = 0; j < state->layout.cones; ++j)
    {
        int first = state->layout.first[j];
        double moved[3] = {0.0, 0.0, 0.0};
        double map[3] = {0.0, 0.0, 0.0};
        double D[9];
        blocks[j].size = state->layout.first[j + 1] - first;
        crn_ip_natural_map(state, j, moved, map);
        crn_ip_differentiate_on(state->problem, j, blocks[j].size, moved, D);
        find_tilt(state, j, D, tilted, blocks[j].T);
        for (int i = 0; i < blocks[j].size; ++i)
        {
            for (int k = 0; k < blocks[j].size; ++k)
            {
                double own = (i == k) - (1.0 - epsilon) * D[3 * i + k];
                blocks[j].Theta[3 * i + k] = own * state->layout.S[first + k];
            }
            state->right.x[first + i] = -map[i];
        }
    }
}

static cairn_status factorise(crn_ip_state *state, crn_ip_system *system, crn_ip_blocks *blocks, double epsilon)
{
    cairn_status status = CAIRN_NUMERIC;
    if (state->exact)
    {
        linearise(state, blocks, true, epsilon);
        status = crn_ip_system_factorise(system, false, false);
    }
    if (status == CAIRN_NUMERIC)
    {
        linearise(state, blocks, false, epsilon);
        status = crn_ip_system_factorise(system, false, false);
    }
    return status;
}

double crn_ip_polish(crn_ip_state *state, crn_ip_system *system, crn_ip_blocks *blocks, crn_ip_vector *step,
                     crn_ip_vector *best, double target, double least_epsilon, int *iterations)
{
    assert(least_epsilon > 0.0);
    assert(system->layout == &state->layout);
    double least = INFINITY;
    double lap = INFINITY;
    double epsilon = least_epsilon;
    int setbacks = 0;
    for (int i = 0;; ++i)
    {
        double error = crn_ip_judge(state);
        bool better = error < least;
        setbacks = better ? 0 : setbacks + 1;
        if (better)
        {
            least = error;
            epsilon = fmax(least_epsilon, epsilon / GROWTH);
            crn_ip_copy(state, &state->now, best);
        }
        else
        {
            epsilon *= GROWTH;
        }
        bool stalled = setbacks > MAX_SETBACKS || (i > 0 && i % LAP == 0 && !(least < LAP_GAIN * lap));
        lap = i % LAP == 0 ? least : lap;
        bool over = stalled || i == MAX_STEPS || crn_is_late(state->deadline);
        if (least <= target || over || factorise(state, system, blocks, epsilon))
        {
            crn_ip_copy(state, best, &state->now);
            return least;
        }
        crn_ip_system_solve(system, &state->right, step);
        crn_ip_move(state, 1.0, step);
        ++*iterations;
    }
}
