/* The broad phase over many calls: worlds of different sizes that move a little, much, and far away, against every pair of
 * bounds; threads; memory; the tree of bounds against a plain search. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/broad/broad.h"
#include "math/vec.h"
#include "model/traits.h"
#include "support/collide_scene.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SHAPES = 200,
    STEPS = 120
};

/* Spheres with radii from 0.003 to 3 in a box of side 8, two half-spaces, and a driven one. */
static void fill(collide_scene *s, uint64_t seed)
{
    collide_start(s, 3);
    collide_add_half(s, 0, 0, 1);
    for (int i = 0; i < SHAPES; ++i)
    {
        double x[3], radius = 0.003 * pow(1000.0, pow(collide_uniform(&seed, 0, 1), 4));
        for (int k = 0; k < 3; ++k)
            x[k] = collide_uniform(&seed, 0, 8);
        collide_add_round(s, CAIRN_SPHERE, radius, x[0], x[1], x[2]);
    }
    collide_add_half(s, 0.6, 0, 0.8);
    for (int i = 0; i < MAX_BODIES; ++i)
        s->margin[i] = 0.01;
}

/* Some move a little, a few far, one leaves for good, and half-spaces tilt and sink now and then. */
static void stir(collide_scene *s, int step, uint64_t *seed)
{
    double most = step % 40 == 39 ? 4.0 : step % 7 == 6 ? 0.0 : 0.004;
    for (int i = 1; i <= SHAPES; ++i)
    {
        double far = collide_uniform(seed, 0, 1) < 0.01 ? 1.0 : most;
        for (int k = 0; k < 3; ++k)
            s->poses[i].x[k] += collide_uniform(seed, -far, far);
    }
    s->poses[17].x[0] = step < 60 ? s->poses[17].x[0] : pow(10.0, step - 50.0);
    s->poses[0].x[2] = step % 10 == 9 ? collide_uniform(seed, -1, 1) : s->poses[0].x[2];
    if (step % 25 == 24)
        collide_turn(s, SHAPES + 1, collide_uniform(seed, -1, 1), 0, 0);
    s->margin[23] = step % 30 == 10 ? INFINITY : 0.01;
    s->margin[29] = step % 11 == 3 ? 3.0 : 0.01;
}

/* The gap of two shapes of this world, by hand. */
static double gap_of(const collide_scene *s, int a, int b)
{
    double arm[3];
    crn_sub3(s->poses[a].x, s->poses[b].x, arm);
    const crn_shape *p = &s->model->shapes[a], *q = &s->model->shapes[b];
    if (p->kind == CAIRN_HALF_SPACE || q->kind == CAIRN_HALF_SPACE)
    {
        double n[3];
        bool first = p->kind == CAIRN_HALF_SPACE;
        crn_rotate3(s->poses[first ? a : b].R, (first ? p : q)->form->normal, n);
        return (first ? -1.0 : 1.0) * crn_dot3(n, arm) - (first ? q : p)->radius;
    }
    return crn_norm3(arm) - p->radius - q->radius;
}

/* The contacts are those of every pair that is near enough, in order. */
static int check_against_all(const collide_scene *s)
{
    int next = 0;
    for (int a = 0; a < SHAPES + 2; ++a)
    {
        for (int b = a + 1; b < SHAPES + 2; ++b)
        {
            bool both = s->model->shapes[a].kind == CAIRN_HALF_SPACE && s->model->shapes[b].kind == CAIRN_HALF_SPACE;
            double gap = gap_of(s, a, b), most = s->margin[a] + s->margin[b];
            if (both || gap > most + 1e-12 * (1 + fabs(most)))
                continue;
            bool listed = next < s->count && s->contacts[next].shape_a == a && s->contacts[next].shape_b == b;
            assert_true(listed || gap > most - 1e-12 * (1 + fabs(gap)));
            next += listed;
        }
    }
    assert_int_equal(next, s->count);
    return s->count;
}

static void collide_now(collide_scene *s)
{
    crn_reach reach = {.margin = s->margin};
    assert_int_equal(crn_collide(s->collider, s->model, s->poses, &reach, &s->contacts, &s->count), CAIRN_OK);
}

static void test_moving_world(void **state)
{
    (void)state;
    for (uint64_t trial = 1; trial <= 3; ++trial)
    {
        collide_scene s;
        uint64_t seed = 1000 * trial;
        int found = 0;
        fill(&s, trial);
        for (int step = 0; step < STEPS; ++step)
        {
            collide_now(&s);
            found += check_against_all(&s);
            stir(&s, step, &seed);
        }
        assert_true(found > 50 * STEPS);
        collide_finish(&s);
    }
}

/* A collider with a history, one without, and ones with several threads: the same bytes. */
static void test_history_and_threads(void **state)
{
    (void)state;
    collide_scene s;
    uint64_t seed = 5;
    crn_collider *crowd[4];
    fill(&s, 9);
    for (int k = 0; k < 4; ++k)
        crowd[k] = crn_collider_create((int[]){2, 3, 8, 64}[k]);
    for (int step = 0; step < STEPS; ++step)
    {
        collide_now(&s);
        crn_collider *fresh = crn_collider_create(1);
        for (int k = 0; k < 5; ++k)
        {
            const crn_contact *contacts;
            int count;
            crn_reach reach = {.margin = s.margin};
            crn_collider *other = k < 4 ? crowd[k] : fresh;
            assert_int_equal(crn_collide(other, s.model, s.poses, &reach, &contacts, &count), CAIRN_OK);
            assert_int_equal(count, s.count);
            assert_memory_equal(contacts, s.contacts, (size_t)count * sizeof *contacts);
        }
        crn_collider_destroy(fresh);
        stir(&s, step, &seed);
    }
    for (int k = 0; k < 4; ++k)
        crn_collider_destroy(crowd[k]);
    collide_finish(&s);
}

/* Shapes of several kinds that creep, turn, jump, and reach further or less far: pairs that a collider with a history does not look at
 * have no contacts for one without. */
static void test_history_of_mixed_shapes(void **state)
{
    (void)state;
    static const cairn_shape_kind KINDS[] = {CAIRN_SPHERE, CAIRN_BOX, CAIRN_CAPSULE, CAIRN_CYLINDER};
    collide_scene s;
    uint64_t seed = 21;
    double turn[MAX_BODIES][3] = {{0}};
    int bodies = 1 + 150, found = 0;
    collide_start(&s, 3);
    collide_add_half(&s, 0, 0, 1);
    for (int i = 1; i < bodies; ++i)
    {
        cairn_shape_options shape = cairn_shape_default(KINDS[i % 4]);
        shape.radius = collide_uniform(&seed, 0.05, 0.2);
        shape.length = shape.height = collide_uniform(&seed, 0.1, 0.5);
        for (int k = 0; k < 3; ++k)
            shape.size[k] = collide_uniform(&seed, 0.1, 0.5);
        collide_add(&s, &shape, collide_uniform(&seed, 0, 2), collide_uniform(&seed, 0, 2),
                    collide_uniform(&seed, 0, 2));
    }
    for (int step = 0; step < STEPS; ++step)
    {
        double most = (double[]){1e-7, 1e-4, 1e-3, 1e-2}[step / 3 % 4];
        for (int i = 1; i < bodies; ++i)
        {
            double jump = collide_uniform(&seed, 0, 1) < 0.01 ? 1.0 : most;
            for (int k = 0; k < 3; ++k)
            {
                s.poses[i].x[k] += step % 2 * collide_uniform(&seed, -jump, jump);
                turn[i][k] += collide_uniform(&seed, -jump, jump);
            }
            collide_turn(&s, i, turn[i][0], turn[i][1], turn[i][2]);
            s.margin[i] = step % 5 == 4 ? 0.03 : step % 7 == 3 ? 1e-5 : 1e-3;
        }
        s.poses[0].x[2] += step % 20 == 10 ? 0.1 : 0.0;
        collide_now(&s);
        const crn_contact *contacts;
        int count;
        crn_reach reach = {.margin = s.margin};
        crn_collider *fresh = crn_collider_create(1);
        assert_int_equal(crn_collide(fresh, s.model, s.poses, &reach, &contacts, &count), CAIRN_OK);
        assert_int_equal(count, s.count);
        assert_memory_equal(contacts, s.contacts, (size_t)count * sizeof *contacts);
        found += count;
        crn_collider_destroy(fresh);
    }
    assert_true(found > 50 * STEPS);
    collide_finish(&s);
}

/* Once it has seen the like, a collider takes no memory. */
static void test_warm_memory(void **state)
{
    (void)state;
    collide_scene s;
    uint64_t seed = 5;
    fill(&s, 4);
    for (int round = 0; round < 4; ++round)
    {
        size_t before = mallinfo2().uordblks;
        seed = 5;
        s.poses[0].x[2] = 0.0;
        collide_turn(&s, SHAPES + 1, 0, 0, 0);
        for (int i = 1; i <= SHAPES; ++i)
            memcpy(s.poses[i].x, (double[3]){i % 9, i % 8, i % 7}, sizeof s.poses[i].x);
        for (int step = 0; step < STEPS; ++step)
        {
            collide_now(&s);
            stir(&s, step, &seed);
        }
        assert_true(round < 3 || mallinfo2().uordblks == before);
    }
    collide_finish(&s);
}

/* A pair that is told to be ignored after the first call is gone at the next. */
static void test_ignored_later(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    collide_add_round(&s, CAIRN_SPHERE, 1, 0, 0, 0);
    collide_add_round(&s, CAIRN_SPHERE, 1, 1, 0, 0);
    collide_within(&s, 0.1);
    assert_int_equal(s.count, 1);
    assert_int_equal(cairn_model_ignore_contact(s.model, cairn_model_body(s.model, 0), cairn_model_body(s.model, 1)),
                     CAIRN_OK);
    collide_within(&s, 0.1);
    assert_int_equal(s.count, 0);
    collide_add_round(&s, CAIRN_SPHERE, 1, 0, 1, 0);
    collide_within(&s, 0.1);
    assert_int_equal(s.count, 2);
    collide_finish(&s);
}

/* ------------------------------------------------------------------------------------------------------------ filters */

/* Groups and masks: two bodies touch only when each has a group that the other may touch. */
static void test_groups(void **state)
{
    (void)state;
    static const uint64_t GROUPS[] = {1, 1, 2, 4, 6, 1, 0, UINT64_C(1) << 63};
    static const uint64_t WITH[] = {UINT64_MAX, 2, 1, UINT64_MAX, 4, 0, UINT64_MAX, UINT64_C(1) << 63};
    enum
    {
        COUNT = sizeof GROUPS / sizeof GROUPS[0]
    };
    collide_scene s;
    collide_start(&s, 3);
    for (int i = 0; i < 2 * COUNT; ++i)
    {
        collide_add_round(&s, CAIRN_SPHERE, 1, 0.01 * i, 0, 0);
        assert_true(crn_traits_own(&s.model->bodies[i]));
        s.model->bodies[i].traits->groups = GROUPS[i % COUNT];
        s.model->bodies[i].traits->collides_with = WITH[i % COUNT];
    }
    collide_within(&s, 0.1);
    int next = 0;
    for (int a = 0; a < 2 * COUNT; ++a)
    {
        for (int b = a + 1; b < 2 * COUNT; ++b)
        {
            if ((GROUPS[a % COUNT] & WITH[b % COUNT]) != 0 && (GROUPS[b % COUNT] & WITH[a % COUNT]) != 0)
            {
                assert_true(next < s.count);
                assert_int_equal(s.contacts[next].body_a, a);
                assert_int_equal(s.contacts[next++].body_b, b);
            }
        }
    }
    assert_int_equal(next, s.count);
    assert_true(next > 5);
    collide_finish(&s);
}

/* The options reach the model. */
static void test_group_options(void **state)
{
    (void)state;
    collide_scene s;
    collide_start(&s, 3);
    cairn_body_options options = cairn_body_default();
    cairn_body body;
    assert_int_equal(options.groups, 1);
    assert_true(options.collides_with == UINT64_MAX);
    options.mass = 1;
    options.point = true;
    for (int i = 0; i < 3; ++i)
    {
        options.name = (const char *[]){"wall", "grain", "dust"}[i];
        options.groups = UINT64_C(1) << i;
        options.collides_with = i == 2 ? 1 : 7;
        assert_int_equal(cairn_model_add_body(s.model, &options, &body), CAIRN_OK);
    }
    assert_true(crn_model_may_touch(s.model, 0, 1));
    assert_true(crn_model_may_touch(s.model, 0, 2));
    assert_false(crn_model_may_touch(s.model, 1, 2));
    collide_finish(&s);
}

/* ------------------------------------------------------------------------------------------------------- the tree */

static crn_bounds random_bounds(uint64_t *seed, double size)
{
    crn_bounds b;
    for (int k = 0; k < 3; ++k)
    {
        b.lower[k] = collide_uniform(seed, -10, 10);
        b.upper[k] = b.lower[k] + size * collide_uniform(seed, 0, 1);
    }
    return b;
}

static void check_search(const crn_tree *tree, const crn_bounds *bounds, int count, const crn_bounds *box,
                         crn_hits *found)
{
    bool hit[500] = {false};
    found->count = 0;
    assert_int_equal(crn_tree_overlap(tree, bounds, box, found), CAIRN_OK);
    for (int i = 0; i < found->count; ++i)
    {
        assert_false(hit[found->item[i]]);
        hit[found->item[i]] = true;
    }
    for (int i = 0; i < count; ++i)
        assert_int_equal(hit[i], crn_bounds_overlap(&bounds[i], box));
}

/* Points along the ray that lie in bounds must have been found; what was found is met by a point within rounding. */
static void check_ray(const crn_tree *tree, const crn_bounds *bounds, int count, const crn_bounds *box, crn_hits *found)
{
    double d[3], x[3];
    bool hit[500] = {false};
    crn_sub3(box->upper, box->lower, d);
    found->count = 0;
    assert_int_equal(crn_tree_ray(tree, bounds, box->lower, d, 3.0, found), CAIRN_OK);
    for (int i = 0; i < found->count; ++i)
        hit[found->item[i]] = true;
    for (int k = 0; k <= 300; ++k)
    {
        crn_madd3(box->lower, 0.01 * k, d, x);
        for (int i = 0; i < count; ++i)
        {
            crn_bounds point = {{x[0], x[1], x[2]}, {x[0], x[1], x[2]}};
            assert_true(hit[i] || !crn_bounds_overlap(&bounds[i], &point));
        }
    }
}

static void test_tree(void **state)
{
    (void)state;
    static crn_bounds bounds[500];
    int items[500];
    crn_tree tree = {.order = NULL};
    crn_hits found = {.item = NULL};
    uint64_t seed = 8;
    for (int count = 0; count <= 500; count = count < 20 ? count + 1 : count + 37)
    {
        for (int i = 0; i < count; ++i)
        {
            items[i] = i;
            bounds[i] = random_bounds(&seed, i % 10 ? 1.0 : 15.0);
            bounds[i] = i % 50 == 49 ? bounds[i - 1] : bounds[i];
        }
        assert_int_equal(crn_tree_build(&tree, bounds, items, count), CAIRN_OK);
        for (int trial = 0; trial < 40; ++trial)
        {
            crn_bounds box = random_bounds(&seed, trial % 2 ? 1.0 : 6.0);
            check_search(&tree, bounds, count, &box, &found);
            check_ray(&tree, bounds, count, &box, &found);
            if (count > 0)
            {
                int item = (int)collide_uniform(&seed, 0, count);
                bounds[item] = random_bounds(&seed, 2.0);
                if (trial % 3)
                    crn_tree_refit(&tree, bounds, item);
                else
                    crn_tree_refit_all(&tree, bounds);
            }
        }
    }
    free(found.item);
    crn_tree_free(&tree);
}

static const crn_contact *find(const crn_contact *contacts, int count, uint64_t identity)
{
    for (int i = 0; i < count; ++i)
        if (contacts[i].identity == identity)
            return &contacts[i];
    return NULL;
}

/* Margins that grow: the contacts from before and those that are added are the contacts of the new margins, to the bit. spare: the
 * memory with which lists take turns, where those that are added and the pairs of a search lie too. */
static void check_grown_margins(crn_scratch *spare)
{
    collide_scene s;
    uint64_t seed = 11;
    int added = 0;
    fill(&s, 4);
    if (spare)
        crn_collider_take_turns(s.collider, spare);
    collide_add_box(&s, 0.4, 0.3, 0.6, 3, 3, 3);
    collide_add_box(&s, 0.5, 0.9, 0.2, 5, 4, 2);
    for (int step = 0; step < STEPS; ++step)
    {
        double before[MAX_BODIES];
        memcpy(before, s.margin, sizeof before);
        collide_now(&s);
        for (int i = 0; i < MAX_BODIES; ++i)
            s.margin[i] += collide_uniform(&seed, 0, 1) < 0.2 ? collide_uniform(&seed, 0, 0.2) : 0.0;
        crn_reach reach = {.margin = s.margin};
        const crn_contact *more, *all;
        int more_count, all_count, found = 0;
        assert_int_equal(crn_collide_grown(s.collider, s.model, s.poses, &reach, before, &more, &more_count), CAIRN_OK);
        crn_collider *fresh = crn_collider_create(1);
        assert_int_equal(crn_collide(fresh, s.model, s.poses, &reach, &all, &all_count), CAIRN_OK);
        for (int i = 0; i < all_count; ++i)
        {
            const crn_contact *old = find(s.contacts, s.count, all[i].identity);
            const crn_contact *new = find(more, more_count, all[i].identity);
            assert_true(old || new);
            if (new)
                assert_memory_equal(new, &all[i], sizeof *new);
            found += new != NULL;
            added += new && !old;
        }
        assert_int_equal(found, more_count);
        crn_collider_destroy(fresh);
        memcpy(s.margin, before, sizeof before);
        stir(&s, step, &seed);
    }
    assert_true(added > STEPS);
    collide_finish(&s);
}

static void test_grown_margins(void **state)
{
    (void)state;
    crn_scratch spare = {0};
    check_grown_margins(NULL);
    check_grown_margins(&spare);
    assert_true(spare.capacity > 0);
    crn_scratch_release(&spare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moving_world),
        cmocka_unit_test(test_history_and_threads),
        cmocka_unit_test(test_grown_margins),
        cmocka_unit_test(test_warm_memory),
        cmocka_unit_test(test_ignored_later),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_group_options),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_history_of_mixed_shapes),
    };
    return cmocka_run_group_tests_name("broad", tests, NULL, NULL);
}
