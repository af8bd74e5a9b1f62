/* The choice of a solver and the outer loops: each is held to the certificate, recomputed apart from the solver. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "solve/auto/auto.h"
#include "solve/gradient/fixed_point.h"
#include "solve/gradient/proximal.h"
#include "support/problems/random_problem.h"
#include "support/worlds.h"

static test_recipe random_recipe(int trial, cairn_law law)
{
    test_random random = {(uint64_t)trial * 977u + 5u};
    return (test_recipe){.dim = trial % 4 ? 3 : 2,
                         .law = law,
                         .bodies = test_integer(&random, 2, 6),
                         .contacts = test_integer(&random, 1, 10),
                         .joints = trial % 4 ? 0 : 3,
                         .mass_ratio = trial % 5 ? 10.0 : 1e4,
                         .mu = test_uniform(&random, 0.1, 1.5),
                         .skew = trial % 2 ? 0.0 : 0.3,
                         .coupled = trial % 7 == 0,
                         .gaps = trial % 2 == 0,
                         .redundant = trial % 3 == 1,
                         .compliant = trial % 11 == 0};
}

static void auto_solves_every_law(void **state)
{
    (void)state;
    cairn_law laws[] = {{CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_PYRAMID, 6},        {CAIRN_LAW_BOX, 0},
                        {CAIRN_LAW_CONE, 0},         {CAIRN_LAW_CONVEX_PYRAMID, 6}, {CAIRN_LAW_CONVEX_CONE, 0}};
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    cairn_solver_options options = cairn_solver_default();
    for (int trial = 0; trial < 360; ++trial)
    {
        test_recipe recipe = random_recipe(trial / 6, laws[trial % 6]);
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
        cairn_solution solution;
        cairn_solver_report report;
        cairn_certificate certificate;
        assert_int_equal(cairn_solver_solve(solver, problem, &options, &solution, &report), CAIRN_OK);
        assert_int_equal(report.outcome, CAIRN_SOLVED);
        assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
        assert_true(certificate.relative <= 1e-9 && certificate.relative == report.certificate.relative);
        test_problem_destroy(problem);
    }
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
}

/* Exact friction over the interior point method's convex law. Convergence is not a theorem; nearly all of these do. */
static void fixed_point_finds_exact_friction(void **state)
{
    (void)state;
    crn_solver_policy *policy = crn_solver_policy_create();
    assert_non_null(policy);
    const crn_method *method = crn_method_of(CAIRN_SOLVER_INTERIOR_POINT);
    cairn_solver_options options = {.struct_size = sizeof options, .tolerance = 1e-8};
    int solved = 0;
    for (int trial = 0; trial < 60; ++trial)
    {
        test_recipe recipe = random_recipe(trial, (cairn_law){CAIRN_LAW_CONE, 0});
        recipe.mu *= 0.5;
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
        assert_true(crn_fixed_point_applies(method, problem));
        assert_int_equal(crn_attempt_begin(&policy->attempt, NULL, problem, &options), CAIRN_OK);
        void *workspace = crn_workshop_get(&policy->workshop, CAIRN_SOLVER_INTERIOR_POINT);
        assert_int_equal(crn_fixed_point(&policy->near, &policy->attempt, method, workspace), CAIRN_OK);
        cairn_certificate certificate;
        assert_int_equal(cairn_certify(problem, &policy->attempt.best, &certificate), CAIRN_OK);
        solved += certificate.relative <= 1e-8;
        test_problem_destroy(problem);
    }
    print_message("fixed point: %d of 60\n", solved);
    assert_true(solved >= 54);
    crn_solver_policy_destroy(policy);
}

/* A stack has more contacts than it needs: plain Gauss-Seidel crawls. From what it has after a few sweeps the proximal loop
 * must come nearer, and never leave for worse. */
static void proximal_loop_improves(void **state)
{
    (void)state;
    crn_solver_policy *policy = crn_solver_policy_create();
    assert_non_null(policy);
    cairn_law laws[] = {{CAIRN_LAW_CONE, 0}, {CAIRN_LAW_CONVEX_CONE, 0}};
    for (int l = 0; l < 2; ++l)
    {
        cairn_problem *problem = test_problem_stack(6, laws[l], 0.5, 0.01, 0.1);
        cairn_solver_options options = {.struct_size = sizeof options, .tolerance = 1e-10, .max_iterations = 20};
        crn_attempt *attempt = &policy->attempt;
        assert_int_equal(crn_attempt_begin(attempt, NULL, problem, &options), CAIRN_OK);
        assert_int_equal(crn_solve_with(policy, CAIRN_SOLVER_GAUSS_SEIDEL), CAIRN_OK);
        double before = attempt->report.certificate.relative;
        assert_false(crn_attempt_is_done(attempt));
        attempt->max_iterations = 0;
        attempt->left[CAIRN_SOLVER_GAUSS_SEIDEL] = INT_MAX;
        void *workspace = crn_workshop_get(&policy->workshop, CAIRN_SOLVER_GAUSS_SEIDEL);
        assert_int_equal(crn_proximal(&policy->near, attempt, crn_method_of(CAIRN_SOLVER_GAUSS_SEIDEL), workspace),
                         CAIRN_OK);
        print_message("proximal: %.1e to %.1e\n", before, attempt->report.certificate.relative);
        assert_true(attempt->report.certificate.relative < 0.01 * before);
        test_problem_destroy(problem);
    }
    crn_solver_policy_destroy(policy);
}

/* A maximum of iterations holds for all runs of a method together: those to a tighter tolerance, in the fixed point and in the proximal loop. Nobody
 * reaches this tolerance, so that all of them are tried. */
static void a_maximum_holds_for_all_runs_of_a_method(void **state)
{
    (void)state;
    cairn_solver *solver = cairn_solver_create(NULL);
    cairn_law laws[] = {{CAIRN_LAW_CONE, 0}, {CAIRN_LAW_CONVEX_CONE, 0}, {CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_BOX, 0}};
    int runs = 0;
    for (int i = 0; i < 4 * CAIRN_SOLVER_KINDS * 3; ++i)
    {
        cairn_solver_kind kind = (cairn_solver_kind)(i / 4 % CAIRN_SOLVER_KINDS);
        cairn_problem *problem = test_problem_stack(6, laws[i % 4], 0.5, 0.01, 0.1);
        int most = i / (4 * CAIRN_SOLVER_KINDS) * 10 + 1,
            methods = kind == CAIRN_SOLVER_AUTO ? CAIRN_SOLVER_KINDS - 1 : 1;
        bool whole = kind == CAIRN_SOLVER_LEMKE || kind == CAIRN_SOLVER_GAUSS_SEIDEL || kind == CAIRN_SOLVER_ADMM;
        int inner = whole ? 0 : 40; /* the others finish what they began, whose inner steps count */
        cairn_solver_options options = cairn_solver_default();
        options.kind = kind;
        options.tolerance = 1e-300;
        options.max_iterations = most;
        options.forces = CAIRN_FORCES_ANY;
        cairn_solution solution;
        cairn_solver_report report;
        bool applies = kind == CAIRN_SOLVER_AUTO || crn_kind_can_solve(kind, problem);
        if (applies && cairn_solver_solve(solver, problem, &options, &solution, &report) == CAIRN_OK)
        {
            assert_true(report.iterations > 0 && report.iterations <= methods * (most + inner));
            ++runs;
        }
        test_problem_destroy(problem);
    }
    assert_true(runs > 40);
    cairn_solver_destroy(solver);
}

/* A body held by joints inside a wall: no impulse helps, however large, and no method may claim that one does. */
static void infeasible_problems_fail(void **state)
{
    (void)state;
    static const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double w[3] = {-1, 0, 0};
    double mu = 0.3;
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    cairn_law laws[] = {{CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_PYRAMID, 6},        {CAIRN_LAW_BOX, 0},
                        {CAIRN_LAW_CONE, 0},         {CAIRN_LAW_CONVEX_PYRAMID, 6}, {CAIRN_LAW_CONVEX_CONE, 0}};
    for (int l = 0; l < 6; ++l)
    {
        test_dense dense = {.dim = 3,
                            .law = laws[l],
                            .block_count = 1,
                            .block_size = (int[]){3},
                            .A = I,
                            .joint_rows = 3,
                            .G = I,
                            .contact_count = 1,
                            .H = I,
                            .w = w,
                            .mu = &mu};
        cairn_problem *problem = test_problem_from_dense(&dense);
        cairn_solver_options options = cairn_solver_default();
        cairn_solution solution;
        cairn_solver_report report;
        assert_int_equal(cairn_solver_solve(solver, problem, &options, &solution, &report), CAIRN_OK);
        assert_int_equal(report.outcome, CAIRN_FAILED);
        assert_true(report.certificate.relative > 0.1);
        test_problem_destroy(problem);
    }
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
}

/* The next step of a stack at rest has the impulses of this one. */
static void warm_steps_take_fewer_iterations(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material wood = add_material(w.model, "wood", 0.5, 0.0);
    add_ground(w.model, wood);
    for (int i = 0; i < 3; ++i)
    {
        char name[8] = {'b', (char)('0' + i), '\0'};
        add_box(w.model, name, 1.0, (double[]){1, 1, 1}, (double[]){0, 0, 0.5 + i}, wood);
    }
    cairn_settings settings = cairn_settings_default();
    settings.law = (cairn_law){CAIRN_LAW_CONE, 0};
    settings.solver.kind = CAIRN_SOLVER_GAUSS_SEIDEL;
    settings.solver.tolerance = 1e-7;
    world_start(&w, &settings);
    world_step(&w);
    int cold = cairn_simulation_report(w.simulation)->solver.iterations;
    world_run(&w, 5);
    int warm = cairn_simulation_report(w.simulation)->solver.iterations;
    print_message("sweeps: %d cold, %d warm\n", cold, warm);
    assert_true(2 * warm <= cold);
    assert_true(fabs(world_body(&w, "b2").position[2] - 2.5) < 1e-6);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_solves_every_law),    cmocka_unit_test(fixed_point_finds_exact_friction),
        cmocka_unit_test(proximal_loop_improves),   cmocka_unit_test(a_maximum_holds_for_all_runs_of_a_method),
        cmocka_unit_test(infeasible_problems_fail), cmocka_unit_test(warm_steps_take_fewer_iterations),
    };
    return cmocka_run_group_tests_name("auto", tests, NULL, NULL);
}
