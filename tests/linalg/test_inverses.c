/* Inverses of diagonal blocks against the blocks themselves: diagonal ones, half coupled ones as bodies with a gyroscopic term
 * have, dense ones, and large ones whose factors are kept. */
#include "support/check.h"
#include "support/problems/random_problem.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/four_bodies.h"
#include "linalg/inverses.h"

enum
{
    BLOCKS = 6,
    MOST = 20
};

static const int SIZES[BLOCKS] = {3, 6, 6, 6, 20, 1};
static const int LEADS[BLOCKS] = {3, 6, 3, 0, 4, 1};

/* A well conditioned block that is diagonal in its first `lead` rows. */
static void fill_block(test_random *random, int size, int lead, double *block)
{
    memset(block, 0, (size_t)(size * size) * sizeof(double));
    for (int i = 0; i < size; ++i)
    {
        for (int j = lead; j < size && i >= lead; ++j)
            block[i * size + j] = test_uniform(random, -1.0, 1.0);
        block[i * size + i] = test_uniform(random, 1.0, 2.0) + size;
    }
}

static cairn_problem *make_problem(uint64_t seed)
{
    test_random random = {seed};
    int n = 0;
    for (int i = 0; i < BLOCKS; ++i)
        n += SIZES[i];
    double *A = calloc((size_t)(n * n), sizeof(double));
    for (int i = 0, first = 0; i < BLOCKS; first += SIZES[i++])
    {
        double block[MOST * MOST];
        fill_block(&random, SIZES[i], LEADS[i], block);
        for (int k = 0; k < SIZES[i] * SIZES[i]; ++k)
            A[(first + k / SIZES[i]) * n + first + k % SIZES[i]] = block[k];
    }
    test_dense dense = {.dim = 3, .block_count = BLOCKS, .block_size = SIZES, .A = A};
    cairn_problem *problem = test_problem_from_dense(&dense);
    free(A);
    return problem;
}

static const double *block_of(const cairn_problem *problem, int i)
{
    return problem->A.value + problem->A.value_start[problem->A.row_start[i]];
}

/* A x = b holds for x = A^-1 b. */
static void check_solution(const double *A, int size, const double *x, const double *b)
{
    for (int i = 0; i < size; ++i)
    {
        double sum = 0.0;
        for (int j = 0; j < size; ++j)
            sum += A[i * size + j] * x[j];
        assert_near(sum, b[i], 1e-13);
    }
}

static void inverses_invert(void **state)
{
    (void)state;
    crn_inverses inverses = {0};
    for (uint64_t seed = 0; seed < 20; ++seed)
    {
        cairn_problem *problem = make_problem(seed);
        test_random random = {seed + 100};
        int singular;
        assert_int_equal(crn_inverses_make(&inverses, problem, INT_MAX, &singular), CAIRN_OK);
        assert_int_equal(singular, -1);
        for (int i = 0; i < BLOCKS; ++i)
        {
            int size = SIZES[i];
            double B[3 * MOST], X[3 * MOST], x[MOST] = {0.0};
            double trace = 0.0;
            assert_int_equal(inverses.lead[i], LEADS[i]);
            for (int k = 0; k < 3 * size; ++k)
                B[k] = test_uniform(&random, -1.0, 1.0);
            crn_inverses_add(&inverses, i, B, x);
            check_solution(block_of(problem, i), size, x, B);
            crn_inverses_product(&inverses, i, 3, B, X);
            for (int k = 0; k < 3 * size; ++k)
                trace += B[k] * X[k];
            for (int k = 0; k < 3; ++k)
                check_solution(block_of(problem, i), size, X + k * size, B + k * size);
            assert_near(crn_inverses_trace(&inverses, i, 3, B), trace, 1e-13);
        }
        test_problem_destroy(problem);
    }
    crn_inverses_release(&inverses);
}

static void bad_blocks_are_named(void **state)
{
    (void)state;
    crn_inverses inverses = {0};
    for (int bad = 0; bad < BLOCKS; ++bad)
    {
        cairn_problem *problem = make_problem(7);
        double *block = problem->A.value + problem->A.value_start[problem->A.row_start[bad]];
        int singular;
        assert_int_equal(crn_inverses_make(&inverses, problem, INT_MAX, &singular), CAIRN_OK);
        assert_true(crn_inverses_is_positive(&inverses, bad) == (LEADS[bad] == SIZES[bad]));
        block[0] = -block[0];
        assert_int_equal(crn_inverses_make(&inverses, problem, INT_MAX, &singular), CAIRN_OK);
        assert_false(crn_inverses_is_positive(&inverses, bad));
        memset(block, 0, (size_t)SIZES[bad] * sizeof(double)); /* a row */
        assert_int_equal(crn_inverses_make(&inverses, problem, INT_MAX, &singular), CAIRN_OK);
        assert_int_equal(singular, bad);
        assert_int_equal(crn_inverses_make(&inverses, problem, 8, &singular), CAIRN_OK);
        assert_int_equal(singular, SIZES[bad] > 8 ? -1 : bad);
        test_problem_destroy(problem);
    }
    crn_inverses_release(&inverses);
}

static void zeros_have_two_signs(void **state)
{
    (void)state;
    double block[9] = {1.0, -0.0, 0.0, 0.0, -2.0, -0.0, 0.0, 0.0, 3.0};
    assert_true(crn_block_is_diagonal(3, block));
    for (int k = 0; k < 9; ++k)
    {
        double kept = block[k];
        block[k] = 4e-324; /* the smallest there is */
        assert_true(crn_block_is_diagonal(3, block) == (k % 4 == 0));
        block[k] = kept;
    }
    assert_true(crn_block_is_diagonal(1, block));
    assert_true(crn_block_is_diagonal(0, block));
}

/* --------------------------------------------------------------------------------------------------------- four bodies */

/* A body in space: masses, and turns of which any column may hold the pivot. */
static void fill_body(test_random *random, double A[36])
{
    memset(A, 0, 36 * sizeof(double));
    for (int k = 0; k < 3; ++k)
        A[7 * k] = test_uniform(random, 0.5, 2.0);
    for (int k = 0; k < 9; ++k)
        A[21 + 6 * (k / 3) + k % 3] = test_uniform(random, -1.0, 1.0);
}

static double determinant(const double *A)
{
    return A[0] * (A[7] * A[14] - A[8] * A[13]) - A[1] * (A[6] * A[14] - A[8] * A[12]) +
           A[2] * (A[6] * A[13] - A[7] * A[12]);
}

/* A X = I where all four can be inverted, whatever their pivots; with -0 beside the masses too. */
static void four_bodies_are_inverted(void **state)
{
    (void)state;
    test_random random = {5};
    for (int trial = 0; trial < 500; ++trial)
    {
        double A[4][36], X[4][36] = {{0}}, least = 1.0;
        for (int l = 0; l < 4; ++l)
        {
            fill_body(&random, A[l]);
            least = fmin(least, fabs(determinant(A[l] + 21)));
            A[l][trial % 6 == 1 ? 2 : 1] = -0.0;
        }
        const double *from[4] = {A[0], A[1], A[2], A[3]};
        assert_true(crn_four_bodies_invert(from, (double *[]){X[0], X[1], X[2], X[3]}));
        for (int k = 0; k < 4 * 36; ++k)
        {
            double sum = 0;
            for (int j = 0; j < 6; ++j)
                sum += A[k / 36][k % 36 / 6 * 6 + j] * X[k / 36][6 * j + k % 6];
            assert_near(sum, k % 36 % 7 == 0 ? 1.0 : 0.0, 1e-14 / least);
        }
    }
}

/* A coupling of the translations of one of the four, a missing mass, a missing pivot, or a first turn that couples with nothing. */
static void other_bodies_are_left(void **state)
{
    (void)state;
    test_random random = {6};
    for (int at = 0; at < 36; ++at)
    {
        double A[4][36], X[4][36];
        bool linear = at < 18 || at % 6 < 3, mass = linear && at % 7 == 0;
        for (int l = 0; l < 4; ++l)
            fill_body(&random, A[l]);
        A[at % 4][at] = mass ? 0.0 : 0.1;
        const double *from[4] = {A[0], A[1], A[2], A[3]};
        assert_true(crn_four_bodies_invert(from, (double *[]){X[0], X[1], X[2], X[3]}) == !linear);
    }
    double A[4][36], X[4][36];
    const double *from[4] = {A[0], A[1], A[2], A[3]};
    for (int kind = 0; kind < 2; ++kind)
    {
        for (int l = 0; l < 4; ++l)
            fill_body(&random, A[l]);
        for (int k = 0; k < 3; ++k)
            A[2][21 + (kind ? 6 * k : k)] = kind ? 0.0 : A[2][27 + k];
        assert_false(crn_four_bodies_invert(from, (double *[]){X[0], X[1], X[2], X[3]}));
    }
    fill_body(&random, A[2]);
    A[2][22] = A[2][23] = A[2][27] = A[2][33] = 0.0;
    assert_false(crn_four_bodies_invert(from, (double *[]){X[0], X[1], X[2], X[3]}));
}

/* By Sylvester's criterion: all leading minors of the symmetric part are positive. */
static bool is_definite(const double A[36])
{
    double S[18] = {0};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            S[6 * i + j] = 0.5 * (A[21 + 6 * i + j] + A[21 + 6 * j + i]);
    return S[0] > 0 && S[0] * S[7] - S[1] * S[6] > 0 && determinant(S) > 0;
}

static void definite_bodies_are_known(void **state)
{
    (void)state;
    test_random random = {7};
    int definite = 0, trials = 4000;
    for (int trial = 0; trial < trials; ++trial)
    {
        double A[4][36];
        bool all = true;
        for (int l = 0; l < 4; ++l)
        {
            fill_body(&random, A[l]);
            for (int k = 0; k < 3; ++k)
                A[l][21 + 7 * k] += 1.3;
            all = all && is_definite(A[l]);
        }
        const double *from[4] = {A[0], A[1], A[2], A[3]};
        assert_true(crn_four_bodies_are_definite(from) == all);
        definite += all;
        A[trial % 4][7 * (trial % 3)] *= -1.0;
        assert_false(crn_four_bodies_are_definite(from));
    }
    assert_true(definite > trials / 20 && definite < trials - trials / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverses_invert),       cmocka_unit_test(bad_blocks_are_named),
        cmocka_unit_test(zeros_have_two_signs),  cmocka_unit_test(four_bodies_are_inverted),
        cmocka_unit_test(other_bodies_are_left), cmocka_unit_test(definite_bodies_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
