/* Problems with bounded rows at random, and their solutions by enumeration, which shares no code with the library. */
#ifndef TESTS_SUPPORT_BOUNDED_PROBLEM_H
#define TESTS_SUPPORT_BOUNDED_PROBLEM_H

#include "support/problems/random_problem.h"

/* Item j becomes a bounded row: its tangents go, its mu is 0. by -1: bounds are impulses. Memory for the bounds belongs to the
 * problem (test_problem_destroy). */
void test_make_row(cairn_problem *problem, int j, double lo, double hi, int by);

typedef enum test_row_kind
{
    TEST_ROW_LIMIT = 0, /* 0 .. inf */
    TEST_ROW_PULL,      /* -inf .. 0 */
    TEST_ROW_MOTOR,     /* -a .. b */
    TEST_ROW_EQUATION,  /* -inf .. inf */
    TEST_ROW_FIXED,     /* lo = hi */
    TEST_ROW_SHIFTED,   /* both bounds on one side of 0 */
    TEST_ROW_MULTIPLE,  /* -a f .. b f, f the first impulse of a contact or of a limit */
    TEST_ROW_KINDS
} test_row_kind;

/* About `share` of the items become rows of random kinds below `kinds`. Rows that have no bound on one side hold for a body at
 * rest, so that the problem has a solution. */
void test_make_rows(cairn_problem *problem, double share, int kinds, uint64_t seed);

enum
{
    TEST_MOST_ITEMS = 6
};

/* Every v that solves the problem, one below the other, for a problem of at most TEST_MOST_ITEMS items none of which has friction:
 * each is open or closed, at a bound or between; every choice is a linear system, solved in the sense of least squares by LAPACK.
 * Choices that give the same v are listed once. Returns their number, at most `most`. */
int test_enumerate(const cairn_problem *problem, double *v, int most);

/* How far bounded rows are from their law at a solution, N s and m/s: recomputed from the matrices written out in full. */
double test_row_error(const cairn_problem *problem, const cairn_solution *solution);

#endif
