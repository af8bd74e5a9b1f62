/* Dense elimination: P A = L U, with |L| <= 1, for all sizes around those of the blocks that it works in, with zeros and without; and
 * rows that depend on others. */
#include "linalg/lu.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MOST = 41
};

/* A pseudo-random number in [-1, 1]. */
static double next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed / 9.3e18;
}

static void fill(int n, double zeros, uint64_t *seed, double *A)
{
    for (int i = 0; i < n * n; ++i)
        A[i] = 0.5 * (next(seed) + 1) < zeros ? 0.0 : next(seed);
    for (int i = 0; i < n; ++i)
        A[i * n + (i * 7 + 3) % n] += 3.0; /* pivots off the diagonal */
}

static void product_is_the_matrix(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int n = 1; n <= MOST; ++n)
    {
        for (int zeros = 0; zeros < 3; ++zeros)
        {
            double A[MOST * MOST], F[MOST * MOST];
            int row[MOST];
            fill(n, 0.4 * zeros, &seed, A);
            memcpy(F, A, sizeof F);
            if (!crn_lu_factorise(n, F, n, row, 1e-15))
                continue; /* singular by chance: many zeros */
            for (int i = 0; i < n; ++i)
            {
                for (int j = 0; j < n; ++j)
                {
                    double sum = i <= j ? F[i * n + j] : 0.0;
                    for (int k = 0; k <= j && k < i; ++k)
                        sum += F[i * n + k] * F[k * n + j];
                    assert_near(sum, A[row[i] * n + j], 1e-12);
                    assert_true(i <= j || fabs(F[i * n + j]) <= 1.0);
                }
            }
        }
    }
}

static void dependent_rows_are_found(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 2; n <= MOST; ++n)
    {
        double A[MOST * MOST];
        int row[MOST];
        fill(n, 0.0, &seed, A);
        memcpy(A + (size_t)(n - 1) * (size_t)n, A, (size_t)n * sizeof(double));
        assert_false(crn_lu_factorise(n, A, n, row, 1e-13));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_is_the_matrix),
        cmocka_unit_test(dependent_rows_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
