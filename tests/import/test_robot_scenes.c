/* Robots in scene files: their place, names, initial values and drives, and wrong ones. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An arm of two hinges, the second with a reference of 0.5 rad, and a tendon that adds up both. */
static const char ROBOT[] =
    "<mujoco><compiler angle='radian'/><worldbody>\n"
    "<body name='upper' pos='0.1 0 0'><joint name='shoulder' axis='0 0 1' damping='0.1'/><geom size='0.05' pos='0.2 0 "
    "0' mass='1'/>\n"
    "<body name='lower' pos='0.4 0 0'><joint name='elbow' axis='0 0 1' ref='0.5' damping='0.1'/><geom size='0.05' "
    "pos='0.2 0 0' "
    "mass='1'/></body></body></worldbody>\n"
    "<tendon><fixed name='sum'><joint joint='shoulder' coef='1'/><joint joint='elbow' coef='1'/></fixed></tendon>\n"
    "<actuator><motor joint='elbow' gear='2'/></actuator></mujoco>\n";

static char folder[64];

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/cairn-robots-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    write_file("arm.xml", ROBOT);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    const char *const NAMES[] = {"arm.xml", "scene.yaml"};
    char path[128];
    for (int i = 0; i < 2; ++i)
    {
        snprintf(path, sizeof path, "%s/%s", folder, NAMES[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* A scene of space with the robots and whatever follows them. */
static cairn_status load(cairn_context *context, const char *rest, cairn_scene **out)
{
    char text[2048], path[128];
    snprintf(text, sizeof text, "cairn: 1\ndimension: 3\ngravity: [0, 0, 0]\nrobots:\n%s", rest);
    write_file("scene.yaml", text);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    return cairn_scene_load(context, path, NULL, 0, out);
}

static world begin(const char *rest, double step)
{
    world w = {.context = cairn_context_create()};
    if (load(w.context, rest, &w.scene))
        fail_msg("%s", cairn_context_last_message(w.context));
    cairn_settings settings = cairn_scene_settings(w.scene);
    settings.step = step;
    world_start(&w, &settings);
    return w;
}

static double angle_of(const world *w, const char *joint)
{
    return cairn_simulation_coordinate(w->simulation, cairn_model_find_joint(world_model(w), joint), 0, NULL);
}

/* Two arms of one file: the second is turned by 90 degrees about x, to stand upright, and moved by (1, 2, 3). Both are driven alike. */
static void places_and_names(void **state)
{
    (void)state;
    world w = begin("  - {file: arm.xml, prefix: \"a/\", drives: {elbow: {type: force, target: 0.3}}}\n"
                    "  - file: arm.xml\n"
                    "    prefix: \"b \"\n"
                    "    position: [1, 2, 3]\n"
                    "    orientation: {axis: [1, 0, 0], angle: pi/2}\n"
                    "    drives: {elbow: {type: force, target: 0.3}}\n",
                    0.01);
    for (int k = 0; k < 30; ++k)
    {
        const char *const NAMES[][2] = {{"a/upper", "b upper"}, {"a/lower", "b lower"}};
        for (int i = 0; i < 2; ++i)
        {
            cairn_body_state a = world_body(&w, NAMES[i][0]), b = world_body(&w, NAMES[i][1]);
            double turned[3] = {1 + a.position[0], 2 - a.position[2], 3 + a.position[1]};
            for (int j = 0; j < 3; ++j)
                assert_near(b.position[j], turned[j], 1e-9);
        }
        world_step(&w);
    }
    assert_true(fabs(angle_of(&w, "a/elbow")) > 0.05);
    assert_near(angle_of(&w, "b elbow"), angle_of(&w, "a/elbow"), 1e-9);
    assert_int_equal(cairn_model_joint_count(world_model(&w)), 4);
    world_free(&w);
}

/* Values and targets are counted as the file does: the elbow is at 0.5 in the pose as written. */
static void values_and_drives(void **state)
{
    (void)state;
    const char *const TARGETS[] = {"0.9", "\"0.4 + 0.5\"", "[[0, 0.9], [1, 0.9]]"};
    for (int i = 0; i < 3; ++i)
    {
        char text[256];
        snprintf(text, sizeof text,
                 "  - file: arm.xml\n    initial: {shoulder: 0.2, elbow: 0.7}\n"
                 "    drives: {elbow: {type: position, target: %s, stiffness: 40, damping: 8}}\n",
                 TARGETS[i]);
        world w = begin(text, 0.01);
        assert_near(angle_of(&w, "shoulder"), 0.2, 1e-12);
        assert_near(angle_of(&w, "elbow"), 0.7 - 0.5, 1e-12);
        world_run(&w, 1000);
        assert_near(angle_of(&w, "elbow"), 0.9 - 0.5, 1e-6);
        world_free(&w);
    }
    world w =
        begin("  - {file: arm.xml, drives: {sum: {type: position, target: 0.8, stiffness: 40, damping: 8}}}\n", 0.01);
    world_run(&w, 1500);
    assert_near(angle_of(&w, "shoulder") + angle_of(&w, "elbow"), 0.8 - 0.5, 1e-6);
    world_free(&w);
}

/* The rest of the scene refers to robots by name, and the text that the scene keeps needs no file. */
static void other_things(void **state)
{
    (void)state;
    world w = begin(
        "  - {file: arm.xml, prefix: r.}\n"
        "bodies:\n  - {name: weight, mass: 2, inertia: [1, 1, 1], position: [0.9, 0, 0]}\n"
        "joints:\n  - {name: hook, type: weld, bodies: [r.lower, weight], at: [0.8, 0, 0]}\n"
        "springs:\n  - {name: s, type: linear, bodies: [world, r.upper], stiffness: 3, rest: 0.1, points: [[0, 1, 0], "
        "[0, 0, 0]]}\n",
        0.01);
    const char *text = cairn_scene_text(w.scene);
    assert_null(strstr(text, "arm.xml"));
    world again = {.context = cairn_context_create()};
    assert_int_equal(cairn_scene_parse(again.context, "again", text, strlen(text), NULL, 0, &again.scene), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(again.scene);
    settings.step = 0.01;
    world_start(&again, &settings);
    world_run(&w, 50);
    world_run(&again, 50);
    for (int k = 0; k < 3; ++k)
        assert_near(world_body(&again, "weight").position[k], world_body(&w, "weight").position[k], 0);
    assert_true(fabs(angle_of(&w, "r.shoulder")) > 1e-3);
    world_free(&w);
    world_free(&again);
}

/* Bits of contact: the shelf and the cart of a robot pass through each other. A ball of the scene counts as one of contype 1, which the
 * shelf carries and the cart does not. */
static void groups_of_contacts(void **state)
{
    (void)state;
    write_file(
        "arm.xml",
        "<mujoco><worldbody><geom name='shelf' type='box' size='1 1 0.1' pos='0 0 -0.1' contype='1' conaffinity='1'/>\n"
        "<body name='cart' pos='0 0 0.05'><joint name='rail' type='slide' axis='1 0 0'/>"
        "<geom type='box' size='0.2 0.2 0.1' contype='2' conaffinity='2' mass='1'/></body></worldbody></mujoco>\n");
    world w = begin("  - {file: arm.xml, prefix: a}\n  - {file: arm.xml, prefix: b, position: [0, 5, 0]}\n"
                    "bodies:\n"
                    "  - {name: one, position: [0.6, 0, 0.06], shapes: [{type: sphere, radius: 0.05, density: 1000}]}\n"
                    "  - {name: two, position: [0, 5, 0.21], shapes: [{type: sphere, radius: 0.05, density: 1000}]}\n",
                    0.01);
    assert_int_equal(cairn_simulation_set_gravity(w.simulation, (double[3]){0, 0, -10}), CAIRN_OK);
    world_run(&w, 100);
    assert_near(world_body(&w, "one").position[2], 0.05, 1e-6);
    assert_near(world_body(&w, "two").position[2], 0.05, 1e-6);
    assert_int_equal(cairn_simulation_contact_count(w.simulation), 2);
    world_free(&w);
    write_file("arm.xml", ROBOT);
}

static void wrong_robots(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"  - {file: gone.xml}\n", "gone.xml"},
        {"  - {file: arm.xml, drives: {knee: {type: force, target: 1}}}\n", "there is no joint 'knee'"},
        {"  - {file: arm.xml, initial: {sum: 1}}\n", "'sum' is a sum of joints"},
        {"  - {file: arm.xml, initial: {elbow: soon}}\n", "initial"},
        {"  - {file: arm.xml, initial: 3}\n", "expected a mapping of joints"},
        {"  - {file: arm.xml}\n  - {file: arm.xml}\n", "the name is used twice"},
        {"  - {file: arm.xml, colour: red}\n", "unknown field 'colour'"},
        {"  - {prefix: a}\n", "missing field 'file'"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        cairn_context *context = cairn_context_create();
        cairn_scene *scene;
        assert_int_equal(load(context, CASES[i][0], &scene), CAIRN_INVALID);
        if (!strstr(cairn_context_last_message(context), CASES[i][1]))
            fail_msg("case %zu: %s", i, cairn_context_last_message(context));
        cairn_context_destroy(context);
    }
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    const char *const ALONE = "cairn: 1\ndimension: 3\nrobots: [{file: arm.xml}]\n",
                      *const FLAT = "cairn: 1\ndimension: 2\nrobots: [{file: arm.xml}]\n";
    assert_int_equal(cairn_scene_parse(context, "alone", ALONE, strlen(ALONE), NULL, 0, &scene), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(context), "has no folder"));
    assert_int_equal(cairn_scene_parse(context, "flat", FLAT, strlen(FLAT), NULL, 0, &scene), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(context), "bodies of space"));
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_names),   cmocka_unit_test(values_and_drives), cmocka_unit_test(other_things),
        cmocka_unit_test(groups_of_contacts), cmocka_unit_test(wrong_robots),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
