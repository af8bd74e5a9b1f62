/* Hooks, saved states and clones across changes of the model.
 *
 * The truth is a twin: a simulation of a model of its own that was never changed, or that had the change from the start. States
 * are compared as bytes, which hold everything a step depends on and everything that it reports. */
#include "cairn/hooks.h"
#include "cairn/state.h"
#include "support/check.h"
#include "support/worlds.h"

#include <stdlib.h>
#include <string.h>

static const cairn_integrator SCHEMES[] = {CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_TRAPEZOID, CAIRN_INTEGRATOR_STIFF2};

enum
{
    SCHEMES_TRIED = sizeof SCHEMES / sizeof SCHEMES[0]
};

static void refused(const world *w, cairn_status status, const char *words)
{
    assert_int_equal(status, CAIRN_INVALID);
    if (!strstr(cairn_context_last_message(w->context), words))
        fail_msg("expected '%s', found '%s'", words, cairn_context_last_message(w->context));
    cairn_context_clear(w->context);
}

static cairn_state *saved(cairn_simulation *simulation)
{
    cairn_state *state;
    assert_int_equal(cairn_simulation_save(simulation, &state), CAIRN_OK);
    return state;
}

static bool equal(const cairn_state *a, const cairn_state *b)
{
    size_t size[2];
    const void *x = cairn_state_bytes(a, &size[0]), *y = cairn_state_bytes(b, &size[1]);
    return size[0] == size[1] && memcmp(x, y, size[0]) == 0;
}

static void check_same(cairn_simulation *a, cairn_simulation *b)
{
    cairn_state *x = saved(a), *y = saved(b);
    assert_true(equal(x, y));
    cairn_state_destroy(x);
    cairn_state_destroy(y);
}

static cairn_body add_rock(const world *w, const char *name, double x, double y)
{
    return add_box(w->model, name, 2, (double[3]){1, 1, 0}, (double[3]){x, y, 0}, (cairn_material){0});
}

/* Two boxes on top of each other, the upper one sliding, with lists of touches. */
static world start_stack(cairn_integrator integrator, const cairn_hooks *hooks)
{
    world w = world_new(2);
    add_ground(w.model, (cairn_material){0});
    add_rock(&w, "low", 0, 0.5);
    cairn_body high = add_rock(&w, "high", 0.1, 1.5);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    assert_int_equal(cairn_simulation_create_hooked(w.context, w.model, &settings, hooks, &w.simulation), CAIRN_OK);
    cairn_body_state state = cairn_simulation_body(w.simulation, high);
    state.velocity[0] = 0.8;
    assert_int_equal(cairn_simulation_set_body(w.simulation, high, &state), CAIRN_OK);
    return w;
}

static cairn_hooks with_touches(void)
{
    cairn_hooks hooks = cairn_hooks_default();
    hooks.touches = true;
    return hooks;
}

static void check_touches(const cairn_simulation *simulation, int began, int went_on, int ended)
{
    int count[3];
    for (int k = 0; k < 3; ++k)
        cairn_simulation_touches(simulation, (cairn_touch_phase)k, &count[k]);
    assert_int_equal(count[CAIRN_TOUCH_BEGAN], began);
    assert_int_equal(count[CAIRN_TOUCH_WENT_ON], went_on);
    assert_int_equal(count[CAIRN_TOUCH_ENDED], ended);
}

/* ------------------------------------------------------------------------------------------------- saved states */

/* A state does not fit a model with one body more. It fits again once that body is removed, and the run then continues with the
 * bits of a twin whose model was never changed. A body that was removed and added again is not the one that was saved. */
static void a_state_fits_until_the_model_changes(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES_TRIED; ++k)
    {
        cairn_hooks hooks = with_touches();
        world w = start_stack(SCHEMES[k], &hooks), twin = start_stack(SCHEMES[k], &hooks);
        world_run(&w, 10);
        world_run(&twin, 10);
        cairn_state *kept = saved(w.simulation);
        cairn_body third = add_rock(&w, "third", 5, 3);
        refused(&w, cairn_simulation_restore(w.simulation, kept), "before things were added or removed");
        world_run(&w, 5);
        cairn_state *before = saved(w.simulation);
        refused(&w, cairn_simulation_restore(w.simulation, kept), "another model");
        cairn_state *after = saved(w.simulation);
        assert_true(equal(before, after));
        assert_int_equal(cairn_model_remove_body(w.model, third), CAIRN_OK);
        refused(&w, cairn_simulation_restore(w.simulation, before), "another model");
        assert_int_equal(cairn_simulation_restore(w.simulation, kept), CAIRN_OK);
        check_same(w.simulation, twin.simulation);
        world_run(&w, 10);
        world_run(&twin, 10);
        check_same(w.simulation, twin.simulation);
        assert_int_equal(cairn_model_remove_body(w.model, cairn_model_find_body(w.model, "high")), CAIRN_OK);
        add_rock(&w, "high", 0.1, 1.5);
        refused(&w, cairn_simulation_restore(w.simulation, kept), "another model");
        cairn_state_destroy(kept);
        cairn_state_destroy(before);
        cairn_state_destroy(after);
        world_free(&w);
        world_free(&twin);
    }
}

/* ------------------------------------------------------------------------------------------------------- clones */

/* A simulation and its clone share a model. Both follow its changes, and move alike; a clone of one that has not followed yet is
 * that of one that has. */
static void clones_follow_changes(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES_TRIED; ++k)
    {
        cairn_hooks hooks = with_touches();
        world w = start_stack(SCHEMES[k], &hooks);
        cairn_simulation *early, *late;
        world_run(&w, 10);
        assert_int_equal(cairn_simulation_clone(w.simulation, NULL, &early), CAIRN_OK);
        cairn_body third = add_rock(&w, "third", 0.2, 2.6);
        assert_int_equal(cairn_simulation_clone(w.simulation, NULL, &late), CAIRN_OK);
        for (int n = 0; n < 40; ++n)
        {
            if (n == 25)
                assert_int_equal(cairn_model_remove_body(w.model, third), CAIRN_OK);
            world_run(&w, 1);
            assert_int_equal(cairn_simulation_step(early), CAIRN_OK);
            assert_int_equal(cairn_simulation_step(late), CAIRN_OK);
            check_same(w.simulation, early);
            check_same(w.simulation, late);
        }
        cairn_simulation_destroy(early);
        cairn_simulation_destroy(late);
        world_free(&w);
    }
}

/* ------------------------------------------------------------------------------------------------------ touches */

/* Touches go on while bodies come and go elsewhere. Those of a body that is removed are gone, and a body that takes its place
 * begins to touch. */
static void touches_outlast_changes(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES_TRIED; ++k)
    {
        cairn_hooks hooks = with_touches();
        world w = start_stack(SCHEMES[k], &hooks);
        world_run(&w, 5);
        check_touches(w.simulation, 0, 2, 0);
        cairn_body third = add_rock(&w, "third", 5, 3);
        assert_int_equal(cairn_simulation_update(w.simulation), CAIRN_OK);
        check_touches(w.simulation, 0, 2, 0);
        world_run(&w, 1);
        check_touches(w.simulation, 0, 2, 0);
        assert_int_equal(cairn_model_remove_body(w.model, third), CAIRN_OK);
        world_run(&w, 1);
        check_touches(w.simulation, 0, 2, 0);
        assert_int_equal(cairn_model_remove_body(w.model, cairn_model_find_body(w.model, "high")), CAIRN_OK);
        assert_int_equal(cairn_simulation_update(w.simulation), CAIRN_OK);
        check_touches(w.simulation, 0, 1, 0);
        world_run(&w, 1);
        check_touches(w.simulation, 0, 1, 0);
        add_rock(&w, "high", 0, 1.5);
        world_run(&w, 1);
        check_touches(w.simulation, 1, 1, 0);
        world_run(&w, 1);
        check_touches(w.simulation, 0, 2, 0);
        world_free(&w);
    }
}

/* ----------------------------------------------------------------------------------------------------- the hooks */

/* Bodies with user data are ghosts. */
static bool solid(void *data, const cairn_simulation *simulation, const cairn_shape_pair *pair)
{
    (void)data;
    const cairn_model *model = cairn_simulation_model(simulation);
    return !cairn_model_body_data(model, pair->body_a) && !cairn_model_body_data(model, pair->body_b);
}

/* The filter is asked about newcomers too: a ghost may be added inside a box, where a solid body is refused, and moves freely from
 * there. Hooks that are set while the simulation cannot follow its model are refused, and the old ones stay. */
static void hooks_see_newcomers(void **state)
{
    (void)state;
    int mark;
    for (int k = 0; k < SCHEMES_TRIED; ++k)
    {
        cairn_hooks hooks = with_touches();
        hooks.filter = solid;
        world w = start_stack(SCHEMES[k], &hooks);
        world_run(&w, 5);
        cairn_body ghost = add_rock(&w, "ghost", 0.3, 0.7);
        refused(&w, cairn_simulation_update(w.simulation), "does not fit");
        refused(&w, cairn_simulation_set_hooks(w.simulation, NULL), "does not fit");
        assert_int_equal(cairn_model_set_body_data(w.model, ghost, &mark), CAIRN_OK);
        assert_int_equal(cairn_simulation_update(w.simulation), CAIRN_OK);
        double start = cairn_simulation_time(w.simulation);
        world_run(&w, 20);
        double t = cairn_simulation_time(w.simulation) - start;
        double y = cairn_simulation_body(w.simulation, ghost).position[1];
        assert_near(y, 0.7 - 0.5 * 9.81 * t * t, 9.81 * t * 0.01);
        check_touches(w.simulation, 0, 2, 0);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_fits_until_the_model_changes),
        cmocka_unit_test(clones_follow_changes),
        cmocka_unit_test(touches_outlast_changes),
        cmocka_unit_test(hooks_see_newcomers),
    };
    return cmocka_run_group_tests_name("changes of a model under hooks, states and clones", tests, NULL, NULL);
}
