/* One-step problems for tests: from dense matrices, and at random in the class Theorem 2.2 of Anitescu & Potra 2002 covers. */
#ifndef TESTS_SUPPORT_RANDOM_PROBLEM_H
#define TESTS_SUPPORT_RANDOM_PROBLEM_H

#include <cairn/solver.h>

/* A seeded sequence (splitmix64), the same on every machine. */
typedef struct test_random
{
    uint64_t state;
} test_random;

double test_uniform(test_random *random, double low, double high);
int test_integer(test_random *random, int low, int high); /* low .. high, both included */

/* Dense data, row-major, n columns; NULL stands for zero. R (contact rows squared) becomes one patch. */
typedef struct test_dense
{
    int dim;
    cairn_law law;
    int block_count;
    const int *block_size;
    const double *A, *p;
    int joint_rows, rows_per_joint; /* 0: two rows per joint */
    const double *G, *R_c, *b;
    int contact_count;
    const double *H, *w, *mu;
    const double *R;
} test_dense;

/* The block-sparse problem; blocks that are all zero are left out, the diagonal's aside. NULL: no memory. */
cairn_problem *test_problem_from_dense(const test_dense *dense);
void test_problem_destroy(cairn_problem *problem);

/* What a random problem is to be like. */
typedef struct test_recipe
{
    int dim;
    cairn_law law;
    int bodies;
    int contacts;
    int joints;        /* joint rows; about a third of them depend on others */
    double mass_ratio; /* masses spread over 1 .. this */
    double mu;         /* largest coefficient */
    double skew;       /* size of A's antisymmetric part against its symmetric one */
    bool coupled;      /* springs between bodies */
    bool gaps;         /* w_n >= 0 instead of 0 */
    bool redundant;    /* about half of the contacts repeat others */
    bool compliant;    /* R_c > 0 and R positive definite */
} test_recipe;

cairn_problem *test_problem_random(const test_recipe *recipe, uint64_t seed);

/* A stack of `height` unit cubes of mass 1 on the ground, four corner contacts an interface, all data exactly
 * symmetric: velocities 0, gravity 9.81, step h. push: a sideways speed of the top cube. */
cairn_problem *test_problem_stack(int height, cairn_law law, double mu, double h, double push);

#endif
