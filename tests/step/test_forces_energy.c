/* A beam slides on three supports in a row, of which the middle one is rougher. How they share its weight N is not determined: with r
 * at each end, N - 2 r is left for the middle, and friction is 2 mu r + mu' (N - 2 r). The forces that take most energy are all in the
 * middle, those that take least all at the ends. */
#include "support/check.h"
#include "support/worlds.h"

static const double H = 0.01, G = 9.81, ENDS = 0.1, MIDDLE = 0.5;

static double slow_down(cairn_forces wish)
{
    world w = world_new(2);
    cairn_material ground = add_material(w.model, "ground", 0, 0), smooth = add_material(w.model, "smooth", 0, 0),
                   rough = add_material(w.model, "rough", 0, 0);
    assert_int_equal(cairn_model_set_pair(w.model, ground, smooth, ENDS, 0), CAIRN_OK);
    assert_int_equal(cairn_model_set_pair(w.model, ground, rough, MIDDLE, 0), CAIRN_OK);
    add_ground(w.model, ground);
    cairn_body_options o = cairn_body_default();
    o.name = "beam";
    o.mass = 2;
    o.inertia[2] = 1;
    o.velocity[0] = 1;
    cairn_body beam;
    assert_int_equal(cairn_model_add_body(w.model, &o, &beam), CAIRN_OK);
    for (int i = -1; i <= 1; ++i)
    {
        cairn_shape_options point = cairn_shape_default(CAIRN_POINT);
        point.position[0] = i;
        point.material = i ? smooth : rough;
        cairn_shape out;
        assert_int_equal(cairn_model_add_shape(w.model, beam, &point, &out), CAIRN_OK);
    }
    cairn_settings settings = cairn_settings_default();
    settings.step = H;
    settings.solver.forces = wish;
    world_start(&w, &settings);
    world_step(&w);
    cairn_body_state s = cairn_simulation_body(w.simulation, beam);
    assert_near(s.velocity[1], 0, 1e-9);
    assert_near(s.angular_velocity[2], 0, 1e-9);
    world_free(&w);
    return (1 - s.velocity[0]) / (H * G);
}

static void energy_is_taken_as_wished(void **state)
{
    (void)state;
    double most = slow_down(CAIRN_FORCES_MINIMUM_ENERGY), least = slow_down(CAIRN_FORCES_MAXIMUM_ENERGY);
    print_message("friction of the weight: %.6f at most, %.6f at least\n", most, least);
    assert_near(most, MIDDLE, 1e-6);
    assert_near(least, ENDS, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_is_taken_as_wished)};
    return cmocka_run_group_tests_name("forces by their energy", tests, NULL, NULL);
}
