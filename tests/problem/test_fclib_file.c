/* FCLIB's layout: files written here by plain HDF5 calls mean what the layout says, what we write comes back, W and q agree
 * with LAPACK. */
#include <hdf5.h>
#include <lapacke.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check.h"
#include "support/problems/fclib_write.h"
#include "support/problems/random_problem.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* ------------------------------------------------------------------------------------------------------ dense pieces */

static double *dense_matrix(const cairn_problem *problem)
{
    int n = problem->n;
    const cairn_block_matrix *A = &problem->A;
    const int *start = problem->block_start;
    double *out = calloc((size_t)n * (size_t)n + 1, sizeof(double));
    for (int i = 0; i < problem->block_count; ++i)
    {
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            int k = A->column[e];
            int columns = start[k + 1] - start[k];
            for (int t = 0; t < (start[i + 1] - start[i]) * columns; ++t)
                out[(start[i] + t / columns) * n + start[k] + t % columns] = A->value[A->value_start[e] + t];
        }
    }
    return out;
}

static double *dense_rows(const cairn_problem *problem, const cairn_block_rows *rows, int count)
{
    int n = problem->n;
    const int *start = problem->block_start;
    double *out = calloc((size_t)n * (size_t)count + 1, sizeof(double));
    for (int i = 0; i < rows->item_count; ++i)
    {
        for (int e = rows->entry_start[i]; e < rows->entry_start[i + 1]; ++e)
        {
            int k = rows->block[e];
            int columns = start[k + 1] - start[k];
            for (int t = 0; t < (rows->row_start[i + 1] - rows->row_start[i]) * columns; ++t)
            {
                out[(rows->row_start[i] + t / columns) * n + start[k] + t % columns] +=
                    rows->value[rows->value_start[e] + t];
            }
        }
    }
    return out;
}

static void assert_numbers(const double *found, const double *wanted, int count)
{
    for (int i = 0; i < count; ++i)
        if (found[i] != wanted[i])
            fail_msg("number %d is %.17g instead of %.17g", i, found[i], wanted[i]);
}

static void assert_same_dense(double *found, double *wanted, int count)
{
    assert_numbers(found, wanted, count);
    free(found);
    free(wanted);
}

/* ------------------------------------------------------------------------------------------------------------- reading */

static void test_global_means_what_the_layout_says(void **state)
{
    fclib_fixture *f = *state;
    for (int storage = 0; storage >= -2; --storage)
    {
        fclib_write_global(f->path, storage, FCLIB_M, true);
        cairn_problem *problem = fclib_load(f);
        assert_int_equal(problem->dim, 2);
        assert_int_equal(problem->law.kind, CAIRN_LAW_CONE);
        assert_int_equal(problem->contact_count, 1);
        assert_int_equal(problem->joint_rows, 1);
        double *A = dense_matrix(problem);
        double *rows = dense_rows(problem, &problem->H, 2);
        double *joints = dense_rows(problem, &problem->G, 1);
        assert_numbers(A, FCLIB_M, 9);
        assert_numbers(rows, (double[6]){FCLIB_H[0], FCLIB_H[2], FCLIB_H[4], FCLIB_H[1], FCLIB_H[3], FCLIB_H[5]}, 6);
        assert_numbers(joints, FCLIB_G, 3);
        assert_numbers(problem->p, FCLIB_f, 3);
        assert_numbers(problem->w, FCLIB_w, 2);
        assert_numbers(problem->mu, FCLIB_mu, 1);
        assert_numbers(problem->b, (double[1]){3}, 1); /* G'v + b = 0 */
        free(A);
        free(rows);
        free(joints);
        cairn_problem_destroy(problem);
    }
}

static void test_one_triangle_is_mirrored(void **state)
{
    fclib_fixture *f = *state;
    double upper[9], lower[9];
    for (int i = 0; i < 9; ++i)
    {
        upper[i] = i % 3 >= i / 3 ? FCLIB_M[i] : 0.0;
        lower[i] = i % 3 <= i / 3 ? FCLIB_M[i] : 0.0;
    }
    const double *const halves[] = {upper, lower};
    for (int i = 0; i < 4; ++i)
    {
        fclib_write_global(f->path, i / 2 ? -1 : 0, halves[i % 2], false);
        cairn_problem *problem = fclib_load(f);
        double *A = dense_matrix(problem);
        assert_numbers(A, FCLIB_M, 9);
        free(A);
        cairn_problem_destroy(problem);
    }
}

/* An unsymmetric W is kept as it is, and cut where nothing couples. */
static void test_local_means_what_the_layout_says(void **state)
{
    fclib_fixture *f = *state;
    for (int storage = 0; storage >= -2; --storage)
    {
        fclib_write_local(f->path, storage);
        cairn_problem *problem = fclib_load(f);
        double found[36], q[6];
        assert_int_equal(problem->n, 0);
        assert_int_equal(problem->patch_count, 2);
        assert_int_equal(problem->patch_start[1], 2);
        assert_int_equal(cairn_problem_delassus(f->context, problem, found, q), CAIRN_OK);
        assert_numbers(found, FCLIB_W, 36);
        assert_numbers(q, (double[6]){-1, 0.5, -2, 0, 1, 0}, 6);
        cairn_problem_destroy(problem);
    }
}

/* Contacts 0 and 2 are coupled, 1 stands alone between them: the islands are put together, identities tell the places in
 * the file, and a file written from that has the file's own order again. */
static void test_islands_are_put_together(void **state)
{
    fclib_fixture *f = *state;
    const double mixed[36] = {2, 0, 0, 0, 0.5, 0, 0, 2, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 7, 0, 0, //
                              0, 0, 0, 0, 4,   0, 0, 0, 0, 0, 0, 5};
    const double x[7] = {2, 0.5, 2, 3, 7, 4, 5}, r[6] = {1, 2, 5, 6, 3, 4};
    const int i[7] = {0, 4, 1, 2, 3, 4, 5};
    fclib_write_local(f->path, -2);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    fclib_put_matrix(file, "fclib_local/W", -2, 6, 6, mixed);
    H5Fclose(file);
    cairn_problem *problem = fclib_load(f);
    assert_int_equal(problem->patch_count, 2);
    assert_int_equal(problem->patch_start[1], 2);
    assert_numbers(problem->mu, (double[3]){0.1, 0.3, 0.2}, 3);
    assert_numbers(problem->w, (double[6]){-1, 0.5, 1, 0, -2, 0}, 6);
    assert_true(problem->identity[0] == 1 && problem->identity[1] == 3 && problem->identity[2] == 2);
    cairn_fclib_options options = {.struct_size = sizeof options, .layout = CAIRN_FCLIB_LOCAL, .r = r};
    assert_int_equal(cairn_problem_save_fclib(f->context, problem, f->path, &options), CAIRN_OK);
    cairn_problem_destroy(problem);
    double found[7];
    int columns[7];
    file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    fclib_read_set(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, 7, found);
    assert_numbers(found, x, 7);
    fclib_read_set(file, "fclib_local/W/i", H5T_NATIVE_INT, 7, columns);
    assert_memory_equal(columns, i, sizeof i);
    fclib_read_set(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, 3, found);
    assert_numbers(found, (double[3]){0.1, 0.2, 0.3}, 3);
    fclib_read_set(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 6, found);
    assert_numbers(found, (double[6]){-1, 0.5, -2, 0, 1, 0}, 6);
    fclib_read_set(file, "solution/r", H5T_NATIVE_DOUBLE, 6, found);
    assert_numbers(found, (double[6]){1, 2, 3, 4, 5, 6}, 6);
    H5Fclose(file);
}

static void test_entries_of_one_place_add_up(void **state)
{
    fclib_fixture *f = *state;
    fclib_write_global(f->path, 0, FCLIB_M, false);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    fclib_put_ints(file, "fclib_global/M/nz", 1, (int[1]){5});
    fclib_put_ints(file, "fclib_global/M/i", 5, (int[5]){2, 0, 1, 0, 2});
    fclib_put_ints(file, "fclib_global/M/p", 5, (int[5]){2, 0, 1, 0, 2});
    fclib_put_reals(file, "fclib_global/M/x", 5, (double[5]){1, 1, 3, 1, 3});
    H5Fclose(file);
    cairn_problem *problem = fclib_load(f);
    double *A = dense_matrix(problem);
    assert_numbers(A, (double[9]){2, 0, 0, 0, 3, 0, 0, 0, 4}, 9);
    free(A);
    cairn_problem_destroy(problem);
}

/* A long chain is no body: small blocks, coupled beside the diagonal, and no cut lost. */
static void test_structures_are_cut_small(void **state)
{
    enum
    {
        N = 90
    };
    fclib_fixture *f = *state;
    int row[3 * N], column[3 * N], count = 0;
    double x[3 * N], ones[N];
    for (int i = 0; i < N; ++i)
    {
        ones[i] = 1;
        for (int k = i > 0 ? i - 1 : 0; k <= i + 1 && k < N; ++k)
        {
            row[count] = i;
            column[count] = k;
            x[count++] = i == k ? 4 : -1;
        }
    }
    fclib_write_global(f->path, 0, FCLIB_M, false);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    fclib_put_ints(file, "fclib_global/M/nz", 1, &count);
    fclib_put_ints(file, "fclib_global/M/m", 1, (int[1]){N});
    fclib_put_ints(file, "fclib_global/M/n", 1, (int[1]){N});
    fclib_put_ints(file, "fclib_global/M/i", count, row);
    fclib_put_ints(file, "fclib_global/M/p", count, column);
    fclib_put_reals(file, "fclib_global/M/x", count, x);
    fclib_put_ints(file, "fclib_global/H/m", 1, (int[1]){N});
    fclib_put_reals(file, "fclib_global/vectors/f", N, ones);
    H5Fclose(file);
    cairn_problem *problem = fclib_load(f);
    double *A = dense_matrix(problem);
    assert_int_equal(problem->block_count, N / 3);
    for (int i = 0; i < N * N; ++i)
    {
        int off = abs(i / N - i % N);
        assert_true(A[i] == (off == 0 ? 4.0 : off == 1 ? -1.0 : 0.0));
    }
    free(A);
    cairn_problem_destroy(problem);
}

/* ------------------------------------------------------------------------------------------------------------- writing */

static const test_recipe RECIPES[] = {
    {.dim = 3, .law = {CAIRN_LAW_CONE, 0}, .bodies = 4, .contacts = 7, .mass_ratio = 100, .mu = 0.8, .gaps = true},
    {.dim = 3,
     .law = {CAIRN_LAW_PYRAMID, 4},
     .bodies = 5,
     .contacts = 3,
     .joints = 4,
     .mass_ratio = 10,
     .mu = 1,
     .skew = 0.3},
    {.dim = 2,
     .law = {CAIRN_LAW_CONE, 0},
     .bodies = 6,
     .contacts = 9,
     .joints = 3,
     .mass_ratio = 10,
     .mu = 0.5,
     .coupled = true},
    {.dim = 2, .law = {CAIRN_LAW_BOX, 0}, .bodies = 1, .contacts = 0, .mass_ratio = 1, .mu = 0.5},
};

static void test_global_comes_back(void **state)
{
    fclib_fixture *f = *state;
    for (int k = 0; k < 20; ++k)
    {
        cairn_problem *before = test_problem_random(&RECIPES[k % COUNT(RECIPES)], (uint64_t)k);
        cairn_fclib_options options = cairn_fclib_default();
        assert_int_equal(cairn_problem_save_fclib(f->context, before, f->path, &options), CAIRN_OK);
        cairn_problem *after = fclib_load(f);
        int n = before->n, rows = before->dim * before->contact_count;
        assert_int_equal(after->n, n);
        assert_int_equal(after->dim, before->dim);
        assert_int_equal(after->contact_count, before->contact_count);
        assert_int_equal(after->joint_rows, before->joint_rows);
        assert_same_dense(dense_matrix(after), dense_matrix(before), n * n);
        assert_same_dense(dense_rows(after, &after->H, rows), dense_rows(before, &before->H, rows), n * rows);
        assert_same_dense(dense_rows(after, &after->G, after->joint_rows),
                          dense_rows(before, &before->G, before->joint_rows), n * before->joint_rows);
        assert_numbers(after->p, before->p, n);
        assert_numbers(after->w, before->w, rows);
        assert_numbers(after->b, before->b, before->joint_rows);
        assert_numbers(after->mu, before->mu, before->contact_count);
        cairn_problem_destroy(after);
        test_problem_destroy(before);
    }
}

/* K (v, c) = (p, b) and K X = (H', 0) by LAPACK, K = [A -G'; G R_c]; W = H X + R, q = H v + w. */
static void delassus_by_lapack(const cairn_problem *problem, double *W_out, double *q)
{
    int n = problem->n, g = problem->joint_rows, m = problem->dim * problem->contact_count, size = n + g;
    double *A = dense_matrix(problem);
    double *rows = dense_rows(problem, &problem->H, m);
    double *joints = dense_rows(problem, &problem->G, g);
    double *K = calloc((size_t)(size * size), sizeof(double));
    double *X = calloc((size_t)(size * (m + 1)), sizeof(double));
    int *pivots = calloc((size_t)size, sizeof(int));
    for (int i = 0; i < n; ++i)
    {
        memcpy(K + i * size, A + i * n, (size_t)n * sizeof(double));
        for (int k = 0; k < m; ++k)
            X[i * (m + 1) + k] = rows[k * n + i];
        X[i * (m + 1) + m] = problem->p[i];
    }
    for (int a = 0; a < g; ++a)
    {
        for (int i = 0; i < n; ++i)
        {
            K[(n + a) * size + i] = joints[a * n + i];
            K[i * size + n + a] = -joints[a * n + i];
        }
        K[(n + a) * size + n + a] = problem->R_c[a];
        X[(n + a) * (m + 1) + m] = problem->b[a];
    }
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, size, m + 1, K, size, pivots, X, m + 1), 0);
    for (int a = 0; a < m; ++a)
    {
        q[a] = problem->w[a];
        for (int k = 0; k <= m; ++k)
        {
            double sum = 0;
            for (int i = 0; i < n; ++i)
                sum += rows[a * n + i] * X[i * (m + 1) + k];
            *(k < m ? &W_out[a * m + k] : &q[a]) += sum;
        }
    }
    free(A);
    free(rows);
    free(joints);
    free(K);
    free(X);
    free(pivots);
}

/* Every joint row compliant, so that K is regular; the patch of R is one. */
static const test_recipe COMPLIANT = {.dim = 3,
                                      .law = {CAIRN_LAW_CONE, 0},
                                      .bodies = 4,
                                      .contacts = 5,
                                      .joints = 3,
                                      .mass_ratio = 10,
                                      .mu = 0.5,
                                      .skew = 0.2,
                                      .compliant = true};

static void test_local_is_what_lapack_finds(void **state)
{
    fclib_fixture *f = *state;
    for (uint64_t seed = 0; seed < 10; ++seed)
    {
        cairn_problem *before = test_problem_random(&COMPLIANT, seed);
        int m = before->dim * before->contact_count;
        double wanted[15 * 15] = {0}, q_wanted[15], found[15 * 15], q[15], q_alone[15];
        assert_int_equal(m, 15);
        assert_int_equal(before->patch_count, 1);
        delassus_by_lapack(before, wanted, q_wanted);
        cairn_fclib_options options = cairn_fclib_default();
        assert_int_equal(cairn_problem_save_fclib(f->context, before, f->path, &options), CAIRN_UNSUPPORTED);
        options.layout = CAIRN_FCLIB_LOCAL;
        assert_int_equal(cairn_problem_save_fclib(f->context, before, f->path, &options), CAIRN_OK);
        cairn_problem *after = fclib_load(f);
        assert_int_equal(after->n, 0);
        assert_int_equal(cairn_problem_delassus(f->context, after, found, q), CAIRN_OK);
        assert_int_equal(cairn_problem_delassus(f->context, before, NULL, q_alone), CAIRN_OK);
        for (int i = 0; i < m; ++i)
        {
            assert_near(q[i], q_wanted[i], 1e-10);
            assert_near(q_alone[i], q_wanted[i], 1e-10);
        }
        for (int i = 0; i < m * m; ++i)
            assert_near(found[i], wanted[i] + before->R[before->R_start[0] + i], 1e-10);
        cairn_fclib_options global = cairn_fclib_default();
        assert_int_equal(cairn_problem_save_fclib(f->context, after, f->path, &global),
                         CAIRN_UNSUPPORTED); /* no bodies, no global layout */
        cairn_problem_destroy(after);
        test_problem_destroy(before);
    }
}

/* A mass of 2 kg that a rope holds against the impulse (0.5, -1) N s while it may still fall at 0.1 m/s: v = (0.25, -0.1), and
 * the rope gives 0.8 N s. Read back by others it is a contact without friction, with the same solution. A motor is refused. */
static void test_ropes_are_contacts_without_friction(void **state)
{
    fclib_fixture *f = *state;
    int start[] = {0, 2}, one[] = {0, 1}, none[] = {0}, row_start[] = {0, 2}, value_start[] = {0, 4};
    double mass[] = {2, 0, 0, 2}, p[] = {0.5, -1}, row[] = {0, 1, 0, 0}, w[] = {0.1, 0}, mu[] = {0};
    uint64_t identity[] = {1};
    cairn_bound bound = {true, -1, 0, INFINITY};
    cairn_problem problem = {.block_count = 1,
                             .block_start = start,
                             .n = 2,
                             .dim = 2,
                             .law = {CAIRN_LAW_CONE, 0},
                             .A = {1, start, one, none, value_start, mass},
                             .p = p,
                             .contact_count = 1,
                             .H = {1, row_start, one, none, value_start, row},
                             .w = w,
                             .mu = mu,
                             .identity = identity,
                             .bound = &bound};
    cairn_fclib_options options = cairn_fclib_default();
    assert_int_equal(cairn_problem_save_fclib(f->context, &problem, f->path, &options), CAIRN_OK);
    cairn_problem *after = fclib_load(f);
    assert_null(after->bound);
    const cairn_problem *both[] = {&problem, after};
    for (int i = 0; i < 2; ++i)
    {
        cairn_solver *solver = cairn_solver_create(f->context);
        cairn_solver_options how = cairn_solver_default();
        cairn_solution solution;
        cairn_solver_report report;
        assert_int_equal(cairn_solver_solve(solver, both[i], &how, &solution, &report), CAIRN_OK);
        assert_near(solution.v[0], 0.25, 1e-14);
        assert_near(solution.v[1], -0.1, 1e-14);
        assert_near(solution.r[0], 0.8, 1e-14);
        cairn_solver_destroy(solver);
    }
    cairn_problem_destroy(after);
    bound.lo = -3;
    bound.hi = 3;
    for (int layout = CAIRN_FCLIB_GLOBAL; layout <= CAIRN_FCLIB_LOCAL; ++layout)
    {
        options.layout = (cairn_fclib_layout)layout;
        assert_int_equal(cairn_problem_save_fclib(f->context, &problem, f->path, &options), CAIRN_UNSUPPORTED);
        assert_non_null(strstr(cairn_context_last_message(f->context), "no place for 1 bounded row "));
    }
}

static void test_solution_is_stored(void **state)
{
    fclib_fixture *f = *state;
    cairn_problem *problem = test_problem_random(&RECIPES[1], 5);
    int rows = problem->dim * problem->contact_count;
    double *numbers = calloc((size_t)(problem->n + rows + problem->joint_rows), sizeof(double));
    for (int i = 0; i < problem->n + rows + problem->joint_rows; ++i)
        numbers[i] = 0.1 * i;
    cairn_fclib_options options = {.struct_size = sizeof options,
                                   .title = "a title",
                                   .v = numbers,
                                   .r = numbers + 1,
                                   .u = numbers + 2,
                                   .l = numbers + 3};
    assert_int_equal(cairn_problem_save_fclib(f->context, problem, f->path, &options), CAIRN_OK);
    const struct
    {
        const char *path;
        int count;
        const double *wanted;
    } sets[] = {{"solution/v", problem->n, options.v},
                {"solution/r", rows, options.r},
                {"solution/u", rows, options.u},
                {"solution/l", problem->joint_rows, options.l}};
    hid_t file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    for (int i = 0; i < COUNT(sets); ++i)
    {
        double *found = calloc((size_t)sets[i].count + 1, sizeof(double));
        fclib_read_set(file, sets[i].path, H5T_NATIVE_DOUBLE, sets[i].count, found);
        assert_numbers(found, sets[i].wanted, sets[i].count);
        free(found);
    }
    H5Fclose(file);
    cairn_problem_destroy(fclib_load(f)); /* still a problem */
    free(numbers);
    test_problem_destroy(problem);
}

/* ------------------------------------------------------------------------------------------------------------- error */

/* One contact with mu = 0.5: values found by hand from r - P_K(r - (u + mu|u_t| e_n)). */
static void test_siconos_error_by_hand(void **state)
{
    static const struct
    {
        double q[3], r[3], u[3], error;
    } CASES[] = {
        {{1, 0, 0}, {0, 0, 0}, {1, 0, 0}, 0},     /* opening, no impulse */
        {{1, 2, 0}, {0, 0, 0}, {1, 2, 0}, 0},     /* the same while it slides */
        {{-4, 0, 0}, {4, 2, 0}, {0, 0, 0}, 0},    /* at rest, at the cone's rim */
        {{-4, -5, 0}, {4, 2, 0}, {0, -3, 0}, 0},  /* slides, friction against it */
        {{-2, 0, 0}, {0, 0, 0}, {-1, 0, 0}, 0.5}, /* closing at 1: P_K(1, 0, 0) = itself; max is |q| = 2 */
        {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, 1},     /* pushes while it opens: P_K(0) = 0, |r| = 1 */
        /* slides without friction: x = (2.5, 3, 0), P_K(x) = (3.2, 1.6, 0), r - P_K(x) = 0.8 (1, -2, 0), |r| = 4 */
        {{0, 0, 0}, {4, 0, 0}, {0, -3, 0}, 0.44721359549995794},
    };
    double mu = 0.5;
    cairn_problem problem = {.dim = 3, .contact_count = 1, .mu = &mu};
    (void)state;
    for (int i = 0; i < COUNT(CASES); ++i)
        assert_near(cairn_problem_siconos_error(&problem, CASES[i].q, CASES[i].r, CASES[i].u), CASES[i].error, 1e-15);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, fclib_set_up, fclib_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_global_means_what_the_layout_says),
        CASE(test_one_triangle_is_mirrored),
        CASE(test_local_means_what_the_layout_says),
        CASE(test_islands_are_put_together),
        CASE(test_entries_of_one_place_add_up),
        CASE(test_structures_are_cut_small),
        CASE(test_global_comes_back),
        CASE(test_local_is_what_lapack_finds),
        CASE(test_ropes_are_contacts_without_friction),
        CASE(test_solution_is_stored),
        CASE(test_siconos_error_by_hand),
    };
    return cmocka_run_group_tests_name("fclib_file", tests, NULL, NULL);
}
