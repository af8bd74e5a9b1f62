/* The compact view against the general one: the same certificate for the same impulses, and the same motion where sweeps have
 * converged. */
#include "support/check.h"
#include "support/problems/compact_problem.h"

#include <cairn/base.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LAWS = 3 /* and as many with polygons */
};

static const cairn_law CIRCULAR[LAWS] = {{CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_CONE, 0}, {CAIRN_LAW_CONVEX_CONE, 0}};
/* In the plane pyramids and boxes are the cone, and convex pyramids the convex cone. */
static const cairn_law POLYGONAL[2][LAWS] = {
    {{CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_BOX, 0}, {CAIRN_LAW_PYRAMID, 6}},
    {{CAIRN_LAW_PYRAMID, 8}, {CAIRN_LAW_BOX, 0}, {CAIRN_LAW_PYRAMID, 10}},
};
static const cairn_law PLANAR[LAWS] = {{CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_BOX, 0}, {CAIRN_LAW_CONVEX_PYRAMID, 6}};

/* A recipe of every combination, by trial. */
static test_compact_recipe recipe_of(int trial, bool is_polygonal)
{
    bool is_planar = trial / 6 % 2;
    const cairn_law *laws = !is_polygonal ? CIRCULAR : is_planar ? PLANAR : POLYGONAL[trial / 3 % 2];
    return (test_compact_recipe){.count = {2 + trial % 3, 3, is_planar ? 1 : 2},
                                 .law = laws[trial % LAWS].kind,
                                 .directions = laws[trial % LAWS].directions,
                                 .is_planar = is_planar,
                                 .is_general = trial / 3 % 2,
                                 .is_uneven = trial / 12 % 2,
                                 .is_placed = trial % 5 == 1,
                                 .mu = 0.8};
}

/* The general certificate of the same impulses. */
static cairn_certificate certify(const test_compact *test, const cairn_problem *general, const double (*impulse)[3],
                                 const crn_compact_body *body)
{
    double *v = calloc((size_t)general->n + 1, sizeof(double));
    double *r = calloc((size_t)(general->dim * general->contact_count) + 1, sizeof(double));
    cairn_solution solution = {.n = general->n, .contact_rows = general->dim * general->contact_count, .v = v, .r = r};
    cairn_certificate certificate;
    test_compact_coordinates(test, general, impulse, body, r, v);
    assert_int_equal(cairn_certify(general, &solution, &certificate), CAIRN_OK);
    free(v);
    free(r);
    return certificate;
}

static void check_certificate(const test_compact *test, const double (*impulse)[3])
{
    cairn_problem *general = test_compact_general(test);
    crn_compact_body *body = calloc((size_t)test->problem.body_count, sizeof *body);
    double *residual = calloc((size_t)test->problem.contact_count, sizeof(double));
    crn_compact_certificate found;
    crn_compact_judge(&test->problem, impulse, body, residual, &found);
    cairn_certificate expected = certify(test, general, impulse, body);
    assert_near(expected.dynamics, 0.0, 1e-12);
    assert_near(found.worst, expected.natural_map, 1e-12 * (1.0 + expected.natural_map));
    assert_near(found.normal, expected.penetration_speed, 1e-12);
    assert_near(residual[found.contact], found.worst, 0.0);
    if (found.worst > 1e-6)
        assert_int_equal(found.contact, expected.worst_contact);
    free(body);
    free(residual);
    test_problem_destroy(general);
}

static void judges_like_the_general_certificate(void **state)
{
    (void)state;
    for (int trial = 0; trial < 96; ++trial)
    {
        test_compact_recipe recipe = recipe_of(trial % 48, trial >= 48);
        test_compact *test = test_compact_create(&recipe, (uint64_t)trial + 1);
        check_certificate(test, (const double(*)[3])test->impulse);
        test_compact_destroy(test);
    }
}

/* Along the axes both take the same components; elsewhere they differ by directions alone. */
static void scales_agree(void **state)
{
    (void)state;
    for (int trial = 0; trial < 96; ++trial)
    {
        test_compact_recipe recipe = recipe_of(trial % 48, trial >= 48);
        recipe.is_aligned = trial % 2;
        test_compact *test = test_compact_create(&recipe, (uint64_t)trial + 1);
        cairn_problem *general = test_compact_general(test);
        double *length = calloc((size_t)general->n, sizeof(double));
        crn_compact_body *body = calloc((size_t)test->problem.body_count, sizeof *body);
        crn_compact_certificate found;
        int size = general->dim == 3 ? 6 : 3;
        for (int i = 0; i < general->n; ++i)
            length[i] = i % size < general->dim ? 1.0 : 0.05;
        general->length = length;
        crn_compact_judge(&test->problem, (const double(*)[3])test->impulse, body, NULL, &found);
        double expected = certify(test, general, (const double(*)[3])test->impulse, body).scale;
        if (recipe.is_aligned)
            assert_near(found.scale, expected, 1e-14 * expected);
        assert_true(found.scale > 0.5 * expected && found.scale < 2.0 * expected);
        general->length = NULL;
        free(length);
        free(body);
        test_problem_destroy(general);
        test_compact_destroy(test);
    }
}

/* Sweep until the residual is small; the impulses and velocities are left in the arguments. Each load begins with velocities that follow from the
 * impulses: what rounding leaves in those that sweeps add up does not grow. Returns the last certificate. */
static crn_compact_certificate converge(const test_compact *test, double (*impulse)[3], crn_compact_body *body)
{
    crn_compact *compact = crn_compact_create(NULL);
    crn_compact_certificate found = {0};
    assert_non_null(compact);
    for (int k = 0; k < 400; ++k)
    {
        const double(*start)[3] = k > 0 ? (const double(*)[3])impulse : NULL;
        assert_int_equal(crn_compact_load(compact, &test->problem, start), CAIRN_OK);
        double change = crn_compact_sweep(compact, 200);
        crn_compact_store(compact, impulse, NULL);
        crn_compact_judge(&test->problem, (const double(*)[3])impulse, body, NULL, &found);
        if (change < 1e-15)
            break;
    }
    crn_compact_destroy(compact);
    return found;
}

/* Another method on the general problem; the velocities are unique under the convex laws, and here under the exact one too. */
static void check_motion(const test_compact *test, const double (*impulse)[3], const crn_compact_body *body)
{
    cairn_problem *general = test_compact_general(test);
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report;
    options.tolerance = 1e-11;
    assert_int_equal(cairn_solver_solve(solver, general, &options, &solution, &report), CAIRN_OK);
    assert_int_equal(report.outcome, CAIRN_SOLVED);
    double *v = calloc((size_t)general->n, sizeof(double));
    double *r = calloc((size_t)(general->dim * general->contact_count), sizeof(double));
    test_compact_coordinates(test, general, impulse, body, r, v);
    for (int i = 0; i < general->n; ++i)
        assert_near(v[i], solution.v[i], 1e-7 * (1.0 + fabs(v[i])));
    free(v);
    free(r);
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
    test_problem_destroy(general);
}

static void sweeps_converge_to_the_solution(void **state)
{
    (void)state;
    for (int trial = 0; trial < 48; ++trial)
    {
        test_compact_recipe recipe = recipe_of(trial % 24, trial >= 24);
        recipe.mu = 0.4;
        test_compact *test = test_compact_create(&recipe, (uint64_t)trial + 100);
        crn_compact_body *body = calloc((size_t)test->problem.body_count, sizeof *body);
        crn_compact_certificate found = converge(test, test->impulse, body);
        assert_near(found.worst, 0.0, 1e-11);
        check_certificate(test, (const double(*)[3])test->impulse);
        check_motion(test, (const double(*)[3])test->impulse, body);
        free(body);
        test_compact_destroy(test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(judges_like_the_general_certificate),
                                       cmocka_unit_test(scales_agree),
                                       cmocka_unit_test(sweeps_converge_to_the_solution)};
    return cmocka_run_group_tests_name("compact", tests, NULL, NULL);
}
