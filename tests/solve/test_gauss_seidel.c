/* Projected Gauss-Seidel: its plan against the definition of a colouring, whole problems against the certificate,
 * analytic answers and Lemke's method. Its local solves are tested in test_local_coulomb.c. */
#include "support/check.h"
#include "support/problems/fclib.h"
#include "support/problems/random_problem.h"

#include <cairn/solver.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "linalg/compliance.h"
#include "solve/auto/method.h"
#include "solve/sweep/gauss_seidel_anderson.h"
#include "solve/sweep/gauss_seidel_plan.h"

static const cairn_law CONE = {CAIRN_LAW_CONE, 0};
static const cairn_law CONVEX_CONE = {CAIRN_LAW_CONVEX_CONE, 0};
static const cairn_law FRICTIONLESS = {CAIRN_LAW_FRICTIONLESS, 0};

/* -------------------------------------------------------------------------------------------------- whole problems */

typedef struct solved
{
    cairn_solution solution;
    crn_method_report report;
    cairn_certificate certificate;
} solved;

static cairn_solution new_solution(const cairn_problem *problem)
{
    cairn_solution out = {
        .n = problem->n, .joint_rows = problem->joint_rows, .contact_rows = problem->dim * problem->contact_count};
    out.v = calloc((size_t)out.n + 1, sizeof(double));
    out.c = calloc((size_t)out.joint_rows + 1, sizeof(double));
    out.r = calloc((size_t)out.contact_rows + 1, sizeof(double));
    return out;
}

static void release(solved *s)
{
    free(s->solution.v);
    free(s->solution.c);
    free(s->solution.r);
}

static solved solve_by(void *workspace, const cairn_problem *problem, double tolerance, int limit, int threads)
{
    solved out = {.solution = new_solution(problem)};
    cairn_context *context = cairn_context_create();
    crn_method_options options = {.tolerance = tolerance, .max_iterations = limit, .threads = threads};
    assert_true(crn_method_gauss_seidel.can_solve(problem));
    assert_int_equal(crn_method_gauss_seidel.solve(workspace, context, problem, &options, &out.solution, &out.report),
                     CAIRN_OK);
    assert_int_equal(cairn_certify(problem, &out.solution, &out.certificate), CAIRN_OK);
    cairn_context_destroy(context);
    return out;
}

static solved solve_with(void *workspace, const cairn_problem *problem, double tolerance, int limit)
{
    return solve_by(workspace, problem, tolerance, limit, 1);
}

static solved solve_alone(const cairn_problem *problem, double tolerance, int limit)
{
    void *workspace = crn_method_gauss_seidel.create();
    assert_non_null(workspace);
    solved out = solve_with(workspace, problem, tolerance, limit);
    crn_method_gauss_seidel.destroy(workspace);
    return out;
}

/* Solve random problems of a recipe to a certificate of 1e-8; returns how many reached it. */
static int solve_family(const char *name, test_recipe recipe, uint64_t seeds, double *mean_sweeps)
{
    int good = 0;
    void *workspace = crn_method_gauss_seidel.create();
    *mean_sweeps = 0.0;
    for (uint64_t seed = 1; seed <= seeds; ++seed)
    {
        cairn_problem *problem = test_problem_random(&recipe, seed);
        solved s = solve_with(workspace, problem, 0.5e-8, 0);
        good += s.certificate.relative < 1e-8;
        *mean_sweeps += s.report.iterations / (double)seeds;
        if (s.report.converged)
            assert_true(s.certificate.relative < 1e-8); /* its word is good */
        release(&s);
        test_problem_destroy(problem);
    }
    crn_method_gauss_seidel.destroy(workspace);
    print_message("%-28s %d of %d below 1e-8, %.0f sweeps on average\n", name, good, (int)seeds, *mean_sweeps);
    return good;
}

static void random_problems_are_solved(void **state)
{
    (void)state;
    double sweeps;
    test_recipe plain = {.dim = 3, .law = CONE, .bodies = 6, .contacts = 8, .mass_ratio = 3.0, .mu = 0.5, .gaps = true};
    test_recipe recipe = plain;
    assert_int_equal(solve_family("cone", recipe, 40, &sweeps), 40);
    recipe.law = CONVEX_CONE;
    assert_int_equal(solve_family("convex cone", recipe, 40, &sweeps), 40);
    recipe.law = FRICTIONLESS;
    assert_int_equal(solve_family("frictionless", recipe, 40, &sweeps), 40);
    recipe.law = (cairn_law){CAIRN_LAW_PYRAMID, 6};
    assert_true(solve_family("pyramid", recipe, 40, &sweeps) >= 38);
    recipe.law = (cairn_law){CAIRN_LAW_BOX, 0};
    assert_true(solve_family("box", recipe, 40, &sweeps) >= 38);
    recipe = plain;
    recipe.dim = 2;
    assert_true(solve_family("cone, plane", recipe, 40, &sweeps) >= 38);
    recipe.law = (cairn_law){CAIRN_LAW_CONVEX_PYRAMID, 4};
    assert_true(solve_family("convex pyramid, plane", recipe, 40, &sweeps) >= 38);
    recipe = plain;
    recipe.joints = 6;
    assert_true(solve_family("cone, joints", recipe, 40, &sweeps) >= 38);
    recipe = plain;
    recipe.skew = 0.3;
    recipe.coupled = true;
    assert_true(solve_family("cone, springs, skew", recipe, 40, &sweeps) >= 38);
    recipe = plain;
    recipe.compliant = recipe.redundant = true;
    recipe.joints = 3;
    assert_true(solve_family("cone, compliant", recipe, 40, &sweeps) >= 38);
    recipe = plain;
    recipe.redundant = true;
    assert_true(solve_family("cone, redundant", recipe, 40, &sweeps) >= 38);
}

/* In the plane the cone is the pyramid, which Lemke solves exactly: same velocities where contacts are few. */
static void plane_agrees_with_lemke(void **state)
{
    (void)state;
    test_recipe recipe = {.dim = 2,
                          .law = {CAIRN_LAW_PYRAMID, 4},
                          .bodies = 6,
                          .contacts = 5,
                          .mass_ratio = 3.0,
                          .mu = 0.3,
                          .gaps = true};
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    cairn_solver_options options = cairn_solver_default();
    options.kind = CAIRN_SOLVER_LEMKE;
    for (uint64_t seed = 1; seed <= 30; ++seed)
    {
        cairn_problem *problem = test_problem_random(&recipe, seed);
        cairn_solution exact;
        cairn_solver_report report;
        assert_int_equal(cairn_solver_solve(solver, problem, &options, &exact, &report), CAIRN_OK);
        solved s = solve_alone(problem, 1e-11, 0);
        assert_true(s.report.converged);
        for (int i = 0; i < problem->n; ++i)
            assert_near(s.solution.v[i], exact.v[i], 1e-8);
        release(&s);
        test_problem_destroy(problem);
    }
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
}

/* A unit cube on a slope of angle a, one step from rest: it sticks when tan a <= mu, else slides with
 * h g (sin a - mu cos a). The cube's frame is the slope's: gravity is tilted. */
static void block_on_a_slope(void **state)
{
    (void)state;
    const double h = 0.01, g = 9.81, mu = 0.5;
    for (int k = 0; k <= 8; ++k)
    {
        double angle = 0.1 * k;
        cairn_problem *problem = test_problem_stack(1, CONE, mu, h, 0.0);
        problem->p[0] = h * g * sin(angle);
        problem->p[2] = -h * g * cos(angle);
        solved s = solve_alone(problem, 1e-11, 0);
        double speed = fmax(0.0, h * g * (sin(angle) - mu * cos(angle)));
        double normal = 0.0;
        for (int j = 0; j < 4; ++j)
            normal += s.solution.r[3 * j];
        assert_true(s.report.converged);
        assert_near(s.solution.v[0], speed, 1e-10);
        assert_near(s.solution.v[2], 0.0, 1e-10);
        assert_near(normal, h * g * cos(angle), 1e-10);
        release(&s);
        test_problem_destroy(problem);
    }
}

/* Anitescu 2006, example 2: a particle that slides with speed 3 is lifted off by the convex law, v = 3 / (1 + mu^2) (1, mu);
 * with the exact law it slides on, unpressed. */
static void sliding_particle(void **state)
{
    (void)state;
    double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double H[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    double p[3] = {3, 0, 0}, w[3] = {0, 0, 0}, mu[1] = {0.5};
    int size = 3;
    for (int convex = 0; convex < 2; ++convex)
    {
        test_dense dense = {.dim = 3,
                            .law = convex ? CONVEX_CONE : CONE,
                            .block_count = 1,
                            .block_size = &size,
                            .A = A,
                            .p = p,
                            .contact_count = 1,
                            .H = H,
                            .w = w,
                            .mu = mu};
        cairn_problem *problem = test_problem_from_dense(&dense);
        solved s = solve_alone(problem, 1e-12, 0);
        assert_near(s.solution.v[0], convex ? 3.0 / 1.25 : 3.0, 1e-14);
        assert_near(s.solution.v[1], 0.0, 1e-14);
        assert_near(s.solution.v[2], convex ? 1.5 / 1.25 : 0.0, 1e-14);
        release(&s);
        test_problem_destroy(problem);
    }
}

/* Five boxes at rest: nothing moves, and each interface carries the weight above it. */
static void stack_of_five(void **state)
{
    (void)state;
    const double h = 0.01, g = 9.81;
    cairn_problem *problem = test_problem_stack(5, CONE, 0.5, h, 0.0);
    solved s = solve_alone(problem, 1e-10, 0);
    print_message("stack of 5: %d sweeps, certificate %.1e\n", s.report.iterations, s.certificate.relative);
    assert_true(s.report.converged && s.report.iterations < 1000);
    for (int i = 0; i < 5; ++i)
    {
        double normal = 0.0;
        for (int corner = 0; corner < 4; ++corner)
            normal += s.solution.r[3 * (4 * i + corner)];
        assert_near(normal, (5 - i) * h * g, 1e-8);
    }
    for (int i = 0; i < problem->n; ++i)
        assert_near(s.solution.v[i], 0.0, 1e-9);
    release(&s);
    test_problem_destroy(problem);
}

/* On a linear map Anderson's extrapolation is GMRES in disguise: exact after as many steps as there are eigenvalues,
 * however slow the map itself is. Here 6 of them, from 0.1 to 0.9999. */
static void extrapolation_is_exact_on_linear_maps(void **state)
{
    (void)state;
    const double factor[6] = {0.1, 0.5, -0.6, 0.9, 0.99, 0.9999};
    const double rho[2] = {1.0, 2.0};
    double x[6] = {0.0}, T[6], next[6];
    crn_gs_history history = {0};
    assert_int_equal(crn_gs_history_start(&history, 6, 3, rho), CAIRN_OK);
    for (int step = 0; step < 9; ++step)
    {
        crn_gs_history_before(&history, x);
        for (int i = 0; i < 6; ++i)
            T[i] = factor[i] * x[i] + (1.0 - factor[i]) * (i + 1.0); /* fixed point i + 1 */
        crn_gs_advice advice = crn_gs_history_after(&history, T, next);
        memcpy(x, advice == CRN_GS_GO_ON ? T : next, sizeof x);
    }
    for (int i = 0; i < 6; ++i)
        assert_near(x[i], i + 1.0, 1e-6);
    crn_gs_history_release(&history);
}

/* The solution given back as a guess is kept: at most one round of sweeps. */
static void good_guess_is_kept(void **state)
{
    (void)state;
    cairn_problem *problem = test_problem_stack(4, CONE, 0.5, 0.01, 0.2);
    void *workspace = crn_method_gauss_seidel.create();
    solved first = solve_with(workspace, problem, 1e-9, 0);
    crn_method_options options = {.tolerance = 1e-9, .threads = 1};
    crn_method_report report;
    assert_true(first.report.iterations > 5);
    assert_int_equal(crn_method_gauss_seidel.solve(workspace, NULL, problem, &options, &first.solution, &report),
                     CAIRN_OK);
    assert_true(report.converged && report.iterations == 0);
    release(&first);
    crn_method_gauss_seidel.destroy(workspace);
    test_problem_destroy(problem);
}

static void not_positive_definite_is_refused(void **state)
{
    (void)state;
    cairn_problem *problem = test_problem_stack(2, CONE, 0.5, 0.01, 0.0);
    cairn_context *context = cairn_context_create();
    void *workspace = crn_method_gauss_seidel.create();
    solved s = {.solution = new_solution(problem)};
    crn_method_options options = {.tolerance = 1e-9, .threads = 1};
    problem->A.value[0] = -1.0;
    assert_int_equal(crn_method_gauss_seidel.solve(workspace, context, problem, &options, &s.solution, &s.report),
                     CAIRN_NUMERIC);
    crn_method_gauss_seidel.destroy(workspace);
    cairn_context_destroy(context);
    release(&s);
    test_problem_destroy(problem);
}

/* A joint drives a body into a wall: no solution. It must end, with numbers, and not claim success. */
static void infeasible_ends(void **state)
{
    (void)state;
    double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double H[6] = {0, 1, 0, 1, 0, 0};
    double G[3] = {0, 1, 0};
    double p[3] = {0, 0, 0}, R_c[1] = {0}, b[1] = {-1}, w[2] = {0, 0}, mu[1] = {0.5};
    int size = 3;
    test_dense dense = {.dim = 2,
                        .law = CONE,
                        .block_count = 1,
                        .block_size = &size,
                        .A = A,
                        .p = p,
                        .joint_rows = 1,
                        .G = G,
                        .R_c = R_c,
                        .b = b,
                        .contact_count = 1,
                        .H = H,
                        .w = w,
                        .mu = mu};
    cairn_problem *problem = test_problem_from_dense(&dense);
    solved s = solve_alone(problem, 1e-9, 0);
    assert_false(s.report.converged);
    assert_true(isfinite(s.certificate.relative) && s.certificate.relative > 0.1);
    release(&s);
    test_problem_destroy(problem);
}

/* -------------------------------------------------------------------------------------------- colours and threads */

/* Contacts of one colour touch no common cluster, and R does not link them: checked pair by pair. */
static void check_colouring(const cairn_problem *problem)
{
    crn_gs_plan plan = {0};
    assert_true(crn_gs_plan_open(&plan));
    assert_int_equal(crn_gs_plan_make(&plan, NULL, problem, NULL), CAIRN_OK);
    for (int i = 0; i < problem->contact_count; ++i)
    {
        for (int j = 0; j < i; ++j)
        {
            bool common = problem->patch_count > 0;
            if (common)
            {
                int rows = problem->dim * problem->contact_count;
                common = false;
                for (int k = 0; k < problem->dim * problem->dim; ++k)
                {
                    int a = i * problem->dim + k / problem->dim;
                    int b = j * problem->dim + k % problem->dim;
                    common = common || problem->R[a * rows + b] != 0.0 || problem->R[b * rows + a] != 0.0;
                }
            }
            for (size_t e = plan.X_start[i]; e < plan.X_start[i + 1]; ++e)
            {
                for (size_t f = plan.X_start[j]; f < plan.X_start[j + 1]; ++f)
                {
                    common = common || (plan.X_first[e] < plan.X_first[f] + plan.X_size[f] &&
                                        plan.X_first[f] < plan.X_first[e] + plan.X_size[e]);
                }
            }
            assert_true(!common || plan.colour[i] != plan.colour[j]);
        }
    }
    assert_int_equal(plan.colour_start[plan.colour_count], problem->contact_count);
    crn_gs_plan_close(&plan);
}

static void colours_share_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; ++seed)
    {
        test_recipe recipe = {.dim = seed % 2 ? 3 : 2,
                              .law = CONE,
                              .bodies = seed % 3 ? 40 : 2,
                              .contacts = 90,
                              .mass_ratio = 2.0,
                              .mu = 0.5,
                              .joints = seed % 4 == 1 ? 5 : 0,
                              .coupled = seed == 8,
                              .compliant = seed % 5 == 0};
        cairn_problem *problem = test_problem_random(&recipe, seed);
        check_colouring(problem);
        test_problem_destroy(problem);
    }
}

/* Many bodies beside each other, so that a colour has enough contacts for threads. */
static cairn_problem *field_of_stacks(int stacks)
{
    cairn_problem *one = test_problem_stack(3, CONE, 0.5, 0.01, 0.1);
    cairn_problem *all = calloc(1, sizeof *all);
    *all = *one;
    all->block_count = stacks * one->block_count;
    all->n = stacks * one->n;
    all->contact_count = stacks * one->contact_count;
    int entries = one->H.entry_start[one->contact_count];
    int values = one->H.value_start[entries];
    int A_values = one->A.value_start[one->block_count];
    size_t blocks = (size_t)all->block_count;
    size_t contacts = (size_t)all->contact_count;
    size_t copies = (size_t)stacks;
    all->block_start = calloc(blocks + 1, sizeof(int));
    all->A = (cairn_block_matrix){all->block_count,
                                  all->block_start,
                                  calloc(blocks + 1, sizeof(int)),
                                  calloc(blocks, sizeof(int)),
                                  calloc(blocks + 1, sizeof(int)),
                                  calloc(copies * (size_t)A_values, sizeof(double))};
    all->p = calloc((size_t)all->n, sizeof(double));
    all->G = (cairn_block_rows){0};
    all->R_c = all->b = NULL;
    all->H = (cairn_block_rows){all->contact_count,
                                calloc(contacts + 1, sizeof(int)),
                                calloc(contacts + 1, sizeof(int)),
                                calloc(copies * (size_t)entries, sizeof(int)),
                                calloc(copies * (size_t)entries + 1, sizeof(int)),
                                calloc(copies * (size_t)values, sizeof(double))};
    all->w = calloc(3 * contacts, sizeof(double));
    all->mu = calloc(contacts, sizeof(double));
    all->identity = calloc(contacts, sizeof(uint64_t));
    for (int k = 0; k < stacks; ++k)
    {
        for (int i = 0; i < one->block_count; ++i)
        {
            int at = k * one->block_count + i;
            all->block_start[at + 1] = k * one->n + one->block_start[i + 1];
            all->A.row_start[at + 1] = at + 1;
            all->A.column[at] = at;
            all->A.value_start[at + 1] = k * A_values + one->A.value_start[i + 1];
        }
        memcpy(all->A.value + k * A_values, one->A.value, (size_t)A_values * sizeof(double));
        memcpy(all->p + k * one->n, one->p, (size_t)one->n * sizeof(double));
        all->p[k * one->n + 1] = 1e-3 * k; /* no two alike */
        for (int j = 0; j < one->contact_count; ++j)
        {
            int at = k * one->contact_count + j;
            all->H.row_start[at + 1] = 3 * (at + 1);
            all->H.entry_start[at + 1] = k * entries + one->H.entry_start[j + 1];
            all->mu[at] = one->mu[j];
        }
        for (int e = 0; e < entries; ++e)
        {
            all->H.block[k * entries + e] = k * one->block_count + one->H.block[e];
            all->H.value_start[k * entries + e + 1] = k * values + one->H.value_start[e + 1];
        }
        memcpy(all->H.value + k * values, one->H.value, (size_t)values * sizeof(double));
    }
    test_problem_destroy(one);
    return all;
}

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    cairn_problem *problem = field_of_stacks(600);
    const int threads[3] = {1, 2, 4};
    double *r = calloc((size_t)(3 * problem->contact_count), sizeof(double));
    size_t bytes = (size_t)(3 * problem->contact_count) * sizeof(double);
    for (int k = 0; k < 3; ++k)
    {
        void *workspace = crn_method_gauss_seidel.create();
        solved s = solve_by(workspace, problem, 1e-12, 40, threads[k]);
        if (k == 0)
            memcpy(r, s.solution.r, bytes);
        assert_memory_equal(r, s.solution.r, bytes);
        release(&s);
        crn_method_gauss_seidel.destroy(workspace);
    }
    free(r);
    test_problem_destroy(problem);
}

/* ----------------------------------------------------------------------------------------------------- FCLIB files */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the HDF5 files there, sorted; at most 64. */
static int list_files(const char *directory, char *names[64])
{
    int count = 0;
    DIR *folder = opendir(directory);
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry && count < 64; entry = readdir(folder))
    {
        const char *end = strrchr(entry->d_name, '.');
        if (end && (strcmp(end, ".hdf5") == 0 || strcmp(end, ".h5") == 0))
            names[count++] = strdup(entry->d_name);
    }
    if (folder)
        closedir(folder);
    qsort(names, (size_t)count, sizeof(char *), compare_names);
    return count;
}

/* How unsymmetric R is, against its largest entry: the theory of the local laws does not cover such a W. */
static double asymmetry(const cairn_problem *problem)
{
    double largest = 1e-300;
    double difference = 0.0;
    for (int i = 0; i < problem->contact_count; ++i)
    {
        for (int j = 0; j < i; ++j)
        {
            int stride, mirrored;
            const double *R = crn_compliance_block(problem, i, j, &stride);
            const double *other = crn_compliance_block(problem, j, i, &mirrored);
            for (int k = 0; k < problem->dim * problem->dim && R; ++k)
            {
                double value = R[k / problem->dim * stride + k % problem->dim];
                largest = fmax(largest, fabs(value));
                difference = fmax(difference, fabs(value - other[k % problem->dim * mirrored + k / problem->dim]));
            }
        }
    }
    return difference / largest;
}

/* Each file with a symmetric W to 1e-6 at least; what is reached is reported. */
static void fclib_problems(void **state)
{
    (void)state;
    const char *named = getenv("CAIRN_FCLIB");
    const char *directory = named ? named : CAIRN_SOURCE_DIR "/../shared/reference/fclib";
    char *names[64];
    int count = list_files(directory, names);
    for (int i = 0; i < count; ++i)
    {
        char path[1024];
        const char *reason = NULL;
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        cairn_problem *problem = test_fclib_read(path, CONE, &reason);
        if (problem)
        {
            double start = seconds();
            solved s = solve_alone(problem, 1e-8, getenv("CAIRN_LONG") ? 0 : 3000);
            print_message("%-42s %4d contacts %6d sweeps %7.3f s  certificate %.1e\n", names[i], problem->contact_count,
                          s.report.iterations, seconds() - start, s.certificate.relative);
            assert_true(s.certificate.relative < (asymmetry(problem) > 1e-6 ? 1e-2 : 1e-6));
            release(&s);
            test_problem_destroy(problem);
        }
        free(names[i]);
    }
    if (count == 0)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_are_solved),
        cmocka_unit_test(plane_agrees_with_lemke),
        cmocka_unit_test(block_on_a_slope),
        cmocka_unit_test(sliding_particle),
        cmocka_unit_test(stack_of_five),
        cmocka_unit_test(extrapolation_is_exact_on_linear_maps),
        cmocka_unit_test(good_guess_is_kept),
        cmocka_unit_test(not_positive_definite_is_refused),
        cmocka_unit_test(infeasible_ends),
        cmocka_unit_test(colours_share_nothing),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(fclib_problems),
    };
    return cmocka_run_group_tests_name("gauss_seidel", tests, NULL, NULL);
}
