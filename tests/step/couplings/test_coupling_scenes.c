/* The built-in scenes with couplings against their closed solutions. */
#include "support/check.h"
#include "support/worlds.h"

static void check_audit(const world *w)
{
    cairn_audit_totals totals = cairn_simulation_audit(w->simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        assert_int_equal(totals.count[k], 0);
}

static cairn_joint_state joint(const world *w, const char *name)
{
    return cairn_simulation_joint_state(w->simulation, cairn_model_find_joint(world_model(w), name));
}

static double spin(const world *w, const char *name)
{
    return world_body(w, name).angular_velocity[0];
}

/* Whatever happens, the speeds of the wheels add up to twice that of the carrier. On ice, the left wheel spins at twice its speed, and
 * the carrier accelerates with the torque less twice the friction, until the motor has its speed. */
static void one_wheel_on_ice(void **state)
{
    (void)state;
    const double inertia = 0.05 + 0.5 * 0.2 * 0.2 + 8e-4 + 1e-3 * 1.5 * 1.5 + 4 * 0.3, rate = (5 - 2) / inertia;
    cairn_settings settings;
    world w = world_load("differential", &settings, NULL, 0);
    world_start(&w, &settings);
    for (int step = 1; step <= 600; ++step)
    {
        world_step(&w);
        double c = spin(&w, "carrier");
        assert_near(spin(&w, "left wheel") + spin(&w, "right wheel"), 2 * c, 1e-8);
        assert_near(spin(&w, "right wheel"), 0, 1e-8);
        assert_near(c, fmin(5, rate * settings.step * step), 1e-5);
    }
    check_audit(&w);
    assert_near(joint(&w, "motor").drive[0], 2, 1e-5);
    assert_near(joint(&w, "left ground").friction[0], -1, 1e-9);
    assert_near(joint(&w, "right ground").friction[0], -1, 1e-5);
    assert_near(joint(&w, "left ground").rate[0], 10, 1e-6);
    world_free(&w);
}

/* With both wheels on the road, half the torque of 5 does not turn a wheel that bears 3. */
static void both_on_the_road(void **state)
{
    (void)state;
    const cairn_parameter road = {"ice", "3"};
    cairn_settings settings;
    world w = world_load("differential", &settings, &road, 1);
    world_start(&w, &settings);
    world_run(&w, 100);
    check_audit(&w);
    assert_near(spin(&w, "left wheel"), 0, 1e-9);
    assert_near(spin(&w, "right wheel"), 0, 1e-9);
    assert_near(joint(&w, "left ground").friction[0], -2.5, 1e-7);
    assert_near(joint(&w, "right ground").friction[0], -2.5, 1e-7);
    world_free(&w);
}

/* Where the rope is slack, nothing pulls and the load stands on the ground; where it is taut, the load is where its length says, and the
 * tension of four strands is what its motion takes. */
static void a_tackle_lifts(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("block-and-tackle", &settings, NULL, 0);
    world_start(&w, &settings);
    double strand = sqrt(0.01 + 3.4 * 3.4), length = 4 * strand + 0.1, speed = 0, highest = 0;
    int hanging = 0, slack = 0;
    for (int step = 0; step < 2200; ++step)
    {
        world_step(&w);
        cairn_body_state load = world_body(&w, "load");
        double wound = 0.2 * joint(&w, "winch").coordinate[0], now = (length - wound) / 4;
        double y = 4 - sqrt(now * now - 0.01) - 0.3, pull = -joint(&w, "rope").limit[0];
        bool lifted = load.position[1] > 0.301, was_lifted = lifted && speed != 0;
        assert_near(load.position[1], wound <= 0.1 ? 0.3 : y, 1e-8);
        if (was_lifted)
        {
            double share = (3.7 - load.position[1]) / now, a = (load.velocity[1] - speed) / settings.step;
            assert_near(4 * pull * share, 200 * (9.81 + a), 0.5);
            assert_near(joint(&w, "winch").drive[0], 0.2 * pull, 4);
            ++hanging;
        }
        if (wound < 0.09)
        {
            assert_near(pull, 0, 1e-12);
            ++slack;
        }
        speed = lifted ? load.velocity[1] : 0;
        highest = fmax(highest, load.position[1]);
    }
    check_audit(&w);
    assert_true(hanging > 1500 && slack > 150);
    assert_near(highest, 4 - sqrt(pow((length - 0.2 * 20) / 4, 2) - 0.01) - 0.3, 3e-4);
    world_free(&w);
}

/* A clone, and the simulation itself after going back, continue to the bit: through the impact where the rope becomes taut, and through
 * the start of sliding. */
static void continued(void **state)
{
    (void)state;
    static const char *const SCENE[] = {"block-and-tackle", "differential"};
    for (int k = 0; k < 2; ++k)
    {
        cairn_settings settings;
        world w = world_load(SCENE[k], &settings, NULL, 0);
        world_start(&w, &settings);
        world_run(&w, 90);
        cairn_state *kept;
        world twin = w;
        assert_int_equal(cairn_simulation_save(w.simulation, &kept), CAIRN_OK);
        assert_int_equal(cairn_simulation_clone(w.simulation, w.context, &twin.simulation), CAIRN_OK);
        const char *name = k == 0 ? "rope" : "left ground";
        world_run(&w, 40);
        cairn_joint_state first = joint(&w, name);
        world_run(&twin, 40);
        cairn_joint_state second = joint(&twin, name);
        assert_int_equal(cairn_simulation_restore(w.simulation, kept), CAIRN_OK);
        world_run(&w, 40);
        cairn_joint_state third = joint(&w, name);
        assert_memory_equal(&first, &second, sizeof first);
        assert_memory_equal(&first, &third, sizeof first);
        assert_true(first.limit[0] < -100 || first.friction[0] < -0.9);
        cairn_state_destroy(kept);
        cairn_simulation_destroy(twin.simulation);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_wheel_on_ice),
        cmocka_unit_test(both_on_the_road),
        cmocka_unit_test(a_tackle_lifts),
        cmocka_unit_test(continued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
