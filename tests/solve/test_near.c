/* The copy of a problem with a compliance of its own (solve/near.h) stands for every contact, also where patches cover only
 * some of them: the velocities u = H v + R r + w stay what they were, and every row has a diagonal of R to add to. */
#include "solve/auto/perturbed_problem.h"
#include "support/check.h"

enum
{
    DIM = 2,
    CONTACTS = 5,
    ROWS = DIM * CONTACTS
};

/* Contacts of one body each; patches cover the contacts from `first` to `end`, two in each. */
typedef struct given
{
    cairn_problem problem;
    int block_start[CONTACTS + 1], row_start[CONTACTS + 1], entry_start[CONTACTS + 1], block[CONTACTS];
    int value_start[CONTACTS + 1], patch_start[CONTACTS + 1], R_start[CONTACTS];
    double H[CONTACTS * DIM * DIM], w[ROWS], mu[CONTACTS], R[CONTACTS * 4 * DIM * DIM];
} given;

static void make(given *g, int first, int end)
{
    *g = (given){0};
    for (int j = 0; j <= CONTACTS; ++j)
    {
        g->block_start[j] = g->row_start[j] = DIM * j;
        g->entry_start[j] = j;
        g->value_start[j] = DIM * DIM * j;
    }
    for (int j = 0; j < CONTACTS; ++j)
    {
        g->block[j] = j;
        g->H[j * 4] = g->H[j * 4 + 3] = 1.0 + j;
        g->w[DIM * j] = 0.1 * j;
    }
    int patches = 0;
    for (int j = first; j < end; j += 2, ++patches)
    {
        g->patch_start[patches] = j;
        g->R_start[patches] = patches * 16;
    }
    g->patch_start[patches] = end;
    for (int i = 0; i < patches * 16; ++i)
        g->R[i] = 0.5 + 0.01 * i;
    g->problem = (cairn_problem){.block_count = CONTACTS, .block_start = g->block_start, .n = ROWS, .dim = DIM};
    g->problem.contact_count = CONTACTS;
    g->problem.H = (cairn_block_rows){CONTACTS, g->row_start, g->entry_start, g->block, g->value_start, g->H};
    g->problem.w = g->w;
    g->problem.mu = g->mu;
    g->problem.patch_count = patches;
    g->problem.patch_start = g->patch_start;
    g->problem.R_start = g->R_start;
    g->problem.R = g->R;
}

static void check(int first, int end)
{
    given g;
    make(&g, first, end);
    crn_perturbed near = {0};
    assert_int_equal(crn_perturbed_copy_compliance(&near, &g.problem), CAIRN_OK);
    double v[ROWS], r[ROWS], before[ROWS], after[ROWS];
    for (int i = 0; i < ROWS; ++i)
    {
        v[i] = 1.0 - 0.3 * i;
        r[i] = 0.2 + 0.1 * i;
    }
    assert_true(cairn_problem_velocities(&g.problem, v, r, before));
    assert_true(cairn_problem_velocities(&near.problem, v, r, after));
    for (int i = 0; i < ROWS; ++i)
        assert_near(before[i], after[i], 1e-15);
    assert_int_equal(near.problem.patch_start[near.problem.patch_count], CONTACTS);
    for (int j = 0; j < CONTACTS; ++j)
        *crn_perturbed_diagonal(&near, DIM * j) += 7.0;
    assert_true(cairn_problem_velocities(&near.problem, v, r, after));
    for (int i = 0; i < ROWS; ++i)
        assert_near(after[i], before[i] + (i % DIM == 0 ? 7.0 * r[i] : 0.0), 1e-12);
    crn_perturbed_release(&near);
}

static void patches_may_cover_a_part(void **state)
{
    (void)state;
    check(0, 0); /* none */
    check(0, 4);
    check(1, 5);
    check(1, 3);
    check(3, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patches_may_cover_a_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
