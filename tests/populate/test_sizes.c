/* Radii against their distributions, whose functions are written here with the C library's erf: quantiles, Kolmogorov-Smirnov with fixed
 * seeds, moments, and the masses that a distribution by mass promises. And the generator against its published numbers. */
#include "base/random.h"
#include "populate/sizes.h"

#include "support/check.h"

#include <math.h>
#include <stdlib.h>

enum
{
    COUNT = 20000
};

/* xoshiro256** from the state 1, 2, 3, 4: the first numbers of the authors' program. */
static void test_generator(void **state)
{
    (void)state;
    crn_random random = {{1, 2, 3, 4}};
    static const uint64_t WANTED[] = {UINT64_C(11520), UINT64_C(0), UINT64_C(1509978240),
                                      UINT64_C(1215971899390074240)};
    for (int i = 0; i < 4; i++)
        assert_true(crn_random_next(&random) == WANTED[i]);
    crn_random one = crn_random_start(7, 0), same = crn_random_start(7, 0), other = crn_random_start(7, 1);
    assert_true(crn_random_next(&one) == crn_random_next(&same));
    assert_true(crn_random_next(&one) != crn_random_next(&other));
}

static void test_functions(void **state)
{
    (void)state;
    crn_random random = crn_random_start(5, 0);
    for (int i = 0; i < 20000; i++)
    {
        double x = 1400 * (crn_random_unit(&random) - 0.5) * 0.99, y = exp(0.3 * x), u = crn_random_unit(&random);
        assert_true(fabs(crn_exact_exp(x) / exp(x) - 1) < 1e-13);
        assert_true(fabs(crn_exact_log(y) - log(y)) < 4e-16 * fabs(log(y)) + 1e-16);
        u = i % 2 ? u : u * 1e-12;
        assert_true(fabs(0.5 * erfc(-crn_normal_quantile(u) / sqrt(2)) / u - 1) < 1e-11);
    }
}

/* Turns are even: the images of a vector have mean 0 and the second moments of the sphere. */
static void test_turns(void **state)
{
    (void)state;
    crn_random random = crn_random_start(5, 3);
    double mean[3] = {0}, second[3] = {0};
    for (int i = 0; i < COUNT; i++)
    {
        double q[4];
        crn_random_turn(&random, q);
        assert_true(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-14);
        double z[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                       q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]};
        for (int k = 0; k < 3; k++)
        {
            mean[k] += z[k] / COUNT;
            second[k] += z[k] * z[k] / COUNT;
        }
    }
    for (int k = 0; k < 3; k++)
    {
        assert_true(fabs(mean[k]) < 4 / sqrt(3.0 * COUNT));
        assert_true(fabs(second[k] - 1.0 / 3) < 4 * sqrt(4.0 / 45 / COUNT));
    }
}

/* ------------------------------------------------------------------------------------------------ distributions */

static double normal_below(double z)
{
    return 0.5 * erfc(-z / sqrt(2));
}

/* The share below r, as the options define it. */
static double share_below(const cairn_sizes *o, double r)
{
    if (o->kind == CAIRN_SIZES_UNIFORM)
        return fmin(fmax((r - o->least) / (o->most - o->least), 0), 1);
    if (o->kind == CAIRN_SIZES_TABLE)
    {
        for (int i = 1; i < o->table_count; i++)
        {
            const double *a = o->table + 2 * (i - 1), *b = o->table + 2 * i;
            if (r < b[0] && b[0] > a[0])
                return r < a[0] ? a[1] : a[1] + (b[1] - a[1]) * (r - a[0]) / (b[0] - a[0]);
        }
        return 1;
    }
    bool is_log = o->kind == CAIRN_SIZES_LOGNORMAL;
    double width = is_log ? sqrt(log(1 + pow(o->deviation / o->mean, 2))) : o->deviation;
    double centre = is_log ? log(o->mean) - 0.5 * width * width : o->mean;
    double low = o->least > 0 ? ((is_log ? log(o->least) : o->least) - centre) / width : -3;
    double high = o->most > 0 ? ((is_log ? log(o->most) : o->most) - centre) / width : 3;
    double z = fmin(fmax(((is_log ? log(r) : r) - centre) / width, low), high);
    return (normal_below(z) - normal_below(low)) / (normal_below(high) - normal_below(low));
}

static const double SIEVE[] = {1e-3, 0, 2e-3, 0.1, 4e-3, 0.6, 4e-3, 0.75, 9e-3, 1};

static const cairn_sizes KINDS[] = {
    {.kind = CAIRN_SIZES_UNIFORM, .least = 0.002, .most = 0.005},
    {.kind = CAIRN_SIZES_NORMAL, .mean = 0.01, .deviation = 0.002},
    {.kind = CAIRN_SIZES_NORMAL, .mean = 0.01, .deviation = 0.004, .least = 0.006, .most = 0.012},
    {.kind = CAIRN_SIZES_LOGNORMAL, .mean = 0.01, .deviation = 0.005},
    {.kind = CAIRN_SIZES_LOGNORMAL, .mean = 0.01, .deviation = 0.02, .least = 0.004, .most = 0.08},
    {.kind = CAIRN_SIZES_TABLE, .table = SIEVE, .table_count = 5},
};
enum
{
    KIND_COUNT = sizeof KINDS / sizeof KINDS[0]
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The largest distance between the shares below r, those of a sample (each radius with its weight) and those wanted; jumps are looked at
 * from both sides. */
static double distance(const cairn_sizes *o, double *sample, int weight)
{
    qsort(sample, COUNT, sizeof *sample, ascending);
    double worst = 0, sum = 0, all = 0;
    for (int i = 0; i < COUNT; i++)
        all += pow(sample[i], weight);
    for (int i = 0; i < COUNT; i++)
    {
        double before = sum / all;
        sum += pow(sample[i], weight);
        bool first = i == 0 || sample[i - 1] < sample[i], last = i == COUNT - 1 || sample[i] < sample[i + 1];
        if (first)
            worst = fmax(worst, fabs(before - share_below(o, nextafter(sample[i], 0))));
        if (last)
            worst = fmax(worst, fabs(sum / all - share_below(o, sample[i])));
    }
    return worst;
}

static void draw(const cairn_sizes *o, int dimension, uint64_t seed, double *sample)
{
    crn_sizes *sizes = malloc(sizeof *sizes);
    crn_random random = crn_random_start(seed, 0);
    assert_null(crn_sizes_prepare(o, dimension, sizes));
    for (int i = 0; i < COUNT; i++)
    {
        sample[i] = crn_sizes_draw(sizes, &random);
        assert_true(sample[i] >= sizes->least && sample[i] <= sizes->most);
    }
    free(sizes);
}

/* By number: the statistic stays below its 0.1 % quantile, 1.95/sqrt(n), for every kind and seed here. */
static void test_by_number(void **state)
{
    (void)state;
    static double sample[COUNT];
    for (int kind = 0; kind < KIND_COUNT; kind++)
        for (uint64_t seed = 1; seed <= 3; seed++)
        {
            draw(&KINDS[kind], 3, seed, sample);
            assert_true(distance(&KINDS[kind], sample, 0) < 1.95 / sqrt(COUNT));
        }
}

/* By mass, in the plane and in space: the masses of the sample have the distribution. Grains weigh differently, so the statistic is
 * that of the effective number of grains (sum m)^2 / sum m^2. */
static void test_by_mass(void **state)
{
    (void)state;
    static double sample[COUNT];
    for (int kind = 0; kind < KIND_COUNT; kind++)
        for (int dimension = 2; dimension <= 3; dimension++)
        {
            cairn_sizes o = KINDS[kind];
            o.by_mass = true;
            draw(&o, dimension, 9, sample);
            double sum = 0, squares = 0;
            for (int i = 0; i < COUNT; i++)
            {
                double mass = pow(sample[i], dimension);
                sum += mass;
                squares += mass * mass;
            }
            assert_true(distance(&o, sample, dimension) < 1.95 / sqrt(sum * sum / squares));
            assert_true(distance(&KINDS[kind], sample, 0) > 0.02); /* and by number they have another one */
        }
}

/* Mean and deviation of a normal and a lognormal distribution that are hardly cut off. */
static void test_moments(void **state)
{
    (void)state;
    static double sample[COUNT];
    const cairn_sizes wide[] = {
        {.kind = CAIRN_SIZES_NORMAL, .mean = 0.01, .deviation = 0.001, .least = 0.004, .most = 0.016},
        {.kind = CAIRN_SIZES_LOGNORMAL, .mean = 0.01, .deviation = 0.004, .least = 0.001, .most = 0.1}};
    for (int i = 0; i < 2; i++)
    {
        double mean = 0, square = 0;
        draw(&wide[i], 3, 4, sample);
        for (int k = 0; k < COUNT; k++)
            mean += sample[k] / COUNT;
        for (int k = 0; k < COUNT; k++)
            square += pow(sample[k] - mean, 2) / COUNT;
        assert_true(fabs(mean - 0.01) < 4 * wide[i].deviation / sqrt(COUNT));
        assert_true(fabs(sqrt(square) / wide[i].deviation - 1) < (i == 0 ? 0.02 : 0.06));
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const double FALLS[] = {1e-3, 0, 5e-4, 1}, SHORT[] = {1e-3, 0.1, 2e-3, 1},
                        BACK[] = {1e-3, 0, 2e-3, 0.6, 3e-3, 0.5};
    const cairn_sizes bad[] = {{.kind = CAIRN_SIZES_EQUAL},
                               {.kind = CAIRN_SIZES_EQUAL, .mean = INFINITY},
                               {.kind = CAIRN_SIZES_UNIFORM, .least = 0.1, .most = 0.1},
                               {.kind = CAIRN_SIZES_UNIFORM, .least = 1e-4, .most = 1},
                               {.kind = CAIRN_SIZES_UNIFORM, .least = NAN, .most = 1},
                               {.kind = CAIRN_SIZES_NORMAL, .mean = 1},
                               {.kind = CAIRN_SIZES_NORMAL, .mean = 1, .deviation = 0.5},
                               {.kind = CAIRN_SIZES_NORMAL, .mean = 1, .deviation = 0.1, .least = 3, .most = 4},
                               {.kind = CAIRN_SIZES_LOGNORMAL, .mean = 1, .deviation = -1},
                               {.kind = CAIRN_SIZES_TABLE},
                               {.kind = CAIRN_SIZES_TABLE, .table = FALLS, .table_count = 2},
                               {.kind = CAIRN_SIZES_TABLE, .table = SHORT, .table_count = 2},
                               {.kind = CAIRN_SIZES_TABLE, .table = BACK, .table_count = 3},
                               {.kind = (cairn_sizes_kind)9}};
    crn_sizes *sizes = malloc(sizeof *sizes);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_non_null(crn_sizes_prepare(&bad[i], 3, sizes));
    free(sizes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generator), cmocka_unit_test(test_functions), cmocka_unit_test(test_turns),
        cmocka_unit_test(test_by_number), cmocka_unit_test(test_by_mass),   cmocka_unit_test(test_moments),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
