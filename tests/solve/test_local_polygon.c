/* The law of one contact with friction in a polygon: exact local solves against the law written out condition by condition, and
 * projections against the certificate's. */
#include "support/check.h"
#include "support/problems/random_problem.h"

#include <math.h>
#include <string.h>

#include "math/polygon.h"
#include "solve/sweep/local_polygon.h"

typedef struct local_case
{
    double W[9], q[3], mu;
} local_case;

static const cairn_law LAWS[] = {{CAIRN_LAW_PYRAMID, 4},
                                 {CAIRN_LAW_PYRAMID, 6},
                                 {CAIRN_LAW_PYRAMID, 8},
                                 {CAIRN_LAW_BOX, 0},
                                 {CAIRN_LAW_PYRAMID, 64}};
enum
{
    LAW_COUNT = sizeof LAWS / sizeof LAWS[0],
    CASES = 4000
};

/* W = L L' + 0.05 1 + skew, entries of size 1. */
static local_case random_case(test_random *random, double skew, double mu)
{
    local_case out = {.mu = test_uniform(random, 0.0, mu)};
    double L[9];
    for (int i = 0; i < 9; ++i)
        L[i] = test_uniform(random, -1.0, 1.0);
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            double sum = i == j ? 0.05 : 0.0;
            for (int k = 0; k < 3; ++k)
                sum += L[3 * i + k] * L[3 * j + k];
            out.W[3 * i + j] = sum + skew * (L[3 * i + j] - L[3 * j + i]);
        }
        out.q[i] = test_uniform(random, -1.0, i == 0 ? 0.5 : 1.0);
    }
    return out;
}

/* How much r_t is outside the polygon, by the support of its edges, and the largest -d'u_t over the polygon of radius 1. */
static double outside(cairn_law law, double mu, const double *r, const double *u, double *most)
{
    double worst = 0.0;
    *most = 0.0;
    if (law.kind == CAIRN_LAW_BOX)
    {
        *most = fabs(u[1]) + fabs(u[2]);
        return fmax(0.0, fmax(fabs(r[1]), fabs(r[2])) - mu * r[0]);
    }
    for (int k = 0; k < law.directions; ++k)
    {
        double d[2], middle = (2 * k + 1) * acos(-1.0) / law.directions;
        crn_polygon_vertex(law.directions, k, d);
        *most = fmax(*most, -d[0] * u[1] - d[1] * u[2]);
        worst = fmax(worst, cos(middle) * r[1] + sin(middle) * r[2] - mu * r[0] * cos(acos(-1.0) / law.directions));
    }
    return worst;
}

/* How far (u, r) is from the law: friction dissipates all that the polygon lets it. */
static double violation(cairn_law law, double mu, const double *u, const double *r)
{
    double most, worst = fmax(fmax(-u[0], -r[0]), fabs(u[0] * r[0]));
    worst = fmax(worst, outside(law, mu, r, u, &most));
    return fmax(worst, fabs(u[1] * r[1] + u[2] * r[2] + mu * r[0] * most));
}

static void velocity(const local_case *c, const double *r, double *u)
{
    for (int i = 0; i < 3; ++i)
        u[i] = c->q[i] + c->W[3 * i] * r[0] + c->W[3 * i + 1] * r[1] + c->W[3 * i + 2] * r[2];
}

/* Counts open, sticking and slipping contacts, so that none of these cases is left out. */
static void local_solves_fulfil_the_law(void **state)
{
    (void)state;
    test_random random = {11};
    int kinds[3] = {0};
    for (int i = 0; i < CASES; ++i)
    {
        crn_polygon F;
        cairn_law law = LAWS[i % LAW_COUNT];
        local_case c = random_case(&random, i % 3 ? 0.0 : 0.1, i % 2 ? 3.0 : 0.8);
        double r[3] = {test_uniform(&random, 0.0, 1.0), test_uniform(&random, -1.0, 1.0),
                       test_uniform(&random, -1.0, 1.0)},
               u[3];
        crn_local_polygon_of(law, &F);
        crn_local_polygon_solve(&F, c.mu, c.W, c.q, r);
        velocity(&c, r, u);
        double size = 1.0 + fabs(r[0]);
        assert_near(violation(law, c.mu, u, r), 0.0, 1e-11 * size * size);
        assert_near(crn_local_polygon_error(&F, c.mu, 1.0, u, r), 0.0, 1e-11 * size);
        ++kinds[r[0] == 0.0 ? 0 : hypot(u[1], u[2]) < 1e-9 ? 1 : 2];
    }
    for (int k = 0; k < 3; ++k)
        assert_true(kinds[k] > CASES / 20);
}

/* A guess chooses where the search begins, not what it finds: the solution is unique where friction is small. */
static void guesses_do_not_matter(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 500; ++i)
    {
        crn_polygon F;
        local_case c = random_case(&random, 0.0, 0.05);
        double one[3] = {0.0, 0.0, 0.0},
               other[3] = {1.0, test_uniform(&random, -1.0, 1.0), test_uniform(&random, -1.0, 1.0)};
        crn_local_polygon_of(LAWS[i % LAW_COUNT], &F);
        crn_local_polygon_solve(&F, c.mu, c.W, c.q, one);
        crn_local_polygon_solve(&F, c.mu, c.W, c.q, other);
        for (int k = 0; k < 3; ++k)
            assert_near(one[k], other[k], 1e-11 * (1.0 + fabs(one[0])));
    }
}

/* The certificate projects by the sector that a point lies in, not by trying all edges. */
static void projections_agree_with_the_certificate(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 2000; ++i)
    {
        crn_polygon F;
        cairn_law law = LAWS[i % LAW_COUNT];
        double mu = test_uniform(&random, 0.0, 1.0), out[3], expected[2];
        double x[3] = {test_uniform(&random, -0.2, 1.0), test_uniform(&random, -1.0, 1.0),
                       test_uniform(&random, -1.0, 1.0)};
        double size = mu * fmax(x[0], 0.0);
        crn_local_polygon_of(law, &F);
        crn_local_polygon_project(&F, mu, x, out);
        if (law.kind == CAIRN_LAW_BOX)
            for (int k = 0; k < 2; ++k)
                expected[k] = fmin(fmax(x[1 + k], -size), size);
        else
            crn_polygon_project(law.directions, size, x + 1, expected);
        assert_near(out[0], fmax(x[0], 0.0), 0.0);
        assert_near(hypot(out[1] - expected[0], out[2] - expected[1]), 0.0, 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_solves_fulfil_the_law),
        cmocka_unit_test(guesses_do_not_matter),
        cmocka_unit_test(projections_agree_with_the_certificate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
