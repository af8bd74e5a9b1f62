/* Handles, names and removal in the model, against a plain list that is searched from end to end. */
#include "base/name_table.h"
#include "model/handles.h"
#include "model/ignored.h"
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    NAMES = 300
};

/* Names added and removed in any order: the table knows exactly those that are there. */
static void names_are_taken_out(void **state)
{
    (void)state;
    char text[NAMES][24];
    bool there[NAMES] = {false};
    crn_name_table table = {0};
    uint64_t seed = 3;
    for (int i = 0; i < NAMES; ++i)
        snprintf(text[i], sizeof text[i], "name %d", i);
    for (int turn = 0; turn < 5000; ++turn)
    {
        int i = (int)random_in(&seed, 0, NAMES - 0.001);
        if (there[i])
            crn_name_table_remove(&table, text[i]);
        else
            assert_int_equal(crn_name_table_add(&table, text[i], i), CAIRN_OK);
        there[i] = !there[i];
        for (int k = 0; k < NAMES; k += turn % 100 ? 37 : 1)
            assert_int_equal(crn_name_table_find(&table, text[k]), there[k] ? k : -1);
    }
    crn_name_table_free(&table);
}

typedef struct record
{
    cairn_body body;
    char name[16];
} record;

/* Bodies in the order of adding; the removed ones behind them in no order. */
static void compare(const cairn_model *model, const record *list, int count, const record *gone, int gone_count)
{
    assert_int_equal(cairn_model_body_count(model), count);
    for (int i = 0; i < count; ++i)
    {
        assert_int_equal(cairn_model_body_index(model, list[i].body), i);
        assert_string_equal(cairn_model_body_name(model, list[i].body), list[i].name);
        cairn_body found = cairn_model_find_body(model, list[i].name), at = cairn_model_body(model, i);
        assert_memory_equal(&found, &list[i].body, sizeof found);
        assert_memory_equal(&at, &list[i].body, sizeof at);
    }
    for (int i = 0; i < gone_count; ++i)
        assert_int_equal(cairn_model_body_index(model, gone[i].body), -1);
}

static void bodies_keep_their_order(void **state)
{
    (void)state;
    enum
    {
        TURNS = 400
    };
    world w = world_new(2);
    record list[TURNS], gone[TURNS];
    int count = 0, gone_count = 0;
    uint64_t seed = 8;
    for (int turn = 0; turn < TURNS; ++turn)
    {
        if (count < 3 || random_in(&seed, 0, 1) < 0.55)
        {
            snprintf(list[count].name, sizeof list[count].name, "b%d", turn);
            list[count].body = add_point(w.model, list[count].name, 1, turn, 0, (cairn_material){0});
            ++count;
        }
        else
        {
            int i = (int)random_in(&seed, 0, count - 0.001);
            assert_int_equal(cairn_model_remove_body(w.model, list[i].body), CAIRN_OK);
            gone[gone_count++] = list[i];
            memmove(&list[i], &list[i + 1], (size_t)(--count - i) * sizeof list[0]);
        }
        compare(w.model, list, count, gone, gone_count);
    }
    assert_true(gone_count > 100);
    world_free(&w);
}

static cairn_joint add_rod(cairn_model *model, const char *name, cairn_body a, cairn_body b)
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    cairn_joint joint;
    o.name = name, o.a.body = a, o.b.body = b;
    assert_int_equal(cairn_model_add_joint(model, &o, &joint), CAIRN_OK);
    return joint;
}

/* With a body go its shapes, joints, springs and forces, and nothing else; what stays is attached to the same bodies. */
static void what_is_attached_goes_with_a_body(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body body[4];
    char name[16];
    for (int i = 0; i < 4; ++i)
    {
        snprintf(name, sizeof name, "b%d", i);
        body[i] = add_point(w.model, name, 1, i, 0, (cairn_material){0});
    }
    cairn_joint joint[3];
    cairn_force force[4];
    cairn_attachment end[4];
    for (int i = 0; i < 4; ++i)
    {
        end[i] = (cairn_attachment){.body = body[i]};
        cairn_force_options o = cairn_force_default();
        snprintf(name, sizeof name, "f%d", i);
        o.name = name, o.body = body[i], o.force[0] = "1";
        assert_int_equal(cairn_model_add_force(w.model, &o, &force[i]), CAIRN_OK);
        snprintf(name, sizeof name, "j%d", i);
        if (i > 0)
            joint[i - 1] = add_rod(w.model, name, body[i - 1], body[i]);
    }
    cairn_spring low = add_spring(w.model, "low", end[0], end[1], 1, 0),
                 high = add_spring(w.model, "high", end[2], end[3], 1, 0);
    assert_int_equal(cairn_model_remove_body(w.model, body[1]), CAIRN_OK);
    assert_int_equal(cairn_model_shape_count(w.model), 3);
    assert_int_equal(cairn_model_joint_count(w.model), 1);
    assert_int_equal(cairn_model_force_count(w.model), 3);
    assert_int_equal(cairn_model_spring_count(w.model), 1);
    assert_string_equal(cairn_model_spring_name(w.model, low), "");
    assert_string_equal(cairn_model_spring_name(w.model, high), "high");
    assert_string_equal(cairn_model_force_name(w.model, force[1]), "");
    assert_string_equal(cairn_model_force_name(w.model, force[3]), "f3");
    assert_int_equal(cairn_model_find_joint(w.model, "j1").id, 0);
    cairn_attachment a, b;
    cairn_model_joint_attachments(w.model, joint[2], &a, &b);
    assert_memory_equal(&a.body, &body[2], sizeof a.body);
    assert_memory_equal(&b.body, &body[3], sizeof b.body);
    for (int i = 0; i < 3; ++i)
        assert_int_equal(cairn_model_shape_info(w.model, cairn_model_shape(w.model, i)).body.id,
                         body[i ? i + 1 : 0].id);
    world_free(&w);
}

/* Jointed bodies do not touch, until the last joint between them is gone; a pair that was ignored by hand stays so. */
static void jointed_bodies_touch_again(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body first = add_point(w.model, "first", 1, 9, 9, (cairn_material){0});
    cairn_body a = add_point(w.model, "a", 1, 0, 0, (cairn_material){0});
    cairn_body b = add_point(w.model, "b", 1, 1, 0, (cairn_material){0});
    cairn_body c = add_point(w.model, "c", 1, 2, 0, (cairn_material){0});
    cairn_joint one = add_rod(w.model, "one", a, b), two = add_rod(w.model, "two", a, b),
                own = add_rod(w.model, "own", b, c);
    assert_int_equal(cairn_model_ignore_contact(w.model, b, c), CAIRN_OK);
    assert_int_equal(cairn_model_remove_body(w.model, first), CAIRN_OK);
    assert_true(crn_model_ignores(w.model, 0, 1) && crn_model_ignores(w.model, 1, 2) &&
                !crn_model_ignores(w.model, 0, 2));
    assert_int_equal(cairn_model_remove_joint(w.model, one), CAIRN_OK);
    assert_true(crn_model_ignores(w.model, 0, 1));
    assert_int_equal(cairn_model_remove_joint(w.model, two), CAIRN_OK);
    assert_false(crn_model_ignores(w.model, 0, 1));
    assert_int_equal(cairn_model_remove_joint(w.model, own), CAIRN_OK);
    assert_true(crn_model_ignores(w.model, 1, 2));
    add_rod(w.model, "again", a, b);
    assert_int_equal(cairn_model_remove_body(w.model, a), CAIRN_OK); /* its joint must not free another pair */
    assert_true(crn_model_ignores(w.model, 0, 1));
    world_free(&w);
}

/* A polygon that is not convex is several shapes, which go together. */
static void pieces_go_together(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body body = add_point(w.model, "b", 1, 0, 0, (cairn_material){0});
    cairn_shape_options o = cairn_shape_default(CAIRN_POLYGON);
    cairn_shape hook, last;
    o.vertices = (double[12]){0, 0, 3, 0, 3, 1, 1, 1, 1, 3, 0, 3}, o.vertex_count = 6;
    assert_int_equal(cairn_model_add_shape(w.model, body, &o, &hook), CAIRN_OK);
    int with_hook = cairn_model_shape_count(w.model);
    assert_true(with_hook > 2);
    o = cairn_shape_default(CAIRN_CIRCLE);
    o.radius = 1;
    assert_int_equal(cairn_model_add_shape(w.model, body, &o, &last), CAIRN_OK);
    assert_int_equal(cairn_model_remove_shape(w.model, cairn_model_shape(w.model, with_hook - 1)), CAIRN_OK);
    assert_int_equal(cairn_model_shape_count(w.model), 2);
    assert_int_equal(cairn_model_shape_index(w.model, hook), -1);
    assert_int_equal(cairn_model_shape_info(w.model, last).kind, CAIRN_CIRCLE);
    assert_int_equal(w.model->bodies[0].shape_begin, 0);
    assert_int_equal(w.model->bodies[0].shape_end, 2);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_taken_out),
        cmocka_unit_test(bodies_keep_their_order),
        cmocka_unit_test(what_is_attached_goes_with_a_body),
        cmocka_unit_test(jointed_bodies_touch_again),
        cmocka_unit_test(pieces_go_together),
    };
    return cmocka_run_group_tests_name("handles", tests, NULL, NULL);
}
