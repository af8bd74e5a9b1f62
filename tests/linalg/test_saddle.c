/* The sparse factorisation against LAPACK's dense one, and what it does with redundant, empty and indefinite input. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <lapacke.h>

#include "linalg/blocks.h"
#include "linalg/lu.h"
#include "linalg/saddle.h"
#include "support/problems/graph_problem.h"

static void fill(test_random *random, double *x, int count)
{
    for (int i = 0; i < count; ++i)
        x[i] = test_uniform(random, -1.0, 1.0);
}

/* The largest entry of K x - b, relative to the size of its terms. */
static double relative_residual(const double *K, const double *x, const double *b, int size)
{
    double worst = 0.0;
    for (int i = 0; i < size; ++i)
    {
        long double sum = -b[i];
        long double terms = fabs(b[i]);
        for (int j = 0; j < size; ++j)
        {
            sum += (long double)K[i * size + j] * x[j];
            terms += fabsl((long double)K[i * size + j] * x[j]);
        }
        worst = fmax(worst, (double)(fabsl(sum) / (terms + 1e-300L)));
    }
    return worst;
}

/* Joints that do not depend on each other: two at most, on two bodies or more. */
static test_recipe regular_recipe(test_random *random)
{
    return (test_recipe){.dim = test_integer(random, 2, 3),
                         .law = {CAIRN_LAW_FRICTIONLESS, 0},
                         .bodies = test_integer(random, 2, 9),
                         .contacts = 1,
                         .joints = test_integer(random, 0, 2),
                         .mass_ratio = 100.0,
                         .skew = test_uniform(random, 0.0, 3.0),
                         .coupled = test_integer(random, 0, 1)};
}

/* One workspace through all problems: patterns change from one to the next. */
static void matches_dense_solution(void **state)
{
    (void)state;
    crn_saddle *saddle = crn_saddle_create();
    for (int trial = 0; trial < 120; ++trial)
    {
        test_random random = {(uint64_t)trial};
        test_recipe recipe = regular_recipe(&random);
        cairn_problem *problem = test_problem_random(&recipe, 500u + (uint64_t)trial);
        int size = problem->n + problem->joint_rows;
        double *K = test_dense_saddle(problem);
        double *x = calloc((size_t)size, sizeof(double));
        double *y = calloc((size_t)size, sizeof(double));
        int *pivots = calloc((size_t)size, sizeof(int));
        fill(&random, x, size);
        memcpy(y, x, (size_t)size * sizeof(double));
        assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
        assert_int_equal(crn_saddle_dropped_rows(saddle), 0);
        crn_saddle_solve(saddle, x, x + problem->n);
        assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, size, 1, K, size, pivots, y, 1), 0);
        double scale = 0.0;
        for (int i = 0; i < size; ++i)
            scale = fmax(scale, fabs(y[i]));
        for (int i = 0; i < size; ++i)
            assert_true(fabs(x[i] - y[i]) <= 1e-9 * scale);
        free(K);
        free(x);
        free(y);
        free(pivots);
        test_problem_destroy(problem);
    }
    crn_saddle_destroy(saddle);
}

/* Every third joint row is a combination of the two before it: it must be dropped, and the equations must hold all the
 * same, the dropped ones too, for right-hand sides that are consistent. */
static void drops_redundant_joints(void **state)
{
    (void)state;
    crn_saddle *saddle = crn_saddle_create();
    for (int trial = 0; trial < 60; ++trial)
    {
        test_random random = {900u + (uint64_t)trial};
        test_recipe recipe = regular_recipe(&random);
        recipe.bodies = 6;
        recipe.joints = test_integer(&random, 3, 9);
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
        int n = problem->n;
        int size = n + problem->joint_rows;
        double *K = test_dense_saddle(problem);
        double *x = calloc((size_t)size, sizeof(double));
        double *b = calloc((size_t)size, sizeof(double));
        fill(&random, x, n);
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < n; ++j)
                b[i] += K[i * size + j] * x[j];
        memcpy(x, b, (size_t)size * sizeof(double));
        assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
        assert_int_equal(crn_saddle_dropped_rows(saddle), recipe.joints / 3);
        crn_saddle_solve(saddle, x, x + n);
        int zeros = 0;
        for (int i = n; i < size; ++i)
            zeros += x[i] == 0.0;
        assert_true(zeros >= recipe.joints / 3);
        assert_true(relative_residual(K, x, b, size) < 1e-10);
        free(K);
        free(x);
        free(b);
        test_problem_destroy(problem);
    }
    crn_saddle_destroy(saddle);
}

/* A heavy body jointed to a light one leaves small pivots that are not redundant rows. */
static void keeps_honest_small_pivots(void **state)
{
    (void)state;
    double A[16] = {1e8, 0, 0, 0, 0, 1e8, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    double G[8] = {1, 0, -1, 0, 0, 0, 1, 1e-4};
    double p[4] = {1e8, 0, 0, 0};
    test_dense dense = {
        .dim = 2, .block_count = 2, .block_size = (int[]){2, 2}, .A = A, .p = p, .joint_rows = 2, .G = G};
    cairn_problem *problem = test_problem_from_dense(&dense);
    crn_saddle *saddle = crn_saddle_create();
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
    assert_int_equal(crn_saddle_dropped_rows(saddle), 0);
    double x[6] = {1e8, 0, 0, 0, 0, 0};
    crn_saddle_solve(saddle, x, x + 4);
    /* v_1 = v_3 = v, v_4 = -1e4 v: momentum 1e8 = (1e8 + 1 + 1e8) v */
    double v = 1e8 / (2e8 + 1.0);
    assert_true(fabs(x[0] - v) < 1e-7);
    assert_true(fabs(x[3] + 1e4 * v) < 1e-3);
    crn_saddle_destroy(saddle);
    test_problem_destroy(problem);
}

/* A joint between fixed bodies touches no block: its row is zero and its impulse 0. */
static void accepts_empty_joint_rows(void **state)
{
    (void)state;
    double A[4] = {2, 0, 0, 2};
    double G[4] = {0, 0, 1, 1};
    test_dense dense = {.dim = 2, .block_count = 1, .block_size = (int[]){2}, .A = A, .joint_rows = 2, .G = G};
    cairn_problem *problem = test_problem_from_dense(&dense);
    crn_saddle *saddle = crn_saddle_create();
    double v[2] = {2, 4};
    double c[2] = {0, 0};
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
    assert_int_equal(crn_saddle_dropped_rows(saddle), 1);
    crn_saddle_solve(saddle, v, c);
    assert_true(fabs(v[0] + 0.5) < 1e-15 && fabs(v[1] - 0.5) < 1e-15);
    assert_true(c[0] == 0.0 && fabs(c[1] + 3.0) < 1e-15);
    crn_saddle_destroy(saddle);
    test_problem_destroy(problem);
}

static void accepts_no_bodies(void **state)
{
    (void)state;
    test_dense dense = {.dim = 3};
    cairn_problem *problem = test_problem_from_dense(&dense);
    crn_saddle *saddle = crn_saddle_create();
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
    crn_saddle_solve(saddle, NULL, NULL);
    crn_saddle_destroy(saddle);
    test_problem_destroy(problem);
}

static void names_the_indefinite_block(void **state)
{
    (void)state;
    double A[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 0, 0, 3, 1};
    test_dense dense = {.dim = 2, .block_count = 2, .block_size = (int[]){2, 2}, .A = A};
    cairn_problem *problem = test_problem_from_dense(&dense);
    cairn_context *context = cairn_context_create();
    crn_saddle *saddle = crn_saddle_create();
    assert_int_equal(crn_saddle_factorise(saddle, context, problem), CAIRN_NUMERIC);
    assert_non_null(strstr(cairn_context_last_message(context), "block 1"));
    assert_non_null(strstr(cairn_context_last_message(context), "not positive definite"));
    crn_saddle_destroy(saddle);
    cairn_context_destroy(context);
    test_problem_destroy(problem);
}

/* The bodies' part of the factors solves with A alone. */
static void solves_without_joints(void **state)
{
    (void)state;
    test_random random = {3};
    test_recipe recipe = regular_recipe(&random);
    recipe.joints = 2;
    cairn_problem *problem = test_problem_random(&recipe, 11);
    crn_saddle *saddle = crn_saddle_create();
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
    double *x = calloc((size_t)problem->n, sizeof(double));
    long double *back = calloc((size_t)problem->n, sizeof(long double));
    memcpy(x, problem->p, (size_t)problem->n * sizeof(double));
    crn_saddle_solve_free(saddle, x);
    crn_matrix_add(&problem->A, problem->block_start, x, back);
    for (int i = 0; i < problem->n; ++i)
        assert_true(fabs((double)back[i] - problem->p[i]) < 1e-9 * (1.0 + fabs(problem->p[i])));
    free(x);
    free(back);
    crn_saddle_destroy(saddle);
    test_problem_destroy(problem);
}

static void dense_lu_matches_lapack(void **state)
{
    (void)state;
    enum
    {
        SIZE = 40,
        COLUMNS = 3
    };
    test_random random = {17};
    double a[SIZE * SIZE], copy[SIZE * SIZE], b[SIZE * COLUMNS], sorted[SIZE * COLUMNS];
    int row[SIZE], pivots[SIZE];
    fill(&random, a, SIZE * SIZE);
    fill(&random, b, SIZE * COLUMNS);
    memcpy(copy, a, sizeof a);
    assert_true(crn_lu_factorise(SIZE, a, SIZE, row, 1e-14));
    for (int i = 0; i < SIZE; ++i)
        memcpy(sorted + i * COLUMNS, b + row[i] * COLUMNS, COLUMNS * sizeof(double));
    crn_lu_solve(SIZE, a, SIZE, sorted, COLUMNS, COLUMNS);
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, SIZE, COLUMNS, copy, SIZE, pivots, b, COLUMNS), 0);
    for (int i = 0; i < SIZE * COLUMNS; ++i)
        assert_true(fabs(sorted[i] - b[i]) < 1e-10 * (1.0 + fabs(b[i])));
    double singular[4] = {1, 2, 2, 4};
    assert_false(crn_lu_factorise(2, singular, 2, row, 1e-14));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_dense_solution),    cmocka_unit_test(drops_redundant_joints),
        cmocka_unit_test(keeps_honest_small_pivots), cmocka_unit_test(accepts_empty_joint_rows),
        cmocka_unit_test(accepts_no_bodies),         cmocka_unit_test(names_the_indefinite_block),
        cmocka_unit_test(solves_without_joints),     cmocka_unit_test(dense_lu_matches_lapack),
    };
    return cmocka_run_group_tests_name("saddle", tests, NULL, NULL);
}
