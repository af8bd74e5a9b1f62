/* MJCF's actuators, gravity compensation and the compiler's options for masses, against the definitions of the format worked out by hand. */
#include "import/robot_bench.h"

#include "model/model.h"

#include <stdio.h>

static const double G = 9.81;

#define TWO                                                                                                            \
    "<body name='a'><joint name='j' axis='0 1 0'/><inertial pos='0.5 0 0' mass='2' diaginertia='0.1 0.2 0.3'/>"        \
    "<body name='b' pos='1 0 0'><joint name='k' type='slide' axis='1 0 0'/><inertial pos='0 0 0.5' mass='3' "          \
    "diaginertia='0.4 0.5 0.6'/><site name='p'/></body></body><site name='o'/>"

/* About the hinge M = 0.2 + 2 (1/2)^2 + 0.5 + 3 (1 + 1/4) = 4.95 kg m^2, along the slide 3 kg, and between them 3 z = 1.5 kg m, by which
 * a turn about y moves the second body along x. D = 2 r sqrt(K m), K = gear^2 kp, 1/m = J M^-1 J'. MuJoCo computes the same
 * (tests/import/compare_mujoco.py). */
static void damping_ratios_see_the_mass(void **state)
{
    (void)state;
    static const struct
    {
        const char *actuator, *on;
        double gear, kp, ratio, J[2];
    } CASES[] = {
        {"<position joint='j' kp='50' dampratio='0.7' gear='3'/>", "j", 3, 50, 0.7, {1, 0}},
        {"<position joint='k' kp='20' dampratio='1' gear='-2'/>", "k", 2, 20, 1, {0, 1}},
        {"<general joint='k' gainprm='30' biastype='affine' biasprm='0 -30 0.4'/>", "k", 1, 30, 0.4, {0, 1}},
        {"<position tendon='t' kp='20' dampratio='1.2' gear='2'/>", "t", 2, 20, 1.2, {2, -0.5}},
        /* From the origin to b: a turn does not change the length, the slide does. */
        {"<position tendon='s' kp='20' dampratio='1.2' gear='2'/>", "s", 2, 20, 1.2, {0, 1}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        char text[1024];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody>" TWO "</worldbody><tendon><fixed name='t'><joint joint='j' coef='2'/>"
                 "<joint joint='k' coef='-0.5'/></fixed><spatial name='s'><site site='o'/><site "
                 "site='p'/></spatial></tendon><actuator>%s</actuator></mujoco>",
                 CASES[i].actuator);
        bench b = bench_open(text, NULL, 0);
        cairn_coordinate_info c = bench_coordinate(&b, CASES[i].on);
        double K = CASES[i].gear * CASES[i].gear * CASES[i].kp, p = CASES[i].J[0], q = CASES[i].J[1];
        double mobility = (3 * p * p - 2 * 1.5 * p * q + 4.95 * q * q) / (4.95 * 3 - 1.5 * 1.5);
        assert_near(c.drive_stiffness, K, 1e-12);
        assert_near(c.drive_damping, 2 * CASES[i].ratio * sqrt(K / mobility), 1e-12 * K);
        bench_close(&b);
    }
}

/* The usual pair of a position and a velocity actuator is one servo: kp (u - q) - kv q' + the motor's force, which settles where it adds up
 * to the weight, with the controls of the keyframe. */
static void actuators_on_one_joint_add_up(void **state)
{
    (void)state;
    const char *text =
        "<mujoco><worldbody><body name='a'><joint name='j' type='slide' axis='0 0 1'/><geom size='0.1' "
        "mass='2'/></body>"
        "</worldbody><actuator><position joint='j' kp='300' gear='2'/><velocity joint='j' kv='40'/><motor joint='j'/>"
        "</actuator><keyframe><key name='k' ctrl='0.4 0 5'/></keyframe></mujoco>";
    for (int k = 0; k < 2; ++k)
    {
        bench b = bench_open(text, k == 0 ? NULL : "k", 0.01);
        cairn_coordinate_info c = bench_coordinate(&b, "j");
        assert_near(c.drive_stiffness, 1200, 1e-12);
        assert_near(c.drive_damping, 40, 1e-12);
        assert_int_equal(bench_notes(&b, "became one drive"), 2);
        bench_run(&b, 1000);
        double force = k == 0 ? 0 : 2 * 300 * 0.4 + 5;
        assert_near(bench_body(&b, "a").position[2], (force - 2 * G) / 1200, 1e-8);
        bench_close(&b);
    }
}

static void limits_bound_the_drive(void **state)
{
    (void)state;
    static const struct
    {
        const char *joint, *actuator;
        double limit;
    } CASES[] = {{"", "", INFINITY},
                 {"actuatorfrcrange='-7 7'", "", 7},
                 {"actuatorfrcrange='-7 7'", "forcerange='-2 2' gear='3'", 6},
                 {"actuatorfrcrange='-7 7' actuatorfrclimited='false'", "forcerange='-4 4'", 4}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        char text[1024];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><body name='a'><joint name='j' %s/><geom size='0.1'/></body></worldbody>"
                 "<actuator><position joint='j' kp='3' %s/><motor joint='j'/></actuator></mujoco>",
                 CASES[i].joint, CASES[i].actuator);
        bench b = bench_open(text, NULL, 0);
        assert_true(bench_coordinate(&b, "j").drive_limit == CASES[i].limit);
        assert_int_equal(bench_notes(&b, "with limited forces, is left out"), isfinite(CASES[i].limit) ? 1 : 0);
        bench_close(&b);
    }
}

/* A range that is inherited from the joint excludes 0: the servo begins at its nearer end, here 0.3 + 0.1 (1 - 1/2). */
static void a_range_is_inherited(void **state)
{
    (void)state;
    bench b = bench_open(
        "<mujoco><option gravity='0 0 0'/><worldbody><body name='a'><joint name='j' type='slide' range='0.3 0.5'/>"
        "<geom size='0.1'/></body></worldbody><actuator><position joint='j' kp='500' kv='50' inheritrange='0.5'/>"
        "</actuator></mujoco>",
        NULL, 0.01);
    bench_run(&b, 500);
    assert_near(bench_body(&b, "a").position[2], 0.35, 1e-7);
    bench_close(&b);
}

/* Without weight nothing moves, with half of it a body falls at g/2; that of a part of a body acts at the part's own centre, and turns it. */
static void gravity_is_compensated(void **state)
{
    (void)state;
    bench b = bench_open(
        "<mujoco><worldbody><body name='a' gravcomp='1'><joint name='j' axis='0 1 0'/><geom size='0.1' pos='1 0 "
        "0'/></body>"
        "<body name='b' pos='0 3 0' gravcomp='0.5'><freejoint/><geom size='0.1'/></body>"
        "<body name='c' pos='0 6 0'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><body name='part' "
        "pos='2 0 0' gravcomp='1'><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
        "1'/></body></body></worldbody></mujoco>",
        NULL, 0.01);
    bench_run(&b, 50);
    assert_near(bench_body(&b, "a").position[2], 0, 1e-12);
    assert_near(bench_body(&b, "b").velocity[2], -0.5 * G * 0.5, 1e-9);
    /* Centre at x = 1; the weight of the first part alone acts, 1 m to the left: I = 2 + 1 + 1 kg m^2 about y, and the moment is
     * r x F = (-1, 0, 0) x (0, 0, -g) = (0, -g, 0). After the first steps the arm has not yet changed much. */
    bench_close(&b);
    b = bench_open("<mujoco><worldbody><body name='c'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
                   "1'/><body name='part' "
                   "pos='2 0 0' gravcomp='1'><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
                   "1'/></body></body></worldbody></mujoco>",
                   NULL, 1e-4);
    bench_run(&b, 1);
    assert_near(bench_body(&b, "c").angular_velocity[1], -G / 4 * 1e-4, 1e-10);
    assert_near(bench_body(&b, "c").velocity[2], -G / 2 * 1e-4, 1e-10);
    bench_close(&b);
}

/* ----------------------------------------------------------------------------------------------------------- masses */

static const crn_body *body_of(const bench *b, const char *name)
{
    return &b->model->bodies[cairn_model_body_index(b->model, cairn_model_find_body(b->model, name))];
}

static void check_masses(const char *compiler, double mass_a, double mass_b, const double inertia_a[3])
{
    char text[1024];
    snprintf(text, sizeof text,
             "<mujoco><compiler %s/><worldbody><body name='a'><freejoint/><inertial pos='0 0 0' mass='2' "
             "diaginertia='0.1 0.2 0.9' "
             "euler='0 0 90'/></body><body name='b' pos='9 0 0'><freejoint/><geom type='box' size='0.1 0.1 0.1' "
             "mass='6' group='2'/><geom "
             "size='0.1' mass='1'/></body></worldbody></mujoco>",
             compiler);
    bench b = bench_open(text, NULL, 0);
    assert_near(body_of(&b, "a")->traits->mass, mass_a, 1e-12);
    assert_near(body_of(&b, "b")->traits->mass, mass_b, 1e-12);
    double inertia[9];
    assert_true(crn_given_inertia(body_of(&b, "a"), inertia));
    for (int i = 0; i < 3; ++i)
        assert_near(inertia[4 * i], inertia_a[i], 1e-12);
    bench_close(&b);
}

/* The inertia of a is written along axes that are turned by 90 degrees about z: 0.2 along x, 0.1 along y, and 0.9, which is more than both. */
static void the_compiler_changes_masses(void **state)
{
    (void)state;
    check_masses("balanceinertia='true'", 2, 7, (double[3]){0.4, 0.4, 0.4});
    check_masses("balanceinertia='true' boundmass='3' boundinertia='0.5'", 3, 7, (double[3]){0.5, 0.5, 0.9});
    check_masses("balanceinertia='true' boundinertia='0.3'", 2, 7, (double[3]){0.5, 0.5, 0.5});
    check_masses("balanceinertia='true' settotalmass='18'", 4, 14, (double[3]){0.8, 0.8, 0.8});
    check_masses("balanceinertia='true' inertiagrouprange='0 1'", 2, 1, (double[3]){0.4, 0.4, 0.4});
    check_masses("balanceinertia='true' inertiagrouprange='2 2' fusestatic='true' discardvisual='true'", 2, 6,
                 (double[3]){0.4, 0.4, 0.4});
}

/* What is switched off: a ball falls through the floor, or does not fall. */
static void flags_switch_off(void **state)
{
    (void)state;
    static const char *const FLAGS[] = {"contact='disable'", "gravity='disable'", "contact='enable'"};
    static const double SPEED[] = {-0.981, 0, 0};
    for (int i = 0; i < 3; ++i)
    {
        char text[512];
        snprintf(text, sizeof text,
                 "<mujoco><option><flag %s/></option><worldbody><geom type='plane' size='1 1 1'/><body name='b' pos='0 "
                 "0 0.1'><freejoint/>"
                 "<geom size='0.1'/></body></worldbody></mujoco>",
                 FLAGS[i]);
        bench b = bench_open(text, NULL, 0.01);
        bench_run(&b, 10);
        assert_near(bench_body(&b, "b").velocity[2], SPEED[i], 1e-9);
        bench_close(&b);
    }
}

/* What an actuator says itself counts more than what its class says. */
static void own_damping_counts_more_than_a_ratio_of_the_class(void **state)
{
    (void)state;
    bench b =
        bench_open("<mujoco><default><position dampratio='1'/></default><worldbody><body name='b'><joint name='j'/>"
                   "<geom size='0.1'/></body></worldbody>"
                   "<actuator><position joint='j' kp='50' kv='3'/></actuator></mujoco>",
                   NULL, 0);
    assert_near(bench_coordinate(&b, "j").drive_stiffness, 50, 0);
    assert_near(bench_coordinate(&b, "j").drive_damping, 3, 0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damping_ratios_see_the_mass),
        cmocka_unit_test(own_damping_counts_more_than_a_ratio_of_the_class),
        cmocka_unit_test(actuators_on_one_joint_add_up),
        cmocka_unit_test(limits_bound_the_drive),
        cmocka_unit_test(a_range_is_inherited),
        cmocka_unit_test(gravity_is_compensated),
        cmocka_unit_test(the_compiler_changes_masses),
        cmocka_unit_test(flags_switch_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
