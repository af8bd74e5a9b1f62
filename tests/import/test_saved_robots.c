/* A robot, written as a scene and read again, moves to the bit as the robot does: positions, velocities, contacts and coordinates, for
 * robots that have whatever the importers make: links that became one body, chains of joints, loops, couplings, drives, keyframes, meshes,
 * materials, ignored contacts. And run files of robots hold their scene. */
#include "support/check.h"

#include "cairn/cairn.h"

#include <stdio.h>
#include <string.h>

enum
{
    STEPS = 60
};

#define BALL "<geom size='0.1' mass='1'/>"

static const char *const ROBOTS[] = {
    /* Links of one body, out of the order of bodies; a mimic; limits, damping and friction. */
    "<robot name='arm'><link name='base'/>"
    "<link name='upper'><inertial><origin xyz='0.1 0.02 0' rpy='0.3 0 0.1'/><mass value='2'/><inertia ixx='0.02' "
    "iyy='0.03' "
    "izz='0.04' ixy='0.001' ixz='0' iyz='0.002'/></inertial>"
    "<collision><origin xyz='0.2 0 0' rpy='0 1 0'/><geometry><cylinder radius='0.03' "
    "length='0.3'/></geometry></collision></link>"
    "<link name='lower'><inertial><origin xyz='0.1 0 0'/><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' "
    "ixy='0' "
    "ixz='0' iyz='0'/></inertial><collision><geometry><sphere radius='0.05'/></geometry></collision></link>"
    "<link name='badge'><inertial><mass value='0.1'/><inertia ixx='1e-4' iyy='1e-4' izz='1e-4' ixy='0' ixz='0' "
    "iyz='0'/></inertial><collision><geometry><box size='0.1 0.02 0.03'/></geometry></collision></link>"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><origin xyz='0 0 1' rpy='0.1 0.2 "
    "0.3'/>"
    "<axis xyz='0.3 1 0.2'/><limit lower='-1' upper='0.3' effort='1' velocity='1'/><dynamics damping='0.1' "
    "friction='0.2'/></joint>"
    "<joint name='elbow' type='continuous'><parent link='upper'/><child link='lower'/><origin xyz='0.4 0 0'/><axis "
    "xyz='0 1 0'/>"
    "<mimic joint='shoulder' multiplier='-0.7'/></joint>"
    "<joint name='glue' type='fixed'><parent link='upper'/><child link='badge'/><origin xyz='0.1 0.1 "
    "0'/></joint></robot>",
    /* A loop, a coupling, drives, a fixed tendon, a keyframe in a turned frame. */
    "<mujoco model='loop'><default><joint damping='0.05'/></default><worldbody><geom type='plane' size='1 1 1' pos='0 "
    "0 -1'/>"
    "<body name='a' pos='0.1 0 0' euler='10 20 30'><joint name='ja' axis='0 1 0'/><geom type='capsule' size='0.02' "
    "fromto='0 0 0 0.3 0 0'/>"
    "<body name='b' pos='0.3 0 0'><joint name='jb' axis='0 1 0'/><geom type='capsule' size='0.02' fromto='0 0 0 0.2 0 "
    "0.2'/></body>"
    "</body><body name='c' pos='0 1 0'><joint name='jc' axis='1 1 0' range='-30 40' ref='5'/><joint name='jd' axis='1 "
    "0 0'/>"
    "<geom type='box' size='0.1 0.2 0.05' friction='0.3' priority='1'/></body>"
    "<body name='d' pos='0 2 0'><joint type='slide' name='je' axis='0 0 1' stiffness='50' springref='0.1'/>" BALL
    "</body>"
    "</worldbody><equality><connect body1='b' anchor='0.1 0 0.1'/><joint joint1='jc' joint2='jd' polycoef='0.1 0.5 0 0 "
    "0'/></equality>"
    "<tendon><fixed name='t'><joint joint='je' coef='2'/><joint joint='jc' coef='-0.5'/></fixed></tendon>"
    "<actuator><position joint='ja' kp='20' kv='1' ctrlrange='0.1 1'/><motor tendon='t' gear='3'/></actuator></mujoco>",
    /* Bodies that fall on each other and on the ground: hulls, frictions, spins, the ones that overlap. */
    "<mujoco><asset><mesh name='m' vertex='0 0 0 0.2 0 0 0 0.2 0 0 0 0.2 0.15 0.15 0.15'/></asset><worldbody>"
    "<geom type='plane' size='1 1 1' friction='0.4' zaxis='0.1 0 1'/>"
    "<body name='h' pos='0 0 0.3' axisangle='1 2 3 40'><freejoint/><geom type='mesh' mesh='m'/></body>"
    "<body name='s' pos='0.05 0.02 0.7'><freejoint/><geom type='ellipsoid' size='0.1 0.12 0.14'/>"
    "<body name='x'><joint type='ball'/>" BALL "<body name='y'><joint axis='1 0 0'/><joint axis='1 1 0'/>" BALL
    "</body></body></body></worldbody></mujoco>",
};

static cairn_simulation *begin(cairn_context *context, const cairn_scene *scene)
{
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_simulation *made;
    settings.step = 0.01;
    if (cairn_simulation_create(context, cairn_scene_model(scene), &settings, &made))
        fail_msg("%s", cairn_context_last_message(context));
    return made;
}

static void same_states(const cairn_scene *scenes[2], cairn_simulation *const simulations[2])
{
    const cairn_model *model = cairn_scene_model(scenes[0]), *again = cairn_scene_model(scenes[1]);
    assert_int_equal(cairn_model_body_count(model), cairn_model_body_count(again));
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body_state a = cairn_simulation_body(simulations[0], cairn_model_body(model, i));
        cairn_body_state b = cairn_simulation_body(simulations[1], cairn_model_body(again, i));
        assert_memory_equal(a.position, b.position, sizeof a.position);
        assert_memory_equal(a.orientation, b.orientation, sizeof a.orientation);
        assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
        assert_memory_equal(a.angular_velocity, b.angular_velocity, sizeof a.angular_velocity);
    }
}

static void a_saved_robot_moves_to_the_bit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ROBOTS / sizeof ROBOTS[0]; ++i)
    {
        cairn_context *context = cairn_context_create();
        cairn_scene *robot, *again;
        assert_int_equal(cairn_import_parse(context, "robot", ROBOTS[i], strlen(ROBOTS[i]), NULL, NULL, &robot),
                         CAIRN_OK);
        const char *text = cairn_scene_text(robot);
        assert_int_equal(cairn_scene_parse(context, "saved", text, strlen(text), NULL, 0, &again), CAIRN_OK);
        assert_string_equal(cairn_scene_title(robot), cairn_scene_title(again));
        const cairn_scene *scenes[2] = {robot, again};
        cairn_simulation *simulations[2] = {begin(context, robot), begin(context, again)};
        for (int k = 0; k < STEPS; ++k)
        {
            same_states(scenes, simulations);
            for (int j = 0; j < 2; ++j)
                if (cairn_simulation_step(simulations[j]))
                    fail_msg("%s", cairn_context_last_message(context));
        }
        same_states(scenes, simulations);
        for (int j = 0; j < 2; ++j)
            cairn_simulation_destroy(simulations[j]);
        cairn_scene_destroy(robot);
        cairn_scene_destroy(again);
        cairn_context_destroy(context);
    }
}

/* A run that is recorded holds the scene, and its states belong to the scene's bodies. */
static void a_run_file_holds_the_robot(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *robot, *held;
    assert_int_equal(cairn_import_parse(context, "robot", ROBOTS[1], strlen(ROBOTS[1]), NULL, NULL, &robot), CAIRN_OK);
    cairn_simulation *simulation = begin(context, robot);
    cairn_recorder_options options = cairn_recorder_default();
    options.scene_name = cairn_scene_title(robot);
    options.scene_text = cairn_scene_text(robot);
    cairn_recorder *recorder;
    assert_int_equal(cairn_recorder_create(context, "robot.h5", simulation, &options, &recorder), CAIRN_OK);
    for (int i = 0; i < STEPS; ++i)
    {
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        assert_int_equal(cairn_recorder_write(recorder), CAIRN_OK);
    }
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    cairn_run *run;
    assert_int_equal(cairn_run_open(context, "robot.h5", &run), CAIRN_OK);
    assert_int_equal(cairn_run_scene(run, &held), CAIRN_OK);
    const cairn_model *model = cairn_scene_model(robot), *again = cairn_scene_model(held);
    assert_int_equal(cairn_model_body_count(model), cairn_model_body_count(again));
    for (int i = 0; i < cairn_model_body_count(model); ++i)
        assert_string_equal(cairn_model_body_name(model, cairn_model_body(model, i)),
                            cairn_model_body_name(again, cairn_model_body(again, i)));
    cairn_run_close(run);
    cairn_scene_destroy(held);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(robot);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_robot_moves_to_the_bit),
        cmocka_unit_test(a_run_file_holds_the_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
