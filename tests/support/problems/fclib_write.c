#include "support/problems/fclib_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

int fclib_set_up(void **state)
{
    fclib_fixture *f = calloc(1, sizeof *f);
    strcpy(f->directory, "fclib-XXXXXX");
    f->context = cairn_context_create();
    *state = f;
    if (!mkdtemp(f->directory))
        return -1;
    snprintf(f->path, sizeof f->path, "%s/problem.h5", f->directory);
    return 0;
}

int fclib_tear_down(void **state)
{
    fclib_fixture *f = *state;
    unlink(f->path);
    int left = rmdir(f->directory); /* fails when a test left something behind */
    cairn_context_destroy(f->context);
    free(f);
    return left;
}

cairn_problem *fclib_load(fclib_fixture *f)
{
    cairn_problem *problem = NULL;
    if (cairn_problem_load(f->context, f->path, &problem) != CAIRN_OK)
        fail_msg("%s", cairn_context_last_message(f->context));
    assert_true(cairn_problem_is_valid(f->context, problem));
    return problem;
}

cairn_status fclib_try_load(fclib_fixture *f)
{
    cairn_problem *problem = NULL;
    cairn_status status = cairn_problem_load(f->context, f->path, &problem);
    assert_true(!status == !!problem);
    assert_true(status == CAIRN_OK || cairn_context_message_count(f->context) > 0);
    cairn_problem_destroy(problem);
    cairn_context_clear(f->context);
    return status;
}

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
        assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

void fclib_put_reals(hid_t file, const char *path, int length, const double *data)
{
    put(file, path, H5T_NATIVE_DOUBLE, (hsize_t)length, data);
}

void fclib_put_ints(hid_t file, const char *path, int length, const int *data)
{
    put(file, path, H5T_NATIVE_INT, (hsize_t)length, data);
}

void fclib_read_set(hid_t file, const char *path, hid_t type, int count, void *data)
{
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Sclose(space);
    H5Dclose(set);
}

/* A dense matrix in one of the three storages: nz 0 stands for triplets. */
void fclib_put_matrix(hid_t file, const char *group, int storage, int m, int n, const double *dense)
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
            p[a + 1] = count;
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
    for (int k = 0; k < (int)(sizeof parts / sizeof parts[0]); ++k)
    {
        snprintf(path, sizeof path, "%s/%s", group, parts[k].name);
        fclib_put_ints(file, path, parts[k].length, parts[k].data);
    }
    snprintf(path, sizeof path, "%s/x", group);
    fclib_put_reals(file, path, count, x);
}

/* Two unknowns of a particle in the plane and one more: M symmetric, one contact, one joint row. */
const double FCLIB_M[9] = {2, 0.5, 0, 0.5, 3, 0, 0, 0, 4};
const double FCLIB_H[6] = {0, 1, 1, 0, 0.25, 0}; /* 3 x 2 */
const double FCLIB_G[3] = {0, 0, 1};
const double FCLIB_f[3] = {1, -2, 8}, FCLIB_w[2] = {0.1, -0.2}, FCLIB_mu[1] = {0.5}, FCLIB_b[1] = {-3};

void fclib_write_global(const char *path, int storage, const double *mass, bool joint)
{
    const int dim = 2;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    fclib_put_ints(file, "fclib_global/spacedim", 1, &dim);
    fclib_put_matrix(file, "fclib_global/M", storage, 3, 3, mass);
    fclib_put_matrix(file, "fclib_global/H", storage, 3, 2, FCLIB_H);
    fclib_put_reals(file, "fclib_global/vectors/f", 3, FCLIB_f);
    fclib_put_reals(file, "fclib_global/vectors/w", 2, FCLIB_w);
    fclib_put_reals(file, "fclib_global/vectors/mu", 1, FCLIB_mu);
    if (joint)
    {
        fclib_put_matrix(file, "fclib_global/G", storage, 3, 1, FCLIB_G);
        fclib_put_reals(file, "fclib_global/vectors/b", 1, FCLIB_b);
    }
    H5Fclose(file);
}

/* W of two contacts in the plane that are coupled, and a third apart; not symmetric. */
const double FCLIB_W[36] = {2, 0.1, 0.5, 0, 0, 0, 0.11, 2, 0, 0.3, 0, 0, 0.5, 0, 3, 0, 0, 0, 0, 0.31, 0, 3, 0, 0, //
                            0, 0,   0,   0, 4, 0, 0,    0, 0, 0,   0, 5};

void fclib_write_local(const char *path, int storage)
{
    const int dim = 2;
    const double q[6] = {-1, 0.5, -2, 0, 1, 0}, mu[3] = {0.1, 0.2, 0.3};
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    fclib_put_ints(file, "fclib_local/spacedim", 1, &dim);
    fclib_put_matrix(file, "fclib_local/W", storage, 6, 6, FCLIB_W);
    fclib_put_reals(file, "fclib_local/vectors/q", 6, q);
    fclib_put_reals(file, "fclib_local/vectors/mu", 3, mu);
    H5Fclose(file);
}
