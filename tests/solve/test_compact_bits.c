/* Sweeps give the same bits for every width of vectors and every number of threads, and hold where a problem is degenerate. */
#include "support/check.h"
#include "support/problems/compact_problem.h"

#include "math/vec.h"
#include "solve/compact/compact.h"
#include "solve/compact/packed.h"

#include <stdlib.h>
#include <string.h>

/* What some sweeps leave. */
typedef struct result
{
    int bodies, contacts;
    double (*impulse)[3];
    crn_compact_body *body;
    double change;
} result;

/* Lanes 0: the default. With the problem's share of momentum, if any. In two calls, so that the direction of the second depends on the first. */
static result sweep(const crn_compact_problem *plain, const double (*start)[3], int lanes, int threads)
{
    crn_compact_problem shared = *plain, *problem = &shared;
    shared.threads = threads;
    result out = {.bodies = problem->body_count, .contacts = problem->contact_count};
    out.impulse = calloc((size_t)out.contacts + 1, sizeof *out.impulse);
    out.body = calloc((size_t)out.bodies + 1, sizeof *out.body);
    double(*velocity)[6] = calloc((size_t)out.bodies + 1, sizeof *velocity);
    if (problem->momentum.share > 0)
    {
        if (start)
            memcpy(out.impulse, start, (size_t)out.contacts * sizeof *out.impulse);
        start = (const double(*)[3])out.impulse;
        problem->momentum.impulse = out.impulse;
        problem->momentum.velocity = velocity;
    }
    crn_compact *compact = crn_compact_create(NULL);
    assert_non_null(compact);
    if (lanes > 0)
        crn_compact_lanes(compact, lanes);
    assert_int_equal(crn_compact_load(compact, problem, start), CAIRN_OK);
    crn_compact_sweep(compact, 3);
    out.change = crn_compact_sweep(compact, 4);
    crn_compact_store(compact, out.impulse, out.body);
    crn_compact_destroy(compact);
    free(velocity);
    return out;
}

static void release(result *r)
{
    free(r->impulse);
    free(r->body);
}

static void check_same(const result *a, const result *b)
{
    assert_memory_equal(a->impulse, b->impulse, (size_t)a->contacts * sizeof *a->impulse);
    for (int i = 0; i < a->bodies; ++i)
    {
        assert_memory_equal(a->body[i].v, b->body[i].v, sizeof a->body[i].v);
        assert_memory_equal(a->body[i].w, b->body[i].w, sizeof a->body[i].w);
    }
    assert_memory_equal(&a->change, &b->change, sizeof a->change);
}

static void check_widths_and_threads(const test_compact *test, const double (*start)[3])
{
    result scalar = sweep(&test->problem, start, 1, 1);
    assert_true(scalar.change > 0.0);
    for (int lanes = 1; lanes <= 8; lanes *= 2)
    {
        for (int threads = 1; threads <= 2 && lanes != 2; ++threads)
        {
            result found = sweep(&test->problem, start, lanes, threads);
            check_same(&scalar, &found);
            release(&found);
        }
    }
    release(&scalar);
}

static void every_width_gives_the_same_bits(void **state)
{
    (void)state;
    static const cairn_law LAWS[2][3] = {
        {{CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_CONE, 0}, {CAIRN_LAW_CONVEX_CONE, 0}},
        {{CAIRN_LAW_PYRAMID, 6}, {CAIRN_LAW_BOX, 0}, {CAIRN_LAW_PYRAMID, 64}},
    };
    for (int round = 0; round < 48; ++round)
    {
        int trial = round % 24;
        const cairn_law law = LAWS[round / 24][trial % 3];
        bool is_large = trial % 12 >= 9; /* enough for several threads */
        bool is_planar = trial / 6 % 2;
        test_compact_recipe recipe = {.count = {is_large ? 14 : 3 + trial % 4, is_large ? 20 : 4, is_planar ? 1 : 7},
                                      .law = law.kind,
                                      .directions = law.directions,
                                      .is_planar = is_planar,
                                      .is_general = trial / 3 % 2,
                                      .mu = 0.6};
        recipe.is_placed = trial % 2;
        recipe.is_uneven = trial % 4 >= 2;
        test_compact *test = test_compact_create(&recipe, (uint64_t)trial + 1);
        test->problem.momentum.share = trial % 7 > 2 ? 0.85 : 0.0;
        test->problem.momentum.further = trial % 7 > 4 ? 0.6 : 0.0;
        check_widths_and_threads(test, NULL);
        check_widths_and_threads(test, (const double(*)[3])test->impulse);
        test_compact_destroy(test);
    }
}

/* Where the caller knows that all contacts are round, they need not be found to be so. */
static void round_contacts_need_no_look(void **state)
{
    (void)state;
    for (int trial = 0; trial < 6; ++trial)
    {
        bool is_planar = trial % 2;
        test_compact_recipe recipe = {.count = {6, 5, is_planar ? 1 : 4},
                                      .law = trial < 3 ? CAIRN_LAW_CONE : CAIRN_LAW_CONVEX_CONE,
                                      .is_planar = is_planar,
                                      .is_uneven = trial == 4, /* then it knows too little, and each is looked at */
                                      .is_placed = trial > 1,
                                      .mu = 0.4};
        test_compact *test = test_compact_create(&recipe, (uint64_t)trial + 40);
        result looked = sweep(&test->problem, (const double(*)[3])test->impulse, 0, 1);
        test->problem.all_round = true;
        result known = sweep(&test->problem, (const double(*)[3])test->impulse, 0, 1);
        check_same(&looked, &known);
        release(&looked);
        release(&known);
        test_compact_destroy(test);
    }
}

/* How many seams a problem is swept with by several threads. */
static int seams_of(const crn_compact_problem *plain)
{
    crn_compact_problem problem = *plain;
    problem.threads = 2;
    crn_compact *compact = crn_compact_create(NULL);
    assert_non_null(compact);
    assert_int_equal(crn_compact_load(compact, &problem, NULL), CAIRN_OK);
    int seams = compact->seam_count;
    crn_compact_destroy(compact);
    return seams;
}

static void check_threads(const test_compact *test, int seams)
{
    const double(*start)[3] = (const double(*)[3])test->impulse;
    result one = sweep(&test->problem, start, 0, 1);
    assert_int_equal(seams_of(&test->problem), seams);
    for (int threads = 2; threads <= 5; ++threads)
    {
        result found = sweep(&test->problem, start, 0, threads);
        check_same(&one, &found);
        release(&found);
    }
    release(&one);
}

/* Every two-hundredth contact becomes one of this grain. */
static void make_giant(test_compact *test, int grain)
{
    int count = 0;
    for (int j = 0; j < test->problem.contact_count; j += 200)
    {
        crn_compact_contact *c = &test->contact[j];
        bool becomes = c->a != 0 && c->b != 0 && c->a != grain && c->b != grain;
        c->b = becomes ? grain : c->b;
        count += becomes;
    }
    assert_true(count > 20);
}

/* What lies between slabs is swept by several threads, too, but where a body lies in two seams or touches others than neighbouring slabs. */
static void seams_give_the_same_bits(void **state)
{
    (void)state;
    test_compact_recipe recipe = {.count = {26, 18, 18}, .law = CAIRN_LAW_CONE, .is_placed = true, .mu = 0.5};
    for (int variant = 0; variant < 3; ++variant)
    {
        test_compact *test = test_compact_create(&recipe, 70);
        test->problem.momentum.share = 0.8;
        test->problem.momentum.further = 0.6;
        if (variant == 1) /* a grain of the first slab that lies in the middle of the third one */
            test->across[1] = 0.6 * test->across[test->problem.body_count - 1] + 0.4 * test->across[1];
        if (variant == 2)
            make_giant(test, 1);
        check_threads(test, variant == 0 ? 3 : 1);
        test_compact_destroy(test);
    }
}

/* Velocities may be kept where the caller wants them, of which nothing beyond the room is written. */
static void velocities_may_be_kept_elsewhere(void **state)
{
    (void)state;
    for (int trial = 0; trial < 4; ++trial)
    {
        bool is_planar = trial % 2;
        test_compact_recipe recipe = {.count = {trial < 2 ? 5 : 13, trial < 2 ? 4 : 13, is_planar ? 1 : 7},
                                      .law = CAIRN_LAW_CONE,
                                      .is_planar = is_planar,
                                      .is_general = trial > 1,
                                      .is_placed = true,
                                      .mu = 0.4};
        test_compact *test = test_compact_create(&recipe, (uint64_t)trial + 60);
        size_t room = crn_compact_room(test->problem.body_count);
        crn_compact_body *memory = calloc(room + 2, sizeof *memory), *kept = crn_compact_align(memory);
        kept[room].v[0] = 17.0;
        result plain = sweep(&test->problem, (const double(*)[3])test->impulse, 0, 1);
        test->problem.room = kept;
        result found = sweep(&test->problem, (const double(*)[3])test->impulse, 0, 1);
        check_same(&plain, &found);
        assert_memory_equal(found.body, kept, (size_t)test->problem.body_count * sizeof *kept);
        assert_true(kept[room].v[0] == 17.0);
        release(&plain);
        release(&found);
        free(memory);
        test_compact_destroy(test);
    }
}

/* ------------------------------------------------------------------------------------------------------------ degenerate */

/* A plate on many small spheres on the ground: the plate has a contact with every sphere. */
static test_compact *plate(int spheres, double mu)
{
    test_compact *out = calloc(1, sizeof *out);
    out->body = calloc((size_t)spheres + 2, sizeof *out->body);
    out->contact = calloc(2 * (size_t)spheres, sizeof *out->contact);
    out->impulse = calloc(2 * (size_t)spheres, sizeof *out->impulse);
    out->inverse_inertia = calloc((size_t)spheres + 2, sizeof *out->inverse_inertia);
    out->is_round = calloc((size_t)spheres + 2, sizeof *out->is_round);
    out->problem = (crn_compact_problem){.body_count = spheres + 2,
                                         .contact_count = 2 * spheres,
                                         .law = CAIRN_LAW_CONE,
                                         .body = out->body,
                                         .inverse_inertia = (const double(*)[9])out->inverse_inertia,
                                         .is_round = out->is_round,
                                         .contact = out->contact};
    int slab = spheres + 1; /* body 0 is the ground */
    for (int i = 1; i <= slab; ++i)
    {
        out->is_round[i] = i < slab;
        out->body[i] = (crn_compact_body){.v = {0, 0, -0.05}, .inverse_mass = 1.0, .inverse_inertia = 1000.0};
        for (int k = 0; k < 9; k += 4)
            out->inverse_inertia[i][k] = k < 8 ? 0.3 : 0.15;
    }
    for (int i = 1; i <= spheres; ++i)
    {
        double x = (double)(i % 71) / 35.0 - 1.0, y = (double)(i % 67) / 33.0 - 1.0;
        out->contact[2 * i - 2] = (crn_compact_contact){
            .a = slab, .b = i, .normal = {0, 0, 1}, .arm_a = {x, y, -0.1}, .arm_b = {0, 0, 0.05}, .mu = mu};
        out->contact[2 * i - 1] =
            (crn_compact_contact){.a = i, .b = 0, .normal = {0, 0, 1}, .arm_a = {0, 0, -0.05}, .mu = mu};
    }
    return out;
}

static void colours_may_run_out(void **state)
{
    (void)state;
    test_compact *test = plate(3000, 0.5);
    double *height = calloc(3002, sizeof(double));
    check_widths_and_threads(test, NULL);
    for (int i = 0; i < 3002; ++i) /* in bands, each of which runs out of colours */
        height[i] = i % 17;
    test->problem.height = height;
    height[3001] = 20.0;
    check_widths_and_threads(test, NULL);
    test->problem.height = NULL;
    free(height);
    crn_compact *compact = crn_compact_create(NULL);
    test->problem.threads = 2;
    assert_int_equal(crn_compact_load(compact, &test->problem, NULL), CAIRN_OK);
    crn_compact_sweep(compact, 200);
    crn_compact_certificate found;
    crn_compact_body *body = calloc((size_t)test->problem.body_count, sizeof *body);
    crn_compact_store(compact, test->impulse, NULL);
    crn_compact_judge(&test->problem, (const double(*)[3])test->impulse, body, NULL, &found);
    free(body);
    assert_near(found.worst, 0.0, 0.05 * 1e-2);
    double load = 0.0; /* the ground carries the weight of all */
    for (int j = 1; j < test->problem.contact_count; j += 2)
        load += test->impulse[j][2];
    assert_near(load, 3001 * 0.05, 3001 * 0.05 * 1e-2);
    crn_compact_destroy(compact);
    test_compact_destroy(test);
}

/* A contact among other things, with points in place of arms. */
typedef struct record
{
    double ignored[2];
    int a, b;
    double normal[3], point_a[3], point_b[3], mu;
    int also_ignored;
} record;

/* The contacts of a problem as records, around centres of the bodies; arms become what the records say. */
static record *write_down(test_compact *test, double (*centre)[3])
{
    record *out = calloc((size_t)test->problem.contact_count, sizeof *out);
    for (int i = 0; i < 3 * test->problem.body_count; ++i)
        centre[i / 3][i % 3] = (double)(i % 101) / 101.0 - 0.3;
    for (int j = 0; j < test->problem.contact_count; ++j)
    {
        crn_compact_contact *c = &test->contact[j];
        out[j] = (record){.a = c->a, .b = c->b, .mu = c->mu};
        for (int k = 0; k < 3; ++k)
        {
            out[j].normal[k] = c->normal[k];
            out[j].point_a[k] = centre[c->a][k] + c->arm_a[k];
            out[j].point_b[k] = centre[c->b][k] + c->arm_b[k];
            c->arm_a[k] = out[j].point_a[k] - centre[c->a][k];
            c->arm_b[k] = out[j].point_b[k] - centre[c->b][k];
        }
    }
    return out;
}

static void check_list(test_compact *test)
{
    int bodies = test->problem.body_count, contacts = test->problem.contact_count;
    double(*centre)[3] = calloc((size_t)bodies, sizeof *centre), *bias = calloc((size_t)contacts, sizeof *bias);
    record *records = write_down(test, centre);
    crn_compact_problem listed = test->problem;
    for (int j = 0; j < contacts; ++j)
        bias[j] = test->contact[j].bias;
    listed.contact = NULL;
    listed.list =
        (crn_compact_list){&records->a, records->normal, sizeof *records, (const double(*)[3])centre, bias, NULL};
    crn_compact_body *body[2] = {calloc((size_t)bodies, sizeof **body), calloc((size_t)bodies, sizeof **body)};
    crn_compact_certificate judged[2];
    crn_compact_judge(&test->problem, (const double(*)[3])test->impulse, body[0], NULL, &judged[0]);
    crn_compact_judge(&listed, (const double(*)[3])test->impulse, body[1], NULL, &judged[1]);
    assert_memory_equal(body[0], body[1], (size_t)bodies * sizeof **body);
    assert_true(judged[0].worst > 0 && judged[0].worst == judged[1].worst && judged[0].contact == judged[1].contact);
    for (int lanes = 1; lanes <= 8; lanes += lanes == 1 ? 3 : 4)
    {
        result plain = sweep(&test->problem, (const double(*)[3])test->impulse, lanes, 1);
        result found = sweep(&listed, (const double(*)[3])test->impulse, lanes, 2);
        check_same(&plain, &found);
        release(&plain);
        release(&found);
    }
    free(body[0]);
    free(body[1]);
    free(records);
    free(centre);
    free(bias);
}

static void contacts_may_stand_in_a_list(void **state)
{
    (void)state;
    for (int general = 0; general < 2; ++general)
    {
        const test_compact_recipe recipe = {
            .count = {9, 8, 7}, .law = CAIRN_LAW_CONE, .is_general = general, .is_placed = true, .mu = 0.5};
        test_compact *test = test_compact_create(&recipe, 17);
        check_list(test);
        test_compact_destroy(test);
    }
}

/* Momenta as their definition says, contact by contact, over a range of bodies. */
static void add_plainly(const crn_compact_problem *problem, const double (*impulse)[3], const int contacts[2],
                        crn_compact_body *body, int first, int end)
{
    for (int j = 2 * contacts[0]; j < 2 * contacts[1]; ++j)
    {
        const crn_compact_contact c = crn_compact_at(problem, j / 2);
        int i = j % 2 ? c.b : c.a;
        double moment[3];
        if (i < first || i >= end || body[i].inverse_mass == 0.0)
            continue;
        crn_cross3(j % 2 ? c.arm_b : c.arm_a, impulse[j / 2], moment);
        for (int k = 0; k < 3; ++k)
        {
            body[i].v[k] += j % 2 ? -impulse[j / 2][k] : impulse[j / 2][k];
            body[i].w[k] += j % 2 ? -moment[k] : moment[k];
        }
    }
}

static void momenta_add_up_alike_in_both_widths(void **state)
{
    (void)state;
    const test_compact_recipe recipe = {.count = {5, 6, 7}, .law = CAIRN_LAW_CONE, .is_general = true, .mu = 0.5};
    test_compact *test = test_compact_create(&recipe, 3);
    int bodies = test->problem.body_count, contacts = test->problem.contact_count;
    const double(*impulse)[3] = (const double(*)[3])test->impulse;
    for (int j = 0; j < contacts; ++j)
        test->contact[j].mu = INFINITY; /* which follows the arms and must not get into them */
    crn_compact_body *found[3];
    for (int way = 0; way < 3; ++way)
    {
        found[way] = calloc((size_t)bodies, sizeof **found);
        memcpy(found[way], test->problem.body, (size_t)bodies * sizeof **found);
        crn_compact_momenta *add = way == 0                               ? add_plainly
                                   : way == 2 && crn_compact_widest() > 1 ? crn_compact_momenta_4
                                                                          : crn_compact_momenta_1;
        for (int half = 0; half < 2; ++half)
        {
            const int range[2] = {half * contacts / 2, (half + 1) * contacts / 2};
            add(&test->problem, impulse, range, found[way], 0, bodies / 3);
            add(&test->problem, impulse, range, found[way], bodies / 3, bodies);
        }
    }
    assert_true(memcmp(found[0], test->problem.body, (size_t)bodies * sizeof **found) != 0);
    assert_memory_equal(found[0], found[1], (size_t)bodies * sizeof **found);
    assert_memory_equal(found[0], found[2], (size_t)bodies * sizeof **found);
    for (int way = 0; way < 3; ++way)
        free(found[way]);
    test_compact_destroy(test);
}

static void one_sphere_falls_on_a_lift(void **state)
{
    (void)state;
    for (int exchanged = 0; exchanged < 2; ++exchanged)
    {
        crn_compact_body body[2] = {{.v = {0, 0, 0.5}},
                                    {.v = {0.1, 0, -0.3}, .inverse_mass = 2.0, .inverse_inertia = 2.0 / (0.4 * 0.01)}};
        crn_compact_contact contact = {
            .a = 1, .b = 0, .normal = {0, 0, 1}, .arm_a = {0, 0, -0.1}, .bias = 0.2, .mu = 9.0};
        if (exchanged)
            contact = (crn_compact_contact){
                .a = 0, .b = 1, .normal = {0, 0, -1}, .arm_b = {0, 0, -0.1}, .bias = 0.2, .mu = 9.0};
        crn_compact_problem problem = {
            .body_count = 2, .contact_count = 1, .law = CAIRN_LAW_CONE, .body = body, .contact = &contact};
        result found = sweep(&problem, NULL, 0, 1);
        /* u_n = v_z - 0.5 + 0.2 = 0, and it rolls: v_x = -w_y r with 2/7 of v_x lost to spin */
        assert_near(found.body[1].v[2], 0.3, 1e-15);
        assert_near(found.body[1].v[0], 0.1 * 5.0 / 7.0, 1e-15);
        assert_near(found.body[1].w[1], 0.1 * 5.0 / 7.0 / 0.1, 1e-13);
        assert_near(found.impulse[0][2], (exchanged ? -1.0 : 1.0) * 0.6 / 2.0, 1e-15);
        assert_memory_equal(&found.body[0], &body[0], sizeof body[0]);
        release(&found);
    }
}

static void nothing_to_do(void **state)
{
    (void)state;
    crn_compact_body body[2] = {{.v = {1, 2, 3}, .inverse_mass = 1.0}, {.w = {4, 5, 6}}};
    crn_compact_contact both_held = {.a = 0, .b = 1, .normal = {1, 0, 0}};
    crn_compact_problem problem = {.body_count = 2, .law = CAIRN_LAW_CONE, .body = body};
    result found = sweep(&problem, NULL, 0, 2);
    assert_true(found.change == 0.0);
    assert_memory_equal(found.body, body, sizeof body);
    release(&found);
    crn_compact_certificate certificate;
    crn_compact_body out[2];
    crn_compact_judge(&problem, NULL, out, NULL, &certificate);
    assert_int_equal(certificate.contact, -1);
    assert_true(certificate.worst == 0.0 && certificate.scale == 3.0);

    body[0].inverse_mass = 0.0;
    double impulse[1][3] = {{7, 8, 9}};
    problem.contact_count = 1;
    problem.contact = &both_held;
    found = sweep(&problem, (const double(*)[3])impulse, 0, 1);
    assert_memory_equal(found.body, body, sizeof body);
    assert_true(found.impulse[0][0] == 0.0);
    release(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_gives_the_same_bits),
        cmocka_unit_test(round_contacts_need_no_look),
        cmocka_unit_test(seams_give_the_same_bits),
        cmocka_unit_test(velocities_may_be_kept_elsewhere),
        cmocka_unit_test(colours_may_run_out),
        cmocka_unit_test(contacts_may_stand_in_a_list),
        cmocka_unit_test(momenta_add_up_alike_in_both_widths),
        cmocka_unit_test(one_sphere_falls_on_a_lift),
        cmocka_unit_test(nothing_to_do),
    };
    return cmocka_run_group_tests_name("compact_bits", tests, NULL, NULL);
}
