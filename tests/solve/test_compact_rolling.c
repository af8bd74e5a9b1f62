/* Rolling friction in the compact view: sweeps converge to moments that keep to their law, which is checked here from the equations at
 * the head of solve/compact/compact.h; the certificate finds moments that do not; bits do not depend on the width of vectors. */
#include "support/check.h"
#include "support/problems/compact_problem.h"

#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

static const cairn_law_kind LAWS[] = {CAIRN_LAW_CONE, CAIRN_LAW_CONVEX_CONE, CAIRN_LAW_PYRAMID, CAIRN_LAW_BOX};

/* A random problem, most of whose contacts resist rolling, in some trials all. In every fifth, the surfaces of some drift. */
static test_compact *create(int trial, bool is_polygonal)
{
    bool is_planar = trial / 4 % 2;
    test_compact_recipe recipe = {
        .count = {2 + trial % 3, 3, is_planar ? 1 : 2},
        .law = LAWS[trial % 2 + 2 * is_polygonal],
        .directions = 6,
        .is_planar = is_planar,
        .is_general = trial / 2 % 2,
        .is_uneven = trial / 8 % 2,
        .mu = is_polygonal ? 0.4 : 0.8}; /* beyond that some sweeps under box cycle, as under a cone of sqrt 2 mu */
    test_random random = {(uint64_t)trial + 1};
    test_compact *test = test_compact_create(&recipe, (uint64_t)trial + 1);
    crn_compact_rolling *rolling = calloc((size_t)test->problem.contact_count, sizeof *rolling);
    for (int j = 0; j < test->problem.contact_count; ++j)
    {
        bool rolls = trial % 3 == 0 || test_uniform(&random, 0, 1) < 0.7;
        rolling[j].length = 0.05;
        rolling[j].rolling = rolls ? 0.01 * test_uniform(&random, 0, 1) : 0.0;
        rolling[j].spinning = rolls && !is_planar ? 0.005 * test_uniform(&random, 0, 1) : 0.0;
    }
    test->problem.rolling = rolling;
    if (trial % 5 == 2)
    {
        double(*drift)[3] = calloc((size_t)test->problem.contact_count, sizeof *drift);
        for (int j = 0; j < test->problem.contact_count; j += 2)
        {
            double along[3] = {0.1, -0.07, is_planar ? 0.0 : 0.05};
            const double *n = test->problem.contact[j].normal;
            crn_madd3(along, -crn_dot3(along, n), n, drift[j]);
        }
        test->problem.drift = (const double(*)[3])drift;
    }
    return test;
}

static void destroy(test_compact *test)
{
    free(test->problem.rolling);
    free((void *)test->problem.drift);
    test_compact_destroy(test);
}

/* Sweeps from nothing. */
static void sweep(const test_compact *test, int lanes, int sweeps, double (*impulse)[3], crn_compact_body *body)
{
    crn_compact *compact = crn_compact_create(NULL);
    assert_non_null(compact);
    crn_compact_lanes(compact, lanes);
    assert_int_equal(crn_compact_load(compact, &test->problem, NULL), CAIRN_OK);
    crn_compact_sweep(compact, sweeps);
    crn_compact_store(compact, impulse, body);
    crn_compact_destroy(compact);
}

/* w_i from angular momenta: J^-1 of the problem, arms and moments. */
static void spin_of(const test_compact *test, const double (*impulse)[3], int i, double w[3])
{
    const crn_compact_problem *p = &test->problem;
    double L[3] = {0}, turn[3], moment[3];
    for (int j = 0; j < p->contact_count; ++j)
    {
        const crn_compact_contact *c = &p->contact[j];
        if (c->a != i && c->b != i)
            continue;
        double sign = c->a == i ? 1 : -1;
        crn_cross3(c->a == i ? c->arm_a : c->arm_b, impulse[j], moment);
        crn_add3(moment, p->rolling[j].moment, moment);
        crn_madd3(L, sign, moment, L);
    }
    bool round = !p->inverse_inertia || (p->is_round && p->is_round[i]);
    if (round)
        crn_scale3(p->body[i].inverse_inertia, L, turn);
    else
        crn_rotate3(p->inverse_inertia[i], L, turn);
    crn_add3(p->body[i].w, turn, w);
}

/* The largest break of the law by any contact: beyond a bound, or short of it while it turns, or along the rotation. In m/s. */
static double broken(const test_compact *test, const double (*impulse)[3])
{
    const crn_compact_problem *p = &test->problem;
    double worst = 0;
    for (int j = 0; j < p->contact_count; ++j)
    {
        const crn_compact_contact *c = &p->contact[j];
        const crn_compact_rolling *r = &p->rolling[j];
        double w[2][3], u[3], across[2][3], r_n = crn_dot3(impulse[j], c->normal);
        spin_of(test, impulse, c->a, w[0]);
        spin_of(test, impulse, c->b, w[1]);
        crn_sub3(w[0], w[1], u);
        double spin = crn_dot3(u, c->normal), along = crn_dot3(r->moment, c->normal);
        crn_madd3(u, -spin, c->normal, across[0]);
        crn_madd3(r->moment, -along, c->normal, across[1]);
        double rate = crn_norm3(across[0]), size = crn_norm3(across[1]);
        double easy = p->body[c->a].inverse_inertia + p->body[c->b].inverse_inertia + 1e3;
        worst = fmax(worst, r->length * easy * fmax(size - r->rolling * r_n, fabs(along) - r->spinning * r_n));
        /* m . w = -bound |w|, which is the most dissipation */
        if (r->rolling * r_n > 1e-6)
            worst = fmax(worst,
                         r->length * (crn_dot3(across[0], across[1]) + r->rolling * r_n * rate) / (r->rolling * r_n));
        if (r->spinning * r_n > 1e-6)
            worst = fmax(worst, r->length * (along * spin + r->spinning * r_n * fabs(spin)) / (r->spinning * r_n));
    }
    return worst;
}

static void sweeps_converge(void **state)
{
    (void)state;
    int sharp = 0;
    for (int trial = 0; trial < 48; ++trial)
    {
        test_compact *test = create(trial % 24, trial >= 24);
        size_t contacts = (size_t)test->problem.contact_count, bodies = (size_t)test->problem.body_count;
        double(*impulse)[3] = calloc(contacts, sizeof *impulse), *residual = calloc(contacts, sizeof(double));
        crn_compact_body *body = calloc(bodies, sizeof *body), *swept = calloc(bodies, sizeof *swept);
        crn_compact_certificate found;
        sweep(test, 1, 20000, impulse, swept);
        crn_compact_judge(&test->problem, (const double(*)[3])impulse, body, residual, &found);
        double missed =
            test->problem.uneven ? 1e-4 : 3e-5; /* some grains that walls or uneven bodies squeeze take longer */
        assert_true(found.worst < missed * found.scale);
        assert_true(broken(test, (const double(*)[3])impulse) < 3 * found.worst + 1e-11 * found.scale);
        sharp += found.worst < 1e-9 * found.scale;
        for (size_t i = 0; i < bodies; ++i) /* judged from momenta, not from what the sweeps added up */
            for (int k = 0; k < 3; ++k)
                assert_near(body[i].w[k], swept[i].w[k], 1e-7);
        free(impulse);
        free(residual);
        free(body);
        free(swept);
        destroy(test);
    }
    assert_true(sharp >= 40);
}

/* A solution one of whose moments is a hundredth larger is none. */
static void wrong_moments_are_found(void **state)
{
    (void)state;
    int total = 0;
    for (int trial = 0; trial < 24; ++trial)
    {
        test_compact *test = create(trial % 12, trial >= 12);
        size_t contacts = (size_t)test->problem.contact_count;
        double(*impulse)[3] = calloc(contacts, sizeof *impulse);
        crn_compact_body *body = calloc((size_t)test->problem.body_count, sizeof *body);
        crn_compact_certificate right, wrong;
        sweep(test, 1, 20000, impulse, NULL);
        crn_compact_judge(&test->problem, (const double(*)[3])impulse, body, NULL, &right);
        int changed = 0;
        for (int j = 0; j < (int)contacts && right.worst < 1e-9 * right.scale; ++j)
        {
            double kept[3], size = crn_norm3(test->problem.rolling[j].moment);
            if (!(size > 1e-5))
                continue;
            memcpy(kept, test->problem.rolling[j].moment, sizeof kept);
            crn_scale3(1.01, kept, test->problem.rolling[j].moment);
            crn_compact_judge(&test->problem, (const double(*)[3])impulse, body, NULL, &wrong);
            assert_true(wrong.worst > 100 * right.worst);
            memcpy(test->problem.rolling[j].moment, kept, sizeof kept);
            ++changed;
        }
        total += changed;
        free(impulse);
        free(body);
        destroy(test);
    }
    assert_true(total > 100);
}

static void widths_give_the_same_bits(void **state)
{
    (void)state;
    for (int trial = 0; trial < 24; ++trial)
    {
        test_compact *test = create(trial % 12, trial >= 12);
        size_t contacts = (size_t)test->problem.contact_count;
        double(*impulse[2])[3] = {calloc(contacts, sizeof(double[3])), calloc(contacts, sizeof(double[3]))};
        crn_compact_rolling *moments = calloc(contacts, sizeof *moments);
        sweep(test, 1, 30, impulse[0], NULL);
        memcpy(moments, test->problem.rolling, contacts * sizeof *moments);
        for (int lanes = 4; lanes <= 8; lanes += 4)
        {
            sweep(test, lanes, 30, impulse[1], NULL);
            assert_memory_equal(impulse[0], impulse[1], contacts * sizeof(double[3]));
            assert_memory_equal(moments, test->problem.rolling, contacts * sizeof *moments);
        }
        free(impulse[0]);
        free(impulse[1]);
        free(moments);
        destroy(test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_converge),
        cmocka_unit_test(wrong_moments_are_found),
        cmocka_unit_test(widths_give_the_same_bits),
    };
    return cmocka_run_group_tests_name("rolling friction in the compact view", tests, NULL, NULL);
}
