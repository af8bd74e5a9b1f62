/* Robots from URDF: frames, masses, joints, limits and mimicry against what the format's definition gives by hand; and wrong files, each
 * of which must be refused at its line. */
#include "import/robot_bench.h"

#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cairn_scene *read_robot(const char *text, const cairn_import_options *options, cairn_import_notes **notes)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_status status = cairn_import_parse(context, "robot.urdf", text, strlen(text), options, notes, &scene);
    if (status)
        print_error("%s\n", cairn_context_last_message(context));
    assert_int_equal(status, CAIRN_OK);
    cairn_context_destroy(context);
    return scene;
}

/* R = Rz(y) Ry(p) Rx(r), written out. */
static void matrix_of(double r, double p, double y, double R[9])
{
    double cr = cos(r), sr = sin(r), cp = cos(p), sp = sin(p), cy = cos(y), sy = sin(y);
    double M[9] = {cy * cp,
                   cy * sp * sr - sy * cr,
                   cy * sp * cr + sy * sr,
                   sy * cp,
                   sy * sp * sr + cy * cr,
                   sy * sp * cr - cy * sr,
                   -sp,
                   cp * sr,
                   cp * cr};
    memcpy(R, M, sizeof M);
}

/* Two links that are fixed to each other, with turned frames and turned inertias: the body that they become has the second moments of all
 * its mass about the common centre, summed here over point masses with the same inertias. */
static void fixed_links_become_one_body(void **state)
{
    (void)state;
    const char *text =
        "<robot name='r'><link name='base'/>"
        "<joint name='j' type='floating'><parent link='base'/><child link='a'/><origin xyz='1 2 3' rpy='0.1 0.2 "
        "0.3'/></joint>"
        "<link name='a'><inertial><origin xyz='0.1 0 0.2' rpy='0.3 -0.4 0.5'/><mass value='2'/>"
        "<inertia ixx='0.02' iyy='0.03' izz='0.04' ixy='0.001' ixz='-0.002' iyz='0.003'/></inertial></link>"
        "<joint name='k' type='fixed'><parent link='a'/><child link='b'/><origin xyz='0.5 -0.1 0' rpy='-0.7 0.6 "
        "1.1'/></joint>"
        "<link name='b'><inertial><origin xyz='0 0.3 0' rpy='0 0 0'/><mass value='3'/>"
        "<inertia ixx='0.05' iyy='0.06' izz='0.07' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
    cairn_scene *scene = read_robot(text, NULL, NULL);
    const cairn_model *model = cairn_scene_model(scene);
    cairn_body body = cairn_model_find_body(model, "a");
    assert_near(cairn_model_body_mass(model, body), 5, 1e-15);

    double A[9], B[9], I[9] = {0}, ca[3] = {0.1, 0, 0.2}, cb[3], c[3];
    const double inertia[2][9] = {{0.02, 0.001, -0.002, 0.001, 0.03, 0.003, -0.002, 0.003, 0.04},
                                  {0.05, 0, 0, 0, 0.06, 0, 0, 0, 0.07}};
    matrix_of(0.3, -0.4, 0.5, A);
    matrix_of(-0.7, 0.6, 1.1, B);
    for (int i = 0; i < 3; ++i)
        cb[i] = (double[]){0.5, -0.1, 0}[i] + B[3 * i + 1] * 0.3;
    for (int i = 0; i < 3; ++i)
        c[i] = (2 * ca[i] + 3 * cb[i]) / 5;
    for (int part = 0; part < 2; ++part)
    {
        const double *R = part ? B : A, *of = part ? cb : ca;
        double m = part ? 3 : 2, square = 0;
        for (int i = 0; i < 3; ++i)
            square += (of[i] - c[i]) * (of[i] - c[i]);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
            {
                for (int k = 0; k < 9; ++k)
                    I[3 * i + j] += R[3 * i + k / 3] * inertia[part][k] * R[3 * j + k % 3];
                I[3 * i + j] += m * ((i == j ? square : 0) - (of[i] - c[i]) * (of[j] - c[j]));
            }
    }
    const crn_body *found = &model->bodies[cairn_model_body_index(model, body)];
    for (int i = 0; i < 9; ++i)
        assert_near(found->traits->inertia[i], I[i], 1e-14);
    double W[9];
    matrix_of(0.1, 0.2, 0.3, W);
    for (int i = 0; i < 3; ++i)
    {
        double x = i + 1 + W[3 * i] * c[0] + W[3 * i + 1] * c[1] + W[3 * i + 2] * c[2];
        assert_near(found->position[i], x, 1e-14);
    }
    cairn_scene_destroy(scene);
}

/* A chain of a hinge under each of several axes: released at rest it begins to turn at m g l/(I + m l^2). */
static void a_pendulum_begins_as_it_should(void **state)
{
    (void)state;
    for (int turn = 0; turn < 3; ++turn)
    {
        char text[1024];
        double yaw = 0.4 * turn;
        snprintf(text, sizeof text,
                 "<robot name='p'><link name='base'/><joint name='hinge' type='continuous'><parent link='base'/>"
                 "<child link='arm'/><origin xyz='0 0 1' rpy='0 0 %g'/><axis xyz='0 2 0'/></joint>"
                 "<link name='arm'><inertial><origin xyz='0.5 0 0'/><mass value='2'/>"
                 "<inertia ixx='0.1' iyy='0.2' izz='0.3' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>",
                 yaw);
        cairn_scene *scene = read_robot(text, NULL, NULL);
        cairn_model *model = cairn_scene_edit(scene);
        cairn_settings settings = cairn_scene_settings(scene);
        cairn_simulation *simulation;
        settings.step = 1e-4;
        assert_int_equal(cairn_simulation_create(NULL, model, &settings, &simulation), CAIRN_OK);
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        cairn_joint_state j = cairn_simulation_joint_state(simulation, cairn_model_find_joint(model, "hinge"));
        /* About +y the arm along +x falls by a positive angle. */
        assert_near(j.rate[0] / 1e-4, 2 * 9.81 * 0.5 / (0.2 + 2 * 0.25), 1e-6);
        cairn_simulation_destroy(simulation);
        cairn_scene_destroy(scene);
    }
}

static const char FINGERS[] =
    "<robot name='hand'><link name='palm'/>\n"
    "<link name='left'><inertial><origin xyz='0.1 0 0'/><mass value='0.2'/><inertia ixx='1e-3' iyy='1e-3' izz='1e-3' "
    "ixy='0' "
    "ixz='0' iyz='0'/></inertial></link>\n"
    "<link name='right'><inertial><origin xyz='0.1 0 0'/><mass value='0.1'/><inertia ixx='1e-3' iyy='1e-3' izz='1e-3' "
    "ixy='0' "
    "ixz='0' iyz='0'/></inertial></link>\n"
    "<joint name='l' type='revolute'><parent link='palm'/><child link='left'/><axis xyz='0 1 0'/>"
    "<limit lower='-0.5' upper='0.4' effort='1' velocity='1'/><dynamics damping='0.02' friction='0.01'/></joint>\n"
    "<joint name='r' type='revolute'><parent link='palm'/><child link='right'/><origin xyz='0 0.3 0'/><axis xyz='0 1 "
    "0'/>"
    "<limit lower='-2' upper='2' effort='1' velocity='1'/><mimic joint='l' multiplier='-0.5' offset='0.1'/></joint>\n"
    "<transmission name='t'/><gazebo reference='left'><mu1>0.3</mu1></gazebo></robot>";

/* The right finger follows the left one, which falls to the end of its range. */
static void a_joint_mimics_another(void **state)
{
    (void)state;
    cairn_import_notes *notes;
    cairn_scene *scene = read_robot(FINGERS, NULL, &notes);
    cairn_model *model = cairn_scene_edit(scene);
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_simulation *simulation;
    assert_int_equal(cairn_simulation_create(NULL, model, &settings, &simulation), CAIRN_OK);
    cairn_joint l = cairn_model_find_joint(model, "l"), r = cairn_model_find_joint(model, "r");
    cairn_coordinate_info info = cairn_model_coordinate_info(model, l, 0);
    assert_true(info.lower == -0.5 && info.upper == 0.4 && info.damping == 0.02 && info.friction == 0.01);
    for (int i = 0; i < 400; ++i)
    {
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        double left = cairn_simulation_joint_state(simulation, l).coordinate[0];
        double right = cairn_simulation_joint_state(simulation, r).coordinate[0];
        assert_near(right, 0.1 - 0.5 * left, 1e-6);
        assert_true(left < 0.4 + 1e-6);
    }
    assert_near(cairn_simulation_joint_state(simulation, l).coordinate[0], 0.4, 1e-6);
    /* effort and velocity of both limits, the transmission, the tags of Gazebo: each with its line. */
    assert_int_equal(cairn_import_note_count(notes), 6);
    assert_int_equal(cairn_import_note(notes, 0).line, 4);
    assert_string_equal(cairn_import_note(notes, 4).text, "<transmission> has no counterpart and is left out");
    assert_int_equal(cairn_import_note(notes, 5).line, 6);
    cairn_import_notes_destroy(notes);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
}

/* A base that is free keeps falling, whatever hangs on it: its centre of mass, that is. */
static void a_free_base_falls(void **state)
{
    (void)state;
    cairn_import_options options = cairn_import_default();
    options.free_base = true;
    const char *text =
        "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
        "ixz='0' iyz='0'/></inertial><collision><geometry><sphere radius='0.1'/></geometry></collision></link></robot>";
    cairn_scene *scene = read_robot(text, &options, NULL);
    cairn_body_kind kind =
        cairn_model_body_kind(cairn_scene_model(scene), cairn_model_body(cairn_scene_model(scene), 0));
    assert_int_equal(kind, CAIRN_DYNAMIC);
    cairn_scene_destroy(scene);
    scene = read_robot(text, NULL, NULL);
    kind = cairn_model_body_kind(cairn_scene_model(scene), cairn_model_body(cairn_scene_model(scene), 0));
    assert_int_equal(kind, CAIRN_FIXED);
    cairn_scene_destroy(scene);
}

/* --------------------------------------------------------------------------------------------------------- mistakes */

#define TWO                                                                                                            \
    "<link name='a'/>\n<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "                            \
    "izz='1'/></inertial></link>\n"
#define HANG "<parent link='a'/><child link='b'/>"

static const mistake MISTAKES[] = {
    {"<robot>", "the XML is malformed", 1},
    {"", "the XML is malformed", 1},
    {"<robot>\n<link></robot>", "the XML is malformed: mismatched tag", 2},
    {"<sdf/>", "expected <robot>", 1},
    {"<robot/>", "the robot has no <link>", 1},
    {"<robot>\n<link/></robot>", "<link> needs the attribute 'name'", 2},
    {"<robot><link name='a'/>\n<link name='a'/></robot>", "link 'a' is already at line 1", 2},
    {"<robot><link name='a'/>\n<link name='b'/></robot>", "both 'a' and 'b' are roots", 2},
    {"<robot>" TWO "<joint name='j' type='hinge'>" HANG "</joint></robot>", "there is no joint type 'hinge'", 3},
    {"<robot>" TWO "<joint name='j' type='revolute'>" HANG "</joint></robot>", "joint 'j' needs a <limit>", 3},
    {"<robot>" TWO "<joint name='j' type='revolute'>" HANG "\n<limit lower='1' upper='0'/></joint></robot>",
     "lower is 1, above upper", 4},
    {"<robot>" TWO "<joint name='j' type='continuous'>" HANG "\n<axis xyz='0 0 0'/></joint></robot>",
     "the axis of a joint must not be 0", 4},
    {"<robot>" TWO "<joint name='j' type='continuous'>" HANG "\n<axis xyz='0 0'/></joint></robot>",
     "expected 3 numbers, found 2", 4},
    {"<robot>" TWO "<joint name='j' type='continuous'>" HANG "\n<axis xyz='0 x 0'/></joint></robot>",
     "expected numbers, found '0 x 0'", 4},
    {"<robot>" TWO "<joint name='j' type='continuous'>" HANG "\n<dynamics damping='-1'/></joint></robot>",
     "'damping' of <dynamics> must not be negative", 4},
    {"<robot>" TWO "<joint name='j' type='continuous'>" HANG "\n<mimic joint='k'/></joint></robot>",
     "joint 'j' cannot mimic 'k'", 4},
    {"<robot>" TWO "<joint name='j' type='continuous'>\n<parent link='a'/><child link='bb'/></joint></robot>",
     "there is no link 'bb'", 4},
    {"<robot>" TWO "<joint name='j' type='fixed'>" HANG "</joint>\n<joint name='k' type='fixed'>" HANG
     "</joint></robot>",
     "already hangs on the joint at line 3", 4},
    {"<robot>" TWO "<joint name='j' type='fixed'>" HANG
     "</joint><link name='c'/><link name='d'/>\n<joint name='k' type='fixed'>"
     "<parent link='c'/><child link='d'/></joint><joint name='l' type='fixed'><parent link='d'/><child "
     "link='c'/></joint></robot>",
     "its joints make a circle", 4},
    {"<robot><link name='a'>\n<inertial>\n<mass value='-1'/></inertial></link></robot>",
     "'value' of <mass> must not be negative", 3},
    {"<robot><link name='a'/>\n<link name='b'/><joint name='j' type='continuous'>" HANG "</joint></robot>",
     "'b' moves, but it has no mass", 2},
    {"<robot><link name='a'>\n<collision><geometry><mesh filename='x.stl'/></geometry></collision></link></robot>",
     "other files are not read from a text", 2},
    {"<robot><link name='a'>\n<collision><geometry>\n<sphere radius='-1'/></geometry></collision></link></robot>",
     "'radius' of <sphere> must be positive", 3},
    {"<!DOCTYPE r [\n<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><robot><link name='&b;'/></robot>",
     "entity declarations are not accepted", 2},
    {"<!DOCTYPE r [\n<!ENTITY a SYSTEM 'file:///etc/passwd'>]><robot><link name='a'/>&a;</robot>",
     "entity declarations are not accepted", 2},
};

static void mistakes_are_located(void **state)
{
    (void)state;
    check_mistakes("f.urdf", MISTAKES, sizeof MISTAKES / sizeof MISTAKES[0]);
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    size_t depth = 100000;
    char *text = malloc(3 * depth + 1);
    for (size_t i = 0; i < depth; ++i)
        memcpy(text + 3 * i, "<a>", 4);
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    assert_int_equal(cairn_import_parse(context, "f", text, 3 * depth, NULL, NULL, &scene), CAIRN_INVALID);
    assert_string_equal(cairn_context_last_message(context), "elements are nested more than 128 deep");
    cairn_context_destroy(context);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_links_become_one_body), cmocka_unit_test(a_pendulum_begins_as_it_should),
        cmocka_unit_test(a_joint_mimics_another),      cmocka_unit_test(a_free_base_falls),
        cmocka_unit_test(mistakes_are_located),        cmocka_unit_test(nesting_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
