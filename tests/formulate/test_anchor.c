/* Friction of compliant contacts keeps its anchor: against a spring and a slider in series written down here, equilibrium by
 * hand, a turning table, saved states, and bad input. */
#include "support/check.h"
#include "support/worlds.h"

#include <cairn/state.h>

#include <stdlib.h>
#include <string.h>

static cairn_material add_soft(cairn_model *model, double friction, double stiffness, double damping, double tangential)
{
    cairn_material_options o = cairn_material_default();
    cairn_material out = {0};
    o.name = "soft";
    o.friction = friction;
    o.stiffness = stiffness;
    o.damping = damping;
    o.tangential_stiffness = tangential;
    assert_int_equal(cairn_model_add_material(model, &o, &out), CAIRN_OK);
    return out;
}

static cairn_settings settings_of(double step)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    settings.step = step;
    settings.law = (cairn_law){CAIRN_LAW_CONE, 0};
    settings.solver.tolerance = 1e-12;
    return settings;
}

/* A point on a soft floor is kicked: m v' = r with a spring, a damper and a slider of mu m g in series. */
static void test_spring_and_slider(void **state)
{
    (void)state;
    const double m = 2.0, mu = 0.4, g = 9.81, k = 5e3;
    for (int pass = 0; pass < 8; ++pass)
    {
        double h = pass % 2 ? 0.003 : 0.011, c = pass / 2 % 2 ? 8.0 : 0.0, ratio = pass / 4 ? 0.8 : 1.0;
        double kick = 0.4, k_t = ratio * k, c_t = ratio * c;
        world w = world_new(2);
        cairn_material soft = add_soft(w.model, mu, k, c, pass / 4 ? k_t : 0);
        add_ground(w.model, add_material(w.model, "hard", mu, 0));
        cairn_body body = add_point(w.model, "point", m, 0, -m * g / k, soft); /* at rest along the normal */
        cairn_settings settings = settings_of(h);
        world_start(&w, &settings);
        cairn_body_state at = cairn_simulation_body(w.simulation, body);
        at.velocity[0] = kick;
        assert_int_equal(cairn_simulation_set_body(w.simulation, body, &at), CAIRN_OK);
        double x = 0, v = kick, stretch = 0, bound = mu * m * g * h, slid = 0;
        int slips = 0;
        for (int step = 0; step < 200; ++step)
        {
            double r = -h * (k_t * stretch + (h * k_t + c_t) * v) / (1 + h * (h * k_t + c_t) / m);
            bool slips_now = fabs(r) > bound;
            r = slips_now ? copysign(bound, r) : r;
            v += r / m;
            x += h * v;
            double rate = -(r / h + k_t * stretch) / (h * k_t + c_t); /* r = -h (k (x + h x') + c x') */
            stretch += h * rate;
            slid += r * (v - rate);
            slips += slips_now;
            world_step(&w);
            cairn_energy e = cairn_simulation_energy(w.simulation);
            assert_near(world_body(&w, "point").position[0], x, 1e-10);
            assert_near(world_body(&w, "point").velocity[0], v, 1e-9);
            assert_near(e.elastic, 0.5 * k_t * stretch * stretch + 0.5 * m * g * m * g / k, 1e-8);
            assert_near(e.work_friction, slid, 1e-9);
            assert_near(e.balance_error, 0, 1e-10);
            double slip = cairn_simulation_contact(w.simulation, 0).velocity[1]; /* of the surfaces */
            assert_near(fabs(slip), fabs(v - rate), 1e-9);
            assert_true(slips_now || fabs(slip) < 1e-9);
        }
        assert_true(slips > 2 && slips < 150 && slid < 0); /* it slid, and came to rest */
        world_free(&w);
    }
}

/* A box on a slope of angle `tilt`, which falls along the direction `way` of the surface. */
static world box_on_slope(int dimension, double tilt, double way, double k, double c, double h)
{
    world w = world_new(dimension);
    cairn_material soft = add_soft(w.model, 0.5, k, c, 0);
    add_ground(w.model, add_material(w.model, "hard", 0.5, 0));
    double size[3] = {0.4, 0.3, 0.2}, place[3] = {0, 0, 0};
    place[dimension - 1] = 0.5 * size[dimension - 1];
    add_box(w.model, "box", 3.0, size, place, soft);
    double down[3] = {9.81 * sin(tilt) * cos(way), 9.81 * sin(tilt) * sin(way), -9.81 * cos(tilt)};
    double plane[3] = {9.81 * sin(tilt), -9.81 * cos(tilt), 0};
    assert_int_equal(cairn_model_set_gravity(w.model, dimension == 2 ? plane : down), CAIRN_OK);
    cairn_settings settings = settings_of(h);
    world_start(&w, &settings);
    return w;
}

/* Below the angle of friction the box gives way by m g sin/(n k) at its n corners and stays; above it slides. */
static void test_slope(void **state)
{
    (void)state;
    const double m = 3.0, k = 2e4, tilt = 0.4, mu = 0.5;
    for (int pass = 0; pass < 6; ++pass)
    {
        int dimension = pass < 2 ? 2 : 3, corners = dimension == 2 ? 2 : 4;
        double h = pass % 2 ? 0.01 : 0.002, way = 0.7 * pass, load = m * 9.81 * sin(tilt);
        world w = box_on_slope(dimension, tilt, way, k, 300, h);
        world_run(&w, (int)(1.5 / h));
        cairn_body_state before = world_body(&w, "box");
        world_run(&w, 300);
        cairn_body_state after = world_body(&w, "box");
        double moved = 0;
        for (int i = 0; i < 3; ++i)
            moved = fmax(moved, fabs(after.position[i] - before.position[i]));
        assert_true(moved < 1e-11);
        cairn_energy e = cairn_simulation_energy(w.simulation);
        assert_near(e.balance_error, 0, 1e-9);
        double gives = hypot(after.position[0], dimension == 3 ? after.position[1] : 0);
        /* corners are lower than the centre, so that the tilt of the box moves it too: by its height times the tilt */
        assert_true(gives > load / (corners * k) && gives < 2 * load / (corners * k));
        double sum[3] = {0};
        for (int j = 0; j < corners; ++j)
            for (int i = 0; i < dimension; ++i)
                sum[i] += cairn_simulation_contact(w.simulation, j).impulse[i];
        assert_near(hypot(sum[1], sum[2]), load * h, 1e-9 * load);
        world_free(&w);
        w = box_on_slope(dimension, 0.6, way, k, 300, h);
        world_run(&w, (int)(0.4 / h));
        before = world_body(&w, "box");
        world_run(&w, (int)(0.4 / h));
        after = world_body(&w, "box");
        double gained = hypot(after.velocity[0], after.velocity[1] * (dimension == 3)) -
                        hypot(before.velocity[0], before.velocity[1] * (dimension == 3));
        assert_near(gained, 0.4 * 9.81 * (sin(0.6) - mu * cos(0.6)), 1e-3);
        world_free(&w);
    }
}

static void turn_table(void *data, double t, cairn_body_state *pose)
{
    const double *rate = data, half = 0.5 * *rate * t;
    const double turned[4] = {cos(half), 0, 0, sin(half)};
    memcpy(pose->orientation, turned, sizeof turned);
}

/* A box turns with a table under a load that does not: it stays where the springs hold the load, all around. */
static void test_turning_table(void **state)
{
    (void)state;
    const double k = 2e4, m = 3.0, tilt = 0.3, load = m * 9.81 * sin(tilt);
    for (int pass = 0; pass < 2; ++pass)
    {
        double rate = 2.0, h = pass ? 0.0025 : 0.005;
        world w = world_new(3);
        cairn_material soft = add_soft(w.model, 0.8, k, 300, 0), hard = add_material(w.model, "hard", 0.8, 0);
        cairn_body_options table = cairn_body_default();
        cairn_body made;
        table.name = "table";
        table.kind = CAIRN_DRIVEN;
        table.motion = turn_table;
        table.motion_data = &rate;
        assert_int_equal(cairn_model_add_body(w.model, &table, &made), CAIRN_OK);
        cairn_shape_options top = cairn_shape_default(CAIRN_HALF_SPACE);
        cairn_shape shape;
        top.normal[2] = 1;
        top.material = hard;
        assert_int_equal(cairn_model_add_shape(w.model, made, &top, &shape), CAIRN_OK);
        double size[3] = {0.4, 0.4, 0.02}, place[3] = {0, 0, 0.01}, down[3] = {9.81 * sin(tilt), 0, -9.81 * cos(tilt)};
        cairn_body box = add_box(w.model, "box", m, size, place, soft);
        assert_int_equal(cairn_model_set_gravity(w.model, down), CAIRN_OK);
        cairn_settings settings = settings_of(h);
        world_start(&w, &settings);
        cairn_body_state at = cairn_simulation_body(w.simulation, box);
        at.angular_velocity[2] = rate;
        assert_int_equal(cairn_simulation_set_body(w.simulation, box, &at), CAIRN_OK);
        world_run(&w, (int)(2 / h));
        for (int step = 0; step < (int)(4 / h); ++step)
        {
            world_step(&w);
            at = world_body(&w, "box");
            assert_near(at.position[0], load / (4 * k), 0.12 * load / (4 * k)); /* the box leans a little, too */
            assert_near(at.position[1], 0, 0.05 * load / (4 * k));
            assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-9);
        }
        world_free(&w);
    }
}

/* A restored state goes on to the same bits: the springs are part of it. */
static void test_restored(void **state)
{
    (void)state;
    world w = box_on_slope(3, 0.4, 0.7, 2e4, 5, 0.004), other = box_on_slope(3, 0.4, 0.7, 2e4, 5, 0.004);
    world_run(&w, 40);
    cairn_state *saved = NULL;
    assert_int_equal(cairn_simulation_save(w.simulation, &saved), CAIRN_OK);
    assert_int_equal(cairn_simulation_restore(other.simulation, saved), CAIRN_OK);
    world_run(&w, 20);
    world_run(&other, 20);
    cairn_body_state a = world_body(&w, "box"), b = world_body(&other, "box");
    assert_memory_equal(a.position, b.position, sizeof a.position);
    assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
    assert_true(cairn_simulation_energy(w.simulation).elastic == cairn_simulation_energy(other.simulation).elastic);
    cairn_state_destroy(saved);
    world_free(&w);
    world_free(&other);
}

static void test_bad_input(void **state)
{
    (void)state;
    static const double WRONG[][2] = {{0, 10}, {10, -1}, {10, NAN}, {10, INFINITY}}; /* stiffness, tangential */
    world w = world_new(3);
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; ++i)
    {
        cairn_material_options o = cairn_material_default();
        cairn_material out;
        o.name = "bad";
        o.stiffness = WRONG[i][0];
        o.tangential_stiffness = WRONG[i][1];
        assert_int_equal(cairn_model_add_material(w.model, &o, &out), CAIRN_INVALID);
        assert_non_null(strstr(cairn_context_last_message(w.context), "tangential_stiffness"));
    }
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spring_and_slider), cmocka_unit_test(test_slope),
        cmocka_unit_test(test_turning_table),     cmocka_unit_test(test_restored),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("anchor", tests, NULL, NULL);
}
