/* Contact problems in the HDF5 layout of FCLIB, the collection of friction contact problems.
 *
 *     local    u = W r + q                                   no bodies: H is empty, W the compliance R in patches
 *     global   M v = H r + f + G l,  u = H'v + w,  G'v + b = 0     A = M, p = f, contact rows H', joint rows G', b -> -b
 *
 * The law is Coulomb's cone; the layout has no way to name another. Matrices are triplets (nz >= 0: i rows, p columns),
 * compressed columns (-1) or compressed rows (-2). M may be given by one triangle, with nothing to say so.
 */
#ifndef CRN_PROBLEM_FCLIB_FILE_H
#define CRN_PROBLEM_FCLIB_FILE_H

#include "base/context.h"
#include "cairn/problem.h"
#include "problem/sparse.h"

#include <hdf5.h>

/* True when the open file has one of FCLIB's root groups. HDF5's printing must be off, here and below. */
bool crn_fclib_is(hid_t file);

/* Fill a zeroed problem, law cone. Nothing in the file is trusted: sizes are checked before memory is allocated. On
 * failure the caller releases the problem with what was filled in. `size`: bytes of the whole file. */
cairn_status crn_fclib_read(cairn_context *context, const char *path, hid_t file, size_t size, cairn_problem *problem);

/* The contents of a file; matrices and vectors that a layout lacks are empty. */
typedef struct crn_fclib_data
{
    int dim, contacts;
    int n;          /* 0: local */
    int joint_rows; /* columns of G */
    crn_sparse M;   /* n x n, whole */
    crn_sparse H;   /* contact rows x n: the file's H transposed */
    crn_sparse G;   /* joint rows x n: the file's G transposed */
    crn_sparse W;   /* contact rows squared */
    double *f, *w, *b, *mu;
    int *order; /* per contact: its place in the file; NULL: the same */
} crn_fclib_data;

/* Put the contacts of a local problem in the order of its islands; false when memory ran out. */
bool crn_fclib_order(crn_fclib_data *data);

/* Build the one-step problem: choose blocks and cut patches. The problem takes over f, w, b and mu. */
cairn_status crn_fclib_form(cairn_context *context, const char *path, crn_fclib_data *data, cairn_problem *problem);

#endif
