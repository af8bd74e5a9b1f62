/* Forces of least norm in islands of more than 48 rows, against truths that share no code with the library: quarters of weights
 * by symmetry, the pseudo-inverse and the null space by LAPACK's singular values, and the conditions of optimality of the convex
 * problem where bounds are active. */
#include "support/check.h"
#include "support/problems/dense.h"
#include "support/problems/random_problem.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

static const cairn_law FRICTIONLESS = {CAIRN_LAW_FRICTIONLESS, 0}, CONE = {CAIRN_LAW_CONE, 0};

typedef struct bench
{
    cairn_context *context;
    cairn_solver *solver;
    cairn_solution solution;
    cairn_solver_report report;
} bench;

static bench bench_open(void)
{
    bench b = {.context = cairn_context_create()};
    b.solver = cairn_solver_create(b.context);
    assert_non_null(b.solver);
    return b;
}

static void bench_close(bench *b)
{
    cairn_solver_destroy(b->solver);
    cairn_context_destroy(b->context);
}

static void solve_by(bench *b, const cairn_problem *problem, cairn_forces forces, cairn_solver_kind kind)
{
    cairn_solver_options options = cairn_solver_default();
    options.forces = forces;
    options.kind = kind;
    assert_int_equal(cairn_solver_solve(b->solver, problem, &options, &b->solution, &b->report), CAIRN_OK);
    assert_int_equal(b->report.outcome, CAIRN_SOLVED);
}

static void solve(bench *b, const cairn_problem *problem, cairn_forces forces)
{
    solve_by(b, problem, forces, CAIRN_SOLVER_AUTO);
}

/* ---------------------------------------------------------------------------------------------------------- LAPACK */

/* The x of least norm with M x = f, and the rank of M (rows x columns, row-major, kept): by singular values. */
static int pseudo_solve(int rows, int columns, const double *M, const double *f, double *x)
{
    int longest = rows > columns ? rows : columns, rank;
    double *copy = malloc(sizeof(double) * (size_t)(rows * columns));
    double *right = calloc((size_t)longest, sizeof(double)), *value = malloc(sizeof(double) * (size_t)longest);
    assert_true(copy && right && value);
    memcpy(copy, M, sizeof(double) * (size_t)(rows * columns));
    memcpy(right, f, sizeof(double) * (size_t)rows);
    assert_int_equal(LAPACKE_dgelsd(LAPACK_ROW_MAJOR, rows, columns, 1, copy, columns, right, 1, value, 1e-10, &rank),
                     0);
    memcpy(x, right, sizeof(double) * (size_t)columns);
    free(copy);
    free(right);
    free(value);
    return rank;
}

/* ---------------------------------------------------------------------------------------------------------- stacks */

/* A stack of cubes at rest: whatever the law, each corner carries a quarter of what is above it, without friction. */
static void corners_carry_quarters(void **state)
{
    (void)state;
    static const cairn_law LAWS[] = {{CAIRN_LAW_CONE, 0},    {CAIRN_LAW_CONVEX_CONE, 0},
                                     {CAIRN_LAW_PYRAMID, 8}, {CAIRN_LAW_CONVEX_PYRAMID, 6},
                                     {CAIRN_LAW_BOX, 0},     {CAIRN_LAW_FRICTIONLESS, 0}};
    static const int HEIGHTS[] = {5, 10, 60};
    const double h = 0.01;
    bench b = bench_open();
    for (size_t k = 0; k < 6; ++k)
    {
        for (int i = 0; i < (k < 2 ? 3 : 2); ++i)
        {
            int height = HEIGHTS[i];
            cairn_problem *problem = test_problem_stack(height, LAWS[k], 0.5, h, 0);
            solve(&b, problem, CAIRN_FORCES_AUTO);
            for (int j = 0; j < problem->contact_count; ++j)
            {
                double weight = 9.81 * h * (height - j / 4) / 4;
                assert_near(b.solution.r[3 * j], weight, 1e-9 * weight);
                assert_near(b.solution.r[3 * j + 1], 0, 1e-9 * weight);
                assert_near(b.solution.r[3 * j + 2], 0, 1e-9 * weight);
            }
            /* per interface 12 forces for 6 equations of balance, or without friction 4 for 3 */
            assert_int_equal(b.report.null_space, (LAWS[k].kind == CAIRN_LAW_FRICTIONLESS ? 1 : 6) * height);
            assert_int_equal(b.report.unexamined, 0);
            assert_true(b.report.chosen_forces);
            test_problem_destroy(problem);
        }
    }
    bench_close(&b);
}

/* ----------------------------------------------------------------------------------------------------------- tables */

enum
{
    LEGS = 100
};

/* A table with many legs at given places, pressed down by `load` at (x, y); its unknowns are height and two turns. */
static cairn_problem *table(double (*place)[2], double load, double x, double y)
{
    static const int SIZES[1] = {3};
    static const double A[9] = {1, 0, 0, 0, 0.5, 0, 0, 0, 0.4};
    double p[3] = {-load, -load * x, -load * y};
    double *H = calloc((size_t)LEGS * 9, sizeof(double)), *zero = calloc((size_t)LEGS * 3, sizeof(double));
    assert_true(H && zero);
    for (int j = 0; j < LEGS; ++j)
    {
        H[9 * j] = 1;
        H[9 * j + 1] = place[j][0];
        H[9 * j + 2] = place[j][1];
    }
    test_dense dense = {.dim = 3, .law = FRICTIONLESS, .block_count = 1, .block_size = SIZES, .A = A, .p = p};
    dense.contact_count = LEGS;
    dense.H = H;
    dense.w = zero;
    dense.mu = zero;
    cairn_problem *problem = test_problem_from_dense(&dense);
    assert_non_null(problem);
    free(H);
    free(zero);
    return problem;
}

/* x_j = k_j max(0, pi.(1, place)): the conditions of optimality of least x'x/k with x >= 0. pi is fitted to the legs that carry. */
static void check_optimal(double (*place)[2], const double *weight, const double *r, double load)
{
    double M[LEGS * 3], f[LEGS], pi[3];
    int rows = 0;
    for (int j = 0; j < LEGS; ++j)
    {
        assert_true(r[3 * j] >= 0);
        if (r[3 * j] < 1e-6 * load)
            continue;
        M[3 * rows] = 1;
        M[3 * rows + 1] = place[j][0];
        M[3 * rows + 2] = place[j][1];
        f[rows++] = r[3 * j] / weight[j];
    }
    pseudo_solve(rows, 3, M, f, pi);
    for (int j = 0; j < LEGS; ++j)
    {
        double sinks = pi[0] + pi[1] * place[j][0] + pi[2] * place[j][1];
        assert_near(r[3 * j], weight[j] * fmax(0, sinks), 1e-9 * load);
    }
}

/* A table with a hundred legs of random places and weights. A load in the middle leaves all legs pressed: then the forces are those of
 * the pseudo-inverse. One near the edge would make legs pull, which stay at 0. */
static void table_with_a_hundred_legs(void **state)
{
    (void)state;
    bench b = bench_open();
    for (uint64_t seed = 1; seed <= 12; ++seed)
    {
        test_random random = {seed};
        double place[LEGS][2], weight[LEGS], M[3 * LEGS], x[LEGS], load = test_uniform(&random, 1, 50);
        for (int j = 0; j < LEGS; ++j)
        {
            place[j][0] = test_uniform(&random, -1, 1);
            place[j][1] = test_uniform(&random, -1, 1);
            weight[j] = seed % 2 ? 1 : pow(10, test_uniform(&random, -1, 1));
        }
        double off = seed > 6 ? 0.6 : 0.05, at[2] = {off * test_uniform(&random, 0.8, 1), -off};
        cairn_problem *problem = table(place, load, at[0], at[1]);
        problem->weight = weight;
        solve(&b, problem, seed % 3 ? CAIRN_FORCES_AUTO : CAIRN_FORCES_MINIMUM_NORM);
        assert_int_equal(b.report.null_space, LEGS - 3);
        assert_true(b.report.chosen_forces);
        check_optimal(place, weight, b.solution.r, load);
        for (int j = 0; j < LEGS; ++j)
        {
            double column[3] = {1, place[j][0], place[j][1]};
            for (int i = 0; i < 3; ++i)
                M[i * LEGS + j] = column[i] * sqrt(weight[j]);
        }
        double f[3] = {load, load * at[0], load * at[1]};
        assert_int_equal(pseudo_solve(3, LEGS, M, f, x), 3);
        for (int j = 0; j < LEGS && seed <= 6; ++j)
            assert_near(b.solution.r[3 * j], x[j] * sqrt(weight[j]), 1e-9 * load);
        test_problem_destroy(problem);
    }
    bench_close(&b);
}

/* The same problem with W in place of bodies. */
static cairn_problem *without_bodies(bench *b, const cairn_problem *problem)
{
    cairn_fclib_options options = cairn_fclib_default();
    cairn_problem *local = NULL;
    options.layout = CAIRN_FCLIB_LOCAL;
    assert_int_equal(cairn_problem_save_fclib(b->context, problem, "table.hdf5", &options), CAIRN_OK);
    assert_int_equal(cairn_problem_load(b->context, "table.hdf5", &local), CAIRN_OK);
    assert_int_equal(local->n, 0);
    local->law = FRICTIONLESS;
    return local;
}

/* Forces r beside the solver's own: the same load at the same place; and legs that carry something, and not what they did, carry what a plane gives that is
 * fitted to them. */
static void check_plane(double (*place)[2], const double *r, const double *own, double load)
{
    double M[LEGS * 3], f[LEGS], pi[3], sum[3] = {0.0};
    int rows = 0;
    for (int j = 0; j < LEGS; ++j)
    {
        double at[3] = {1, place[j][0], place[j][1]};
        for (int i = 0; i < 3; ++i)
            sum[i] += at[i] * (r[3 * j] - own[3 * j]);
        if (r[3 * j] < 1e-6 * load || fabs(r[3 * j] - own[3 * j]) < 1e-12 * load)
            continue;
        memcpy(M + (ptrdiff_t)3 * rows, at, sizeof at);
        f[rows++] = r[3 * j];
    }
    for (int i = 0; i < 3; ++i)
        assert_near(sum[i], 0, 1e-4 * load);
    assert_true(rows > 3);
    pseudo_solve(rows, 3, M, f, pi);
    for (int i = 0; i < rows; ++i)
        assert_near(f[i], M[3 * i] * pi[0] + M[3 * i + 1] * pi[1] + M[3 * i + 2] * pi[2], 1e-9 * load);
}

/* A table whose W is given, solved loosely: among the forces that keep the velocities at hand those of least norm are chosen. */
static void loose_solutions_have_forces_of_least_norm(void **state)
{
    (void)state;
    static const double TOLERANCE[] = {1e-1, 1e-2, 1e-4, 1e-9};
    bench b = bench_open();
    int chosen = 0;
    for (int k = 0; k < 8; ++k)
    {
        test_random random = {(uint64_t)k + 40};
        double place[LEGS][2], own[3 * LEGS], load = test_uniform(&random, 1, 50), off = k < 4 ? 0.05 : 0.6;
        for (int j = 0; j < LEGS; ++j)
        {
            place[j][0] = test_uniform(&random, -1, 1);
            place[j][1] = test_uniform(&random, -1, 1);
        }
        cairn_problem *problem = table(place, load, off, -off), *local = without_bodies(&b, problem);
        cairn_solver_options options = cairn_solver_default();
        options.kind = CAIRN_SOLVER_GAUSS_SEIDEL;
        options.tolerance = TOLERANCE[k % 4];
        options.forces = CAIRN_FORCES_ANY;
        assert_int_equal(cairn_solver_solve(b.solver, local, &options, &b.solution, &b.report), CAIRN_OK);
        memcpy(own, b.solution.r, sizeof own);
        options.forces = CAIRN_FORCES_MINIMUM_NORM;
        assert_int_equal(cairn_solver_solve(b.solver, local, &options, &b.solution, &b.report), CAIRN_OK);
        assert_int_equal(b.report.outcome, CAIRN_SOLVED);
        assert_int_equal(b.report.unexamined, 0);
        assert_true(b.report.chosen_forces || b.report.null_space == 0); /* three legs: no others would do */
        assert_true(b.report.certificate.relative <= TOLERANCE[k % 4]);
        chosen += b.report.chosen_forces;
        if (b.report.chosen_forces)
            check_plane(place, b.solution.r, own, load);
        cairn_problem_destroy(local);
        test_problem_destroy(problem);
    }
    assert_true(chosen >= 5);
    bench_close(&b);
}

/* ---------------------------------------------------------------------------------------------------------- trusses */

/* A truss in the plane: points at random places, each with two unknowns, joined by bars to their neighbours along a chain and to the
 * ground; many more bars than needed. */
static cairn_problem *truss(int points, int bars, test_random *random, double *weight)
{
    int n = 2 * points;
    int *size = malloc(sizeof(int) * (size_t)points);
    double *A = calloc((size_t)(n * n), sizeof(double)), *p = calloc((size_t)n, sizeof(double));
    double *G = calloc((size_t)(bars * n), sizeof(double)), *zero = calloc((size_t)bars, sizeof(double));
    assert_true(size && A && p && G && zero);
    for (int i = 0; i < points; ++i)
        size[i] = 2;
    for (int i = 0; i < n; ++i)
    {
        A[i * n + i] = 1 + i % 3;
        p[i] = test_uniform(random, -1, 1);
    }
    for (int k = 0; k < bars; ++k)
    {
        int one = k % points, two = one + test_integer(random, 1, 4); /* beyond the last point: the ground */
        double turn = test_uniform(random, 0, 6.28);
        for (int i = 0; i < 2; ++i)
        {
            G[k * n + 2 * one + i] = i ? sin(turn) : cos(turn);
            if (two < points)
                G[k * n + 2 * two + i] = -G[k * n + 2 * one + i];
        }
        weight[k] = pow(10, test_uniform(random, -1, 1));
    }
    test_dense dense = {.dim = 2, .law = CONE, .block_count = points, .block_size = size, .A = A, .p = p};
    dense.joint_rows = bars;
    dense.G = G;
    dense.R_c = dense.b = zero;
    cairn_problem *problem = test_problem_from_dense(&dense);
    assert_non_null(problem);
    problem->joint_weight = weight;
    free(size);
    free(A);
    free(p);
    free(G);
    free(zero);
    return problem;
}

static void trusses_match_the_pseudo_inverse(void **state)
{
    (void)state;
    bench b = bench_open();
    for (uint64_t seed = 1; seed <= 8; ++seed)
    {
        test_random random = {seed};
        int points = 10 * (int)seed, bars = 5 * points, n = 2 * points;
        double *weight = malloc(sizeof(double) * (size_t)bars), *x = malloc(sizeof(double) * (size_t)bars);
        cairn_problem *problem = truss(points, bars, &random, weight);
        solve(&b, problem, CAIRN_FORCES_AUTO);
        double *A = dense_matrix(problem), *G = dense_rows(problem, &problem->G, bars);
        double *M = malloc(sizeof(double) * (size_t)(n * bars)), *f = malloc(sizeof(double) * (size_t)n), largest = 0;
        assert_true(weight && x && A && G && M && f);
        for (int i = 0; i < n; ++i)
        {
            f[i] = -problem->p[i];
            for (int k = 0; k < n; ++k)
                f[i] += A[i * n + k] * b.solution.v[k];
            for (int k = 0; k < bars; ++k)
                M[i * bars + k] = G[k * n + i] * sqrt(weight[k]);
        }
        int rank = pseudo_solve(n, bars, M, f, x);
        for (int k = 0; k < bars; ++k)
            largest = fmax(largest, fabs(x[k]) * sqrt(weight[k]));
        for (int k = 0; k < bars; ++k)
            assert_near(b.solution.c[k], x[k] * sqrt(weight[k]), 1e-9 * largest);
        assert_int_equal(b.report.null_space, bars - rank);
        assert_true(b.report.chosen_forces);
        test_problem_destroy(problem);
        void *all[] = {weight, x, A, G, M, f};
        for (int k = 0; k < 6; ++k)
            free(all[k]);
    }
    bench_close(&b);
}

/* ------------------------------------------------------------------------------------- order and method do not matter */

/* The same problem with its contacts in another order. */
static cairn_problem *shuffled(const test_recipe *recipe, uint64_t seed, int *order, cairn_problem **first)
{
    *first = test_problem_random(recipe, seed);
    cairn_problem *other = test_problem_random(recipe, seed);
    assert_true(*first && other);
    int m = other->contact_count, dim = other->dim;
    test_random random = {seed + 77};
    for (int j = 0; j < m; ++j)
        order[j] = j;
    for (int j = m - 1; j > 0; --j)
    {
        int k = test_integer(&random, 0, j), keep = order[j];
        order[j] = order[k];
        order[k] = keep;
    }
    const cairn_block_rows *from = &(*first)->H;
    int e = 0, value = 0;
    for (int j = 0; j < m; ++j)
    {
        other->H.entry_start[j] = e;
        for (int old = from->entry_start[order[j]]; old < from->entry_start[order[j] + 1]; ++old, ++e)
        {
            int count = from->value_start[old + 1] - from->value_start[old];
            other->H.block[e] = from->block[old];
            other->H.value_start[e] = value;
            memcpy(other->H.value + value, from->value + from->value_start[old], sizeof(double) * (size_t)count);
            value += count;
        }
        memcpy(other->w + j * dim, (*first)->w + order[j] * dim, sizeof(double) * (size_t)dim);
        other->mu[j] = (*first)->mu[order[j]];
        other->identity[j] = (*first)->identity[order[j]];
    }
    return other;
}

static void order_and_method_do_not_matter(void **state)
{
    (void)state;
    enum
    {
        CONTACTS = 30
    };
    static const cairn_solver_kind KINDS[] = {CAIRN_SOLVER_AUTO, CAIRN_SOLVER_INTERIOR_POINT};
    bench a = bench_open(), b = bench_open();
    int redundant = 0;
    for (uint64_t seed = 1; seed <= 12; ++seed)
    {
        int order[CONTACTS];
        test_recipe recipe = {.dim = 3, .law = {CAIRN_LAW_CONVEX_CONE, 0}, .bodies = 10, .contacts = CONTACTS};
        recipe.joints = 6;
        recipe.mass_ratio = 10;
        recipe.mu = 0.6;
        recipe.redundant = true;
        cairn_problem *first, *other = shuffled(&recipe, seed, order, &first);
        solve_by(&a, first, CAIRN_FORCES_MINIMUM_NORM, CAIRN_SOLVER_AUTO);
        solve_by(&b, other, CAIRN_FORCES_MINIMUM_NORM, KINDS[seed % 2]);
        assert_int_equal(a.report.null_space, b.report.null_space);
        redundant += a.report.null_space > 0;
        double largest = 0;
        for (int i = 0; i < 3 * CONTACTS; ++i)
            largest = fmax(largest, fabs(a.solution.r[i]));
        for (int j = 0; j < CONTACTS; ++j)
            for (int k = 0; k < 3; ++k)
                assert_near(b.solution.r[3 * j + k], a.solution.r[3 * order[j] + k], 1e-7 * largest);
        test_problem_destroy(first);
        test_problem_destroy(other);
    }
    assert_true(redundant >= 6);
    bench_close(&a);
    bench_close(&b);
}

/* A sliding stack: forces that keep the velocities are chosen, and it is told that velocities were not examined. */
static void sliding_islands_are_told(void **state)
{
    (void)state;
    bench a = bench_open(), b = bench_open();
    cairn_problem *problem = test_problem_stack(8, CONE, 0.3, 0.01, 2.0);
    solve(&a, problem, CAIRN_FORCES_ANY);
    assert_int_equal(a.report.unexamined, 0);
    solve(&b, problem, CAIRN_FORCES_AUTO);
    assert_int_equal(b.report.unexamined, 1);
    assert_int_equal(b.report.unexamined_rows, 8 * 4 * 3);
    assert_true(b.report.null_space > 0);
    for (int i = 0; i < problem->n; ++i)
        assert_near(a.solution.v[i], b.solution.v[i], 1e-9);
    test_problem_destroy(problem);
    bench_close(&a);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_carry_quarters),           cmocka_unit_test(table_with_a_hundred_legs),
        cmocka_unit_test(trusses_match_the_pseudo_inverse), cmocka_unit_test(order_and_method_do_not_matter),
        cmocka_unit_test(sliding_islands_are_told),         cmocka_unit_test(loose_solutions_have_forces_of_least_norm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
