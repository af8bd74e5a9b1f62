#include "support/problems/method_suite.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/problems/method_check.h"
#include "support/problems/random_problem.h"

static const cairn_law CONVEX = {CAIRN_LAW_CONVEX_CONE, 0};
static const cairn_law EXACT = {CAIRN_LAW_CONE, 0};

static test_recipe recipe_of(cairn_law law, int dim)
{
    return (test_recipe){.dim = dim, .law = law, .bodies = 4, .contacts = 8, .mass_ratio = 10.0, .mu = 0.8};
}

/* Solve `count` problems of the recipe; each certificate must be within 1e-7. */
static void solve_all(const crn_method *method, const test_recipe *recipe, int count, uint64_t seed)
{
    for (int i = 0; i < count; ++i)
    {
        cairn_problem *problem = test_problem_random(recipe, seed + (uint64_t)i);
        method_run run = method_solve(method, problem, 1e-7, 0, NULL);
        assert_int_equal(run.status, CAIRN_OK);
        if (!(run.certificate.relative <= 1e-7) || !run.report.converged)
        {
            fail_msg("%s, seed %d: certificate %g (map %g, joints %g, dynamics %g; scale %g) after %d iterations",
                     method->name, (int)seed + i, run.certificate.relative, run.certificate.natural_map,
                     run.certificate.joint, run.certificate.dynamics, run.certificate.scale, run.report.iterations);
        }
        method_release(&run);
        test_problem_destroy(problem);
    }
}

/* Mass 1, velocity (1, 0, 0) times 3, on the ground (normal y). Convex law: lifted to 3/(1 + mu^2) (1, mu). Exact law with
 * the fall -g h: slides on, slower by mu g h. */
void suite_sliding_particle(void **state)
{
    const crn_method *method = *state;
    double A[4] = {1.0, 0.0, 0.0, 1.0};
    double H[4] = {0.0, 1.0, 1.0, 0.0};
    double mu = 0.3;
    double p[2] = {3.0, 0.0};
    int size = 2;
    test_dense dense = {.dim = 2, .law = CONVEX, .block_count = 1, .block_size = &size, .A = A, .p = p};
    dense.contact_count = 1;
    dense.H = H;
    dense.mu = &mu;
    cairn_problem *problem = test_problem_from_dense(&dense);
    method_run run = method_solve(method, problem, 1e-12, 0, NULL);
    assert_int_equal(run.status, CAIRN_OK);
    assert_near(run.solution.v[0], 3.0 / (1.0 + mu * mu), 1e-11);
    assert_near(run.solution.v[1], 3.0 * mu / (1.0 + mu * mu), 1e-11);
    method_release(&run);
    test_problem_destroy(problem);
    p[1] = -0.98;
    dense.law = EXACT;
    problem = test_problem_from_dense(&dense);
    run = method_solve(method, problem, 1e-12, 0, NULL);
    assert_int_equal(run.status, CAIRN_OK);
    assert_near(run.solution.v[0], 3.0 - mu * 0.98, 1e-11);
    assert_near(run.solution.v[1], 0.0, 1e-11);
    method_release(&run);
    test_problem_destroy(problem);
}

void suite_convex_cone(void **state)
{
    test_recipe recipe = recipe_of(CONVEX, 3);
    recipe.gaps = true;
    solve_all(*state, &recipe, 40, 100);
}

void suite_exact_cone(void **state)
{
    test_recipe recipe = recipe_of(EXACT, 3);
    solve_all(*state, &recipe, 40, 200);
}

/* In the plane the pyramid, the box and the cone are one law. */
void suite_planar(void **state)
{
    cairn_law laws[] = {{CAIRN_LAW_CONVEX_CONE, 0}, {CAIRN_LAW_CONE, 0}, {CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_BOX, 0}};
    for (int i = 0; i < 4; ++i)
    {
        test_recipe recipe = recipe_of(laws[i], 2);
        solve_all(*state, &recipe, 10, 300);
    }
}

void suite_redundant(void **state)
{
    test_recipe recipe = recipe_of(CONVEX, 3);
    recipe.redundant = true;
    recipe.contacts = 24;
    solve_all(*state, &recipe, 10, 400);
}

void suite_joints(void **state)
{
    test_recipe recipe = recipe_of(CONVEX, 3);
    recipe.joints = 6;
    recipe.coupled = true;
    solve_all(*state, &recipe, 20, 500);
}

/* A need not be symmetric: gyroscopic terms. */
void suite_unsymmetric(void **state)
{
    test_recipe recipe = recipe_of(CONVEX, 3);
    recipe.skew = 0.3;
    recipe.joints = 3;
    solve_all(*state, &recipe, 20, 600);
}

void suite_compliant(void **state)
{
    test_recipe recipe = recipe_of(EXACT, 3);
    recipe.compliant = true;
    recipe.joints = 3;
    solve_all(*state, &recipe, 20, 700);
}

void suite_mass_ratio(void **state)
{
    test_recipe recipe = recipe_of(CONVEX, 3);
    recipe.mass_ratio = 1e6;
    solve_all(*state, &recipe, 20, 800);
}

/* Twenty contacts on five cubes: at rest nothing moves; the relaxation of the convex law does no harm without sliding. */
void suite_stack(void **state)
{
    const crn_method *method = *state;
    cairn_law laws[] = {CONVEX, EXACT, {CAIRN_LAW_CONVEX_PYRAMID, 8}, {CAIRN_LAW_FRICTIONLESS, 0}};
    for (int i = 0; i < 4; ++i)
    {
        cairn_problem *problem = test_problem_stack(5, laws[i], 0.5, 0.01, 0.0);
        if (!method->can_solve(problem))
        {
            test_problem_destroy(problem);
            continue;
        }
        method_run run = method_solve(method, problem, 1e-9, 0, NULL);
        assert_int_equal(run.status, CAIRN_OK);
        assert_true(run.certificate.relative <= 1e-9);
        double weight = 0.0;
        for (int j = 0; j < 4; ++j)
            weight += run.solution.r[3 * j];
        assert_near(weight, 5 * 9.81 * 0.01, 1e-6);
        for (int k = 0; k < problem->n; ++k)
            assert_near(run.solution.v[k], 0.0, 1e-6);
        method_release(&run);
        test_problem_destroy(problem);
    }
}

void suite_agrees_with_lemke(void **state)
{
    const crn_method *method = *state;
    cairn_law laws[] = {{CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_CONVEX_PYRAMID, 4}, {CAIRN_LAW_CONVEX_PYRAMID, 6}};
    for (int i = 0; i < 30; ++i)
    {
        test_recipe recipe = recipe_of(laws[i % 3], 3);
        recipe.joints = i % 2 ? 3 : 0;
        recipe.gaps = i % 4 < 2;
        cairn_problem *problem = test_problem_random(&recipe, 900 + (uint64_t)i);
        if (!method->can_solve(problem))
        {
            test_problem_destroy(problem);
            continue;
        }
        double *v = method_lemke(problem);
        method_run run = method_solve(method, problem, 1e-10, 0, NULL);
        assert_int_equal(run.status, CAIRN_OK);
        assert_non_null(v);
        for (int k = 0; k < problem->n; ++k)
            assert_near(run.solution.v[k], v[k], 1e-6 * run.certificate.scale);
        free(v);
        method_release(&run);
        test_problem_destroy(problem);
    }
}

void suite_no_contacts(void **state)
{
    const crn_method *method = *state;
    test_recipe recipe = recipe_of(EXACT, 3);
    recipe.contacts = 0;
    recipe.joints = 4;
    recipe.skew = 0.2;
    cairn_problem *problem = test_problem_random(&recipe, 1);
    method_run run = method_solve(method, problem, 1e-10, 0, NULL);
    assert_int_equal(run.status, CAIRN_OK);
    assert_true(run.report.converged);
    assert_true(run.certificate.relative < 1e-12);
    method_release(&run);
    test_problem_destroy(problem);
}

/* The same problem again from its own solution: at most half the work. */
void suite_warm_start(void **state)
{
    const crn_method *method = *state;
    cairn_law laws[] = {CONVEX, EXACT};
    for (int i = 0; i < 10; ++i)
    {
        test_recipe recipe = recipe_of(laws[i % 2], 3);
        recipe.contacts = 16;
        cairn_problem *problem = test_problem_random(&recipe, 1000 + (uint64_t)i);
        method_run cold = method_solve(method, problem, 1e-8, 0, NULL);
        method_run warm = method_solve(method, problem, 1e-8, 0, cold.solution.r);
        assert_true(cold.report.converged && warm.report.converged);
        assert_true(warm.certificate.relative <= 1e-8);
        assert_true(2 * warm.report.iterations <= cold.report.iterations);
        method_release(&cold);
        method_release(&warm);
        test_problem_destroy(problem);
    }
}

/* One workspace, other problems in between: the same bits. */
void suite_same_bits(void **state)
{
    const crn_method *method = *state;
    test_recipe recipe = recipe_of(EXACT, 3);
    cairn_problem *small = test_problem_random(&recipe, 7);
    recipe.contacts = 20;
    recipe.bodies = 7;
    cairn_problem *large = test_problem_random(&recipe, 8);
    method_run fresh = method_solve(method, small, 1e-8, 0, NULL);
    method_run other = method_solve(method, large, 1e-8, 0, NULL);
    method_run again = method_solve(method, small, 1e-8, 0, NULL);
    crn_method_options options = {.tolerance = 1e-8};
    void *workspace = method->create();
    assert_non_null(workspace);
    memset(other.solution.r, 0, (size_t)other.solution.contact_rows * sizeof(double));
    memset(again.solution.r, 0, (size_t)again.solution.contact_rows * sizeof(double));
    assert_int_equal(method->solve(workspace, NULL, large, &options, &other.solution, &other.report), CAIRN_OK);
    assert_int_equal(method->solve(workspace, NULL, small, &options, &again.solution, &again.report), CAIRN_OK);
    method->destroy(workspace);
    assert_memory_equal(fresh.solution.v, again.solution.v, (size_t)small->n * sizeof(double));
    assert_memory_equal(fresh.solution.r, again.solution.r, (size_t)again.solution.contact_rows * sizeof(double));
    method_release(&fresh);
    method_release(&other);
    method_release(&again);
    test_problem_destroy(small);
    test_problem_destroy(large);
}

void suite_bad_matrix(void **state)
{
    const crn_method *method = *state;
    test_recipe recipe = recipe_of(CONVEX, 3);
    cairn_problem *problem = test_problem_random(&recipe, 3);
    for (int i = 0; i < 36; ++i)
        problem->A.value[i] = 0.0;
    method_run run = method_solve(method, problem, 1e-8, 0, NULL);
    assert_int_equal(run.status, CAIRN_NUMERIC);
    method_release(&run);
    test_problem_destroy(problem);
}

/* A limit is kept, said, and what comes back is still made of numbers with the dynamics in order. */
void suite_iteration_limit(void **state)
{
    const crn_method *method = *state;
    test_recipe recipe = recipe_of(CONVEX, 3);
    recipe.contacts = 24;
    cairn_problem *problem = test_problem_random(&recipe, 5);
    method_run run = method_solve(method, problem, 1e-14, 12, NULL);
    assert_int_equal(run.status, CAIRN_OK);
    assert_false(run.report.converged);
    assert_true(run.report.iterations <= 40);
    assert_true(run.certificate.dynamics <= 1e-12 * run.certificate.scale);
    assert_true(run.certificate.relative < 1.0);
    method_release(&run);
    test_problem_destroy(problem);
}

void suite_fclib(void **state)
{
    const crn_method *method = *state;
    int count = 0;
    int convex = method_fclib_table(method, CONVEX, 1e-4, 0, &count);
    if (convex < 0)
        skip();
    int exact = method_fclib_table(method, EXACT, 1e-4, 0, &count);
    print_message("%s: of %d problems %d solved to 1e-4 with the convex cone, %d with Coulomb's law\n", method->name,
                  count, convex, exact);
    assert_true(convex >= count - 1);
    assert_true(exact >= count - 1);
}
