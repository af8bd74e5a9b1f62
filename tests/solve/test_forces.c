/* Which forces, where many would do: Theorem 4.1 of Preclik et al. 2011 and its like for discs and cones, on random problems.
 *
 * With compliance s D added the solution x_s is unique and tends, as s falls, to the solution of least x'D x. The set of
 * solutions is convex, so that its point of least norm is the one with (y - x)'D x >= 0 for every other solution y: a test
 * that needs no second optimiser. */
#include "support/check.h"
#include "support/problems/random_problem.h"

#include <cairn/solver.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST = 120, /* contact rows */
    SEEDS = 12
};

typedef struct site
{
    cairn_context *context;
    cairn_solver *solver;
    cairn_problem *problem;
    double weight[MOST], joint_weight[MOST], radius[MOST];
    double r[MOST], c[MOST], v[MOST];
    cairn_solver_report report;
} site;

static const cairn_law CONVEX[] = {
    {CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_CONVEX_PYRAMID, 6}, {CAIRN_LAW_CONVEX_CONE, 0}, {CAIRN_LAW_LAGGED, 0}};

/* Bodies at rest under gravity on more contacts than they need, some of them sliding. */
static void site_open(site *s, int dim, cairn_law law, uint64_t seed, int joints)
{
    memset(s, 0, sizeof *s);
    test_random random = {seed * 77 + 5};
    test_recipe recipe = {.dim = dim,
                          .law = law,
                          .bodies = 2,
                          .contacts = 6,
                          .joints = joints,
                          .mass_ratio = 5.0,
                          .mu = 0.6,
                          .redundant = true};
    s->context = cairn_context_create();
    s->solver = cairn_solver_create(s->context);
    s->problem = test_problem_random(&recipe, seed);
    assert_non_null(s->problem);
    for (int j = 0; j < s->problem->contact_count; ++j)
    {
        s->weight[j] = test_uniform(&random, 0.3, 3.0);
        s->radius[j] = test_uniform(&random, 0.0, 0.5);
    }
    for (int i = 0; i < s->problem->joint_rows; ++i)
        s->joint_weight[i] = test_uniform(&random, 0.3, 3.0);
    s->problem->radius = s->radius;
}

static void site_close(site *s)
{
    s->problem->weight = s->problem->joint_weight = s->problem->radius = NULL;
    test_problem_destroy(s->problem);
    cairn_solver_destroy(s->solver);
    cairn_context_destroy(s->context);
}

static void solve(site *s, const cairn_problem *problem, cairn_solver_options options)
{
    cairn_solution solution;
    options.tolerance = 1e-11;
    assert_int_equal(cairn_solver_solve(s->solver, problem, &options, &solution, &s->report), CAIRN_OK);
    assert_int_equal(s->report.outcome, CAIRN_SOLVED);
    memcpy(s->r, solution.r, (size_t)solution.contact_rows * sizeof(double));
    memcpy(s->c, solution.c, (size_t)solution.joint_rows * sizeof(double));
    memcpy(s->v, solution.v, (size_t)solution.n * sizeof(double));
}

/* Least norm by the weights of the site, set before. */
static void solve_least(site *s, double *r)
{
    s->problem->weight = s->weight;
    s->problem->joint_weight = s->joint_weight;
    cairn_solver_options options = cairn_solver_default();
    options.forces = CAIRN_FORCES_MINIMUM_NORM;
    solve(s, s->problem, options);
    memcpy(r, s->r, sizeof s->r);
}

/* The site's problem with the compliance s D in its contacts and joints. */
static void solve_soft(site *s, const double *D, double share, double *r)
{
    cairn_problem soft = *s->problem;
    size_t rows = (size_t)(soft.dim * soft.contact_count);
    int patch_start[2] = {0, soft.contact_count};
    int R_start[1] = {0};
    double *R = calloc(rows * rows, sizeof(double));
    double R_c[MOST] = {0};
    assert_non_null(R);
    for (size_t i = 0; i < rows * rows; ++i)
        R[i] = share * D[i];
    for (int i = 0; i < soft.joint_rows; ++i)
        R_c[i] = share / s->joint_weight[i];
    soft.R_c = R_c;
    soft.patch_count = 1;
    soft.patch_start = patch_start;
    soft.R_start = R_start;
    soft.R = R;
    cairn_solver_options options = cairn_solver_default();
    options.forces = CAIRN_FORCES_ANY;
    solve(s, &soft, options);
    memcpy(r, s->r, sizeof s->r);
    free(R);
}

static double *weights_matrix(const site *s)
{
    int dim = s->problem->dim;
    int rows = dim * s->problem->contact_count;
    double *D = calloc((size_t)(rows * rows), sizeof(double));
    assert_non_null(D);
    for (int i = 0; i < rows; ++i)
        D[i * rows + i] = 1.0 / s->weight[i / dim];
    return D;
}

static double distance(int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum = hypot(sum, x[i] - y[i]);
    return sum;
}

/* The direct answer is the limit, and the distance falls like s. */
static void check_limit(int dim, cairn_law law, uint64_t seed, int joints, int *redundant)
{
    site s;
    site_open(&s, dim, law, seed, joints);
    int rows = dim * s.problem->contact_count;
    double least[MOST], soft[MOST], joint[MOST];
    solve_least(&s, least);
    memcpy(joint, s.c, sizeof joint);
    *redundant += s.report.null_space > 0;
    assert_int_equal(s.report.velocity_null_space, 0);
    assert_true(s.report.null_space == 0 || s.report.chosen_forces);
    double *D = weights_matrix(&s);
    double size = 1.0;
    for (int i = 0; i < rows; ++i)
        size = hypot(size, least[i]);
    double before = INFINITY;
    for (double share = 1e-3; share > 0.9e-6; share *= 0.1)
    {
        solve_soft(&s, D, share, soft);
        double off = hypot(distance(rows, least, soft), distance(s.problem->joint_rows, joint, s.c));
        /* velocities are solved to 1e-11, which a compliance of s turns into impulses of 1e-11 / s */
        assert_true(off < fmax((share < 5e-6 ? 0.2 : 0.5) * before, 1e-10 / share * size));
        before = off;
    }
    assert_true(before < 1e-3 * size);
    free(D);
    site_close(&s);
}

static void test_theorem_4_1(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; ++dim)
    {
        int redundant = 0;
        for (uint64_t seed = 1; seed <= SEEDS; ++seed)
            check_limit(dim, CONVEX[0], seed, seed % 3 == 0 ? 3 : 0, &redundant);
        assert_true(redundant >= SEEDS / 3);
    }
}

/* 4.3 with discs, 4.4 with cones. */
static void test_discs_and_cones(void **state)
{
    (void)state;
    for (int kind = 1; kind < 4; ++kind)
    {
        int redundant = 0;
        for (uint64_t seed = 1; seed <= SEEDS; ++seed)
            check_limit(2 + (int)(seed % 2), CONVEX[kind], seed, seed % 3 == 0 ? 3 : 0, &redundant);
        assert_true(redundant >= SEEDS / 3);
    }
}

/* (y - x)'D x >= 0 for other solutions y: those of other weights. */
static void test_least_among_all(void **state)
{
    (void)state;
    test_random random = {9};
    for (int kind = 0; kind < 4; ++kind)
    {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed)
        {
            site s;
            site_open(&s, 3, CONVEX[kind], seed, 0);
            double x[MOST], y[MOST], kept[MOST];
            solve_least(&s, x);
            memcpy(kept, s.weight, sizeof kept);
            for (int other = 0; other < 5; ++other)
            {
                for (int j = 0; j < s.problem->contact_count; ++j)
                    s.weight[j] = exp(test_uniform(&random, -3.0, 3.0));
                solve_least(&s, y);
                double product = 0.0;
                double size = 0.0;
                for (int i = 0; i < 3 * s.problem->contact_count; ++i)
                {
                    product += (y[i] - x[i]) * x[i] / kept[i / 3];
                    size += x[i] * x[i];
                }
                assert_true(product >= -1e-9 * size);
            }
            site_close(&s);
        }
    }
}

/* Any symmetric positive definite D: the limit exists and is the least by the same test. */
static void test_full_weights(void **state)
{
    (void)state;
    test_random random = {21};
    for (uint64_t seed = 1; seed <= SEEDS; ++seed)
    {
        site s;
        site_open(&s, 3, CONVEX[0], seed, 0);
        int rows = 3 * s.problem->contact_count;
        double *D = calloc((size_t)(rows * rows), sizeof(double));
        double *root = calloc((size_t)(rows * rows), sizeof(double));
        double x[MOST], y[MOST];
        assert_true(D && root);
        for (int i = 0; i < rows * rows; ++i)
            root[i] = test_uniform(&random, -0.4, 0.4) + (i % (rows + 1) == 0);
        for (int i = 0; i < rows * rows; ++i)
            for (int k = 0; k < rows; ++k)
                D[i] += root[(i / rows) * rows + k] * root[(i % rows) * rows + k];
        solve_soft(&s, D, 1e-8, x);
        for (int other = 0; other < 4; ++other)
        {
            for (int j = 0; j < s.problem->contact_count; ++j)
                s.weight[j] = exp(test_uniform(&random, -2.0, 2.0));
            solve_least(&s, y);
            double product = 0.0;
            double size = 0.0;
            for (int i = 0; i < rows * rows; ++i)
            {
                product += (y[i / rows] - x[i / rows]) * D[i] * x[i % rows];
                size += x[i / rows] * D[i] * x[i % rows];
            }
            assert_true(product >= -1e-5 * size);
        }
        free(D);
        free(root);
        site_close(&s);
    }
}

/* Contacts in another order get the same impulses, under the exact laws too. */
static void test_order_does_not_matter(void **state)
{
    (void)state;
    static const cairn_law laws[] = {
        {CAIRN_LAW_CONE, 0}, {CAIRN_LAW_BOX, 0}, {CAIRN_LAW_PYRAMID, 8}, {CAIRN_LAW_CONVEX_CONE, 0}};
    for (int kind = 0; kind < 4; ++kind)
    {
        cairn_problem *problem = test_problem_stack(1, laws[kind], 0.4, 0.01, 0.3);
        cairn_context *context = cairn_context_create();
        cairn_solver *solver = cairn_solver_create(context);
        cairn_solver_options options = cairn_solver_default();
        cairn_solver_report report;
        cairn_solution solution;
        double first[12];
        assert_non_null(problem);
        assert_int_equal(problem->contact_count, 4);
        assert_int_equal(cairn_solver_solve(solver, problem, &options, &solution, &report), CAIRN_OK);
        assert_true(report.null_space > 0 && report.chosen_forces);
        memcpy(first, solution.r, sizeof first);
        /* swap contacts 0 and 2 */
        cairn_block_rows *H = &problem->H;
        int size = H->value_start[1] - H->value_start[0];
        for (int i = 0; i < size; ++i)
        {
            double *a = H->value + H->value_start[H->entry_start[0]] + i;
            double *b = H->value + H->value_start[H->entry_start[2]] + i;
            double kept = *a;
            *a = *b;
            *b = kept;
        }
        assert_int_equal(cairn_solver_solve(solver, problem, &options, &solution, &report), CAIRN_OK);
        static const int FROM[4] = {2, 1, 0, 3};
        for (int i = 0; i < 12; ++i)
            assert_near(solution.r[i], first[3 * FROM[i / 3] + i % 3], 1e-11);
        test_problem_destroy(problem);
        cairn_solver_destroy(solver);
        cairn_context_destroy(context);
    }
}

static void test_bad_weights(void **state)
{
    (void)state;
    site s;
    site_open(&s, 3, CONVEX[0], 1, 3);
    s.problem->weight = s.weight;
    s.weight[2] = 0.0;
    assert_false(cairn_problem_is_valid(s.context, s.problem));
    s.weight[2] = NAN;
    assert_false(cairn_problem_is_valid(s.context, s.problem));
    s.weight[2] = 1.0;
    s.problem->joint_weight = s.joint_weight;
    s.joint_weight[0] = -1.0;
    assert_false(cairn_problem_is_valid(s.context, s.problem));
    s.joint_weight[0] = 1.0;
    assert_true(cairn_problem_is_valid(s.context, s.problem));
    s.problem->law.kind = CAIRN_LAW_LAGGED;
    s.radius[0] = -1.0;
    assert_false(cairn_problem_is_valid(s.context, s.problem));
    s.problem->radius = NULL;
    assert_false(cairn_problem_is_valid(s.context, s.problem));
    site_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_theorem_4_1),           cmocka_unit_test(test_discs_and_cones),
        cmocka_unit_test(test_least_among_all),       cmocka_unit_test(test_full_weights),
        cmocka_unit_test(test_order_does_not_matter), cmocka_unit_test(test_bad_weights),
    };
    return cmocka_run_group_tests_name("forces", tests, NULL, NULL);
}
