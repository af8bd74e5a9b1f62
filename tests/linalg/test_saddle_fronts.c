/* The factorisation by fronts on matrices large enough to have many: against LAPACK's dense solution, and by properties
 * that hold without one. */
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
#include "linalg/saddle.h"
#include "linalg/saddle_dissect.h"
#include "linalg/saddle_front.h"
#include "linalg/saddle_kernel.h"
#include "support/problems/graph_problem.h"

static double *random_vector(test_random *random, int count)
{
    double *x = calloc((size_t)count + 1, sizeof(double));
    assert_non_null(x);
    for (int i = 0; i < count; ++i)
        x[i] = test_uniform(random, -1.0, 1.0);
    return x;
}

static double largest(const double *x, int count)
{
    double out = 0.0;
    for (int i = 0; i < count; ++i)
        out = fmax(out, fabs(x[i]));
    return out;
}

/* |x - K^-1 b| against |K^-1 b|, the leading `size` rows and columns of K. */
static double dense_error(const double *K, int stride, int size, const double *b, const double *x)
{
    double *copy = calloc((size_t)size * (size_t)size + 1, sizeof(double));
    double *y = calloc((size_t)size + 1, sizeof(double));
    int *pivots = calloc((size_t)size + 1, sizeof(int));
    assert_true(copy && y && pivots);
    for (int i = 0; i < size; ++i)
        memcpy(copy + (size_t)i * (size_t)size, K + (size_t)i * (size_t)stride, (size_t)size * sizeof(double));
    memcpy(y, b, (size_t)size * sizeof(double));
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, size, 1, copy, size, pivots, y, 1), 0);
    double scale = largest(y, size);
    for (int i = 0; i < size; ++i)
        y[i] -= x[i];
    double error = largest(y, size) / scale;
    free(copy);
    free(y);
    free(pivots);
    return error;
}

/* Solve with random right-hand sides, with the joints and without them, and compare. */
static void compare_with_dense(crn_saddle *saddle, const cairn_problem *problem, test_random *random, double tolerance)
{
    int size = problem->n + problem->joint_rows;
    double *K = test_dense_saddle(problem);
    double *b = random_vector(random, size);
    double *x = calloc((size_t)size + 1, sizeof(double));
    assert_true(K && x);
    memcpy(x, b, (size_t)size * sizeof(double));
    crn_saddle_solve(saddle, x, x + problem->n);
    assert_true(dense_error(K, size, size, b, x) < tolerance);
    memcpy(x, b, (size_t)size * sizeof(double));
    crn_saddle_solve_free(saddle, x);
    assert_true(dense_error(K, size, problem->n, b, x) < tolerance);
    assert_memory_equal(x + problem->n, b + problem->n, (size_t)problem->joint_rows * sizeof(double));
    free(K);
    free(b);
    free(x);
}

static test_graph some_graph(int kind, test_random *random)
{
    switch (kind)
    {
    case 0:
        return test_graph_grid(60, 1, 1);
    case 1:
        return test_graph_grid(9, 9, 1);
    case 2:
        return test_graph_grid(4, 4, 4);
    case 3:
        return test_graph_random(random, 30, 2000); /* nearly all pairs */
    case 4:
        return test_graph_random(random, 80, 100);
    case 5:
        return test_graph_random(random, 50, 0);
    default:
        return test_graph_grid(1, 1, 1);
    }
}

/* Blocks of all sizes and of one, joints and none, one workspace for all: patterns change from one to the next. */
static void matches_dense_solution(void **state)
{
    (void)state;
    crn_saddle *saddle = crn_saddle_create();
    for (int trial = 0; trial < 42; ++trial)
    {
        test_random random = {77u + (uint64_t)trial};
        test_graph graph = some_graph(trial % 7, &random);
        test_graph_recipe recipe = {.largest = trial % 3 ? 6 : 11, .equal = trial % 2, .dominance = 1.0};
        cairn_problem *problem = test_graph_problem(&graph, &recipe, &random);
        if (graph.vertices > 1 && trial % 3 == 1)
            test_graph_add_joints(problem, graph.vertices / 5, 1, 0, &random);
        assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
        assert_int_equal(crn_saddle_dropped_rows(saddle), 0);
        compare_with_dense(saddle, problem, &random, 1e-9);
        assert_int_equal(crn_saddle_factorise_any(saddle, NULL, problem), CAIRN_OK);
        assert_int_equal(crn_saddle_dropped_rows(saddle), 0);
        compare_with_dense(saddle, problem, &random, 1e-9);
        test_graph_release(&graph);
        test_problem_destroy(problem);
    }
    crn_saddle_destroy(saddle);
}

/* Nothing on the diagonal but noise: refused where A must be definite, solved with exchanges. */
static void accepts_any_regular_matrix(void **state)
{
    (void)state;
    crn_saddle *saddle = crn_saddle_create();
    cairn_context *context = cairn_context_create();
    for (int trial = 0; trial < 28; ++trial)
    {
        test_random random = {4100u + (uint64_t)trial};
        test_graph graph = some_graph(trial % 7, &random);
        test_graph_recipe recipe = {.largest = 6, .equal = true, .dominance = 0.0};
        cairn_problem *problem = test_graph_problem(&graph, &recipe, &random);
        assert_int_equal(crn_saddle_factorise(saddle, context, problem), CAIRN_NUMERIC);
        assert_non_null(strstr(cairn_context_last_message(context), "not positive definite"));
        assert_int_equal(crn_saddle_factorise_any(saddle, context, problem), CAIRN_OK);
        compare_with_dense(saddle, problem, &random, 1e-6);
        test_graph_release(&graph);
        test_problem_destroy(problem);
    }
    cairn_context_destroy(context);
    crn_saddle_destroy(saddle);
}

/* The second row of a block is three times its first. */
static void reports_a_singular_matrix(void **state)
{
    (void)state;
    crn_saddle *saddle = crn_saddle_create();
    cairn_context *context = cairn_context_create();
    test_random random = {5};
    test_graph graph = test_graph_grid(5, 5, 1);
    test_graph_recipe recipe = {.largest = 6, .equal = true, .dominance = 1.0};
    cairn_problem *problem = test_graph_problem(&graph, &recipe, &random);
    for (int e = problem->A.row_start[12]; e < problem->A.row_start[13]; ++e)
    {
        double *value = problem->A.value + problem->A.value_start[e];
        for (int k = 0; k < 6; ++k)
            value[6 + k] = 3.0 * value[k];
    }
    assert_int_equal(crn_saddle_factorise_any(saddle, context, problem), CAIRN_NUMERIC);
    assert_non_null(strstr(cairn_context_last_message(context), "not regular"));
    test_graph_release(&graph);
    test_problem_destroy(problem);
    cairn_context_destroy(context);
    crn_saddle_destroy(saddle);
}

static void multiply(const cairn_problem *problem, const double *x, long double *y)
{
    const double *c = x + problem->n;
    memset(y, 0, (size_t)(problem->n + problem->joint_rows) * sizeof(long double));
    crn_matrix_add(&problem->A, problem->block_start, x, y);
    crn_rows_transposed_add(&problem->G, problem->block_start, -1.0, c, y);
    crn_rows_add(&problem->G, problem->block_start, 1.0, x, y + problem->n);
    for (int i = 0; i < problem->joint_rows; ++i)
        y[problem->n + i] += problem->R_c[i] * c[i];
}

/* The largest entry of K x - b. */
static double residual(const cairn_problem *problem, const double *x, const double *b)
{
    int size = problem->n + problem->joint_rows;
    long double *y = calloc((size_t)size + 1, sizeof(long double));
    assert_non_null(y);
    multiply(problem, x, y);
    double worst = 0.0;
    for (int i = 0; i < size; ++i)
        worst = fmax(worst, fabs((double)(y[i] - b[i])));
    free(y);
    return worst;
}

/* Joints that repeat others are dropped, as many as there are, whether they follow at once or far away in the order; right-
 * hand sides in the range of K are solved, the dropped rows' equations too. */
static void drops_repeated_joints(void **state)
{
    (void)state;
    crn_saddle *saddle = crn_saddle_create();
    for (int trial = 0; trial < 20; ++trial)
    {
        test_random random = {880u + (uint64_t)trial};
        test_graph graph = test_graph_grid(trial % 2 ? 200 : 60, 1, trial % 2 ? 1 : 3);
        test_graph_recipe recipe = {.largest = 6, .equal = true, .dominance = 1.0};
        cairn_problem *problem = test_graph_problem(&graph, &recipe, &random);
        int repeated = 5 + trial;
        test_graph_add_joints(problem, 60, 2, repeated, &random);
        int size = problem->n + problem->joint_rows;
        long double *image = calloc((size_t)size + 1, sizeof(long double));
        double *x = random_vector(&random, size);
        double *b = random_vector(&random, size);
        assert_non_null(image);
        multiply(problem, x, image);
        for (int i = 0; i < size; ++i)
            x[i] = b[i] = (double)image[i];
        bool any = trial % 4 > 1;
        assert_int_equal((any ? crn_saddle_factorise_any : crn_saddle_factorise)(saddle, NULL, problem), CAIRN_OK);
        assert_int_equal(crn_saddle_dropped_rows(saddle), 2 * repeated);
        crn_saddle_solve(saddle, x, x + problem->n);
        int zeros = 0;
        for (int i = problem->n; i < size; ++i)
            zeros += x[i] == 0.0;
        assert_int_equal(zeros, 2 * repeated);
        assert_true(residual(problem, x, b) < 1e-9 * largest(b, size));
        free(image);
        free(x);
        free(b);
        test_graph_release(&graph);
        test_problem_destroy(problem);
    }
    crn_saddle_destroy(saddle);
}

/* Enough bodies for nested dissection, in two heaps that know nothing of each other. */
static cairn_problem *two_heaps(test_random *random, int side, test_graph *graph)
{
    test_graph one = test_graph_grid(side, side, side);
    int vertices = one.vertices;
    *graph = (test_graph){.vertices = 2 * vertices,
                          .from = calloc(2 * (size_t)one.edges, sizeof(int)),
                          .to = calloc(2 * (size_t)one.edges, sizeof(int))};
    assert_true(graph->from && graph->to);
    for (int e = 0; e < 2 * one.edges; ++e)
    {
        int heap = e / one.edges;
        graph->from[e] = one.from[e % one.edges] + heap * vertices;
        graph->to[e] = one.to[e % one.edges] + heap * vertices;
    }
    graph->edges = 2 * one.edges;
    test_graph_release(&one);
    test_graph_recipe recipe = {.largest = 6, .equal = true, .dominance = 1.0};
    return test_graph_problem(graph, &recipe, random);
}

/* A right-hand side on one body of one heap: exact zeros on the other, and K x = b. */
static void solves_large_heaps(void **state)
{
    (void)state;
    test_random random = {31};
    test_graph graph;
    cairn_problem *problem = two_heaps(&random, 8, &graph);
    int half = problem->n / 2;
    crn_saddle *saddle = crn_saddle_create();
    double *x = calloc((size_t)problem->n, sizeof(double));
    double *b = calloc((size_t)problem->n, sizeof(double));
    assert_true(x && b);
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
    x[half + 100] = b[half + 100] = 1.0;
    crn_saddle_solve(saddle, x, NULL);
    assert_true(residual(problem, x, b) < 1e-13);
    assert_true(largest(x, half) == 0.0);
    /* bodies of a grid in their own order would fill a band: 2 x 64 blocks wide */
    double band = 36.0 * 2.0 * 64.0 * (double)graph.vertices;
    assert_true((double)saddle->pattern.value_count < 0.6 * band);
    free(x);
    free(b);
    crn_saddle_destroy(saddle);
    test_graph_release(&graph);
    test_problem_destroy(problem);
}

/* The same bits from a used workspace as from a fresh one, and no memory taken for a pattern already known. */
static void is_the_same_every_time(void **state)
{
    (void)state;
    test_random random = {8};
    test_graph graph = test_graph_grid(10, 7, 7);
    test_graph_recipe recipe = {.largest = 6, .equal = false, .dominance = 1.0};
    cairn_problem *problem = test_graph_problem(&graph, &recipe, &random);
    test_graph_add_joints(problem, 30, 1, 0, &random);
    test_graph small = test_graph_grid(9, 1, 1);
    cairn_problem *other = test_graph_problem(&small, &recipe, &random);
    int size = problem->n + problem->joint_rows;
    double *b = random_vector(&random, size);
    double *x[2] = {calloc((size_t)size, sizeof(double)), calloc((size_t)size, sizeof(double))};
    crn_saddle *saddle = crn_saddle_create();
    for (int round = 0; round < 2; ++round)
    {
        memcpy(x[round], b, (size_t)size * sizeof(double));
        assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
        crn_saddle_solve(saddle, x[round], x[round] + problem->n);
        assert_int_equal(crn_saddle_factorise(saddle, NULL, other), CAIRN_OK);
    }
    assert_memory_equal(x[0], x[1], (size_t)size * sizeof(double));
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
    struct crn_saddle before = *saddle;
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
    assert_memory_equal(&before, saddle, sizeof before);
    crn_saddle_destroy(saddle);
    free(b);
    free(x[0]);
    free(x[1]);
    test_graph_release(&graph);
    test_graph_release(&small);
    test_problem_destroy(problem);
    test_problem_destroy(other);
}

/* Removing the last separator leaves no large component, and it is about as small as a plane through the grid. */
static void dissects_a_grid(void **state)
{
    (void)state;
    enum
    {
        SIDE = 12,
        COUNT = SIDE * SIDE * SIDE
    };
    test_graph graph = test_graph_grid(SIDE, SIDE, SIDE);
    int *start = calloc(COUNT + 2, sizeof(int));
    int *list = calloc(2 * (size_t)graph.edges, sizeof(int));
    int stage[COUNT], label[COUNT];
    int stages = 0;
    assert_true(start && list);
    for (int e = 0; e < graph.edges; ++e)
    {
        start[graph.from[e] + 2]++;
        start[graph.to[e] + 2]++;
    }
    for (int v = 0; v < COUNT; ++v)
        start[v + 2] += start[v + 1];
    for (int e = 0; e < graph.edges; ++e)
    {
        list[start[graph.from[e] + 1]++] = graph.to[e];
        list[start[graph.to[e] + 1]++] = graph.from[e];
    }
    assert_int_equal(crn_saddle_dissect(COUNT, start, list, stage, &stages), CAIRN_OK);
    int separator = 0;
    for (int v = 0; v < COUNT; ++v)
    {
        assert_in_range(stage[v], 0, stages - 1);
        separator += stage[v] == stages - 1;
        label[v] = stage[v] == stages - 1 ? -1 : v;
    }
    assert_true(stages > 3);
    assert_true(separator <= SIDE * SIDE * 3 / 2);
    for (bool changed = true; changed;)
    {
        changed = false;
        for (int e = 0; e < graph.edges; ++e)
        {
            int a = label[graph.from[e]];
            int b = label[graph.to[e]];
            if (a >= 0 && b >= 0 && a != b)
            {
                label[graph.from[e]] = label[graph.to[e]] = a < b ? a : b;
                changed = true;
            }
        }
    }
    int members[COUNT] = {0};
    for (int v = 0; v < COUNT; ++v)
        assert_true(label[v] < 0 || ++members[label[v]] <= COUNT * 6 / 10);
    free(start);
    free(list);
    test_graph_release(&graph);
}

static double predicted_for(int nx, int ny, int nz)
{
    test_random random = {7};
    test_graph graph = test_graph_grid(nx, ny, nz);
    cairn_problem *problem = test_graph_problem(&graph, &(test_graph_recipe){6, true, 2.0}, &random);
    crn_saddle *saddle = crn_saddle_create();
    double predicted, left;
    assert_int_equal(crn_saddle_predict(saddle, problem, &predicted), CAIRN_OK);
    assert_true(predicted > problem->n);
    left = 0.999 * CRN_SADDLE_FEWEST * predicted; /* the first factorisation asks for so many */
    crn_saddle_limit(saddle, 0, &left);
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_NUMERIC);
    assert_true(crn_saddle_gave_up(saddle));
    left = CRN_SADDLE_FEWEST * predicted;
    crn_saddle_limit(saddle, 0, &left);
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
    assert_true(fabs(left - (CRN_SADDLE_FEWEST - 1) * predicted) <= 1e-12 * predicted);
    crn_saddle_destroy(saddle);
    test_problem_destroy(problem);
    test_graph_release(&graph);
    return predicted;
}

/* What is predicted is what a factorisation takes from a budget. In the plane it grows like n^1.5, and in space like n^2 (George 1973): walls
 * have thin factors, heaps have not. */
static void predicts_what_factorisations_take(void **state)
{
    (void)state;
    double plane = predicted_for(40, 40, 1) / predicted_for(20, 20, 1),
           space = predicted_for(12, 12, 12) / predicted_for(6, 6, 6);
    assert_true(plane > 4 && plane < 12);
    assert_true(space > 24 && space < 100);
}

/* Sizes around those of tiles, both ways an operand can lie, against sums in long double. */
static void kernels_match_plain_sums(void **state)
{
    (void)state;
    test_random random = {19};
    int sizes[] = {1, 3, 4, 5, 8, 9, 17, 33, 200};
    for (int trial = 0; trial < 9 * 9 * 3; ++trial)
    {
        int rows = sizes[trial % 9];
        int columns = sizes[trial / 9 % 9];
        int depth = (int[]){1, 7, CRN_KERNEL_DEPTH}[trial / 81];
        bool transposed = trial % 2;
        double *A = random_vector(&random, rows * depth);
        double *B = random_vector(&random, depth * columns);
        double *C = random_vector(&random, rows * columns);
        double *out = calloc((size_t)(rows * columns), sizeof(double));
        assert_non_null(out);
        crn_operand operand = {A, transposed ? 1 : (size_t)depth, transposed ? (size_t)rows : 1};
        memcpy(out, C, (size_t)(rows * columns) * sizeof(double));
        crn_kernel_product(rows, columns, depth, operand, B, (size_t)columns, out, (size_t)columns);
        for (int i = 0; i < rows * columns; ++i)
        {
            long double sum = C[i];
            for (int k = 0; k < depth; ++k)
            {
                sum -= (long double)A[(size_t)(i / columns) * operand.row + (size_t)k * operand.step] *
                       B[k * columns + i % columns];
            }
            assert_true(fabsl(sum - out[i]) < 1e-13L);
        }
        free(A);
        free(B);
        free(C);
        free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_dense_solution),
        cmocka_unit_test(accepts_any_regular_matrix),
        cmocka_unit_test(reports_a_singular_matrix),
        cmocka_unit_test(drops_repeated_joints),
        cmocka_unit_test(solves_large_heaps),
        cmocka_unit_test(is_the_same_every_time),
        cmocka_unit_test(predicts_what_factorisations_take),
        cmocka_unit_test(dissects_a_grid),
        cmocka_unit_test(kernels_match_plain_sums),
    };
    return cmocka_run_group_tests_name("saddle fronts", tests, NULL, NULL);
}
