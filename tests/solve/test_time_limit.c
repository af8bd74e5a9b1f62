/* A time limit is kept by every solver, what it ends says so and is as good as it claims, and one that is not reached changes
 * nothing. */
#include "support/builder.h"
#include "support/check.h"

#include "base/clock.h"
#include "linalg/saddle.h"
#include "support/problems/graph_problem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 9,
    APART = 12 /* balls that touch nothing but the ground */
};

static const double HARD = 1e-13;  /* a tolerance that takes every solver seconds on the lattice */
static const double LENIENT = 3.0; /* s: what a busy machine, or one that watches every access to memory, may add */

/* A heap of equal balls in a lattice, the hardest there is for friction; and some balls far from it. */
typedef struct heap
{
    cairn_context *context;
    cairn_model *model;
    cairn_simulation *simulation;
    const cairn_problem *problem;
} heap;

static heap make_heap(int side, int apart)
{
    heap at = {.context = cairn_context_create()};
    builder b = builder_open(at.context, 3, 0.4, 3);
    cairn_settings settings = cairn_settings_default();
    builder_ground(&b);
    for (int layer = 0; layer < (side + 1) / 2; ++layer)
    {
        int width = side - 2 * layer;
        double shift = layer + 0.5 * (layer % 2);
        for (int k = 0; k < width * width; ++k)
        {
            builder_pose pose = builder_at(k % width + shift, (double)(k / width) + shift, 0.5 + layer * sqrt(0.5));
            builder_ball(&b, &pose, 0.5);
        }
    }
    for (int k = 0; k < apart; ++k)
    {
        builder_pose pose = builder_at(-10.0 - 3.0 * k, 0.0, 0.5);
        pose.velocity[0] = 0.1 * k;
        builder_ball(&b, &pose, 0.5);
    }
    assert_int_equal(b.status, CAIRN_OK);
    at.model = b.model;
    settings.law = (cairn_law){CAIRN_LAW_CONE, 0};
    settings.solver.tolerance = 1e-2; /* the problem alone is wanted */
    assert_int_equal(cairn_simulation_create(at.context, at.model, &settings, &at.simulation), CAIRN_OK);
    assert_int_equal(cairn_simulation_step(at.simulation), CAIRN_OK);
    at.problem = cairn_simulation_problem(at.simulation);
    return at;
}

static void release_heap(heap *at)
{
    cairn_simulation_destroy(at->simulation);
    cairn_model_destroy(at->model);
    cairn_context_destroy(at->context);
}

/* What is told of the solution is what the certificate finds in it. */
static void check_claim(const cairn_problem *problem, const cairn_solution *solution, const cairn_solver_report *report)
{
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(problem, solution, &certificate), CAIRN_OK);
    assert_true(isfinite(certificate.relative));
    assert_near(certificate.relative, report->certificate.relative, 1e-9 * certificate.relative);
}

static void every_solver_keeps_it(void **state)
{
    static const double LIMITS[] = {1e-9, 0.05};
    (void)state;
    heap at = make_heap(SIDE, 0);
    for (int kind = CAIRN_SOLVER_AUTO; kind <= CAIRN_SOLVER_SMOOTHING; ++kind)
    {
        for (int i = 0; i < 2 && kind != CAIRN_SOLVER_LEMKE; ++i)
        {
            cairn_solver *solver = cairn_solver_create(at.context);
            cairn_solver_options options = cairn_solver_default();
            cairn_solution solution;
            cairn_solver_report report;
            options.kind = (cairn_solver_kind)kind;
            options.tolerance = HARD;
            options.time_limit = LIMITS[i];
            double start = crn_clock();
            assert_int_equal(cairn_solver_solve(solver, at.problem, &options, &solution, &report), CAIRN_OK);
            double taken = crn_clock() - start;
            print_message("%s, limit %g s: %.3f s, %d iterations, %.1e\n", cairn_solver_kind_name(options.kind),
                          LIMITS[i], taken, report.iterations, report.certificate.relative);
            assert_true(taken < LIMITS[i] + LENIENT);
            assert_int_not_equal(report.outcome, CAIRN_SOLVED);
            assert_true(report.out_of_time);
            assert_int_equal(report.cause, CAIRN_CAUSE_TIME);
            check_claim(at.problem, &solution, &report);
            cairn_solver_destroy(solver);
        }
    }
    release_heap(&at);
}

/* Where the time ends a search but what it came to meets the tolerance, the problem is solved, and nothing else is told. */
static void what_is_good_enough_is_solved(void **state)
{
    (void)state;
    heap at = make_heap(4, 0);
    int solved = 0;
    for (int kind = CAIRN_SOLVER_AUTO; kind <= CAIRN_SOLVER_SMOOTHING; ++kind)
    {
        cairn_solver *solver = cairn_solver_create(at.context);
        cairn_solver_options options = cairn_solver_default();
        cairn_solution solution;
        cairn_solver_report report;
        options.kind = (cairn_solver_kind)kind;
        options.time_limit = 1e-9;
        for (options.tolerance = 0.9; kind != CAIRN_SOLVER_LEMKE && options.tolerance > 1e-3; options.tolerance *= 0.7)
        {
            assert_int_equal(cairn_solver_solve(solver, at.problem, &options, &solution, &report), CAIRN_OK);
            assert_true(report.out_of_time == (report.outcome != CAIRN_SOLVED));
            solved += report.outcome == CAIRN_SOLVED;
        }
        cairn_solver_destroy(solver);
    }
    print_message("%d solved\n", solved);
    release_heap(&at);
}

/* Lemke's method, on a law it takes. */
static void pivoting_keeps_it(void **state)
{
    (void)state;
    heap at = make_heap(4, 0);
    cairn_problem problem = *at.problem;
    cairn_solver *solver = cairn_solver_create(at.context);
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report;
    problem.law = (cairn_law){CAIRN_LAW_PYRAMID, 8};
    options.kind = CAIRN_SOLVER_LEMKE;
    assert_int_equal(cairn_solver_solve(solver, &problem, &options, &solution, &report), CAIRN_OK);
    assert_int_equal(report.outcome, CAIRN_SOLVED);
    assert_false(report.out_of_time);
    int pivots = report.iterations;
    options.time_limit = 1e-9;
    assert_int_equal(cairn_solver_solve(solver, &problem, &options, &solution, &report), CAIRN_OK);
    assert_int_not_equal(report.outcome, CAIRN_SOLVED);
    assert_true(report.out_of_time && report.iterations < pivots);
    check_claim(&problem, &solution, &report);
    cairn_solver_destroy(solver);
    release_heap(&at);
}

/* A limit that is not reached leaves every bit as it is. */
static void ample_time_changes_nothing(void **state)
{
    (void)state;
    heap at = make_heap(5, APART);
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution[2];
    cairn_solver_report report[2];
    cairn_solver *solver[2];
    options.tolerance = 1e-8;
    for (int i = 0; i < 2; ++i)
    {
        options.time_limit = i == 0 ? 0.0 : 1e6;
        solver[i] = cairn_solver_create(at.context);
        assert_int_equal(cairn_solver_solve(solver[i], at.problem, &options, &solution[i], &report[i]), CAIRN_OK);
        assert_int_equal(report[i].outcome, CAIRN_SOLVED);
        assert_false(report[i].out_of_time);
    }
    assert_int_equal(report[0].iterations, report[1].iterations);
    assert_memory_equal(solution[0].r, solution[1].r, (size_t)solution[0].contact_rows * sizeof(double));
    assert_memory_equal(solution[0].v, solution[1].v, (size_t)solution[0].n * sizeof(double));
    cairn_solver_destroy(solver[0]);
    cairn_solver_destroy(solver[1]);
    release_heap(&at);
}

/* One hard island does not take the time of the easy ones. */
static void islands_share_it(void **state)
{
    (void)state;
    heap at = make_heap(SIDE, APART);
    cairn_solver *solver = cairn_solver_create(at.context);
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report;
    options.tolerance = HARD;
    options.time_limit = 0.3;
    assert_int_equal(cairn_solver_solve(solver, at.problem, &options, &solution, &report), CAIRN_OK);
    assert_true(report.out_of_time);
    assert_int_equal(cairn_solver_island_count(solver), 1 + APART);
    for (int k = 0; k < 1 + APART; ++k)
    {
        cairn_island island = cairn_solver_island(solver, k);
        assert_true(island.contact_count > 1 || island.outcome == CAIRN_SOLVED);
    }
    check_claim(at.problem, &solution, &report);
    cairn_solver_destroy(solver);
    release_heap(&at);
}

/* A factorisation that would end too late gives up, and says so; without a deadline the same one is done. */
static void factorisations_give_up(void **state)
{
    (void)state;
    test_random random = {1};
    test_graph graph = test_graph_grid(8, 8, 8);
    cairn_problem *problem = test_graph_problem(&graph, &(test_graph_recipe){6, true, 2.0}, &random);
    crn_saddle *saddle = crn_saddle_create();
    crn_saddle_limit(saddle, crn_deadline(1e-9), NULL);
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_NUMERIC);
    assert_true(crn_saddle_gave_up(saddle));
    crn_saddle_limit(saddle, 0.0, NULL);
    assert_int_equal(crn_saddle_factorise(saddle, NULL, problem), CAIRN_OK);
    assert_false(crn_saddle_gave_up(saddle));
    crn_saddle_destroy(saddle);
    test_problem_destroy(problem);
    test_graph_release(&graph);
}

static void wrong_limits_are_refused(void **state)
{
    static const double WRONG[] = {-1.0, NAN};
    (void)state;
    heap at = make_heap(2, 0);
    cairn_solver *solver = cairn_solver_create(at.context);
    cairn_solution solution;
    cairn_solver_report report;
    for (int i = 0; i < 2; ++i)
    {
        cairn_solver_options options = cairn_solver_default();
        options.time_limit = WRONG[i];
        assert_int_equal(cairn_solver_solve(solver, at.problem, &options, &solution, &report), CAIRN_INVALID);
        assert_non_null(strstr(cairn_context_last_message(at.context), "time_limit"));
    }
    cairn_solver_destroy(solver);
    release_heap(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_good_enough_is_solved),
        cmocka_unit_test(every_solver_keeps_it),
        cmocka_unit_test(pivoting_keeps_it),
        cmocka_unit_test(ample_time_changes_nothing),
        cmocka_unit_test(islands_share_it),
        cmocka_unit_test(factorisations_give_up),
        cmocka_unit_test(wrong_limits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
