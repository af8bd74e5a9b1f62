/* Proximal steps by a semismooth Newton method: what every method for the laws of cones must do, the derivative it rests
 * on, and problems that stop the others. */
#include "solve/auto/method.h"
#include "solve/newton/interior_point.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/problems/fclib.h"
#include "support/problems/method_check.h"
#include "support/problems/method_suite.h"
#include "support/problems/random_problem.h"

/* D against central differences of the projection, at points away from its kinks. */
static void derivative_is_that_of_the_projection(void **state)
{
    (void)state;
    test_random random = {31};
    int compared = 0;
    for (int trial = 0; trial < 2000; ++trial)
    {
        double z[3];
        double D[9];
        double mu = test_uniform(&random, 0.1, 1.5);
        double h = 1e-6;
        for (int k = 0; k < 3; ++k)
            z[k] = test_uniform(&random, -1.0, 1.0);
        double slip = crn_ip_slip(3, z);
        if (fabs(slip - mu * z[0]) < 1e-3 || fabs(mu * slip + z[0]) < 1e-3 || slip < 1e-2)
            continue;
        crn_ip_differentiate(3, mu, z, D);
        for (int k = 0; k < 3; ++k)
        {
            double above[3] = {z[0], z[1], z[2]};
            double below[3] = {z[0], z[1], z[2]};
            double up[3];
            double down[3];
            above[k] += h;
            below[k] -= h;
            crn_ip_project(3, mu, above, up);
            crn_ip_project(3, mu, below, down);
            for (int i = 0; i < 3; ++i)
                assert_true(fabs((up[i] - down[i]) / (2.0 * h) - D[3 * i + k]) < 1e-6);
        }
        ++compared;
    }
    assert_true(compared > 1500);
}

/* Exact friction, many redundant contacts, mass ratios: solved to 1e-10, where no solution is unique. */
static void redundant_problems_of_exact_friction(void **state)
{
    (void)state;
    int trials = getenv("CAIRN_LONG") ? 2000 : 150;
    int missed = 0;
    for (int i = 0; i < trials; ++i)
    {
        test_recipe recipe = {.dim = 2 + i % 2,
                              .law = {CAIRN_LAW_CONE, 0},
                              .bodies = 3 + i % 8,
                              .contacts = 10 + i % 30,
                              .joints = i % 3,
                              .mass_ratio = i % 2 ? 10.0 : 1e4,
                              .mu = 0.9,
                              .redundant = true};
        cairn_problem *problem = test_problem_random(&recipe, 900 + (uint64_t)i);
        method_run run = method_solve(&crn_method_newton, problem, 1e-10, 0, NULL);
        assert_int_equal(run.status, CAIRN_OK);
        assert_true(run.report.converged == (run.certificate.relative <= 1e-10) || run.certificate.relative < 3e-10);
        missed += run.certificate.relative > 3e-10;
        method_release(&run);
        test_problem_destroy(problem);
    }
    print_message("%d random problems: %d missed 1e-10\n", trials, missed);
    assert_int_equal(missed, 0);
}

/* A pile of rocks whose W is unsymmetric by 2.5e-3: published solvers end above 1e-4. */
static void a_rock_pile(void **state)
{
    (void)state;
    const char *reason = NULL;
    cairn_law law = {CAIRN_LAW_CONE, 0};
    cairn_problem *problem =
        test_fclib_read(CAIRN_SOURCE_DIR "/../shared/reference/fclib/conv-RockPile_tob1.hdf5", law, &reason);
    if (!problem || !getenv("CAIRN_LONG"))
    {
        test_problem_destroy(problem);
        skip();
    }
    method_run run = method_solve(&crn_method_newton, problem, 1e-8, 0, NULL);
    print_message("%d contacts, %d factorisations: certificate %.1e\n", problem->contact_count, run.report.iterations,
                  run.certificate.relative);
    assert_true(run.certificate.relative <= 1e-8);
    method_release(&run);
    test_problem_destroy(problem);
}

int main(void)
{
    crn_method method = crn_method_newton;
    const struct CMUnitTest tests[] = {
        METHOD_SUITE(&method),
        cmocka_unit_test_prestate(suite_warm_start, &method),
        cmocka_unit_test_prestate(suite_fclib, &method),
        cmocka_unit_test(derivative_is_that_of_the_projection),
        cmocka_unit_test(redundant_problems_of_exact_friction),
        cmocka_unit_test(a_rock_pile),
    };
    return cmocka_run_group_tests_name("newton", tests, NULL, NULL);
}
