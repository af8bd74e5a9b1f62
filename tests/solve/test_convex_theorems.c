/* Theorems of Anitescu 2006 on one step, on random problems in the plane and in space, with joints and redundant contacts: the
 * quadratic program (5.3) is the complementarity problem (5.1), and pyramids tend to the circular cone (Lemma 5.1), with a
 * bound and a rate (docs/laws.md derives them). */
#include "support/check.h"
#include "support/problems/dense.h"
#include "support/problems/least_distance.h"
#include "support/problems/random_problem.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

typedef struct bench
{
    cairn_context *context;
    cairn_solver *solver, *other;
} bench;

static int set_up(void **state)
{
    bench *b = calloc(1, sizeof *b);
    b->context = cairn_context_create();
    b->solver = cairn_solver_create(b->context);
    b->other = cairn_solver_create(b->context);
    *state = b;
    return b->solver && b->other ? 0 : -1;
}

static int tear_down(void **state)
{
    bench *b = *state;
    cairn_solver_destroy(b->solver);
    cairn_solver_destroy(b->other);
    cairn_context_destroy(b->context);
    free(b);
    return 0;
}

/* The arrays live until the solver's next call. */
static cairn_solution solve(cairn_solver *solver, const cairn_problem *problem, cairn_solver_kind kind,
                            double tolerance)
{
    cairn_solver_options options = {.struct_size = sizeof options, .kind = kind, .tolerance = tolerance};
    cairn_solver_report report;
    cairn_solution solution;
    assert_int_equal(cairn_solver_solve(solver, problem, &options, &solution, &report), CAIRN_OK);
    if (report.outcome != CAIRN_SOLVED)
        fail_msg("%s: certificate %g", report.method, report.certificate.relative);
    return solution;
}

/* --------------------------------------------------------------------------------------------- x'Ay */

static double product(const double *A, int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; ++i)
        sum += x[i / n] * A[i] * y[i % n];
    return sum;
}

/* v'Av/2 - p'v */
static double energy(const cairn_problem *problem, const double *A, const double *v)
{
    double sum = 0.5 * product(A, problem->n, v, v);
    for (int i = 0; i < problem->n; ++i)
        sum -= problem->p[i] * v[i];
    return sum;
}

/* ------------------------------------------------------------------------------------------------- (5.3) is (5.1) */

/* Directions of the friction polygon in the contact's tangents, as (cos, sin). */
static int polygon(const cairn_problem *problem, int j, double directions[][2])
{
    int count = problem->mu[j] == 0.0 ? 1 : problem->dim == 2 ? 2 : problem->law.directions;
    for (int k = 0; k < count; ++k)
    {
        directions[k][0] = cos(2.0 * PI * k / count);
        directions[k][1] = problem->dim == 2 ? 0.0 : sin(2.0 * PI * k / count);
    }
    return count;
}

/* Rows (n + mu d_k)'v >= -(w_n + mu d_k'w_t) of (5.3), one a direction of each contact. */
static int facets(const cairn_problem *problem, const double *H, double *C, double *right)
{
    int n = problem->n;
    int count = 0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double d[CAIRN_MAX_DIRECTIONS][2];
        int directions = polygon(problem, j, d);
        for (int k = 0; k < directions; ++k, ++count)
        {
            right[count] = -problem->w[j * problem->dim];
            memcpy(C + count * n, H + j * problem->dim * n, (size_t)n * sizeof(double));
            for (int t = 1; t < problem->dim; ++t)
            {
                double factor = problem->mu[j] * d[k][t - 1];
                right[count] -= factor * problem->w[j * problem->dim + t];
                for (int i = 0; i < n; ++i)
                    C[count * n + i] += factor * H[(j * problem->dim + t) * n + i];
            }
        }
    }
    return count;
}

/* Rows C with C L^-T in their place, so that C v = (C L^-T)(L'v). */
static void to_unit_metric(const double *L, int n, double *rows, int count)
{
    if (count > 0)
    {
        /* (C L^-T)' = L^-1 C': C row-major is C' column-major */
        assert_int_equal(LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'T', 'N', n, count, L, n, rows, n), 0);
    }
}

/* The minimum of (5.3), by a method that knows nothing of complementarity or of the library. With A = LL' and y = L'v it
 * is the point of a polyhedron that is nearest to L^-1 p. */
static void minimise(const cairn_problem *problem, const double *A, double *v)
{
    int n = problem->n;
    int most = problem->contact_count * CAIRN_MAX_DIRECTIONS;
    double *H = dense_rows(problem, &problem->H, problem->dim * problem->contact_count);
    double *G = dense_rows(problem, &problem->G, problem->joint_rows);
    double *C = calloc((size_t)(most * n + 1), sizeof(double));
    double *right = calloc((size_t)most + 1, sizeof(double));
    double *multiplier = calloc((size_t)most + 1, sizeof(double));
    double *L = malloc((size_t)(n * n) * sizeof(double));
    double *y0 = malloc((size_t)n * sizeof(double));
    int count = facets(problem, H, C, right);
    memcpy(L, A, (size_t)(n * n) * sizeof(double));
    memcpy(y0, problem->p, (size_t)n * sizeof(double));
    assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', n, L, n), 0); /* A = U'U, L = U' */
    to_unit_metric(L, n, C, count);
    to_unit_metric(L, n, G, problem->joint_rows);
    to_unit_metric(L, n, y0, 1);
    least_distance nearest = {n, count, problem->joint_rows, C, right, G, problem->b, y0};
    assert_true(least_distance_solve(&nearest, v, multiplier));
    assert_int_equal(LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'N', 'N', n, 1, L, n, v, n), 0);
    void *owned[] = {H, G, C, right, multiplier, L, y0};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
        free(owned[i]);
}

static test_recipe random_recipe(int trial, cairn_law law)
{
    test_random random = {(uint64_t)trial * 977u + 5u};
    return (test_recipe){.dim = trial % 3 ? 3 : 2,
                         .law = law,
                         .bodies = test_integer(&random, 1, 6),
                         .contacts = test_integer(&random, 1, 8),
                         .joints = trial % 4 ? 0 : 4,
                         .mass_ratio = trial % 5 ? 10.0 : 1e3,
                         .mu = test_uniform(&random, 0.1, 1.5),
                         .coupled = trial % 7 == 0,
                         .gaps = trial % 2 == 0,
                         .redundant = trial % 3 == 1};
}

static void the_program_is_the_complementarity_problem(void **state)
{
    bench *b = *state;
    double worst = 0.0;
    for (int trial = 0; trial < 240; ++trial)
    {
        test_recipe recipe = random_recipe(trial, (cairn_law){CAIRN_LAW_CONVEX_PYRAMID, 4 + 2 * (trial % 5)});
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
        double *A = dense_matrix(problem);
        double *v = malloc((size_t)problem->n * sizeof(double));
        cairn_solution lcp = solve(b->solver, problem, CAIRN_SOLVER_LEMKE, 1e-10);
        minimise(problem, A, v);
        for (int i = 0; i < problem->n; ++i)
        {
            worst = fmax(worst, fabs(v[i] - lcp.v[i]));
            assert_near(lcp.v[i], v[i], 1e-9);
        }
        double least = energy(problem, A, v);
        assert_near(energy(problem, A, lcp.v), least, 1e-11 * (1.0 + fabs(least)));
        free(A);
        free(v);
        test_problem_destroy(problem);
    }
    print_message("velocities of the program and of the complementarity problem: at most %.1e apart\n", worst);
}

/* ------------------------------------------------------------------------------------------------------ Lemma 5.1 */

/* sum_j mu_j r_nj |u_tj|, impulses of one solution, velocities of another. */
static double slip_power(const cairn_problem *problem, const double *r, const double *u)
{
    double sum = 0.0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const double *u_j = u + 3 * j;
        sum += problem->mu[j] * r[3 * j] * hypot(u_j[1], u_j[2]);
    }
    return sum;
}

enum
{
    LEVELS = 5 /* m = 4, 8, 16, 32, 64 */
};

typedef struct approach
{
    double distance[LEVELS]; /* |v_m - v| in the norm of A */
    double energy[LEVELS];   /* f(v) - f(v_m), for a symmetric A */
    double slip;             /* mu r_n |u_t| at the cone's solution, over all contacts */
} approach;

/* Solve with the cone and with all pyramids; the bound (1 - cos(pi/m)) sum mu r_n |u_t| holds for each. */
static approach approach_cone(bench *b, cairn_problem *problem)
{
    approach found = {0};
    int n = problem->n;
    double *A = dense_matrix(problem);
    double *u = calloc((size_t)(3 * problem->contact_count + 1), sizeof(double));
    double *difference = calloc((size_t)n, sizeof(double));
    problem->law = (cairn_law){CAIRN_LAW_CONVEX_CONE, 0};
    cairn_solution cone = solve(b->solver, problem, CAIRN_SOLVER_INTERIOR_POINT, 1e-9);
    assert_true(cairn_problem_velocities(problem, cone.v, cone.r, u));
    found.slip = slip_power(problem, cone.r, u);
    for (int k = 0; k < LEVELS; ++k)
    {
        int m = 4 << k;
        problem->law = (cairn_law){CAIRN_LAW_CONVEX_PYRAMID, m};
        cairn_solution pyramid = solve(b->other, problem, CAIRN_SOLVER_LEMKE, 1e-10);
        for (int i = 0; i < n; ++i)
            difference[i] = cone.v[i] - pyramid.v[i];
        assert_true(cairn_problem_velocities(problem, pyramid.v, pyramid.r, u));
        double bound = (1.0 - cos(PI / m)) * slip_power(problem, cone.r, u);
        double square = product(A, n, difference, difference);
        assert_true(square <= bound + 1e-12);
        found.distance[k] = sqrt(square);
        found.energy[k] = energy(problem, A, cone.v) - energy(problem, A, pyramid.v);
    }
    free(A);
    free(u);
    free(difference);
    return found;
}

/* The pyramid lies within the cone, so its program has the larger feasible set and the smaller minimum; the distance falls
 * like 1/m and the minimum like 1/m^2, for most problems whose contacts slip. */
static void pyramids_tend_to_the_cone(void **state)
{
    bench *b = *state;
    double distance[LEVELS] = {0};
    double lost[LEVELS] = {0};
    int slipping = 0;
    for (int trial = 0; trial < 60; ++trial)
    {
        test_recipe recipe = random_recipe(trial, (cairn_law){CAIRN_LAW_CONVEX_CONE, 0});
        bool symmetric = trial % 4 != 1;
        recipe.dim = 3;
        recipe.contacts = 1 + trial % 5;
        recipe.skew = symmetric ? 0.0 : 0.3;
        cairn_problem *problem = test_problem_random(&recipe, 3000 + (uint64_t)trial);
        approach found = approach_cone(b, problem);
        for (int k = 0; k < LEVELS && symmetric; ++k)
            assert_true(found.energy[k] >= 0.5 * found.distance[k] * found.distance[k] - 1e-9);
        if (found.slip > 1e-3 && symmetric)
        {
            ++slipping;
            for (int k = 0; k < LEVELS; ++k)
            {
                distance[k] += found.distance[k];
                lost[k] += found.energy[k];
            }
        }
        test_problem_destroy(problem);
    }
    double rate = log2(distance[0] / distance[LEVELS - 1]) / (LEVELS - 1);
    double energy_rate = log2(lost[0] / lost[LEVELS - 1]) / (LEVELS - 1);
    print_message("%d slipping problems: |v_m - v| = %.1e %.1e %.1e %.1e %.1e, order %.2f; minima: order %.2f\n",
                  slipping, distance[0] / slipping, distance[1] / slipping, distance[2] / slipping,
                  distance[3] / slipping, distance[4] / slipping, rate, energy_rate);
    assert_true(slipping > 20);
    assert_true(rate > 0.9);
    assert_true(energy_rate > 1.8);
}

/* One particle that slides at an angle a from the nearest d_k shows that 1/m is all there is: friction along d_k turns the
 * slip by O(a). With p = (0, s) and mass 1, the cone gives u_t = s/(1 + mu^2), the pyramid the projection of p on the facet. */
static void the_rate_of_the_particle_is_exact(void **state)
{
    bench *b = *state;
    static const double ONE[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double mu = 0.4;
    for (int k = 0; k < LEVELS; ++k)
    {
        int m = 4 << k;
        double a = 0.5 * PI / m; /* half way between a corner and the middle of a side */
        double p[3] = {0, 3.0 * cos(a), 3.0 * sin(a)};
        test_dense dense = {.dim = 3,
                            .law = {CAIRN_LAW_CONVEX_PYRAMID, m},
                            .block_count = 1,
                            .block_size = (int[]){3},
                            .A = ONE,
                            .p = p,
                            .contact_count = 1,
                            .H = ONE,
                            .mu = &mu};
        cairn_problem *problem = test_problem_from_dense(&dense);
        cairn_solution pyramid = solve(b->solver, problem, CAIRN_SOLVER_LEMKE, 1e-12);
        /* the facet's row is (1, -mu, 0): v = p + c (1, -mu, 0), c = mu 3 cos(a) / (1 + mu^2) */
        double c = mu * p[1] / (1.0 + mu * mu);
        assert_near(pyramid.v[0], c, 1e-12);
        assert_near(pyramid.v[1], p[1] - mu * c, 1e-12);
        assert_near(pyramid.v[2], p[2], 1e-12);
        problem->law = (cairn_law){CAIRN_LAW_CONVEX_CONE, 0};
        cairn_solution cone = solve(b->other, problem, CAIRN_SOLVER_INTERIOR_POINT, 1e-9);
        double along = 3.0 / (1.0 + mu * mu);
        assert_near(cone.v[1], along * cos(a), 1e-10);
        assert_near(cone.v[2], along * sin(a), 1e-10);
        /* the slip is off by this much sideways: first order in a, hence in 1/m */
        double off = cos(a) * pyramid.v[2] - sin(a) * pyramid.v[1];
        assert_near(off, 3.0 * mu * mu / (1.0 + mu * mu) * sin(a) * cos(a), 1e-12);
        test_problem_destroy(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_is_the_complementarity_problem),
        cmocka_unit_test(pyramids_tend_to_the_cone),
        cmocka_unit_test(the_rate_of_the_particle_is_exact),
    };
    return cmocka_run_group_tests_name("theorems of Anitescu 2006, one step", tests, set_up, tear_down);
}
