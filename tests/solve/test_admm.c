/* The alternating direction method of multipliers, on what every method for the laws of cones must do, and against the
 * accelerated gradient. */
#include "solve/auto/method.h"

#include "support/check.h"
#include "support/problems/method_check.h"
#include "support/problems/method_suite.h"
#include "support/problems/random_problem.h"

/* Two methods that share only the evaluation of u: v is unique, and must be the same. */
static void agrees_with_gradient(void **state)
{
    (void)state;
    for (int i = 0; i < 20; ++i)
    {
        test_recipe recipe = {.dim = 2 + i % 2,
                              .law = {CAIRN_LAW_CONVEX_CONE, 0},
                              .bodies = 5,
                              .contacts = 12,
                              .joints = i % 3,
                              .mass_ratio = 100.0,
                              .mu = 1.0,
                              .skew = i % 4 ? 0.0 : 0.2};
        cairn_problem *problem = test_problem_random(&recipe, 2000 + (uint64_t)i);
        method_run a = method_solve(&crn_method_admm, problem, 1e-10, 0, NULL);
        method_run b = method_solve(&crn_method_apgd, problem, 1e-10, 0, NULL);
        assert_int_equal(a.status, CAIRN_OK);
        assert_int_equal(b.status, CAIRN_OK);
        assert_true(method_difference(&a, &b) <= 1e-6);
        method_release(&a);
        method_release(&b);
        test_problem_destroy(problem);
    }
}

int main(void)
{
    crn_method method = crn_method_admm;
    const struct CMUnitTest tests[] = {
        METHOD_SUITE(&method),
        cmocka_unit_test_prestate(suite_warm_start, &method),
        cmocka_unit_test_prestate(suite_fclib, &method),
        cmocka_unit_test(agrees_with_gradient),
    };
    return cmocka_run_group_tests_name("admm", tests, NULL, NULL);
}
