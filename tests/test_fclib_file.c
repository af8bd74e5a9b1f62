/* FCLIB's layout: files written here by plain HDF5 calls mean what the layout says, what we write comes back, W and q agree
 * with LAPACK, and nothing in a file is trusted. */
#include <hdf5.h>
#include <lapacke.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/check.h"
#include "support/random_problem.h"

#define SEAL         16 /* bytes behind the HDF5 file proper */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

typedef struct fixture
{
    char directory[64];
    char path[96];
    cairn_context *context;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    strcpy(f->directory, "fclib-XXXXXX");
    f->context = cairn_context_create();
    *state = f;
    if (!mkdtemp(f->directory))
    {
        return -1;
    }
    snprintf(f->path, sizeof f->path, "%s/problem.h5", f->directory);
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    unlink(f->path);
    int left = rmdir(f->directory); /* fails when a test left something behind */
    cairn_context_destroy(f->context);
    free(f);
    return left;
}

static cairn_problem *load(fixture *f)
{
    cairn_problem *problem = NULL;
    if (cairn_problem_load(f->context, f->path, &problem) != CAIRN_OK)
    {
        fail_msg("%s", cairn_context_last_message(f->context));
    }
    assert_true(cairn_problem_is_valid(f->context, problem));
    return problem;
}

static cairn_status try_load(fixture *f)
{
    cairn_problem *problem = NULL;
    cairn_status status = cairn_problem_load(f->context, f->path, &problem);
    assert_true(!status == !!problem);
    assert_true(status == CAIRN_OK || cairn_context_message_count(f->context) > 0);
    cairn_problem_destroy(problem);
    cairn_context_clear(f->context);
    return status;
}

/* ------------------------------------------------------------------------------------------ files by plain HDF5 calls */

static void put(hid_t file, const char *path, hid_t type, hsize_t length, const void *data)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5E_BEGIN_TRY
    {
        H5Ldelete(file, path, H5P_DEFAULT); /* one that is there already */
    }
    H5E_END_TRY
    hid_t space = H5Screate_simple(1, &length, NULL);
    hid_t set = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    if (length > 0 && data)
    {
        assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    }
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

static void put_reals(hid_t file, const char *path, int length, const double *data)
{
    put(file, path, H5T_NATIVE_DOUBLE, (hsize_t)length, data);
}

static void put_ints(hid_t file, const char *path, int length, const int *data)
{
    put(file, path, H5T_NATIVE_INT, (hsize_t)length, data);
}

static void read_set(hid_t file, const char *path, hid_t type, int count, void *data)
{
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Sclose(space);
    H5Dclose(set);
}

/* A dense matrix in one of the three storages: nz 0 stands for triplets. */
static void put_matrix(hid_t file, const char *group, int storage, int m, int n, const double *dense)
{
    int p[64] = {0}, i[64], count = 0;
    double x[64];
    char path[64];
    for (int a = 0; a < (storage == -1 ? n : m); ++a)
    {
        for (int b = 0; b < (storage == -1 ? m : n); ++b)
        {
            double value = storage == -1 ? dense[b * n + a] : dense[a * n + b];
            if (value != 0.0)
            {
                i[count] = storage == 0 ? a : b;
                p[storage == 0 ? count : a + 1] = storage == 0 ? b : count + 1;
                x[count++] = value;
            }
        }
        if (storage != 0)
        {
            p[a + 1] = count;
        }
    }
    int lines = storage == -1 ? n : m;
    const struct
    {
        const char *name;
        int length;
        const int *data;
    } parts[] = {{"m", 1, &m},         {"n", 1, &n},
                 {"nzmax", 1, &count}, {"nz", 1, storage == 0 ? &count : &storage},
                 {"i", count, i},      {"p", storage == 0 ? count : lines + 1, p}};
    for (int k = 0; k < COUNT(parts); ++k)
    {
        snprintf(path, sizeof path, "%s/%s", group, parts[k].name);
        put_ints(file, path, parts[k].length, parts[k].data);
    }
    snprintf(path, sizeof path, "%s/x", group);
    put_reals(file, path, count, x);
}

/* Two unknowns of a particle in the plane and one more: M symmetric, one contact, one joint row. */
static const double M[9] = {2, 0.5, 0, 0.5, 3, 0, 0, 0, 4};
static const double H[6] = {0, 1, 1, 0, 0.25, 0}; /* 3 x 2 */
static const double G[3] = {0, 0, 1};
static const double f_[3] = {1, -2, 8}, w_[2] = {0.1, -0.2}, mu_[1] = {0.5}, b_[1] = {-3};

static void write_global(const char *path, int storage, const double *mass, bool joint)
{
    const int dim = 2;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_ints(file, "fclib_global/spacedim", 1, &dim);
    put_matrix(file, "fclib_global/M", storage, 3, 3, mass);
    put_matrix(file, "fclib_global/H", storage, 3, 2, H);
    put_reals(file, "fclib_global/vectors/f", 3, f_);
    put_reals(file, "fclib_global/vectors/w", 2, w_);
    put_reals(file, "fclib_global/vectors/mu", 1, mu_);
    if (joint)
    {
        put_matrix(file, "fclib_global/G", storage, 3, 1, G);
        put_reals(file, "fclib_global/vectors/b", 1, b_);
    }
    H5Fclose(file);
}

/* W of two contacts in the plane that are coupled, and a third apart; not symmetric. */
static const double W[36] = {2, 0.1, 0.5, 0, 0, 0, 0.11, 2, 0, 0.3, 0, 0, 0.5, 0, 3, 0, 0, 0, 0, 0.31, 0, 3, 0, 0, //
                             0, 0,   0,   0, 4, 0, 0,    0, 0, 0,   0, 5};

static void write_local(const char *path, int storage)
{
    const int dim = 2;
    const double q[6] = {-1, 0.5, -2, 0, 1, 0}, mu[3] = {0.1, 0.2, 0.3};
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_ints(file, "fclib_local/spacedim", 1, &dim);
    put_matrix(file, "fclib_local/W", storage, 6, 6, W);
    put_reals(file, "fclib_local/vectors/q", 6, q);
    put_reals(file, "fclib_local/vectors/mu", 3, mu);
    H5Fclose(file);
}

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
            {
                out[(start[i] + t / columns) * n + start[k] + t % columns] = A->value[A->value_start[e] + t];
            }
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
    {
        if (found[i] != wanted[i])
        {
            fail_msg("number %d is %.17g instead of %.17g", i, found[i], wanted[i]);
        }
    }
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
    fixture *f = *state;
    for (int storage = 0; storage >= -2; --storage)
    {
        write_global(f->path, storage, M, true);
        cairn_problem *problem = load(f);
        assert_int_equal(problem->dim, 2);
        assert_int_equal(problem->law.kind, CAIRN_LAW_CONE);
        assert_int_equal(problem->contact_count, 1);
        assert_int_equal(problem->joint_rows, 1);
        double *A = dense_matrix(problem);
        double *rows = dense_rows(problem, &problem->H, 2);
        double *joints = dense_rows(problem, &problem->G, 1);
        assert_numbers(A, M, 9);
        assert_numbers(rows, (double[6]){H[0], H[2], H[4], H[1], H[3], H[5]}, 6);
        assert_numbers(joints, G, 3);
        assert_numbers(problem->p, f_, 3);
        assert_numbers(problem->w, w_, 2);
        assert_numbers(problem->mu, mu_, 1);
        assert_numbers(problem->b, (double[1]){3}, 1); /* G'v + b = 0 */
        free(A);
        free(rows);
        free(joints);
        cairn_problem_destroy(problem);
    }
}

static void test_one_triangle_is_mirrored(void **state)
{
    fixture *f = *state;
    double upper[9], lower[9];
    for (int i = 0; i < 9; ++i)
    {
        upper[i] = i % 3 >= i / 3 ? M[i] : 0.0;
        lower[i] = i % 3 <= i / 3 ? M[i] : 0.0;
    }
    const double *const halves[] = {upper, lower};
    for (int i = 0; i < 4; ++i)
    {
        write_global(f->path, i / 2 ? -1 : 0, halves[i % 2], false);
        cairn_problem *problem = load(f);
        double *A = dense_matrix(problem);
        assert_numbers(A, M, 9);
        free(A);
        cairn_problem_destroy(problem);
    }
}

/* An unsymmetric W is kept as it is, and cut where nothing couples. */
static void test_local_means_what_the_layout_says(void **state)
{
    fixture *f = *state;
    for (int storage = 0; storage >= -2; --storage)
    {
        write_local(f->path, storage);
        cairn_problem *problem = load(f);
        double found[36], q[6];
        assert_int_equal(problem->n, 0);
        assert_int_equal(problem->patch_count, 2);
        assert_int_equal(problem->patch_start[1], 2);
        assert_int_equal(cairn_problem_delassus(f->context, problem, found, q), CAIRN_OK);
        assert_numbers(found, W, 36);
        assert_numbers(q, (double[6]){-1, 0.5, -2, 0, 1, 0}, 6);
        cairn_problem_destroy(problem);
    }
}

/* Contacts 0 and 2 are coupled, 1 stands alone between them: the islands are put together, identities tell the places in
 * the file, and a file written from that has the file's own order again. */
static void test_islands_are_put_together(void **state)
{
    fixture *f = *state;
    const double mixed[36] = {2, 0, 0, 0, 0.5, 0, 0, 2, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 7, 0, 0, //
                              0, 0, 0, 0, 4,   0, 0, 0, 0, 0, 0, 5};
    const double x[7] = {2, 0.5, 2, 3, 7, 4, 5}, r[6] = {1, 2, 5, 6, 3, 4};
    const int i[7] = {0, 4, 1, 2, 3, 4, 5};
    write_local(f->path, -2);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    put_matrix(file, "fclib_local/W", -2, 6, 6, mixed);
    H5Fclose(file);
    cairn_problem *problem = load(f);
    assert_int_equal(problem->patch_count, 2);
    assert_int_equal(problem->patch_start[1], 2);
    assert_numbers(problem->mu, (double[3]){0.1, 0.3, 0.2}, 3);
    assert_numbers(problem->w, (double[6]){-1, 0.5, 1, 0, -2, 0}, 6);
    assert_true(problem->identity[0] == 1 && problem->identity[1] == 3 && problem->identity[2] == 2);
    cairn_fclib_options options = {.layout = CAIRN_FCLIB_LOCAL, .r = r};
    assert_int_equal(cairn_problem_save_fclib(f->context, problem, f->path, &options), CAIRN_OK);
    cairn_problem_destroy(problem);
    double found[7];
    int columns[7];
    file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    read_set(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, 7, found);
    assert_numbers(found, x, 7);
    read_set(file, "fclib_local/W/i", H5T_NATIVE_INT, 7, columns);
    assert_memory_equal(columns, i, sizeof i);
    read_set(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, 3, found);
    assert_numbers(found, (double[3]){0.1, 0.2, 0.3}, 3);
    read_set(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 6, found);
    assert_numbers(found, (double[6]){-1, 0.5, -2, 0, 1, 0}, 6);
    read_set(file, "solution/r", H5T_NATIVE_DOUBLE, 6, found);
    assert_numbers(found, (double[6]){1, 2, 3, 4, 5, 6}, 6);
    H5Fclose(file);
}

static void test_entries_of_one_place_add_up(void **state)
{
    fixture *f = *state;
    write_global(f->path, 0, M, false);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    put_ints(file, "fclib_global/M/nz", 1, (int[1]){5});
    put_ints(file, "fclib_global/M/i", 5, (int[5]){2, 0, 1, 0, 2});
    put_ints(file, "fclib_global/M/p", 5, (int[5]){2, 0, 1, 0, 2});
    put_reals(file, "fclib_global/M/x", 5, (double[5]){1, 1, 3, 1, 3});
    H5Fclose(file);
    cairn_problem *problem = load(f);
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
    fixture *f = *state;
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
    write_global(f->path, 0, M, false);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    put_ints(file, "fclib_global/M/nz", 1, &count);
    put_ints(file, "fclib_global/M/m", 1, (int[1]){N});
    put_ints(file, "fclib_global/M/n", 1, (int[1]){N});
    put_ints(file, "fclib_global/M/i", count, row);
    put_ints(file, "fclib_global/M/p", count, column);
    put_reals(file, "fclib_global/M/x", count, x);
    put_ints(file, "fclib_global/H/m", 1, (int[1]){N});
    put_reals(file, "fclib_global/vectors/f", N, ones);
    H5Fclose(file);
    cairn_problem *problem = load(f);
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
    fixture *f = *state;
    for (int k = 0; k < 20; ++k)
    {
        cairn_problem *before = test_problem_random(&RECIPES[k % COUNT(RECIPES)], (uint64_t)k);
        cairn_fclib_options options = cairn_fclib_default();
        assert_int_equal(cairn_problem_save_fclib(f->context, before, f->path, &options), CAIRN_OK);
        cairn_problem *after = load(f);
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
        {
            X[i * (m + 1) + k] = rows[k * n + i];
        }
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
            {
                sum += rows[a * n + i] * X[i * (m + 1) + k];
            }
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
    fixture *f = *state;
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
        cairn_problem *after = load(f);
        assert_int_equal(after->n, 0);
        assert_int_equal(cairn_problem_delassus(f->context, after, found, q), CAIRN_OK);
        assert_int_equal(cairn_problem_delassus(f->context, before, NULL, q_alone), CAIRN_OK);
        for (int i = 0; i < m; ++i)
        {
            assert_near(q[i], q_wanted[i], 1e-10);
            assert_near(q_alone[i], q_wanted[i], 1e-10);
        }
        for (int i = 0; i < m * m; ++i)
        {
            assert_near(found[i], wanted[i] + before->R[before->R_start[0] + i], 1e-10);
        }
        assert_int_equal(cairn_problem_save_fclib(f->context, after, f->path, &(cairn_fclib_options){0}),
                         CAIRN_UNSUPPORTED); /* no bodies, no global layout */
        cairn_problem_destroy(after);
        test_problem_destroy(before);
    }
}

static void test_solution_is_stored(void **state)
{
    fixture *f = *state;
    cairn_problem *problem = test_problem_random(&RECIPES[1], 5);
    int rows = problem->dim * problem->contact_count;
    double *numbers = calloc((size_t)(problem->n + rows + problem->joint_rows), sizeof(double));
    for (int i = 0; i < problem->n + rows + problem->joint_rows; ++i)
    {
        numbers[i] = 0.1 * i;
    }
    cairn_fclib_options options = {
        .title = "a title", .v = numbers, .r = numbers + 1, .u = numbers + 2, .l = numbers + 3};
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
        read_set(file, sets[i].path, H5T_NATIVE_DOUBLE, sets[i].count, found);
        assert_numbers(found, sets[i].wanted, sets[i].count);
        free(found);
    }
    H5Fclose(file);
    cairn_problem_destroy(load(f)); /* still a problem */
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
    {
        assert_near(cairn_problem_siconos_error(&problem, CASES[i].q, CASES[i].r, CASES[i].u), CASES[i].error, 1e-15);
    }
}

/* ------------------------------------------------------------------------------------------------------ hostile files */

static char *slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void spill(const char *path, const char *bytes, size_t size)
{
    unlink(path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

typedef struct lie
{
    const char *name;
    int length;
    int values[8];
} lie;

static void test_lies_are_refused(void **state)
{
    static const lie LIES[] = {
        {"spacedim", 1, {4}},
        {"spacedim", 2, {2, 2}},
        {"M/m", 1, {2147483647}},
        {"M/m", 1, {-3}},
        {"M/n", 1, {4}},
        {"M/nz", 1, {-3}},
        {"M/nz", 1, {6}},
        {"M/nz", 1, {2147483647}},
        {"M/nz", 1, {-1}},
        {"M/nz", 1, {-2147483647}},
        {"M/i", 5, {0, 0, 1, 1, 3}},
        {"M/i", 5, {0, 0, -1, 1, 2}},
        {"M/p", 5, {0, 1, 0, 1, 9}},
        {"M/p", 5, {0, 1, 0, 1, -9}},
        {"M/p", 0, {0}},
        {"M/i", 3, {0, 0, 1}},
        {"H/m", 1, {2}},
        {"H/n", 1, {3}},
        {"H/n", 1, {2000000000}},
        {"H/i", 3, {0, 1, 2000000000}},
        {"H/x", 3, {1, 1, 1}},
        {"vectors/f", 3, {1, 1, 1}},
        {"G/n", 1, {2}},
        {"G/n", 1, {-1}},
        {"G/m", 1, {0}},
    };
    fixture *f = *state;
    for (int i = 0; i < COUNT(LIES); ++i)
    {
        char path[64];
        snprintf(path, sizeof path, "fclib_global/%s", LIES[i].name);
        write_global(f->path, 0, M, true);
        hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
        put_ints(file, path, LIES[i].length, LIES[i].values);
        H5Fclose(file);
        if (try_load(f) != CAIRN_INVALID)
        {
            fail_msg("lie %d about %s was believed", i, LIES[i].name);
        }
    }
    /* The start lists of compressed storage. */
    static const lie STARTS[] = {{"W/p", 7, {0, 3, 6, 8, 10, 11, 13}},         {"W/p", 7, {0, 3, 2, 8, 10, 11, 12}},
                                 {"W/p", 7, {1, 3, 6, 8, 10, 11, 12}},         {"W/p", 7, {0, -3, 6, 8, 10, 11, 12}},
                                 {"W/p", 7, {0, 3, 6, 8, 2000000000, 11, 12}}, {"W/p", 6, {0, 3, 6, 8, 10, 11}}};
    for (int i = 0; i < 2 * COUNT(STARTS); ++i)
    {
        write_local(f->path, i % 2 ? -1 : -2);
        assert_int_equal(try_load(f), CAIRN_OK);
        hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
        put_ints(file, "fclib_local/W/p", STARTS[i / 2].length, STARTS[i / 2].values);
        H5Fclose(file);
        assert_int_equal(try_load(f), CAIRN_INVALID);
    }
}

static void test_wrong_numbers_are_refused(void **state)
{
    fixture *f = *state;
    const double nan[3] = {1, NAN, 1}, negative[1] = {-0.5};
    write_global(f->path, 0, M, false);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    put_reals(file, "fclib_global/vectors/f", 3, nan);
    H5Fclose(file);
    assert_int_equal(try_load(f), CAIRN_INVALID);
    write_global(f->path, 0, M, false);
    file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    put_reals(file, "fclib_global/vectors/mu", 1, negative);
    H5Fclose(file);
    assert_int_equal(try_load(f), CAIRN_INVALID);
    /* Two thousand million numbers that were never stored: refused before memory is asked for. */
    write_global(f->path, 0, M, false);
    file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    put_reals(file, "fclib_global/vectors/mu", 2000000000, NULL);
    H5Fclose(file);
    assert_int_equal(try_load(f), CAIRN_INVALID);
}

static void test_what_is_not_supported_is_said(void **state)
{
    fixture *f = *state;
    const int dim = 5;
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_ints(file, "fclib_global_rolling/spacedim", 1, &dim);
    H5Fclose(file);
    assert_int_equal(try_load(f), CAIRN_UNSUPPORTED);
    write_local(f->path, -2);
    file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    put_matrix(file, "fclib_local/V", 0, 6, 1, (double[6]){1, 0, 0, 0, 0, 0});
    H5Fclose(file);
    assert_int_equal(try_load(f), CAIRN_UNSUPPORTED);
}

/* Links that lead out of the file, or around in it, are not followed. */
static void test_links_are_refused(void **state)
{
    fixture *f = *state;
    char other[128];
    snprintf(other, sizeof other, "%s/other.h5", f->directory);
    write_global(other, 0, M, false);
    const char *const names[] = {"fclib_global/M", "fclib_global/vectors/f", "fclib_global/M/x"};
    for (int i = 0; i < 2 * COUNT(names); ++i)
    {
        const char *name = names[i / 2];
        write_global(f->path, 0, M, false);
        hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Lmove(file, name, file, "moved", H5P_DEFAULT, H5P_DEFAULT) >= 0);
        herr_t made = i % 2 ? H5Lcreate_external("other.h5", name, file, name, H5P_DEFAULT, H5P_DEFAULT)
                            : H5Lcreate_soft("/moved", file, name, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(made >= 0);
        H5Fclose(file);
        assert_int_equal(try_load(f), CAIRN_INVALID);
    }
    unlink(other);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* Truncate, and flip random bits; what loads is valid (try_load). Returns how many loads were refused. */
static int damage(fixture *f, char *bytes, size_t size, int flips)
{
    int refused = 0;
    uint64_t random = 1;
    for (size_t length = 0; length < size; length += length < 512 ? 17 : 97)
    {
        spill(f->path, bytes, length);
        try_load(f);
    }
    for (int i = 0; i < flips; ++i)
    {
        random = random * 6364136223846793005u + 1442695040888963407u;
        size_t place = (size_t)(random >> 33) % size;
        char mask = (char)(1 << (random >> 29 & 7));
        bytes[place] = (char)(bytes[place] ^ mask);
        spill(f->path, bytes, size);
        refused += try_load(f) != CAIRN_OK;
        bytes[place] = (char)(bytes[place] ^ mask);
    }
    return refused;
}

/* In a process of its own, since HDF5 1.10 complains at its exit after damaged metadata. */
static void survives(fixture *f, size_t behind, int flips, int least)
{
    size_t size;
    char *bytes = slurp(f->path, &size);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
    {
        int refused = damage(f, bytes, size - behind, flips);
        _exit(refused >= least && refused < flips ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    free(bytes);
}

static void test_damage_does_no_harm(void **state)
{
    fixture *f = *state;
    cairn_problem *problem = test_problem_random(&RECIPES[1], 3);
    cairn_fclib_options options = cairn_fclib_default();
    assert_int_equal(cairn_problem_save_fclib(f->context, problem, f->path, &options), CAIRN_OK);
    survives(f, SEAL, 2000, 50);
    options.layout = CAIRN_FCLIB_LOCAL;
    assert_int_equal(cairn_problem_save_fclib(f->context, problem, f->path, &options), CAIRN_OK);
    survives(f, SEAL, 2000, 50);
    test_problem_destroy(problem);
    write_global(f->path, 0, M, true);
    survives(f, 0, 2000, 50);
    write_local(f->path, -2);
    survives(f, 0, 2000, 50);
}

/* With the seal every flipped bit is found. */
static void test_seal_finds_damage(void **state)
{
    fixture *f = *state;
    size_t size;
    cairn_problem *problem = test_problem_random(&RECIPES[0], 3);
    cairn_fclib_options options = cairn_fclib_default();
    assert_int_equal(cairn_problem_save_fclib(f->context, problem, f->path, &options), CAIRN_OK);
    char *bytes = slurp(f->path, &size);
    for (size_t place = 0; place < size - SEAL; place += 31)
    {
        bytes[place] ^= 4;
        spill(f->path, bytes, size);
        assert_int_equal(try_load(f), CAIRN_INVALID);
        bytes[place] ^= 4;
    }
    free(bytes);
    test_problem_destroy(problem);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

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
        CASE(test_solution_is_stored),
        CASE(test_siconos_error_by_hand),
        CASE(test_lies_are_refused),
        CASE(test_wrong_numbers_are_refused),
        CASE(test_what_is_not_supported_is_said),
        CASE(test_links_are_refused),
        CASE(test_damage_does_no_harm),
        CASE(test_seal_finds_damage),
    };
    return cmocka_run_group_tests_name("fclib_file", tests, NULL, NULL);
}
