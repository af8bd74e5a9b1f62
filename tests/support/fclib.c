#include "support/fclib.h"

#include "support/random_problem.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A whole dataset in memory; NULL when it is not there. */
static void *read_all(hid_t file, const char *path, hid_t type, size_t size, int *count)
{
    void *data = NULL;
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0)
    {
        return NULL;
    }
    hid_t space = H5Dget_space(set);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    if (points >= 0)
    {
        data = calloc((size_t)points + 1, size);
        *count = (int)points;
    }
    if (data && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
    {
        free(data);
        data = NULL;
    }
    H5Sclose(space);
    H5Dclose(set);
    return data;
}

static double *read_reals(hid_t file, const char *group, const char *name, int *count)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", group, name);
    return read_all(file, path, H5T_NATIVE_DOUBLE, sizeof(double), count);
}

static int *read_integers(hid_t file, const char *group, const char *name, int *count)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", group, name);
    return read_all(file, path, H5T_NATIVE_INT, sizeof(int), count);
}

static int read_integer(hid_t file, const char *group, const char *name, int otherwise)
{
    int count = 0;
    int *data = read_integers(file, group, name, &count);
    int value = data && count > 0 ? data[0] : otherwise;
    free(data);
    return value;
}

/* Add the entries into `dense`: triplets (nz >= 0), columns (-1) or rows (-2). False when an index is out of range. */
static bool scatter(int nz, int m, int n, const int *p, const int *i, const double *x, int count, double *dense)
{
    int lines = nz == -1 ? n : m;
    bool good = true;
    for (int k = 0; k < nz && good; ++k)
    {
        good = i[k] >= 0 && i[k] < m && p[k] >= 0 && p[k] < n;
        dense[good ? (size_t)i[k] * n + p[k] : 0] += good ? x[k] : 0.0;
    }
    for (int line = 0; line < lines && nz < 0 && good; ++line)
    {
        for (int k = p[line]; k < p[line + 1] && good; ++k)
        {
            good = k >= 0 && k < count && i[k] >= 0 && i[k] < (nz == -1 ? m : n);
            size_t place = nz == -1 ? (size_t)i[k] * n + line : (size_t)line * n + i[k];
            dense[good ? place : 0] += good ? x[k] : 0.0;
        }
    }
    return good;
}

static double *read_matrix(hid_t file, const char *group, int *m, int *n)
{
    int counts[3] = {0, 0, 0};
    int nz = read_integer(file, group, "nz", -9);
    *m = read_integer(file, group, "m", 0);
    *n = read_integer(file, group, "n", 0);
    int *p = read_integers(file, group, "p", &counts[0]);
    int *i = read_integers(file, group, "i", &counts[1]);
    double *x = read_reals(file, group, "x", &counts[2]);
    double *dense = NULL;
    bool complete = p && i && x && *m > 0 && *n > 0 && counts[1] >= counts[2];
    complete = complete && (nz >= 0 ? counts[0] >= nz && counts[2] >= nz : counts[0] > (nz == -1 ? *n : *m));
    if (complete && nz >= -2)
    {
        dense = calloc((size_t)*m * (size_t)*n, sizeof(double));
        if (dense && !scatter(nz, *m, *n, p, i, x, counts[2], dense))
        {
            free(dense);
            dense = NULL;
        }
    }
    free(p);
    free(i);
    free(x);
    return dense;
}

/* M may hold one triangle only, with nothing to say so: mirror it then. */
static void mirror_triangle(double *M, int n)
{
    bool upper = false;
    bool lower = false;
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j < i; ++j)
        {
            lower = lower || M[(size_t)i * n + j] != 0.0;
            upper = upper || M[(size_t)j * n + i] != 0.0;
        }
    }
    for (int i = 0; i < n && lower != upper; ++i)
    {
        for (int j = 0; j < i; ++j)
        {
            double value = M[(size_t)i * n + j] + M[(size_t)j * n + i];
            M[(size_t)i * n + j] = M[(size_t)j * n + i] = value;
        }
    }
}

static cairn_problem *read_local(hid_t file, cairn_law law, const char **reason)
{
    int m = 0, n = 0, rows = 0, contacts = 0;
    double *W = read_matrix(file, "fclib_local/W", &m, &n);
    double *q = read_reals(file, "fclib_local/vectors", "q", &rows);
    double *mu = read_reals(file, "fclib_local/vectors", "mu", &contacts);
    int dim = read_integer(file, "fclib_local", "spacedim", 0);
    cairn_problem *problem = NULL;
    *reason = "the local problem is incomplete";
    if (W && q && mu && m == n && m == rows && rows == dim * contacts)
    {
        test_dense dense = {.dim = dim, .law = law, .contact_count = contacts, .w = q, .mu = mu, .R = W};
        problem = test_problem_from_dense(&dense);
    }
    free(W);
    free(q);
    free(mu);
    return problem;
}

static double *transposed(const double *H, int m, int n)
{
    double *out = calloc((size_t)m * (size_t)n + 1, sizeof(double));
    for (int i = 0; i < m && out; ++i)
    {
        for (int j = 0; j < n; ++j)
        {
            out[(size_t)j * m + i] = H[(size_t)i * n + j];
        }
    }
    return out;
}

/* Blocks of 6 when M couples nothing across them, else one block. */
static int choose_blocks(const double *M, int n, int *sizes)
{
    bool split = n % 6 == 0;
    for (int i = 0; i < n && split; ++i)
    {
        for (int j = 0; j < n && split; ++j)
        {
            split = i / 6 == j / 6 || M[(size_t)i * n + j] == 0.0;
        }
    }
    int blocks = split ? n / 6 : 1;
    for (int i = 0; i < blocks; ++i)
    {
        sizes[i] = split ? 6 : n;
    }
    return blocks;
}

static cairn_problem *read_global(hid_t file, cairn_law law, const char **reason)
{
    int m = 0, n = 0, H_rows = 0, rows = 0, f_rows = 0, w_rows = 0, contacts = 0;
    double *M = read_matrix(file, "fclib_global/M", &m, &n);
    double *H = read_matrix(file, "fclib_global/H", &H_rows, &rows);
    double *f = read_reals(file, "fclib_global/vectors", "f", &f_rows);
    double *w = read_reals(file, "fclib_global/vectors", "w", &w_rows);
    double *mu = read_reals(file, "fclib_global/vectors", "mu", &contacts);
    int dim = read_integer(file, "fclib_global", "spacedim", 0);
    cairn_problem *problem = NULL;
    *reason = "the global problem is incomplete";
    if (M && H && f && w && mu && m == n && H_rows == n && f_rows == n && w_rows == rows && rows == dim * contacts)
    {
        int *sizes = calloc((size_t)n, sizeof(int));
        double *contact_rows = transposed(H, n, rows);
        mirror_triangle(M, n);
        test_dense dense = {.dim = dim,
                            .law = law,
                            .block_count = choose_blocks(M, n, sizes),
                            .block_size = sizes,
                            .A = M,
                            .p = f,
                            .contact_count = contacts,
                            .H = contact_rows,
                            .w = w,
                            .mu = mu};
        problem = test_problem_from_dense(&dense);
        free(sizes);
        free(contact_rows);
    }
    free(M);
    free(H);
    free(f);
    free(w);
    free(mu);
    return problem;
}

cairn_problem *test_fclib_read(const char *path, cairn_law law, const char **reason)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    cairn_problem *problem = NULL;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    *reason = "neither a local nor a global problem";
    if (file < 0)
    {
        *reason = "not an HDF5 file";
        return NULL;
    }
    if (H5Lexists(file, "fclib_local", H5P_DEFAULT) > 0)
    {
        problem = read_local(file, law, reason);
    }
    else if (H5Lexists(file, "fclib_global", H5P_DEFAULT) > 0)
    {
        problem = read_global(file, law, reason);
    }
    H5Fclose(file);
    return problem;
}
