/* The accelerated projected gradient method, on what every method for the laws of cones must do. */
#include "solve/auto/method.h"

#include "support/check.h"
#include "support/problems/method_suite.h"

int main(void)
{
    crn_method method = crn_method_apgd;
    const struct CMUnitTest tests[] = {
        METHOD_SUITE(&method),
        cmocka_unit_test_prestate(suite_warm_start, &method),
        cmocka_unit_test_prestate(suite_fclib, &method),
    };
    return cmocka_run_group_tests_name("apgd", tests, NULL, NULL);
}
