/* Running one iterative method (solve/method.h) on a problem and judging its answer from the problem alone. */
#ifndef TESTS_SUPPORT_METHOD_CHECK_H
#define TESTS_SUPPORT_METHOD_CHECK_H

#include "solve/auto/method.h"

typedef struct method_run
{
    cairn_status status;
    cairn_solution solution; /* owned */
    crn_method_report report;
    cairn_certificate certificate;
    double seconds;
} method_run;

/* Solve from the guess r (NULL: zero). */
method_run method_solve(const crn_method *method, const cairn_problem *problem, double tolerance, int max_iterations,
                        const double *guess);
void method_release(method_run *run);

/* The largest difference of the two velocities, as a share of the certificate's scale. */
double method_difference(const method_run *a, const method_run *b);

/* v of the problem by Lemke's method; NULL when it did not solve it. The caller frees it. */
double *method_lemke(const cairn_problem *problem);

/* All of FCLIB's files under the law: a printed table; how many of the `count` tried were solved to the tolerance.
 * -1: no files. */
int method_fclib_table(const crn_method *method, cairn_law law, double tolerance, int max_iterations, int *count);

#endif
