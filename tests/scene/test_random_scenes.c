/* Random scenes, plane and space, of all schemes, laws and stabilisations, with impacts at the end of a step, just before
 * it, just after it and anywhere: no energy from nowhere, no momentum from nowhere, nothing behind a wall, no NaN.
 *
 *     CAIRN_RANDOM_SEED=N      that scene alone, told step by step
 *     CAIRN_RANDOM_COUNT=N     how many scenes; else 300, or 10,000 with CAIRN_LONG
 *     CAIRN_RANDOM_DUMP=DIR    writes each scene at fault (or that of the seed) to DIR/N.yaml, for `cairn run`
 */
#include "support/check.h"
#include "support/scene_judge.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t asked(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : 0;
}

static void dump(const random_scene *scene)
{
    const char *directory = getenv("CAIRN_RANDOM_DUMP");
    char path[1024];
    if (directory)
    {
        snprintf(path, sizeof path, "%s/%llu.yaml", directory, (unsigned long long)scene->seed);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(scene->text, file);
        assert_int_equal(fclose(file), 0);
    }
}

static void tell(const random_scene *s, const scene_judgement *j)
{
    print_message("seed %llu: %s at t = %g (%g of %g%s%s): %s %dD, e %g, mu %.2g, aimed at %g + %g steps; %s %s\n",
                  (unsigned long long)s->seed, j->kind ? j->kind : SCENE_VERDICT_NAMES[j->verdict], j->time, j->amount,
                  j->scale, j->storm ? ", storm" : "", j->events ? ", events" : "", s->kind, s->dimension,
                  s->restitution, s->friction, s->impact / s->h - s->offset, s->offset, s->settings, j->message);
}

static void no_energy_from_nowhere(void **state)
{
    (void)state;
    static random_scene scene;
    uint64_t only = asked("CAIRN_RANDOM_SEED"), count = asked("CAIRN_RANDOM_COUNT");
    count = only ? 1 : count ? count : getenv("CAIRN_LONG") ? 10000 : 300;
    int found[SCENE_VERDICTS] = {0};
    for (uint64_t i = 0; i < count; ++i)
    {
        random_scene_make(&scene, only ? only : i + 1);
        scene_judgement j = scene_judge(&scene, only > 0);
        ++found[j.verdict];
        if (j.verdict != SCENE_FINE || only)
        {
            tell(&scene, &j);
            dump(&scene);
        }
    }
    print_message("%llu scenes", (unsigned long long)count);
    for (int i = 1; i < SCENE_VERDICTS; ++i)
        print_message(", %d %s", found[i], SCENE_VERDICT_NAMES[i]);
    print_message("\n");
    for (int i = SCENE_ENERGY; i < SCENE_CERTIFICATE; ++i)
        assert_int_equal(found[i], 0);
    /* what says itself that it went wrong is not silent; yet it must stay rare */
    assert_true(50 * (uint64_t)(found[SCENE_MISSED] + found[SCENE_FAILED] + found[SCENE_REFUSED]) <= count);
    assert_true(100 * (uint64_t)found[SCENE_CERTIFICATE] <= count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_energy_from_nowhere)};
    return cmocka_run_group_tests_name("random scenes", tests, NULL, NULL);
}
