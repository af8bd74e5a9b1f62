/* Memory grows with the largest step met so far, and with nothing else: a motion with impacts, played again and again from the
 * same state, needs no more after the first rounds. */
#include "support/check.h"

#include <cairn/cairn.h>

#include <malloc.h>
#include <stdio.h>

enum
{
    ROUNDS = 8,
    STEPS = 600, /* 4.7 s: eight impacts of the double pendulum */
    WARM = 2
};

static size_t heap_in_use(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    return mallinfo2().uordblks;
#else
    return 0; /* nothing to look at */
#endif
}

static size_t play(cairn_simulation *simulation, const cairn_body_state *first, int *events)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    for (int b = 1; b <= 2; ++b)
        assert_int_equal(cairn_simulation_set_body(simulation, cairn_model_body(model, b), &first[b]), CAIRN_OK);
    for (int i = 0; i < STEPS; ++i)
    {
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        *events += (int)cairn_simulation_event_count(simulation);
    }
    return heap_in_use();
}

static void a_motion_again_needs_no_more(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    assert_int_equal(cairn_scene_load(context, CAIRN_SOURCE_DIR "/scenes/double-pendulum.yaml", NULL, 0, &scene),
                     CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_simulation *simulation;
    assert_int_equal(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation), CAIRN_OK);
    cairn_body_state first[3];
    for (int b = 0; b < 3; ++b)
        first[b] = cairn_simulation_body(simulation, cairn_model_body(cairn_scene_model(scene), b));
    size_t warm = 0;
    int events = 0;
    for (int round = 0; round < ROUNDS; ++round)
    {
        size_t now = play(simulation, first, &events);
        warm = round < WARM ? now : warm;
        assert_true(now == warm);
    }
    assert_true(events >= 4 * ROUNDS);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_motion_again_needs_no_more)};
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
