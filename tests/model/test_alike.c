/* Bodies that begin alike share a record of how; what is done to one of them must never be seen in another. */
#include "model/model.h"
#include "support/check.h"
#include "support/counted_memory.h"
#include "support/worlds.h"

#include <stdio.h>

enum
{
    SOME = 12,
    MANY = 2000
};

/* Body i of a row; every other kind differs in one thing from the first. */
static cairn_body_options options_of(int i, int kind)
{
    cairn_body_options o = cairn_body_default();
    o.mass = kind == 1 ? 3 : 2;
    for (int k = 0; k < 3; ++k)
        o.inertia[k] = kind == 2 ? 0.5 : 0.25;
    if (kind == 3)
        o.inertia[0] = 0.3;
    o.velocity[0] = kind == 4 ? 1 : 0;
    o.groups = kind == 5 ? 2 : 1;
    o.position[0] = i;
    return o;
}

static cairn_body add(world *w, int i, int kind)
{
    char name[16];
    cairn_body_options o = options_of(i, kind);
    cairn_body body;
    snprintf(name, sizeof name, "b%d", i);
    o.name = name;
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    return body;
}

static void check_body(const world *w, cairn_body body, int i, int kind, double speed)
{
    const cairn_body_options o = options_of(i, kind);
    double inertia[9];
    int index = cairn_model_body_index(w->model, body);
    cairn_body_state state = crn_initial_of(&w->model->bodies[index]);
    cairn_model_body_inertia(w->model, body, inertia);
    assert_near(cairn_model_body_mass(w->model, body), o.mass, 0);
    assert_near(inertia[0], o.inertia[0], 0);
    assert_near(inertia[8], o.inertia[2], 0);
    assert_near(state.velocity[0], speed, 0);
    assert_near(state.position[0], i, 0);
    assert_int_equal(w->model->bodies[index].traits->groups, o.groups);
}

/* Kinds take turns, so that some bodies share and others do not. */
static void bodies_keep_what_they_were_given(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body body[SOME];
    int kind[SOME];
    for (int i = 0; i < SOME; ++i)
        body[i] = add(&w, i, kind[i] = i < 6 ? i : i % 2);
    for (int i = 0; i < SOME; ++i)
        check_body(&w, body[i], i, kind[i], options_of(i, kind[i]).velocity[0]);
    world_free(&w);
}

/* One of three alike is set going, and the first, which the others were made like, is removed. */
static void changes_are_of_one_body(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body body[3];
    for (int i = 0; i < 3; ++i)
        body[i] = add(&w, i, 0);
    assert_ptr_equal(w.model->bodies[0].traits, w.model->bodies[2].traits);
    cairn_body_state moving = crn_initial_of(&w.model->bodies[1]);
    moving.velocity[0] = 7;
    assert_int_equal(cairn_model_set_body(w.model, body[1], &moving), CAIRN_OK);
    for (int i = 0; i < 3; ++i)
        check_body(&w, body[i], i, 0, i == 1 ? 7 : 0);
    assert_int_equal(cairn_model_remove_body(w.model, body[0]), CAIRN_OK);
    check_body(&w, body[1], 1, 0, 7);
    check_body(&w, body[2], 2, 0, 0);
    moving.position[0] = 2;
    assert_int_equal(cairn_model_set_body(w.model, body[2], &moving), CAIRN_OK);
    check_body(&w, body[2], 2, 0, 7);
    assert_int_equal(cairn_model_remove_body(w.model, body[1]), CAIRN_OK);
    check_body(&w, body[2], 2, 0, 7);
    world_free(&w);
}

static double bytes_of(int kinds)
{
    long long before = counted_begin();
    world w = world_new(3);
    for (int i = 0; i < MANY; ++i)
        add(&w, i, i % kinds);
    double bytes = (double)(counted_peak() - before) / MANY;
    world_free(&w);
    return bytes;
}

/* A record of its own for every body would be twice as much. */
static void alike_bodies_are_small(void **state)
{
    (void)state;
    double one = bytes_of(1), two = bytes_of(2), six = bytes_of(6);
    print_message("    %.0f, %.0f and %.0f bytes per body where one, two and six kinds take turns\n", one, two, six);
    assert_true(one < 120 && two < 120);
    assert_true(six > one + 80); /* more kinds than are looked back at */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_keep_what_they_were_given),
        cmocka_unit_test(changes_are_of_one_body),
        cmocka_unit_test(alike_bodies_are_small),
    };
    return cmocka_run_group_tests_name("bodies that begin alike", tests, NULL, NULL);
}
