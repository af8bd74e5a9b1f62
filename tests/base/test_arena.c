/* Arrays of an arena, against plain copies: values survive growth, new memory is zero, sizes are exact, all are released. */
#include "base/memory.h"
#include "support/check.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ARRAYS = 7,
    ROUNDS = 400
};

typedef struct owner
{
    int *integers;
    double *reals;
    long double *wide;
    crn_arena memory;
} owner;

static void arrays_grow_and_keep_their_values(void **state)
{
    (void)state;
    srand(7);
    crn_arena arena = {0};
    int *array[ARRAYS] = {0};
    int *copy[ARRAYS] = {0};
    size_t length[ARRAYS] = {0};
    for (int round = 0; round < ROUNDS; ++round)
    {
        int k = rand() % ARRAYS;
        size_t need = (size_t)(rand() % 1000);
        assert_int_equal(crn_reserve_all(&arena, CRN_ARRAY(array[k], need)), CAIRN_OK);
        assert_non_null(array[k]);
        if (need <= length[k])
            continue;
        for (size_t i = length[k]; i < need; ++i)
            assert_int_equal(array[k][i], 0);
        copy[k] = realloc(copy[k], need * sizeof(int));
        for (size_t i = length[k]; i < need; ++i)
            copy[k][i] = array[k][i] = rand();
        length[k] = need;
        for (int j = 0; j < ARRAYS; ++j)
            if (length[j] > 0)
                assert_memory_equal(array[j], copy[j], length[j] * sizeof(int));
    }
    assert_true(arena.count <= ARRAYS);
    crn_arena_release(&arena);
    assert_int_equal(arena.count, 0);
    for (int k = 0; k < ARRAYS; ++k)
        free(copy[k]);
}

static void several_arrays_at_once(void **state)
{
    (void)state;
    owner o = {0};
    assert_int_equal(crn_reserve_all(&o.memory, CRN_ARRAY(o.integers, 3), CRN_ARRAY(o.reals, 0), CRN_ARRAY(o.wide, 5)),
                     CAIRN_OK);
    assert_true(o.integers && o.reals && o.wide);
    assert_int_equal((size_t)o.wide % alignof(max_align_t), 0);
    int *before = o.integers;
    assert_int_equal(crn_reserve_all(&o.memory, CRN_ARRAY(o.integers, 2)), CAIRN_OK);
    assert_ptr_equal(o.integers, before);
    owner moved = o; /* the owner may be copied elsewhere */
    assert_int_equal(crn_reserve_all(&moved.memory, CRN_ARRAY(moved.integers, 100000)), CAIRN_OK);
    crn_arena_release(&moved.memory);
}

static void too_much_is_refused_and_leaves_all_as_it_was(void **state)
{
    (void)state;
    owner o = {0};
    assert_int_equal(crn_reserve_all(&o.memory, CRN_ARRAY(o.reals, 2)), CAIRN_OK);
    o.reals[1] = 3.0;
    assert_int_equal(crn_reserve_all(&o.memory, CRN_ARRAY(o.reals, SIZE_MAX / 4)), CAIRN_NO_MEMORY);
    assert_true(o.reals[1] == 3.0);
    crn_arena_release(&o.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_grow_and_keep_their_values),
        cmocka_unit_test(several_arrays_at_once),
        cmocka_unit_test(too_much_is_refused_and_leaves_all_as_it_was),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
