/* The dense factorisation of definite matrices and the null spaces, against LAPACK and by construction, at sizes around those at which rows are taken
 * side by side. */
#include "linalg/definite.h"
#include "support/check.h"
#include "support/problems/random_problem.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

/* B B' with B of m rows and `rank` columns, and `shift` on the diagonal. */
static void fill(test_random *random, int m, int rank, double shift, double *H)
{
    double *B = malloc(sizeof(double) * (size_t)(m * rank));
    assert_non_null(B);
    for (int i = 0; i < m * rank; ++i)
        B[i] = test_uniform(random, -1, 1);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
        {
            H[i * m + j] = i == j ? shift : 0.0;
            for (int k = 0; k < rank; ++k)
                H[i * m + j] += B[i * rank + k] * B[j * rank + k];
        }
    free(B);
}

static void factors_are_those_of_lapack(void **state)
{
    (void)state;
    static const int SIZE[] = {1, 2, 47, 48, 55, 56, 57, 63, 64, 120, 201};
    test_random random = {7};
    for (size_t n = 0; n < sizeof SIZE / sizeof SIZE[0]; ++n)
    {
        int m = SIZE[n];
        double *H = malloc(sizeof(double) * (size_t)(m * m)), *L = malloc(sizeof(double) * (size_t)(m * m));
        assert_true(H && L);
        fill(&random, m, m, 0.1, H);
        memcpy(L, H, sizeof(double) * (size_t)(m * m));
        assert_true(crn_definite_factorise(m, H));
        assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', m, L, m), 0);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j <= i; ++j)
                assert_near(H[i * m + j], L[i * m + j], 1e-11 * L[0] * m);
        free(H);
        free(L);
    }
}

/* A negative entry late on the diagonal, within and after the rows that are taken side by side. */
static void indefinite_matrices_are_refused(void **state)
{
    (void)state;
    static const int BAD[] = {0, 47, 48, 53, 56, 98, 99};
    enum
    {
        M = 100
    };
    double *H = malloc(sizeof(double) * M * M);
    assert_non_null(H);
    for (size_t n = 0; n < sizeof BAD / sizeof BAD[0]; ++n)
    {
        test_random random = {n + 1};
        fill(&random, M, M, 0.1, H);
        H[BAD[n] * M + BAD[n]] = -1e-3;
        assert_false(crn_definite_factorise(M, H));
    }
    free(H);
}

static void null_spaces_are_counted(void **state)
{
    (void)state;
    static const int SIZE[] = {1, 3, 4, 5, 30, 61};
    test_random random = {11};
    for (size_t n = 0; n < sizeof SIZE / sizeof SIZE[0]; ++n)
        for (int lost = 0; lost < SIZE[n]; lost += 1 + SIZE[n] / 5)
        {
            int m = SIZE[n];
            double *H = malloc(sizeof(double) * (size_t)(m * m)), *copy = malloc(sizeof(double) * (size_t)(m * m));
            assert_true(H && copy);
            fill(&random, m, m - lost, 0.0, H);
            memcpy(copy, H, sizeof(double) * (size_t)(m * m));
            assert_int_equal(crn_nullity(m, copy, 1e-9), lost);
            assert_int_equal(crn_nullity_monotone(m, H, 1e-9), lost);
            free(H);
            free(copy);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_those_of_lapack),
        cmocka_unit_test(indefinite_matrices_are_refused),
        cmocka_unit_test(null_spaces_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
