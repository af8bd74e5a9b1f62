/* The interior point method: its cones against their definitions, and its solutions against the laws' own words, the
 * certificate, and lemke on polyhedral laws that are near or the same. */
#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solve/auto/method.h"
#include "solve/newton/interior_point.h"
#include "support/check.h"
#include "support/problems/fclib.h"
#include "support/problems/random_problem.h"

static const crn_method *method = &crn_method_interior_point;

typedef struct answer
{
    cairn_solution solution;
    crn_method_report report;
    cairn_certificate certificate;
} answer;

static answer answer_create(const cairn_problem *problem)
{
    answer a = {.solution = {.n = problem->n,
                             .joint_rows = problem->joint_rows,
                             .contact_rows = problem->dim * problem->contact_count}};
    a.solution.v = calloc((size_t)a.solution.n + 1, sizeof(double));
    a.solution.c = calloc((size_t)a.solution.joint_rows + 1, sizeof(double));
    a.solution.r = calloc((size_t)a.solution.contact_rows + 1, sizeof(double));
    return a;
}

static void answer_destroy(answer *a)
{
    free(a->solution.v);
    free(a->solution.c);
    free(a->solution.r);
}

static answer solve_with(void *workspace, const cairn_problem *problem, double tolerance)
{
    answer a = answer_create(problem);
    crn_method_options options = {.tolerance = tolerance};
    assert_true(method->can_solve(problem));
    assert_int_equal(method->solve(workspace, NULL, problem, &options, &a.solution, &a.report), CAIRN_OK);
    assert_int_equal(cairn_certify(problem, &a.solution, &a.certificate), CAIRN_OK);
    return a;
}

static answer solve(const cairn_problem *problem, double tolerance)
{
    void *workspace = method->create();
    assert_non_null(workspace);
    answer a = solve_with(workspace, problem, tolerance);
    method->destroy(workspace);
    return a;
}

/* The velocities by lemke, under another law. */
static void solve_by_lemke(const cairn_problem *problem, cairn_law law, double *v)
{
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    cairn_solver_options options = cairn_solver_default();
    cairn_problem other = *problem;
    cairn_solution solution;
    cairn_solver_report report;
    other.law = law;
    options.kind = CAIRN_SOLVER_LEMKE;
    assert_int_equal(cairn_solver_solve(solver, &other, &options, &solution, &report), CAIRN_OK);
    assert_int_equal(report.outcome, CAIRN_SOLVED);
    memcpy(v, solution.v, (size_t)problem->n * sizeof(double));
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
}

static double distance(const double *a, const double *b, int count)
{
    double worst = 0.0;
    for (int i = 0; i < count; ++i)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

/* A point inside the cone of `size` rows, near its boundary for a small `margin`. */
static void point_inside(test_random *random, int size, double margin, double *x)
{
    double tail = 0.0;
    for (int i = 1; i < size; ++i)
    {
        x[i] = test_uniform(random, -1.0, 1.0);
        tail += x[i] * x[i];
    }
    x[0] = sqrt(tail) + margin;
}

/* W W x = y, Theta x = y, Theta^-1 y = x, V'V = Theta^-1, lambda o (d / lambda) = d. */
static void scaling_does_what_it_promises(void **state)
{
    (void)state;
    test_random random = {7};
    for (int trial = 0; trial < 300; ++trial)
    {
        int size = 1 + trial % 3;
        double margin = pow(10.0, test_uniform(&random, -3.0, 1.0));
        double x[3], y[3], lambda[3], again[3];
        long double theta[3], inverse[3];
        crn_ip_scaling scaling;
        point_inside(&random, size, margin, x);
        point_inside(&random, size, 0.1, y);
        assert_true(crn_ip_scale(&scaling, size, x, y));
        crn_ip_scaling_apply(&scaling, x, lambda);
        crn_ip_scaling_apply(&scaling, lambda, again);
        crn_ip_scaling_theta(&scaling, 1, x, theta);
        crn_ip_scaling_theta(&scaling, -1, y, inverse);
        double root[3];
        memcpy(root, y, sizeof root);
        crn_ip_scaling_root(&scaling, root, 1);
        double square = 0.0;
        double product = 0.0;
        for (int i = 0; i < size; ++i)
        {
            assert_near(again[i], y[i], 1e-9 * y[0]);
            assert_near((double)theta[i], y[i], 1e-9 * y[0]);
            assert_near((double)inverse[i], x[i], 1e-9 * x[0]);
            square += root[i] * root[i];
            product += x[i] * y[i];
        }
        assert_near(square, product, 1e-9 * product); /* y'Theta^-1 y = y'x */
        double d[3] = {1.0, -0.5, 0.25};
        double quotient[3];
        crn_ip_divide(&scaling, d, quotient);
        crn_ip_product(size, scaling.lambda, quotient, again);
        for (int i = 0; i < size; ++i)
            assert_near(again[i], d[i], 1e-9 * (1.0 + fabs(quotient[0]) * lambda[0]));
    }
}

/* At the reach the determinant vanishes, or the whole step stays inside. */
static void reach_ends_on_the_boundary(void **state)
{
    (void)state;
    test_random random = {8};
    int on_boundary = 0;
    for (int trial = 0; trial < 300; ++trial)
    {
        int size = 1 + trial % 3;
        double x[3], y[3], d[3], end[3];
        crn_ip_scaling scaling;
        point_inside(&random, size, 0.3, x);
        point_inside(&random, size, 0.3, y);
        assert_true(crn_ip_scale(&scaling, size, x, y));
        for (int i = 0; i < size; ++i)
            d[i] = test_uniform(&random, -3.0, 3.0);
        double reach = crn_ip_reach(&scaling, d);
        for (int i = 0; i < size; ++i)
            end[i] = scaling.lambda[i] + reach * d[i];
        double determinant = crn_ip_determinant(size, end);
        assert_true(end[0] > -1e-12 && determinant > -1e-10);
        if (reach < 1.0)
        {
            assert_near(determinant, 0.0, 1e-10 * (1.0 + end[0] * end[0]));
            ++on_boundary;
        }
    }
    assert_true(on_boundary > 100);
}

/* The nearest point p of a convex cone: p in K, z - p in the polar cone, p'(z - p) = 0 (Moreau). */
static void projection_splits_orthogonally(void **state)
{
    (void)state;
    test_random random = {9};
    for (int trial = 0; trial < 300; ++trial)
    {
        int size = 2 + trial % 2;
        double mu = test_uniform(&random, 0.05, 2.0);
        double z[3] = {test_uniform(&random, -1, 1), test_uniform(&random, -1, 1), test_uniform(&random, -1, 1)};
        double p[3] = {0, 0, 0};
        double rest[3] = {0, 0, 0};
        double inner = 0.0;
        crn_ip_project(size, mu, z, p);
        for (int i = 0; i < size; ++i)
        {
            rest[i] = z[i] - p[i];
            inner += p[i] * rest[i];
        }
        double p_t = crn_ip_slip(size, p);
        double rest_t = crn_ip_slip(size, rest);
        assert_true(p_t <= mu * p[0] + 1e-14);
        assert_true(-rest[0] >= mu * rest_t - 1e-14);
        assert_near(inner, 0.0, 1e-14);
    }
}

static test_recipe recipe_of(int trial, cairn_law_kind kind)
{
    return (test_recipe){.dim = trial % 2 ? 2 : 3,
                         .law = {kind, 0},
                         .bodies = 2 + trial % 7,
                         .contacts = 3 + trial % 17,
                         .joints = trial % 3 == 0 ? 3 : 0,
                         .mass_ratio = trial % 4 == 3 ? 1e6 : 10.0,
                         .mu = trial % 5 == 4 ? 2.0 : 0.8,
                         .skew = trial % 3 == 1 ? 0.5 : 0.0,
                         .coupled = trial % 4 == 1,
                         .gaps = trial % 2 == 1,
                         .redundant = trial % 3 != 0,
                         .compliant = trial % 6 == 5};
}

/* Random problems of every kind: each reaches the certificate that was asked for. Contacts without friction are among
 * them (a tenth of the coefficients is 0). */
static void solves_random_problems(void **state)
{
    cairn_law_kind kind = *(cairn_law_kind *)*state;
    double worst = 0.0;
    int most = 0;
    for (int trial = 0; trial < 240; ++trial)
    {
        test_recipe recipe = recipe_of(trial, kind);
        /* No theorem promises that the way to Coulomb's law ends: coefficients of an everyday size. */
        recipe.mu = kind == CAIRN_LAW_CONE ? 0.8 : recipe.mu;
        cairn_problem *problem = test_problem_random(&recipe, 4000 + (uint64_t)trial);
        answer a = solve(problem, 1e-10);
        if (!(a.certificate.relative <= 3e-10))
        {
            fail_msg("trial %d: certificate %g after %d iterations", trial, a.certificate.relative,
                     a.report.iterations);
        }
        worst = fmax(worst, a.certificate.relative);
        most = a.report.iterations > most ? a.report.iterations : most;
        answer_destroy(&a);
        test_problem_destroy(problem);
    }
    print_message("law %d: worst certificate %.1e, most iterations %d\n", (int)kind, worst, most);
}

/* r in K, u in K*, u'r = 0, written out without projections. */
static void check_convex_law(const cairn_problem *problem, const cairn_solution *s, double tolerance)
{
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double u[3] = {0, 0, 0};
        const double *r = s->r + j * problem->dim;
        double inner = 0.0;
        for (int k = 0; k < problem->dim; ++k)
        {
            u[k] = problem->w[j * problem->dim + k];
            for (int e = problem->H.entry_start[j]; e < problem->H.entry_start[j + 1]; ++e)
            {
                int block = problem->H.block[e];
                int size = problem->block_start[block + 1] - problem->block_start[block];
                for (int i = 0; i < size; ++i)
                {
                    u[k] += problem->H.value[problem->H.value_start[e] + k * size + i] *
                            s->v[problem->block_start[block] + i];
                }
            }
            inner += u[k] * r[k];
        }
        double mu = problem->mu[j];
        assert_true(crn_ip_slip(problem->dim, r) <= mu * r[0] + tolerance);
        assert_true(u[0] >= mu * crn_ip_slip(problem->dim, u) - tolerance);
        assert_near(inner, 0.0, tolerance * (1.0 + fabs(r[0])));
    }
}

static void the_law_holds_in_its_own_words(void **state)
{
    (void)state;
    for (int trial = 0; trial < 60; ++trial)
    {
        test_recipe recipe = recipe_of(trial, CAIRN_LAW_CONVEX_CONE);
        recipe.compliant = false;
        recipe.mass_ratio = 10.0;
        cairn_problem *problem = test_problem_random(&recipe, 8000 + (uint64_t)trial);
        answer a = solve(problem, 1e-11);
        check_convex_law(problem, &a.solution, 1e-8);
        answer_destroy(&a);
        test_problem_destroy(problem);
    }
}

/* A particle on a plane pushed sideways and down: under the convex law it leaves the plane at u_n = mu u_t, with the
 * velocity v - (v . k) k of the free velocity's part along the cone's edge (Anitescu 2006, example 2); under Coulomb's it
 * slides at u_n = 0 with friction mu times the normal impulse. */
static void particle_slides(void **state)
{
    (void)state;
    double mu = 0.3;
    double A[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    double H[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    double p[3] = {2.0 * 3.0, 0.0, 2.0 * -1.0}; /* free velocity (3, 0, -1) */
    int size = 3;
    test_dense dense = {.dim = 3,
                        .law = {CAIRN_LAW_CONVEX_CONE, 0},
                        .block_count = 1,
                        .block_size = &size,
                        .A = A,
                        .p = p,
                        .contact_count = 1,
                        .H = H,
                        .w = (double[3]){0, 0, 0},
                        .mu = &mu};
    cairn_problem *problem = test_problem_from_dense(&dense);
    answer a = solve(problem, 1e-12);
    double along = (3.0 - mu * 1.0) / (1.0 + mu * mu); /* the free velocity projected on (1, 0, mu) */
    assert_near(a.solution.v[0], along, 1e-10);
    assert_near(a.solution.v[2], mu * along, 1e-10);
    answer_destroy(&a);
    problem->law.kind = CAIRN_LAW_CONE;
    a = solve(problem, 1e-12);
    assert_near(a.solution.v[0], 3.0 - mu * 1.0, 1e-10);
    assert_near(a.solution.v[2], 0.0, 1e-10);
    assert_near(a.solution.r[0], 2.0, 1e-10);
    assert_near(a.solution.r[1], -mu * 2.0, 1e-10);
    answer_destroy(&a);
    test_problem_destroy(problem);
}

/* Frictionless problems have one v: lemke's. So have convex ones in the plane, where the pyramid is the cone. */
static void agrees_with_lemke_where_the_laws_are_the_same(void **state)
{
    (void)state;
    for (int trial = 0; trial < 80; ++trial)
    {
        bool frictionless = trial % 4 < 2;
        test_recipe recipe = recipe_of(trial, frictionless ? CAIRN_LAW_FRICTIONLESS : CAIRN_LAW_CONVEX_CONE);
        recipe.dim = frictionless ? recipe.dim : 2;
        cairn_problem *problem = test_problem_random(&recipe, 500 + (uint64_t)trial);
        double *v = calloc((size_t)problem->n, sizeof(double));
        answer a = solve(problem, 1e-10);
        cairn_law same = {frictionless ? CAIRN_LAW_FRICTIONLESS : CAIRN_LAW_CONVEX_PYRAMID, 4};
        solve_by_lemke(problem, same, v);
        assert_true(distance(v, a.solution.v, problem->n) < 1e-6 * a.certificate.scale);
        free(v);
        answer_destroy(&a);
        test_problem_destroy(problem);
    }
}

/* Every coefficient 0: the cone is its axis, and v is the frictionless one. */
static void without_friction_the_cone_is_its_axis(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20; ++trial)
    {
        test_recipe recipe = recipe_of(trial, trial % 2 ? CAIRN_LAW_CONVEX_CONE : CAIRN_LAW_CONE);
        recipe.mu = 0.0;
        cairn_problem *problem = test_problem_random(&recipe, 900 + (uint64_t)trial);
        double *v = calloc((size_t)problem->n, sizeof(double));
        answer a = solve(problem, 1e-11);
        solve_by_lemke(problem, (cairn_law){CAIRN_LAW_FRICTIONLESS, 0}, v);
        assert_true(distance(v, a.solution.v, problem->n) < 1e-7 * a.certificate.scale);
        free(v);
        answer_destroy(&a);
        test_problem_destroy(problem);
    }
}

/* Stacks are redundant many times over; at rest every law holds them still. */
static void stacks_rest(void **state)
{
    (void)state;
    cairn_law_kind kinds[] = {CAIRN_LAW_FRICTIONLESS, CAIRN_LAW_CONVEX_CONE, CAIRN_LAW_CONE};
    for (int i = 0; i < 6; ++i)
    {
        int height = i < 3 ? 4 : 25;
        cairn_problem *problem = test_problem_stack(height, (cairn_law){kinds[i % 3], 0}, 0.5, 0.01, 0.0);
        answer a = solve(problem, 1e-10);
        assert_true(a.report.converged && a.certificate.relative <= 3e-10);
        double floor = 0.0;
        for (int j = 0; j < 4; ++j)
            floor += a.solution.r[3 * j];
        assert_near(floor, 9.81 * 0.01 * height, 1e-8 * height);
        for (int k = 0; k < problem->n; ++k)
            assert_near(a.solution.v[k], 0.0, 1e-9);
        answer_destroy(&a);
        test_problem_destroy(problem);
    }
}

/* Nothing moves: the answer is zero and no iteration is needed. No contacts: the answer is that of the joints. */
static void trivial_problems(void **state)
{
    (void)state;
    cairn_problem *problem = test_problem_stack(2, (cairn_law){CAIRN_LAW_CONVEX_CONE, 0}, 0.5, 0.0, 0.0);
    answer a = solve(problem, 1e-10);
    assert_int_equal(a.report.iterations, 0);
    for (int k = 0; k < a.solution.contact_rows; ++k)
        assert_true(a.solution.r[k] == 0.0);
    answer_destroy(&a);
    test_problem_destroy(problem);
    test_recipe recipe = {.dim = 3,
                          .law = {CAIRN_LAW_CONVEX_CONE, 0},
                          .bodies = 4,
                          .joints = 6,
                          .mass_ratio = 10.0,
                          .mu = 0.5,
                          .coupled = true};
    problem = test_problem_random(&recipe, 3);
    a = solve(problem, 1e-12);
    assert_true(a.certificate.relative < 1e-12);
    answer_destroy(&a);
    test_problem_destroy(problem);
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    cairn_problem *problem = test_problem_stack(1, (cairn_law){CAIRN_LAW_PYRAMID, 4}, 0.5, 0.01, 0.0);
    assert_false(method->can_solve(problem));
    problem->law.kind = CAIRN_LAW_CONVEX_PYRAMID;
    assert_false(method->can_solve(problem));
    problem->law.kind = CAIRN_LAW_CONVEX_CONE;
    problem->A.value[0] = -1.0;
    void *workspace = method->create();
    answer a = answer_create(problem);
    cairn_context *context = cairn_context_create();
    crn_method_options options = {.tolerance = 1e-8};
    assert_int_equal(method->solve(workspace, context, problem, &options, &a.solution, &a.report), CAIRN_NUMERIC);
    cairn_context_destroy(context);
    method->destroy(workspace);
    answer_destroy(&a);
    test_problem_destroy(problem);
}

/* A contact that must open at 1 m/s while a joint forbids it: no solution; the method ends, and says so. */
static void ends_on_infeasible_problems(void **state)
{
    (void)state;
    double mu = 0.5;
    double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double H[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    double G[3] = {0, 0, 1};
    int size = 3;
    test_dense dense = {.dim = 3,
                        .law = {CAIRN_LAW_CONVEX_CONE, 0},
                        .block_count = 1,
                        .block_size = &size,
                        .A = A,
                        .p = (double[3]){1, 0, 0},
                        .joint_rows = 1,
                        .G = G,
                        .R_c = (double[1]){0},
                        .b = (double[1]){0},
                        .contact_count = 1,
                        .H = H,
                        .w = (double[3]){-1, 0, 0},
                        .mu = &mu};
    cairn_problem *problem = test_problem_from_dense(&dense);
    answer a = solve(problem, 1e-8);
    assert_false(a.report.converged);
    assert_true(a.report.iterations <= 200);
    answer_destroy(&a);
    test_problem_destroy(problem);
}

/* The same bits from a workspace that solved something else before, and no memory taken when warm. */
static void warm_solves_allocate_nothing(void **state)
{
    (void)state;
    test_recipe large = recipe_of(8, CAIRN_LAW_CONVEX_CONE);
    large.bodies = 10;
    large.contacts = 30;
    cairn_problem *first = test_problem_random(&large, 1);
    cairn_problem *second = test_problem_stack(4, (cairn_law){CAIRN_LAW_CONE, 0}, 0.5, 0.01, 0.3);
    void *workspace = method->create();
    answer fresh = solve_with(workspace, second, 1e-10);
    answer other = solve_with(workspace, first, 1e-10);
    answer again = solve_with(workspace, second, 1e-10);
    assert_memory_equal(fresh.solution.v, again.solution.v, (size_t)second->n * sizeof(double));
    assert_memory_equal(fresh.solution.r, again.solution.r, (size_t)again.solution.contact_rows * sizeof(double));
    crn_method_options options = {.tolerance = 1e-10};
    size_t before = mallinfo2().uordblks;
    for (int i = 0; i < 3; ++i)
        assert_int_equal(method->solve(workspace, NULL, second, &options, &again.solution, &again.report), CAIRN_OK);
    assert_true(mallinfo2().uordblks == before);
    method->destroy(workspace);
    answer_destroy(&fresh);
    answer_destroy(&other);
    answer_destroy(&again);
    test_problem_destroy(first);
    test_problem_destroy(second);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void solve_published(const char *directory, const char *name)
{
    char path[1024];
    const char *reason;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    cairn_problem *problem = test_fclib_read(path, (cairn_law){CAIRN_LAW_CONVEX_CONE, 0}, &reason);
    if (!problem)
        fail_msg("%s: %s", name, reason);
    if (problem->contact_count <= 300 || getenv("CAIRN_LONG"))
    {
        double start = seconds();
        answer a = solve(problem, 1e-10);
        print_message("%-42s %4d contacts %3d iterations %7.3f s  certificate %.1e\n", name, problem->contact_count,
                      a.report.iterations, seconds() - start, a.certificate.relative);
        assert_true(a.certificate.relative <= 3e-10);
        answer_destroy(&a);
    }
    test_problem_destroy(problem);
}

/* Problems in FCLIB's format, under the convex law. The files are not part of the project; CAIRN_FCLIB names their
 * directory, else ../shared/reference/fclib beside the sources is looked at, and without them nothing is tested. More than
 * 300 contacts take seconds and are left out unless CAIRN_LONG is set. */
static void solves_published_problems(void **state)
{
    (void)state;
    const char *named = getenv("CAIRN_FCLIB");
    const char *directory = named ? named : CAIRN_SOURCE_DIR "/../shared/reference/fclib";
    DIR *folder = opendir(directory);
    if (!folder)
    {
        print_message("no problems in %s\n", directory);
        skip();
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
    {
        const char *end = strrchr(entry->d_name, '.');
        if (end && strcmp(end, ".hdf5") == 0)
            solve_published(directory, entry->d_name);
    }
    closedir(folder);
}

int main(void)
{
    static cairn_law_kind frictionless = CAIRN_LAW_FRICTIONLESS;
    static cairn_law_kind exact = CAIRN_LAW_CONE;
    static cairn_law_kind convex = CAIRN_LAW_CONVEX_CONE;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaling_does_what_it_promises),
        cmocka_unit_test(reach_ends_on_the_boundary),
        cmocka_unit_test(projection_splits_orthogonally),
        cmocka_unit_test_prestate(solves_random_problems, &frictionless),
        cmocka_unit_test_prestate(solves_random_problems, &convex),
        cmocka_unit_test_prestate(solves_random_problems, &exact),
        cmocka_unit_test(the_law_holds_in_its_own_words),
        cmocka_unit_test(particle_slides),
        cmocka_unit_test(agrees_with_lemke_where_the_laws_are_the_same),
        cmocka_unit_test(without_friction_the_cone_is_its_axis),
        cmocka_unit_test(stacks_rest),
        cmocka_unit_test(trivial_problems),
        cmocka_unit_test(refuses_what_it_cannot_do),
        cmocka_unit_test(ends_on_infeasible_problems),
        cmocka_unit_test(warm_solves_allocate_nothing),
        cmocka_unit_test(solves_published_problems),
    };
    return cmocka_run_group_tests_name("interior point", tests, NULL, NULL);
}
