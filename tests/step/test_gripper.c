/* Two fingers hold a box by friction: below the slip limit for a minute without creep, above it not at all. Rigid and compliant
 * fingers, several steps, gravity oblique to the contacts' tangents, boxes turned between the fingers. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static const double MASS = 2.0, MU = 0.5, G = 9.81;

typedef struct grip
{
    double load; /* weight per friction that the fingers can give */
    double tilt; /* rad: gravity's direction within the surface of the fingers */
    double turn; /* rad: of the box about the direction of the fingers */
    double stiffness, damping, h;
    cairn_accuracy accuracy;
    cairn_law law; /* frictionless stands for the cone */
} grip;

static world start_grip(const grip *g)
{
    char text[4000], soft[80] = "";
    double force = MASS * G / (2 * MU * g->load);
    if (g->stiffness > 0)
        (void)snprintf(soft, sizeof soft, ", stiffness: %.17g, damping: %.17g", g->stiffness, g->damping);
    (void)snprintf(text, sizeof text,
                   "dimension: 3\n"
                   "gravity: [0, %.17g, %.17g]\n"
                   "materials: [{name: rubber, friction: %.17g%s}]\n"
                   "bodies:\n"
                   "  - {name: left, mass: 0.5, position: [-0.13, 0, 0], material: rubber,"
                   " shapes: [{type: box, size: [0.06, 0.2, 0.2]}]}\n"
                   "  - {name: right, mass: 0.5, position: [0.13, 0, 0], material: rubber,"
                   " shapes: [{type: box, size: [0.06, 0.2, 0.2]}]}\n"
                   "  - {name: box, mass: %.17g, orientation: {axis: [1, 0, 0], angle: %.17g}, material: rubber,"
                   " shapes: [{type: box, size: [0.2, 0.15, 0.15]}]}\n"
                   "joints:\n"
                   "  - {name: l, type: prismatic, bodies: [world, left], at: [-0.13, 0, 0], axis: [1, 0, 0],"
                   " coordinates: {position: {drive: {type: force, target: %.17g}}}}\n"
                   "  - {name: r, type: prismatic, bodies: [world, right], at: [0.13, 0, 0], axis: [-1, 0, 0],"
                   " coordinates: {position: {drive: {type: force, target: %.17g}}}}\n",
                   G * sin(g->tilt), -G * cos(g->tilt), MU, soft, MASS, g->turn, force, force);
    world w = {.context = cairn_context_create()};
    assert_int_equal(cairn_scene_parse(w.context, "grip", text, strlen(text), NULL, 0, &w.scene), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(w.scene);
    settings.step = g->h;
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    settings.law = g->law.kind == CAIRN_LAW_FRICTIONLESS ? (cairn_law){CAIRN_LAW_CONE, 0} : g->law;
    settings.accuracy = g->accuracy;
    world_start(&w, &settings);
    return w;
}

static double distance(const cairn_body_state *a, const cairn_body_state *b)
{
    double d[3];
    for (int i = 0; i < 3; ++i)
        d[i] = a->position[i] - b->position[i];
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Hold for so many seconds after the springs have settled. */
static void hold(const grip *g, double seconds)
{
    world w = start_grip(g);
    cairn_body_state start = world_body(&w, "box");
    world_run(&w, (int)(3 / g->h));
    cairn_body_state settled = world_body(&w, "box");
    /* all corners together give way by no more than the load over the springs of one pair of them */
    double most = g->stiffness > 0 ? 4 * MASS * G / g->stiffness : 1e-9;
    assert_true(distance(&start, &settled) < most);
    world_run(&w, (int)(seconds / g->h));
    cairn_body_state end = world_body(&w, "box");
    assert_true(distance(&settled, &end) < 1e-9);
    double sum = 0; /* friction carries the weight */
    for (int j = 0; j < cairn_simulation_contact_count(w.simulation); ++j)
    {
        cairn_contact c = cairn_simulation_contact(w.simulation, j);
        for (int i = 0; i < 2; ++i)
            sum += c.impulse[1 + i] * (c.tangent[i][1] * sin(g->tilt) - c.tangent[i][2] * cos(g->tilt));
    }
    assert_near(fabs(sum), MASS * G * g->h, 1e-6 * MASS * G * g->h);
    assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-9);
    world_free(&w);
}

static void test_holds_for_a_minute(void **state)
{
    (void)state;
    for (int soft = 0; soft < 2; ++soft)
    {
        grip g = {.load = 0.95, .tilt = 0.6, .turn = 0.3, .h = 0.02, .accuracy = CAIRN_ACCURACY_BALANCED};
        g.stiffness = soft ? 1e5 : 0;
        g.damping = soft ? 100 : 0;
        hold(&g, 60);
    }
}

static void test_holds_all_ways(void **state)
{
    (void)state;
    static const double TILT[] = {0, 0.6, -1.44, 2.3}, TURN[] = {0, -0.7, -0.8, 1.2},
                        STEP[] = {0.01, 0.0025, 0.02, 0.01};
    static const double GIVE[][2] = {{0, 0}, {1e5, 100}, {1e6, 0}};
    for (int i = 0; i < 12; ++i)
    {
        grip g = {.load = i % 3 == 0 ? 0.99 : 0.95,
                  .tilt = TILT[i % 4],
                  .turn = TURN[i % 4],
                  .h = STEP[(i + i / 4) % 4],
                  .stiffness = GIVE[i / 4][0],
                  .damping = GIVE[i / 4][1],
                  .accuracy = i % 2 ? CAIRN_ACCURACY_EXACT : CAIRN_ACCURACY_BALANCED};
        hold(&g, 2);
    }
}

/* Other laws: the polygon of a pyramid holds no less than the circle through the middle of its sides. */
static void test_holds_under_other_laws(void **state)
{
    (void)state;
    static const cairn_law LAWS[] = {{CAIRN_LAW_BOX, 0}, {CAIRN_LAW_PYRAMID, 8}, {CAIRN_LAW_CONVEX_CONE, 0}};
    for (int i = 0; i < 6; ++i)
    {
        grip g = {.load = i % 3 == 1 ? 0.9 : 0.95, .tilt = i < 3 ? 0 : 0.785, .turn = i < 3 ? 0 : 0.3, .h = 0.01};
        g.accuracy = CAIRN_ACCURACY_BALANCED;
        g.law = LAWS[i % 3];
        hold(&g, 1);
    }
}

/* Above the limit the box slides. Springs load the corners evenly: then it falls with g (1 - 1/load). */
static void test_drops(void **state)
{
    (void)state;
    for (int i = 0; i < 6; ++i)
    {
        grip g = {.load = 1.05, .tilt = 0.5 * i, .turn = 0.2 * i, .h = i % 2 ? 0.01 : 0.0025};
        g.stiffness = i < 3 ? 0 : 1e5;
        g.damping = i < 3 ? 0 : 100;
        world w = start_grip(&g);
        cairn_body_state start = world_body(&w, "box");
        world_run(&w, (int)(0.4 / g.h));
        cairn_body_state end = world_body(&w, "box");
        double fallen = 0.5 * G * (1 - 1 / 1.05) * 0.16;
        assert_true(distance(&start, &end) > 0.9 * fallen);
        if (i >= 3)
            assert_near(distance(&start, &end), fallen, 0.1 * fallen); /* the fingers bounce at the start */
        world_free(&w);
    }
}

/* The built-in scene: the box is lifted with the hand, or stays on the ground. */
static void test_scene(void **state)
{
    (void)state;
    static const char *const LOAD[] = {"0.9", "0.95", "1.05"};
    for (int i = 0; i < 3; ++i)
    {
        cairn_parameter parameter = {"load", LOAD[i]};
        cairn_settings settings;
        world w = world_load("gripper", &settings, &parameter, 1);
        world_start(&w, &settings);
        world_run(&w, 700);
        double height = world_body(&w, "box").position[2];
        if (i < 2)
            assert_near(height, 0.08 + 0.3, 1e-9);
        else
            assert_true(height < 0.1);
        assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds_for_a_minute),
        cmocka_unit_test(test_holds_all_ways),
        cmocka_unit_test(test_holds_under_other_laws),
        cmocka_unit_test(test_drops),
        cmocka_unit_test(test_scene),
    };
    return cmocka_run_group_tests_name("gripper", tests, NULL, NULL);
}
