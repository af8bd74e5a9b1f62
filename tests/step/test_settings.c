/* The table of settings against what stands elsewhere: defaults written down here, scene files, run files, bounds. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that the setting accepts and that is not its default. */
static void other_value(const cairn_setting *setting, char *text, size_t size)
{
    if (setting->type == CAIRN_SETTING_NUMBER)
        snprintf(text, size, "%.17g", setting->preset > 0 ? setting->preset / 3 : 0.1);
    else if (setting->type == CAIRN_SETTING_COUNT)
        snprintf(text, size, "%d", (int)setting->preset + 2);
    else if (setting->type == CAIRN_SETTING_LAW)
        snprintf(text, size, "pyramid(12)");
    else if (setting->type == CAIRN_SETTING_WORDS)
        snprintf(text, size, "%s,%s", setting->word(3), setting->word(1));
    else
        snprintf(text, size, "%s", setting->word(setting->preset > 0 ? 0 : 1));
}

/* The same value as a scene file writes it. */
static void as_in_scenes(const cairn_setting *setting, const char *text, char *out, size_t size)
{
    const char *format = setting->type == CAIRN_SETTING_WORDS ? "[%s]" : "%s";
    bool on = setting->type == CAIRN_SETTING_SWITCH && !strcmp(text, "on");
    snprintf(out, size, format, setting->type != CAIRN_SETTING_SWITCH ? text : on ? "true" : "false");
}

static void assert_same(const cairn_settings *a, const cairn_settings *b)
{
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        const cairn_setting *setting = cairn_setting_at(i);
        if (cairn_setting_value(setting, a) != cairn_setting_value(setting, b))
            fail_msg("setting %s is %.17g in one and %.17g in the other", setting->name,
                     cairn_setting_value(setting, a), cairn_setting_value(setting, b));
    }
    assert_int_equal(a->law.directions, b->law.directions);
}

static void defaults_are_as_documented(void **state)
{
    (void)state;
    cairn_settings s = cairn_settings_default();
    cairn_settings written = {.step = 0.01,
                              .integrator = CAIRN_INTEGRATOR_STIFF,
                              .law = {CAIRN_LAW_CONE, 0},
                              .stabilisation = CAIRN_STABILISE_GAP,
                              .accuracy = CAIRN_ACCURACY_BALANCED,
                              .device = CAIRN_DEVICE_CPU,
                              .sweeps = 20,
                              .certify_every = 10,
                              .solver = cairn_solver_default(),
                              .contact_tolerance = 1e-9,
                              .events = true,
                              .reduction = true,
                              .event_floor = 1e-6,
                              .restitution_threshold = 0.01,
                              .push_out_speed = 1.0,
                              .projection_tolerance = 1e-10,
                              .audit = true};
    assert_same(&s, &written);
    assert_int_equal(cairn_settings_check(NULL, &s), CAIRN_OK);
}

/* Names are told apart, every row has a sentence, and no two rows share a byte of the struct. */
static void rows_are_sound(void **state)
{
    (void)state;
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        const cairn_setting *a = cairn_setting_at(i);
        char text[512];
        assert_ptr_equal(cairn_setting_find(a->name), a);
        assert_true(strlen(a->summary) > 10 && a->detail && a->applies && a->unit && a->noun);
        cairn_setting_expects(a, text, sizeof text);
        assert_true(strlen(text) > 3 && strlen(text) < sizeof text - 1);
        for (int k = 0; k < i; ++k)
            assert_true(cairn_setting_at(k)->offset != a->offset);
    }
    assert_ptr_equal(cairn_setting_find("push-out-speed"), cairn_setting_find("push_out_speed"));
    assert_null(cairn_setting_find("push"));
    assert_null(cairn_setting_find("step_"));
    assert_null(cairn_setting_find(NULL));
    assert_null(cairn_setting_at(-1));
    assert_null(cairn_setting_at(cairn_setting_count()));
}

/* Text in, text out, and the same bits when that is read again; all words of every setting. */
static void texts_read_back(void **state)
{
    (void)state;
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        const cairn_setting *setting = cairn_setting_at(i);
        cairn_settings a = cairn_settings_default(), b = a;
        char text[256], again[256];
        other_value(setting, text, sizeof text);
        assert_int_equal(cairn_settings_set(NULL, &a, setting->name, text), CAIRN_OK);
        assert_true(cairn_setting_value(setting, &a) != setting->preset);
        assert_true(cairn_settings_get(&a, setting->name, again, sizeof again));
        assert_int_equal(cairn_settings_set(NULL, &b, setting->name, again), CAIRN_OK);
        assert_same(&a, &b);
        for (int k = 0; setting->word && setting->type != CAIRN_SETTING_LAW && setting->word(k); ++k)
        {
            assert_int_equal(cairn_settings_set(NULL, &a, setting->name, setting->word(k)), CAIRN_OK);
            double value = setting->type == CAIRN_SETTING_WORDS ? ldexp(1, k) : k;
            assert_near(cairn_setting_value(setting, &a), value, 0);
        }
    }
    cairn_settings s = cairn_settings_default();
    char small[4];
    assert_int_equal(cairn_settings_set(NULL, &s, "step", "2^-5"), CAIRN_OK);
    assert_near(s.step, 0.03125, 0);
    assert_int_equal(cairn_settings_set(NULL, &s, "allow", "energy"), CAIRN_OK);
    assert_int_equal(cairn_settings_set(NULL, &s, "allow", ""), CAIRN_OK);
    assert_int_equal(s.allow, 0);
    assert_true(cairn_settings_get(&s, "integrator", small, sizeof small));
    assert_string_equal(small, "sti");
    assert_false(cairn_settings_get(&s, "stepp", small, sizeof small));
}

/* One sentence, which begins with the setting's name, and settings that stay as they were. */
static void wrong_texts_are_refused(void **state)
{
    (void)state;
    static const char *const WRONG[] = {"nan", "inf", "-1", "nonsense", "1;", "1e400", "on,off", "pyramid(5)", "cone "};
    cairn_context *context = cairn_context_create();
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        const cairn_setting *setting = cairn_setting_at(i);
        for (size_t k = 0; k < sizeof WRONG / sizeof WRONG[0]; ++k)
        {
            cairn_settings s = cairn_settings_default(), before = s;
            cairn_context_clear(context);
            assert_int_equal(cairn_settings_set(context, &s, setting->name, WRONG[k]), CAIRN_INVALID);
            assert_int_equal(cairn_context_message_count(context), 1);
            assert_int_equal(strncmp(cairn_context_last_message(context), setting->name, strlen(setting->name)), 0);
            assert_same(&s, &before);
        }
        cairn_settings s = cairn_settings_default();
        bool number = setting->type <= CAIRN_SETTING_COUNT;
        bool zero = setting->above || setting->least > 0;
        if (number)
            assert_int_equal(cairn_settings_set(NULL, &s, setting->name, "0"), zero ? CAIRN_INVALID : CAIRN_OK);
    }
    cairn_settings s = cairn_settings_default();
    assert_int_equal(cairn_settings_set(NULL, &s, "max_iterations", "1.5"), CAIRN_INVALID);
    assert_int_equal(cairn_settings_set(NULL, &s, "max_iterations", "3e9"), CAIRN_INVALID);
    assert_int_equal(cairn_settings_set(NULL, &s, "event_floor", "1.001"), CAIRN_INVALID);
    assert_int_equal(cairn_settings_set(NULL, &s, "event_floor", "1"), CAIRN_OK);
    assert_int_equal(cairn_settings_set(context, &s, "stap", "1"), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(context), "'stap'"));
    assert_int_equal(cairn_settings_set(NULL, NULL, "step", "1"), CAIRN_INVALID);
    assert_int_equal(cairn_settings_set(NULL, &s, "step", NULL), CAIRN_INVALID);
    cairn_context_destroy(context);
}

/* Numbers that are none, in the struct itself: one message for each. */
static void wrong_fields_are_told(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        const cairn_setting *setting = cairn_setting_at(i);
        cairn_settings s = cairn_settings_default();
        if (setting->type != CAIRN_SETTING_NUMBER)
            continue;
        double wrong[] = {NAN, -1, setting->above ? 0.0 : -1e-300, setting->most < 2 ? 2 : NAN};
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k)
        {
            memcpy((char *)&s + setting->offset, &wrong[k], sizeof(double));
            cairn_context_clear(context);
            assert_int_equal(cairn_settings_check(context, &s), CAIRN_INVALID);
            assert_int_equal(cairn_context_message_count(context), 1);
            assert_non_null(strstr(cairn_context_last_message(context), setting->name));
        }
        double endless = INFINITY; /* which only the speed of pushing out may be */
        memcpy((char *)&s + setting->offset, &endless, sizeof(double));
        bool fine = !strcmp(setting->name, "push_out_speed");
        assert_int_equal(cairn_settings_check(NULL, &s), fine ? CAIRN_OK : CAIRN_INVALID);
    }
    cairn_context_destroy(context);
}

/* Every setting is a field of scene files, with the same value as from text. */
static void scenes_take_every_setting(void **state)
{
    (void)state;
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        const cairn_setting *setting = cairn_setting_at(i);
        char text[256], value[300], scene_text[512];
        other_value(setting, text, sizeof text);
        as_in_scenes(setting, text, value, sizeof value);
        bool chosen = !strcmp(setting->name, "integrator");
        snprintf(scene_text, sizeof scene_text, "dimension: 2\nsimulation: {%s%s: %s}\n",
                 chosen ? "" : "integrator: stiff2, ", setting->name, value);
        cairn_context *context = cairn_context_create();
        cairn_scene *scene;
        cairn_settings expected = cairn_settings_default();
        expected.integrator = CAIRN_INTEGRATOR_STIFF2;
        assert_int_equal(cairn_settings_set(NULL, &expected, setting->name, text), CAIRN_OK);
        if (cairn_scene_parse(context, "test", scene_text, strlen(scene_text), NULL, 0, &scene))
            fail_msg("%s: %s", scene_text, cairn_context_last_message(context));
        cairn_settings found = cairn_scene_settings(scene);
        assert_same(&found, &expected);
        cairn_scene_destroy(scene);
        cairn_context_destroy(context);
    }
}

/* A run gives back the settings it was made with, to the bit, whatever they are. */
static void runs_give_settings_back(void **state)
{
    (void)state;
    for (int only = 0; only < cairn_setting_count(); ++only)
    {
        cairn_settings settings;
        char text[256];
        if (!strcmp(cairn_setting_at(only)->name, "device"))
            continue; /* it takes no pendulum; tests/cli/device.sh records its runs */
        world w = world_load("pendulum", &settings, NULL, 0);
        assert_int_equal(cairn_settings_set(NULL, &settings, "integrator", "stiff2"), CAIRN_OK);
        other_value(cairn_setting_at(only), text, sizeof text);
        assert_int_equal(cairn_settings_set(NULL, &settings, cairn_setting_at(only)->name, text), CAIRN_OK);
        world_start(&w, &settings);
        cairn_recorder *recorder;
        cairn_recorder_options options = cairn_recorder_default();
        assert_int_equal(cairn_recorder_create(w.context, "settings.h5", w.simulation, &options, &recorder), CAIRN_OK);
        assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
        cairn_run *run;
        cairn_settings found;
        assert_int_equal(cairn_run_open(w.context, "settings.h5", &run), CAIRN_OK);
        assert_int_equal(cairn_run_settings(run, &found), CAIRN_OK);
        assert_same(&found, &settings);
        cairn_run_close(run);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_as_documented),
        cmocka_unit_test(rows_are_sound),
        cmocka_unit_test(texts_read_back),
        cmocka_unit_test(wrong_texts_are_refused),
        cmocka_unit_test(wrong_fields_are_told),
        cmocka_unit_test(scenes_take_every_setting),
        cmocka_unit_test(runs_give_settings_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
