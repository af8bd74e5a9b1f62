/* Impulses remembered from step to step, against a search through the whole list: by identity first, else from the nearest
 * contact of the same two shapes that has disappeared, each of which hands its impulse on once. */
#include "support/check.h"
#include "support/worlds.h"

#include "step/warm.h"

#include <string.h>

enum
{
    FEATURES = 6,
    PAIRS = 8,
    MOST = PAIRS * FEATURES
};

static const int FEATURE_BITS = 4;

/* A list of contacts at random places, ascending in identity. */
typedef struct contact_list
{
    int count;
    uint64_t identity[MOST];
    double point[3 * MOST], reach[MOST], r[3 * MOST];
} contact_list;

static void make_list(uint64_t *seed, double share, contact_list *list)
{
    list->count = 0;
    for (int pair = 0; pair < PAIRS; ++pair)
        for (int feature = 0; feature < FEATURES; ++feature)
        {
            if (random_in(seed, 0, 1) > share)
                continue;
            int j = list->count++;
            list->identity[j] = (uint64_t)pair << FEATURE_BITS | (uint64_t)feature;
            list->reach[j] = random_in(seed, 0, 1) < 0.2 ? 0 : random_in(seed, 0, 1);
            for (int k = 0; k < 3; ++k)
            {
                list->point[3 * j + k] = random_in(seed, 0, 1);
                list->r[3 * j + k] = random_in(seed, -1, 1);
            }
        }
}

static crn_named names_of(contact_list *list)
{
    return (crn_named){list->identity, sizeof list->identity[0], list->count, 3};
}

static int index_of(const contact_list *list, uint64_t identity)
{
    for (int i = 0; i < list->count; ++i)
        if (list->identity[i] == identity)
            return i;
    return -1;
}

static double apart(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Which contact of the list before contact j starts from; -1: from none. */
static int source_of(const contact_list *before, const contact_list *now, const bool *taken, int j)
{
    int same = index_of(before, now->identity[j]), best = -1;
    if (same >= 0)
        return same;
    double least = now->reach[j];
    for (int i = 0; i < before->count; ++i)
    {
        double d = apart(before->point + 3 * i, now->point + 3 * j);
        if (taken[i] || before->identity[i] >> FEATURE_BITS != now->identity[j] >> FEATURE_BITS || d >= least ||
            index_of(now, before->identity[i]) >= 0)
            continue;
        least = d;
        best = i;
    }
    return best;
}

static void keep(crn_warm *warm, contact_list *list)
{
    crn_named named = names_of(list);
    assert_int_equal(crn_warm_keep(warm, &named, list->r), CAIRN_OK);
    assert_int_equal(crn_warm_reserve_points(warm, (size_t)list->count), CAIRN_OK);
    memcpy(warm->point, list->point, 3 * (size_t)list->count * sizeof(double));
}

static double reach_of(const void *list, int j)
{
    return ((const contact_list *)list)->reach[j];
}

static void check_recall(crn_warm *warm, const contact_list *before, contact_list *now)
{
    crn_named named = names_of(now);
    crn_warm_places places = {
        .feature_bits = FEATURE_BITS, .point = now->point, .stride = 3, .reach = reach_of, .data = now};
    const double *guess;
    bool taken[MOST] = {false}, any = false;
    assert_int_equal(crn_warm_recall(warm, &named, &places, &guess), CAIRN_OK);
    for (int j = 0; j < now->count; ++j)
    {
        int source = source_of(before, now, taken, j);
        any = any || source >= 0;
        if (source >= 0)
            taken[source] = true;
        for (int k = 0; guess && k < 3; ++k)
            assert_true(guess[3 * j + k] == (source >= 0 ? before->r[3 * source + k] : 0));
        assert_int_equal(crn_warm_knows(warm, now->identity[j]), index_of(before, now->identity[j]) >= 0);
    }
    assert_int_equal(guess != NULL, any);
}

static void recalls_as_a_full_search_does(void **state)
{
    (void)state;
    uint64_t seed = 11;
    crn_warm warm = {0};
    for (int trial = 0; trial < 500; ++trial)
    {
        contact_list before, now;
        make_list(&seed, random_in(&seed, 0, 1), &before);
        make_list(&seed, random_in(&seed, 0, 1), &now);
        keep(&warm, &before);
        check_recall(&warm, &before, &now);
    }
    crn_warm_release(&warm);
}

static uint64_t backwards(const void *data, uint64_t identity)
{
    return *(const uint64_t *)data - identity;
}

/* Renamed contacts are found by their new names, also where the new names sort the other way round. */
static void renamed_contacts_are_found(void **state)
{
    (void)state;
    uint64_t seed = 5, last = 1000;
    crn_warm warm = {0};
    contact_list list, renamed;
    make_list(&seed, 0.5, &list);
    keep(&warm, &list);
    assert_int_equal(crn_warm_reserve_work(&warm, (size_t)list.count), CAIRN_OK);
    crn_warm_rename(&warm, backwards, &last);
    renamed.count = list.count;
    for (int j = 0; j < list.count; ++j)
        renamed.identity[j] = last - list.identity[list.count - 1 - j];
    crn_named named = names_of(&renamed);
    const double *guess;
    assert_int_equal(crn_warm_recall(&warm, &named, NULL, &guess), CAIRN_OK);
    assert_non_null(guess);
    for (int j = 0; j < list.count; ++j)
        assert_memory_equal(guess + 3 * j, list.r + 3 * (list.count - 1 - j), 3 * sizeof(double));
    crn_warm_release(&warm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recalls_as_a_full_search_does),
        cmocka_unit_test(renamed_contacts_are_found),
    };
    return cmocka_run_group_tests_name("warm", tests, NULL, NULL);
}
