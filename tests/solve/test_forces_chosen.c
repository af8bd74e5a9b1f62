/* Small problems by hand, one for each branch of what the solver tells beside its solution: how many forces would do, why there
 * is no solution and where that shows, the mass that a contact feels in the certificate, and nothing of the problem before. */
#include "support/check.h"
#include "support/problems/random_problem.h"

#include <string.h>

static const cairn_law FRICTIONLESS = {CAIRN_LAW_FRICTIONLESS, 0};

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

static cairn_status solve(bench *b, const test_dense *dense, cairn_forces forces)
{
    cairn_problem *problem = test_problem_from_dense(dense);
    assert_non_null(problem);
    cairn_solver_options options = cairn_solver_default();
    options.forces = forces;
    cairn_status status = cairn_solver_solve(b->solver, problem, &options, &b->solution, &b->report);
    test_problem_destroy(problem);
    return status;
}

/* ------------------------------------------------------------------------------------------------- how many forces */

/* Two bodies that fall side by side on the ground and against each other: three contacts for two degrees of freedom, so that
 * one force is free, whatever the bodies weigh. */
static void redundancy_does_not_depend_on_masses(void **state)
{
    (void)state;
    bench b = bench_open();
    for (int k = 0; k <= 12; k += 2)
    {
        double m = pow(10, k);
        const int sizes[2] = {1, 1};
        double A[4] = {1, 0, 0, m}, p[2] = {-1, -m}, H[12] = {1, 0, 0, 0, 0, 1, 0, 0, 1, -1, 0, 0}, w[6] = {0},
               mu[3] = {0};
        test_dense dense = {.dim = 2, .law = FRICTIONLESS, .block_count = 2, .block_size = sizes, .A = A, .p = p};
        dense.contact_count = 3;
        dense.H = H;
        dense.w = w;
        dense.mu = mu;
        assert_int_equal(solve(&b, &dense, CAIRN_FORCES_AUTO), CAIRN_OK);
        assert_int_equal(b.report.outcome, CAIRN_SOLVED);
        assert_int_equal(b.report.null_space, 1);
        print_message("mass ratio %.0e: forces %g %g %g, chosen %d\n", m, b.solution.r[0], b.solution.r[2],
                      b.solution.r[4], (int)b.report.chosen_forces);
        /* r = (1 - s, m + s, s) with s >= 0: the least norm is at s = 0. Where the light body's force is lost among the
           heavy one's digits none may be chosen, and then none is said to be. */
        double s = b.solution.r[4];
        assert_near(b.solution.r[0] + s, 1, 1e-6);
        assert_true(b.report.chosen_forces ? fabs(s) < 1e-6 : k > 4);
        /* without the third contact the forces are the weights, and unique */
        dense.contact_count = 2;
        assert_int_equal(solve(&b, &dense, CAIRN_FORCES_AUTO), CAIRN_OK);
        assert_int_equal(b.report.null_space, 0);
    }
    bench_close(&b);
}

/* Three supports of one body in a row, evenly loaded: of all forces those of least norm are (1/3, 1/3, 1/3). */
static void least_norm_is_chosen_and_told(void **state)
{
    (void)state;
    bench b = bench_open();
    static const cairn_forces WISHES[] = {CAIRN_FORCES_AUTO, CAIRN_FORCES_MINIMUM_NORM, CAIRN_FORCES_ANY};
    const int sizes[1] = {2}; /* height and turn */
    double A[4] = {2, 0, 0, 0.5}, p[2] = {-6, 0}, H[12] = {1, -1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0}, w[6] = {0},
           mu[3] = {0};
    test_dense dense = {.dim = 2, .law = FRICTIONLESS, .block_count = 1, .block_size = sizes, .A = A, .p = p};
    dense.contact_count = 3;
    dense.H = H;
    dense.w = w;
    dense.mu = mu;
    for (int k = 0; k < 3; ++k)
    {
        assert_int_equal(solve(&b, &dense, WISHES[k]), CAIRN_OK);
        assert_near(b.solution.r[0] + b.solution.r[2] + b.solution.r[4], 6, 1e-9);
        assert_int_equal(b.report.null_space, WISHES[k] == CAIRN_FORCES_ANY ? 0 : 1);
        assert_true(b.report.chosen_forces == (WISHES[k] != CAIRN_FORCES_ANY));
        for (int j = 0; j < 3 && WISHES[k] != CAIRN_FORCES_ANY; ++j)
            assert_near(b.solution.r[2 * j], 2, 1e-9);
    }
    bench_close(&b);
}

/* --------------------------------------------------------------------------------------------- why there is no solution */

/* Equations that contradict each other a little (rows 0 and 1) and a lot (rows 2 and 3): the latter are told. */
static test_dense contradiction(void)
{
    static const int SIZES[2] = {1, 1};
    static const double A[4] = {1, 0, 0, 1}, P[2] = {0.3, 0.2}, G[8] = {0, 1, 0, 1, 1, 0, 1, 0}, R_C[4] = {0},
                        B[4] = {1, 1.1, 0, 5};
    return (test_dense){.dim = 2,
                        .law = {CAIRN_LAW_CONE, 0},
                        .block_count = 2,
                        .block_size = SIZES,
                        .A = A,
                        .p = P,
                        .joint_rows = 4,
                        .G = G,
                        .R_c = R_C,
                        .b = B};
}

static void the_worst_joint_row_is_told(void **state)
{
    (void)state;
    bench b = bench_open();
    test_dense dense = contradiction();
    assert_int_equal(solve(&b, &dense, CAIRN_FORCES_AUTO), CAIRN_OK);
    assert_int_equal(b.report.outcome, CAIRN_FAILED);
    assert_int_equal(b.report.cause, CAIRN_CAUSE_JOINTS);
    assert_true(b.report.culprit == 2 || b.report.culprit == 3);
    bench_close(&b);
}

/* A body between a floor and a ceiling that both want it to leave at 1 m/s. */
static void squeezed_contacts_are_told(void **state)
{
    (void)state;
    bench b = bench_open();
    const int sizes[1] = {2};
    double A[4] = {1, 0, 0, 1}, p[2] = {0.2, 0}, H[8] = {1, 0, 0, 1, -1, 0, 0, 1}, w[4] = {-1, 0, -1, 0},
           mu[2] = {0.3, 0.3};
    test_dense dense = {.dim = 2, .law = {CAIRN_LAW_CONE, 0}, .block_count = 1, .block_size = sizes, .A = A, .p = p};
    dense.contact_count = 2;
    dense.H = H;
    dense.w = w;
    dense.mu = mu;
    assert_int_equal(solve(&b, &dense, CAIRN_FORCES_AUTO), CAIRN_OK);
    assert_int_equal(b.report.outcome, CAIRN_FAILED);
    assert_int_equal(b.report.cause, CAIRN_CAUSE_CONTACTS);
    /* numbers that pivoting cannot hold prove nothing */
    double huge[4] = {-1e120, 0, -1e120, 0};
    dense.w = huge;
    assert_int_equal(solve(&b, &dense, CAIRN_FORCES_AUTO), CAIRN_OK);
    assert_int_equal(b.report.outcome, CAIRN_FAILED);
    assert_int_equal(b.report.cause, CAIRN_CAUSE_UNKNOWN);
    bench_close(&b);
}

/* After a problem without a solution, one with: nothing of the first is told with it. */
static void nothing_stays_of_the_problem_before(void **state)
{
    (void)state;
    bench b = bench_open();
    test_dense bad = contradiction(), good = contradiction();
    static const double B[4] = {1, 1, 5, 5};
    good.b = B;
    for (int k = 0; k < 2; ++k)
    {
        assert_int_equal(solve(&b, &bad, CAIRN_FORCES_AUTO), CAIRN_OK);
        assert_true(b.report.culprit >= 0);
        assert_int_equal(solve(&b, &good, CAIRN_FORCES_AUTO), CAIRN_OK);
        assert_int_equal(b.report.outcome, CAIRN_SOLVED);
        assert_int_equal(b.report.cause, CAIRN_CAUSE_UNKNOWN);
        assert_int_equal(b.report.culprit, -1);
        assert_false(b.report.out_of_time);
        assert_int_equal(cairn_solver_island_count(b.solver), 2);
    }
    bench_close(&b);
}

/* Blocks that are definite, coupled so that the whole is not: an error, after which there are no islands to ask for. */
static void no_islands_after_an_error(void **state)
{
    (void)state;
    bench b = bench_open();
    const int sizes[2] = {1, 1};
    double A[4] = {1, 2, 2, 1}, p[2] = {-1, -1}, H[8] = {1, 0, 0, 0, 0, 1, 0, 0}, w[4] = {0}, mu[2] = {0};
    test_dense dense = {.dim = 2, .law = FRICTIONLESS, .block_count = 2, .block_size = sizes, .A = A, .p = p};
    dense.contact_count = 2;
    dense.H = H;
    dense.w = w;
    dense.mu = mu;
    assert_int_equal(solve(&b, &dense, CAIRN_FORCES_AUTO), CAIRN_NUMERIC);
    assert_int_equal(cairn_solver_island_count(b.solver), 0);
    bench_close(&b);
}

/* Whatever methods were tried on the way, a problem that ends solved leaves no messages. */
static void solved_problems_leave_no_messages(void **state)
{
    (void)state;
    bench b = bench_open();
    int fallbacks = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed)
    {
        test_recipe recipe = {.dim = 3, .law = {CAIRN_LAW_CONE, 0}, .bodies = 8, .contacts = 14, .mass_ratio = 1e6};
        recipe.mu = 0.8;
        recipe.redundant = true;
        recipe.coupled = seed % 2;
        cairn_problem *problem = test_problem_random(&recipe, seed);
        cairn_solver_options options = cairn_solver_default();
        cairn_status status = cairn_solver_solve(b.solver, problem, &options, &b.solution, &b.report);
        fallbacks += b.report.fallbacks;
        assert_true(status != CAIRN_OK || cairn_context_message_count(b.context) == 0);
        cairn_context_clear(b.context);
        test_problem_destroy(problem);
    }
    print_message("%d fallbacks\n", fallbacks);
    bench_close(&b);
}

/* ------------------------------------------------------------------------------------------------ the mass of a contact */

/* r_n = 1 at a contact that opens fast: the natural map is r_n over the contact's mass, which is that of the body (m), less where
 * the contact gives (R): 1/mass = 1/m + R. */
static void certificate_knows_a_contacts_mass(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; ++dim)
    {
        for (int soft = 0; soft < 2; ++soft)
        {
            const int sizes[1] = {dim};
            double m = 0.25, c = soft ? 3 : 0, A[9] = {0}, H[9] = {0}, R[9] = {0}, p[3] = {0}, w[3] = {0}, mu = 0;
            for (int k = 0; k < dim; ++k)
            {
                A[k * dim + k] = m;
                H[k * dim + k] = 1;
                R[k * dim + k] = c;
            }
            p[0] = 1;
            test_dense dense = {.dim = dim, .law = FRICTIONLESS, .block_count = 1, .block_size = sizes, .A = A, .p = p};
            dense.contact_count = 1;
            dense.H = H;
            dense.w = w;
            dense.mu = &mu;
            dense.R = soft ? R : NULL;
            cairn_problem *problem = test_problem_from_dense(&dense);
            double v[3] = {1000, 0, 0}, r[3] = {1, 0, 0};
            cairn_solution solution = {.n = dim, .contact_rows = dim, .v = v, .r = r};
            cairn_certificate certificate;
            assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
            assert_near(certificate.natural_map, 1 / m + c, 1e-12);
            test_problem_destroy(problem);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redundancy_does_not_depend_on_masses), cmocka_unit_test(least_norm_is_chosen_and_told),
        cmocka_unit_test(the_worst_joint_row_is_told),          cmocka_unit_test(squeezed_contacts_are_told),
        cmocka_unit_test(nothing_stays_of_the_problem_before),  cmocka_unit_test(no_islands_after_an_error),
        cmocka_unit_test(solved_problems_leave_no_messages),    cmocka_unit_test(certificate_knows_a_contacts_mass),
    };
    return cmocka_run_group_tests_name("forces chosen, causes told", tests, NULL, NULL);
}
