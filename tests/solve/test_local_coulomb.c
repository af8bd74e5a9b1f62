/* The law of one contact: exact local solves against a scan of all directions of slip, and the projection on the cone
 * against Moreau's theorem. */
#include "support/check.h"
#include "support/problems/random_problem.h"

#include <stdlib.h>
#include <string.h>

#include "solve/sweep/local_coulomb.h"

typedef struct local_case
{
    double W[9], q[3], mu;
} local_case;

/* W = L L' + 0.05 1 + skew, entries of size 1. */
static local_case random_case(test_random *random, int dim, double skew, double mu)
{
    local_case out = {.mu = test_uniform(random, 0.0, mu)};
    double L[9];
    for (int i = 0; i < dim * dim; ++i)
        L[i] = test_uniform(random, -1.0, 1.0);
    for (int i = 0; i < dim; ++i)
    {
        for (int j = 0; j < dim; ++j)
        {
            double sum = i == j ? 0.05 : 0.0;
            for (int k = 0; k < dim; ++k)
                sum += L[i * dim + k] * L[j * dim + k];
            out.W[i * dim + j] = sum + skew * (L[i * dim + j] - L[j * dim + i]);
        }
        out.q[i] = test_uniform(random, -1.0, i == 0 ? 0.8 : 1.0);
    }
    return out;
}

static void velocity(int dim, const local_case *c, const double *r, double *u)
{
    for (int i = 0; i < dim; ++i)
    {
        u[i] = c->q[i];
        for (int j = 0; j < dim; ++j)
            u[i] += c->W[i * dim + j] * r[j];
    }
}

static double length(int dim, const double *x)
{
    return dim == 3 ? hypot(x[1], x[2]) : fabs(x[1]);
}

/* How far (u, r) is from the law, written out condition by condition. */
static double violation(int dim, crn_local_law law, double mu, const double *u, const double *r)
{
    double worst = fmax(fmax(0.0, -r[0]), length(dim, r) - mu * r[0]);
    double power = 0.0;
    for (int k = 1; k < dim; ++k)
        power += u[k] * r[k];
    if (law == CRN_LOCAL_CONVEX)
    {
        worst = fmax(worst, mu * length(dim, u) - u[0]);
        return fmax(worst, fabs(u[0] * r[0] + power));
    }
    worst = fmax(fmax(worst, -u[0]), fabs(u[0] * r[0]));
    return fmax(worst, fabs(power + mu * r[0] * length(dim, u))); /* friction dissipates all it can */
}

/* The slip impulse along the direction `angle`, and how far u_t is from lying along it. */
static double slip_at(const local_case *c, crn_local_law law, double angle, double *r)
{
    double g[3] = {1.0, c->mu * cos(angle), c->mu * sin(angle)};
    double Wg[3], u[3];
    local_case without = *c;
    memset(without.q, 0, sizeof without.q);
    velocity(3, &without, g, Wg);
    double a = law == CRN_LOCAL_CONVEX ? g[0] * Wg[0] + g[1] * Wg[1] + g[2] * Wg[2] : Wg[0];
    double b = law == CRN_LOCAL_CONVEX ? g[0] * c->q[0] + g[1] * c->q[1] + g[2] * c->q[2] : c->q[0];
    for (int k = 0; k < 3; ++k)
        r[k] = -b / a * g[k];
    velocity(3, c, r, u);
    return cos(angle) * u[2] - sin(angle) * u[1];
}

/* The smallest distance of r from any slip the scan of all directions finds to hold. */
static double distance_to_scan(const local_case *c, crn_local_law law, const double *r)
{
    enum
    {
        STEPS = 1440
    };
    double nearest = INFINITY;
    double trial[3], u[3];
    for (int k = 0; k < STEPS; ++k)
    {
        double low = 2.0 * M_PI * k / STEPS;
        double high = 2.0 * M_PI * (k + 1) / STEPS;
        bool negative = slip_at(c, law, low, trial) < 0.0;
        if ((slip_at(c, law, high, trial) < 0.0) == negative)
            continue;
        for (int step = 0; step < 60; ++step)
        {
            double middle = 0.5 * (low + high);
            *((slip_at(c, law, middle, trial) < 0.0) == negative ? &low : &high) = middle;
        }
        slip_at(c, law, low, trial);
        velocity(3, c, trial, u);
        if (violation(3, law, c->mu, u, trial) < 1e-9)
            nearest = fmin(nearest, fabs(trial[0] - r[0]) + fabs(trial[1] - r[1]) + fabs(trial[2] - r[2]));
    }
    return nearest;
}

/* Solve one and check it; counts the kinds of solution met. */
/* With the factors of W or, where they are NULL, without. */
static void check_case(int dim, crn_local_law law, const local_case *c, const double *factors, const double *guess,
                       int kinds[3])
{
    double r[3] = {guess[0], guess[1], guess[2]};
    double u[3];
    assert_true(crn_local_solve(&(crn_local){law, dim, c->W, c->q, c->mu, factors}, r));
    velocity(dim, c, r, u);
    double size = 1.0 + fabs(r[0]);
    assert_true(violation(dim, law, c->mu, u, r) < 1e-12 * size);
    bool off = r[0] == 0.0;
    bool slips = !off && length(dim, u) > 1e-9;
    kinds[off ? 0 : slips ? 2 : 1]++;
    if (slips && dim == 3)
        assert_true(distance_to_scan(c, law, r) < 1e-9 * size);
}

static void check_local(int dim, crn_local_law law, const local_case *c, const double *guess, int kinds[3])
{
    double factors[9];
    int again[3] = {0};
    check_case(dim, law, c, NULL, guess, kinds);
    if (crn_local_factorise(dim, c->W, factors))
        check_case(dim, law, c, factors, guess, again);
}

/* Whatever the guess, the law holds and a slip is one that the scan finds too. */
static void local_solutions_are_exact(void **state)
{
    (void)state;
    test_random random = {11};
    int kinds[2][3] = {{0}};
    for (int trial = 0; trial < 2000; ++trial)
    {
        int dim = trial % 8 == 7 ? 2 : 3;
        bool convex = trial % 3 == 0;
        local_case c = random_case(&random, dim, convex || trial % 2 ? 0.0 : 0.3, trial % 10 == 0 ? 3.0 : 1.0);
        double guess[3] = {0.0, test_uniform(&random, -1.0, 1.0), test_uniform(&random, -1.0, 1.0)};
        guess[1] *= trial % 4 != 0;
        guess[2] *= trial % 4 != 0;
        check_local(dim, convex ? CRN_LOCAL_CONVEX : CRN_LOCAL_COULOMB, &c, guess, kinds[convex]);
    }
    for (int k = 0; k < 6; ++k)
        assert_true(kinds[k / 3][k % 3] > 30); /* take-off, stick and slip were all met */
}

/* Strong coupling of normal and tangent (W_nn + mu W_nt d < 0 for some d): solutions exist, Newton may miss them. */
static void local_solutions_exist_under_strong_coupling(void **state)
{
    (void)state;
    test_random random = {12};
    int kinds[3] = {0, 0, 0};
    for (int trial = 0; trial < 500; ++trial)
    {
        local_case c = random_case(&random, 3, 0.0, 20.0);
        double factor = test_uniform(&random, 0.9, 0.99);
        c.W[0] = 1.0;
        c.W[4] = c.W[8] = 1.0 + 1e-3;
        c.W[5] = c.W[7] = 0.0;
        c.W[1] = c.W[3] = factor * cos(trial);
        c.W[2] = c.W[6] = factor * sin(trial);
        c.q[0] = -fabs(c.q[0]);
        check_local(3, CRN_LOCAL_COULOMB, &c, (double[3]){0.0, 0.0, 0.0}, kinds);
    }
    assert_true(kinds[2] > 20);
}

static void projection_is_the_nearest_point(void **state)
{
    (void)state;
    test_random random = {13};
    for (int trial = 0; trial < 500; ++trial)
    {
        double mu = test_uniform(&random, 0.0, 2.0);
        double x[3], p[3];
        for (int k = 0; k < 3; ++k)
            x[k] = test_uniform(&random, -1.0, 1.0);
        crn_local_project(CRN_LOCAL_COULOMB, 3, mu, x, p);
        double rest[3] = {p[0] - x[0], p[1] - x[1], p[2] - x[2]};
        /* Moreau: p in K, p - x in K*, and the two are at right angles */
        assert_true(hypot(p[1], p[2]) <= mu * p[0] + 1e-15);
        assert_true(rest[0] >= mu * hypot(rest[1], rest[2]) - 1e-15);
        assert_near(p[0] * rest[0] + p[1] * rest[1] + p[2] * rest[2], 0.0, 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_solutions_are_exact),
        cmocka_unit_test(local_solutions_exist_under_strong_coupling),
        cmocka_unit_test(projection_is_the_nearest_point),
    };
    return cmocka_run_group_tests_name("local_coulomb", tests, NULL, NULL);
}
