/* Bounded rows: every solver against enumeration, against each other under all laws, and against the joints and contacts that
 * they are in special cases. */
#include "support/check.h"
#include "support/problems/bounded_problem.h"
#include <cairn/cairn.h>

#include "solve/pivot/fixed_mode_solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    KINDS = 8,
    MOST_SOLUTIONS = 16
};
static const char *const NAMES[KINDS] = {"auto", "lemke",          "gauss-seidel", "apgd",
                                         "admm", "interior-point", "newton",       "smoothing"};

typedef struct bench
{
    cairn_context *context;
    cairn_solver *solver;
    cairn_solution solution;
    cairn_solver_report report;
    int asked[KINDS], solved[KINDS];
} bench;

static int set_up(void **state)
{
    bench *b = calloc(1, sizeof *b);
    b->context = cairn_context_create();
    b->solver = cairn_solver_create(b->context);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    bench *b = *state;
    cairn_solver_destroy(b->solver);
    cairn_context_destroy(b->context);
    free(b);
    return 0;
}

/* Solve; false where the kind refuses the law or did not come to the tolerance. The answer of one that did is checked by the
 * certificate and by the rows written out. */
static bool solve(bench *b, const cairn_problem *problem, cairn_solver_kind kind)
{
    cairn_solver_options options = cairn_solver_default();
    options.kind = kind;
    cairn_status status = cairn_solver_solve(b->solver, problem, &options, &b->solution, &b->report);
    if (status == CAIRN_INVALID)
        return false;
    assert_int_equal(status, CAIRN_OK);
    ++b->asked[kind];
    if (b->report.outcome != CAIRN_SOLVED)
        return false;
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(problem, &b->solution, &certificate), CAIRN_OK);
    assert_true(certificate.relative <= 1e-9);
    assert_true(test_row_error(problem, &b->solution) <= 1e-6 * (1.0 + certificate.scale));
    ++b->solved[kind];
    return true;
}

static void print_counts(const bench *b, const char *what)
{
    printf("%s:", what);
    for (int kind = 0; kind < KINDS; ++kind)
        printf("  %s %d of %d", NAMES[kind], b->solved[kind], b->asked[kind]);
    printf("\n");
}

static void clear_counts(bench *b)
{
    memset(b->asked, 0, sizeof b->asked);
    memset(b->solved, 0, sizeof b->solved);
}

static double apart(const double *a, const double *b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* ----------------------------------------------------------------------------------------------------- enumeration */

static test_recipe small_recipe(uint64_t seed, test_random *random)
{
    return (test_recipe){.dim = seed % 2 ? 3 : 2,
                         .law = {CAIRN_LAW_FRICTIONLESS, 0},
                         .bodies = test_integer(random, 1, 3),
                         .contacts = test_integer(random, 1, 5),
                         .joints = test_integer(random, 0, 3),
                         .mass_ratio = 10.0,
                         .skew = seed % 5 == 0 ? 0.2 : 0.0,
                         .coupled = seed % 3 == 0,
                         .gaps = true,
                         .redundant = seed % 4 == 1,
                         .compliant = seed % 7 == 2};
}

static void check_against_enumeration(bench *b, const cairn_problem *problem, uint64_t seed)
{
    double v[MOST_SOLUTIONS * 18];
    int count = test_enumerate(problem, v, MOST_SOLUTIONS);
    assert_true(count > 0);
    for (int kind = 0; kind < KINDS; ++kind)
    {
        if (!solve(b, problem, (cairn_solver_kind)kind))
            continue;
        double nearest = INFINITY;
        for (int k = 0; k < count; ++k)
            nearest = fmin(nearest, apart(v + k * problem->n, b->solution.v, problem->n));
        if (!(nearest <= 1e-6))
            fail_msg("seed %d: %s is %g from the nearest of %d solutions", (int)seed, NAMES[kind], nearest, count);
    }
}

static void enumerate(bench *b, int kinds, int count, const char *what)
{
    clear_counts(b);
    for (int seed = 0; seed < count; ++seed)
    {
        test_random random = {(uint64_t)seed + 77};
        test_recipe recipe = small_recipe((uint64_t)seed, &random);
        if (kinds > TEST_ROW_MULTIPLE)
        {
            /* where impulses are not unique neither are bounds that are multiples of them, nor velocities */
            recipe.redundant = false;
            recipe.bodies = 3;
            recipe.joints %= 2;
        }
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)seed);
        test_make_rows(problem, 0.8, kinds, (uint64_t)seed + 1);
        check_against_enumeration(b, problem, (uint64_t)seed);
        test_problem_destroy(problem);
    }
    print_counts(b, what);
    assert_int_equal(b->solved[CAIRN_SOLVER_AUTO], count);
    assert_int_equal(b->solved[CAIRN_SOLVER_LEMKE], count);
    for (int kind = 2; kind < KINDS; ++kind)
        assert_true(b->solved[kind] >= count * 9 / 10);
}

static int count_problems(void)
{
    return IS_SANITIZED ? 60 : getenv("CAIRN_LONG") ? 300 : 150;
}

static void test_constant_bounds(void **state)
{
    enumerate(*state, TEST_ROW_MULTIPLE, count_problems(), "constant bounds");
}

static void test_multiples(void **state)
{
    enumerate(*state, TEST_ROW_KINDS, count_problems(), "all bounds");
}

/* -------------------------------------------------------------------------------------------------------- all laws */

/* Laws whose velocities are unique are compared; of the exact ones each answer holds its own certificate. */
static void check_law(bench *b, cairn_law law, int dim, int kinds, bool unique)
{
    for (uint64_t seed = 0; seed < 40; ++seed)
    {
        test_recipe recipe = {.dim = dim,
                              .law = law,
                              .bodies = 4,
                              .contacts = 12,
                              .joints = (int)(seed % 4),
                              .mass_ratio = 10.0,
                              .mu = 0.4,
                              .gaps = true,
                              .redundant = seed % 3 == 0,
                              .compliant = seed % 5 == 4};
        cairn_problem *problem = test_problem_random(&recipe, seed);
        test_make_rows(problem, 0.5, kinds, seed + 1);
        problem->radius = law.kind == CAIRN_LAW_LAGGED ? calloc(12, sizeof(double)) : NULL;
        for (int j = 0; j < 12 && problem->radius; ++j)
            problem->radius[j] = 0.1 * (double)(j % 4);
        double first[24];
        assert_true(solve(b, problem, CAIRN_SOLVER_AUTO));
        memcpy(first, b->solution.v, (size_t)problem->n * sizeof(double));
        for (int kind = 1; kind < KINDS; ++kind)
            if (solve(b, problem, (cairn_solver_kind)kind) && unique)
                assert_near(apart(first, b->solution.v, problem->n), 0.0, 1e-6);
        free(problem->radius);
        test_problem_destroy(problem);
    }
}

static void test_laws(void **state)
{
    static const struct
    {
        cairn_law law;
        const char *name;
        bool convex;
    } LAWS[] = {{{CAIRN_LAW_FRICTIONLESS, 0}, "frictionless", true},
                {{CAIRN_LAW_PYRAMID, 6}, "pyramid(6)", false},
                {{CAIRN_LAW_BOX, 0}, "box", false},
                {{CAIRN_LAW_CONE, 0}, "cone", false},
                {{CAIRN_LAW_CONVEX_PYRAMID, 4}, "convex pyramid(4)", true},
                {{CAIRN_LAW_CONVEX_CONE, 0}, "convex cone", true},
                {{CAIRN_LAW_LAGGED, 0}, "lagged", true}};
    bench *b = *state;
    for (size_t i = 0; i < sizeof LAWS / sizeof LAWS[0]; ++i)
    {
        for (int dim = 2; dim <= 3; ++dim)
        {
            char what[64];
            snprintf(what, sizeof what, "%s in %d dimensions", LAWS[i].name, dim);
            clear_counts(b);
            check_law(b, LAWS[i].law, dim, TEST_ROW_MULTIPLE, LAWS[i].convex);
            check_law(b, LAWS[i].law, dim, TEST_ROW_KINDS, false);
            print_counts(b, what);
            for (int kind = 1; kind < KINDS; ++kind)
                assert_true(b->solved[kind] >= b->asked[kind] * 8 / 10);
        }
    }
}

/* -------------------------------------------------------------------------------------------------- special cases */

static const cairn_law FRICTIONLESS = {CAIRN_LAW_FRICTIONLESS, 0};

/* One block of 3 rows at rest but for p, with the given rows of H; a problem in the plane of `items` items. */
static cairn_problem *make_plane(cairn_law law, const double *p, int joints, const double *G, const double *b,
                                 int items, const double *H, const double *w, const double *mu)
{
    static const double A[36] = {2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0.5};
    static const int SIZES[2] = {3, 3};
    test_dense dense = {.dim = 2,
                        .law = law,
                        .block_count = 2,
                        .block_size = SIZES,
                        .A = A,
                        .p = p,
                        .joint_rows = joints,
                        .G = G,
                        .b = b,
                        .contact_count = items,
                        .H = H,
                        .w = w,
                        .mu = mu};
    return test_problem_from_dense(&dense);
}

/* An equation is a joint row: same velocities, same impulse. */
static void test_equation_is_a_joint(void **state)
{
    static const double p[6] = {1, -2, 0.5, -1, 1, 2};
    static const double G[12] = {1, 0, 0.3, -1, 0.2, 0, 0, 1, -0.5, 0.4, -1, 1};
    static const double bias[2] = {0.25, -0.5};
    static const double H[24] = {1, 0, 0.3, -1, 0.2, 0, 0, 0, 0, 0, 0, 0, 0, 1, -0.5, 0.4, -1, 1, 0, 0, 0, 0, 0, 0};
    static const double w[4] = {-0.25, 0, 0.5, 0};
    bench *b = *state;
    cairn_problem *joints = make_plane(FRICTIONLESS, p, 2, G, bias, 0, NULL, NULL, NULL);
    cairn_problem *rows = make_plane(FRICTIONLESS, p, 0, NULL, NULL, 2, H, w, NULL);
    test_make_row(rows, 0, -INFINITY, INFINITY, -1);
    test_make_row(rows, 1, -INFINITY, INFINITY, -1);
    assert_true(solve(b, joints, CAIRN_SOLVER_AUTO));
    double v[6], c[2];
    memcpy(v, b->solution.v, sizeof v);
    memcpy(c, b->solution.c, sizeof c);
    for (int kind = 0; kind < KINDS; ++kind)
    {
        assert_true(solve(b, rows, (cairn_solver_kind)kind));
        assert_near(apart(v, b->solution.v, 6), 0.0, 1e-8);
        assert_near(b->solution.r[0], c[0], 1e-8);
        assert_near(b->solution.r[2], c[1], 1e-8);
    }
    test_problem_destroy(joints);
    test_problem_destroy(rows);
}

/* 0 .. inf is a frictionless contact. */
static void test_limit_is_a_contact(void **state)
{
    bench *b = *state;
    for (uint64_t seed = 0; seed < 40; ++seed)
    {
        test_recipe recipe = {
            .dim = 3, .law = FRICTIONLESS, .bodies = 3, .contacts = 6, .mass_ratio = 4.0, .gaps = seed % 2};
        cairn_problem *contacts = test_problem_random(&recipe, seed);
        cairn_problem *rows = test_problem_random(&recipe, seed);
        for (int j = 0; j < 6; ++j)
        {
            contacts->mu[j] = 0.0;
            test_make_row(rows, j, 0.0, INFINITY, -1);
        }
        assert_true(solve(b, contacts, CAIRN_SOLVER_LEMKE));
        double v[18];
        memcpy(v, b->solution.v, sizeof v);
        for (int kind = 0; kind < KINDS; ++kind)
            if (solve(b, rows, (cairn_solver_kind)kind))
                assert_near(apart(v, b->solution.v, 18), 0.0, 1e-7);
        test_problem_destroy(contacts);
        test_problem_destroy(rows);
    }
}

/* A contact that presses and slides or sticks in the plane, and the same with its tangent as a row of its own: bounds -a .. a are
 * the lagged law, -mu f .. mu f Coulomb's. */
static void check_friction(bench *b, bool lagged, double push, double mu)
{
    double p[6] = {push, -3.0, 0.4, 0.2, -1.0, 0.0};
    static const double H[12] = {0, 1, 0.3, 0, -1, 0.1, 1, 0, 0.2, -1, 0, 0.4};
    static const double split[24] = {0, 1, 0.3, 0, -1, 0.1, 0, 0, 0, 0, 0, 0, 1, 0, 0.2, -1, 0, 0.4, 0, 0, 0, 0, 0, 0};
    double friction[1] = {lagged ? 0.0 : mu}, radius[1] = {mu};
    cairn_law law = {lagged ? CAIRN_LAW_LAGGED : CAIRN_LAW_BOX, 0};
    cairn_problem *contact = make_plane(law, p, 0, NULL, NULL, 1, H, NULL, friction);
    contact->radius = lagged ? radius : NULL;
    cairn_problem *rows = make_plane(FRICTIONLESS, p, 0, NULL, NULL, 2, split, NULL, NULL);
    test_make_row(rows, 1, -mu, mu, lagged ? -1 : 0);
    assert_true(solve(b, contact, CAIRN_SOLVER_AUTO));
    double v[6], r[2] = {b->solution.r[0], b->solution.r[1]};
    memcpy(v, b->solution.v, sizeof v);
    for (int kind = 0; kind < KINDS; ++kind)
    {
        assert_true(solve(b, rows, (cairn_solver_kind)kind));
        assert_near(apart(v, b->solution.v, 6), 0.0, 1e-7);
        assert_near(b->solution.r[0], r[0], 1e-7);
        assert_near(b->solution.r[2], r[1], 1e-7);
    }
    test_problem_destroy(contact);
    test_problem_destroy(rows);
}

static void test_friction(void **state)
{
    for (int i = -4; i <= 4; ++i)
    {
        check_friction(*state, true, 0.7 * i, 0.3);
        check_friction(*state, false, 0.7 * i, 0.4);
    }
}

/* ---------------------------------------------------------------------------------------------------------- forces */

/* Two motors that push the same way share a load by their weights as far as their bounds allow. */
static void test_least_norm(void **state)
{
    static const double p[6] = {-6.0, 0, 0, 0, 0, 0};
    static const double H[24] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const struct
    {
        double most, weight, first, second;
    } CASES[] = {{10.0, 1.0, 3.0, 3.0}, {10.0, 2.0, 4.0, 2.0}, {1.5, 1.0, 1.5, 4.5}, {6.0, 5.0, 5.0, 1.0}};
    bench *b = *state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        double weight[2] = {CASES[i].weight, 1.0};
        cairn_problem *problem = make_plane(FRICTIONLESS, p, 0, NULL, NULL, 2, H, NULL, NULL);
        problem->weight = weight;
        test_make_row(problem, 0, -CASES[i].most, CASES[i].most, -1);
        test_make_row(problem, 1, -10.0, 10.0, -1);
        for (int kind = 0; kind < KINDS; ++kind)
        {
            assert_true(solve(b, problem, (cairn_solver_kind)kind));
            assert_true(b->report.chosen_forces && b->report.null_space == 1);
            assert_near(b->solution.r[0], CASES[i].first, 1e-8);
            assert_near(b->solution.r[2], CASES[i].second, 1e-8);
        }
        test_problem_destroy(problem);
    }
}

/* --------------------------------------------------------------------------------------------------- bad problems */

static void check_refused(bench *b, const cairn_problem *problem, cairn_status expected, const char *sentence)
{
    cairn_solver_options options = cairn_solver_default();
    assert_int_equal(cairn_solver_solve(b->solver, problem, &options, &b->solution, &b->report), expected);
    const char *said = cairn_context_last_message(b->context);
    if (!strstr(said, sentence))
        fail_msg("\"%s\" does not say \"%s\"", said, sentence);
    assert_false(cairn_problem_is_valid(NULL, problem));
}

static void test_refused(void **state)
{
    static const double p[6] = {1, -2, 0.5, -1, 1, 2};
    static const double H[36] = {0, 1, 0.3, 0, -1, 0.1, 1, 0, 0.2, -1, 0, 0.4, 0, 1, 0, 0, 0, 0,
                                 0, 0, 0,   0, 0,  0,   1, 0, 0,   0,  0, 0,   0, 0, 0, 0, 0, 0};
    static const struct
    {
        cairn_bound bound;
        cairn_status status;
        const char *sentence;
    } CASES[] = {
        {{true, -1, 2.0, 1.0}, CAIRN_INVALID, "bounded row 1: lo = 2 is above hi = 1"},
        {{true, -1, NAN, 1.0}, CAIRN_NUMERIC, "bounded row 1: lo is not a number"},
        {{true, -1, 0.0, NAN}, CAIRN_NUMERIC, "bounded row 1: hi is not a number"},
        {{true, -1, INFINITY, INFINITY}, CAIRN_INVALID, "no impulse lies between"},
        {{true, -1, -INFINITY, -INFINITY}, CAIRN_INVALID, "no impulse lies between"},
        {{true, 3, -1.0, 1.0}, CAIRN_INVALID, "refer to item 3; there are 3 items"},
        {{true, -2, -1.0, 1.0}, CAIRN_INVALID, "refer to item -2"},
        {{true, 1, 0.0, 1.0}, CAIRN_INVALID, "refer to the row itself"},
        {{true, 2, -1.0, 1.0}, CAIRN_INVALID, "bounded row 2, whose impulse can be negative (lo = -1)"},
        {{true, 0, 0.5, 1.0}, CAIRN_INVALID, "but 0 is not between lo = 0.5 and hi = 1"},
    };
    bench *b = *state;
    double w[6] = {0};
    cairn_problem *problem = make_plane(FRICTIONLESS, p, 0, NULL, NULL, 3, H, w, NULL);
    test_make_row(problem, 1, -1.0, 1.0, -1);
    test_make_row(problem, 2, -1.0, 1.0, -1);
    assert_true(solve(b, problem, CAIRN_SOLVER_AUTO));
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        problem->bound[1] = CASES[i].bound;
        check_refused(b, problem, CASES[i].status, CASES[i].sentence);
    }
    problem->bound[1] = (cairn_bound){true, 2, 0.0, 1.0};
    problem->bound[2] = (cairn_bound){true, 1, 0.0, 1.0};
    check_refused(b, problem, CAIRN_INVALID, "refer back to it through others");
    problem->bound[2] = (cairn_bound){true, 0, 0.0, 1.0};
    assert_true(solve(b, problem, CAIRN_SOLVER_AUTO)); /* a chain that ends */
    problem->mu[1] = 0.5;
    check_refused(b, problem, CAIRN_INVALID, "bounded row 1: mu is 0.5");
    problem->mu[1] = 0.0;
    problem->w[3] = 0.5;
    check_refused(b, problem, CAIRN_INVALID, "w has the entry 0.5 in row 1");
    problem->w[3] = 0.0;
    problem->H.value[problem->H.value_start[problem->H.entry_start[1]] + 4] = 0.25;
    check_refused(b, problem, CAIRN_INVALID, "row 1 of its item in H has the entry 0.25");
    test_problem_destroy(problem);
}

/* A joint holds the body, an equation asks it to move: the row is named. With bounds the same row is a motor that cannot. */
static void test_cause(void **state)
{
    static const double p[6] = {1, 0, 0, 0, 0, 0};
    static const double G[6] = {1, 0, 0, 0, 0, 0};
    static const double H[24] = {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const double w[4] = {0, 0, -1, 0};
    bench *b = *state;
    cairn_problem *problem = make_plane(FRICTIONLESS, p, 1, G, NULL, 2, H, w, NULL);
    test_make_row(problem, 1, -INFINITY, INFINITY, -1);
    assert_false(solve(b, problem, CAIRN_SOLVER_AUTO));
    assert_int_equal(b->report.outcome, CAIRN_FAILED);
    assert_int_equal(b->report.cause, CAIRN_CAUSE_BOUNDS);
    assert_int_equal(b->report.culprit, 1);
    test_make_row(problem, 1, -3.0, 5.0, -1);
    assert_true(solve(b, problem, CAIRN_SOLVER_AUTO));
    assert_near(b->solution.r[2], 5.0, 1e-12);
    assert_near(b->solution.v[0], 0.0, 1e-12);
    test_problem_destroy(problem);
}

/* ----------------------------------------------------------------------------------------------- islands, threads */

static void check_threads(bench *b, const cairn_problem *problem, cairn_solver_kind kind)
{
    cairn_solver_options options = cairn_solver_default();
    options.kind = kind;
    cairn_solver *other = cairn_solver_create(b->context);
    cairn_solution many;
    cairn_solver_report report;
    assert_true(solve(b, problem, kind));
    for (options.threads = 2; options.threads <= 4; ++options.threads)
    {
        assert_int_equal(cairn_solver_solve(other, problem, &options, &many, &report), CAIRN_OK);
        assert_memory_equal(many.v, b->solution.v, (size_t)problem->n * sizeof(double));
        assert_memory_equal(many.r, b->solution.r, (size_t)many.contact_rows * sizeof(double));
    }
    cairn_solver_destroy(other);
}

static void test_threads(void **state)
{
    bench *b = *state;
    int islands = 0;
    for (uint64_t seed = 0; seed < 30; ++seed)
    {
        test_recipe recipe = {.dim = 3,
                              .law = {seed % 2 ? CAIRN_LAW_CONE : CAIRN_LAW_FRICTIONLESS, 0},
                              .bodies = 24,
                              .contacts = 20,
                              .mass_ratio = 10.0,
                              .mu = 0.5,
                              .gaps = true};
        cairn_problem *problem = test_problem_random(&recipe, seed);
        test_make_rows(problem, 0.7, TEST_ROW_KINDS, seed);
        check_threads(b, problem, CAIRN_SOLVER_AUTO);
        islands += b->report.islands;
        test_problem_destroy(problem);
    }
    assert_true(islands > 60);
}

/* The bounds of a brake on one body are multiples of the load on another, which nothing else couples. */
static void test_multiples_couple_islands(void **state)
{
    static const double p[6] = {0, -4.0, 0, 5.0, 0, 0};
    static const double H[24] = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    bench *b = *state;
    cairn_problem *problem = make_plane(FRICTIONLESS, p, 0, NULL, NULL, 2, H, NULL, NULL);
    test_make_row(problem, 1, -0.25, 0.25, 0);
    for (int kind = 0; kind < KINDS; ++kind)
    {
        assert_true(solve(b, problem, (cairn_solver_kind)kind));
        assert_int_equal(b->report.islands, 1);
        assert_int_equal(b->report.largest_island, 1); /* contact: the brake is none */
        assert_near(b->solution.r[0], 4.0, 1e-8);
        assert_near(b->solution.r[2], -1.0, 1e-8); /* of the 5 N s that would stop it */
        assert_near(b->solution.v[3], 4.0 / 3.0, 1e-8);
    }
    problem->bound[1].by = -1;
    assert_true(solve(b, problem, CAIRN_SOLVER_AUTO));
    assert_int_equal(b->report.islands, 2);
    assert_near(b->solution.r[2], -0.25, 1e-12);
    test_problem_destroy(problem);
}

/* Points in the plane, each against the next: a stop along x, a brake along y that the stop's load works, and a motor to the
 * ground along y. Loads are unique, and so are the velocities. */
static cairn_problem *make_chain(int count)
{
    cairn_problem *problem = calloc(1, sizeof *problem);
    size_t blocks = (size_t)count, items = 3 * blocks;
    problem->dim = 2;
    problem->block_count = problem->A.block_count = count;
    problem->n = 2 * count;
    problem->block_start = calloc(blocks + 1, sizeof(int));
    problem->A.row_start = calloc(blocks + 1, sizeof(int));
    problem->A.column = calloc(blocks, sizeof(int));
    problem->A.value_start = calloc(blocks + 1, sizeof(int));
    problem->A.value = calloc(4 * blocks, sizeof(double));
    problem->p = calloc(2 * blocks, sizeof(double));
    for (int i = 0; i < count; ++i)
    {
        problem->block_start[i + 1] = 2 * (i + 1);
        problem->A.row_start[i + 1] = i + 1;
        problem->A.value_start[i + 1] = 4 * (i + 1);
        problem->A.column[i] = i;
        problem->A.value[4 * i] = problem->A.value[4 * i + 3] = 1.0 + i % 3;
        problem->p[2 * i] = sin(0.1 * i) - 0.3;
        problem->p[2 * i + 1] = cos(0.3 * i);
    }
    problem->A.block_start = problem->block_start;
    problem->contact_count = problem->H.item_count = 3 * count;
    problem->H.row_start = calloc(items + 1, sizeof(int));
    problem->H.entry_start = calloc(items + 1, sizeof(int));
    problem->H.block = calloc(2 * items, sizeof(int));
    problem->H.value_start = calloc(2 * items + 1, sizeof(int));
    problem->H.value = calloc(8 * items, sizeof(double));
    problem->w = calloc(2 * items, sizeof(double));
    problem->mu = calloc(items, sizeof(double));
    problem->identity = calloc(items, sizeof(uint64_t));
    for (int j = 0, e = 0; j < 3 * count; ++j)
    {
        bool grounded = j % 3 == 2 || j / 3 + 1 == count || j % 18 == 15; /* every sixth stop, so that sweeps do well */
        int entries = grounded ? 1 : 2;
        for (int k = 0; k < entries; ++k, ++e)
        {
            problem->H.block[e] = j / 3 + k;
            problem->H.value[4 * e + (j % 3 > 0)] = k == 0 ? 1.0 : -1.0;
            problem->H.value_start[e + 1] = 4 * (e + 1);
        }
        problem->H.row_start[j + 1] = 2 * (j + 1);
        problem->H.entry_start[j + 1] = e;
    }
    for (int i = 0; i < count; ++i)
    {
        test_make_row(problem, 3 * i, 0.0, INFINITY, -1);
        test_make_row(problem, 3 * i + 1, -0.3, 0.3, 3 * i);
        test_make_row(problem, 3 * i + 2, -0.1, 0.1, -1);
    }
    return problem;
}

/* Enough of them for sweeps by threads in an order of their own. */
static void test_large(void **state)
{
    bench *b = *state;
    cairn_problem *problem = make_chain(1200);
    double *v = calloc((size_t)problem->n, sizeof(double));
    check_threads(b, problem, CAIRN_SOLVER_GAUSS_SEIDEL);
    memcpy(v, b->solution.v, (size_t)problem->n * sizeof(double));
    for (int kind = 0; kind < KINDS; ++kind)
    {
        if (kind == CAIRN_SOLVER_LEMKE)
            continue; /* a dense matrix */
        assert_true(solve(b, problem, (cairn_solver_kind)kind));
        assert_near(apart(v, b->solution.v, problem->n), 0.0, 1e-6);
    }
    free(v);
    test_problem_destroy(problem);
}

/* ----------------------------------------------------------------------------------------------------- fixed modes */

static crn_mode mode_of(const cairn_problem *problem, const cairn_solution *solution, int j)
{
    double z = solution->r[j * problem->dim];
    if (!(problem->bound && problem->bound[j].is_row))
        return z > 1e-9 ? CRN_MODE_SLIP : CRN_MODE_OPEN;
    int by = problem->bound[j].by;
    double f = by >= 0 ? solution->r[by * problem->dim] : 1.0;
    bool lo = isfinite(problem->bound[j].lo) && fabs(z - problem->bound[j].lo * f) < 1e-9;
    bool hi = isfinite(problem->bound[j].hi) && fabs(z - problem->bound[j].hi * f) < 1e-9;
    return lo ? CRN_MODE_AT_LO : hi ? CRN_MODE_AT_HI : CRN_MODE_BETWEEN;
}

/* With every alternative fixed as the solution has it, one linear system gives the solution. */
static void test_fixed_modes(void **state)
{
    bench *b = *state;
    int compared = 0;
    for (int seed = 0; seed < 100; ++seed)
    {
        test_random random = {(uint64_t)seed + 5};
        test_recipe recipe = small_recipe((uint64_t)seed, &random);
        recipe.redundant = false;
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)seed);
        test_make_rows(problem, 0.8, TEST_ROW_KINDS, (uint64_t)seed);
        assert_true(solve(b, problem, CAIRN_SOLVER_LEMKE));
        crn_hold hold[TEST_MOST_ITEMS] = {{CRN_MODE_OPEN, {0.0, 0.0}}};
        double v[18];
        bool regular = false;
        memcpy(v, b->solution.v, (size_t)problem->n * sizeof(double));
        for (int j = 0; j < problem->contact_count; ++j)
            hold[j].mode = mode_of(problem, &b->solution, j);
        assert_int_equal(crn_solver_hold(b->solver, problem, hold, &b->solution, &regular), CAIRN_OK);
        if (regular)
            assert_near(apart(v, b->solution.v, problem->n), 0.0, 1e-7);
        compared += regular;
        test_problem_destroy(problem);
    }
    assert_true(compared > 60);
}

/* ------------------------------------------------------------------------------------------------------ certificate */

/* A body of mass 2 with a motor: the natural map of any z by hand. */
static void test_certificate(void **state)
{
    static const double p[6] = {4.0, 0, 0, 0, 0, 0};
    static const double H[12] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const double w[2] = {-5.0, 0.0};
    static const struct
    {
        double z, across, map, outside;
    } CASES[] = {
        {1.0, 0.0, 0.0, 0.0},  /* s = (4 + 1) / 2 - 5 < 0: at hi, as it should be */
        {0.5, 0.0, 0.25, 0.0}, /* 0.5 N s short of hi, mass 2 */
        {2.0, 0.0, 0.5, 1.0},  /* beyond it */
        {-3.0, 0.0, 2.0, 2.0}, /* beyond the other */
        {1.0, 0.3, 0.15, 0.3}, /* an impulse where there is no row */
    };
    (void)state;
    cairn_problem *problem = make_plane(FRICTIONLESS, p, 0, NULL, NULL, 1, H, w, NULL);
    test_make_row(problem, 0, -1.0, 1.0, -1);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        double v[6] = {(4.0 + CASES[i].z) / 2.0, 0, 0, 0, 0, 0}, r[2] = {CASES[i].z, CASES[i].across};
        cairn_solution solution = {.n = 6, .contact_rows = 2, .v = v, .r = r};
        cairn_certificate certificate;
        assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
        assert_near(certificate.natural_map, CASES[i].map, 1e-12);
        assert_near(certificate.impulse_outside, CASES[i].outside, 1e-12);
        /* |H x| = 2, and of the 5 m/s no more than 2 and what 1 N s brings about */
        assert_near(certificate.scale, 2.0 + 2.5, 1e-12);
    }
    test_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_constant_bounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_multiples, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_laws, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_equation_is_a_joint, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_limit_is_a_contact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_friction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_least_norm, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cause, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_multiples_couple_islands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fixed_modes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_certificate, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
