/* Stone and card structures: those that can stand do, those that cannot fall. A semicircular arch needs a depth of about
 * 0.1075 of its mean radius (Milankovitch 1907); a leaning pair needs friction at its feet. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdlib.h>

/* The largest distance of a body from its place at the start, after some time. */
static double moved(const char *scene, const char *name, const char *value, cairn_law law, double until)
{
    cairn_settings settings;
    const cairn_parameter parameter = {name, value};
    world w = world_load(scene, &settings, &parameter, name ? 1 : 0);
    settings.law = law;
    world_start(&w, &settings);
    const cairn_model *model = world_model(&w);
    int count = cairn_model_body_count(model);
    cairn_body_state *before = calloc((size_t)count, sizeof *before);
    assert_non_null(before);
    for (int i = 0; i < count; ++i)
    {
        before[i] = cairn_simulation_body(w.simulation, cairn_model_body(model, i));
    }
    world_run(&w, (int)(until / settings.step + 0.5));
    double largest = 0;
    for (int i = 0; i < count; ++i)
    {
        cairn_body_state now = cairn_simulation_body(w.simulation, cairn_model_body(model, i));
        largest =
            fmax(largest, hypot(hypot(now.position[0] - before[i].position[0], now.position[1] - before[i].position[1]),
                                now.position[2] - before[i].position[2]));
    }
    free(before);
    world_free(&w);
    return largest;
}

static const cairn_law LAWS[] = {{CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_CONVEX_PYRAMID, 4}};

static void test_arch(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        assert_true(moved("arch", NULL, NULL, LAWS[i], 0.5) < 1e-9);
        assert_true(moved("arch", "depth", "0.13", LAWS[i], 0.5) < 1e-9);
        assert_true(moved("arch", "depth", "0.07", LAWS[i], 0.5) > 0.05);
    }
    assert_true(moved("arch", "mu", "0.15", LAWS[0], 0.5) > 0.05);
}

static void test_card_house(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        assert_true(moved("card-house", NULL, NULL, LAWS[i], 0.5) < 1e-9);
    }
    assert_true(moved("card-house", "mu", "0.1", LAWS[0], 0.5) > 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arch),
        cmocka_unit_test(test_card_house),
    };
    return cmocka_run_group_tests_name("structures", tests, NULL, NULL);
}
