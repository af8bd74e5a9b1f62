/* No global state: worlds that step in threads of their own give the bits they give alone. */
#include "support/check.h"

#include <cairn/cairn.h>
#include <pthread.h>
#include <string.h>

static const char *const SCENES[] = {"box-stack", "two-bars-damper-1000", "double-pendulum", "cube-drop-corner"};
enum
{
    COUNT = sizeof SCENES / sizeof SCENES[0],
    STEPS = 40
};

typedef struct job
{
    const char *scene;
    double position[3];
    bool fine;
} job;

/* Load, run, and note where the last body is. */
static void *work(void *data)
{
    job *j = data;
    cairn_context *context = cairn_context_create();
    const cairn_builtin *builtin = cairn_builtin_find(j->scene);
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    j->fine = context && builtin &&
              cairn_scene_parse(context, j->scene, builtin->text, builtin->length, NULL, 0, &scene) == CAIRN_OK;
    if (j->fine)
    {
        cairn_settings settings = cairn_scene_settings(scene);
        j->fine = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation) == CAIRN_OK;
    }
    for (int i = 0; i < STEPS && j->fine; ++i)
        j->fine = cairn_simulation_step(simulation) == CAIRN_OK;
    if (j->fine)
    {
        const cairn_model *model = cairn_scene_model(scene);
        cairn_body last = cairn_model_body(model, cairn_model_body_count(model) - 1);
        memcpy(j->position, cairn_simulation_body(simulation, last).position, sizeof j->position);
    }
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return NULL;
}

static void threads_do_not_meet(void **state)
{
    (void)state;
    job alone[COUNT], together[2 * COUNT];
    pthread_t thread[2 * COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        alone[i] = (job){.scene = SCENES[i]};
        work(&alone[i]);
        assert_true(alone[i].fine);
    }
    for (int i = 0; i < 2 * COUNT; ++i)
    {
        together[i] = (job){.scene = SCENES[i % COUNT]};
        assert_int_equal(pthread_create(&thread[i], NULL, work, &together[i]), 0);
    }
    for (int i = 0; i < 2 * COUNT; ++i)
    {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_true(together[i].fine);
        assert_memory_equal(together[i].position, alone[i % COUNT].position, sizeof alone[0].position);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_meet)};
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
