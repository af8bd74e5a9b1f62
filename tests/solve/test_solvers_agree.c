/* Solvers that share no code, asked through the public interface, agree: with Lemke's method on polyhedral laws, and with one
 * another on the circular cones. Velocities are compared, and impulses where they are unique: where no row of H depends
 * on others. */
#include "support/check.h"
#include "support/problems/dense.h"
#include "support/problems/random_problem.h"
#include <cairn/cairn.h>

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

static const cairn_solver_kind KINDS[] = {CAIRN_SOLVER_AUTO, CAIRN_SOLVER_LEMKE,          CAIRN_SOLVER_GAUSS_SEIDEL,
                                          CAIRN_SOLVER_APGD, CAIRN_SOLVER_INTERIOR_POINT, CAIRN_SOLVER_ADMM};
enum
{
    KIND_COUNT = sizeof KINDS / sizeof KINDS[0]
};

typedef struct bench
{
    cairn_context *context;
    cairn_solver *solver[KIND_COUNT];
    int asked[KIND_COUNT], compared[KIND_COUNT];
    int impulses;             /* how often impulses were compared */
    double mass;              /* largest of the problem */
    double apart[KIND_COUNT]; /* largest difference of a velocity, as a share of the scale */
} bench;

static int set_up(void **state)
{
    bench *b = calloc(1, sizeof *b);
    b->context = cairn_context_create();
    for (int k = 0; k < KIND_COUNT; ++k)
        b->solver[k] = cairn_solver_create(b->context);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    bench *b = *state;
    for (int k = 0; k < KIND_COUNT; ++k)
        cairn_solver_destroy(b->solver[k]);
    cairn_context_destroy(b->context);
    free(b);
    return 0;
}

static double largest_difference(const double *a, const double *b, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* Whether the rows of H are independent, by their singular values. */
static bool has_unique_impulses(const cairn_problem *problem)
{
    int rows = problem->dim * problem->contact_count;
    if (problem->joint_rows > 0 || rows > problem->n)
        return false;
    double *H = dense_rows(problem, &problem->H, rows);
    double *sigma = calloc((size_t)rows, sizeof(double));
    double *rest = calloc((size_t)rows, sizeof(double));
    assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', rows, problem->n, H, problem->n, sigma, NULL, rows,
                                    NULL, problem->n, rest),
                     0);
    bool unique = sigma[rows - 1] > 1e-2 * sigma[0];
    free(H);
    free(sigma);
    free(rest);
    return unique;
}

static void compare_answers(bench *b, int k, const cairn_solution *first, const cairn_solution *found, double scale,
                            bool impulses)
{
    double apart = largest_difference(first->v, found->v, found->n) / scale;
    if (apart > 1e-8)
        fail_msg("%s: velocities are %g off", cairn_solver_kind_name(KINDS[k]), apart);
    b->apart[k] = fmax(b->apart[k], apart);
    ++b->compared[k];
    if (impulses)
    {
        /* masses are between 1 and the ratio of the recipe, velocities of the order of the scale */
        assert_true(largest_difference(first->r, found->r, found->contact_rows) <= 1e-8 * scale * b->mass);
        ++b->impulses;
    }
}

/* Every solver that takes the law solves the problem, and the answers are one answer. */
static void compare(bench *b, const cairn_problem *problem, bool impulses)
{
    cairn_solution first = {0};
    for (int k = 0; k < KIND_COUNT; ++k)
    {
        cairn_solver_options options = {.struct_size = sizeof options, .kind = KINDS[k], .tolerance = 1e-11};
        cairn_solver_report report;
        cairn_solution solution;
        cairn_status status = cairn_solver_solve(b->solver[k], problem, &options, &solution, &report);
        if (status == CAIRN_INVALID && k > 0) /* not a law of this solver */
        {
            cairn_context_clear(b->context);
            continue;
        }
        assert_int_equal(status, CAIRN_OK);
        ++b->asked[k];
        if (report.outcome != CAIRN_SOLVED)
        {
            print_message("%s: certificate %.1e\n", cairn_solver_kind_name(KINDS[k]), report.certificate.relative);
        }
        else if (!first.v)
        {
            first = solution;
            ++b->compared[k];
        }
        else
        {
            compare_answers(b, k, &first, &solution, report.certificate.scale, impulses);
        }
    }
}

static test_recipe random_recipe(int trial, cairn_law law)
{
    test_random random = {(uint64_t)trial * 977u + 11u};
    return (test_recipe){.dim = trial % 3 ? 3 : 2,
                         .law = law,
                         .bodies = test_integer(&random, 2, 6),
                         .contacts = test_integer(&random, 1, 10),
                         .joints = trial % 4 ? 0 : 3,
                         .mass_ratio = 10.0,
                         .mu = test_uniform(&random, 0.1, 1.0),
                         .coupled = trial % 7 == 0,
                         .gaps = trial % 2 == 0,
                         .redundant = trial % 5 == 1};
}

/* `missing`: how many of a hundred a solver may miss. */
static void compare_all(bench *b, cairn_law law, double mu, uint64_t seed, int missing)
{
    memset(b->asked, 0, sizeof b->asked);
    memset(b->compared, 0, sizeof b->compared);
    memset(b->apart, 0, sizeof b->apart);
    b->impulses = 0;
    for (int trial = 0; trial < 100; ++trial)
    {
        test_recipe recipe = random_recipe(trial, law);
        recipe.mu = mu > 0.0 ? mu : recipe.mu;
        recipe.redundant = recipe.redundant && mu == 0.0;
        b->mass = recipe.mass_ratio;
        cairn_problem *problem = test_problem_random(&recipe, seed + (uint64_t)trial);
        compare(b, problem, has_unique_impulses(problem));
        test_problem_destroy(problem);
    }
    for (int k = 0; k < KIND_COUNT; ++k)
    {
        print_message("%14s: %3d of %3d, %.0e apart\n", cairn_solver_kind_name(KINDS[k]), b->compared[k], b->asked[k],
                      b->apart[k]);
        assert_true(b->compared[k] >= b->asked[k] - missing);
    }
    assert_true(b->impulses > 30);
}

/* Laws that are convex programs: the velocity is unique, whatever the contacts. */
static void frictionless(void **state)
{
    compare_all(*state, (cairn_law){CAIRN_LAW_FRICTIONLESS, 0}, 0.0, 100, 0);
}

static void convex_pyramid(void **state)
{
    compare_all(*state, (cairn_law){CAIRN_LAW_CONVEX_PYRAMID, 6}, 0.0, 200, 0);
}

static void convex_cone(void **state)
{
    compare_all(*state, (cairn_law){CAIRN_LAW_CONVEX_CONE, 0}, 0.0, 300, 0);
}

/* Exact laws: unique for small friction and independent contacts. (Two contacts in one place with different coefficients
 * share the normal impulse as they like, and friction goes with it.) No method has a proof, so that some may be missed; what
 * is claimed must agree. */
static void cone(void **state)
{
    compare_all(*state, (cairn_law){CAIRN_LAW_CONE, 0}, 0.3, 400, 2);
}

static void pyramid(void **state)
{
    compare_all(*state, (cairn_law){CAIRN_LAW_PYRAMID, 6}, 0.3, 500, 2);
}

static void box(void **state)
{
    compare_all(*state, (cairn_law){CAIRN_LAW_BOX, 0}, 0.3, 600, 2);
}

/* Whatever the tolerance was, v is the velocity that the impulses make: A v = p + H'r, solved densely. */
static void velocities_belong_to_impulses(void **state)
{
    bench *b = *state;
    static const cairn_solver_kind CARRY[] = {CAIRN_SOLVER_INTERIOR_POINT, CAIRN_SOLVER_NEWTON, CAIRN_SOLVER_SMOOTHING};
    test_recipe recipe = {
        .dim = 3, .law = {CAIRN_LAW_CONE, 0}, .bodies = 4, .contacts = 8, .mass_ratio = 100, .mu = 0.5};
    recipe.coupled = true;
    for (int trial = 0; trial < 60; ++trial)
    {
        cairn_problem *problem = test_problem_random(&recipe, 3000 + (uint64_t)trial);
        cairn_solver_options options = cairn_solver_default();
        options.kind = CARRY[trial % 3];
        options.tolerance = 1e-3; /* rough, and still they belong together */
        cairn_solution solution;
        cairn_solver_report report;
        assert_int_equal(cairn_solver_solve(b->solver[0], problem, &options, &solution, &report), CAIRN_OK);
        int n = problem->n, rows = 3 * problem->contact_count;
        double *A = dense_matrix(problem), *H = dense_rows(problem, &problem->H, rows);
        double *x = calloc((size_t)n, sizeof(double));
        int *order = calloc((size_t)n, sizeof(int));
        for (int i = 0; i < n; ++i)
        {
            x[i] = problem->p[i];
            for (int j = 0; j < rows; ++j)
                x[i] += H[j * n + i] * solution.r[j];
        }
        assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, A, n, order, x, 1), 0);
        assert_near(largest_difference(x, solution.v, n), 0.0, 1e-11 * report.certificate.scale);
        free(A);
        free(H);
        free(x);
        free(order);
        test_problem_destroy(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frictionless),
        cmocka_unit_test(convex_pyramid),
        cmocka_unit_test(convex_cone),
        cmocka_unit_test(cone),
        cmocka_unit_test(pyramid),
        cmocka_unit_test(box),
        cmocka_unit_test(velocities_belong_to_impulses),
    };
    return cmocka_run_group_tests_name("solvers agree", tests, set_up, tear_down);
}
