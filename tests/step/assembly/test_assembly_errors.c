/* Mechanisms that make no sense: each is refused with a sentence that names the joint and what is wrong. */
#include "support/check.h"
#include "support/linkage.h"

#include <stdio.h>
#include <string.h>

/* A planar arm of two links, with more fields of its joints. */
static const char ARM[] = "dimension: 2\n"
                          "bodies:\n"
                          "  - {name: upper, mass: 1, inertia: 0.1, position: [0.5, 0]}\n"
                          "  - {name: fore, mass: 1, inertia: 0.1, position: [1.5, 0]}\n"
                          "joints:\n"
                          "  - {name: shoulder, type: revolute, bodies: [world, upper], at: [0, 0]%s}\n"
                          "  - {name: elbow, type: revolute, bodies: [upper, %s], at: [1, 0]%s}\n"
                          "simulation: {step: 0.01, until: 1}\n";

/* A link on a hinge in space. */
static const char HINGE[] = "dimension: 3\n"
                            "bodies:\n"
                            "  - {name: link, mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}\n"
                            "joints:\n"
                            "  - {name: pin, type: %s, bodies: [world, link], at: [0, 0, 0]%s}\n"
                            "simulation: {step: 0.01, until: 1}\n";

/* The scene must be refused, when it is read or when a simulation is created, with this in a message. */
static void expect(const char *text, const char *part)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    cairn_status status = cairn_scene_parse(context, "scene", text, strlen(text), NULL, 0, &scene);
    if (!status)
    {
        cairn_settings settings = cairn_scene_settings(scene);
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
    }
    bool said = false;
    for (int i = 0; i < cairn_context_message_count(context); ++i)
        said = said || strstr(cairn_context_message(context, i).text, part);
    if (status != CAIRN_INVALID || !said)
        fail_msg("expected \"%s\", but the last message is \"%s\"", part, cairn_context_last_message(context));
    assert_null(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static void expect_arm(const char *shoulder, const char *second, const char *elbow, const char *part)
{
    char text[2048];
    snprintf(text, sizeof text, ARM, shoulder, second, elbow);
    expect(text, part);
}

static void expect_hinge(const char *type, const char *fields, const char *part)
{
    char text[2048];
    snprintf(text, sizeof text, HINGE, type, fields);
    expect(text, part);
}

static void wrong_joints(void **state)
{
    (void)state;
    expect_arm("", "upper", "", "joint 'elbow': bodies 'upper' and 'upper' are the same");
    expect_hinge("revolute", ", axis: [0, 0, 0]", "joint 'pin': axis: must not have zero length");
    expect_hinge("revolute", ", axis: [0, 0, 1], axis_b: [0, 0, 0]", "joint 'pin': axis_b: must not have zero length");
    expect_hinge("revolute", ", axis: [0, 0, 1], axis_b: [0, 0, -2]", "joint 'pin': axis_b: points against axis");
    expect_hinge("universal", ", axis: [0, 0, 1], second_axis: [1, 0, 0], axis_b: [0, 0, 1]", "axis_b");
    expect_hinge("ball", ", axis_b: [0, 0, 1, 4]", "axis_b");
    expect_arm("", "fore", ", axis_b: [0, 1]", "axis_b");
}

static void wrong_values(void **state)
{
    (void)state;
    expect_arm("", "fore", ", coordinates: {angle: {lower: 1, upper: -1}}",
               "joint 'elbow': range: lower (1) must be less than upper (-1)");
    expect_arm("", "fore", ", coordinates: {angle: {lower: -1, upper: 1, initial: 1.5}}",
               "joint 'elbow': angle: initial: 1.5 is outside its range, -1 to 1");
    expect_arm("", "fore", ", coordinates: {angle: {lower: 0.5, initial: 0.4}}",
               "joint 'elbow': angle: initial: 0.4 is outside its range, 0.5 to inf");
    expect_arm("", "fore", ", coordinates: {angle: {upper: 1, initial: 1, initial_rate: 0.1}}",
               "joint 'elbow': angle: initial_rate: 0.1 leads out of its range");
    expect_arm("", "fore", ", coordinates: {angle: {initial: 0.4, drive: {type: position, target: \"0.2 + t\"}}}",
               "joint 'elbow': angle: initial: 0.4 contradicts the rigid drive, which prescribes 0.2 at t = 0");
    expect_arm("", "fore", ", coordinates: {angle: {initial_rate: 2, drive: {type: position, target: \"3*t\"}}}",
               "joint 'elbow': angle: initial_rate: 2 contradicts the rigid drive, which prescribes 3 at t = 0");
    expect_arm("", "fore", ", coordinates: {angle: {initial_rate: 2, drive: {type: speed, target: \"1\"}}}",
               "joint 'elbow': angle: initial_rate: 2 contradicts the rigid drive, which prescribes 1 at t = 0");
    expect_arm("", "fore", ", coordinates: {angle: {initial: many}}", "initial");
    expect_arm("", "fore", ", coordinates: {twist: {initial: 1}}", "there is no coordinate 'twist'");
}

/* A drive with gains or a largest force prescribes nothing, so any value will do. */
static void soft_drives_agree(void **state)
{
    (void)state;
    const char *drives[] = {"{type: position, target: \"0.2\", stiffness: 5}",
                            "{type: position, target: \"0.2\", limit: 9}", "{type: speed, target: \"1\", damping: 3}",
                            "{type: force, target: \"1\"}"};
    for (int k = 0; k < 4; ++k)
    {
        char text[2048], fields[256];
        snprintf(fields, sizeof fields, ", coordinates: {angle: {initial: 0.4, initial_rate: 2, drive: %s}}",
                 drives[k]);
        snprintf(text, sizeof text, ARM, "", "fore", fields);
        cairn_context *context = cairn_context_create();
        cairn_scene *scene;
        assert_int_equal(cairn_scene_parse(context, "scene", text, strlen(text), NULL, 0, &scene), CAIRN_OK);
        cairn_simulation *simulation;
        cairn_settings settings = cairn_scene_settings(scene);
        const cairn_model *model = cairn_scene_model(scene);
        assert_int_equal(cairn_simulation_create(context, model, &settings, &simulation), CAIRN_OK);
        double rate;
        cairn_joint elbow = cairn_model_find_joint(model, "elbow");
        assert_near(cairn_simulation_coordinate(simulation, elbow, 0, &rate), 0.4, 1e-12);
        assert_near(rate, 2, 1e-12);
        cairn_simulation_destroy(simulation);
        cairn_scene_destroy(scene);
        cairn_context_destroy(context);
    }
}

/* A four-bar of which the angles of crank and rocker, and their rates, are given: one would do. */
static void two_values_contradict(void **state)
{
    (void)state;
    const four_bar bar = {1.0, 3.0, 2.5, 3.2};
    for (int k = 0; k < 3; ++k)
    {
        world w = world_new(2);
        cairn_body_state given[3], exact[3];
        four_bar_pose(&bar, 0.4, 1, 0, given);
        four_bar_pose(&bar, 1.2, 1, 2, exact);
        four_bar_build(&w, &bar, given, false);
        double rocker = remainder(exact[2].angle - given[2].angle, 6.283185307179586);
        begin_at(&w, cairn_model_find_joint(w.model, "A"), "angle", 0.8, 2);
        begin_at(&w, cairn_model_find_joint(w.model, "D"), "angle", rocker + (k == 1 ? 0.3 : 0),
                 exact[2].angular_velocity[2] + (k == 2 ? 0.3 : 0));
        if (k == 0)
            start_with(&w, CAIRN_INITIAL_REFUSE); /* they agree */
        else
            expect_refused(&w, CAIRN_INITIAL_REFUSE,
                           k == 1 ? "angle misses its initial value by" : "angle misses its initial rate by");
        if (k == 1)
            expect_refused(&w, CAIRN_INITIAL_ASSEMBLE, "the mechanism cannot be assembled");
        if (k == 2)
            expect_refused(&w, CAIRN_INITIAL_ASSEMBLE, "no velocities of the assembled mechanism satisfy");
        world_free(&w);
    }
}

/* Two bodies that are held apart, and a range that the loop does not allow. */
static void cannot_be_assembled(void **state)
{
    (void)state;
    world w = world_new(2);
    const cairn_body_state at[2] = {{.position = {0, 0}}, {.position = {2.5, 0}}};
    cairn_body a = add_link(&w, "a", 1, &at[0], true), b = add_link(&w, "b", 1, &at[1], true);
    add_hinge(&w, "pin", a, (double[3]){1, 0, 0}, b, (double[3]){-1, 0, 0}, NULL, NULL);
    expect_refused(&w, CAIRN_INITIAL_ASSEMBLE, "joint 'pin' stays open by 0.5 m");
    world_free(&w);

    const four_bar bar = {1.0, 3.0, 2.5, 3.2};
    cairn_body_state given[3];
    world loop = world_new(2);
    four_bar_pose(&bar, 0.4, 1, 0, given);
    four_bar_build(&loop, &bar, given, true);
    cairn_coordinate_options o = cairn_coordinate_default();
    o.lower = 0.5;
    assert_int_equal(cairn_model_set_coordinate(loop.model, cairn_model_find_joint(loop.model, "C"), "angle", &o),
                     CAIRN_OK);
    expect_refused(&loop, CAIRN_INITIAL_ASSEMBLE, "joint 'C': angle exceeds its lower limit by");
    world_free(&loop);
}

/* What is added to a simulation is not assembled: it must begin where it says. */
static void added_later(void **state)
{
    (void)state;
    for (int k = 0; k < 3; ++k)
    {
        world w = world_new(2);
        const cairn_body_state at[2] = {{.position = {1, 0}}, {.position = {3, 0}}};
        cairn_body a = add_link(&w, "a", 1, &at[0], false);
        add_hinge(&w, "first", (cairn_body){0}, (double[3]){0}, a, (double[3]){-1, 0, 0}, NULL, NULL);
        start_with(&w, CAIRN_INITIAL_REFUSE);
        cairn_body b = add_link(&w, "b", 1, &at[1], false);
        cairn_joint second = add_hinge(&w, "second", a, (double[3]){1, 0, 0}, b, (double[3]){-1, 0, 0}, NULL, NULL);
        begin_at(&w, second, "angle", k == 0 ? 0.5 : 0, k == 1 ? 0.5 : 0);
        assert_int_equal(cairn_simulation_update(w.simulation), k < 2 ? CAIRN_INVALID : CAIRN_OK);
        bool said = false;
        for (int i = 0; i < cairn_context_message_count(w.context); ++i)
            said = said || strstr(cairn_context_message(w.context, i).text,
                                  k == 0 ? "joint 'second': angle misses its initial value by 0.5"
                                         : "joint 'second': angle misses its initial rate by 0.5");
        assert_int_equal(said, k < 2);
        world_free(&w);
    }
}

static void misuse(void **state)
{
    (void)state;
    world w = world_new(2);
    const cairn_body_state at = {.position = {1, 0}};
    cairn_joint pin = add_hinge(&w, "pin", (cairn_body){0}, (double[3]){0}, add_link(&w, "a", 1, &at, false),
                                (double[3]){-1, 0, 0}, NULL, NULL);
    cairn_coordinate_options o = cairn_coordinate_default();
    cairn_settings settings = cairn_settings_default();
    cairn_assembly *assembly;
    cairn_freedoms freedoms;
    o.initial = INFINITY;
    assert_int_equal(cairn_model_set_coordinate(w.model, pin, "angle", &o), CAIRN_INVALID);
    begin_at(&w, pin, "angle", 1, NAN);
    o.initial = 2;
    assert_int_equal(cairn_model_set_coordinate(w.model, pin, "angle", &o), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "'angle' is given twice"));
    assert_int_equal(cairn_assembly_create(w.context, NULL, &settings, &assembly), CAIRN_INVALID);
    settings.step = -1;
    assert_int_equal(cairn_assembly_create(w.context, w.model, &settings, &assembly), CAIRN_INVALID);
    assert_null(assembly);
    assert_int_equal(cairn_simulation_freedoms(NULL, &freedoms, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_assembly_result(NULL).iterations, 0);
    cairn_assembly_destroy(NULL);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_joints),
        cmocka_unit_test(wrong_values),
        cmocka_unit_test(soft_drives_agree),
        cmocka_unit_test(two_values_contradict),
        cmocka_unit_test(cannot_be_assembled),
        cmocka_unit_test(added_later),
        cmocka_unit_test(misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
