/* The positive part of random and special matrices against all of their eigenvalues. */
#include "math/positive_part.h"
#include "math/symmetric.h"
#include "math/vec.h"
#include "support/check.h"
#include "support/worlds.h"

#include <math.h>
#include <string.h>

/* The part of A, which is one of four matrices; the others are A turned and stretched. */
static bool positive_part(const double A[9], double out[9])
{
    static const double FACTOR[LANES] = {1.0, -2.0, 0.0, 1e9};
    static int last;
    lanes four[9], part[9];
    int own = last = (last + 1) % LANES;
    for (int i = 0; i < 9; ++i)
        for (int l = 0; l < LANES; ++l)
            four[i][l] = l == own ? A[i] : FACTOR[l] * A[8 - i];
    lane_bits some = crn_positive_parts(four, part);
    for (int i = 0; i < 9; ++i)
        out[i] = some[own] ? part[i][own] : 0.0;
    return some[own] != 0;
}

/* The largest difference from the sum over all positive eigenvalues. */
static void check_part(const double A[9])
{
    double vectors[9], value[3], work[3], part[9], expected[9] = {0}, size = 0;
    memcpy(vectors, A, sizeof vectors);
    assert_true(crn_symmetric_eigen(3, vectors, value, work));
    for (int e = 0; e < 3; ++e)
    {
        size = fmax(size, fabs(value[e]));
        for (int i = 0; i < 9; ++i)
            expected[i] += fmax(value[e], 0) * vectors[3 * e + i / 3] * vectors[3 * e + i % 3];
    }
    bool any = positive_part(A, part);
    assert_true(any == (value[2] > 0) || fabs(value[2]) < 1e-15 * size);
    for (int i = 0; i < 9; ++i)
        assert_near(part[i], expected[i], 1e-11 * size);
}

/* A = sum of value x x' with the rows of a random rotation. */
static void compose(uint64_t *seed, const double value[3], double A[9])
{
    double phi[3], q[4], R[9];
    for (int k = 0; k < 3; ++k)
        phi[k] = random_in(seed, -3, 3);
    crn_quaternion_exp(phi, q);
    crn_quaternion_to_matrix(q, R);
    memset(A, 0, sizeof(double[9]));
    for (int e = 0; e < 3; ++e)
        for (int i = 0; i < 9; ++i)
            A[i] += value[e] * R[3 * e + i / 3] * R[3 * e + i % 3];
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 2000; ++trial)
    {
        double A[9], scale = pow(10, random_in(&seed, -12, 12));
        const double value[3] = {scale * random_in(&seed, -1, 1), scale * random_in(&seed, -1, 1),
                                 scale * random_in(&seed, -1, 1)};
        compose(&seed, value, A);
        check_part(A);
    }
}

/* Links of a chain have two equal eigenvalues; others are zero, or all the same. */
static void test_repeated(void **state)
{
    (void)state;
    uint64_t seed = 4;
    const double values[][3] = {{1, 1, -1},  {-1, -1, 1}, {1, 1, 1},        {-1, -1, -1},     {5, 5, -1e-3},
                                {1, -1, -1}, {2, 0, -1},  {1e-9, 1, -1e-9}, {3, 3, -3 - 1e-9}};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k)
    {
        for (int trial = 0; trial < 50; ++trial)
        {
            double A[9];
            compose(&seed, values[k], A);
            check_part(A);
        }
    }
    const double diagonal[9] = {2, 0, 0, 0, -1, 0, 0, 0, 3}, none[9] = {0}, bad[9] = {NAN};
    double out[9];
    check_part(diagonal);
    assert_false(positive_part(none, out));
    assert_false(positive_part(bad, out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
