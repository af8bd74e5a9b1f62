/* Contacts and joints that give way: against the closed form of the implicit spring and damper, the energy account, the rigid
 * limit, and bad input. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static cairn_material add_soft(cairn_model *model, const char *name, double friction, double stiffness, double damping)
{
    cairn_material_options o = cairn_material_default();
    cairn_material out = {0};
    o.name = name;
    o.friction = friction;
    o.stiffness = stiffness;
    o.damping = damping;
    assert_int_equal(cairn_model_add_material(model, &o, &out), CAIRN_OK);
    return out;
}

static cairn_settings settings_of(cairn_integrator integrator, double step)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.step = step;
    settings.law = (cairn_law){CAIRN_LAW_CONE, 0};
    return settings;
}

/* A point that falls on a soft ground: m (v+ - v) = -m g h + r, r = max(0, -h (k y+ + c v')), v' the rate after touching. */
static void test_falling_point(void **state)
{
    (void)state;
    const double m = 2.0, k[2] = {3e3, 5e3}, c[2] = {4.0, 30.0}, g = 9.81, h = 0.004;
    for (int damped = 0; damped < 2; ++damped)
    {
        world w = world_new(2);
        add_ground(w.model, add_soft(w.model, "ground", 0, k[0], damped ? c[0] : 0));
        add_point(w.model, "ball", m, 0, 0.1, add_soft(w.model, "ball", 0, k[1], damped ? c[1] : 0));
        cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF, h);
        world_start(&w, &settings);
        double together = 1 / (1 / k[0] + 1 / k[1]);
        double loss = damped ? together * together * (c[0] / (k[0] * k[0]) + c[1] / (k[1] * k[1])) : 0.0;
        double y = 0.1, v = 0;
        bool touched = false;
        for (int step = 0; step < 300; ++step)
        {
            /* one equation: v+ free, or with the spring and damper acting */
            double free = v - g * h;
            double act = y > 0 ? (m * free - h * together * y - loss * y) / (m + h * h * together + h * loss)
                               : (m * free - h * together * y) / (m + h * h * together + h * loss);
            double r = m * (act - free);
            v = r > 0 ? act : free;
            touched = touched || r > 0;
            y += h * v;
            world_step(&w);
            cairn_body_state ball = world_body(&w, "ball");
            assert_near(ball.position[1], y, 1e-11);
            assert_near(ball.velocity[1], v, 1e-9);
            assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-10);
            double elastic = y < 0 ? 0.5 * together * y * y : 0.0;
            assert_near(cairn_simulation_energy(w.simulation).elastic, elastic, 1e-9);
        }
        assert_true(touched);
        assert_true(damped == 0 || cairn_simulation_energy(w.simulation).work_dampers < -1e-3);
        world_free(&w);
    }
}

/* A bob on a soft pin, resting: the pin gives way by m g / k, and the force is the weight. */
static void test_soft_pin(void **state)
{
    (void)state;
    const double m = 1.5, k = 2e4, c = 40, h = 0.01;
    world w = world_new(3);
    double size[3] = {0.2, 0.2, 0.2}, place[3] = {0, 0, -1};
    cairn_body bob = add_box(w.model, "bob", m, size, place, add_material(w.model, "any", 0, 0));
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_joint made;
    o.name = "pin";
    o.a = (cairn_attachment){{0}, {0, 0, 0}};
    o.b = (cairn_attachment){bob, {0, 0, 1}};
    o.axis[0] = 1;
    o.axis[1] = o.axis[2] = 0;
    o.stiffness = k;
    o.damping = c;
    o.angular_stiffness = 3e3;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &made), CAIRN_OK);
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF, h);
    world_start(&w, &settings);
    world_run(&w, 400);
    double impulse[6];
    assert_int_equal(cairn_simulation_joint_impulse(w.simulation, nth_joint(w.simulation, 0), impulse), 5);
    assert_near(world_body(&w, "bob").position[2], -1 - m * 9.81 / k, 1e-12);
    assert_near(fabs(impulse[2]), m * 9.81 * h, 1e-10);
    cairn_energy energy = cairn_simulation_energy(w.simulation);
    assert_near(energy.elastic, 0.5 * m * 9.81 * m * 9.81 / k, 1e-12);
    assert_near(energy.balance_error, 0, 1e-10);
    world_free(&w);
}

/* A swing on a soft hinge with a tilt: the balance closes while everything moves. */
static void test_balance_of_a_swing(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; ++integrator)
    {
        world w = world_new(3);
        cairn_material soft = add_soft(w.model, "soft", 0.4, 4e4, 20);
        add_ground(w.model, soft);
        double size[3] = {0.8, 0.2, 0.2}, place[3] = {0.4, 0, 0.6};
        cairn_body arm = add_box(w.model, "arm", 1.0, size, place, soft);
        cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
        cairn_joint made;
        double pin[3] = {0, 0, 0.6};
        o.name = "pin";
        o.a = cairn_model_attach(w.model, (cairn_body){0}, pin);
        o.b = cairn_model_attach(w.model, arm, pin);
        o.axis[0] = 0.1;
        o.axis[1] = 1;
        o.axis[2] = 0;
        o.stiffness = 1e4;
        o.damping = 5;
        o.angular_stiffness = 50;
        o.angular_damping = 0.1;
        assert_int_equal(cairn_model_add_joint(w.model, &o, &made), CAIRN_OK);
        cairn_settings settings = settings_of((cairn_integrator)integrator, 0.002);
        world_start(&w, &settings);
        double least = 0;
        for (int step = 0; step < 1000; ++step)
        {
            world_step(&w);
            cairn_energy e = cairn_simulation_energy(w.simulation);
            assert_near(e.balance_error, 0, 1e-9);
            least = fmin(least, e.work_dampers);
        }
        assert_true(least < -1e-4);
        world_free(&w);
    }
}

/* A box at rest on soft corners: k -> infinity is the rigid box, deflection m g / 4 k at each, forces alike; every law. */
static void test_rigid_limit(void **state)
{
    (void)state;
    static const cairn_law laws[] = {{CAIRN_LAW_FRICTIONLESS, 0},  {CAIRN_LAW_LAGGED, 0}, {CAIRN_LAW_CONVEX_CONE, 0},
                                     {CAIRN_LAW_CONE, 0},          {CAIRN_LAW_BOX, 0},    {CAIRN_LAW_PYRAMID, 8},
                                     {CAIRN_LAW_CONVEX_PYRAMID, 8}};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; ++i)
    {
        for (double k = 1e5; k < 2e9; k *= 100)
        {
            world w = world_new(3);
            cairn_material soft = add_soft(w.model, "soft", 0.5, k, 0);
            add_ground(w.model, add_material(w.model, "hard", 0.5, 0));
            double size[3] = {1, 0.6, 0.4}, place[3] = {0, 0, 0.2};
            add_box(w.model, "box", 3.0, size, place, soft);
            cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF, 0.01);
            settings.law = laws[i];
            world_start(&w, &settings);
            world_run(&w, 200);
            assert_near(world_body(&w, "box").position[2], 0.2 - 3.0 * 9.81 / (4 * k), 1e-3 / k + 1e-12);
            for (int j = 0; j < cairn_simulation_contact_count(w.simulation); ++j)
                assert_near(cairn_simulation_contact(w.simulation, j).impulse[0], 3.0 * 9.81 * 0.01 / 4, 1e-7);
            assert_int_equal(cairn_simulation_report(w.simulation)->solver.null_space, 0);
            assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-9);
            world_free(&w);
        }
    }
}

/* Lagged friction: a block pushed along has no friction in its first step, mu m g from the second on. */
static void test_lagged_friction(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        const double mu = 0.3, h = 0.01;
        world w = world_new(dimension);
        cairn_material rough = add_material(w.model, "rough", mu, 0);
        add_ground(w.model, rough);
        double size[3] = {1, 0.4, 0.4}, place[3] = {0, 0, 0};
        place[dimension - 1] = 0.2;
        cairn_body box = add_box(w.model, "box", 2.0, size, place, rough);
        cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF, h);
        settings.law = (cairn_law){CAIRN_LAW_LAGGED, 0};
        world_start(&w, &settings);
        cairn_body_state push = cairn_simulation_body(w.simulation, box);
        push.velocity[0] = 1.0;
        assert_int_equal(cairn_simulation_set_body(w.simulation, box, &push), CAIRN_OK);
        world_step(&w);
        assert_near(world_body(&w, "box").velocity[0], 1.0, 1e-12);
        for (int step = 1; step <= 20; ++step)
        {
            world_step(&w);
            assert_near(world_body(&w, "box").velocity[0], 1.0 - mu * 9.81 * h * step, 1e-9);
        }
        /* a step of half the length has half the bound */
        assert_int_equal(cairn_simulation_step_by(w.simulation, h / 2), CAIRN_OK);
        assert_near(world_body(&w, "box").velocity[0], 1.0 - mu * 9.81 * h * 20.5, 1e-9);
        world_free(&w);
    }
}

static void refuse_material(cairn_model *model, const cairn_material_options *o)
{
    cairn_material out;
    assert_int_equal(cairn_model_add_material(model, o, &out), CAIRN_INVALID);
}

static void test_bad_input(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material_options o = cairn_material_default();
    o.name = "bad";
    o.stiffness = -1;
    refuse_material(w.model, &o);
    o.stiffness = NAN;
    refuse_material(w.model, &o);
    o.stiffness = 0;
    o.damping = 1; /* without a spring */
    refuse_material(w.model, &o);
    o.stiffness = 1;
    o.damping = -1;
    refuse_material(w.model, &o);
    o.damping = 0;
    o.weight = 0;
    refuse_material(w.model, &o);
    o.weight = INFINITY;
    refuse_material(w.model, &o);
    double size[3] = {1, 1, 1}, place[3] = {0, 0, 2};
    cairn_body box = add_box(w.model, "box", 1, size, place, add_soft(w.model, "soft", 0.5, 1e3, 0));
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    cairn_joint made;
    j.name = "rod";
    j.a = (cairn_attachment){{0}, {0, 0, 5}};
    j.b = (cairn_attachment){box, {0, 0, 0}};
    j.angular_stiffness = 5; /* a rod has no axis */
    assert_int_equal(cairn_model_add_joint(w.model, &j, &made), CAIRN_INVALID);
    j.angular_stiffness = 0;
    j.stiffness = -2;
    assert_int_equal(cairn_model_add_joint(w.model, &j, &made), CAIRN_INVALID);
    j.stiffness = 0;
    j.weight = -2;
    assert_int_equal(cairn_model_add_joint(w.model, &j, &made), CAIRN_INVALID);
    /* springs of first order, and nothing that pushes them out */
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF2, 0.01);
    cairn_simulation *s = NULL;
    assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &s), CAIRN_INVALID);
    settings = settings_of(CAIRN_INTEGRATOR_STIFF, 0.01);
    settings.stabilisation = CAIRN_STABILISE_PROJECT;
    assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &s), CAIRN_INVALID);
    settings = settings_of(CAIRN_INTEGRATOR_STIFF2, 0.01);
    settings.law = (cairn_law){CAIRN_LAW_LAGGED, 0};
    assert_int_equal(cairn_settings_check(w.context, &settings), CAIRN_INVALID);
    world_free(&w);
}

/* A disc on a patch and a point on a spring, together and each alone: neither knows of the other. */
static void test_beside_patches(void **state)
{
    (void)state;
    double height[2];
    for (int pass = 0; pass < 3; ++pass)
    {
        world w = world_new(2);
        cairn_material_options o = cairn_material_default();
        cairn_material elastic = {0};
        o.name = "elastic";
        o.patch =
            (cairn_patch_options){.elements = 5, .spacing = 0.01, .compliance = 1e-6, .poisson = 0.3, .damping = 1.0};
        assert_int_equal(cairn_model_add_material(w.model, &o, &elastic), CAIRN_OK);
        add_ground(w.model, add_material(w.model, "ground", 0.3, 0));
        cairn_body body[2] = {{0}};
        if (pass != 1)
            body[0] = add_ball(w.model, "disc", 2.0, 0.5, (double[3]){-1.0, 0.5, 0.0}, elastic);
        if (pass != 0)
            body[1] = add_point(w.model, "point", 1.0, 1.0, 0.001, add_soft(w.model, "soft", 0.3, 3e3, 5));
        cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF, 0.002);
        settings.solver.tolerance = 1e-12;
        world_start(&w, &settings);
        for (int step = 0; step < 200; ++step)
        {
            world_step(&w);
            assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-10);
        }
        for (int k = 0; k < 2; ++k)
        {
            double y = body[k].id ? cairn_simulation_body(w.simulation, body[k]).position[1] : 0.0;
            if (pass == k)
                height[k] = y;
            if (pass == 2)
                assert_near(y, height[k], 1e-10);
        }
        world_free(&w);
    }
    assert_true(height[0] < 0.5 - 1e-7 && height[1] < -1e-4); /* both have given way */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falling_point),      cmocka_unit_test(test_soft_pin),
        cmocka_unit_test(test_balance_of_a_swing), cmocka_unit_test(test_rigid_limit),
        cmocka_unit_test(test_lagged_friction),    cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_beside_patches),
    };
    return cmocka_run_group_tests_name("regularised", tests, NULL, NULL);
}
