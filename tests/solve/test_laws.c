/* The cone and convex laws: known answers, theorems of Anitescu 2006, and what ties the laws to one another. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/problems/random_problem.h"

typedef struct bench
{
    cairn_context *context;
    cairn_solver *solver, *other;
} bench;

static int set_up(void **state)
{
    bench *b = calloc(1, sizeof *b);
    b->context = cairn_context_create();
    b->solver = cairn_solver_create(b->context);
    b->other = cairn_solver_create(b->context);
    *state = b;
    return b->solver && b->other ? 0 : -1;
}

static int tear_down(void **state)
{
    bench *b = *state;
    cairn_solver_destroy(b->solver);
    cairn_solver_destroy(b->other);
    cairn_context_destroy(b->context);
    free(b);
    return 0;
}

static cairn_solver_report solve(cairn_solver *solver, const cairn_problem *problem, cairn_solver_kind kind,
                                 cairn_solution *solution)
{
    cairn_solver_options options = cairn_solver_default();
    cairn_solver_report report;
    options.kind = kind;
    assert_int_equal(cairn_solver_solve(solver, problem, &options, solution, &report), CAIRN_OK);
    return report;
}

static double distance(const double *a, const double *b, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* ---------------------------------------------------------------------------------------------------- known answers */

/* A particle of mass 1 on the plane, sliding with speed 3 along the first tangent, no force. */
static cairn_problem *particle(int dim, cairn_law law, double mu)
{
    static const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double I2[4] = {1, 0, 0, 1};
    static const double p[3] = {0, 3, 0};
    test_dense dense = {.dim = dim,
                        .law = law,
                        .block_count = 1,
                        .block_size = (int[]){dim},
                        .A = dim == 3 ? I : I2,
                        .p = p,
                        .contact_count = 1,
                        .H = dim == 3 ? I : I2,
                        .mu = &mu};
    return test_problem_from_dense(&dense);
}

/* Anitescu 2006, example 2: the convex law makes it hop, with velocity 3 / (1 + mu^2) (1, mu) and so u_n = mu |u_t|. */
static void sliding_particle_hops(void **state)
{
    bench *b = *state;
    cairn_law laws[] = {{CAIRN_LAW_CONVEX_PYRAMID, 4}, {CAIRN_LAW_CONVEX_PYRAMID, 12}, {CAIRN_LAW_CONVEX_CONE, 0}};
    for (int i = 0; i < 50; ++i)
    {
        double mu = 0.05 * i;
        for (int l = 0; l < 5; ++l)
        {
            int dim = l < 3 ? 2 : 3; /* the convex cone of space: in its methods' own tests */
            cairn_problem *problem = particle(dim, laws[l % 3], mu);
            cairn_solution solution;
            cairn_solver_report report = solve(b->solver, problem, CAIRN_SOLVER_LEMKE, &solution);
            assert_int_equal(report.outcome, CAIRN_SOLVED);
            assert_true(fabs(solution.v[1] - 3.0 / (1.0 + mu * mu)) < 1e-14);
            assert_true(fabs(solution.v[0] - 3.0 * mu / (1.0 + mu * mu)) < 1e-14);
            test_problem_destroy(problem);
        }
    }
}

/* The exact laws let it slide on: nothing presses it down. */
static void sliding_particle_slides_on(void **state)
{
    bench *b = *state;
    cairn_law laws[] = {{CAIRN_LAW_CONE, 0}, {CAIRN_LAW_PYRAMID, 4}};
    for (int l = 0; l < 2; ++l)
    {
        cairn_problem *problem = particle(2, laws[l], 0.3);
        cairn_solution solution;
        cairn_solver_report report = solve(b->solver, problem, CAIRN_SOLVER_LEMKE, &solution);
        assert_int_equal(report.outcome, CAIRN_SOLVED);
        assert_true(solution.v[0] == 0.0 && solution.v[1] == 3.0);
        test_problem_destroy(problem);
    }
}

/* ------------------------------------------------------------------------------------------------- random problems */

static test_recipe random_recipe(int trial, cairn_law law)
{
    test_random random = {(uint64_t)trial * 977u + 5u};
    return (test_recipe){.dim = trial % 3 ? 3 : 2,
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

/* Eq. 5.1 has a positive semidefinite matrix: Lemke's method alone solves it whenever it can be solved at all, and here
 * it can, as v = 0 is feasible. */
static void lemke_solves_the_convex_law(void **state)
{
    bench *b = *state;
    for (int trial = 0; trial < 300; ++trial)
    {
        test_recipe recipe = random_recipe(trial, (cairn_law){CAIRN_LAW_CONVEX_PYRAMID, 4 + 2 * (trial % 5)});
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
        cairn_solution solution;
        cairn_solver_report report = solve(b->solver, problem, CAIRN_SOLVER_LEMKE, &solution);
        assert_int_equal(report.outcome, CAIRN_SOLVED);
        assert_true(report.certificate.relative <= 1e-9);
        test_problem_destroy(problem);
    }
}

/* u_j = H_j v + (R r)_j + w_j */
static void contact_velocities(const cairn_problem *problem, const cairn_solution *solution, double *u)
{
    int dim = problem->dim;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        for (int k = 0; k < dim; ++k)
        {
            double sum = problem->w[j * dim + k];
            for (int e = problem->H.entry_start[j]; e < problem->H.entry_start[j + 1]; ++e)
            {
                int first = problem->block_start[problem->H.block[e]];
                int size = problem->block_start[problem->H.block[e] + 1] - first;
                for (int i = 0; i < size; ++i)
                    sum += problem->H.value[problem->H.value_start[e] + k * size + i] * solution->v[first + i];
            }
            u[j * dim + k] = sum;
        }
    }
}

/* The convex problem is monotone: for two biases w, the solutions have (w - w~)'(r - r~) <= 0; it follows from
 * (u - u~)'(r - r~) <= 0 and a positive definite A. */
static void convex_law_is_monotone(void **state)
{
    bench *b = *state;
    for (int trial = 0; trial < 150; ++trial)
    {
        test_recipe recipe = random_recipe(trial, (cairn_law){CAIRN_LAW_CONVEX_PYRAMID, 6});
        recipe.mass_ratio = 10.0;
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
        int rows = problem->dim * problem->contact_count;
        cairn_solution first, second;
        double kept[64];
        assert_true(rows <= 64);
        solve(b->solver, problem, CAIRN_SOLVER_LEMKE, &first);
        memcpy(kept, problem->w, (size_t)rows * sizeof(double));
        test_random random = {(uint64_t)trial};
        for (int i = 0; i < rows; ++i)
            problem->w[i] += i % problem->dim ? 0.0 : test_uniform(&random, 0.0, 1.0);
        solve(b->other, problem, CAIRN_SOLVER_LEMKE, &second);
        double sum = 0.0, size = 1.0;
        for (int i = 0; i < rows; ++i)
        {
            sum += (problem->w[i] - kept[i]) * (second.r[i] - first.r[i]);
            size += fabs(second.r[i]) + fabs(first.r[i]);
        }
        assert_true(sum <= 1e-9 * size);
        test_problem_destroy(problem);
    }
}

/* Where the convex solution does not slip, it is one of the exact law, and its certificate under that law is as good. */
static void convex_without_slip_is_exact(void **state)
{
    bench *b = *state;
    int sticking = 0;
    for (int trial = 0; trial < 400; ++trial)
    {
        test_recipe recipe = random_recipe(trial, (cairn_law){CAIRN_LAW_CONVEX_PYRAMID, 8});
        recipe.mu = 3.0;
        recipe.contacts = 1;
        recipe.gaps = recipe.compliant = false;
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
        cairn_solution solution;
        cairn_certificate exact;
        double u[3] = {0};
        solve(b->solver, problem, CAIRN_SOLVER_LEMKE, &solution);
        contact_velocities(problem, &solution, u);
        problem->law = (cairn_law){CAIRN_LAW_PYRAMID, 8};
        assert_int_equal(cairn_certify(problem, &solution, &exact), CAIRN_OK);
        bool pressed = solution.r[0] > 1e-6;
        if (pressed && hypot(u[1], u[2]) < 1e-12)
        {
            assert_true(exact.relative < 1e-9);
            ++sticking;
        }
        else if (pressed && problem->mu[0] * hypot(u[1], u[2]) > 1e-3)
        {
            assert_true(exact.relative > 1e-9); /* it lifts off, which the exact law forbids */
        }
        test_problem_destroy(problem);
    }
    assert_true(sticking > 50);
}

/* Without friction all laws are one. */
static void without_friction_all_laws_agree(void **state)
{
    bench *b = *state;
    cairn_law laws[] = {
        {CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_CONE, 0}, {CAIRN_LAW_CONVEX_PYRAMID, 4}, {CAIRN_LAW_CONVEX_CONE, 0}};
    for (int trial = 0; trial < 100; ++trial)
    {
        test_recipe recipe = random_recipe(trial, (cairn_law){CAIRN_LAW_FRICTIONLESS, 0});
        recipe.mu = 0.0;
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
        cairn_solution solution;
        solve(b->solver, problem, CAIRN_SOLVER_LEMKE, &solution);
        for (int l = 0; l < 4; ++l)
        {
            cairn_certificate certificate;
            problem->law = laws[l];
            assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
            assert_true(certificate.relative <= 1e-9);
        }
        test_problem_destroy(problem);
    }
}

/* In the plane the circular laws are the polyhedral ones. */
static void in_the_plane_cones_are_wedges(void **state)
{
    bench *b = *state;
    for (int trial = 0; trial < 100; ++trial)
    {
        bool convex = trial % 2;
        test_recipe recipe = random_recipe(trial, (cairn_law){CAIRN_LAW_CONE, 0});
        recipe.dim = 2;
        recipe.law.kind = convex ? CAIRN_LAW_CONVEX_CONE : CAIRN_LAW_CONE;
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
        cairn_law wedges = {convex ? CAIRN_LAW_CONVEX_PYRAMID : CAIRN_LAW_PYRAMID, 4};
        cairn_law cones = problem->law;
        cairn_solution cone, wedge;
        cairn_certificate certificate;
        assert_int_equal(solve(b->solver, problem, CAIRN_SOLVER_LEMKE, &cone).outcome, CAIRN_SOLVED);
        problem->law = wedges;
        solve(b->other, problem, CAIRN_SOLVER_LEMKE, &wedge);
        assert_true(distance(cone.v, wedge.v, problem->n) == 0.0);
        problem->law = cones;
        assert_int_equal(solve(b->solver, problem, CAIRN_SOLVER_AUTO, &cone).outcome, CAIRN_SOLVED);
        problem->law = wedges;
        assert_int_equal(cairn_certify(problem, &cone, &certificate), CAIRN_OK);
        assert_true(certificate.relative <= 1e-9);
        test_problem_destroy(problem);
    }
}

/* --------------------------------------------------------------------------------------------------------- refusals */

static void lemke_refuses_the_circular_cone(void **state)
{
    bench *b = *state;
    cairn_problem *problem = particle(3, (cairn_law){CAIRN_LAW_CONVEX_CONE, 0}, 0.3);
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report;
    options.kind = CAIRN_SOLVER_LEMKE;
    assert_int_equal(cairn_solver_solve(b->solver, problem, &options, &solution, &report), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(b->context), "polyhedral"));
    options.kind = (cairn_solver_kind)99;
    assert_int_equal(cairn_solver_solve(b->solver, problem, &options, &solution, &report), CAIRN_INVALID);
    test_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_particle_hops),         cmocka_unit_test(sliding_particle_slides_on),
        cmocka_unit_test(lemke_solves_the_convex_law),   cmocka_unit_test(convex_law_is_monotone),
        cmocka_unit_test(convex_without_slip_is_exact),  cmocka_unit_test(without_friction_all_laws_agree),
        cmocka_unit_test(in_the_plane_cones_are_wedges), cmocka_unit_test(lemke_refuses_the_circular_cone),
    };
    return cmocka_run_group_tests_name("laws", tests, set_up, tear_down);
}
