/* Momentum makes sweeps converge in fewer of them, and changes neither where they end nor what velocities mean. */
#include "support/check.h"
#include "support/problems/compact_problem.h"

#include "math/vec.h"
#include "solve/compact/compact.h"
#include "solve/compact/packed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    HIGH = 40 /* spheres */
};

static const double WEIGHT = 0.03; /* N s: m g h */

/* Spheres of 1 kg on top of each other, on body 0. Contact j, under sphere j + 1, carries all from there on. */
typedef struct column
{
    crn_compact_problem problem;
    crn_compact_body body[HIGH + 1];
    crn_compact_contact contact[HIGH];
    double height[HIGH + 1], impulse[HIGH][3], velocity[HIGH + 1][6];
} column;

static double load_of(int j)
{
    return WEIGHT * (HIGH - j);
}

static column column_of(double share, double further)
{
    column out = {.problem = {.body_count = HIGH + 1, .contact_count = HIGH, .law = CAIRN_LAW_CONE}};
    for (int i = 1; i <= HIGH; ++i)
    {
        out.body[i] = (crn_compact_body){.v = {0, 0, -WEIGHT}, .inverse_mass = 1, .inverse_inertia = 10};
        out.contact[i - 1] =
            (crn_compact_contact){.a = i, .b = i - 1, .normal = {0, 0, 1}, .arm_a = {0, 0, -0.5}, .mu = 0.5};
        out.contact[i - 1].arm_b[2] = i > 1 ? 0.5 : 0.0;
        out.height[i] = i;
    }
    out.problem.momentum.share = share;
    out.problem.momentum.further = further;
    return out;
}

/* Sweep from the impulses that are there. Returns the largest error of a load, in weights. */
static double sweep(column *c, int sweeps)
{
    c->problem.body = c->body;
    c->problem.contact = c->contact;
    c->problem.height = c->height;
    bool has_momentum = c->problem.momentum.share > 0;
    c->problem.momentum.impulse = has_momentum ? c->impulse : NULL;
    c->problem.momentum.velocity = c->velocity;
    crn_compact *compact = crn_compact_create(NULL);
    assert_non_null(compact);
    assert_int_equal(crn_compact_load(compact, &c->problem, (const double(*)[3])c->impulse), CAIRN_OK);
    crn_compact_sweep(compact, sweeps);
    crn_compact_store(compact, c->impulse, NULL);
    crn_compact_destroy(compact);
    double worst = 0;
    for (int j = 0; j < HIGH; ++j)
        worst = fmax(worst, fabs(c->impulse[j][2] - load_of(j)) / WEIGHT);
    return worst;
}

/* The slowest mode of a column of N shrinks by 1 - e in a pair of sweeps, e about 2 (pi / (2 N + 1))^2 = 0.003, and with momentum by
 * 1 - e / (1 - share): 6.7 times as fast. */
static void loads_of_a_column_come_sooner(void **state)
{
    (void)state;
    for (int sweeps = 100; sweeps <= 400; sweeps *= 2)
    {
        column plain = column_of(0, 0), pushed = column_of(0.85, 0), longer = column_of(0, 0);
        double without = sweep(&plain, sweeps), with = sweep(&pushed, sweeps);
        assert_true(with < sweep(&longer, 5 * sweeps) && with < 0.7 * without);
    }
}

/* With `further`, by 1 - e (1 + further) / (1 - share): 1.6 times as fast. */
static void loads_come_sooner_still(void **state)
{
    (void)state;
    for (int sweeps = 101; sweeps <= 401; sweeps += 100)
    {
        column pushed = column_of(0.8, 0), further = column_of(0.8, 0.6), longer = column_of(0.8, 0);
        double without = sweep(&pushed, sweeps), with = sweep(&further, sweeps);
        assert_true(with < 1.1 * sweep(&longer, 8 * sweeps / 5) && with < 0.8 * without);
    }
}

static void loads_are_the_exact_ones(void **state)
{
    (void)state;
    for (int share = 0; share < 2; ++share)
    {
        column c = column_of(0.8 * share, 0.6 * share);
        assert_near(sweep(&c, 30000), 0.0, 1e-8); /* velocities add up rounding */
    }
}

static void a_solution_stays_one(void **state)
{
    (void)state;
    column c = column_of(0.8, 0.6);
    for (int j = 0; j < HIGH; ++j)
        c.impulse[j][2] = load_of(j);
    assert_true(sweep(&c, 101) < 1e-12);
}

/* Sweep a random problem, with one number of threads, in calls of odd and even numbers of sweeps, and compare. */
static void check_velocities(const test_compact *test, int sweeps)
{
    crn_compact_problem problem = test->problem;
    size_t contacts = (size_t)problem.contact_count, bodies = (size_t)problem.body_count;
    double(*impulse)[3] = calloc(contacts, sizeof *impulse), (*velocity)[6] = calloc(bodies, sizeof *velocity);
    crn_compact_body *swept = calloc(bodies, sizeof *swept), *due = calloc(bodies, sizeof *due);
    memcpy(impulse, test->impulse, contacts * sizeof *impulse);
    problem.momentum = (crn_compact_momentum){.share = 0.8, .further = 0.6, .impulse = impulse, .velocity = velocity};
    crn_compact *compact = crn_compact_create(NULL);
    assert_non_null(compact);
    assert_int_equal(crn_compact_load(compact, &problem, (const double(*)[3])impulse), CAIRN_OK);
    crn_compact_sweep(compact, sweeps);
    crn_compact_sweep(compact, sweeps + 1);
    crn_compact_store(compact, impulse, swept);
    crn_compact_velocities(&problem, (const double(*)[3])impulse, due);
    for (size_t i = 0; i < bodies; ++i)
        for (int k = 0; k < 3; ++k)
        {
            assert_near(swept[i].v[k], due[i].v[k], 1e-9);
            assert_near(swept[i].w[k], due[i].w[k], 1e-9);
        }
    for (int j = 0; j < problem.contact_count; ++j)
    {
        double along = crn_dot3(impulse[j], test->contact[j].normal), t[3];
        crn_madd3(impulse[j], -along, test->contact[j].normal, t);
        assert_true(crn_norm3(t) <= test->contact[j].mu * along + 1e-12);
    }
    crn_compact_destroy(compact);
    free(impulse);
    free(velocity);
    free(swept);
    free(due);
}

/* And impulses are within their cones: the last sweeps are not pushed on. */
static void velocities_are_those_of_the_impulses(void **state)
{
    (void)state;
    for (int trial = 0; trial < 16; ++trial)
    {
        bool is_large = trial % 4 == 3; /* in slabs */
        test_compact_recipe recipe = {.count = {is_large ? 14 : 4, is_large ? 20 : 4, 7},
                                      .law = trial < 8 ? CAIRN_LAW_CONE : CAIRN_LAW_CONVEX_CONE,
                                      .is_general = trial / 2 % 2,
                                      .is_uneven = trial % 8 == 5,
                                      .is_placed = trial % 2,
                                      .mu = 0.6};
        test_compact *test = test_compact_create(&recipe, (uint64_t)trial + 70);
        check_velocities(test, 1 + trial % 5);
        test_compact_destroy(test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_of_a_column_come_sooner),
        cmocka_unit_test(loads_come_sooner_still),
        cmocka_unit_test(loads_are_the_exact_ones),
        cmocka_unit_test(a_solution_stays_one),
        cmocka_unit_test(velocities_are_those_of_the_impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
