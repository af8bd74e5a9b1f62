/* Contact problems in FCLIB's HDF5 layout, as one-step problems.
 *
 *     local    u = W r + q                       no bodies at all: H has no entries, W is one dense patch of R
 *     global   M v = H r + f,   u = H'v + w      one block of A where M is not block-diagonal, else blocks of 6
 *
 * Their law is Coulomb's cone; the test's law, given by the caller, stands in its place.
 */
#ifndef TESTS_SUPPORT_FCLIB_H
#define TESTS_SUPPORT_FCLIB_H

#include <cairn/problem.h>

/* NULL with a reason when the file cannot be read or holds what is not supported. */
cairn_problem *test_fclib_read(const char *path, cairn_law law, const char **reason);

#endif
