/* Lemke's method: on linear complementarity problems with known answers, and as a solver of contact problems, where
 * Theorem 2.2 of Anitescu & Potra 2002 says it never fails. What the solver claims is judged by the laws' own words, written
 * out here without projections, and by the certificate. */
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solve/pivot/lemke.h"
#include "support/check.h"
#include "support/problems/random_problem.h"

enum
{
    LARGEST = 12
};

static crn_lemke_report pivot(int n, const double *M, const double *q, double *z)
{
    crn_lemke *lemke = crn_lemke_create();
    bool basic[LARGEST];
    crn_lemke_report report;
    assert_int_equal(crn_lemke_solve(lemke, n, M, q, NULL, 5000, 0.0, z, basic, &report), CAIRN_OK);
    crn_lemke_destroy(lemke);
    return report;
}

/* The largest |min(z, M z + q)|. */
static double lcp_error(int n, const double *M, const double *q, const double *z)
{
    double worst = 0.0;
    for (int i = 0; i < n; ++i)
    {
        double w = q[i];
        for (int j = 0; j < n; ++j)
            w += M[i * n + j] * z[j];
        worst = fmax(worst, fabs(fmin(w, z[i])));
    }
    return worst;
}

static void trivial_when_q_is_not_negative(void **state)
{
    (void)state;
    double M[4] = {-1, 5, 2, -3};
    double q[2] = {0, 3};
    double z[2] = {7, 7};
    crn_lemke_report report = pivot(2, M, q, z);
    assert_int_equal(report.outcome, CRN_LEMKE_SOLVED);
    assert_int_equal(report.pivots, 0);
    assert_true(z[0] == 0.0 && z[1] == 0.0);
}

/* w = -1 whatever z is: no solution exists. */
static void says_when_there_is_a_ray(void **state)
{
    (void)state;
    double M[1] = {0};
    double q[1] = {-1};
    double z[1];
    assert_int_equal(pivot(1, M, q, z).outcome, CRN_LEMKE_RAY);
}

/* A P-matrix on which simpler pivoting rules cycle (Murty); z = 1/3 (1, 1, 1). */
static void does_not_cycle(void **state)
{
    (void)state;
    double M[9] = {1, 2, 0, 0, 1, 2, 2, 0, 1};
    double q[3] = {-1, -1, -1};
    double z[3];
    assert_int_equal(pivot(3, M, q, z).outcome, CRN_LEMKE_SOLVED);
    for (int i = 0; i < 3; ++i)
        assert_true(fabs(z[i] - 1.0 / 3.0) < 1e-15);
}

/* Murty's matrix, 1 on the diagonal and 2 below: only z_1 = 1 is not zero in the solution for q = -1. */
static void solves_murtys_problem(void **state)
{
    (void)state;
    int n = 10;
    double M[100] = {0};
    double q[10], z[10];
    for (int i = 0; i < n; ++i)
    {
        q[i] = -1.0;
        for (int j = 0; j <= i; ++j)
            M[i * n + j] = i == j ? 1.0 : 2.0;
    }
    assert_int_equal(pivot(n, M, q, z).outcome, CRN_LEMKE_SOLVED);
    for (int i = 0; i < n; ++i)
        assert_true(fabs(z[i] - (i == 0 ? 1.0 : 0.0)) < 1e-12);
}

/* M = F F' + skew with F rank-deficient and q in its range plus something positive: copositive-plus and feasible, so
 * solvable; heavily degenerate, since q is rounded to few values. */
static void solves_degenerate_monotone_problems(void **state)
{
    (void)state;
    for (int trial = 0; trial < 400; ++trial)
    {
        test_random random = {(uint64_t)trial};
        int n = test_integer(&random, 2, LARGEST);
        int rank = test_integer(&random, 1, n);
        double F[LARGEST * LARGEST], M[LARGEST * LARGEST], q[LARGEST], z[LARGEST], seed[LARGEST];
        for (int i = 0; i < n * rank; ++i)
            F[i] = test_integer(&random, -2, 2);
        for (int i = 0; i < n; ++i)
            seed[i] = test_integer(&random, 0, 2);
        for (int i = 0; i < n; ++i)
        {
            for (int j = 0; j <= i; ++j)
            {
                double skew = i == j ? 0.0 : test_integer(&random, -1, 1);
                double sum = 0.0;
                for (int k = 0; k < rank; ++k)
                    sum += F[i * rank + k] * F[j * rank + k];
                M[i * n + j] = sum + skew;
                M[j * n + i] = sum - skew;
            }
        }
        for (int i = 0; i < n; ++i)
        {
            q[i] = test_integer(&random, 0, 1);
            for (int j = 0; j < n; ++j)
                q[i] -= M[i * n + j] * seed[j];
        }
        assert_int_equal(pivot(n, M, q, z).outcome, CRN_LEMKE_SOLVED);
        assert_true(lcp_error(n, M, q, z) < 1e-9);
    }
}

/* ---------------------------------------------------------------------------------------------- contact problems */

typedef struct bench
{
    cairn_context *context;
    cairn_solver *solver;
} bench;

static int open_bench(void **state)
{
    bench *b = calloc(1, sizeof(bench));
    b->context = cairn_context_create();
    b->solver = cairn_solver_create(b->context);
    *state = b;
    return b->solver ? 0 : -1;
}

static int close_bench(void **state)
{
    bench *b = *state;
    cairn_solver_destroy(b->solver);
    cairn_context_destroy(b->context);
    free(b);
    return 0;
}

static cairn_solver_report solve(bench *b, const cairn_problem *problem, cairn_solver_kind kind,
                                 cairn_solution *solution)
{
    cairn_solver_options options = cairn_solver_default();
    cairn_solver_report report;
    options.kind = kind;
    cairn_status status = cairn_solver_solve(b->solver, problem, &options, solution, &report);
    assert_string_equal(cairn_context_last_message(b->context), "");
    assert_int_equal(status, CAIRN_OK);
    return report;
}

/* u = H v + R r + w by plain loops. */
static void contact_velocities(const cairn_problem *problem, const cairn_solution *solution, double *u)
{
    int dim = problem->dim;
    int rows = dim * problem->contact_count;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        for (int k = 0; k < dim; ++k)
        {
            long double sum = problem->w[j * dim + k];
            for (int e = problem->H.entry_start[j]; e < problem->H.entry_start[j + 1]; ++e)
            {
                int start = problem->block_start[problem->H.block[e]];
                int size = problem->block_start[problem->H.block[e] + 1] - start;
                for (int i = 0; i < size; ++i)
                {
                    sum += (long double)problem->H.value[problem->H.value_start[e] + k * size + i] *
                           solution->v[start + i];
                }
            }
            for (int i = 0; i < rows && problem->patch_count; ++i)
                sum += (long double)problem->R[(j * dim + k) * rows + i] * solution->r[i];
            u[j * dim + k] = (double)sum;
        }
    }
}

/* Friction in one group of m directions in the plane (m = 2: a line): r_t within mu r_n times their hull, and
 * r_t' u_t = - mu r_n max_k d_k'(-u_t), the most it can dissipate. Errors are relative to `impulse` and `speed`. */
static void check_friction(int m, double limit, const double *r, const double *u, double impulse, double speed)
{
    double pi = acos(-1.0);
    double most = 0.0;
    for (int k = 0; k < m; ++k)
    {
        double angle = 2.0 * pi * k / m;
        double edge = angle + pi / m;
        double d = -(cos(angle) * u[0] + (m > 2 ? sin(angle) * u[1] : 0.0));
        double beyond = m > 2 ? (cos(edge) * r[0] + sin(edge) * r[1]) / cos(pi / m) : cos(angle) * r[0];
        assert_true(beyond <= limit + 1e-9 * impulse);
        most = fmax(most, d);
    }
    double power = r[0] * u[0] + (m > 2 ? r[1] * u[1] : 0.0);
    assert_true(fabs(power + limit * most) <= 1e-8 * impulse * speed);
}

/* The laws in their own words. */
static void check_laws(const cairn_problem *problem, const cairn_solution *solution, double speed)
{
    int dim = problem->dim;
    double *u = calloc((size_t)(dim * problem->contact_count) + 1, sizeof(double));
    contact_velocities(problem, solution, u);
    double impulse = 0.0;
    for (int i = 0; i < dim * problem->contact_count; ++i)
        impulse = fmax(impulse, fabs(solution->r[i]));
    for (int i = 0; i < problem->n; ++i)
        impulse = fmax(impulse, fabs(problem->p[i]));
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const double *r = solution->r + j * dim;
        const double *v = u + j * dim;
        double limit = problem->mu[j] * r[0];
        assert_true(v[0] >= -2e-8 * speed);
        assert_true(r[0] >= 0.0);
        assert_true(fabs(v[0] * r[0]) <= 1e-8 * speed * impulse);
        if (problem->law.kind == CAIRN_LAW_FRICTIONLESS)
            assert_true(r[1] == 0.0 && (dim == 2 || r[2] == 0.0));
        else if (problem->law.kind == CAIRN_LAW_PYRAMID && dim == 3)
            check_friction(problem->law.directions, limit, r + 1, v + 1, impulse, speed);
        else
            for (int k = 1; k < dim; ++k)
                check_friction(2, limit, r + k, v + k, impulse, speed);
    }
    free(u);
}

static const cairn_law LAWS[] = {
    {CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_PYRAMID, 6},      {CAIRN_LAW_PYRAMID, 8},
    {CAIRN_LAW_BOX, 0},     {CAIRN_LAW_FRICTIONLESS, 0},
};

static test_recipe random_recipe(test_random *random)
{
    return (test_recipe){.dim = test_integer(random, 2, 3),
                         .law = LAWS[test_integer(random, 0, 4)],
                         .bodies = test_integer(random, 1, 6),
                         .contacts = test_integer(random, 1, 20),
                         .joints = test_integer(random, 0, 4),
                         .mass_ratio = test_integer(random, 0, 1) ? 1e8 : 10.0,
                         .mu = 2.0,
                         .skew = test_uniform(random, 0.0, 3.0),
                         .coupled = test_integer(random, 0, 1),
                         .gaps = test_integer(random, 0, 1),
                         .redundant = test_integer(random, 0, 1),
                         .compliant = test_integer(random, 0, 3) == 0};
}

/* Random problems with masses spread over `ratio`; returns how many needed a fallback. All must be solved, but for one in
 * a thousand at great mass ratios, whose error on these seeds is just above the tolerance. Other seeds show gross misses
 * at 1e8, two in ten thousand (docs/methods/lemke.md). */
static int solve_random_problems(bench *b, double ratio, cairn_solver_kind kind, int count)
{
    int pivots = 0;
    int rebuilt = 0;
    int helped = 0;
    int missed = 0;
    double worst = 0.0;
    for (int trial = 0; trial < count; ++trial)
    {
        test_random random = {1000u + (uint64_t)trial};
        test_recipe recipe = random_recipe(&random);
        recipe.mass_ratio = ratio;
        cairn_problem *problem = test_problem_random(&recipe, 77u + (uint64_t)trial);
        cairn_solution solution;
        cairn_solver_report report = solve(b, problem, kind, &solution);
        cairn_certificate again;
        assert_int_equal(cairn_certify(problem, &solution, &again), CAIRN_OK);
        assert_true(again.relative == report.certificate.relative);
        assert_true((report.outcome == CAIRN_SOLVED) == (again.relative <= 1e-9));
        assert_true(again.relative < 2e-8);
        check_laws(problem, &solution, report.certificate.scale);
        missed += report.outcome != CAIRN_SOLVED;
        pivots += report.iterations;
        rebuilt += report.refactorisations;
        /* sweeps come first where they may: what they leave to Lemke's method is not yet a second attempt at it */
        helped += report.fallbacks > (kind == CAIRN_SOLVER_AUTO && problem->dim == 2);
        worst = fmax(worst, again.relative);
        test_problem_destroy(problem);
    }
    print_message("%d random problems, mass ratio %g: %d missed, %d with fallbacks, %d pivots, %d refactorisations\n",
                  count, ratio, missed, helped, pivots, rebuilt);
    print_message("    worst relative certificate %.1e\n", worst);
    assert_true(missed <= (ratio > 1e3 ? count / 1000 : 0));
    return helped;
}

static int trials(void)
{
    return getenv("CAIRN_LONG") ? 10000 : IS_SANITIZED ? 100 : 500;
}

/* Theorem 2.2: positive definite A, symmetric or not, any mu, redundant contacts and joints, w >= 0: solved, and by
 * plain pivoting. */
static void solves_what_the_theorem_promises(void **state)
{
    assert_int_equal(solve_random_problems(*state, 10.0, CAIRN_SOLVER_LEMKE, trials()), 0);
    assert_int_equal(solve_random_problems(*state, 1e6, CAIRN_SOLVER_LEMKE, trials()), 0);
}

/* At mass ratio 1e8 the tolerance is close to what rounding allows: a few problems in a thousand may need a second
 * attempt. */
static void solves_extreme_mass_ratios(void **state)
{
    int helped = solve_random_problems(*state, 1e8, CAIRN_SOLVER_AUTO, trials());
    assert_true(100 * helped < trials());
}

/* With fallbacks the outcome is SOLVED exactly when the certificate says so. */
static void never_claims_more_than_the_certificate(void **state)
{
    bench *b = *state;
    for (int trial = 0; trial < 100; ++trial)
    {
        test_random random = {90000u + (uint64_t)trial};
        test_recipe recipe = random_recipe(&random);
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
        cairn_solver_options options = cairn_solver_default();
        cairn_solution solution;
        cairn_solver_report report;
        options.tolerance = 1e-17; /* more than rounding allows, so that every way is tried */
        assert_int_equal(cairn_solver_solve(b->solver, problem, &options, &solution, &report), CAIRN_OK);
        assert_true((report.outcome == CAIRN_SOLVED) == (report.certificate.relative <= options.tolerance));
        assert_true(report.certificate.relative < 1e-8);
        assert_true(report.outcome == CAIRN_SOLVED || report.fallbacks > 4);
        test_problem_destroy(problem);
    }
}

/* Boxes on boxes, four corners an interface: the impulses are not unique, their sums are. */
static void solves_degenerate_stacks(void **state)
{
    bench *b = *state;
    double h = 0.01;
    for (int height = 1; height <= 10; ++height)
    {
        for (int l = 0; l < 5; ++l)
        {
            cairn_problem *problem = test_problem_stack(height, LAWS[l], 0.5, h, 0.0);
            cairn_solution solution;
            cairn_solver_report report = solve(b, problem, CAIRN_SOLVER_LEMKE, &solution);
            assert_int_equal(report.outcome, CAIRN_SOLVED);
            assert_true(report.certificate.relative < 1e-12);
            for (int i = 0; i < height; ++i)
            {
                double sum = 0.0;
                for (int j = 4 * i; j < 4 * i + 4; ++j)
                    sum += solution.r[3 * j];
                assert_true(fabs(sum - (height - i) * 9.81 * h) < 1e-12 * height);
            }
            for (int i = 0; i < 6 * height; ++i)
                assert_true(fabs(solution.v[i]) < 1e-12);
            test_problem_destroy(problem);
        }
    }
}

/* The top box pushed sideways: friction takes mu times its weight, or all of the push when that is less. Tipping is
 * kept out by a push far below it. */
static void stack_slides_at_the_top(void **state)
{
    bench *b = *state;
    double h = 0.01;
    double mu = 0.1;
    double weight = 9.81 * h;
    for (int fast = 0; fast < 2; ++fast)
    {
        double push = (fast ? 1.5 : 0.5) * mu * weight;
        cairn_problem *problem = test_problem_stack(4, LAWS[0], mu, h, push);
        cairn_solution solution;
        cairn_solver_report report = solve(b, problem, CAIRN_SOLVER_LEMKE, &solution);
        assert_int_equal(report.outcome, CAIRN_SOLVED);
        double left = fast ? push - mu * weight : 0.0;
        assert_true(fabs(solution.v[18] - left) < 1e-12);
        assert_true(fabs(solution.v[0]) < 1e-12);
        test_problem_destroy(problem);
    }
}

/* A point of mass m on a plane, pressed by N, pushed by T along the first tangent: sticks when |T| <= mu N, else slips
 * with (T - mu N) / m. In space and in the plane, all laws. */
static void point_on_a_plane(void **state)
{
    bench *b = *state;
    double m = 2.0;
    double N = 3.0;
    double mu = 0.5;
    for (int dim = 2; dim <= 3; ++dim)
    {
        for (int l = 0; l < 5; ++l)
        {
            for (int k = -4; k <= 4; ++k)
            {
                double T = 0.75 * k;
                double A[9] = {m, 0, 0, 0, m, 0, 0, 0, m};
                double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
                double A2[4] = {m, 0, 0, m};
                double H2[4] = {1, 0, 0, 1};
                double p[3] = {-N, T, 0};
                test_dense dense = {.dim = dim,
                                    .law = LAWS[l],
                                    .block_count = 1,
                                    .block_size = &dim,
                                    .A = dim == 3 ? A : A2,
                                    .p = p,
                                    .contact_count = 1,
                                    .H = dim == 3 ? H : H2,
                                    .mu = &mu};
                cairn_problem *problem = test_problem_from_dense(&dense);
                cairn_solution solution;
                cairn_solver_report report = solve(b, problem, CAIRN_SOLVER_LEMKE, &solution);
                double limit = LAWS[l].kind == CAIRN_LAW_FRICTIONLESS ? 0.0 : mu * N;
                double slip = fabs(T) > limit ? (T - copysign(limit, T)) / m : 0.0;
                assert_int_equal(report.outcome, CAIRN_SOLVED);
                assert_true(fabs(solution.r[0] - N) < 1e-14);
                assert_true(fabs(solution.v[0]) < 1e-14);
                assert_true(fabs(solution.v[1] - slip) < 1e-14);
                assert_true(fabs(solution.r[1] - (m * slip - T)) < 1e-14);
                test_problem_destroy(problem);
            }
        }
    }
}

/* Lifting off: no impulse. No contacts at all: the velocity without them. */
static void nothing_to_do(void **state)
{
    bench *b = *state;
    double A[4] = {2, 0, 0, 2};
    double p[2] = {1, 4};
    double H[4] = {1, 0, 0, 1};
    double mu = 1.0;
    for (int contacts = 0; contacts <= 1; ++contacts)
    {
        test_dense dense = {.dim = 2,
                            .law = LAWS[0],
                            .block_count = 1,
                            .block_size = (int[]){2},
                            .A = A,
                            .p = p,
                            .contact_count = contacts,
                            .H = H,
                            .mu = &mu};
        cairn_problem *problem = test_problem_from_dense(&dense);
        cairn_solution solution;
        cairn_solver_report report = solve(b, problem, CAIRN_SOLVER_AUTO, &solution);
        assert_int_equal(report.outcome, CAIRN_SOLVED);
        assert_true(contacts > 0 || report.iterations == 0);
        assert_true(solution.v[0] == 0.5 && solution.v[1] == 2.0);
        assert_true(contacts == 0 || (solution.r[0] == 0.0 && solution.r[1] == 0.0));
        test_problem_destroy(problem);
    }
}

/* A contact the solution cannot satisfy: w < 0 where joints forbid all motion. */
static void says_when_it_fails(void **state)
{
    bench *b = *state;
    double A[4] = {1, 0, 0, 1};
    double G[4] = {1, 0, 0, 1};
    double H[4] = {1, 0, 0, 1};
    double w[2] = {-1, 0};
    double mu = 0.3;
    test_dense dense = {.dim = 2,
                        .law = LAWS[0],
                        .block_count = 1,
                        .block_size = (int[]){2},
                        .A = A,
                        .joint_rows = 2,
                        .G = G,
                        .contact_count = 1,
                        .H = H,
                        .w = w,
                        .mu = &mu};
    cairn_problem *problem = test_problem_from_dense(&dense);
    cairn_solution solution;
    cairn_solver_report report = solve(b, problem, CAIRN_SOLVER_AUTO, &solution);
    assert_int_equal(report.outcome, CAIRN_FAILED);
    assert_true(report.certificate.relative > 0.1);
    test_problem_destroy(problem);
}

static void refuses_bad_numbers(void **state)
{
    bench *b = *state;
    cairn_problem *problem = test_problem_stack(2, LAWS[0], 0.5, 0.01, 0.0);
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report;
    problem->p[3] = NAN;
    assert_int_equal(cairn_solver_solve(b->solver, problem, &options, &solution, &report), CAIRN_NUMERIC);
    assert_non_null(strstr(cairn_context_last_message(b->context), "p[3]"));
    problem->p[3] = 0.0;
    problem->A.value[0] = -1.0;
    assert_int_equal(cairn_solver_solve(b->solver, problem, &options, &solution, &report), CAIRN_NUMERIC);
    assert_non_null(strstr(cairn_context_last_message(b->context), "block 0"));
    problem->A.value[0] = 1.0;
    options.tolerance = 0.0;
    assert_int_equal(cairn_solver_solve(b->solver, problem, &options, &solution, &report), CAIRN_INVALID);
    cairn_context_clear(b->context);
    test_problem_destroy(problem);
}

/* The second solve of a problem takes no memory. (Sanitizers have their own allocator, which shows 0 here.) */
static void warm_solves_allocate_nothing(void **state)
{
    bench *b = *state;
    test_random random = {8};
    test_recipe recipe = random_recipe(&random);
    recipe.joints = 3;
    recipe.coupled = true;
    cairn_problem *problem = test_problem_random(&recipe, 5);
    cairn_solution first, second;
    solve(b, problem, CAIRN_SOLVER_LEMKE, &first);
    double *v = first.v;
    double before = v[0];
    size_t used = mallinfo2().uordblks;
    solve(b, problem, CAIRN_SOLVER_LEMKE, &second);
    solve(b, problem, CAIRN_SOLVER_LEMKE, &second);
    assert_int_equal(mallinfo2().uordblks, used);
    assert_true(second.v[0] == before);
    test_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trivial_when_q_is_not_negative),
        cmocka_unit_test(says_when_there_is_a_ray),
        cmocka_unit_test(does_not_cycle),
        cmocka_unit_test(solves_murtys_problem),
        cmocka_unit_test(solves_degenerate_monotone_problems),
        cmocka_unit_test_setup_teardown(solves_what_the_theorem_promises, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(solves_extreme_mass_ratios, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(never_claims_more_than_the_certificate, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(solves_degenerate_stacks, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(stack_slides_at_the_top, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(point_on_a_plane, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(nothing_to_do, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(says_when_it_fails, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(refuses_bad_numbers, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(warm_solves_allocate_nothing, open_bench, close_bench),
    };
    return cmocka_run_group_tests_name("lemke", tests, NULL, NULL);
}
