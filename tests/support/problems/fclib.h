/* Contact problems in FCLIB's HDF5 layout with another law than their own, which is Coulomb's cone. */
#ifndef TESTS_SUPPORT_FCLIB_H
#define TESTS_SUPPORT_FCLIB_H

#include <cairn/problem.h>

/* NULL with a reason (static text) when the file cannot be read or holds what is not supported. Released by
 * test_problem_destroy. */
cairn_problem *test_fclib_read(const char *path, cairn_law law, const char **reason);

#endif
