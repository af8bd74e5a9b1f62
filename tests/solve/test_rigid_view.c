/* The compact view of a problem that is given by its matrices: what it says of impulses is what the matrices say. */
#include "solve/sweep/rigid_view.h"
#include "support/check.h"
#include "support/problems/compact_problem.h"

#include "math/vec.h"

#include <string.h>

enum
{
    TRIALS = 48
};

/* A rotation at random, row-major. */
static void random_turn(test_random *random, double R[9])
{
    double q[4], square = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        q[i] = test_uniform(random, -1.0, 1.0);
        square += q[i] * q[i];
    }
    for (int i = 0; i < 4; ++i)
        q[i] /= sqrt(square);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double turn[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                      2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                      2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, turn, sizeof turn);
}

/* Rows of three numbers, `stride` apart: x becomes x R. */
static void turn_rows(double *x, int rows, int stride, const double R[9])
{
    for (int k = 0; k < rows; ++k)
        crn_unrotate3(R, x + k * stride, x + k * stride);
}

/* Columns: x becomes R' x. */
static void turn_columns(double *x, int columns, int stride, const double R[9])
{
    for (int k = 0; k < columns; ++k)
    {
        double column[3] = {x[k], x[k + stride], x[k + 2 * stride]};
        crn_unrotate3(R, column, column);
        for (int i = 0; i < 3; ++i)
            x[k + i * stride] = column[i];
    }
}

/* Write the angular velocity of every body in a frame of its own, as problems of simulations have it. */
static void turn_bodies(cairn_problem *problem, test_random *random)
{
    for (int i = 0; i < problem->block_count && problem->dim == 3; ++i)
    {
        double R[9], *A = problem->A.value + problem->A.value_start[problem->A.row_start[i]];
        random_turn(random, R);
        turn_rows(A + 3, 6, 6, R);
        turn_columns(A + 18, 6, 6, R);
        crn_unrotate3(R, problem->p + problem->block_start[i] + 3, problem->p + problem->block_start[i] + 3);
        for (int e = 0; e < problem->H.entry_start[problem->contact_count]; ++e)
            if (problem->H.block[e] == i)
                turn_rows(problem->H.value + problem->H.value_start[e] + 3, 3, 6, R);
    }
}

/* A problem with its view. */
typedef struct viewed
{
    test_compact *test;
    cairn_problem *problem;
    crn_inverses inverses;
    crn_rigid_view view;
    double *free;
    bool applies;
} viewed;

static void look(viewed *at)
{
    int singular;
    at->free = realloc(at->free, (size_t)at->problem->n * sizeof(double));
    assert_int_equal(crn_inverses_make(&at->inverses, at->problem, 8, &singular), CAIRN_OK);
    assert_int_equal(singular, -1);
    for (int i = 0; i < at->problem->block_count; ++i)
    {
        int start = at->problem->block_start[i];
        crn_inverses_apply(&at->inverses, i, at->problem->p + start, at->free + start);
    }
    assert_int_equal(crn_rigid_view_make(&at->view, at->problem, &at->inverses, at->free, &at->applies), CAIRN_OK);
}

static viewed view_of(const test_compact_recipe *recipe, uint64_t seed)
{
    viewed at = {.test = test_compact_create(recipe, seed)};
    test_random random = {seed};
    at.problem = test_compact_general(at.test);
    turn_bodies(at.problem, &random);
    look(&at);
    return at;
}

static void release(viewed *at)
{
    crn_rigid_view_release(&at->view);
    crn_inverses_release(&at->inverses);
    test_problem_destroy(at->problem);
    test_compact_destroy(at->test);
    free(at->free);
}

static test_compact_recipe recipe_of(int trial)
{
    static const cairn_law_kind LAWS[] = {CAIRN_LAW_FRICTIONLESS, CAIRN_LAW_CONE, CAIRN_LAW_CONVEX_CONE};
    bool is_planar = trial / 6 % 2;
    return (test_compact_recipe){.count = {2 + trial % 3, 3, is_planar ? 1 : 3},
                                 .law = LAWS[trial % 3],
                                 .is_planar = is_planar,
                                 .is_general = trial / 3 % 2,
                                 .mu = 0.7};
}

/* v = A^-1 (p + H' r), from the matrices. */
static void velocities(const viewed *at, const double *r, double *v)
{
    const cairn_problem *problem = at->problem;
    for (int i = 0; i < problem->block_count; ++i)
    {
        double sum[6];
        int start = problem->block_start[i], size = problem->block_start[i + 1] - start;
        memcpy(sum, problem->p + start, (size_t)size * sizeof(double));
        for (int j = 0; j < problem->contact_count; ++j)
            for (int e = problem->H.entry_start[j]; e < problem->H.entry_start[j + 1]; ++e)
                for (int k = 0; k < problem->dim * size && problem->H.block[e] == i; ++k)
                    sum[k % size] += problem->H.value[problem->H.value_start[e] + k] * r[problem->dim * j + k / size];
        crn_inverses_apply(&at->inverses, i, sum, v + start);
    }
}

/* Impulses at random, in the cones or not. */
static void fill(const viewed *at, test_random *random, double *r)
{
    for (int i = 0; i < at->problem->dim * at->problem->contact_count; ++i)
        r[i] = test_uniform(random, -0.2, 1.0);
}

/* The general certificate and that of the view are computed by separate code, from separate data. */
static void the_view_judges_as_the_matrices_do(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; ++trial)
    {
        test_compact_recipe recipe = recipe_of(trial);
        viewed at = view_of(&recipe, (uint64_t)trial + 5);
        test_random random = {(uint64_t)trial + 900};
        int rows = at.problem->dim * at.problem->contact_count;
        double *r = calloc((size_t)rows, sizeof(double)), *back = calloc((size_t)rows, sizeof(double));
        double *v = calloc((size_t)at.problem->n, sizeof(double));
        crn_compact_certificate found;
        cairn_certificate expected;
        assert_true(at.applies);
        fill(&at, &random, r);
        velocities(&at, r, v);
        cairn_solution solution = {.n = at.problem->n, .contact_rows = rows, .v = v, .r = r};
        assert_int_equal(cairn_certify(at.problem, &solution, &expected), CAIRN_OK);
        crn_rigid_view_take(&at.view, at.problem, r);
        crn_compact_judge(&at.view.problem, (const double(*)[3])at.view.impulse, at.view.after, NULL, &found);
        assert_near(found.worst, expected.natural_map, 1e-10 * (1.0 + expected.natural_map));
        assert_near(found.normal, expected.penetration_speed, 1e-10 * (1.0 + expected.penetration_speed));
        assert_int_equal(found.contact, expected.worst_contact);
        crn_rigid_view_give(&at.view, at.problem, back);
        for (int i = 0; i < rows; ++i)
            assert_near(back[i], r[i], 1e-12);
        free(r);
        free(back);
        free(v);
        release(&at);
    }
}

/* Grains whose contacts are all round are seen to be, whatever frames their spins are written in. */
static void round_contacts_are_known(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; ++trial)
    {
        test_compact_recipe recipe = recipe_of(trial);
        viewed at = view_of(&recipe, (uint64_t)trial + 5);
        assert_true(at.view.all_round == !recipe.is_general);
        release(&at);
    }
}

static void look_again(viewed *at, bool expected)
{
    look(at);
    assert_true(at->applies == expected);
}

/* Rows that are a little off those of rigid contacts, matrices that are not those of a rigid body, laws that the view does not know. */
static void what_is_not_rigid_has_no_view(void **state)
{
    (void)state;
    test_compact_recipe recipe = {.count = {3, 3, 3}, .law = CAIRN_LAW_CONE, .is_general = true, .mu = 0.5};
    viewed at = view_of(&recipe, 11);
    double *H = at.problem->H.value + at.problem->H.value_start[at.problem->H.entry_start[7]];
    double *A = at.problem->A.value + at.problem->A.value_start[at.problem->A.row_start[4]];
    double *places[] = {H, H + 4, A, A + 7};
    assert_true(at.applies);
    for (size_t k = 0; k < sizeof places / sizeof places[0]; ++k)
    {
        double kept = *places[k];
        *places[k] += 1e-5;
        look_again(&at, false);
        *places[k] = kept;
        look_again(&at, true);
    }
    at.problem->law.kind = CAIRN_LAW_LAGGED;
    look_again(&at, false);
    at.problem->law = (cairn_law){CAIRN_LAW_PYRAMID, 8};
    look_again(&at, false);
    release(&at);
    recipe.is_uneven = true;
    at = view_of(&recipe, 11);
    assert_false(at.applies);
    release(&at);
}

/* In the plane the laws with two directions are one. */
static void laws_of_the_plane_are_one(void **state)
{
    (void)state;
    test_compact_recipe recipe = {.count = {3, 3, 1}, .law = CAIRN_LAW_CONE, .is_planar = true, .mu = 0.5};
    static const cairn_law_kind LAWS[][2] = {{CAIRN_LAW_PYRAMID, CAIRN_LAW_CONE},
                                             {CAIRN_LAW_BOX, CAIRN_LAW_CONE},
                                             {CAIRN_LAW_CONVEX_PYRAMID, CAIRN_LAW_CONVEX_CONE}};
    viewed at = view_of(&recipe, 3);
    for (int k = 0; k < 3; ++k)
    {
        at.problem->law = (cairn_law){LAWS[k][0], 4};
        look_again(&at, true);
        assert_int_equal(at.view.problem.law, LAWS[k][1]);
    }
    release(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_view_judges_as_the_matrices_do),
        cmocka_unit_test(round_contacts_are_known),
        cmocka_unit_test(what_is_not_rigid_has_no_view),
        cmocka_unit_test(laws_of_the_plane_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
