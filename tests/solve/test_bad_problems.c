/* Problems that cannot be solved, and data that make no problem: every solver ends soon and says what is wrong. */
#include "support/check.h"
#include "support/problems/random_problem.h"
#include <cairn/cairn.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const cairn_solver_kind KINDS[] = {CAIRN_SOLVER_AUTO, CAIRN_SOLVER_LEMKE, CAIRN_SOLVER_GAUSS_SEIDEL,
                                          CAIRN_SOLVER_APGD, CAIRN_SOLVER_ADMM,  CAIRN_SOLVER_INTERIOR_POINT};
static const cairn_law LAWS[] = {
    {CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_PYRAMID, 6},        {CAIRN_LAW_BOX, 0},
    {CAIRN_LAW_CONE, 0},         {CAIRN_LAW_CONVEX_PYRAMID, 6}, {CAIRN_LAW_CONVEX_CONE, 0}};
static const double ONE[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double MU[2] = {0.3, 0.3};
static const double SLOWEST = 10.0; /* s: a solve takes some milliseconds */

enum
{
    KIND_COUNT = sizeof KINDS / sizeof KINDS[0],
    LAW_COUNT = sizeof LAWS / sizeof LAWS[0]
};

/* What came of one solver. */
typedef struct answer
{
    cairn_status status;
    cairn_solver_report report;
    char message[256];
    int messages;
} answer;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static answer ask(const cairn_problem *problem, cairn_solver_kind kind, int max_iterations)
{
    answer a = {0};
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    cairn_solver_options options = {
        .struct_size = sizeof options, .kind = kind, .tolerance = 1e-9, .max_iterations = max_iterations};
    cairn_solution solution;
    double start = seconds();
    a.status = cairn_solver_solve(solver, problem, &options, &solution, &a.report);
    assert_true(seconds() - start < SLOWEST);
    a.messages = cairn_context_message_count(context);
    strncat(a.message, cairn_context_last_message(context), sizeof a.message - 1);
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
    return a;
}

/* All solvers that take the law fail on the problem for this cause; the others say what to take. */
static void check_cause(const cairn_problem *problem, cairn_cause cause, int lowest, int highest)
{
    for (int k = 0; k < KIND_COUNT; ++k)
    {
        answer a = ask(problem, KINDS[k], 0);
        if (a.status == CAIRN_INVALID && k > 0)
        {
            assert_non_null(strstr(a.message, "auto"));
            continue;
        }
        assert_int_equal(a.status, CAIRN_OK);
        assert_int_equal(a.messages, 0);
        if (a.report.outcome != CAIRN_FAILED || a.report.cause != cause)
        {
            fail_msg("%s: outcome %d, cause '%s'", cairn_solver_kind_name(KINDS[k]), (int)a.report.outcome,
                     cairn_cause_text(a.report.cause));
        }
        assert_true(a.report.culprit >= lowest && a.report.culprit <= highest);
        assert_true(a.report.certificate.relative > 1e-2);
    }
}

static void check_dense(test_dense dense, cairn_cause cause, int lowest, int highest)
{
    cairn_problem *problem = test_problem_from_dense(&dense);
    check_cause(problem, cause, lowest, highest);
    test_problem_destroy(problem);
}

/* ------------------------------------------------------------------------------------------------- no solution */

static void joints_hold_a_body_in_a_wall(void **state)
{
    (void)state;
    for (int l = 0; l < LAW_COUNT; ++l)
    {
        check_dense((test_dense){.dim = 3,
                                 .law = LAWS[l],
                                 .block_count = 1,
                                 .block_size = (int[]){3},
                                 .A = ONE,
                                 .joint_rows = 3,
                                 .G = ONE,
                                 .contact_count = 1,
                                 .H = ONE,
                                 .w = (double[]){-1, 0, 0},
                                 .mu = MU},
                    CAIRN_CAUSE_CONTACTS, 0, 0);
    }
}

/* Random bodies between two contacts that face each other and close, in the plane and in space. */
static void walls_close_on_a_body(void **state)
{
    (void)state;
    for (int trial = 0; trial < 24; ++trial)
    {
        test_recipe recipe = {.dim = trial % 2 ? 2 : 3,
                              .law = LAWS[trial % LAW_COUNT],
                              .bodies = 1,
                              .contacts = 2,
                              .mass_ratio = 10.0,
                              .mu = 0.8,
                              .skew = trial % 3 ? 0.0 : 0.3};
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
        int count = problem->H.value_start[1];
        assert_int_equal(problem->H.entry_start[2], 2); /* each contact touches the one body */
        for (int i = 0; i < count; ++i)
            problem->H.value[count + i] = -problem->H.value[i];
        problem->w[0] = problem->w[problem->dim] = -0.5;
        check_cause(problem, CAIRN_CAUSE_CONTACTS, 0, 1);
        test_problem_destroy(problem);
    }
}

/* Contacts that no moving body takes part in, and that close. */
static void nothing_can_open_the_contact(void **state)
{
    (void)state;
    for (int l = 0; l < LAW_COUNT; ++l)
    {
        test_dense dense = {
            .dim = 3, .law = LAWS[l], .A = ONE, .contact_count = 1, .H = ONE, .w = (double[]){-1, 0, 0}, .mu = MU};
        check_dense(dense, CAIRN_CAUSE_CONTACTS, 0, 0);
    }
}

/* One joint row twice, with two right-hand sides; with and without contacts. */
static void joints_contradict(void **state)
{
    (void)state;
    for (int l = 0; l < 2 * LAW_COUNT; ++l)
    {
        check_dense((test_dense){.dim = 3,
                                 .law = LAWS[l / 2],
                                 .block_count = 1,
                                 .block_size = (int[]){3},
                                 .A = ONE,
                                 .joint_rows = 2,
                                 .G = (double[]){1, 0, 0, 1, 0, 0},
                                 .b = (double[]){0, 1},
                                 .contact_count = l % 2,
                                 .H = ONE,
                                 .mu = MU},
                    CAIRN_CAUSE_JOINTS, 0, 1);
    }
}

/* A joint drags a body along the ground and holds it down: the exact laws let it slide, the convex ones want it to lift. */
static void joints_forbid_to_lift_off(void **state)
{
    (void)state;
    for (int l = 0; l < LAW_COUNT; ++l)
    {
        test_dense dense = {.dim = 3,
                            .law = LAWS[l],
                            .block_count = 1,
                            .block_size = (int[]){3},
                            .A = ONE,
                            .joint_rows = 2,
                            .G = (double[]){1, 0, 0, 0, 1, 0},
                            .b = (double[]){0, 1},
                            .contact_count = 1,
                            .H = ONE,
                            .mu = MU};
        bool convex = LAWS[l].kind == CAIRN_LAW_CONVEX_CONE || LAWS[l].kind == CAIRN_LAW_CONVEX_PYRAMID;
        if (convex)
        {
            check_dense(dense, CAIRN_CAUSE_LIFT_OFF, 0, 0);
            continue;
        }
        cairn_problem *problem = test_problem_from_dense(&dense);
        answer a = ask(problem, CAIRN_SOLVER_AUTO, 0);
        assert_int_equal(a.report.outcome, CAIRN_SOLVED);
        test_problem_destroy(problem);
    }
}

/* A problem that has a solution is never said to have none, though a solver that may not go on misses it. */
static void no_cause_is_invented(void **state)
{
    (void)state;
    int failed = 0;
    for (int trial = 0; trial < 120; ++trial)
    {
        test_recipe recipe = {.dim = trial % 3 ? 3 : 2,
                              .law = LAWS[trial % LAW_COUNT],
                              .bodies = 4,
                              .contacts = 10,
                              .joints = trial % 4 ? 0 : 4,
                              .mass_ratio = trial % 5 ? 10.0 : 1e6,
                              .mu = 0.8,
                              .redundant = trial % 2};
        cairn_problem *problem = test_problem_random(&recipe, 50 + (uint64_t)trial);
        for (int k = 0; k < KIND_COUNT; ++k)
        {
            answer a = ask(problem, KINDS[k], 1);
            if (!a.status && a.report.outcome == CAIRN_FAILED)
            {
                ++failed;
                assert_int_equal(a.report.cause, CAIRN_CAUSE_UNKNOWN);
                assert_int_equal(a.report.culprit, -1);
            }
        }
        test_problem_destroy(problem);
    }
    assert_true(failed > 50);
}

/* ------------------------------------------------------------------------------------------------------ bad data */

static void check_refused(const cairn_problem *problem, cairn_status status, const char *word)
{
    for (int k = 0; k < KIND_COUNT; ++k)
    {
        answer a = ask(problem, KINDS[k], 0);
        if (a.status != status || !strstr(a.message, word))
        {
            fail_msg("%s: status %d, '%s'; expected %d, '%s'", cairn_solver_kind_name(KINDS[k]), (int)a.status,
                     a.message, (int)status, word);
        }
    }
}

/* Each kind of number in turn is NaN, infinite, or out of its range. */
static void numbers_that_are_none(void **state)
{
    (void)state;
    test_recipe recipe = {
        .dim = 2, .law = LAWS[3], .bodies = 3, .contacts = 3, .joints = 2, .mass_ratio = 2, .mu = 0.5};
    recipe.compliant = true;
    cairn_problem *problem = test_problem_random(&recipe, 4);
    struct
    {
        double *place;
        const char *name;
    } cases[] = {{&problem->A.value[1], "A.value[1]"},
                 {&problem->p[2], "p[2]"},
                 {&problem->G.value[0], "G[0]"},
                 {&problem->R_c[1], "R_c[1]"},
                 {&problem->b[0], "b[0]"},
                 {&problem->H.value[2], "H[2]"},
                 {&problem->w[3], "w[3]"},
                 {&problem->mu[1], "mu[1]"},
                 {&problem->R[0], "R[0]"}};
    static const double VALUES[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        double kept = *cases[i].place;
        for (int k = 0; k < 3; ++k)
        {
            *cases[i].place = VALUES[k];
            check_refused(problem, CAIRN_NUMERIC, cases[i].name);
        }
        *cases[i].place = kept;
    }
    problem->mu[1] = -0.1;
    check_refused(problem, CAIRN_INVALID, "mu[1] is -0.1; it must not be negative");
    test_problem_destroy(problem);
}

static void matrices_that_are_not_positive_definite(void **state)
{
    (void)state;
    static const double SINGULAR[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1};
    static const double INDEFINITE[9] = {1, 0, 0, 0, 1, 2, 0, 2, 1};
    static const double ZERO[9] = {0};
    const double *matrices[] = {SINGULAR, INDEFINITE, ZERO};
    for (int i = 0; i < 3; ++i)
    {
        test_dense dense = {.dim = 2,
                            .law = LAWS[3],
                            .block_count = 1,
                            .block_size = (int[]){3},
                            .A = matrices[i],
                            .p = (double[]){1, 2, 3},
                            .contact_count = 1,
                            .H = ONE,
                            .mu = MU};
        cairn_problem *problem = test_problem_from_dense(&dense);
        check_refused(problem, CAIRN_NUMERIC, "the matrix A is not positive definite: row ");
        test_problem_destroy(problem);
    }
}

/* Nothing to solve is solved. */
static void empty_problems(void **state)
{
    (void)state;
    for (int l = 0; l < LAW_COUNT; ++l)
    {
        cairn_problem nothing = {.dim = 2 + l % 2, .law = LAWS[l]};
        test_dense dense = {.dim = 3, .law = LAWS[l], .block_count = 1, .block_size = (int[]){3}, .A = ONE, .p = ONE};
        cairn_problem *alone = test_problem_from_dense(&dense);
        for (int k = 0; k < 2 * KIND_COUNT; ++k)
        {
            answer a = ask(k % 2 ? alone : &nothing, KINDS[k / 2], 0);
            assert_true(a.status == CAIRN_OK || (a.status == CAIRN_INVALID && k > 1));
            assert_true(a.status || a.report.outcome == CAIRN_SOLVED);
            assert_true(k > 1 || a.report.iterations == 0);
        }
        test_problem_destroy(alone);
    }
}

/* Numbers that are finite and absurd: whatever comes of them comes soon, and is certified. */
static void absurd_numbers(void **state)
{
    (void)state;
    cairn_problem *problem = test_problem_stack(2, LAWS[3], 0.5, 0.01, 0.0);
    struct
    {
        double *place, value;
    } cases[] = {{&problem->mu[0], 1e12}, {&problem->mu[0], 1e300},       {&problem->p[0], 1e150},
                 {&problem->p[0], 1e308}, {&problem->A.value[0], 1e-300}, {&problem->w[0], -1e200},
                 {&problem->w[0], 1e308}, {&problem->A.value[0], 1e300}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        double kept = *cases[i].place;
        *cases[i].place = cases[i].value;
        for (int k = 0; k < KIND_COUNT; ++k)
        {
            answer a = ask(problem, KINDS[k], 0);
            bool solved = !a.status && a.report.outcome == CAIRN_SOLVED;
            assert_true(!solved || a.report.certificate.relative <= 1e-9);
            assert_true(a.status || a.report.cause == CAIRN_CAUSE_UNKNOWN);
        }
        *cases[i].place = kept;
    }
    test_problem_destroy(problem);
}

/* Where the speed that the data promise overflows, nothing is small beside it. */
static void an_infinite_scale_certifies_nothing(void **state)
{
    (void)state;
    test_dense dense = {.dim = 2,
                        .law = LAWS[3],
                        .block_count = 1,
                        .block_size = (int[]){2},
                        .A = (double[]){1e-10, 0, 0, 1},
                        .p = (double[]){1e308, 0},
                        .contact_count = 1,
                        .H = (double[]){0, 1, 1, 0},
                        .mu = MU};
    cairn_problem *problem = test_problem_from_dense(&dense);
    cairn_solution zero = {.n = 2, .contact_rows = 2, .v = (double[2]){0}, .c = (double[1]){0}, .r = (double[2]){0}};
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(problem, &zero, &certificate), CAIRN_OK);
    assert_true(certificate.relative > 1.0);
    test_problem_destroy(problem);
}

/* A body between walls that close on it all round, under a law of many directions: 41 contacts, 2706 variables. What no law can
 * hold is soon known from the normals alone; without that proof pivoting tries one path after another. */
static void no_long_search_for_what_cannot_be(void **state)
{
    (void)state;
    enum
    {
        CONTACTS = 41
    };
    double A[36] = {0}, H[3 * CONTACTS * 6] = {0}, w[3 * CONTACTS] = {0}, mu[CONTACTS];
    test_random random = {7};
    for (int i = 0; i < 6; ++i)
        A[7 * i] = 1.0;
    for (int j = 0; j < CONTACTS; ++j)
    {
        double angle = 2.399963 * j; /* normals all round, arms at random */
        double n[3] = {cos(angle), sin(angle), j % 2 ? 0.3 : -0.3}, t[3] = {-sin(angle), cos(angle), 0.0};
        double arm[3] = {test_uniform(&random, -1, 1), test_uniform(&random, -1, 1), test_uniform(&random, -1, 1)};
        double o[3] = {-n[2] * t[1], n[2] * t[0], n[0] * t[1] - n[1] * t[0]};
        const double *direction[3] = {n, t, o};
        for (int k = 0; k < 3; ++k)
        {
            const double *d = direction[k];
            double *row = H + (3 * j + k) * 6;
            memcpy(row, d, 3 * sizeof(double));
            row[3] = arm[1] * d[2] - arm[2] * d[1];
            row[4] = arm[2] * d[0] - arm[0] * d[2];
            row[5] = arm[0] * d[1] - arm[1] * d[0];
        }
        w[3 * j] = -1.0;
        mu[j] = 0.5;
    }
    test_dense dense = {.dim = 3, .law = {CAIRN_LAW_PYRAMID, 64}, .block_count = 1, .block_size = (int[]){6}, .A = A};
    dense.contact_count = CONTACTS;
    dense.H = H;
    dense.w = w;
    dense.mu = mu;
    cairn_problem *problem = test_problem_from_dense(&dense);
    answer a = ask(problem, CAIRN_SOLVER_AUTO, 0);
    assert_int_equal(a.status, CAIRN_OK);
    assert_int_equal(a.report.outcome, CAIRN_FAILED);
    assert_int_equal(a.report.cause, CAIRN_CAUSE_CONTACTS);
    assert_true(a.report.fallbacks <= 2);
    print_message("%d iterations, %d fallbacks\n", a.report.iterations, a.report.fallbacks);
    test_problem_destroy(problem);
}

/* ------------------------------------------------------------------------------------------- not monotone */

enum
{
    FEW = 3 /* contacts */
};

/* Whether 0 <= M r + q _|_ r >= 0 has a solution: all 2^m choices of which r are 0, by Cramer's rule for up to three. */
static double determinant(int m, const double a[FEW][FEW])
{
    return m == 0   ? 1.0
           : m == 1 ? a[0][0]
           : m == 2
               ? a[0][0] * a[1][1] - a[0][1] * a[1][0]
               : a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                     a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

static bool basis_solves(int choice, const double M[FEW][FEW], const double q[FEW])
{
    int basic[FEW], m = 0;
    double r[FEW] = {0}, a[FEW][FEW];
    for (int i = 0; i < FEW; ++i)
    {
        basic[m] = i;
        m += choice >> i & 1;
    }
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
            a[i][j] = M[basic[i]][basic[j]];
    double whole = determinant(m, (const double(*)[FEW])a);
    for (int k = 0; k < m && whole != 0.0; ++k)
    {
        double b[FEW][FEW];
        memcpy(b, a, sizeof b);
        for (int i = 0; i < m; ++i)
            b[i][k] = -q[basic[i]];
        r[basic[k]] = determinant(m, (const double(*)[FEW])b) / whole;
    }
    bool solves = whole != 0.0;
    for (int i = 0; i < FEW; ++i)
    {
        double u = q[i] + M[i][0] * r[0] + M[i][1] * r[1] + M[i][2] * r[2];
        solves = solves && r[i] >= 0.0 && u >= -1e-12;
    }
    return solves;
}

static bool has_solution(const double M[FEW][FEW], const double q[FEW])
{
    bool found = false;
    for (int choice = 0; choice < 1 << FEW; ++choice)
        found = found || basis_solves(choice, M, q);
    return found;
}

/* Problems without bodies whose compliance is anything: a ray that pivoting ends in proves nothing there, and there is no A to
 * complain of. */
static void no_proof_where_compliance_is_not_monotone(void **state)
{
    (void)state;
    int solvable = 0;
    for (int trial = 0; trial < 150; ++trial)
    {
        test_random random = {(uint64_t)trial};
        double M[FEW][FEW], q[FEW], w[2 * FEW] = {0}, R[4 * FEW * FEW] = {0}, mu[FEW] = {0};
        for (int i = 0; i < FEW; ++i)
        {
            q[i] = w[2 * i] = test_uniform(&random, -1.0, 0.2);
            for (int j = 0; j < FEW; ++j)
                M[i][j] = R[(2 * i) * 2 * FEW + 2 * j] = test_uniform(&random, -1.0, 1.0);
            R[(2 * i + 1) * (2 * FEW + 1)] = 1.0;
        }
        test_dense dense = {.dim = 2, .law = LAWS[0], .contact_count = FEW, .w = w, .mu = mu, .R = R};
        cairn_problem *problem = test_problem_from_dense(&dense);
        bool solution = has_solution((const double(*)[FEW])M, q);
        solvable += solution;
        for (int k = 0; k < KIND_COUNT; ++k)
        {
            answer a = ask(problem, KINDS[k], 0);
            bool claims = !a.status && a.report.outcome == CAIRN_FAILED && a.report.cause == CAIRN_CAUSE_CONTACTS;
            assert_false(claims && solution);
            assert_null(strstr(a.message, "matrix A"));
        }
        test_problem_destroy(problem);
    }
    assert_true(solvable > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_hold_a_body_in_a_wall),
        cmocka_unit_test(walls_close_on_a_body),
        cmocka_unit_test(nothing_can_open_the_contact),
        cmocka_unit_test(joints_contradict),
        cmocka_unit_test(joints_forbid_to_lift_off),
        cmocka_unit_test(no_cause_is_invented),
        cmocka_unit_test(numbers_that_are_none),
        cmocka_unit_test(matrices_that_are_not_positive_definite),
        cmocka_unit_test(empty_problems),
        cmocka_unit_test(absurd_numbers),
        cmocka_unit_test(an_infinite_scale_certifies_nothing),
        cmocka_unit_test(no_long_search_for_what_cannot_be),
        cmocka_unit_test(no_proof_where_compliance_is_not_monotone),
    };
    return cmocka_run_group_tests_name("bad problems", tests, NULL, NULL);
}
