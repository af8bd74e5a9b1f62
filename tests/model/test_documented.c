/* What the documents say about numbers in run files and in the C interface, against closed forms: signs and frames of joint
 * impulses, the point of a contact, the velocity of driven bodies, how weights combine. */
#include "cairn/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double G = 9.81, H = 0.1;

typedef struct world
{
    cairn_scene *scene;
    cairn_simulation *simulation;
} world;

static world make(const char *text, cairn_integrator integrator)
{
    world w;
    cairn_context *context = cairn_context_create();
    if (cairn_scene_parse(context, "s", text, strlen(text), NULL, 0, &w.scene))
        fail_msg("%s", cairn_context_last_message(context));
    cairn_context_destroy(context);
    cairn_settings settings = cairn_scene_settings(w.scene);
    settings.step = H;
    settings.integrator = integrator;
    assert_int_equal(cairn_simulation_create(NULL, cairn_scene_model(w.scene), &settings, &w.simulation), CAIRN_OK);
    return w;
}

static void unmake(world *w)
{
    cairn_simulation_destroy(w->simulation);
    cairn_scene_destroy(w->scene);
}

static void near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%.17g instead of %.17g", found, wanted);
}

/* 2 kg on a rope and on a strut; 3 kg on a pin. */
static void impulses_of_planar_joints(void **state)
{
    (void)state;
    static const char TEXT[] = "dimension: 2\n"
                               "bodies:\n"
                               "  - {name: low, point: true, mass: 2, position: [0, -1]}\n"
                               "  - {name: high, point: true, mass: 2, position: [3, 1]}\n"
                               "  - {name: arm, mass: 3, inertia: 1, position: [5, 0]}\n"
                               "joints:\n"
                               "  - {name: rope, type: distance, bodies: [low, world], points: [[0, 0], [0, 0]]}\n"
                               "  - {name: strut, type: distance, bodies: [world, high], points: [[3, 0], [0, 0]]}\n"
                               "  - {name: pin, type: revolute, bodies: [arm, world], at: [5, 0]}\n"
                               "  - {name: turned, type: revolute, bodies: [world, other], at: [8, 0]}\n";
    char text[sizeof TEXT + 100];
    snprintf(text, sizeof text, "%s", TEXT);
    const char *place = strstr(TEXT, "joints:");
    snprintf(text + (place - TEXT), sizeof text - (size_t)(place - TEXT),
             "  - {name: other, mass: 3, inertia: 1, position: [8, 0]}\n%s", place);
    for (int i = 0; i < 2; ++i)
    {
        world w = make(text, i ? CAIRN_INTEGRATOR_STIFF2 : CAIRN_INTEGRATOR_STIFF);
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        double c[6];
        assert_int_equal(
            cairn_simulation_joint_impulse(w.simulation, cairn_model_joint(cairn_simulation_model(w.simulation), 0), c),
            1);
        near(c[0], -2 * G * H, 1e-9); /* pulls */
        assert_int_equal(
            cairn_simulation_joint_impulse(w.simulation, cairn_model_joint(cairn_simulation_model(w.simulation), 1), c),
            1);
        near(c[0], 2 * G * H, 1e-9); /* pushes */
        assert_int_equal(
            cairn_simulation_joint_impulse(w.simulation, cairn_model_joint(cairn_simulation_model(w.simulation), 2), c),
            2);
        near(c[0], 0, 1e-9);
        near(c[1], 3 * G * H, 1e-9); /* on a, upwards */
        assert_int_equal(
            cairn_simulation_joint_impulse(w.simulation, cairn_model_joint(cairn_simulation_model(w.simulation), 3), c),
            2);
        near(c[1], -3 * G * H, 1e-9); /* on a, here the world, downwards */
        unmake(&w);
    }
}

/* A body 1 m along the axis of its hinge, a door lying down: the hinge carries m g upwards and the moment m g 1 m. */
static void impulses_of_a_hinge_in_space(void **state)
{
    (void)state;
    world w = make("dimension: 3\nbodies: [{name: door, mass: 2, inertia: [1, 1, 1], position: [0, 1, 0]}]\n"
                   "joints: [{name: hinge, type: revolute, bodies: [door, world], at: [0, 0, 0], axis: [0, 1, 0]}]\n",
                   CAIRN_INTEGRATOR_STIFF);
    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
    double c[6];
    assert_int_equal(
        cairn_simulation_joint_impulse(w.simulation, cairn_model_joint(cairn_simulation_model(w.simulation), 0), c), 5);
    near(c[0], 0, 1e-9);
    near(c[1], 0, 1e-9);
    near(c[2], 2 * G * H, 1e-9);
    near(hypot(c[3], c[4]), 2 * G * H, 1e-9);
    assert_true(c[5] == 0);
    unmake(&w);
}

/* A ball 0.02 m above a table at height 3, one step before it lands. */
static void a_contact_lies_midway(void **state)
{
    (void)state;
    world w = make("dimension: 3\nbodies:\n"
                   "  - {name: table, kind: fixed, position: [0, 0, 2.5], shapes: [{type: box, size: [9, 9, 1]}]}\n"
                   "  - {name: ball, mass: 1, position: [1, 2, 3.52], velocity: [0, 0, -1],\n"
                   "     shapes: [{type: sphere, radius: 0.5}]}\n",
                   CAIRN_INTEGRATOR_STIFF);
    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
    assert_int_equal(cairn_simulation_contact_count(w.simulation), 1);
    cairn_contact contact = cairn_simulation_contact(w.simulation, 0);
    near(contact.gap, 0.02, 1e-12);
    near(contact.point[0], 1, 1e-12);
    near(contact.point[1], 2, 1e-12);
    near(contact.point[2], 3.01, 1e-12);
    unmake(&w);
}

static void a_driven_body_tells_its_mean_velocity_over_the_coming_step(void **state)
{
    (void)state;
    for (int i = 0; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        world w = make("dimension: 2\nbodies: [{name: hand, kind: driven, motion: {position: [\"sin(t)\", 3]}}]\n",
                       (cairn_integrator)i);
        for (int k = 0; k < 4; ++k)
        {
            double t = cairn_simulation_time(w.simulation);
            cairn_body_state hand =
                cairn_simulation_body(w.simulation, cairn_model_body(cairn_scene_model(w.scene), 0));
            near(hand.position[0], sin(t), 1e-15);
            near(hand.velocity[0], (sin(t + H) - sin(t)) / H, 1e-13);
            near(hand.velocity[1], 0, 1e-13);
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        }
        unmake(&w);
    }
}

/* A beam on three legs in a row, frictionless: with springs k_i the outer legs share what symmetry leaves them, the middle one
 * takes k_2/(k_1 + k_2 + k_3) of the load. Weights say k: a leg of weight a on a floor of weight b has a b/(a + b). */
static void weights_combine_as_springs_in_a_row(void **state)
{
    (void)state;
    static const double WEIGHT[][2] = {
        {1, 1}, {4, 1}, {0.25, 1}, {4, 3}, {1, 10}}; /* of the middle leg, of the floor */
    for (size_t i = 0; i < sizeof WEIGHT / sizeof WEIGHT[0]; ++i)
    {
        char text[1024];
        double a = WEIGHT[i][0], b = WEIGHT[i][1], outer = b / (1 + b), middle = a * b / (a + b);
        snprintf(text, sizeof text,
                 "dimension: 2\nmaterials: [{name: plain, friction: 0}, {name: odd, friction: 0, weight: %g},\n"
                 "            {name: floor, friction: 0, weight: %g}]\nbodies:\n"
                 "  - {name: ground, kind: fixed, material: floor, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
                 "  - {name: beam, mass: 6, inertia: 1, position: [0, 1], material: plain, shapes: [\n"
                 "      {type: point, position: [-2, -1]}, {type: point, position: [0, -1], material: odd},\n"
                 "      {type: point, position: [2, -1]}]}\n"
                 "simulation: {law: frictionless}\n",
                 a, b);
        world w = make(text, CAIRN_INTEGRATOR_STIFF);
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        assert_int_equal(cairn_simulation_contact_count(w.simulation), 3);
        for (int j = 0; j < 3; ++j)
        {
            cairn_contact contact = cairn_simulation_contact(w.simulation, j);
            double share = (contact.point[0] == 0 ? middle : outer) / (2 * outer + middle);
            near(contact.impulse[0], 6 * G * H * share, 1e-9);
        }
        unmake(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_of_planar_joints),
        cmocka_unit_test(impulses_of_a_hinge_in_space),
        cmocka_unit_test(a_contact_lies_midway),
        cmocka_unit_test(a_driven_body_tells_its_mean_velocity_over_the_coming_step),
        cmocka_unit_test(weights_combine_as_springs_in_a_row),
    };
    return cmocka_run_group_tests_name("what the documents say", tests, NULL, NULL);
}
