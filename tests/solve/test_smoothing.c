/* Newton along the path of smoothed laws: what every method for the laws of cones must do, the smoothed projection it rests
 * on, and exact friction with folds, which stops the others. */
#include "solve/auto/method.h"
#include "solve/newton/smoothing.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/problems/method_check.h"
#include "support/problems/method_suite.h"
#include "support/problems/problem_set.h"
#include "support/problems/random_problem.h"

static void random_point(test_random *random, int size, double *z)
{
    for (int k = 0; k < size; ++k)
        z[k] = test_uniform(random, -1.0, 1.0);
}

/* x = P_tau(z) and y = x - z lie inside the cone, and x o y = tau^2 e. */
static void product_is_that_of_the_path(void **state)
{
    (void)state;
    test_random random = {5};
    for (int trial = 0; trial < 3000; ++trial)
    {
        int size = 1 + trial % 3;
        double tau = pow(10.0, test_uniform(&random, -6.0, 0.0));
        double x[3] = {0.0, 0.0, 0.0};
        double y[3] = {0.0, 0.0, 0.0};
        double z[3] = {0.0, 0.0, 0.0};
        crn_smooth smooth;
        random_point(&random, size, z);
        crn_smooth_project(size, z, tau, &smooth);
        for (int k = 0; k < size; ++k)
        {
            x[k] = smooth.P[k];
            y[k] = x[k] - z[k];
        }
        assert_true(x[0] > 0.0 && y[0] > 0.0 && smooth.room > 0.0);
        assert_true(fabs(x[0] * y[0] + x[1] * y[1] + x[2] * y[2] - tau * tau) < 1e-14);
        for (int k = 1; k < size; ++k)
            assert_true(fabs(x[0] * y[k] + y[0] * x[k]) < 1e-14);
    }
}

/* D, I - D and dP/dtau against central differences. */
static void derivatives_are_those_of_the_projection(void **state)
{
    (void)state;
    test_random random = {6};
    const double h = 1e-6;
    for (int trial = 0; trial < 1000; ++trial)
    {
        int size = 1 + trial % 3;
        double tau = test_uniform(&random, 0.05, 0.5);
        double z[3] = {0.0, 0.0, 0.0};
        crn_smooth at;
        crn_smooth up;
        crn_smooth down;
        random_point(&random, size, z);
        crn_smooth_project(size, z, tau, &at);
        crn_smooth_project(size, z, tau + h, &up);
        crn_smooth_project(size, z, tau - h, &down);
        for (int i = 0; i < size; ++i)
            assert_true(fabs((up.P[i] - down.P[i]) / (2.0 * h) - at.P_tau[i]) < 1e-7);
        for (int k = 0; k < size; ++k)
        {
            double above[3] = {z[0], z[1], z[2]};
            double below[3] = {z[0], z[1], z[2]};
            above[k] += h;
            below[k] -= h;
            crn_smooth_project(size, above, tau, &up);
            crn_smooth_project(size, below, tau, &down);
            for (int i = 0; i < size; ++i)
            {
                assert_true(fabs((up.P[i] - down.P[i]) / (2.0 * h) - at.D[3 * i + k]) < 1e-7);
                assert_true(fabs(at.D[3 * i + k] + at.rest[3 * i + k] - (i == k)) < 1e-14);
            }
        }
    }
}

typedef struct tally
{
    int problems;
    int missed;
} tally;

static bool try_problem(void *data, const char *name, const cairn_problem *problem)
{
    tally *t = data;
    method_run run = method_solve(&crn_method_smoothing, problem, 1e-8, 0, NULL);
    assert_int_equal(run.status, CAIRN_OK);
    print_message("%s: %d contacts, %d factorisations, certificate %.1e\n", name, problem->contact_count,
                  run.report.iterations, run.certificate.relative);
    t->problems += 1;
    t->missed += !(run.certificate.relative <= 1e-8);
    method_release(&run);
    return false;
}

/* A pyramid of equal spheres, friction 0.4, where proximal and fixed point loops wander at 1e-4. */
static void a_lattice_of_spheres(void **state)
{
    (void)state;
    tally t = {0};
    for (int world = 0; world < problem_set_world_count() && t.problems == 0; ++world)
    {
        char name[64];
        cairn_context *context = cairn_context_create();
        problem_set_name(world, name, sizeof name);
        if (strcmp(name, "cannon-6-mu0.4-0") == 0)
            assert_int_equal(problem_set_run(context, world, try_problem, &t), CAIRN_OK);
        cairn_context_destroy(context);
    }
    assert_int_equal(t.problems, 1);
    assert_int_equal(t.missed, 0);
}

int main(void)
{
    crn_method method = crn_method_smoothing;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_is_that_of_the_path),
        cmocka_unit_test(derivatives_are_those_of_the_projection),
        METHOD_SUITE(&method),
        cmocka_unit_test(a_lattice_of_spheres),
    };
    return cmocka_run_group_tests_name("smoothing", tests, NULL, NULL);
}
