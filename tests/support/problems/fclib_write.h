/* Files in FCLIB's layout by plain HDF5 calls, for tests of what reads them; and a directory to write them in. */
#ifndef TESTS_SUPPORT_FCLIB_WRITE_H
#define TESTS_SUPPORT_FCLIB_WRITE_H

#include <cairn/problem.h>

#include <hdf5.h>

typedef struct fclib_fixture
{
    char directory[64];
    char path[96];
    cairn_context *context;
} fclib_fixture;

/* An empty directory and a path in it; the end fails when something else was left behind. */
int fclib_set_up(void **state);
int fclib_tear_down(void **state);

/* The file at the path, which must be good. */
cairn_problem *fclib_load(fclib_fixture *f);
/* The file at the path, good or not: what loads is released, what is refused left a message. */
cairn_status fclib_try_load(fclib_fixture *f);

/* Lists, in place of those that are there. */
void fclib_put_reals(hid_t file, const char *path, int length, const double *data);
void fclib_put_ints(hid_t file, const char *path, int length, const int *data);
void fclib_read_set(hid_t file, const char *path, hid_t type, int count, void *data);
/* A dense matrix of up to 63 entries in one of the three storages: 0 triplets, -1 columns, -2 rows. */
void fclib_put_matrix(hid_t file, const char *group, int storage, int m, int n, const double *dense);

/* A global problem in the plane: three unknowns, one contact, with or without one joint row. */
extern const double FCLIB_M[9], FCLIB_H[6], FCLIB_G[3], FCLIB_f[3], FCLIB_w[2], FCLIB_mu[1], FCLIB_b[1];
void fclib_write_global(const char *path, int storage, const double *mass, bool joint);

/* A local problem in the plane: two contacts that are coupled, and a third apart; W is not symmetric. */
extern const double FCLIB_W[36];
void fclib_write_local(const char *path, int storage);

#endif
