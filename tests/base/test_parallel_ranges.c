/* Parts of a job are each done once, whoever does them, and nothing is done after the call has returned. Neighbours in a row take turns. */
#include "base/parallel_ranges.h"
#include "base/parallel_row.h"
#include "support/check.h"

#include <pthread.h>
#include <stdatomic.h>

enum
{
    MOST = 200,
    JOBS = 3000
};

typedef struct job
{
    atomic_int done[MOST]; /* per part */
    int parts;
    double sum[MOST];
} job;

static void work(void *data, int part)
{
    job *j = data;
    atomic_fetch_add(&j->done[part], 1);
    for (int i = 0; i < 50; ++i)
        j->sum[part] += 1.0 / (1 + i + part);
}

static void check_done(const job *j, int times)
{
    for (int k = 0; k < MOST; ++k)
        assert_int_equal(atomic_load(&j->done[k]), k < j->parts ? times : 0);
}

static void every_part_is_done_once(void **state)
{
    (void)state;
    for (int n = 0; n < JOBS; ++n)
    {
        job j = {.parts = n % 17};
        crn_share_parts(n % 5, j.parts, work, &j);
        check_done(&j, 1);
    }
    job all = {.parts = MOST};
    crn_in_parts(all.parts, work, &all);
    check_done(&all, 1);
}

/* A part that asks for parts itself gets them. */
static void work_twice(void *data, int part)
{
    job inner = {.parts = 5};
    crn_share_parts(3, inner.parts, work, &inner);
    for (int k = 0; k < 5; ++k)
        if (atomic_load(&inner.done[k]) != 1)
            return;
    work(data, part);
}

static void parts_within_parts(void **state)
{
    (void)state;
    for (int n = 0; n < 300; ++n)
    {
        job j = {.parts = 7};
        crn_share_parts(3, j.parts, work_twice, &j);
        check_done(&j, 1);
    }
}

static void *run_jobs(void *data)
{
    job *j = data;
    for (int n = 0; n < JOBS; ++n)
        crn_share_parts(2, j->parts, work, j);
    return NULL;
}

/* Several callers at once: one has the helpers, the others do their parts themselves. */
static void several_callers(void **state)
{
    (void)state;
    static job jobs[3];
    pthread_t thread[3];
    for (int i = 0; i < 3; ++i)
    {
        jobs[i].parts = 3 + i;
        assert_int_equal(pthread_create(&thread[i], NULL, run_jobs, &jobs[i]), 0);
    }
    for (int i = 0; i < 3; ++i)
    {
        pthread_join(thread[i], NULL);
        check_done(&jobs[i], JOBS);
    }
}

/* A row whose parts look at their neighbours. */
typedef struct turns
{
    atomic_int phase[CRN_ROW_PARTS + 2]; /* the last one of each part, with one beyond either end */
    atomic_int wrong;
    bool odd_first;
} turns;

/* The neighbours of a part have done the phase before, wait while it works, and it has done the one before that. */
static void take_turn(void *data, int part, int phase)
{
    turns *t = data;
    int first = (part + t->odd_first) % 2, before = phase > first ? phase - 2 : first - 2;
    bool is_right = (phase - first) % 2 == 0 && atomic_load(&t->phase[part + 1]) == before;
    for (int i = 0; i < 200; ++i)
        for (int side = 0; side <= 2; side += 2)
        {
            int next = atomic_load(&t->phase[part + side]);
            is_right = is_right && (next == phase - 1 || next == 1000);
        }
    atomic_fetch_add(&t->wrong, !is_right);
    atomic_store(&t->phase[part + 1], phase);
}

static void neighbours_take_turns(void **state)
{
    (void)state;
    for (int n = 0; n < 600; ++n)
    {
        turns t = {.odd_first = n % 2};
        int parts = 1 + n % CRN_ROW_PARTS, phases = n % 8;
        for (int place = 0; place < CRN_ROW_PARTS + 2; ++place)
            atomic_init(&t.phase[place], place == 0 || place > parts ? 1000 : (place - 1 + t.odd_first) % 2 - 2);
        crn_share_row(n % 6, &(crn_row){parts, phases, t.odd_first, take_turn, &t});
        assert_int_equal(atomic_load(&t.wrong), 0);
        for (int part = 0; part < parts; ++part)
        {
            int first = (part + t.odd_first) % 2, turns_taken = phases > first ? (phases - first + 1) / 2 : 0;
            assert_int_equal(atomic_load(&t.phase[part + 1]), first - 2 + 2 * turns_taken);
        }
    }
}

/* Ranges cover all items, in order, and differ in size by one at most. */
static void ranges_are_even(void **state)
{
    (void)state;
    for (size_t count = 0; count < 100; ++count)
    {
        for (int parts = 1; parts < 12; ++parts)
        {
            assert_int_equal(crn_part(count, parts, 0), 0);
            assert_int_equal(crn_part(count, parts, parts), count);
            for (int k = 0; k < parts; ++k)
            {
                size_t size = crn_part(count, parts, k + 1) - crn_part(count, parts, k);
                assert_true(size >= count / (size_t)parts && size <= count / (size_t)parts + 1);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_is_done_once), cmocka_unit_test(parts_within_parts),
        cmocka_unit_test(several_callers),         cmocka_unit_test(neighbours_take_turns),
        cmocka_unit_test(ranges_are_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
