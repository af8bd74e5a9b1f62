/* Contacts put in the order of their visits are the same contacts, with the same colours. */
#include "support/check.h"
#include "support/problems/bounded_problem.h"

#include "solve/sweep/gauss_seidel_pack.h"
#include "solve/sweep/gauss_seidel_plan.h"

#include <stdlib.h>

/* Random problems with bodies, springs and joints; none with patches. */
static cairn_problem *make_problem(int trial)
{
    test_recipe recipe = {.dim = trial % 2 ? 2 : 3,
                          .law = {CAIRN_LAW_CONE, 0},
                          .bodies = 4 + trial,
                          .contacts = 3 * (4 + trial),
                          .joints = trial % 3 == 1 ? 2 : 0,
                          .mass_ratio = 10.0,
                          .mu = 0.7,
                          .coupled = trial % 5 == 2,
                          .gaps = true,
                          .redundant = trial % 4 == 3};
    cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial + 1);
    if (trial % 3 == 2)
        test_make_rows(problem, 0.5, TEST_ROW_KINDS, (uint64_t)trial);
    return problem;
}

/* Contact j of one is contact k of the other. */
static void check_rows(const cairn_problem *a, int j, const cairn_problem *b, int k)
{
    const cairn_block_rows *A = &a->H;
    const cairn_block_rows *B = &b->H;
    assert_int_equal(A->entry_start[j + 1] - A->entry_start[j], B->entry_start[k + 1] - B->entry_start[k]);
    for (int e = A->entry_start[j], f = B->entry_start[k]; e < A->entry_start[j + 1]; ++e, ++f)
    {
        int size = a->block_start[A->block[e] + 1] - a->block_start[A->block[e]];
        assert_int_equal(A->block[e], B->block[f]);
        assert_memory_equal(A->value + A->value_start[e], B->value + B->value_start[f],
                            (size_t)(a->dim * size) * sizeof(double));
    }
    assert_true(a->mu[j] == b->mu[k]);
    assert_int_equal(!a->bound, !b->bound);
    assert_true(!a->bound || (a->bound[j].is_row == b->bound[k].is_row && a->bound[j].lo == b->bound[k].lo &&
                              a->bound[j].hi == b->bound[k].hi));
    assert_memory_equal(a->w + j * a->dim, b->w + k * a->dim, (size_t)a->dim * sizeof(double));
}

/* Bounds refer to the same item, which has another colour. */
static void check_reference(const cairn_problem *a, const crn_gs_plan *plan, int j, const cairn_problem *b, int k)
{
    int by = a->bound && a->bound[j].is_row ? a->bound[j].by : -1;
    if (by < 0)
        return;
    assert_int_equal(plan->order[b->bound[k].by], by);
    assert_int_not_equal(plan->colour[j], plan->colour[by]);
}

static void check_order(const crn_gs_plan *plan, const crn_gs_plan *packed, int contacts)
{
    assert_int_equal(plan->colour_count, packed->colour_count);
    for (int k = 0; k < contacts; ++k)
    {
        assert_int_equal(packed->order[k], k);
        assert_int_equal(packed->colour[k], plan->colour[plan->order[k]]);
    }
}

static void same_contacts_and_colours(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    crn_gs_pack pack = {0};
    for (int trial = 0; trial < 30; ++trial)
    {
        cairn_problem *problem = make_problem(trial);
        int rows = problem->dim * problem->contact_count;
        crn_gs_plan plan = {0};
        crn_gs_plan packed = {0};
        double *r = calloc((size_t)rows, sizeof(double));
        double *back = calloc((size_t)rows, sizeof(double));
        for (int i = 0; i < rows; ++i)
            r[i] = i + 1.0;
        assert_true(crn_gs_plan_open(&plan) && crn_gs_plan_open(&packed));
        assert_int_equal(crn_gs_plan_arrange(&plan, context, problem), CAIRN_OK);
        assert_int_equal(crn_gs_pack_make(&pack, problem, plan.order, r), CAIRN_OK);
        assert_int_equal(crn_gs_plan_arrange(&packed, context, &pack.problem), CAIRN_OK);
        check_order(&plan, &packed, problem->contact_count);
        for (int k = 0; k < problem->contact_count; ++k)
        {
            check_rows(problem, plan.order[k], &pack.problem, k);
            check_reference(problem, &plan, plan.order[k], &pack.problem, k);
            assert_true(pack.r[k * problem->dim] == r[plan.order[k] * problem->dim]);
        }
        crn_gs_pack_give(&pack, back);
        assert_memory_equal(back, r, (size_t)rows * sizeof(double));
        crn_gs_plan_close(&plan);
        crn_gs_plan_close(&packed);
        free(r);
        free(back);
        test_problem_destroy(problem);
    }
    crn_gs_pack_release(&pack);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_contacts_and_colours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
