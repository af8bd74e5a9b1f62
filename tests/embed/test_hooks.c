/* The contact filter, the pre-solve hook, lists of touches, and user data, against motions that are known. */
#include "cairn/hooks.h"
#include "cairn/state.h"
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

/* A world of one box on the ground, or above it, with hooks from the start. */
static world box_world(cairn_body *box, double height, double speed, cairn_integrator integrator,
                       const cairn_hooks *hooks)
{
    world w = world_new(2);
    cairn_material material = add_material(w.model, "stone", 0.5, 0);
    add_ground(w.model, material);
    *box = add_box(w.model, "box", 2, (double[3]){1, 1, 0}, (double[3]){0, 0.5 + height, 0}, material);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    assert_int_equal(cairn_simulation_create_hooked(w.context, w.model, &settings, hooks, &w.simulation), CAIRN_OK);
    cairn_body_state state = cairn_simulation_body(w.simulation, *box);
    state.velocity[0] = speed;
    assert_int_equal(cairn_simulation_set_body(w.simulation, *box, &state), CAIRN_OK);
    return w;
}

/* ------------------------------------------------------------------------------------------------------- filter */

static bool apart(void *data, const cairn_simulation *simulation, const cairn_shape_pair *pair)
{
    (void)simulation;
    const cairn_body *body = data;
    return pair->body_a.id != body->id && pair->body_b.id != body->id;
}

/* Whom the filter keeps apart from the ground falls through it; another box lands. */
static void filtered_bodies_fall_through(void **state)
{
    (void)state;
    for (int k = CAIRN_INTEGRATOR_STIFF; k <= CAIRN_INTEGRATOR_STIFF2; k += CAIRN_INTEGRATOR_STIFF2 - 1)
    {
        cairn_body ghost = {0};
        cairn_hooks hooks = cairn_hooks_default();
        hooks.filter = apart;
        hooks.data = &ghost;
        world w = box_world(&ghost, 0, 0, (cairn_integrator)k, NULL);
        assert_int_equal(cairn_simulation_set_hooks(w.simulation, &hooks), CAIRN_OK);
        world_run(&w, 50);
        double t = cairn_simulation_time(w.simulation);
        double y = cairn_simulation_body(w.simulation, ghost).position[1];
        assert_near(y, 0.5 - 0.5 * 9.81 * t * t, 9.81 * t * 0.01);
        assert_int_equal(cairn_simulation_contact_count(w.simulation), 0);
        world_free(&w);
    }
}

/* Bodies that overlap at the start are no fault when the filter keeps them apart. */
static void filtered_overlaps_may_start(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_material material = add_material(w.model, "stone", 0.5, 0);
    add_box(w.model, "one", 2, (double[3]){1, 1, 0}, (double[3]){0, 0, 0}, material);
    cairn_body two = add_box(w.model, "two", 2, (double[3]){1, 1, 0}, (double[3]){0.3, 0.2, 0}, material);
    cairn_settings settings = cairn_settings_default();
    cairn_hooks hooks = cairn_hooks_default();
    hooks.filter = apart;
    hooks.data = &two;
    assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &w.simulation), CAIRN_INVALID);
    assert_null(w.simulation);
    assert_int_equal(cairn_simulation_create_hooked(w.context, w.model, &settings, &hooks, &w.simulation), CAIRN_OK);
    hooks.struct_size = 3;
    assert_int_equal(cairn_simulation_set_hooks(w.simulation, &hooks), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "cairn_hooks_default"));
    world_free(&w);
}

/* ---------------------------------------------------------------------------------------------------- pre-solve */

static bool set_surface(void *data, const cairn_simulation *simulation, const cairn_contact_candidate *candidate,
                        cairn_surface *surface)
{
    (void)simulation;
    (void)candidate;
    *surface = *(const cairn_surface *)data;
    return true;
}

static bool says(const cairn_context *context, const char *words)
{
    for (int i = 0; i < cairn_context_message_count(context); ++i)
        if (strstr(cairn_context_message(context, i).text, words))
            return true;
    return false;
}

/* A box slides to a stop after v^2 / (2 mu g), with mu of the hook, not of the material. */
static void the_hook_sets_friction(void **state)
{
    (void)state;
    for (int k = CAIRN_INTEGRATOR_STIFF; k <= CAIRN_INTEGRATOR_STIFF2; k += CAIRN_INTEGRATOR_STIFF2 - 1)
    {
        cairn_surface surface = {.friction = 0.2};
        cairn_body box;
        cairn_hooks hooks = cairn_hooks_default();
        hooks.pre_solve = set_surface;
        hooks.data = &surface;
        world w = box_world(&box, 0, 1, (cairn_integrator)k, &hooks);
        world_run(&w, 100);
        cairn_body_state end = cairn_simulation_body(w.simulation, box);
        assert_near(end.position[0], 1 / (2 * 0.2 * 9.81), k == CAIRN_INTEGRATOR_STIFF ? 6e-3 : 1e-6);
        assert_near(end.velocity[0], 0, 1e-9);
        surface.friction = -1;
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_INVALID);
        assert_true(says(w.context, "'box': friction"));
        world_free(&w);
    }
}

/* A ball bounces as high as the hook's restitution says: e^2 of the fall. */
static void the_hook_sets_restitution(void **state)
{
    (void)state;
    cairn_surface surface = {.friction = 0, .restitution = 0.5};
    cairn_hooks hooks = cairn_hooks_default();
    hooks.pre_solve = set_surface;
    hooks.data = &surface;
    cairn_body box;
    world w = box_world(&box, 1, 0, CAIRN_INTEGRATOR_STIFF2, &hooks);
    double highest = 0, fall = sqrt(2 / 9.81);
    for (int n = 0; n < 85; ++n)
    {
        world_run(&w, 1);
        double y = cairn_simulation_body(w.simulation, box).position[1] - 0.5;
        highest = cairn_simulation_time(w.simulation) > fall + 0.05 ? fmax(highest, y) : 0;
    }
    assert_near(highest, 0.25, 2e-3);
    world_free(&w);
}

/* ------------------------------------------------------------------------------------------------------ touches */

static void check_touches(const cairn_simulation *simulation, int began, int went_on, int ended)
{
    int count[3];
    for (int k = 0; k < 3; ++k)
        cairn_simulation_touches(simulation, (cairn_touch_phase)k, &count[k]);
    assert_int_equal(count[CAIRN_TOUCH_BEGAN], began);
    assert_int_equal(count[CAIRN_TOUCH_WENT_ON], went_on);
    assert_int_equal(count[CAIRN_TOUCH_ENDED], ended);
}

/* A box falls 1 m, lands, rests and is lifted: one pair began once, went on, and ended once; at rest it carries the weight. */
static void touches_begin_and_end(void **state)
{
    (void)state;
    for (int k = CAIRN_INTEGRATOR_STIFF; k <= CAIRN_INTEGRATOR_STIFF2; k += CAIRN_INTEGRATOR_STIFF2 - 1)
    {
        cairn_hooks hooks = cairn_hooks_default();
        hooks.touches = true;
        cairn_body box;
        world w = box_world(&box, 1, 0, (cairn_integrator)k, &hooks);
        int began = 0, ended = 0, count;
        for (int n = 0; n < 70; ++n)
        {
            world_run(&w, 1);
            cairn_simulation_touches(w.simulation, CAIRN_TOUCH_BEGAN, &count);
            began += count;
            cairn_simulation_touches(w.simulation, CAIRN_TOUCH_ENDED, &count);
            ended += count;
        }
        assert_true(began == 1 && ended == 0);
        const cairn_touch *touch = cairn_simulation_touches(w.simulation, CAIRN_TOUCH_WENT_ON, &count);
        assert_int_equal(count, 1);
        assert_true(touch->body_a.id == box.id || touch->body_b.id == box.id);
        assert_near(touch->impulse, 2 * 9.81 * 0.01, 1e-9);
        cairn_simulation *clone;
        assert_int_equal(cairn_simulation_clone(w.simulation, NULL, &clone), CAIRN_OK);
        check_touches(clone, 0, 1, 0);
        cairn_body_state up = cairn_simulation_body(w.simulation, box);
        up.position[1] += 1;
        assert_int_equal(cairn_simulation_set_body(w.simulation, box, &up), CAIRN_OK);
        world_run(&w, 1);
        check_touches(w.simulation, 0, 0, 1);
        world_run(&w, 1);
        check_touches(w.simulation, 0, 0, 0);
        assert_int_equal(cairn_simulation_step(clone), CAIRN_OK);
        check_touches(clone, 0, 1, 0);
        cairn_simulation_destroy(clone);
        world_free(&w);
    }
}

/* ---------------------------------------------------------------------------------------------------- user data */

static void user_data_is_kept(void **state)
{
    (void)state;
    int one, two;
    world w = world_new(2);
    cairn_body a = add_point(w.model, "a", 1, 0, 0, (cairn_material){0});
    cairn_body b = add_point(w.model, "b", 1, 1, 0, (cairn_material){0});
    assert_null(cairn_model_body_data(w.model, a));
    assert_int_equal(cairn_model_set_body_data(w.model, a, &one), CAIRN_OK);
    assert_int_equal(cairn_model_set_body_data(w.model, b, &two), CAIRN_OK);
    for (int i = 0; i < 100; ++i) /* arrays of bodies grow and move */
    {
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        add_point(w.model, name, 1, 2 + i, 0, (cairn_material){0});
    }
    assert_ptr_equal(cairn_model_body_data(w.model, a), &one);
    assert_ptr_equal(cairn_model_body_data(w.model, b), &two);
    assert_int_equal(cairn_model_remove_body(w.model, a),
                     CAIRN_OK); /* others move up, and its handle's place is used again */
    assert_null(cairn_model_body_data(w.model, a));
    assert_ptr_equal(cairn_model_body_data(w.model, b), &two);
    assert_null(cairn_model_body_data(w.model, add_point(w.model, "new", 1, -1, 0, (cairn_material){0})));
    assert_int_equal(cairn_model_set_shape_data(w.model, cairn_model_shape(w.model, 0), &two), CAIRN_OK);
    assert_ptr_equal(cairn_model_shape_data(w.model, cairn_model_shape(w.model, 0)), &two);
    assert_int_equal(cairn_model_set_body_data(w.model, (cairn_body){0}, &one), CAIRN_INVALID);
    assert_int_equal(cairn_model_set_joint_data(w.model, (cairn_joint){.id = 1}, &one), CAIRN_INVALID);
    assert_null(cairn_model_joint_data(w.model, (cairn_joint){.id = 1}));
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filtered_bodies_fall_through), cmocka_unit_test(filtered_overlaps_may_start),
        cmocka_unit_test(the_hook_sets_friction),       cmocka_unit_test(the_hook_sets_restitution),
        cmocka_unit_test(touches_begin_and_end),        cmocka_unit_test(user_data_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
