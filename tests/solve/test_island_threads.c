/* Any number of threads gives the same bits: over islands, and within one. */
#include "support/check.h"
#include "support/problems/joined_problem.h"

#include <stdlib.h>
#include <string.h>

static const cairn_law LAWS[] = {
    {CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_PYRAMID, 6},        {CAIRN_LAW_BOX, 0},
    {CAIRN_LAW_CONE, 0},         {CAIRN_LAW_CONVEX_PYRAMID, 6}, {CAIRN_LAW_CONVEX_CONE, 0}};

typedef struct answer
{
    cairn_solver *solver;
    cairn_solution solution;
    cairn_solver_report report;
} answer;

static answer solve_by(cairn_context *context, const cairn_problem *problem, cairn_solver_options options, int threads)
{
    answer out = {.solver = cairn_solver_create(context)};
    options.threads = threads;
    assert_non_null(out.solver);
    assert_int_equal(cairn_solver_solve(out.solver, problem, &options, &out.solution, &out.report), CAIRN_OK);
    return out;
}

static void check_bits(const cairn_problem *problem, cairn_solver_options options)
{
    cairn_context *context = cairn_context_create();
    answer one = solve_by(context, problem, options, 1);
    for (int threads = 2; threads <= 4; ++threads)
    {
        answer many = solve_by(context, problem, options, threads);
        assert_memory_equal(many.solution.v, one.solution.v, (size_t)problem->n * sizeof(double));
        assert_memory_equal(many.solution.c, one.solution.c, (size_t)problem->joint_rows * sizeof(double));
        assert_memory_equal(many.solution.r, one.solution.r, (size_t)one.solution.contact_rows * sizeof(double));
        assert_int_equal(many.report.iterations, one.report.iterations);
        assert_int_equal(many.report.fallbacks, one.report.fallbacks);
        assert_true(many.report.certificate.relative == one.report.certificate.relative);
        assert_string_equal(many.report.method, one.report.method);
        cairn_solver_destroy(many.solver);
    }
    cairn_solver_destroy(one.solver);
    cairn_context_destroy(context);
}

static void islands_by_threads(void **state)
{
    (void)state;
    for (int trial = 0; trial < 60; ++trial)
    {
        test_join join = test_join_random(trial, trial % 4 == 3 ? 2 : 3, LAWS[trial % 6], 0.8);
        check_bits(join.problem, cairn_solver_default());
        test_join_release(&join);
    }
}

/* A kept solver has seen other islands in other threads before. */
static void what_was_solved_before_does_not_matter(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_solver *kept = cairn_solver_create(context);
    cairn_solver_options options = cairn_solver_default();
    options.threads = 3;
    for (int trial = 0; trial < 40; ++trial)
    {
        test_join join = test_join_random(trial, trial % 4 == 3 ? 2 : 3, LAWS[trial % 6], 0.8);
        answer fresh = solve_by(context, join.problem, options, 1);
        cairn_solution solution;
        cairn_solver_report report;
        assert_int_equal(cairn_solver_solve(kept, join.problem, &options, &solution, &report), CAIRN_OK);
        assert_memory_equal(solution.v, fresh.solution.v, (size_t)join.problem->n * sizeof(double));
        assert_memory_equal(solution.r, fresh.solution.r, (size_t)solution.contact_rows * sizeof(double));
        cairn_solver_destroy(fresh.solver);
        test_join_release(&join);
    }
    cairn_solver_destroy(kept);
    cairn_context_destroy(context);
}

/* Add an entry to H: `sign` times the identity for a block of three unknowns. */
static void add_entry(cairn_block_rows *H, int block, double sign)
{
    int e = H->entry_start[H->item_count];
    double *value = H->value + H->value_start[e];
    value[0] = value[4] = value[8] = sign;
    H->block[e] = block;
    H->value_start[e + 1] = H->value_start[e] + 9;
    H->entry_start[H->item_count] = e + 1;
}

/* Let the bodies of blocks 1 .. count - 1 stand on that of block 0 instead of the ground. */
static void put_on_slab(cairn_problem *problem, int count)
{
    int contacts = problem->contact_count;
    cairn_block_rows old = problem->H;
    cairn_block_rows H = {.row_start = old.row_start};
    H.entry_start = calloc((size_t)contacts + 1, sizeof(int));
    H.block = calloc(2 * (size_t)contacts, sizeof(int));
    H.value_start = calloc(2 * (size_t)contacts + 1, sizeof(int));
    H.value = calloc(18 * (size_t)contacts, sizeof(double));
    for (int j = 0; j < contacts; ++j)
    {
        H.item_count = j + 1;
        H.entry_start[j + 1] = H.entry_start[j];
        add_entry(&H, old.block[j], 1.0);
        if (old.block[j] > 0 && old.block[j] < count)
            add_entry(&H, 0, -1.0);
    }
    problem->H = H;
    for (int k = 0; k < 3; ++k)
        problem->A.value[4 * k] = 1e5; /* it is heavy */
    free(old.entry_start);
    free(old.block);
    free(old.value_start);
    free(old.value);
}

/* One island so large that it is given all threads, among small ones. */
static void one_large_island_shares_threads(void **state)
{
    (void)state;
    cairn_problem *one = test_problem_single(LAWS[3], 0.5);
    test_join join = test_join_copies(one, 1300);
    put_on_slab(join.problem, 1200);
    cairn_solver_options options = cairn_solver_default();
    options.kind = CAIRN_SOLVER_GAUSS_SEIDEL;
    check_bits(join.problem, options);
    test_join_release(&join);
    test_problem_destroy(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_by_threads),
        cmocka_unit_test(what_was_solved_before_does_not_matter),
        cmocka_unit_test(one_large_island_shares_threads),
    };
    return cmocka_run_group_tests_name("island threads", tests, NULL, NULL);
}
