/* Articulated bodies: trees and loops of joints with several right-hand sides against LAPACK's dense solution, redundant joints
 * among them, and a number of operations that grows linearly along a chain. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <lapacke.h>

#include "linalg/saddle.h"
#include "linalg/saddle_front.h"
#include "support/problems/graph_problem.h"

enum
{
    COLUMNS = 19 /* two groups of eight and a rest */
};

static double *take(size_t count)
{
    double *x = calloc(count + 1, sizeof(double));
    assert_non_null(x);
    return x;
}

/* Bodies that no spring couples, with a joint at each edge. */
static cairn_problem *articulated(const test_graph *graph, int dofs, int rows, int repeat, test_random *random)
{
    test_graph none = {.vertices = graph->vertices};
    test_graph_recipe recipe = {.largest = dofs, .equal = true, .dominance = 1.0};
    cairn_problem *problem = test_graph_problem(&none, &recipe, random);
    test_graph_add_joints_at(problem, graph, rows, repeat, random);
    return problem;
}

/* Right-hand sides of many kinds: dense ones, those of a contact, which touch one body, and a zero. */
static void fill(test_random *random, int n, int m, double *V, double *C)
{
    for (int j = 0; j < COLUMNS; ++j)
    {
        int first = j % 3 ? test_integer(random, 0, n - 1) : 0;
        int end = j % 3 ? first + 1 : n;
        for (int i = first; i < end && j != 4; ++i)
            V[j * n + i] = test_uniform(random, -1.0, 1.0);
        for (int i = 0; i < m && j % 3 == 0; ++i)
            C[j * m + i] = test_uniform(random, -1.0, 1.0);
    }
}

/* The largest difference between columns of (V, C) and K^-1 of their right-hand sides, relative to the solution. */
static double error_of(const cairn_problem *problem, const double *right, const double *V, const double *C)
{
    int n = problem->n;
    int m = problem->joint_rows;
    int size = n + m;
    double *K = test_dense_saddle(problem);
    double *x = take((size_t)size * COLUMNS);
    int *pivots = calloc((size_t)size + 1, sizeof(int));
    double worst = 0.0;
    memcpy(x, right, (size_t)size * COLUMNS * sizeof(double));
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, size, COLUMNS, K, size, pivots, x, COLUMNS), 0);
    for (int j = 0; j < COLUMNS; ++j)
    {
        double scale = 1e-300;
        double error = 0.0;
        for (int i = 0; i < size; ++i)
        {
            double found = i < n ? V[j * n + i] : C[j * m + i - n];
            scale = fmax(scale, fabs(x[i * COLUMNS + j]));
            error = fmax(error, fabs(x[i * COLUMNS + j] - found));
        }
        worst = fmax(worst, error / scale);
    }
    free(K);
    free(x);
    free(pivots);
    return worst;
}

/* Columns of V and C as rows of one matrix, as LAPACK wants them. */
static double *right_sides(int n, int m, const double *V, const double *C)
{
    double *right = take((size_t)(n + m) * COLUMNS);
    for (int j = 0; j < COLUMNS; ++j)
        for (int i = 0; i < n + m; ++i)
            right[i * COLUMNS + j] = i < n ? V[j * n + i] : C[j * m + i - n];
    return right;
}

static void compare(crn_saddle *saddle, const cairn_problem *problem, test_random *random)
{
    int n = problem->n;
    int m = problem->joint_rows;
    double *V = take((size_t)n * COLUMNS);
    double *C = take((size_t)m * COLUMNS);
    double *v = take((size_t)n);
    double *c = take((size_t)m);
    fill(random, n, m, V, C);
    double *right = right_sides(n, m, V, C);
    assert_int_equal(crn_saddle_solve_many(saddle, COLUMNS, V, C), CAIRN_OK);
    assert_true(error_of(problem, right, V, C) < 1e-9);
    for (int j = 0; j < COLUMNS; ++j)
    {
        for (int i = 0; i < n + m; ++i)
            *(i < n ? &v[i] : &c[i - n]) = right[i * COLUMNS + j];
        crn_saddle_solve(saddle, v, c);
        memcpy(V + j * n, v, (size_t)n * sizeof(double));
        memcpy(C + j * m, c, (size_t)m * sizeof(double));
    }
    assert_true(error_of(problem, right, V, C) < 1e-9);
    free(V);
    free(C);
    free(v);
    free(c);
    free(right);
}

/* Bodies in the plane and in space, joints of 1 to dofs - 1 rows; one workspace for all. */
static void trees_and_loops_match_lapack(void **state)
{
    (void)state;
    crn_saddle *saddle = crn_saddle_create();
    for (int trial = 0; trial < 48; ++trial)
    {
        test_random random = {9100u + (uint64_t)trial};
        int dofs = trial % 2 ? 6 : 3;
        int loops = trial % 4 == 3 ? 2 : 0;
        int rows = loops ? 1 : 1 + trial % (dofs - 1);
        test_graph graph = test_graph_tree(&random, test_integer(&random, 2, 25), loops);
        cairn_problem *problem = articulated(&graph, dofs, rows, 0, &random);
        for (int i = 0; i < problem->joint_rows && trial % 5 == 0; ++i)
            problem->R_c[i] = test_uniform(&random, 0.0, 0.1);
        assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
        assert_int_equal(crn_saddle_dropped_rows(saddle), 0);
        compare(saddle, problem, &random);
        assert_int_equal(crn_saddle_factorise_any(saddle, NULL, problem), CAIRN_OK);
        compare(saddle, problem, &random);
        test_graph_release(&graph);
        test_problem_destroy(problem);
    }
    crn_saddle_destroy(saddle);
}

/* Joints that repeat others: every row of them is dropped, and v, which does not depend on which of them carry the load, is that
 * of the tree without them. */
static void repeated_joints_are_dropped(void **state)
{
    (void)state;
    crn_saddle *saddle = crn_saddle_create();
    crn_saddle *plain = crn_saddle_create();
    for (int trial = 0; trial < 24; ++trial)
    {
        int rows = 1 + trial % 5;
        int repeat = 1 + trial % 4;
        test_random random = {200u + (uint64_t)trial};
        test_random same = random;
        test_graph graph = test_graph_tree(&random, 12, 0);
        test_graph twin = test_graph_tree(&same, 12, 0);
        cairn_problem *problem = articulated(&graph, 6, rows, repeat, &random);
        cairn_problem *tree = articulated(&twin, 6, rows, 0, &same);
        double *V = take((size_t)problem->n * COLUMNS);
        double *W = take((size_t)problem->n * COLUMNS);
        fill(&random, problem->n, 0, V, NULL);
        memcpy(W, V, (size_t)problem->n * COLUMNS * sizeof(double));
        assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
        assert_int_equal(crn_saddle_factorise(plain, NULL, tree), CAIRN_OK);
        assert_int_equal(crn_saddle_dropped_rows(saddle), repeat * rows);
        assert_int_equal(crn_saddle_dropped_rows(plain), 0);
        assert_int_equal(crn_saddle_solve_many(saddle, COLUMNS, V, NULL), CAIRN_OK);
        assert_int_equal(crn_saddle_solve_many(plain, COLUMNS, W, NULL), CAIRN_OK);
        for (int i = 0; i < problem->n * COLUMNS; ++i)
            assert_true(fabs(V[i] - W[i]) < 1e-9);
        free(V);
        free(W);
        test_graph_release(&graph);
        test_graph_release(&twin);
        test_problem_destroy(problem);
        test_problem_destroy(tree);
    }
    crn_saddle_destroy(saddle);
    crn_saddle_destroy(plain);
}

/* Multiplications that the fronts of a chain of n hinges in space take: to factorise, and to solve once. */
static void count_work(int n, double *factorise, double *solve)
{
    test_random random = {5};
    crn_saddle *saddle = crn_saddle_create();
    test_graph graph = test_graph_grid(n, 1, 1);
    cairn_problem *problem = articulated(&graph, 6, 5, 0, &random);
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
    *factorise = *solve = 0.0;
    for (int s = 0; s < saddle->pattern.front_count; ++s)
    {
        double p = saddle->pattern.front[s].pivots;
        double u = saddle->pattern.front[s].width - p;
        *factorise += p * (p - 1.0) * (p + 1.0) / 3.0 + p * (p - 1.0) * u + p * u + p * u * u;
        *solve += p * p + 2.0 * p * u;
    }
    test_graph_release(&graph);
    test_problem_destroy(problem);
    crn_saddle_destroy(saddle);
}

/* docs/methods/articulated.md: 1320 and 231 for each link. */
static void work_is_linear_along_a_chain(void **state)
{
    (void)state;
    double factorise[4], solve[4];
    for (int i = 0; i < 4; ++i)
        count_work(25 << (2 * i), &factorise[i], &solve[i]); /* 25 to 1600 links */
    for (int i = 1; i < 4; ++i)
    {
        double links = (double)(25 << (2 * i)) - (25 << (2 * i - 2));
        assert_true(fabs((factorise[i] - factorise[i - 1]) / links - 1320.0) < 70.0);
        assert_true(fabs((solve[i] - solve[i - 1]) / links - 231.0) < 12.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_and_loops_match_lapack),
        cmocka_unit_test(repeated_joints_are_dropped),
        cmocka_unit_test(work_is_linear_along_a_chain),
    };
    return cmocka_run_group_tests_name("saddle_many", tests, NULL, NULL);
}
