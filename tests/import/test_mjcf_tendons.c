/* MJCF's tendons, sites and sensors: pulls against equations of motion worked out by hand, and sensors against the states of bodies. */
#include "import/robot_bench.h"

#include <stdio.h>

static const double G = 9.81;

#define WEIGHT(name, x, z)                                                                                             \
    "<body name='" name "' pos='" x " 0 " z "'><joint type='slide' name='slide " name "' axis='0 0 1'/>"               \
    "<geom size='0.05' mass='%g'/><site name='at " name "'/></body>"

/* L = L_1 + L_2/2 is bounded: the tension T pulls the first weight up by T and the second by T/2, and a_1 + a_2/2 = 0 gives
 * T = 3/2 g/(1/m_1 + 1/(4 m_2)). Motion of constant acceleration, exact at any step. */
static void a_pulley_divides_its_branch(void **state)
{
    (void)state;
    static const double MASSES[][2] = {{1, 1}, {0.5, 3}, {4, 1.5}}, STEPS[] = {0.002, 0.01, 0.025};
    for (int k = 0; k < 3; ++k)
    {
        char text[2048];
        double m1 = MASSES[k][0], m2 = MASSES[k][1], h = STEPS[k];
        snprintf(text, sizeof text,
                 "<mujoco><default><tendon limited='true'/></default><worldbody><site name='w1'/><site name='w2' "
                 "pos='1 0 0'/>" WEIGHT("b1", "0", "-1") WEIGHT(
                     "b2", "1",
                     "-1") "</worldbody><tendon><spatial name='t' range='0 1.5'><site site='w1'/><site site='at b1'/>"
                           "<pulley divisor='2'/><site site='w2'/><site site='at b2'/></spatial></tendon></mujoco>",
                 m1, m2);
        bench b = bench_open(text, NULL, h);
        bench_run(&b, 8);
        double T = 1.5 * G / (1 / m1 + 1 / (4 * m2)), t = 8 * h;
        assert_near(bench_body(&b, "b1").velocity[2], (T / m1 - G) * t, 1e-9);
        assert_near(bench_body(&b, "b2").velocity[2], (0.5 * T / m2 - G) * t, 1e-9);
        bench_close(&b);
    }
}

/* A rope from the world through a point of the weight and back pulls twice: m g = 2 k (L - L_0). At rest where it was written, or at a length
 * that is given. */
static void a_spring_pulls_along_all_strands(void **state)
{
    (void)state;
    static const struct
    {
        const char *length;
        double rest;
    } CASES[] = {{"", 2}, {"springlength='1.7'", 1.7}, {"springlength='2.2 2.2'", 2.2}};
    for (int k = 0; k < 3; ++k)
    {
        char text[2048];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><site name='w'/><site name='v' pos='0 0 0'/>" WEIGHT(
                     "b", "0", "-1") "</worldbody><tendon><spatial name='t' stiffness='100' damping='20' %s><site "
                                     "site='w'/><site site='at b'/>"
                                     "<site site='v'/></spatial></tendon></mujoco>",
                 2.0, CASES[k].length);
        bench b = bench_open(text, NULL, 0.01);
        bench_run(&b, 1000);
        assert_near(bench_body(&b, "b").position[2], -0.5 * (CASES[k].rest + 2 * G / (2 * 100)), 1e-8);
        bench_close(&b);
    }
}

/* A tendon that nothing acts on, and one around geometry, are left out and noted; so is a sensor of it. */
static void tendons_without_counterpart_are_noted(void **state)
{
    (void)state;
    bench b = bench_open(
        "<mujoco><worldbody><geom name='g' type='sphere' size='0.1' pos='0 0 -0.5'/><site name='w'/>"
        "<body name='b' pos='0 0 -1'><joint type='slide'/><geom size='0.05'/><site name='s'/></body></worldbody>"
        "<tendon><spatial name='idle'><site site='w'/><site site='s'/></spatial>"
        "<spatial name='wrapped' range='0 1'><site site='w'/><geom geom='g'/><site site='s'/></spatial></tendon>"
        "<sensor><tendonpos tendon='idle'/><tendonvel tendon='wrapped'/><magnetometer site='s'/></sensor></mujoco>",
        NULL, 0);
    assert_int_equal(cairn_model_joint_count(b.model), 1);
    assert_int_equal(cairn_scene_sensor_count(b.scene), 0);
    assert_int_equal(bench_notes(&b, "nothing acts along 'idle'"), 1);
    assert_int_equal(bench_notes(&b, "wraps around geometry"), 1);
    assert_int_equal(bench_notes(&b, "what it measures was left out"), 1);
    assert_int_equal(bench_notes(&b, "its tendon was left out"), 1);
    assert_int_equal(bench_notes(&b, "<magnetometer> has no counterpart"), 1);
    bench_close(&b);
}

/* A ball joint begins where the keyframe turns it, about its own point; what is connected in the pose as written is put together there. */
static void a_ball_begins_in_its_keyframe(void **state)
{
    (void)state;
    bench b =
        bench_open("<mujoco><option gravity='0 0 0'/><worldbody><body name='a' pos='1 0 0' euler='0 0 90'><joint "
                   "type='ball' pos='0.1 0 0'/>"
                   "<inertial pos='0.6 0 0' mass='1' diaginertia='1 1 1'/></body>"
                   "<body name='c' pos='5 0 0'><freejoint/><geom size='0.1' mass='1'/></body></worldbody>"
                   "<equality><connect body1='c' body2='world' anchor='0 0.2 0'/></equality><keyframe><key name='k' "
                   "qpos='0 0 1 0 4 0 0 1 0 0 0'/></keyframe></mujoco>",
                   "k", 0.01);
    cairn_body_state s = bench_body(&b, "a");
    /* The joint is at (1, 0.1, 0); the centre, 0.5 m along the link's x, which was the world's y, is turned by half a turn about its y. */
    assert_near(s.position[0], 1, 1e-9);
    assert_near(s.position[1], 0.1 - 0.5, 1e-9);
    assert_near(s.position[2], 0, 1e-9);
    /* (0, 0.2, 0) of c is held at (5, 0.2, 0), though c begins at 4. */
    cairn_quantity point;
    double x[3];
    assert_int_equal(cairn_quantity_find(b.context, b.model, "point(c,0,0.2,0)", &point), CAIRN_OK);
    assert_int_equal(cairn_quantity_value(b.simulation, &point, x), CAIRN_OK);
    assert_near(x[0], 5, 1e-8);
    assert_near(x[1], 0.2, 1e-8);
    bench_close(&b);
}

/* Sites that are to meet, and do not in the pose as written, are put together; the arm swings about them. */
static void sites_that_connect_meet(void **state)
{
    (void)state;
    bench b = bench_open(
        "<mujoco><worldbody><site name='w' pos='0.7 0.1 0.2'/><body name='a'><freejoint/><geom size='0.1' mass='1'/>"
        "<frame pos='0.1 0 0'><site name='s' pos='0.2 0.3 0'/></frame></body></worldbody>"
        "<equality><connect site1='s' site2='w'/></equality></mujoco>",
        NULL, 0.01);
    assert_int_equal(bench_notes(&b, "the two points are"), 1);
    for (int k = 0; k < 2; ++k)
    {
        cairn_quantity point;
        double x[3];
        assert_int_equal(cairn_quantity_find(b.context, b.model, "point(a,0.3,0.3,0)", &point), CAIRN_OK);
        assert_int_equal(cairn_quantity_value(b.simulation, &point, x), CAIRN_OK);
        /* Exactly at the start, then within what a step of the first-order scheme leaves. */
        double close = k == 0 ? 1e-8 : 1e-3;
        assert_near(x[0], 0.7, close);
        assert_near(x[1], 0.1, close);
        assert_near(x[2], 0.2, close);
        bench_run(&b, 20);
    }
    bench_close(&b);
}

static void read_sensor(const bench *b, const char *name, int count, double *out)
{
    for (int i = 0; i < cairn_scene_sensor_count(b->scene); ++i)
    {
        cairn_sensor sensor = cairn_scene_sensor(b->scene, i);
        cairn_quantity found;
        if (strcmp(sensor.name, name) != 0)
            continue;
        assert_int_equal(cairn_quantity_find(b->context, b->model, sensor.quantity, &found), CAIRN_OK);
        assert_int_equal(found.count, count);
        assert_int_equal(cairn_quantity_value(b->simulation, &found, out), CAIRN_OK);
        return;
    }
    fail_msg("there is no sensor '%s'", name);
}

/* On an arm that turns without gravity at a constant rate w: angle and rate, places on the circle, w^2 r towards the axis, and the reaction
 * m w^2 r that holds it. */
static void sensors_measure_a_turning_arm(void **state)
{
    (void)state;
    const double w = 3, h = 0.001, r = 0.5;
    bench b = bench_open(
        "<mujoco><option gravity='0 0 0'/><worldbody><body name='arm'><joint name='j' axis='0 0 1' ref='90'/>"
        "<inertial pos='0.5 0 0' mass='2' diaginertia='0.1 0.1 0.1'/><site name='tip' pos='1 0 0' euler='0 0 "
        "30'/><site name='mid' "
        "pos='0.5 0 0'/>"
        "<body name='cap' pos='1 0 0.2'><inertial pos='0 0 0.1' mass='1e-9' diaginertia='1e-9 1e-9 "
        "1e-9'/></body></body></worldbody>"
        "<tendon><fixed name='t' damping='1e-12'><joint joint='j' coef='2'/></fixed></tendon>"
        "<sensor><jointpos name='q' joint='j'/><jointvel name='w' joint='j'/><framepos name='tip' objtype='site' "
        "objname='tip'/>"
        "<framepos name='cap' objtype='xbody' objname='cap'/><framepos name='com' objtype='body' objname='arm'/>"
        "<framelinvel name='v' objtype='body' objname='arm'/><framelinvel name='no' objtype='xbody' objname='arm'/>"
        "<gyro name='gyro' site='mid'/><accelerometer name='acc' site='mid'/><accelerometer name='turned' site='tip'/>"
        "<force name='f' site='mid'/><tendonpos name='l' tendon='t'/><clock name='c'/><e_kinetic name='e'/></sensor>"
        "<keyframe><key name='k' qpos='1.5707963267948966' qvel='3'/></keyframe></mujoco>",
        "k", h);
    double x[3];
    bench_run(&b, 400);
    double a = w * 0.4, back = w * (0.4 - 0.5 * h);
    read_sensor(&b, "q", 1, x);
    assert_near(x[0], a, 1e-4);
    read_sensor(&b, "w", 1, x);
    assert_near(x[0], w, 1e-4);
    read_sensor(&b, "l", 1, x);
    assert_near(x[0], 2 * a, 1e-4);
    read_sensor(&b, "c", 1, x);
    assert_near(x[0], 0.4, 1e-12);
    read_sensor(&b, "e", 1, x);
    assert_near(x[0], 0.5 * (0.1 + 2 * r * r) * w * w, 1e-3);
    static const struct
    {
        const char *name;
        double radius, height;
    } PLACES[] = {{"tip", 1, 0}, {"cap", 1, 0.2}, {"com", 0.5, 0}};
    for (int i = 0; i < 3; ++i)
    {
        read_sensor(&b, PLACES[i].name, 3, x);
        assert_near(x[0], PLACES[i].radius * cos(a), 1e-4);
        assert_near(x[1], PLACES[i].radius * sin(a), 1e-4);
        assert_near(x[2], PLACES[i].height, 1e-9);
    }
    read_sensor(&b, "v", 3, x);
    assert_near(x[0], -w * r * sin(a), 3e-3); /* of order h */
    assert_near(x[1], w * r * cos(a), 3e-3);
    read_sensor(&b, "gyro", 3, x);
    assert_near(x[2], w, 1e-4);
    read_sensor(&b, "acc", 3, x);
    assert_near(x[0], -w * w * r, 1e-3);
    assert_near(x[1], 0, 1e-2);
    read_sensor(&b, "f", 3, x);
    assert_near(x[0], -2 * w * w * r * cos(back), 2e-2);
    assert_near(x[1], -2 * w * w * r * sin(back), 2e-2);
    assert_int_equal(bench_notes(&b, "velocities are those of centres of mass"), 1);
    assert_int_equal(bench_notes(&b, "along the axes of the body, not of the site"), 1);
    assert_int_equal(bench_notes(&b, "counts from the pose as written"), 1);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulley_divides_its_branch),
        cmocka_unit_test(a_spring_pulls_along_all_strands),
        cmocka_unit_test(tendons_without_counterpart_are_noted),
        cmocka_unit_test(a_ball_begins_in_its_keyframe),
        cmocka_unit_test(sites_that_connect_meet),
        cmocka_unit_test(sensors_measure_a_turning_arm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
