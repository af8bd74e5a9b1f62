/* The accelerated projected gradient method, on what every method for the laws of cones must do. */
#include "solve/gradient/apgd.h"

#include "support/check.h"
#include "support/problems/method_suite.h"

int main(void)
{
    crn_method method = crn_method_apgd;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(suite_sliding_particle, &method),
        cmocka_unit_test_prestate(suite_convex_cone, &method),
        cmocka_unit_test_prestate(suite_exact_cone, &method),
        cmocka_unit_test_prestate(suite_planar, &method),
        cmocka_unit_test_prestate(suite_redundant, &method),
        cmocka_unit_test_prestate(suite_joints, &method),
        cmocka_unit_test_prestate(suite_unsymmetric, &method),
        cmocka_unit_test_prestate(suite_compliant, &method),
        cmocka_unit_test_prestate(suite_mass_ratio, &method),
        cmocka_unit_test_prestate(suite_stack, &method),
        cmocka_unit_test_prestate(suite_agrees_with_lemke, &method),
        cmocka_unit_test_prestate(suite_no_contacts, &method),
        cmocka_unit_test_prestate(suite_warm_start, &method),
        cmocka_unit_test_prestate(suite_same_bits, &method),
        cmocka_unit_test_prestate(suite_bad_matrix, &method),
        cmocka_unit_test_prestate(suite_iteration_limit, &method),
        cmocka_unit_test_prestate(suite_fclib, &method),
    };
    return cmocka_run_group_tests_name("apgd", tests, NULL, NULL);
}
