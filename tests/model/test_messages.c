/* Sentences at the borders of what is allowed: the last that is, and the first that is not, with the very words. */
#include "cairn/scene.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void put(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void put(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < size - used);
}

/* The first message of a wrong scene; "" for one that is right. */
static const char *message_of(const char *text)
{
    static char message[512];
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_status status = cairn_scene_parse(context, "s", text, strlen(text), NULL, 0, &scene);
    snprintf(message, sizeof message, "%s", status ? cairn_context_message(context, 0).text : "");
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return message;
}

/* t+(t+(...t...)) with so many parentheses: one value more on the stack for each. */
static const char *nested(int levels)
{
    static char text[2048];
    text[0] = '\0';
    put(text, sizeof text,
        "dimension: 2\nbodies: [{name: a, point: true, mass: 1}]\nforces: [{name: f, body: a, force: [\"");
    for (int i = 0; i < levels; ++i)
        put(text, sizeof text, "t+(");
    put(text, sizeof text, "t");
    for (int i = 0; i < levels; ++i)
        put(text, sizeof text, ")");
    put(text, sizeof text, "\", 0]}]\n");
    return text;
}

static void expressions_have_64_values_at_most(void **state)
{
    (void)state;
    assert_string_equal(message_of(nested(63)), "");
    const char *words = strstr(message_of(nested(64)), ": the expression needs");
    assert_non_null(words);
    assert_string_equal(words, ": the expression needs more than 64 intermediate values");
    words = strstr(message_of(nested(70)), "', character 193: ");
    assert_non_null(words);
    assert_string_equal(words, "', character 193: the expression needs more than 64 intermediate values");
}

static const char *with_groups(int count)
{
    static char text[4096];
    text[0] = '\0';
    put(text, sizeof text, "dimension: 2\nbodies:\n");
    for (int i = 0; i < count; ++i)
        put(text, sizeof text, "  - {name: b%d, point: true, mass: 1, groups: [g%d]}\n", i, i);
    return text;
}

static void a_scene_has_63_groups_beside_the_default_one(void **state)
{
    (void)state;
    assert_string_equal(message_of(with_groups(63)), "");
    assert_string_equal(message_of(with_groups(64)),
                        "body 'b63': groups: group 'g63' is one too many: a scene has at most 63");
}

static void only_hinges_in_space_turn_softly(void **state)
{
    (void)state;
    static const char *const FIELDS[] = {"angular_stiffness", "angular_damping"};
    cairn_context *context = cairn_context_create();
    cairn_model *model = NULL;
    assert_int_equal(cairn_model_create(context, 2, &model), CAIRN_OK);
    cairn_body_options options = cairn_body_default();
    cairn_body body;
    options.name = "b";
    options.mass = 1;
    options.inertia[2] = options.inertia[0] = options.inertia[1] = 1;
    assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
    for (int i = 0; i < 2; ++i)
    {
        cairn_joint_options joint = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
        cairn_joint made;
        char wanted[128];
        joint.name = "j";
        joint.a.body = body;
        *(i ? &joint.angular_damping : &joint.angular_stiffness) = 1;
        cairn_context_clear(context);
        assert_int_equal(cairn_model_add_joint(model, &joint, &made), CAIRN_INVALID);
        snprintf(wanted, sizeof wanted, "joint 'j': %s: a revolute joint in the plane holds no angle", FIELDS[i]);
        assert_string_equal(cairn_context_last_message(context), wanted);
    }
    cairn_model_destroy(model);
    cairn_context_destroy(context);

    static const char HINGE[] =
        "dimension: 3\nbodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\njoints: [{name: j, type: "
        "revolute, bodies: [b, world], at: [0, 0, 0], axis: [0, 0, 1], angular_damping: 1%s}]\n";
    char text[512];
    snprintf(text, sizeof text, HINGE, "");
    assert_string_equal(message_of(text), "joint 'j': angular_damping: needs angular_stiffness beside it");
    snprintf(text, sizeof text, HINGE, ", angular_stiffness: 1");
    assert_string_equal(message_of(text), "");
}

static void whole_numbers_end_at_a_thousand_million(void **state)
{
    (void)state;
    static const char SCENE[] = "dimension: 2\nsimulation: {max_iterations: %s}\n";
    static const char *const NUMBERS[][2] = {
        {"1e9", ""},
        {"1000000001", "simulation: max_iterations: expected a whole number, found 1000000001"},
        {"1e10", "simulation: max_iterations: expected a whole number, found 1e10"},
        {"1e300", "simulation: max_iterations: expected a whole number, found 1e300"},
        {"2.5", "simulation: max_iterations: expected a whole number, found 2.5"},
    };
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; ++i)
    {
        char text[128];
        snprintf(text, sizeof text, SCENE, NUMBERS[i][0]);
        assert_string_equal(message_of(text), NUMBERS[i][1]);
    }
}

/* Parameters are written into expressions of time as texts, and numbers read from texts: both with a point, also in a
 * program whose numbers have a comma. */
static void a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    static const char SCENE[] = "dimension: 2\ngravity: [0, 0]\nparameters: {p: 0.25}\n"
                                "bodies: [{name: a, point: true, mass: 1.5}]\n"
                                "forces: [{name: f, body: a, force: [\"p*6.0 + 0*t\", \"max(p, 0.125)*1.5 + 0*t\"]}]\n"
                                "simulation: {step: 0.5}\n";
    if (system("localedef --no-archive -i de_DE -f UTF-8 ./comma.utf8 >/dev/null 2>&1") < 0 ||
        setenv("LOCPATH", ".", 1) || !setlocale(LC_ALL, "comma.utf8"))
        skip();
    char shown[16];
    snprintf(shown, sizeof shown, "%.1f", 0.5);
    assert_string_equal(shown, "0,5");
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    cairn_simulation *simulation;
    assert_int_equal(cairn_scene_parse(context, "s", SCENE, strlen(SCENE), NULL, 0, &scene), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(scene);
    assert_int_equal(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation), CAIRN_OK);
    assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
    /* F/m = (1, 0.25) m/s^2 for half a second */
    cairn_body_state a = cairn_simulation_body(simulation, cairn_model_body(cairn_scene_model(scene), 0));
    setlocale(LC_ALL, "C");
    assert_true(fabs(a.velocity[0] - 0.5) < 1e-15 && fabs(a.velocity[1] - 0.125) < 1e-15);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_64_values_at_most),
        cmocka_unit_test(a_scene_has_63_groups_beside_the_default_one),
        cmocka_unit_test(only_hinges_in_space_turn_softly),
        cmocka_unit_test(whole_numbers_end_at_a_thousand_million),
        cmocka_unit_test(a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests_name("sentences at the borders", tests, NULL, NULL);
}
