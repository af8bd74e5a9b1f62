/* Tests every iterative method for the laws of cones must pass; *state is the crn_method. Laws of pyramids only where the
 * method takes them. */
#ifndef TESTS_SUPPORT_METHOD_SUITE_H
#define TESTS_SUPPORT_METHOD_SUITE_H

/* A particle pushed along the ground: both laws have a solution by hand. */
void suite_sliding_particle(void **state);
/* Random problems of all kinds: the certificate holds. */
void suite_convex_cone(void **state);
void suite_exact_cone(void **state);
void suite_planar(void **state);
void suite_redundant(void **state);
void suite_joints(void **state);
void suite_unsymmetric(void **state);
void suite_compliant(void **state);
void suite_mass_ratio(void **state);
void suite_stack(void **state);
/* v is unique for the convex laws: the same as Lemke's. */
void suite_agrees_with_lemke(void **state);
void suite_no_contacts(void **state);
void suite_warm_start(void **state);
void suite_same_bits(void **state);
void suite_bad_matrix(void **state);
void suite_iteration_limit(void **state);
/* A table of FCLIB's problems; skipped without the files. */
void suite_fclib(void **state);

/* The tests that all methods pass, as entries of a list of cmocka. */
#define METHOD_SUITE(method)                                                                                           \
    cmocka_unit_test_prestate(suite_sliding_particle, method), cmocka_unit_test_prestate(suite_convex_cone, method),   \
        cmocka_unit_test_prestate(suite_exact_cone, method), cmocka_unit_test_prestate(suite_planar, method),          \
        cmocka_unit_test_prestate(suite_redundant, method), cmocka_unit_test_prestate(suite_joints, method),           \
        cmocka_unit_test_prestate(suite_unsymmetric, method), cmocka_unit_test_prestate(suite_compliant, method),      \
        cmocka_unit_test_prestate(suite_mass_ratio, method), cmocka_unit_test_prestate(suite_stack, method),           \
        cmocka_unit_test_prestate(suite_agrees_with_lemke, method),                                                    \
        cmocka_unit_test_prestate(suite_no_contacts, method), cmocka_unit_test_prestate(suite_same_bits, method),      \
        cmocka_unit_test_prestate(suite_bad_matrix, method), cmocka_unit_test_prestate(suite_iteration_limit, method)

#endif
