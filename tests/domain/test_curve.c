/* The curve, its cuts, and who is near whom. */
#include "domain/curve.h"
#include "domain/cut.h"

#include "base/random.h"
#include "support/check.h"
#include "support/thread_ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LOW[3] = {-1, 0, 2}, HIGH[3] = {7, 8, 10};

static void centre_of(const crn_curve *curve, int i, int j, int k, double x[3])
{
    double cell = ldexp(curve->side, -curve->levels);
    const int at[3] = {i, j, k};
    for (int a = 0; a < 3; ++a)
        x[a] = curve->low[a] + (at[a] + 0.5) * cell;
}

/* Hilbert: every cell once, and from each to a neighbour. */
static void test_walk(void **unused)
{
    (void)unused;
    crn_curve curve = crn_curve_over(LOW, HIGH, 1.0);
    assert_int_equal(curve.levels, 3);
    int place[512][3];
    bool seen[512] = {false};
    for (int i = 0; i < 512; ++i)
    {
        double x[3];
        const int at[3] = {i % 8, i / 8 % 8, i / 64};
        centre_of(&curve, at[0], at[1], at[2], x);
        uint64_t key = crn_curve_key(&curve, x);
        assert_true(key < 512 && !seen[key]);
        seen[key] = true;
        memcpy(place[key], at, sizeof at);
    }
    for (int key = 1; key < 512; ++key)
    {
        int far = 0;
        for (int a = 0; a < 3; ++a)
            far += abs(place[key][a] - place[key - 1][a]);
        assert_int_equal(far, 1);
    }
}

static void test_outside(void **unused)
{
    (void)unused;
    crn_curve curve = crn_curve_over(LOW, HIGH, 1.0);
    assert_true(crn_curve_key(&curve, (const double[3]){-100, 3, 1e300}) ==
                crn_curve_key(&curve, (const double[3]){-1, 3, 9.99}));
}

/* Against the ranks of all cells that the box has a part of. */
static void test_near(void **unused)
{
    (void)unused;
    crn_curve curve = crn_curve_over(LOW, HIGH, 0.5);
    assert_int_equal(curve.levels, 4);
    crn_random random = crn_random_start(5, 0);
    for (int round = 0; round < 200; ++round)
    {
        enum
        {
            RANKS = 7
        };
        uint64_t cut[RANKS + 1] = {0};
        for (int r = 1; r < RANKS; ++r)
            cut[r] = (uint64_t)(crn_random_unit(&random) * 4096);
        for (int a = 1; a < RANKS; ++a)
            for (int b = 1; b < RANKS - 1; ++b)
                if (cut[b] > cut[b + 1])
                {
                    uint64_t swap = cut[b];
                    cut[b] = cut[b + 1];
                    cut[b + 1] = swap;
                }
        cut[RANKS] = 4096;
        double low[3], high[3];
        bool marked[RANKS] = {false}, expected[RANKS] = {false};
        int list[RANKS], count = 0;
        for (int k = 0; k < 3; ++k)
        {
            low[k] = LOW[k] + 9 * crn_random_unit(&random) - 0.5;
            high[k] = low[k] + 3 * crn_random_unit(&random);
        }
        for (int i = 0; i < 4096; ++i)
        {
            double x[3], nearest[3];
            centre_of(&curve, i % 16, i / 16 % 16, i / 256, x);
            bool inside = true;
            for (int k = 0; k < 3; ++k)
            {
                nearest[k] = fmax(LOW[k] + 1e-9, fmin(HIGH[k] - 1e-9, low[k]));
                double end = fmax(LOW[k] + 1e-9, fmin(HIGH[k] - 1e-9, high[k]));
                inside = inside && x[k] + 0.25 > nearest[k] && x[k] - 0.25 <= end;
            }
            if (inside)
                expected[crn_curve_rank(cut, RANKS, crn_curve_key(&curve, x))] = true;
        }
        int length = crn_curve_near(&curve, cut, RANKS, low, high, marked, list, 0);
        for (int r = 0; r < RANKS; ++r)
        {
            assert_int_equal(marked[r], expected[r]);
            count += expected[r];
        }
        assert_int_equal(length, count);
    }
}

enum
{
    MANY = 4000
};

typedef struct cuts
{
    crn_curve curve;
    uint64_t key[MANY];
    int64_t work[MANY];
    uint64_t cut[8][9]; /* as each rank has it */
} cuts;

static void cut_part(cairn_ranks *ranks, void *data)
{
    cuts *c = data;
    crn_weight *weight = calloc(MANY, sizeof *weight);
    int64_t *sum = calloc(MANY + 1, sizeof *sum), below[7 * 8];
    size_t count = 0;
    for (int i = ranks->rank; i < MANY; i += ranks->count)
        weight[count++] = (crn_weight){c->key[i], c->work[i]};
    crn_curve_cut(ranks, &c->curve, weight, count, sum, below, c->cut[ranks->rank]);
    free(weight);
    free(sum);
}

/* Every rank finds the same cuts, and no rank has more than its share by more than one cell's work. */
static void test_cuts(void **unused)
{
    (void)unused;
    cuts *c = calloc(1, sizeof *c);
    crn_random random = crn_random_start(11, 0);
    c->curve = crn_curve_over(LOW, HIGH, 0.01);
    int64_t all = 0, heaviest = 0;
    for (int i = 0; i < MANY; ++i)
    {
        double x[3];
        for (int k = 0; k < 3; ++k)
            x[k] = LOW[k] + 8 * pow(crn_random_unit(&random), 3);
        c->key[i] = crn_curve_key(&c->curve, x);
        c->work[i] = 1 + (int64_t)(10 * crn_random_unit(&random));
        all += c->work[i];
        heaviest = c->work[i] > heaviest ? c->work[i] : heaviest;
    }
    for (int ranks = 1; ranks <= 8; ++ranks)
    {
        thread_ranks_run(ranks, 60, cut_part, c);
        int64_t work[8] = {0};
        for (int i = 0; i < MANY; ++i)
            work[crn_curve_rank(c->cut[0], ranks, c->key[i])] += c->work[i];
        for (int r = 0; r < ranks; ++r)
        {
            assert_memory_equal(c->cut[r], c->cut[0], (size_t)(ranks + 1) * sizeof c->cut[0][0]);
            assert_true(llabs(work[r] - all / ranks) <= 4 * heaviest);
        }
    }
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walk), cmocka_unit_test(test_outside),
                                       cmocka_unit_test(test_near), cmocka_unit_test(test_cuts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
