/* Pairs of balls, and of balls and half-spaces, are looked at four at a time. What is found is compared with geometry written a second time, and to the bit
 * with what the routine for one pair finds, which a filter that allows everything asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec.h"
#include "support/collide_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    BALLS = 150,
    MOVES = 12
};

static double travel[MAX_BODIES][3];

static bool allow(const void *data, int shape_a, int shape_b)
{
    (void)data;
    return shape_a != shape_b;
}

static bool is_half(const collide_scene *s, int shape)
{
    return s->model->shapes[shape].kind == CAIRN_HALF_SPACE;
}

static void centre_of(const collide_scene *s, int shape, double out[3])
{
    const crn_pose *pose = &s->poses[s->model->shapes[shape].body];
    crn_rotate3(pose->R, crn_frame_of(&s->model->shapes[shape])->position, out);
    crn_add3(pose->x, out, out);
}

/* How far two shapes are apart. */
static double gap_of(const collide_scene *s, int a, int b)
{
    double x[3], y[3], arm[3];
    centre_of(s, a, x);
    centre_of(s, b, y);
    crn_sub3(x, y, arm);
    if (is_half(s, a))
        return -crn_dot3(s->model->shapes[a].form->normal, arm) - s->model->shapes[b].radius;
    if (is_half(s, b))
        return crn_dot3(s->model->shapes[b].form->normal, arm) - s->model->shapes[a].radius;
    return crn_norm3(arm) - s->model->shapes[a].radius - s->model->shapes[b].radius;
}

static double reach_of(const collide_scene *s, int a, int b)
{
    double apart[3];
    crn_sub3(travel[s->model->shapes[a].body], travel[s->model->shapes[b].body], apart);
    return s->margin[s->model->shapes[a].body] + s->margin[s->model->shapes[b].body] + crn_norm3(apart);
}

/* Each pair within reach has one contact, with this gap; pairs at the very border may be listed or not. */
static void assert_complete(const collide_scene *s)
{
    int at = 0, count = (int)s->model->shape_count;
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b)
        {
            if (is_half(s, a) && is_half(s, b))
                continue;
            double gap = gap_of(s, a, b), reach = reach_of(s, a, b);
            const crn_contact *c = &s->contacts[at];
            bool listed = at < s->count && c->shape_a == a && c->shape_b == b;
            if (fabs(gap - reach) > 1e-12)
                assert_int_equal(listed, gap < reach);
            at += listed;
            if (listed)
            {
                double apart[3];
                crn_sub3(c->point_a, c->point_b, apart);
                collide_assert_near(c->gap, gap, 1e-12);
                collide_assert_near(crn_dot3(apart, c->normal), gap, 1e-12);
                collide_assert_near(crn_norm3(c->normal), 1.0, 1e-12);
            }
        }
    assert_int_equal(at, s->count);
}

/* What a collider finds that has seen nothing before, pair by pair. */
static void assert_as_by_pairs(const collide_scene *s, const crn_reach *reach)
{
    crn_reach filtered = *reach;
    crn_collider *fresh = crn_collider_create(1);
    const crn_contact *contacts;
    int count;
    filtered.allows = allow;
    assert_non_null(fresh);
    assert_int_equal(crn_collide(fresh, s->model, s->poses, &filtered, &contacts, &count), CAIRN_OK);
    assert_int_equal(count, s->count);
    assert_memory_equal(contacts, s->contacts, (size_t)count * sizeof *contacts);
    crn_collider_destroy(fresh);
}

static void add_ball(collide_scene *s, uint64_t *seed)
{
    cairn_shape_options shape = cairn_shape_default(CAIRN_SPHERE);
    shape.radius = collide_uniform(seed, 0.0, 1.0) < 0.1 ? 0.4 : collide_uniform(seed, 0.05, 0.2);
    if (collide_uniform(seed, 0.0, 1.0) < 0.1)
        shape.position[0] = 0.1; /* not about the origin of its body */
    collide_add(s, &shape, collide_uniform(seed, 0.1, 1.5), collide_uniform(seed, 0.1, 1.5),
                collide_uniform(seed, 0.1, 1.5));
}

/* Half-spaces before, among and behind the balls. */
static void fill(collide_scene *s, uint64_t *seed)
{
    collide_add_half(s, 0, 0, 1);
    for (int i = 0; i < BALLS; ++i)
    {
        if (i == BALLS / 2)
            collide_add_half(s, 0.6, 0, 0.8);
        add_ball(s, seed);
    }
    collide_add_half(s, 0, 0.6, 0.8);
    memcpy(s->poses[5].x, s->poses[4].x, sizeof s->poses[5].x); /* balls about the same point have any normal */
}

/* Balls move a little, a few of them far and fast. */
static void move(collide_scene *s, uint64_t *seed)
{
    int count = cairn_model_body_count(s->model);
    for (int b = 0; b < count; ++b)
    {
        bool fixed = is_half(s, b), jumps = collide_uniform(seed, 0.0, 1.0) < 0.03;
        double far = fixed ? 0.0 : jumps ? 0.5 : 1e-3;
        s->margin[b] = collide_uniform(seed, 0.0, 0.01);
        for (int k = 0; k < 3; ++k)
        {
            travel[b][k] = far * collide_uniform(seed, -1.0, 1.0);
            s->poses[b].x[k] += b == 4 || b == 5 ? 0.0 : far * collide_uniform(seed, -1.0, 1.0);
        }
    }
    memset(travel[7], 0, sizeof travel[7]);
}

static void test_balls(void **state)
{
    (void)state;
    collide_scene s;
    for (uint64_t run = 1; run <= 20; ++run)
    {
        uint64_t seed = run;
        collide_start(&s, 3);
        fill(&s, &seed);
        for (int i = 0; i < MOVES; ++i)
        {
            move(&s, &seed);
            crn_reach reach = {.margin = s.margin, .travel = travel};
            assert_int_equal(crn_collide(s.collider, s.model, s.poses, &reach, &s.contacts, &s.count), CAIRN_OK);
            assert_true(s.count > BALLS);
            assert_complete(&s);
            assert_as_by_pairs(&s, &reach);
        }
        collide_finish(&s);
    }
}

/* A ball that is nowhere is named, also as one of four. */
static void test_lost_ball(void **state)
{
    (void)state;
    for (int k = 0; k < 12; ++k)
    {
        collide_scene s;
        uint64_t seed = 3;
        collide_start(&s, 3);
        fill(&s, &seed);
        move(&s, &seed);
        crn_reach reach = {.margin = s.margin, .travel = travel};
        assert_int_equal(crn_collide(s.collider, s.model, s.poses, &reach, &s.contacts, &s.count), CAIRN_OK);
        char name[32];
        crn_pose *pose = &s.poses[10 + 5 * k];
        *(k < 3 ? &pose->x[k] : &pose->R[k - 3]) = k % 2 ? NAN : INFINITY;
        snprintf(name, sizeof name, "'body %d'", 10 + 5 * k);
        assert_int_equal(crn_collide(s.collider, s.model, s.poses, &reach, &s.contacts, &s.count), CAIRN_NUMERIC);
        assert_non_null(strstr(cairn_context_last_message(s.context), name));
        collide_finish(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_lost_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
