/* Rows of pairs whose shapes have moved (src/collide/broad/pair_rows.c), for any number of searchers and threads, against sorted lists of pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/broad/broad.h"
#include "support/collide_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SHAPES = 3000,
    MOST = 60000, /* pairs: more than what one thread takes alone */
    SEARCHERS = 7
};

/* Pairs in their order, and up to where each is known to be apart. */
typedef struct expected
{
    uint64_t key[MOST];
    int count;
} expected;

static double clear_of(uint64_t key)
{
    return (double)(key >> 32) + 1e-6 * (double)(key & UINT32_MAX);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Random pairs with a < b, each once. */
static void draw(expected *pairs, int count, uint64_t *seed)
{
    for (int i = 0; i < count; ++i)
    {
        int a = (int)collide_uniform(seed, 0, SHAPES - 1), b = (int)collide_uniform(seed, a + 1, SHAPES);
        pairs->key[i] = crn_pair_key((crn_shape_pair){a, b});
    }
    qsort(pairs->key, (size_t)count, sizeof pairs->key[0], compare);
    pairs->count = 0;
    for (int i = 0; i < count; ++i)
        if (i == 0 || pairs->key[i] != pairs->key[i - 1])
            pairs->key[pairs->count++] = pairs->key[i];
}

static bool is_stale(const crn_broad *broad, uint64_t key)
{
    return broad->moved[key >> 32] || broad->moved[key & UINT32_MAX];
}

static void write_rows(crn_broad *broad, const crn_sites *sites, const expected *pairs)
{
    crn_pair_rows *rows = &broad->pairs;
    assert_int_equal(crn_pair_rows_reserve(rows, sites, 2 * (size_t)pairs->count), CAIRN_OK);
    rows->count = 0;
    for (int i = 0; i < pairs->count; ++i)
    {
        if (i == 0 || pairs->key[i] >> 32 != pairs->key[i - 1] >> 32)
            rows->item[rows->count++] = ~(int)(pairs->key[i] >> 32);
        if (sites->mixed)
            rows->clear[rows->count] = clear_of(pairs->key[i]);
        rows->item[rows->count++] = (int)(pairs->key[i] & UINT32_MAX);
    }
}

/* Pairs of shapes that have moved, to the searchers in turn. */
static void hand_out(crn_broad *broad, const expected *found, int searchers)
{
    for (int k = 0; k < searchers; ++k)
        broad->searcher[k].pairs.count = 0;
    for (int i = 0, next = 0; i < found->count; ++i)
    {
        crn_pair_list *to = &broad->searcher[next++ % searchers].pairs;
        if (!is_stale(broad, found->key[i]))
            continue;
        assert_int_equal(crn_reserve(&to->pair, &to->capacity, to->count + 1, sizeof *to->pair), CAIRN_OK);
        to->pair[to->count++] = (crn_shape_pair){(int)(found->key[i] >> 32), (int)(found->key[i] & UINT32_MAX)};
    }
}

/* All pairs that have not moved, and those found, in their order. */
static void check_rows(const crn_broad *broad, const crn_sites *sites, const expected *before, const expected *found)
{
    const crn_pair_rows *rows = &broad->pairs;
    int i = 0, j = 0, row = -1;
    for (size_t at = 0; at < rows->count; ++at)
    {
        if (rows->item[at] < 0)
        {
            assert_true(at + 1 < rows->count && rows->item[at + 1] >= 0); /* no row is empty */
            assert_true(~rows->item[at] > row);
            row = ~rows->item[at];
            continue;
        }
        while (i < before->count && is_stale(broad, before->key[i]))
            ++i;
        while (j < found->count && !is_stale(broad, found->key[j]))
            ++j;
        assert_true(i < before->count || j < found->count);
        bool is_old = j == found->count || (i < before->count && before->key[i] < found->key[j]);
        uint64_t key = is_old ? before->key[i++] : found->key[j++];
        assert_true(key == crn_pair_key((crn_shape_pair){row, rows->item[at]}));
        assert_true(!sites->mixed || rows->clear[at] == (is_old ? clear_of(key) : -INFINITY));
    }
    while (i < before->count && is_stale(broad, before->key[i]))
        ++i;
    while (j < found->count && !is_stale(broad, found->key[j]))
        ++j;
    assert_int_equal(i, before->count);
    assert_int_equal(j, found->count);
}

static void test_replacement(void **state)
{
    (void)state;
    static const double SHARES[] = {0.0, 0.001, 0.2, 1.0}; /* of the shapes that move */
    static const int COUNTS[] = {30, MOST, 0, 20000};      /* pairs before */
    static expected before, found;
    uint64_t seed = 3;
    bool moved[SHAPES];
    crn_broad broad = {.moved = moved};
    crn_sites sites = {.mixed = true};
    assert_int_equal(crn_reserve_all(&broad.memory, CRN_ARRAY(broad.searcher, SEARCHERS)), CAIRN_OK);
    broad.searcher_count = SEARCHERS;
    for (int trial = 0; trial < 128; ++trial)
    {
        int searchers = 1 + trial % SEARCHERS, threads = 1 + trial / 2 % SEARCHERS;
        sites.mixed = trial % 3 == 0; /* after which less is known of pairs than there are */
        draw(&before, COUNTS[trial / 4 % 4], &seed);
        draw(&found, trial % 5 ? 5000 : 0, &seed);
        for (int i = 0; i < SHAPES; ++i)
            moved[i] = collide_uniform(&seed, 0, 1) < SHARES[trial % 4];
        write_rows(&broad, &sites, &before);
        hand_out(&broad, &found, searchers);
        assert_int_equal(crn_pair_rows_replace(&broad, &sites, searchers, threads), CAIRN_OK);
        check_rows(&broad, &sites, &before, &found);
    }
    crn_broad_free(&broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_replacement)};
    return cmocka_run_group_tests_name("pair rows", tests, NULL, NULL);
}
