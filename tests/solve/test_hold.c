/* Guesses as answers: the linear system of contacts that hold (solve/hold), and the solver's option `steady`. */
#include "solve/hold/hold.h"
#include "support/check.h"
#include "support/problems/method_check.h"
#include "support/problems/random_problem.h"

#include <stdlib.h>
#include <string.h>

static const cairn_law CONE = {CAIRN_LAW_CONE, 0};
static const double H = 0.01, G = 9.81;

enum
{
    HEIGHT = 6,
    ROWS = 12 /* of an interface: four contacts */
};

/* Impulses of a stack at rest, off by `error` of a box's weight at random. */
static double *stack_guess(uint64_t seed, double error)
{
    test_random random = {seed};
    double *r = calloc(HEIGHT * ROWS, sizeof(double));
    for (int i = 0; i < HEIGHT * ROWS; ++i)
        r[i] = (i % 3 == 0 ? (HEIGHT - i / ROWS) * G * H / 4 : 0.0) + error * G * H * test_uniform(&random, -1, 1);
    return r;
}

/* The boxes stand still, and each interface carries what lies on it, whatever the guess. */
static void a_stack_is_held(void **state)
{
    (void)state;
    cairn_problem *stack = test_problem_stack(HEIGHT, CONE, 0.5, H, 0.0);
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        double *guess = stack_guess(seed, 0.01);
        method_run run = method_solve(&crn_method_hold, stack, 1e-9, 0, guess);
        assert_int_equal(run.status, CAIRN_OK);
        assert_true(run.report.converged);
        assert_true(run.certificate.relative < 1e-13);
        for (int i = 0; i < stack->n; ++i)
            assert_near(run.solution.v[i], 0.0, 1e-13);
        for (int level = 0; level < HEIGHT; ++level)
        {
            double load = 0.0;
            for (int corner = 0; corner < 4; ++corner)
                load += run.solution.r[level * ROWS + 3 * corner];
            assert_near(load, (HEIGHT - level) * G * H, 1e-12);
        }
        method_release(&run);
        free(guess);
    }
    test_problem_destroy(stack);
}

/* Corner forces that alternate in sign move no box: they are in the answer as they were in the guess. */
static void forces_that_move_nothing_stay(void **state)
{
    (void)state;
    cairn_problem *stack = test_problem_stack(HEIGHT, CONE, 0.5, H, 0.0);
    double *guess = stack_guess(1, 0.01), *twisted = stack_guess(1, 0.01);
    for (int i = 0; i < 4; ++i)
        twisted[2 * ROWS + 3 * i] += (i == 0 || i == 3 ? 0.1 : -0.1) * G * H;
    method_run a = method_solve(&crn_method_hold, stack, 1e-9, 0, guess);
    method_run b = method_solve(&crn_method_hold, stack, 1e-9, 0, twisted);
    assert_true(a.report.converged && b.report.converged);
    for (int i = 0; i < HEIGHT * ROWS; ++i)
        assert_near(b.solution.r[i] - a.solution.r[i], twisted[i] - guess[i], 1e-12);
    method_release(&a);
    method_release(&b);
    free(guess);
    free(twisted);
    test_problem_destroy(stack);
}

/* A box that is pushed harder than friction holds it slides: there is nothing to hold. */
static void what_slides_is_declined(void **state)
{
    (void)state;
    cairn_problem *box = test_problem_stack(1, CONE, 0.5, H, 1.0);
    double guess[ROWS] = {0};
    for (int i = 0; i < 4; ++i)
    {
        guess[3 * i] = G * H / 4;
        guess[3 * i + 1] = -0.5 * G * H / 4;
    }
    method_run run = method_solve(&crn_method_hold, box, 1e-9, 0, guess);
    assert_int_equal(run.status, CAIRN_OK);
    assert_true(run.report.declined);
    method_release(&run);
    test_problem_destroy(box);
}

/* A contact that carries nothing but closes is added, one that pulls is let go: a plank on three supports of which the guess has
 * the wrong ones. Unknowns: height and turn. Supports at -1, 0 and 1, the load at 0.5: the first opens. */
static void contacts_change_sides(void **state)
{
    (void)state;
    const int sizes[1] = {2};
    double A[4] = {1, 0, 0, 1}, p[2] = {-1, -0.5}, w[6] = {0}, mu[3] = {0};
    double rows[12] = {1, -1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0};
    test_dense dense = {
        .dim = 2, .law = {CAIRN_LAW_FRICTIONLESS, 0}, .block_count = 1, .block_size = sizes, .A = A, .p = p};
    dense.contact_count = 3;
    dense.H = rows;
    dense.w = w;
    dense.mu = mu;
    cairn_problem *problem = test_problem_from_dense(&dense);
    const double guesses[3][6] = {{0.5, 0, 0, 0, 0.5, 0}, {0.01, 0, 0.5, 0, 0.5, 0}, {0.5, 0, 0.5, 0, 0, 0}};
    for (int k = 0; k < 3; ++k)
    {
        method_run run = method_solve(&crn_method_hold, problem, 1e-9, 0, guesses[k]);
        assert_int_equal(run.status, CAIRN_OK);
        print_message("guess %d: %g %g %g, %d rounds\n", k, run.solution.r[0], run.solution.r[2], run.solution.r[4],
                      run.report.iterations);
        assert_true(run.certificate.relative < 1e-12);
        assert_near(run.solution.r[0] + run.solution.r[2] + run.solution.r[4], 1.0, 1e-12);
        assert_near(run.solution.r[4] - run.solution.r[0], 0.5, 1e-12);
        method_release(&run);
    }
    test_problem_destroy(problem);
}

/* A plank on two supports at its ends, and a body of the same weight that a joint ties to its middle: the supports share both
 * weights, and the joint carries one. */
static void joints_hold_too(void **state)
{
    (void)state;
    const int sizes[2] = {2, 1};
    double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, p[3] = {-1, 0, -1}, w[4] = {0}, mu[2] = {0};
    double rows[12] = {1, -1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0}, joint[3] = {-1, 0, 1}, zero[1] = {0};
    const double guess[4] = {0.9, 0, 1.1, 0};
    test_dense dense = {
        .dim = 2, .law = {CAIRN_LAW_FRICTIONLESS, 0}, .block_count = 2, .block_size = sizes, .A = A, .p = p};
    dense.joint_rows = 1;
    dense.G = joint;
    dense.R_c = dense.b = zero;
    dense.contact_count = 2;
    dense.H = rows;
    dense.w = w;
    dense.mu = mu;
    cairn_problem *problem = test_problem_from_dense(&dense);
    method_run run = method_solve(&crn_method_hold, problem, 1e-9, 0, guess);
    assert_true(run.report.converged);
    assert_near(run.solution.r[0], 1.0, 1e-12);
    assert_near(run.solution.r[2], 1.0, 1e-12);
    assert_near(run.solution.c[0], 1.0, 1e-12);
    assert_true(run.certificate.relative < 1e-12);
    method_release(&run);
    test_problem_destroy(problem);
}

/* --------------------------------------------------------------------------------------------------- the option */

typedef struct answer
{
    cairn_solution solution;
    cairn_solver_report report;
} answer;

static answer solve(cairn_solver *solver, const cairn_problem *problem, const double *guess, const double *before)
{
    cairn_solver_options options = cairn_solver_default();
    options.guess = guess;
    options.before = before;
    options.steady = guess != NULL;
    answer a;
    assert_int_equal(cairn_solver_solve(solver, problem, &options, &a.solution, &a.report), CAIRN_OK);
    return a;
}

/* Problems at random, with joints, springs and several islands: a solution as the guess is the answer to the bit, and a solution
 * that was disturbed leads to a solution again, with the same velocities where the law makes them unique. */
static void solutions_are_kept_and_disturbed_ones_repaired(void **state)
{
    (void)state;
    cairn_solver *plain = cairn_solver_create(NULL), *steady = cairn_solver_create(NULL);
    const cairn_law laws[] = {{CAIRN_LAW_CONVEX_CONE, 0}, {CAIRN_LAW_CONE, 0}, {CAIRN_LAW_FRICTIONLESS, 0}};
    int kept = 0, repaired = 0;
    for (uint64_t seed = 1; seed <= 150; ++seed)
    {
        test_recipe recipe = {
            .dim = seed % 5 ? 3 : 2, .law = laws[seed % 3], .bodies = 2 + (int)(seed % 7), .contacts = 12};
        recipe.joints = seed % 4 == 0 ? 3 : 0;
        recipe.coupled = seed % 6 == 0;
        recipe.redundant = seed % 7 < 3;
        recipe.mass_ratio = 10;
        recipe.mu = seed % 2 ? 5.0 : 0.7;
        cairn_problem *problem = test_problem_random(&recipe, seed);
        answer first = solve(plain, problem, NULL, NULL);
        if (first.report.outcome == CAIRN_SOLVED)
        {
            answer again = solve(steady, problem, first.solution.r, NULL);
            assert_int_equal(again.report.outcome, CAIRN_SOLVED);
            if (strcmp(again.report.method, "warm start") == 0)
            {
                ++kept;
                size_t size = (size_t)first.solution.contact_rows * sizeof(double);
                assert_memory_equal(again.solution.r, first.solution.r, size);
            }
            test_random random = {seed};
            double largest = 0.0;
            for (int i = 0; i < first.solution.contact_rows; ++i)
                largest = fmax(largest, fabs(first.solution.r[i]));
            for (int i = 0; i < first.solution.contact_rows; ++i)
                first.solution.r[i] += first.solution.r[i] != 0.0 ? 1e-6 * largest * test_uniform(&random, -1, 1) : 0.0;
            again = solve(steady, problem, first.solution.r, NULL);
            cairn_certificate certificate;
            assert_int_equal(cairn_certify(problem, &again.solution, &certificate), CAIRN_OK);
            assert_int_equal(again.report.outcome, CAIRN_SOLVED);
            assert_true(certificate.relative <= 1e-9);
            repaired += strcmp(again.report.method, "hold") == 0;
            for (int i = 0; i < problem->n && seed % 3 != 1; ++i)
                assert_near(again.solution.v[i], first.solution.v[i], 1e-6 * certificate.scale);
        }
        test_problem_destroy(problem);
    }
    print_message("%d guesses kept, %d repaired by the linear system\n", kept, repaired);
    assert_true(kept > 100 && repaired > 10);
    cairn_solver_destroy(plain);
    cairn_solver_destroy(steady);
}

/* Impulses within the tolerance that would lift a standing box a little in every step are not kept. */
static void a_guess_that_keeps_pushing_is_corrected(void **state)
{
    (void)state;
    cairn_solver *solver = cairn_solver_create(NULL);
    cairn_problem *box = test_problem_stack(1, CONE, 0.5, H, 0.0);
    double guess[ROWS] = {0}, before[6] = {0};
    for (int i = 0; i < 4; ++i)
        guess[3 * i] = (1 - 5e-10) * G * H / 4;
    answer kept = solve(solver, box, guess, NULL);
    assert_string_equal(kept.report.method, "warm start");
    assert_true(kept.report.kept_forces);
    answer corrected = solve(solver, box, guess, before);
    assert_string_equal(corrected.report.method, "hold");
    assert_true(corrected.report.certificate.relative < 1e-14);
    test_problem_destroy(box);
    cairn_solver_destroy(solver);
}

/* Gaps of four corners that alternate in sign: no motion closes them all. Far below the tolerance they are left alone, and the
 * forces do not run away. */
static void contradictory_gaps_are_left(void **state)
{
    (void)state;
    cairn_solver *solver = cairn_solver_create(NULL);
    cairn_problem *box = test_problem_stack(1, CONE, 0.5, H, 0.0);
    double guess[ROWS] = {0}, before[6] = {0};
    for (int i = 0; i < 4; ++i)
    {
        guess[3 * i] = (1 + 1e-7) * G * H / 4;
        box->w[3 * i] = (i == 0 || i == 3 ? 1e-10 : -1e-10) * G * H;
    }
    answer a = solve(solver, box, guess, before);
    assert_string_equal(a.report.method, "hold");
    for (int i = 0; i < 4; ++i)
        assert_near(a.solution.r[3 * i], G * H / 4, 1e-12);
    test_problem_destroy(box);
    cairn_solver_destroy(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_is_held),
        cmocka_unit_test(forces_that_move_nothing_stay),
        cmocka_unit_test(what_slides_is_declined),
        cmocka_unit_test(contacts_change_sides),
        cmocka_unit_test(joints_hold_too),
        cmocka_unit_test(solutions_are_kept_and_disturbed_ones_repaired),
        cmocka_unit_test(a_guess_that_keeps_pushing_is_corrected),
        cmocka_unit_test(contradictory_gaps_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
