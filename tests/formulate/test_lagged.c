/* The lagged law: one contact exactly, every solver on random problems against the variational inequality that is the law, and
 * problem files that carry its radius and the weights. */
#include "solve/sweep/local_lagged.h"
#include "support/check.h"
#include "support/problems/random_problem.h"

#include <cairn/cairn.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST = 60
};

/* u'(y - r) >= 0 for all y of the half cylinder: its least value is u_n >= 0, u_n r_n = 0 and -radius |u_t| - u_t'r_t = 0. */
static void check_law(int dim, double radius, const double *u, const double *r, double tolerance)
{
    double size = dim == 3 ? hypot(r[1], r[2]) : fabs(r[1]);
    double speed = dim == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
    double product = u[1] * r[1] + (dim == 3 ? u[2] * r[2] : 0.0);
    assert_true(r[0] >= 0 && size <= radius * (1 + 1e-12));
    assert_true(u[0] >= -tolerance);
    assert_near(u[0] * r[0], 0, tolerance * (1 + r[0]));
    assert_near(product, -radius * speed, tolerance * (1 + radius));
}

static void test_one_contact(void **state)
{
    (void)state;
    test_random random = {3};
    int seen[4] = {0};
    for (int trial = 0; trial < 4000; ++trial)
    {
        int dim = 2 + trial % 2;
        double root[9], W[9], q[3], r[3] = {0, 0, 0}, u[3];
        double radius = trial % 17 ? test_uniform(&random, 0.01, 2) : 0.0;
        for (int i = 0; i < 9; ++i)
            root[i] = test_uniform(&random, -1, 1);
        for (int i = 0; i < dim * dim; ++i)
        {
            W[i] = i % (dim + 1) == 0 ? 0.05 : test_uniform(&random, -1e-2, 1e-2); /* not symmetric */
            for (int k = 0; k < dim; ++k)
                W[i] += root[(i / dim) * dim + k] * root[(i % dim) * dim + k];
        }
        for (int i = 0; i < dim; ++i)
            q[i] = test_uniform(&random, -1, 1);
        crn_local_lagged(dim, radius, W, q, r);
        for (int i = 0; i < dim; ++i)
        {
            u[i] = q[i];
            for (int k = 0; k < dim; ++k)
                u[i] += W[i * dim + k] * r[k];
        }
        check_law(dim, radius, u, r, 1e-12);
        double size = dim == 3 ? hypot(r[1], r[2]) : fabs(r[1]);
        seen[2 * (r[0] > 0) + (size > 0.999 * radius)]++;
    }
    for (int i = 0; i < 4; ++i)
        assert_true(seen[i] > 100); /* open or shut, stick or slip */
}

static void check_solution(const cairn_problem *problem, const cairn_solution *solution)
{
    double u[MOST];
    assert_true(cairn_problem_velocities(problem, solution->v, solution->r, u));
    for (int j = 0; j < problem->contact_count; ++j)
        check_law(problem->dim, problem->radius[j], u + j * problem->dim, solution->r + j * problem->dim, 1e-8);
}

static void test_solvers(void **state)
{
    (void)state;
    static const cairn_solver_kind KINDS[] = {CAIRN_SOLVER_AUTO, CAIRN_SOLVER_GAUSS_SEIDEL, CAIRN_SOLVER_APGD,
                                              CAIRN_SOLVER_ADMM, CAIRN_SOLVER_NEWTON,       CAIRN_SOLVER_LEMKE};
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    test_random random = {8};
    int solved[6] = {0};
    for (int trial = 0; trial < 60; ++trial)
    {
        test_recipe recipe = {.dim = 2 + trial % 2,
                              .law = {CAIRN_LAW_LAGGED, 0},
                              .bodies = 4,
                              .contacts = 8,
                              .joints = trial % 3 == 0 ? 3 : 0,
                              .mass_ratio = 10,
                              .mu = 0.5,
                              .skew = trial % 5 == 0 ? 0.3 : 0.0,
                              .coupled = trial % 4 == 0,
                              .gaps = trial % 2 == 0,
                              .redundant = trial % 7 == 0,
                              .compliant = trial % 6 == 0};
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial + 1);
        double radius[MOST], first[MOST];
        for (int j = 0; j < problem->contact_count; ++j)
            radius[j] = j % 5 == 0 ? 0.0 : test_uniform(&random, 0.0, 1.0);
        problem->radius = radius;
        for (int kind = 0; kind < 6; ++kind)
        {
            cairn_solver_options options = cairn_solver_default();
            cairn_solution solution;
            cairn_solver_report report;
            options.kind = KINDS[kind];
            options.tolerance = 1e-10;
            cairn_status status = cairn_solver_solve(solver, problem, &options, &solution, &report);
            if (KINDS[kind] == CAIRN_SOLVER_LEMKE && problem->dim == 3)
            {
                assert_int_equal(status, CAIRN_INVALID); /* a disc is no polygon */
                continue;
            }
            assert_int_equal(status, CAIRN_OK);
            solved[kind] += report.outcome == CAIRN_SOLVED;
            if (report.outcome != CAIRN_SOLVED)
                continue;
            check_solution(problem, &solution);
            /* A positive definite: one velocity for all */
            for (int i = 0; i < problem->n; ++i)
            {
                first[i] = kind == 0 ? solution.v[i] : first[i];
                assert_near(solution.v[i], first[i], 1e-7);
            }
        }
        problem->radius = NULL;
        test_problem_destroy(problem);
    }
    print_message("solved of 60 (lemke 30): auto %d, gauss-seidel %d, apgd %d, admm %d, newton %d, lemke %d\n",
                  solved[0], solved[1], solved[2], solved[3], solved[4], solved[5]);
    assert_int_equal(solved[0], 60);
    assert_int_equal(solved[5], 30);
    for (int kind = 1; kind < 5; ++kind)
        assert_true(solved[kind] >= 57);
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
}

/* A solver that does not know the law says so. */
static void test_refusal(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    cairn_problem *problem = test_problem_stack(1, (cairn_law){CAIRN_LAW_LAGGED, 0}, 0.5, 0.01, 0.0);
    double radius[4] = {0.1, 0.1, 0.1, 0.1};
    problem->radius = radius;
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report;
    options.kind = CAIRN_SOLVER_INTERIOR_POINT;
    assert_int_equal(cairn_solver_solve(solver, problem, &options, &solution, &report), CAIRN_INVALID);
    problem->radius = NULL;
    test_problem_destroy(problem);
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
}

static void test_problem_files(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    test_recipe recipe = {
        .dim = 3, .law = {CAIRN_LAW_LAGGED, 0}, .bodies = 3, .contacts = 5, .joints = 4, .mass_ratio = 2, .mu = 0.5};
    cairn_problem *problem = test_problem_random(&recipe, 4);
    double radius[MOST], weight[MOST], joint_weight[MOST];
    for (int i = 0; i < MOST; ++i)
    {
        radius[i] = 0.1 * i;
        weight[i] = 1 + i;
        joint_weight[i] = 2 + i;
    }
    problem->radius = radius;
    for (int weighted = 0; weighted < 2; ++weighted)
    {
        cairn_problem *back = NULL;
        problem->weight = weighted ? weight : NULL;
        problem->joint_weight = weighted ? joint_weight : NULL;
        assert_int_equal(cairn_problem_save(context, problem, "lagged.h5"), CAIRN_OK);
        assert_int_equal(cairn_problem_load(context, "lagged.h5", &back), CAIRN_OK);
        assert_int_equal(back->law.kind, CAIRN_LAW_LAGGED);
        size_t contacts = (size_t)problem->contact_count * sizeof(double);
        assert_memory_equal(back->radius, radius, contacts);
        assert_true((back->weight != NULL) == weighted && (back->joint_weight != NULL) == weighted);
        if (weighted)
        {
            assert_memory_equal(back->weight, weight, contacts);
            assert_memory_equal(back->joint_weight, joint_weight, (size_t)problem->joint_rows * sizeof(double));
        }
        cairn_problem_destroy(back);
    }
    problem->radius = problem->weight = problem->joint_weight = NULL;
    test_problem_destroy(problem);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_contact), cmocka_unit_test(test_solvers),
                                       cmocka_unit_test(test_refusal), cmocka_unit_test(test_problem_files)};
    return cmocka_run_group_tests_name("lagged", tests, NULL, NULL);
}
