/* Robots from MJCF: classes of defaults, orientations, frames, masses of geometry, joints and actuators against the definitions of the
 * format worked out by hand; and wrong files, refused at their lines. tests/import/compare_mujoco.py compares whole robots with MuJoCo. */
#include "import/robot_bench.h"

#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static cairn_scene *read_robot(const char *text, cairn_import_notes **notes)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_status status = cairn_import_parse(context, "robot.xml", text, strlen(text), NULL, notes, &scene);
    if (status)
        print_error("%s\n", cairn_context_last_message(context));
    assert_int_equal(status, CAIRN_OK);
    cairn_context_destroy(context);
    return scene;
}

static const crn_body *body_of(const cairn_scene *scene, const char *name)
{
    const cairn_model *model = cairn_scene_model(scene);
    int index = cairn_model_body_index(model, cairn_model_find_body(model, name));
    assert_true(index >= 0);
    return &model->bodies[index];
}

#define BALL             "<geom size='0.1' mass='1'/>"
#define IN_WORLD(bodies) "<mujoco><worldbody>" bodies "</worldbody></mujoco>"

/* Each of the ways to write the turn by 120 degrees about (1, 1, 1), which takes x to y, y to z and z to x. About axes that turn along: by
 * 90 degrees about x and then about the new y; about fixed ones: first about z, then about y. */
static void orientations_are_read(void **state)
{
    (void)state;
    static const char *const WAYS[][2] = {{"xyz", "quat='1 1 1 1'"},       {"xyz", "axisangle='1 1 1 120'"},
                                          {"xyz", "xyaxes='0 1 0 0 0 1'"}, {"xyz", "xyaxes='0 2 0 0 5 3'"},
                                          {"xyz", "euler='90 90 0'"},      {"ZYX", "euler='90 90 0'"}};
    for (size_t i = 0; i < sizeof WAYS / sizeof WAYS[0]; ++i)
    {
        char text[512];
        snprintf(text, sizeof text,
                 "<mujoco><compiler eulerseq='%s'/><worldbody><body name='b' %s><freejoint/>" BALL
                 "</body></worldbody></mujoco>",
                 WAYS[i][0], WAYS[i][1]);
        cairn_scene *scene = read_robot(text, NULL);
        const double *q = body_of(scene, "b")->traits->initial.orientation;
        for (int k = 0; k < 4; ++k)
            assert_near(q[k] * (q[0] < 0 ? -1 : 1), 0.5, 1e-15);
        cairn_scene_destroy(scene);
    }
}

/* Nested classes: the innermost that has an attribute gives it, and an element's own comes before all. */
static void defaults_are_nested(void **state)
{
    (void)state;
    cairn_scene *scene = read_robot("<mujoco><default><joint damping='1' axis='1 0 0'/><geom density='500'/>"
                                    "<default class='outer'><joint damping='2' frictionloss='0.5'/><default "
                                    "class='inner'><joint damping='3'/></default></default></default>"
                                    "<worldbody><body name='a' childclass='outer'><joint name='ja'/>" BALL
                                    "<body name='b' pos='1 0 0'><joint name='jb' class='inner'/>" BALL
                                    "<body name='c' pos='1 0 0'><joint name='jc' damping='4' class='main'/><geom "
                                    "size='0.1'/></body></body></body></worldbody></mujoco>",
                                    NULL);
    const cairn_model *model = cairn_scene_model(scene);
    static const char *const NAMES[] = {"ja", "jb", "jc"};
    static const double DAMPING[] = {2, 3, 4}, FRICTION[] = {0.5, 0.5, 0};
    for (int i = 0; i < 3; ++i)
    {
        cairn_coordinate_info c = cairn_model_coordinate_info(model, cairn_model_find_joint(model, NAMES[i]), 0);
        assert_true(c.damping == DAMPING[i] && c.friction == FRICTION[i]);
        assert_near(fabs(c.axis[0]), 1, 1e-15);
    }
    assert_near(body_of(scene, "c")->traits->mass, 500 * 4.0 / 3 * PI * 1e-3, 1e-12);
    cairn_scene_destroy(scene);
}

/* A capsule from fromto, in a frame that is moved and turned: mass and centre by hand. */
static void frames_move_their_content(void **state)
{
    (void)state;
    cairn_scene *scene =
        read_robot(IN_WORLD("<body name='b' pos='0 0 5'><freejoint/><frame pos='1 0 0' euler='0 0 90'>"
                            "<geom type='capsule' size='0.1' fromto='0 0 0 2 0 0' density='100'/></frame></body>"),
                   NULL);
    const crn_body *b = body_of(scene, "b");
    assert_near(b->traits->mass, 100 * PI * (0.01 * 2 + 4.0 / 3 * 0.001), 1e-12);
    /* From (1, 0, 0) along y to (1, 2, 0). */
    assert_near(b->position[0], 1, 1e-15);
    assert_near(b->position[1], 1, 1e-15);
    assert_near(b->position[2], 5, 1e-15);
    /* About its own axis, y: that of the tube and the two half balls. */
    assert_near(b->traits->inertia[4], 100 * PI * (0.01 * 2 * 0.5 * 0.01 + 4.0 / 3 * 0.001 * 0.4 * 0.01), 1e-14);
    assert_near(b->traits->inertia[0], b->traits->inertia[8], 1e-13);
    cairn_scene_destroy(scene);
}

/* Degrees, references and ranges: the model's zero is the pose as written. A position servo holds its target against gravity with the
 * deviation m g l/kp of a stiff spring. */
static void a_servo_holds_its_target(void **state)
{
    (void)state;
    cairn_scene *scene =
        read_robot("<mujoco><worldbody><body name='arm'><joint name='j' axis='0 1 0' ref='30' range='-60 90'/>"
                   "<inertial pos='0.5 0 0' mass='2' diaginertia='0.01 0.01 0.01'/></body></worldbody>"
                   "<actuator><position joint='j' kp='5000' kv='200' ctrlrange='0.2 1'/></actuator></mujoco>",
                   NULL);
    cairn_model *model = cairn_scene_edit(scene);
    cairn_joint j = cairn_model_find_joint(model, "j");
    cairn_coordinate_info c = cairn_model_coordinate_info(model, j, 0);
    assert_near(c.lower, -PI / 2, 1e-15);
    assert_near(c.upper, PI / 3, 1e-15);
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_simulation *simulation;
    assert_int_equal(cairn_simulation_create(NULL, model, &settings, &simulation), CAIRN_OK);
    for (int i = 0; i < 2000; ++i)
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
    /* kp (u - q) + m g l cos(q - zero) = 0 in the file's q. */
    double q = 0.2;
    for (int i = 0; i < 50; ++i)
        q = 0.2 + 2 * 9.81 * 0.5 * cos(q - PI / 6) / 5000;
    assert_near(cairn_simulation_joint_state(simulation, j).coordinate[0] + PI / 6, q, 1e-6);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
}

/* Hinges that cross at right angles are one universal joint, others have a light body in between; freedoms are those of the file. */
static void chains_of_joints_keep_their_freedoms(void **state)
{
    (void)state;
    static const struct
    {
        const char *joints;
        int degrees;
    } CASES[] = {{"<joint axis='1 0 0'/><joint axis='0 1 0'/>", 2},
                 {"<joint axis='1 0 0'/><joint axis='1 1 0'/>", 2},
                 {"<joint axis='1 0 0'/><joint axis='0 1 0' pos='0 0 0.1'/>", 2},
                 {"<joint axis='1 0 0'/><joint axis='0 1 0'/><joint axis='0 0 1'/>", 3},
                 {"<joint axis='1 0 0'/><joint axis='0 0 1' range='-60 60'/><joint axis='0 1 0'/>", 3},
                 {"<joint type='slide'/><joint type='hinge'/>", 2},
                 {"<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint/>", 3},
                 {"<joint type='ball'/>", 3},
                 {"<freejoint/>", 6}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        char text[512];
        snprintf(text, sizeof text, IN_WORLD("<body name='b'>%s" BALL "</body>"), CASES[i].joints);
        cairn_scene *scene = read_robot(text, NULL);
        cairn_settings settings = cairn_scene_settings(scene);
        cairn_simulation *simulation;
        cairn_freedoms freedoms;
        assert_int_equal(cairn_simulation_create(NULL, cairn_scene_model(scene), &settings, &simulation), CAIRN_OK);
        assert_int_equal(cairn_simulation_freedoms(simulation, &freedoms, NULL), CAIRN_OK);
        assert_int_equal(freedoms.degrees, CASES[i].degrees);
        cairn_simulation_destroy(simulation);
        cairn_scene_destroy(scene);
    }
}

/* Three crossing hinges are one gimbal, also left-handed ones, whose angles are those of the file; without a range of the second, which
 * could lock it, they are not. */
static void three_hinges_are_a_gimbal(void **state)
{
    (void)state;
    static const char *const RANGE[] = {" range='-60 60'", ""};
    for (int i = 0; i < 2; ++i)
    {
        char text[512];
        snprintf(text, sizeof text,
                 IN_WORLD("<body name='b'><joint name='x' axis='1 0 0'/><joint axis='0 0 1'%s/>"
                          "<joint axis='0 1 0' range='-10 80'/>" BALL "</body>"),
                 RANGE[i]);
        cairn_scene *scene = read_robot(text, NULL);
        const cairn_model *model = cairn_scene_model(scene);
        cairn_joint j = cairn_model_find_joint(model, "x");
        assert_int_equal(cairn_model_joint_kind(model, j) == CAIRN_JOINT_GIMBAL, i == 0);
        cairn_coordinate_info info = cairn_model_coordinate_info(model, j, 2);
        if (i == 0)
        {
            assert_near(info.axis[1], 1, 1e-12);
            assert_near(info.lower, -PI / 18, 1e-12);
            assert_near(info.upper, PI / 2.25, 1e-12);
        }
        cairn_scene_destroy(scene);
    }
}

/* All that can act on the three angles of a gimbal does so at once. */
static void a_gimbal_has_room_for_all_that_acts(void **state)
{
    (void)state;
#define ALL " range='-60 60' damping='1' stiffness='2' frictionloss='0.1' armature='0.01'/>"
    cairn_scene *scene = read_robot(
        "<mujoco><worldbody><body name='b'><joint name='x' axis='1 0 0'" ALL "<joint name='z' axis='0 0 1'" ALL
        "<joint name='y' axis='0 1 0'" ALL BALL "</body></worldbody><actuator>"
        "<motor joint='x' ctrllimited='true' ctrlrange='1 2'/><position joint='y' kp='5' forcerange='-1 1'/>"
        "<position joint='z' kp='5' forcerange='-1 1'/></actuator></mujoco>",
        NULL);
#undef ALL
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_simulation *simulation;
    assert_int_equal(cairn_simulation_create(NULL, cairn_scene_model(scene), &settings, &simulation), CAIRN_OK);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
    cairn_joint j = cairn_model_find_joint(cairn_scene_model(scene), "x");
    assert_true(cairn_simulation_joint_state(simulation, j).drive[0] >= 1);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
}

/* Of two surfaces the larger friction counts, or that of the higher priority. */
static void friction_follows_priorities(void **state)
{
    (void)state;
    cairn_scene *scene = read_robot(
        IN_WORLD("<geom type='plane' size='1 1 1' friction='0.9'/>"
                 "<body name='a' pos='0 0 0.1'><freejoint/><geom size='0.1' friction='0.3'/></body>"
                 "<body name='b' pos='1 0 0.1'><freejoint/><geom size='0.1' friction='0.2' priority='1'/></body>"
                 "<body name='c' pos='2 0 0.1'><freejoint/><geom size='0.1' condim='1' priority='2'/></body>"),
        NULL);
    cairn_model *model = cairn_scene_edit(scene);
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_simulation *simulation;
    static const char *const NAMES[] = {"a", "b", "c"};
    static const double MU[] = {0.9, 0.2, 0};
    cairn_body_state start[3];
    for (int i = 0; i < 3; ++i)
    {
        start[i] = (cairn_body_state){.position = {i, 0, 0.1}, .orientation = {1, 0, 0, 0}, .velocity = {3, 0, 0}};
        assert_int_equal(cairn_model_set_body(model, cairn_model_find_body(model, NAMES[i]), &start[i]), CAIRN_OK);
    }
    settings.step = 0.001;
    assert_int_equal(cairn_simulation_create(NULL, model, &settings, &simulation), CAIRN_OK);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
    for (int i = 0; i < 3; ++i) /* all slide for 0.01 s */
        assert_near(cairn_simulation_body(simulation, cairn_model_find_body(model, NAMES[i])).velocity[0],
                    3 - MU[i] * 9.81 * 0.01, 1e-6);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
}

/* A scene begins in the keyframe: a free body in its pose, with the velocity of its origin, and a hinge at its angle. The tip of the arm is
 * where the turn puts it. */
static void a_keyframe_is_where_it_begins(void **state)
{
    (void)state;
    const char *text =
        "<mujoco><option gravity='0 0 0'/><worldbody><body name='f'><freejoint/><inertial pos='1 0 0' mass='1' "
        "diaginertia='1 1 1'/></body>"
        "<body name='arm' pos='0 5 0'><joint name='j' axis='0 0 1' ref='90'/><inertial pos='2 0 0' mass='1' "
        "diaginertia='1 1 1'/></body>"
        "</worldbody><keyframe>\n<key name='k' qpos='1 2 3 1 0 0 1 2' qvel='0 0 1 0 0 3 0.5'/></keyframe></mujoco>";
    cairn_import_options options = cairn_import_default();
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    options.keyframe = "k";
    assert_int_equal(cairn_import_parse(context, "f", text, strlen(text), &options, NULL, &scene), CAIRN_OK);
    const cairn_model *model = cairn_scene_model(scene);
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_simulation *simulation;
    assert_int_equal(cairn_simulation_create(NULL, model, &settings, &simulation), CAIRN_OK);
    cairn_body_state f = cairn_simulation_body(simulation, cairn_model_find_body(model, "f"));
    cairn_body_state arm = cairn_simulation_body(simulation, cairn_model_find_body(model, "arm"));
    /* Turned by 90 degrees about z the centre is at (1, 3, 3), and moves by (0, 0, 3) x (0, 1, 0) = (-3, 0, 0) besides. */
    static const double AT[3] = {1, 3, 3}, BY[3] = {-3, 0, 1};
    for (int i = 0; i < 3; ++i)
    {
        assert_near(f.position[i], AT[i], 1e-14);
        assert_near(f.velocity[i], BY[i], 1e-14);
    }
    /* The file's 2 rad are 2 - pi/2 from the pose as written. */
    double turned = 2 - PI / 2;
    assert_near(arm.position[0], 2 * cos(turned), 1e-12);
    assert_near(arm.position[1], 5 + 2 * sin(turned), 1e-12);
    assert_near(arm.angular_velocity[2], 0.5, 1e-12);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    options.keyframe = "kk";
    assert_int_equal(cairn_import_parse(context, "f", text, strlen(text), &options, NULL, &scene), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(context), "there is no keyframe 'kk'"));
    cairn_context_destroy(context);
}

/* --------------------------------------------------------------------------------------------------------- mistakes */

static const mistake MISTAKES[] = {
    {"<mujoco/>", "the model has no <worldbody>", 1},
    {"<mujoco>\n<compiler angle='gon'/><worldbody/></mujoco>", "expected radian or degree", 2},
    {"<mujoco>\n<compiler eulerseq='xyw'/><worldbody/></mujoco>", "expected three of x, y, z", 2},
    {"<mujoco>\n<option timestep='-1'/><worldbody/></mujoco>", "timestep must be positive", 2},
    {"<mujoco>\n<include file='a.xml'/></mujoco>", "other files are not read from a text", 2},
    {IN_WORLD("\n<body><joint class='none'/>" BALL "</body>"), "there is no class of defaults 'none'", 2},
    {IN_WORLD("\n<body><joint type='screw'/>" BALL "</body>"), "there is no joint type 'screw'", 2},
    {IN_WORLD("\n<body><joint axis='0 0 0'/>" BALL "</body>"), "must not be 0", 2},
    {IN_WORLD("\n<body><joint range='2 1'/>" BALL "</body>"), "2 is not less than 1", 2},
    {IN_WORLD("\n<body><joint damping='-1'/>" BALL "</body>"), "must not be negative", 2},
    {IN_WORLD("\n<body><joint/></body>"), "it has no mass", 2},
    {IN_WORLD("\n<body><joint/><inertial mass='-1' diaginertia='1 1 1'/></body>"), "must not be negative", 2},
    {IN_WORLD("\n<body><joint/><inertial mass='1'/></body>"), "needs diaginertia or fullinertia", 2},
    {IN_WORLD("\n<body quat='0 0 0 0'/>"), "the quaternion of <body> must not be 0", 2},
    {IN_WORLD("\n<geom type='capsule' size='1'/>"), "a capsule needs 2 positive numbers", 2},
    {IN_WORLD("\n<geom type='box' size='1 1 -1'/>"), "a box needs 3 positive numbers", 2},
    {IN_WORLD("\n<geom type='mesh' mesh='m'/>"), "there is no mesh 'm'", 2},
    {IN_WORLD("\n<geom type='capsule' size='1' fromto='1 1 1 1 1 1'/>"), "coincide", 2},
    {IN_WORLD("<body name='a'>" BALL "</body>\n<body name='a'>" BALL "</body>"), "'a'", 2},
    {IN_WORLD("<body><joint/>" BALL "\n<body><freejoint/>" BALL "</body></body>"), "a free joint must be the only one",
     2},
    {IN_WORLD("\n<joint/>"), "the world has no joints", 2},
    {"<mujoco><worldbody/>\n<equality><joint joint1='a'/></equality></mujoco>", "there is no joint 'a'", 2},
    {"<mujoco><worldbody/>\n<equality><connect body1='a'/></equality></mujoco>", "there is no body 'a'", 2},
    {"<mujoco><worldbody/>\n<actuator><motor joint='a'/></actuator></mujoco>", "there is no joint 'a'", 2},
    {"<mujoco><worldbody/>\n<tendon><fixed/></tendon></mujoco>", "<fixed> needs a <joint>", 2},
};

static void mistakes_are_located(void **state)
{
    (void)state;
    check_mistakes("f.xml", MISTAKES, sizeof MISTAKES / sizeof MISTAKES[0]);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Files include others, each once; what is in them has its own file and line. */
static void files_are_included_once(void **state)
{
    (void)state;
    write_file("part.xml", "<mujocoinclude>\n<body name='p'><freejoint/>" BALL "<camera/></body></mujocoinclude>");
    write_file("whole.xml",
               IN_WORLD("<include file='part.xml'/><body name='q' pos='1 0 0'><freejoint/>" BALL "</body>"));
    write_file("circle.xml", "<mujoco>\n<include file='back.xml'/></mujoco>");
    write_file("back.xml", "<mujoco>\n\n<include file='./circle.xml'/></mujoco>");
    cairn_context *context = cairn_context_create();
    cairn_import_notes *notes;
    cairn_scene *scene;
    assert_int_equal(cairn_import_file(context, "whole.xml", NULL, &notes, &scene), CAIRN_OK);
    assert_int_equal(cairn_model_body_count(cairn_scene_model(scene)), 2);
    assert_int_equal(cairn_import_note_count(notes), 1);
    assert_string_equal(cairn_import_note(notes, 0).file, "./part.xml");
    assert_int_equal(cairn_import_note(notes, 0).line, 2);
    cairn_import_notes_destroy(notes);
    cairn_scene_destroy(scene);
    assert_int_equal(cairn_import_file(context, "circle.xml", NULL, &notes, &scene), CAIRN_INVALID);
    cairn_message said = cairn_context_message(context, 0);
    assert_non_null(strstr(said.text, "is included a second time"));
    assert_string_equal(said.file, "./back.xml");
    assert_int_equal(said.line, 3);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orientations_are_read),
        cmocka_unit_test(defaults_are_nested),
        cmocka_unit_test(frames_move_their_content),
        cmocka_unit_test(a_servo_holds_its_target),
        cmocka_unit_test(chains_of_joints_keep_their_freedoms),
        cmocka_unit_test(three_hinges_are_a_gimbal),
        cmocka_unit_test(a_gimbal_has_room_for_all_that_acts),
        cmocka_unit_test(friction_follows_priorities),
        cmocka_unit_test(a_keyframe_is_where_it_begins),
        cmocka_unit_test(mistakes_are_located),
        cmocka_unit_test(files_are_included_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
